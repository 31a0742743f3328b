"""Bounds of rows in which nothing is special, in few passes and no memory but what is written
to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk._numeric.odds import FUNCTION, STEPS
from dprisk._numeric.rounding import FORMULA, UNIT

LEAST_FACTOR: Final = 1e-100  # units and products of such numbers are far from the smallest double
LARGEST_LOSS: Final = 200.0  # e^-LARGEST_LOSS likewise


def ordinary_bounds(p: Floats, e: Floats, d: Floats, f: Floats, out: Sequence[Floats]) -> bool:
    """Posterior at least and at most, ratio and difference at most; False if a row is special."""
    if not (p.min() > LEAST_FACTOR and p.max() < 1.0 and d.min() > LEAST_FACTOR and e.min() >= 0.0):
        return False
    low, high, ratio, loss = out
    np.subtract(f, d, out=high)
    if not high.min() > 0.0:
        return False
    np.exp(np.negative(e, out=loss), out=loss)
    loss += 1.0
    with np.errstate(over="ignore"):
        np.divide(d, high, out=high)
        loss *= high
    np.log1p(loss, out=loss)
    loss += e
    loss *= _up(FORMULA)
    if not loss.max() < LARGEST_LOSS:
        return False
    s, rest = low, np.empty_like(low)
    np.exp(np.negative(loss, out=s), out=s)
    s *= _down(FUNCTION)
    loss /= 4.0
    np.minimum(_raised(np.tanh(loss, out=loss), FUNCTION), 1.0, out=loss)
    q = np.subtract(1.0, p, out=ratio)
    np.multiply(p, s, out=rest)
    rest += q
    whole = np.multiply(q, s, out=ratio)
    whole += p
    low /= rest
    low *= p
    low *= _down(STEPS)
    np.minimum(_raised(np.divide(p, whole, out=high), STEPS), 1.0, out=high)
    _raised(np.divide(1.0, whole, out=ratio), STEPS)
    return True


def _raised(values: Floats, units: int) -> Floats:
    values *= _up(units)
    return values


def _up(units: int) -> float:
    return 1.0 + (units + 2.0) * UNIT


def _down(units: int) -> float:
    return 1.0 - (units + 2.0) * UNIT
