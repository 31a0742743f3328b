"""Exponentials of quotients to the last digit or so, however large the quotient."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats

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
