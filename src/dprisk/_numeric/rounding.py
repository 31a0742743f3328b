"""Rounding to the side on which a bound stays true, by a counted number of units."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats

LEAST_NORMAL = float(np.finfo(float).tiny)
UNIT = 2.0**-53
SMALLEST = 5e-324
LARGEST = 2.0**1023 * (2.0 - 2.0**-52)
FORMULA = 32  # 3 * 8 + 8

EXP_RANGE = 1400.0  # exp of it times the smallest double overflows, but exp of half of it does not


def up(
    value: Floats | float, exact: npt.ArrayLike = False, units: npt.ArrayLike = FORMULA
) -> Floats:
    """``value >= 0`` raised by so many units, and at least to the next double; kept where exact."""
    with np.errstate(over="ignore"):
        raised = value * (1.0 + (np.asarray(units) + 2.0) * UNIT)
        raised += SMALLEST
    return unless(exact, raised, value)


def down(
    value: Floats | float, exact: npt.ArrayLike = False, units: npt.ArrayLike = FORMULA
) -> Floats:
    """``value >= 0`` lowered likewise, not below zero."""
    share = np.maximum(1.0 - (np.asarray(units) + 2.0) * UNIT, 0.0)
    lowered = np.minimum(value, LARGEST) * share
    lowered -= SMALLEST
    return unless(exact, np.maximum(lowered, 0.0), value)


def unless(there: npt.ArrayLike, usual: npt.ArrayLike, special: npt.ArrayLike) -> Floats:
    """``np.where(there, special, usual)``, at once where nothing is special."""
    there, usual = np.asarray(there), np.asarray(usual)
    if there.shape in ((), usual.shape) and not there.any():
        return usual
    return np.where(there, special, usual)


def sum_up(a: Floats | float, b: Floats | float) -> Floats:
    """a + b, the next double where that was rounded downwards."""
    total = np.asarray(a + b)
    with np.errstate(invalid="ignore"):
        lost = (a - (total - b)) + (b - (total - (total - b)))  # exactly (Knuth's two-sum)
    return np.where(lost > 0.0, np.nextafter(total, np.inf), total)


def product_up(factor: float, values: Floats) -> Floats:
    """A product of numbers of at least 0, rounded upwards; kept where one of them is 0 or 1."""
    return up(factor * values, factor in (0.0, 1.0) or values == 0.0, 1)


def times_exp(x: npt.ArrayLike, exponent: npt.ArrayLike) -> Floats:
    """``x * exp(exponent)`` for x >= 0, without overflow or underflow on the way."""
    half = np.exp(np.clip(exponent, -EXP_RANGE, EXP_RANGE) / 2.0)
    share, power = np.frexp(x)
    share, more = np.frexp(share * half)
    with np.errstate(over="ignore"):
        share, rest = np.frexp(share * half)
        return np.asarray(np.ldexp(share, power + more + rest))
