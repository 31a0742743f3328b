"""Sums and roots of rational numbers, rounded once, to the side on which a bound stays true."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

__all__ = [
    "as_written_up",
    "quotient_up",
    "root_up",
    "rounded_up",
    "total",
    "total_as_written",
]


def rounded_up(amount: Fraction) -> float:
    """The nearest float that is not below it; infinite where none is large enough."""
    try:
        near = float(amount)
    except OverflowError:
        return math.inf
    return near if Fraction(near) >= amount else math.nextafter(near, math.inf)


def quotient_up(over: float, under: float) -> float:
    """The least float that is not below the quotient of two positive ones; infinite if none is."""
    return rounded_up(Fraction(over) / Fraction(under))


def root_up(square: Fraction) -> float:
    """The least float that is not below the square root."""
    if not square:
        return 0.0
    digits = square.numerator.bit_length() - square.denominator.bit_length()
    shift = max(0, 128 - digits) // 2 * 2  # so that the whole root has 64 digits or more
    scaled = -(-square.numerator * 2**shift // square.denominator)
    root = math.isqrt(scaled - 1) + 1  # not below, by less than one in its 64 digits
    near = rounded_up(Fraction(root, 2 ** (shift // 2)))
    before = math.nextafter(near, 0.0)
    return before if math.isfinite(near) and Fraction(before) ** 2 >= square else near


def total(values: Iterable[float | Fraction], counts: Iterable[float]) -> Fraction:
    """Sum of rational numbers, floats among them, each so many times."""
    pairs = zip(values, counts, strict=True)
    return sum((int(count) * Fraction(value) for value, count in pairs), Fraction(0))


def total_as_written(values: Iterable[float], counts: Iterable[float]) -> float:
    """Sum of decimals, each so many times: ten times 0.1 is 1, though not as floats.

    The result, as it is written, is not below the sum of the numbers as they are written.
    """
    numbers = list(values)
    if math.inf in numbers:
        return math.inf
    return as_written_up(total(map(_written, numbers), counts))


def as_written_up(amount: Fraction) -> float:
    """The nearest float that, as it is written, is not below it; infinite where none is."""
    try:
        near = float(amount)
    except OverflowError:
        return math.inf
    return near if _written(near) >= amount else math.nextafter(near, math.inf)


def _written(value: float) -> Fraction:
    return Fraction(repr(float(value)))
