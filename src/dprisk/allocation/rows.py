"""From the rows of a table to queries: each value is checked, each error names its row."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from dprisk.allocation.amounts import as_fraction
from dprisk.allocation.concern import close
from dprisk.allocation.values import ACCOUNTING, Accounting, Query
from dprisk.errors import InvalidFile

__all__ = ["Plan", "Share", "queries_of"]

Row = tuple[str, Mapping[str, Any]]
"""Where a row stands, and its values by column."""

COLUMNS = ("query", "attributes", "level", "part", "cells", "moves", "share", *ACCOUNTING.values())
SEPARATORS = re.compile(r"\s*[*×;|+,]\s*")
LEAST = Fraction(1, 10**100)
LARGEST = 10**6  # of an amount: beyond, nothing is promised
MOST_CELLS = 10**9
CLOSE = Fraction(1, 10**9)  # what shares that were rounded to floats may miss


@final
@dataclass(frozen=True)
class Share:
    """What is shared out in one part of a table.

    Parameters
    ----------
    amount : Fraction
        The whole: rho, epsilon, or the square of mu.
    levels : mapping of str to Fraction
        The share of each level; empty if shares are of the whole part.
    """

    amount: Fraction
    levels: Mapping[str, Fraction]


@final
@dataclass(frozen=True)
class Plan:
    """What has been declared about a table.

    Parameters
    ----------
    source : str
        What the table is called in errors.
    levels : tuple of str
        Nested levels, outermost first.
    attributes : tuple of str or None
        All attributes there are; None if those in the table are all.
    accounting : {"zcdp", "pure", "gdp"} or None
        None: by the column that the table has.
    parts : mapping of str to Share
        What is shared out; empty if the table gives amounts.
    moves : int or None
        How many cells a changed record moves, where the rows do not say.
    noisy : bool
        Whether that matters.
    """

    source: str
    levels: tuple[str, ...]
    attributes: tuple[str, ...] | None
    accounting: Accounting | None
    parts: Mapping[str, Share]
    moves: int | None
    noisy: bool

    def refuse(self, where: str | None, problem: str, fix: str = "") -> InvalidFile:
        """An error about this table."""
        return InvalidFile(self.source, problem, fix, where)


def queries_of(
    plan: Plan, columns: Sequence[str], rows: Iterable[Row]
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
            at = f" at {query.level}" if query.level else ""
            problem = f"The query {query.name!r}{at} stands in {found[key].row} as well."
            raise plan.refuse(where, problem, "Remove one, or give them different names.")
        shares[key] = given
        found[key] = query
    if not found:
        raise plan.refuse(None, "The table has no rows.", "Write one for each query.")
    if column == "share":
        _check_shares(plan, shares)
    amounts = {key: _spent(plan, column, key, given) for key, given in shares.items()}
    if not any(amounts.values()):
        raise plan.refuse(None, f"Every {column} is 0.", "Then nothing is published.")
    return accounting, tuple(_with_amount(query, amounts[key]) for key, query in found.items())


# --- the table as a whole ------------------------------------------------------------------------


def _amount_column(plan: Plan, columns: Sequence[str]) -> str:
    for name in columns:
        if name not in COLUMNS:
            near = close(name, COLUMNS)
            fix = f"Did you mean {near!r}?" if near else f"Known are {', '.join(COLUMNS)}."
            raise plan.refuse(None, f"The column {name!r} is unknown.", fix)
    if len(set(columns)) < len(columns):
        twice = next(name for name in columns if list(columns).count(name) > 1)
        raise plan.refuse(None, f"The column {twice!r} occurs twice.", "Remove one of them.")
    if "query" not in columns:
        raise plan.refuse(None, "There is no column 'query'.", "Give each query a name.")
    found = [name for name in ("share", *ACCOUNTING.values()) if name in columns]
    if len(found) != 1:
        what = f"the columns {' and '.join(found)}" if found else "no column of amounts"
        fix = "Give one of rho, epsilon, mu, or share (of an amount that is declared)."
        raise plan.refuse(None, f"There are {what}." if found else f"There is {what}.", fix)
    return found[0]


def _accounting(plan: Plan, column: str) -> Accounting:
    if column == "share":
        if not plan.parts:
            fix = "Say of what: declare the amount that is shared out."
            raise plan.refuse(None, "The table gives shares, but nothing to share out.", fix)
        return plan.accounting or "zcdp"
    if plan.parts:
        problem = f"The table gives {column}, and an amount to share out is declared as well."
        raise plan.refuse(None, problem, "Leave one of them out.")
    named = next(kind for kind, name in ACCOUNTING.items() if name == column)
    if plan.accounting not in (None, named):
        problem = f"The table gives {column}, but the accounting is {plan.accounting}."
        fix = f"{plan.accounting} goes by {ACCOUNTING[plan.accounting or named]}."
        raise plan.refuse(None, problem, fix)
    return named


def _check_shares(plan: Plan, shares: Mapping[tuple[str, str | None, str], Fraction]) -> None:
    """Exactly one in each part, or in each level of a part that is shared out by level."""
    sums: dict[tuple[str, str | None], Fraction] = {}
    for (part, level, _), share in shares.items():
        key = part, level if plan.parts[part].levels else None
        sums[key] = sums.get(key, Fraction(0)) + share
    for part, whole in plan.parts.items():
        for level in whole.levels or (None,):
            total = sums.get((part, level), Fraction(0))
            if total or whole.levels.get(level or "", Fraction(1)):
                problem = f"The column 'share' does not add up to 1{_place(plan, part, level)}"
                _must_be_one(plan, total, problem)


def _must_be_one(plan: Plan, total: Fraction, problem: str) -> None:
    off = total - 1
    if abs(off) > CLOSE:
        side = "too much" if off > 0 else "too little"
        text = f"{problem}: it is {float(total):.10g}, {float(abs(off)):.4g} {side}."
        raise plan.refuse(None, text, "Correct the shares; a query without noise has share 0.")


def check_levels(plan: Plan) -> None:
    """Shares of levels add up to one, too."""
    for part, whole in plan.parts.items():
        if whole.levels:
            about = f" for {part}" if part else ""
            problem = f"The shares of the levels{about} do not add up to 1"
            _must_be_one(plan, sum(whole.levels.values(), Fraction(0)), problem)


def _place(plan: Plan, part: str, level: str | None) -> str:
    named = f" for {part}" if part else ""
    return named + (f" at the level {level!r}" if level else "")


# --- one row -------------------------------------------------------------------------------------


def _query(plan: Plan, where: str, row: Mapping[str, Any]) -> Query:
    name = _text(row.get("query"))
    if not name:
        raise plan.refuse(where, "The query has no name.", "Fill in the column 'query'.")
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


def _with_amount(query: Query, amount: Fraction) -> Query:
    from dataclasses import replace

    return replace(query, amount=amount)


def _text(value: Any) -> str:
    """Text without spaces around it; nothing for what is missing."""
    missing = value is None or (isinstance(value, float) and math.isnan(value))
    return "" if missing else " ".join(str(value).split())


def _attributes(plan: Plan, where: str, row: Mapping[str, Any]) -> tuple[str, ...]:
    value = row.get("attributes")
    if isinstance(value, (list, tuple)):
        words = [_text(word) for word in value]
    else:
        words = [word for word in SEPARATORS.split(_text(value)) if word]
    for word in words:
        if plan.attributes is not None and word not in plan.attributes:
            near = close(word, plan.attributes)
            known = f"Declared are {', '.join(plan.attributes) or 'none'}."
            fix = f"Did you mean {near!r}?" if near else known
            raise plan.refuse(where, f"The attribute {word!r} is unknown.", fix)
    return tuple(dict.fromkeys(words))


def _level(plan: Plan, where: str, row: Mapping[str, Any]) -> str | None:
    level = _text(row.get("level"))
    if not plan.levels:
        if level:
            fix = "Declare the levels, the outermost first."
            raise plan.refuse(where, f"The level {level!r} is not declared.", fix)
        return None
    if level in plan.levels:
        return level
    near = close(level, plan.levels)
    known = f"Declared are {', '.join(plan.levels)}."
    fix = f"Did you mean {near!r}?" if near else known
    raise plan.refuse(
        where, f"The level {level!r} is unknown." if level else "There is no level.", fix
    )


def _part(plan: Plan, where: str, row: Mapping[str, Any]) -> str:
    part = _text(row.get("part"))
    if not plan.parts or part in plan.parts:
        return part
    near = close(part, plan.parts)
    fix = f"Did you mean {near!r}?" if near else f"Declared are {', '.join(plan.parts)}."
    raise plan.refuse(where, f"The part {part!r} is unknown.", fix)


def _whole(plan: Plan, where: str, column: str, row: Mapping[str, Any]) -> int | None:
    text = _text(row.get(column))
    if not text:
        return None
    number = as_fraction(text)
    if number is None or number.denominator != 1 or not 1 <= number <= MOST_CELLS:
        problem = f"{column} must be a whole number in [1, 10^9], got {text!r}."
        raise plan.refuse(where, problem)
    return int(number)


def _moves(plan: Plan, where: str, row: Mapping[str, Any]) -> int:
    found = _whole(plan, where, "moves", row) or plan.moves
    if found is None and plan.noisy:
        problem = "It is not said how many cells a changed record moves."
        fix = (
            "Say so with moves: 2 for a table of counts (a record leaves one cell and enters "
            "another), 1 for a single number."
        )
        raise plan.refuse(where, problem, fix)
    return found or 2


def _amount(plan: Plan, where: str, column: str, row: Mapping[str, Any]) -> Fraction:
    value = row.get(column)
    number = as_fraction(value)
    largest = 1 if column == "share" else LARGEST
    if number is None or not 0 <= number <= largest:
        shown = _text(value)
        got = f"got {shown[:40]!r}" if shown else "nothing was given"
        problem = f"{column} must be a number in [0, {largest}], {got}."
        fix = "It is never negative." if number is not None and number < 0 else ""
        raise plan.refuse(where, problem, fix or "Write it as 0.05 or 52/4097.")
    if 0 < number < LEAST:
        problem = f"{column} must be 0 or at least 1e-100, got {_text(value)[:40]!r}."
        raise plan.refuse(where, problem, "Nothing is told from 0 below.")
    return number


def _spent(plan: Plan, column: str, key: tuple[str, str | None, str], given: Fraction) -> Fraction:
    """rho, epsilon or the square of mu; shares are of one of these."""
    if column == "share":
        part, level, _ = key
        whole = plan.parts[part]
        return whole.amount * whole.levels.get(level or "", Fraction(not whole.levels)) * given
    return given * given if column == "mu" else given
