"""Printed numbers: which values round to a print, and whether ours is one of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, Literal, final, get_args

from dprisk.answer import Answer
from dprisk.errors import InvalidInput

Verdict = Literal["match", "rounding", "erratum", "differs"]
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)

Spread = tuple[Fraction | float, Fraction | float]
"""Least and largest value that is possible."""

CLOSE: Final = Fraction(1, 10**9)  # relative: two ways to evaluate one formula


@final
@dataclass(frozen=True)
class Print:
    """One printed number, formula or statement. Made by `items`."""

    what: str  #: What it is a print of; no two alike in an item.
    text: str  #: As printed.
    correct: str | None = None  #: What should be printed, where the paper has a slip.
    #: Where the slip comes from, or why the last digit is off by one; empty for all others.
    why: str = ""

    @property
    def expected(self) -> Verdict:
        """The verdict that the computation has to arrive at."""
        if self.correct is not None:
            return "erratum"
        return "rounding" if self.why else "match"


@final
@dataclass(frozen=True)
class Explained:
    """A number of ours, and what comes out under the slip that explains the print and rounds to
    it."""

    ours: Any
    slip: Any


@final
@dataclass(frozen=True)
class Formula:
    """A printed formula, evaluated; the number that it is about; and the formula as corrected."""

    printed: Any
    ours: Any
    correct: Any = None


@final
@dataclass(frozen=True)
class Assertion:
    """A printed statement: whether it is true, and whether the corrected statement is."""

    holds: bool
    correct: bool = False


def verdict(printed: Print, found: Any) -> Verdict:
    """How a print and what was found agree.

    Parameters
    ----------
    printed : Print
        The print.
    found : float, Fraction, tuple, Answer, Explained, Formula or Assertion
        What was computed; a tuple is at least and at most. A bracket counts as a whole. [-inf, inf]

    Returns
    -------
    {"match", "rounding", "erratum", "differs"}
        Ours rounds to the print; not, but to the corrected print; neither, but it is less than one
        unit of the last printed digit away; nothing of that.

    Examples
    --------
    >>> from dprisk.papers import Print, verdict
    >>> [verdict(Print("a power", ".37"), ours) for ours in (0.3695, 0.3755, 0.41)]
    ['match', 'rounding', 'differs']
    """
    if isinstance(found, Assertion):
        return "match" if found.holds else "erratum" if found.correct else "differs"
    if isinstance(found, Formula):
        return _of_formula(found)
    if isinstance(found, Explained):
        comes_out = _inside(spread_of(found.slip), _stands_for(printed.text)[0])
        return _of_number(printed, spread_of(found.ours)) if comes_out else "differs"
    return _of_number(printed, spread_of(found))


def _of_formula(found: Formula) -> Verdict:
    ours = spread_of(found.ours)
    if _alike(ours, found.printed):
        return "match"
    corrected = found.correct is not None and _alike(ours, found.correct)
    return "erratum" if corrected else "differs"


def _of_number(printed: Print, ours: Spread) -> Verdict:
    exact, loose = _stands_for(printed.text)
    if _inside(ours, exact):
        return "match"
    if printed.correct is not None and _inside(ours, _stands_for(printed.correct)[0]):
        return "erratum"
    near = loose is not None and loose[0] < ours[0] and ours[1] < loose[1]
    return "rounding" if near else "differs"


def spread_of(found: Any) -> Spread:
    """Least and largest value of a number; of an answer, its bracket or the end promised."""
    if isinstance(found, Answer):
        low, high = found.bracket
        return _exact(high if low is None else low), _exact(low if high is None else high)
    low, high = found if isinstance(found, tuple) else (found, found)
    return _exact(low), _exact(high)


def units(text: str) -> tuple[Fraction, Fraction]:
    """The value of a printed number, and half a unit of its last digit (0 for a fraction)."""
    scale = Fraction(1, 100) if text.endswith("%") else Fraction(1)
    body = text.removesuffix("%")
    try:
        if "/" in body:
            over, under = body.split("/")
            return Fraction(Decimal(over)) / Fraction(Decimal(under)), Fraction(0)
        number = Decimal(body)
    except (ArithmeticError, ValueError):
        raise InvalidInput("print", text, "a number, where a number was computed") from None
    exponent = number.as_tuple().exponent
    half = Fraction(10) ** int(exponent) / 2
    return Fraction(number) * scale, half * scale


def _stands_for(text: str) -> tuple[Spread, Spread | None]:
    """Range of numbers that are rounded to the print, and of those one unit off at most."""
    if text[0] in "<>":
        limit = units(text[1:].strip())[0]
        below = math.nextafter(float(limit), -math.inf if text[0] == "<" else math.inf)
        return ((-math.inf, below) if text[0] == "<" else (below, math.inf)), None
    value, half = units(text)
    if not half:
        near = abs(value) * CLOSE
        return (value - near, value + near), None
    return (value - half, value + half), (value - 2 * half, value + 2 * half)


def _inside(ours: Spread, where: Spread) -> bool:
    return where[0] <= ours[0] and ours[1] <= where[1]


def _alike(ours: Spread, other: Any) -> bool:
    value = _exact(other)
    if isinstance(value, float):  # infinite
        return ours == (value, value)
    near = abs(value) * CLOSE
    return _inside(ours, (value - near, value + near))


def _exact(value: Any) -> Fraction | float:
    if isinstance(value, Fraction):
        return value
    number = float(value)
    return Fraction(number) if math.isfinite(number) else number
