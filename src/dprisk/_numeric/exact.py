"""Sums, roots and chances of rational numbers, rounded to the side on which a bound stays true."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats

MOST_DIGITS = 2**11  # binary digits of a product that is not rounded
DIGITS = 256  # binary digits that are kept of one that is, beyond the zeros it begins with


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


def chance_of_any(chances: Iterable[Fraction], counts: Iterable[int]) -> Fraction:
    """1 - prod (1 - chance)^count: exact where that is short, else at most 2^-200 of it above."""
    some = [(chance, int(count)) for chance, count in zip(chances, counts, strict=True) if chance]
    none = Fraction(1)
    for chance, count in some:
        none = _shortened(none * _power(1 - chance, count, chance), chance)
    return 1 - none


def _power(base: Fraction, count: int, rest: Fraction) -> Fraction:
    """base^count, rounded down where it is long."""
    if count * base.denominator.bit_length() <= MOST_DIGITS:
        return base**count
    digits = DIGITS + rest.denominator.bit_length()
    found, once = 1 << digits, (base.numerator << digits) // base.denominator
    for digit in f"{count:b}":
        found = found * found >> digits
        found = found * once >> digits if digit == "1" else found
    return Fraction(found, 1 << digits)


def _shortened(product: Fraction, rest: Fraction) -> Fraction:
    """Round a long product down, by at most 2^-256 of `rest`; it is at most 1 - rest."""
    if product.denominator.bit_length() <= MOST_DIGITS:
        return product
    digits = DIGITS + rest.denominator.bit_length()
    return Fraction((product.numerator << digits) // product.denominator, 1 << digits)


def total_as_written(values: Iterable[float], counts: Iterable[float]) -> float:
    """Sum of decimals, each so many times: ten times 0.1 is 1, though not as floats."""
    numbers = list(values)
    if math.inf in numbers:
        return math.inf
    return as_written_up(total(map(written, numbers), counts))


def as_written_up(amount: Fraction) -> float:
    """The nearest float that, as it is written, is not below it; infinite where none is."""
    try:
        near = float(amount)
    except OverflowError:
        return math.inf
    return near if written(near) >= amount else math.nextafter(near, math.inf)


def written(value: float) -> Fraction:
    """The decimal that a float is written as."""
    return Fraction(repr(float(value)))


SPLIT = 2.0**27 + 1.0  # halves of a number of 53 bits (Veltkamp 1968)
UNDERFLOW_EXPONENT = 800.0  # e to minus that is 0


class Double(NamedTuple):
    """A number as the sum of two floats, the second far below the last digit of the first."""

    high: Floats
    low: Floats


def product(a: Floats, b: Floats) -> Double:
    """``a * b`` without rounding (Dekker 1971), for numbers below 1e150."""
    high = np.asarray(a * b)
    (a1, a2), (b1, b2) = _halves(a), _halves(b)
    return Double(high, np.asarray(((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2))


def exp_minus_quotient(top: Floats, bottom: Double) -> Floats:
    """``exp(-top / bottom)`` for a quotient >= 0, within a few units in the last place."""
    quotient = np.minimum(top / bottom.high, UNDERFLOW_EXPONENT)
    back = product(quotient, np.asarray(bottom.high))
    left = (((top - back.high) - back.low) - quotient * bottom.low) / bottom.high
    left = np.where(quotient < UNDERFLOW_EXPONENT, left, 0.0)
    return np.asarray(np.exp(-quotient) * np.exp(-left))


def _halves(a: Floats) -> tuple[Floats, Floats]:
    far = SPLIT * a
    high = np.asarray(far - (far - a))
    return high, np.asarray(a - high)
