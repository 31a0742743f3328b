"""Values of one row: each error names the row, the column and what is allowed."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dprisk.allocation.queries import NOISES, Query
from dprisk.allocation.units import WIDTHS
from dprisk.allocation.vocabulary import guess
from dprisk.releases.spelling import as_decimal
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.allocation.rows import Description

SEPARATORS = re.compile(r"\s*[*×;|+,]\s*")
EVERY_NOISE = tuple(dict.fromkeys(noise for some in NOISES.values() for noise in some))
LEAST_NUMBER = Fraction(1, 10**100)
LARGEST_WIDTH = 10**100
LARGEST = 10**6  # of an amount: beyond, nothing is promised
MOST_CELLS = 10**9
NOISED = ("noise", *WIDTHS)
NOTHING = Fraction(0)
ONLY_LEVEL = "place"  # of a table with places and no levels
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


def query_of(plan: Description, where: str, row: Mapping[str, Any]) -> Query:
    name = _text(row.get("query"))
    if not name:
        raise plan.refused("no-name", where)
    return Query(
        name=name,
        attributes=_attributes(plan, where, row),
        level=_level(plan, where, row),
        place=_place(plan, where, row),
        amount=NOTHING,
        part=_part(plan, where, row),
        cells=_whole(plan, where, "cells", row),
        moves=_moves(plan, where, row),
        row=where,
        noise=_noise(plan, where, row),
    )


def _text(value: Any) -> str:
    """Text without spaces around it; nothing for what is missing."""
    if value is None:
        return ""
    if isinstance(value, str):
        return " ".join(value.split())
    missing = isinstance(value, float) and math.isnan(value)
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


def _place(plan: Description, where: str, row: Mapping[str, Any]) -> str:
    """The only place of a query, at whose level it is, or at one inside it."""
    place = _text(row.get("place"))
    level = place and _text(row.get("level"))
    if not level:
        return place
    if plan.places not in {level, *plan.nesting.coarser(level)}:
        raise plan.refused("place.level", where, place=place, level=level, places=plan.places)
    return place


def _level(plan: Description, where: str, row: Mapping[str, Any]) -> str | None:
    level = _text(row.get("level"))
    if plan.levels == (ONLY_LEVEL,) and not level:
        return ONLY_LEVEL if _text(row.get("place")) else None
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
    if found is not None:
        return found
    if plan.noise is not None or any(_text(row[name]) for name in NOISED if name in row):
        raise plan.refused("moves", where)
    return 2


def cost_of(
    plan: Description, where: str, known: Sequence[str], row: Mapping[str, Any]
) -> tuple[str, Fraction]:
    """The column that says what the query costs, and its number."""
    filled = [column for column in known if _text(row.get(column))]
    if len(filled) > 1:
        raise plan.refused("row.several", where, columns=" and ".join(filled))
    if len(known) > 1 and not filled:
        raise plan.refused("row.none", where, columns=", ".join(known))
    column = (filled or known)[0]
    return column, _amount(plan, where, column, row)


def _noise(plan: Description, where: str, row: Mapping[str, Any]) -> Any:
    noise = _text(row.get("noise"))
    if noise and noise not in EVERY_NOISE:
        raise plan.refused("noise.unknown", where, word=noise, fix=guess(noise, EVERY_NOISE))
    return noise or None


def _amount(plan: Description, where: str, column: str, row: Mapping[str, Any]) -> Fraction:
    value = row.get(column)
    number = as_fraction(value)
    largest: Any = 1 if column == "share" else "1e100" if column in WIDTHS else LARGEST
    most = LARGEST_WIDTH if column in WIDTHS else largest
    if number is None or number.numerator < 0 or number > most:
        shown = _text(value)[:40]
        got = fill("errors.got", value=repr(shown)) if shown else fill("errors.nothing-given")
        sign = number is not None and number.numerator < 0
        fix = fill("errors.never-negative") if sign else "Write it as 0.05 or 52/4097."
        raise plan.refused("number", where, column=column, largest=largest, got=got, fix=fix)
    if column in WIDTHS and not number:
        raise plan.refused("width", where, column=column)
    if number and number < LEAST_NUMBER:
        raise plan.refused("too-small", where, column=column, value=repr(_text(value)[:40]))
    return number
