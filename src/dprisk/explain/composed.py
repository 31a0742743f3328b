"""Compositions in words: what all releases keep together, and how well that is known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dprisk.explain.contradictions import framed
from dprisk.explain.rounding import at_least, at_most, short
from dprisk.guarantees.base import SYMBOLS
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.assessment.compose_release import Composition, Reading


DIGITS = 6


def readings(composition: Composition) -> tuple[str, ...]:
    """A sentence for every answer, true by itself."""
    lines = (_sentence(composition, reading) for reading in composition.readings)
    return framed(composition.release, lines, several=True)


def width(reading: Reading) -> str:
    """How far apart the two ends of an answer are, in words."""
    low, high = reading.lower, reading.upper
    if low is None:
        return fill("width.upper")
    if low == high:
        return fill("width.exact")
    if low <= 0.0 or math.isinf(high):
        return fill("width.upper")
    digits = math.floor(-math.log10((high - low) / high))
    if digits >= 2:
        return fill("width.digits", digits=digits)
    return fill("width.factor", factor=at_most(high / low, 2))


def _sentence(composition: Composition, reading: Reading) -> str:
    several = "one" if composition.uses == 1 else "many"
    later = fill(f"later.{several}")
    if reading.asked in SYMBOLS:
        return _promise(reading, fill(f"together.{several}", uses=composition.uses), later)
    if reading.asked == "level":
        return fill("together.test", level=short(reading.at), most=_most(reading), later=later)
    sure = short(reading.at)
    if math.isinf(reading.upper):
        return fill("together.shift.none", confidence=sure)
    most = _most(reading, "most.nats")
    return fill("together.shift", confidence=sure, most=most, later=later)


def _promise(reading: Reading, keeps: str, later: str) -> str:
    given, asked = SYMBOLS[reading.asked], SYMBOLS[reading.quantity]
    at = f"{given} = {short(reading.at)}"
    if math.isinf(reading.upper):
        return fill("together.none" if reading.lower == math.inf else "together.unknown", at=at)
    pieces = {"at": at, "asked": asked, "between": _between(reading), "later": later}
    return fill("together.promise", keeps=keeps, **pieces)


def _between(reading: Reading) -> str:
    high = at_most(reading.upper, DIGITS)
    if reading.lower is None:
        return fill("between.most", high=high)
    if reading.lower == reading.upper:
        return fill("between.exact", high=high)
    if _looks_like_one(reading.lower, reading.upper):
        return fill("between.rounded", high=high)
    return fill("between", low=at_least(reading.lower, DIGITS), high=high)


def _looks_like_one(low: float, high: float) -> bool:
    """Whether a bracket is narrower than what is shown."""
    return at_most(low, DIGITS) == at_most(high, DIGITS)


def _most(reading: Reading, template: str = "most") -> str:
    """An upper bound and, where it is known, that no smaller one holds."""
    high = fill(template, high=at_most(reading.upper, DIGITS))
    if reading.lower is None or _looks_like_one(reading.lower, reading.upper):
        return high
    return fill("most.known", most=high, low=at_least(reading.lower, DIGITS))
