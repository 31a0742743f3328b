"""Tables of queries, and what is declared about them: each error names its row."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from importlib.util import find_spec
from typing import Any, final

from dprisk._checks import assign
from dprisk._checks import whole as whole_number
from dprisk._files import regular
from dprisk.allocation.allocations import Allocation, AssumedShare, Scenario
from dprisk.allocation.queries import ACCOUNTING, NOISES, Accounting, Noise, Query
from dprisk.allocation.units import KINDS, WIDTHS, cost, for_replacing, implied
from dprisk.allocation.values import (
    EVERY_NOISE,
    LARGEST,
    LEAST_NUMBER,
    MOST_CELLS,
    ONLY_LEVEL,
    as_fraction,
    cost_of,
    query_of,
)
from dprisk.allocation.vocabulary import Vocabulary, folded, guess
from dprisk.errors import InvalidFile, InvalidInput, one_of, unreadable
from dprisk.guarantees.base import NEIGHBORS, Neighbors
from dprisk.text import fill

READERS = ("pyarrow", "polars", "pandas")


Row = tuple[str, Mapping[str, Any]]
"""Where a row stands, and its values by column."""


def numbered(rows: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Rows of a table without lines."""
    return [(f"row {n}", row) for n, row in enumerate(rows, 1)]


def rows_of_frame(frame: Any) -> tuple[list[str], list[Row]]:
    """Columns and rows of a data frame of any library that narwhals knows."""
    import narwhals as nw

    try:
        known = nw.from_native(frame)
    except TypeError:
        allowed = "rows (mappings), or a data frame (pandas, polars, pyarrow and others)"
        raise InvalidInput("table", type(frame).__name__, allowed) from None
    eager = known.collect() if isinstance(known, nw.LazyFrame) else known
    return list(eager.columns), numbered(eager.iter_rows(named=True))


def rows_of_parquet(path: str | os.PathLike[str]) -> tuple[list[str], list[Row]]:
    """Columns and rows of a Parquet file, by whichever library is installed."""
    import narwhals as nw

    shown = os.fspath(path)
    reader = next((name for name in READERS if find_spec(name)), None)
    if reader is None:
        raise unreadable(shown, "allocation.no-parquet", readers=", ".join(READERS))
    regular(path)
    try:
        frame = nw.read_parquet(shown, backend=reader)  # type: ignore[arg-type]
    except Exception as error:  # each library has errors of its own
        problem = f"It cannot be read as Parquet: {str(error).splitlines()[0][:100]}."
        raise InvalidFile(shown, problem, "Check that it is the right file.") from None
    return rows_of_frame(frame.to_native())


Key = tuple[str, str | None, str, str]
"""Part, level, place and name of a query, which no other has."""

COLUMNS = (
    *("query", "attributes", "level", "place", "part", "cells", "moves", "noise", "share"),
    *KINDS,
)
CLOSE = Fraction(1, 10**9)  # what shares that were rounded to floats may miss


@final
@dataclass(frozen=True)
class Share:
    """Amount shared out in one part of a table, and the share of each level."""

    amount: Fraction
    levels: Mapping[str, Fraction]


@final
@dataclass(frozen=True)
class Description:
    """Facts known about a table before it is read."""

    source: str
    name: str
    accounting: Accounting | None = None
    noise: Noise | None = None
    moves: int | None = None
    levels: tuple[str, ...] = ()
    chains: tuple[tuple[str, ...], ...] = ()
    places: str | None = None  # the level of the column of places
    attributes: tuple[str, ...] | None = None
    parts: Mapping[str, Share] = field(default_factory=dict)
    amount: Any = None
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scenarios: tuple[Scenario, ...] = ()
    printed_in: str = ""
    printed_if: AssumedShare | None = None
    neighbors: Neighbors = "replace-one"  # of the amounts
    invariants: tuple[str, ...] = ()
    exact: tuple[Query, ...] = ()  # invariants of which it is said what changes them
    origin: tuple[str, ...] = ()
    table: Any = None

    def __post_init__(self) -> None:
        if self.accounting is not None:
            one_of("accounting", self.accounting, ACCOUNTING)
        if self.noise is not None:
            one_of("noise", self.noise, EVERY_NOISE)
        one_of("neighbors", self.neighbors, NEIGHBORS)
        for part, share in self.parts.items():
            for level in share.levels:
                if level not in self.levels:
                    where, fix = f"parts.{part}.levels", guess(level, self.levels)
                    raise self.refused("unknown.level", where, word=level, fix=fix)
        if self.places is not None and self.places not in self.levels:
            fix = guess(self.places, self.levels)
            raise self.refused("unknown.level", "places", word=self.places, fix=fix)
        if self.moves is not None:
            whole_number("moves", self.moves, 1, MOST_CELLS, fill("errors.such-as", example=2))
        if self.amount is not None and not self.parts:
            number = as_fraction(self.amount)
            if number is None or not 0 < number <= LARGEST:
                allowed, fix = "a number in (0, 10^6]", "Write it as 2.56."
                raise InvalidInput("amount", self.amount, allowed, fix)
            share = Share(number * number if self.accounting == "gdp" else number, {})
            assign(self, parts={"": share})

    @cached_property
    def nesting(self) -> Vocabulary:
        """The levels alone, each within others."""
        return Vocabulary((), self.levels, {}, self.chains)

    def refused(self, key: str, where: str | None = None, **words: Any) -> InvalidFile:
        """An error about this table."""
        return unreadable(self.source, f"allocation.{key}", where, **words)

    def allocation(self, columns: Sequence[str], rows: Sequence[Row]) -> Allocation:
        """The allocation of a table, everything checked against everything else."""
        if not rows:
            raise self.refused("no-rows")
        if "place" in columns and self.places is None:
            return with_places(self).allocation(columns, rows)
        check_levels(self)
        accounting, queries = queries_of(self, columns, rows)
        noises = {query.noise for query in queries}
        touched = dict.fromkeys(a for query in queries for a in query.attributes)
        attributes = tuple(touched) if self.attributes is None else self.attributes
        assumed = self.printed_if
        if assumed and (assumed.part, assumed.level) not in {(q.part, q.level) for q in queries}:
            where = f"{assumed.part}, {assumed.level}"
            raise InvalidInput("printed_if", where, "about a part and a level of the table")
        vocabulary = Vocabulary(attributes, self.levels, self.names, self.chains, self.places or "")
        vocabulary.check()
        made = Allocation(
            name=self.name,
            accounting=accounting,
            noise=noises.pop() if len(noises) == 1 else None,
            queries=queries,
            vocabulary=vocabulary,
            scenarios=self.scenarios,
            printed_in=self.printed_in,
            printed_if=self.printed_if,
            invariants=self.invariants,
            source=self.origin,
            given_for=self.neighbors,
            exact=self.exact,
        )
        check_exact(self, made)
        for scenario in self.scenarios:
            made.exposure(*scenario.concerns)
        return made


def check_exact(plan: Description, made: Allocation) -> None:
    """Invariants are about attributes and levels that there are."""
    for exact in plan.exact:
        for kind, words, known in (
            ("attribute", exact.attributes, made.attributes),
            ("level", (exact.level,) if exact.level else (), made.levels),
        ):
            for word in words:
                if word not in known:
                    where, fix = f"invariants, {exact.name}", guess(word, known)
                    raise plan.refused(f"unknown.{kind}", where, word=word, fix=fix)


def queries_of(
    plan: Description, columns: Sequence[str], rows: Iterable[Row]
) -> tuple[Accounting, tuple[Query, ...]]:
    """The queries of a table, and how their amounts add up."""
    known = _amount_columns(plan, columns)
    found: dict[Key, Query] = {}
    given: dict[Key, tuple[str, Fraction]] = {}
    for where, row in rows:
        column, number = cost_of(plan, where, known, row)
        query = query_of(plan, where, row)
        key = query.part, query.level, query.place, query.name.casefold()
        if key in found:
            at = fill("allocation.at", level=query.level) if query.level else ""
            raise plan.refused("same", where, query=query.name, at=at, row=found[key].row)
        given[key] = column, number
        found[key] = query
    check_places(plan, found)
    accounting = _accounting(plan, known, {column for column, _ in given.values()})
    if known == ["share"]:
        _check_shares(plan, {key: number for key, (_, number) in given.items()})
    if plan.noise is not None and len(known) == 1 and known[0] not in WIDTHS:
        kind = KINDS.get(known[0], accounting)
        one_of(f"noise under {kind} accounting", plan.noise, NOISES[kind])
    priced = [_priced(plan, accounting, query, *given[key]) for key, query in found.items()]
    if not any(query.amount for query in priced):
        raise plan.refused("all-zero", column=" and ".join(known))
    return accounting, tuple(priced)


def _priced(
    plan: Description, accounting: Accounting, query: Query, column: str, number: Fraction
) -> Query:
    """A query with its noise, and with its amount for replacing a record."""
    squares = accounting == "gdp" and column in ("sigma", "variance")
    kind = accounting if column == "share" or squares else KINDS[column]
    noise = query.noise or (plan.noise if plan.noise in NOISES[kind] else None)
    if noise is None and column in WIDTHS:
        noises = ", ".join(NOISES[kind])
        raise plan.refused("noise.none", query.row, column=column, noises=noises)
    if noise is not None and noise not in NOISES[kind]:
        raise plan.refused("noise.other", query.row, noise=noise, column=column, kind=kind)
    if column == "share":
        whole = plan.parts[query.part]
        given = whole.amount * whole.levels.get(query.level or "", Fraction(not whole.levels))
        own = given * number
    else:
        own = cost(column, number, query.moves, squares=squares)
    if plan.neighbors == "add-remove" and column not in WIDTHS:
        if noise is None:
            raise plan.refused("add-remove", query.row)
        own = for_replacing(own, query.moves)
    amount = implied(kind, own, accounting, query.moves if noise else 1)
    if amount is None:
        words = {"kind": accounting, "name": ACCOUNTING[accounting]}
        raise plan.refused("accounting", query.row, column=column, **words)
    if amount is not number and (amount > LARGEST or 0 < amount < LEAST_NUMBER):
        what, value = ACCOUNTING[accounting], f"{float(amount):.3g}"
        raise plan.refused("beyond", query.row, what=what, value=value, largest=LARGEST)
    epsilon = own if (kind, accounting) == ("pure", "zcdp") and own else None
    return replace(query, amount=amount, noise=noise, epsilon=epsilon)


# --- the table as a whole ------------------------------------------------------------------------


def _amount_columns(plan: Description, columns: Sequence[str]) -> list[str]:
    for n, name in enumerate(columns):
        if name not in COLUMNS:
            raise plan.refused("column.unknown", column=name, fix=guess(name, COLUMNS))
        if name in columns[:n]:
            raise plan.refused("column.twice", column=name)
    if "query" not in columns:
        raise plan.refused("column.query")
    found = [name for name in ("share", *KINDS) if name in columns]
    if not found:
        raise plan.refused("column.none", fix=fill("allocation.column.one"))
    if len(found) > 1 and "share" in found:
        several = " and ".join(found)
        raise plan.refused("column.several", columns=several, fix=fill("allocation.column.one"))
    return found


def _accounting(plan: Description, known: Sequence[str], used: Collection[str]) -> Accounting:
    """How the amounts of all rows add up: as zCDP where these are of different kinds."""
    if known == ["share"]:
        if not plan.parts:
            raise plan.refused("shares-of-nothing")
        return plan.accounting or "zcdp"
    column = known[0]
    if plan.parts:
        raise plan.refused("both", column=column)
    kinds = {KINDS[one] for one in used}
    allowed = (None, "zcdp", *kinds)
    if len(known) == 1 and column not in WIDTHS and plan.accounting not in allowed:
        goes_by = ACCOUNTING[plan.accounting or "zcdp"]
        raise plan.refused("accounting", column=column, kind=plan.accounting, name=goes_by)
    return plan.accounting or (kinds.pop() if len(kinds) == 1 else "zcdp")


def _check_shares(plan: Description, shares: Mapping[Key, Fraction]) -> None:
    """Exactly one in each part, or in each level of a part that is shared out by level.

    Where shares differ by place: one for each place, with those of queries about all places.
    """
    sums: dict[tuple[str, str | None], dict[str, Fraction]] = {}
    for (part, level, place, _), share in shares.items():
        some = sums.setdefault((part, level if plan.parts[part].levels else None), {})
        some[place] = some.get(place, Fraction(0)) + share
    for part, whole in plan.parts.items():
        for level in whole.levels or (None,):
            some = sums.get((part, level), {})
            common = some.pop("", Fraction(0))
            for place, own in (some or {"": Fraction(0)}).items():
                total = common + own
                if total or whole.levels.get(level or "", Fraction(1)):
                    where = _for_part(part) + f" at the level '{level}'" * bool(level)
                    where += f" in {place}" * bool(place)
                    _must_be_one(plan, total, "allocation.column-shares", where)


def with_places(plan: Description) -> Description:
    """The same, where the level of the places is known; a table may have no other level."""
    if not plan.levels:
        return replace(
            plan, levels=(ONLY_LEVEL,), chains=(*plan.chains, (ONLY_LEVEL,)), places=ONLY_LEVEL
        )
    if len(plan.levels) == 1:
        return replace(plan, places=plan.levels[0])
    raise plan.refused("places", levels=", ".join(plan.levels))


def check_places(plan: Description, queries: Mapping[Key, Query]) -> None:
    """One spelling for each place, and no query that is asked of all places and of one again."""
    spelled: dict[str, Query] = {}
    for (part, level, place, name), query in queries.items():
        if not place:
            continue
        other = spelled.setdefault(folded(place), query)
        if other.place != place:
            raise plan.refused(
                "place.spelled", query.row, place=place, also=other.place, row=other.row
            )
        if everywhere := queries.get((part, level, "", name)):
            raise plan.refused("place.both", query.row, query=query.name, row=everywhere.row)


def check_levels(plan: Description) -> None:
    """Shares of levels add up to one, too."""
    for part, whole in plan.parts.items():
        if whole.levels:
            total = sum(whole.levels.values(), Fraction(0))
            _must_be_one(plan, total, "allocation.level-shares", _for_part(part))


def _must_be_one(plan: Description, total: Fraction, what: str, where: str) -> None:
    off = total - 1
    if abs(off) > CLOSE:
        side = fill("allocation.too-much" if off > 0 else "allocation.too-little")
        numbers = {"total": f"{float(total):.10g}", "off": f"{float(abs(off)):.4g}", "side": side}
        raise plan.refused("not-one", what=fill(what, where=where), **numbers)


def _for_part(part: str) -> str:
    return f" for {part}" if part else ""
