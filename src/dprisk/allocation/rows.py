"""Tables of queries, and what is declared about them: each error names its row."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from importlib.util import find_spec
from typing import Any, final

from dprisk._checks import one_of
from dprisk._files import regular
from dprisk.allocation.allocations import (
    ACCOUNTING,
    NOISES,
    Accounting,
    Allocation,
    AssumedShare,
    Noise,
    Query,
    Scenario,
    Vocabulary,
    guess,
)
from dprisk.errors import InvalidFile, InvalidInput, unreadable
from dprisk.releases.spelling import as_decimal
from dprisk.text import fill

QUOTIENT = re.compile(r"([+-]?\d{1,400})\s*/\s*(\d{1,400})", re.ASCII)


def as_fraction(value: Any) -> Fraction | None:
    """Fraction that was written, exactly; None where there is no number."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, Fraction):
        return value
    written = str(value)  # of int, float, Decimal, numpy scalars
    if found := QUOTIENT.fullmatch(written.strip()):
        return Fraction(int(found[1]), int(found[2])) if int(found[2]) else None
    text = as_decimal(written)
    return None if text is None else Fraction(text)


READERS = ("pyarrow", "polars", "pandas")


def rows_of_frame(frame: Any) -> tuple[list[str], list[Mapping[str, Any]]]:
    """Columns and rows of a data frame of any library that narwhals knows."""
    import narwhals as nw

    try:
        known = nw.from_native(frame)
    except TypeError:
        allowed = "rows (mappings), or a data frame (pandas, polars, pyarrow and others)"
        raise InvalidInput("table", type(frame).__name__, allowed) from None
    eager = known.collect() if isinstance(known, nw.LazyFrame) else known
    return list(eager.columns), list(eager.iter_rows(named=True))


def rows_of_parquet(path: str | os.PathLike[str]) -> tuple[list[str], list[Mapping[str, Any]]]:
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


Row = tuple[str, Mapping[str, Any]]
"""Place of a row, and its values by column."""

COLUMNS = ("query", "attributes", "level", "part", "cells", "moves", "share", *ACCOUNTING.values())
SEPARATORS = re.compile(r"\s*[*×;|+,]\s*")
LEAST_NUMBER = Fraction(1, 10**100)
LARGEST = 10**6  # of an amount: beyond, nothing is promised
MOST_CELLS = 10**9
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
    attributes: tuple[str, ...] | None = None
    parts: Mapping[str, Share] = field(default_factory=dict)
    amount: Any = None
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scenarios: tuple[Scenario, ...] = ()
    printed_in: str = ""
    printed_if: AssumedShare | None = None
    invariants: tuple[str, ...] = ()
    origin: tuple[str, ...] = ()
    table: Any = None

    def __post_init__(self) -> None:
        if self.accounting is not None:
            one_of("accounting", self.accounting, ACCOUNTING)
        if self.noise is not None:
            one_of("noise", self.noise, dict.fromkeys(n for some in NOISES.values() for n in some))
        if len({level.casefold() for level in self.levels}) < len(self.levels):
            raise InvalidInput("levels", list(self.levels), "different from each other")
        for part, whole in self.parts.items():
            for level in whole.levels:
                if level not in self.levels:
                    where, fix = f"parts.{part}.levels", guess(level, self.levels)
                    raise self.refused("unknown.level", where, word=level, fix=fix)
        moves = self.moves
        if moves is not None and (isinstance(moves, bool) or not 1 <= moves <= MOST_CELLS):
            fix = fill("errors.such-as", example=2)
            raise InvalidInput("moves", moves, fill("errors.whole", least=1, most="10^9"), fix)
        if self.amount is not None and not self.parts:
            number = as_fraction(self.amount)
            if number is None or not 0 < number <= LARGEST:
                allowed, fix = "a number in (0, 10^6]", "Write it as 2.56."
                raise InvalidInput("amount", self.amount, allowed, fix)
            whole = Share(number * number if self.accounting == "gdp" else number, {})
            object.__setattr__(self, "parts", {"": whole})

    def refused(self, key: str, where: str | None = None, **words: Any) -> InvalidFile:
        """An error about this table."""
        return unreadable(self.source, f"allocation.{key}", where, **words)

    def allocation(self, columns: Sequence[str], rows: Sequence[Row]) -> Allocation:
        """The allocation of a table, everything checked against everything else."""
        if not rows:
            raise self.refused("no-rows")
        check_levels(self)
        accounting, queries = queries_of(self, columns, rows)
        if self.noise is not None:
            one_of(f"noise under {accounting} accounting", self.noise, NOISES[accounting])
        touched = dict.fromkeys(a for query in queries for a in query.attributes)
        attributes = tuple(touched) if self.attributes is None else self.attributes
        assumed = self.printed_if
        if assumed and (assumed.part, assumed.level) not in {(q.part, q.level) for q in queries}:
            where = f"{assumed.part}, {assumed.level}"
            raise InvalidInput("printed_if", where, "about a part and a level of the table")
        vocabulary = Vocabulary(attributes, self.levels, self.names)
        vocabulary.check()
        made = Allocation(
            name=self.name,
            accounting=accounting,
            noise=self.noise,
            queries=queries,
            vocabulary=vocabulary,
            scenarios=self.scenarios,
            printed_in=self.printed_in,
            printed_if=self.printed_if,
            invariants=self.invariants,
            source=self.origin,
        )
        for scenario in self.scenarios:
            made.exposure(*scenario.concerns)
        return made


def queries_of(
    plan: Description, columns: Sequence[str], rows: Iterable[Row]
) -> tuple[Accounting, tuple[Query, ...]]:
    """The queries of a table, and how their amounts add up."""
    column = _amount_column(plan, columns)
    accounting = _accounting(plan, column)
    found: dict[tuple[str, str | None, str], Query] = {}
    shares: dict[tuple[str, str | None, str], Fraction] = {}
    for where, row in rows:
        given = _amount(plan, where, column, row)
        query = _query(plan, where, row)
        key = query.part, query.level, query.name.casefold()
        if key in found:
            at = fill("allocation.at", level=query.level) if query.level else ""
            raise plan.refused("same", where, query=query.name, at=at, row=found[key].row)
        shares[key] = given
        found[key] = query
    if column == "share":
        _check_shares(plan, shares)
    amounts = {key: _spent(plan, column, key, given) for key, given in shares.items()}
    if not any(amounts.values()):
        raise plan.refused("all-zero", column=column)
    return accounting, tuple(replace(query, amount=amounts[key]) for key, query in found.items())


# --- the table as a whole ------------------------------------------------------------------------


def _amount_column(plan: Description, columns: Sequence[str]) -> str:
    for n, name in enumerate(columns):
        if name not in COLUMNS:
            raise plan.refused("column.unknown", column=name, fix=guess(name, COLUMNS))
        if name in columns[:n]:
            raise plan.refused("column.twice", column=name)
    if "query" not in columns:
        raise plan.refused("column.query")
    found = [name for name in ("share", *ACCOUNTING.values()) if name in columns]
    if not found:
        raise plan.refused("column.none", fix=fill("allocation.column.one"))
    if len(found) > 1:
        several = " and ".join(found)
        raise plan.refused("column.several", columns=several, fix=fill("allocation.column.one"))
    return found[0]


def _accounting(plan: Description, column: str) -> Accounting:
    if column == "share":
        if not plan.parts:
            raise plan.refused("shares-of-nothing")
        return plan.accounting or "zcdp"
    if plan.parts:
        raise plan.refused("both", column=column)
    named = next(kind for kind, name in ACCOUNTING.items() if name == column)
    if plan.accounting not in (None, named):
        goes_by = ACCOUNTING[plan.accounting or named]
        raise plan.refused("accounting", column=column, kind=plan.accounting, name=goes_by)
    return named


def _check_shares(
    plan: Description, shares: Mapping[tuple[str, str | None, str], Fraction]
) -> None:
    """Exactly one in each part, or in each level of a part that is shared out by level."""
    sums: dict[tuple[str, str | None], Fraction] = {}
    for (part, level, _), share in shares.items():
        key = part, level if plan.parts[part].levels else None
        sums[key] = sums.get(key, Fraction(0)) + share
    for part, whole in plan.parts.items():
        for level in whole.levels or (None,):
            total = sums.get((part, level), Fraction(0))
            if total or whole.levels.get(level or "", Fraction(1)):
                where = _for_part(part) + f" at the level '{level}'" * bool(level)
                _must_be_one(plan, total, "allocation.column-shares", where)


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


# --- one row -------------------------------------------------------------------------------------


def _query(plan: Description, where: str, row: Mapping[str, Any]) -> Query:
    name = _text(row.get("query"))
    if not name:
        raise plan.refused("no-name", where)
    return Query(
        name=name,
        attributes=_attributes(plan, where, row),
        level=_level(plan, where, row),
        amount=Fraction(0),
        part=_part(plan, where, row),
        cells=_whole(plan, where, "cells", row),
        moves=_moves(plan, where, row),
        row=where,
    )


def _text(value: Any) -> str:
    """Text without spaces around it; nothing for what is missing."""
    missing = value is None or (isinstance(value, float) and math.isnan(value))
    return "" if missing else " ".join(str(value).split())


def _attributes(plan: Description, where: str, row: Mapping[str, Any]) -> tuple[str, ...]:
    value = row.get("attributes")
    if isinstance(value, (list, tuple)):
        words = [_text(word) for word in value]
    else:
        words = [word for word in SEPARATORS.split(_text(value)) if word]
    for word in words:
        if plan.attributes is not None and word not in plan.attributes:
            fix = guess(word, plan.attributes)
            raise plan.refused("unknown.attribute", where, word=word, fix=fix)
    return tuple(dict.fromkeys(words))


def _level(plan: Description, where: str, row: Mapping[str, Any]) -> str | None:
    level = _text(row.get("level"))
    if not plan.levels:
        if level:
            raise plan.refused("level.undeclared", where, level=level)
        return None
    if level in plan.levels:
        return level
    key = "unknown.level" if level else "level.none"
    raise plan.refused(key, where, word=level, fix=guess(level, plan.levels))


def _part(plan: Description, where: str, row: Mapping[str, Any]) -> str:
    part = _text(row.get("part"))
    if not plan.parts or part in plan.parts:
        return part
    raise plan.refused("unknown.part", where, word=part, fix=guess(part, plan.parts))


def _whole(plan: Description, where: str, column: str, row: Mapping[str, Any]) -> int | None:
    text = _text(row.get(column))
    if not text:
        return None
    number = as_fraction(text)
    if number is None or number.denominator != 1 or not 1 <= number <= MOST_CELLS:
        raise plan.refused("whole", where, column=column, value=repr(text))
    return int(number)


def _moves(plan: Description, where: str, row: Mapping[str, Any]) -> int:
    found = _whole(plan, where, "moves", row) or plan.moves
    if found is None and plan.noise is not None:
        raise plan.refused("moves", where)
    return found or 2


def _amount(plan: Description, where: str, column: str, row: Mapping[str, Any]) -> Fraction:
    value = row.get(column)
    number = as_fraction(value)
    largest = 1 if column == "share" else LARGEST
    if number is None or not 0 <= number <= largest:
        shown = _text(value)[:40]
        got = fill("errors.got", value=repr(shown)) if shown else fill("errors.nothing-given")
        sign = number is not None and number < 0
        fix = fill("errors.never-negative") if sign else "Write it as 0.05 or 52/4097."
        raise plan.refused("number", where, column=column, largest=largest, got=got, fix=fix)
    if 0 < number < LEAST_NUMBER:
        raise plan.refused("too-small", where, column=column, value=repr(_text(value)[:40]))
    return number


def _spent(
    plan: Description, column: str, key: tuple[str, str | None, str], given: Fraction
) -> Fraction:
    """rho, epsilon or the square of mu; shares are of one of these."""
    if column == "share":
        part, level, _ = key
        whole = plan.parts[part]
        return whole.amount * whole.levels.get(level or "", Fraction(not whole.levels)) * given
    return given * given if column == "mu" else given
