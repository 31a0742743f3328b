"""Compositions in words: what all releases keep together, and how well that is known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dprisk.explain.rounding import at_least, at_most

if TYPE_CHECKING:
    from dprisk.assessment import Composition, Reading

__all__ = ["readings", "short", "width"]

SYMBOLS = {"delta": "δ", "epsilon": "ε"}
DIGITS = 6


def readings(composition: Composition) -> tuple[str, ...]:
    """A sentence for every answer, true by itself.

    Parameters
    ----------
    composition : Composition
        What `together` returned.

    Returns
    -------
    tuple of str
        In the order of the questions, rounded to the safe side.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.assessment import together
    >>> from dprisk.explain import readings
    >>> from dprisk.releases import Part, Release
    >>> release = Release(
    ...     name="Weekly counts",
    ...     unit="person",
    ...     period="once",
    ...     neighbors="add-remove",
    ...     neighbors_stated=True,
    ...     model="central",
    ...     parts=(Part(PureDP(0.1, neighbors="add-remove"), 52),),
    ... )
    >>> print(*readings(together(release, delta=[1e-6])))
    Together these 52 releases keep (ε, δ)-DP at δ = 1e-6 with ε between 3.24127 and 3.24128, \
whatever is computed from them later.
    """
    return tuple(_sentence(composition, reading) for reading in composition.readings)


def width(reading: Reading) -> str:
    """How far apart the two ends of an answer are, in words.

    Parameters
    ----------
    reading : Reading
        One answer.

    Returns
    -------
    str
        Such as ``"exact"``, ``"12 digits"`` or ``"within a factor of 1.5"``; ``"upper bound"``
        where there is no lower end.

    Examples
    --------
    >>> from dprisk.assessment import Reading
    >>> from dprisk.explain import width
    >>> from dprisk.sources import Theorem
    >>> source = Theorem("P0", "Theorem 2.8(1)", "epsilons add, deltas add")
    >>> width(Reading("epsilon", 1.0, "delta", 1.0e-6, 1.001e-6, source))
    '3 digits'
    """
    low, high = reading.lower, reading.upper
    if low is None:
        return "upper bound"
    if low == high:
        return "exact"
    if low <= 0.0 or math.isinf(high):
        return "upper bound"
    digits = math.floor(-math.log10((high - low) / high))
    if digits >= 2:
        return f"{digits} digits"
    return f"within a factor of {at_most(high / low, 2)}"


def _sentence(composition: Composition, reading: Reading) -> str:
    uses = composition.uses
    who = "This release keeps" if uses == 1 else f"Together these {uses} releases keep"
    later = f"whatever is computed from {'it' if uses == 1 else 'them'} later"
    if reading.asked in SYMBOLS:
        return _promise(reading, who, later)
    return _test(reading, later) if reading.asked == "level" else _shift(reading, later)


def _promise(reading: Reading, who: str, later: str) -> str:
    given, asked = SYMBOLS[reading.asked], SYMBOLS[reading.quantity]
    at = f"{given} = {short(reading.at)}"
    if math.isinf(reading.upper):
        known = "No" if reading.lower == math.inf else "As far as is known, no"
        return f"{known} finite ε is kept at {at}."
    return f"{who} (ε, δ)-DP at {at} with {asked} {_between(reading)}, {later}."


def _test(reading: Reading, later: str) -> str:
    return (
        f"A test that tells two neighbors apart with a false alarm at a level of "
        f"{short(reading.at)} has a power of {_most(reading, '')}, {later}."
    )


def _shift(reading: Reading, later: str) -> str:
    sure = f"With a confidence of at least {short(reading.at)}"
    if math.isinf(reading.upper):
        return f"{sure}, no bound on the log-odds holds."
    return f"{sure}, the log-odds move by {_most(reading, ' nats')}, {later}."


def _between(reading: Reading) -> str:
    high = at_most(reading.upper, DIGITS)
    if reading.lower is None:
        return f"of at most {high}"
    if reading.lower == reading.upper:
        return f"= {high}"
    return f"between {at_least(reading.lower, DIGITS)} and {high}"


def _most(reading: Reading, unit: str) -> str:
    """An upper bound and, where it is known, that no smaller one holds."""
    high = f"at most {at_most(reading.upper, DIGITS)}{unit}"
    if reading.lower is None or reading.lower == reading.upper:
        return high
    return f"{high} (no bound below {at_least(reading.lower, DIGITS)} holds)"


def short(value: float) -> str:
    """A number as it was given, without zeros in its exponent."""
    rounded = f"{value:g}"
    text = rounded if float(rounded) == value else repr(value)
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if e else text
