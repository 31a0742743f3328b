"""Power at a level where the tails themselves are known: the slope tells where the least value
is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dprisk._numeric.logspace import Floats, exp_capped, log
from dprisk.accountant.bracket import Bracket
from dprisk.accountant.by_splines import BySplines
from dprisk.losses.base import ULP

HALVINGS = 44
MOST_STEPS = 40  # 64 * 8^40 ulp are beyond every loss
FIRST_STEP = 64 * ULP  # of the largest loss: further if that is less than rounding
STEP_GROWTH = 8.0  # from one step to the next
UNDERFLOW = 2e-323  # a few roundings below the range of normal floats


def power(loss: BySplines, delta: Callable[[Floats], Bracket], level: Floats) -> Bracket:
    """Most power at levels in (0, 1), for a pair that is its own reverse."""
    top = loss.support[1]
    low, high = np.full_like(level, -top), np.full_like(level, top)
    for _ in range(HALVINGS):
        t = (low + high) / 2.0
        above = loss.roughly_beyond(t) > level
        low, high = np.where(above, t, low), np.where(above, high, t)
    left, right = _sure(loss, level, low, high)
    ends = delta(left), delta(right)
    size = log(level)
    tilts = [exp_capped(t + size) for t in (left, right)]  # e^t x
    # a logarithm, a sum and an exponential: five roundings, three by the size of the exponent
    blur = 8 * ULP * (2.0 + np.maximum(np.abs(left), np.abs(right)) - size)
    steep = np.maximum(1.0 - _beyond(loss, right).lower / level, 0.0)
    gap = steep * tilts[1] * -np.expm1(left - right)
    lower = ends[1].lower + tilts[1] * (1.0 - blur) - gap * (1.0 + blur)
    upper = np.minimum(
        *(end.upper + tilt * (1.0 + blur) for end, tilt in zip(ends, tilts, strict=True))
    )
    # a sum and a product: two roundings
    upper = np.minimum(upper * (1.0 + 4 * ULP) + UNDERFLOW, 1.0)
    # three roundings, of two sums and a product
    return Bracket(np.clip(lower * (1.0 - 4 * ULP) - UNDERFLOW, 0.0, upper), upper)


def _sure(loss: BySplines, level: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Moved apart until the slope has the right sign at either end, or there is nothing beyond."""
    top = loss.support[1]
    left, right = low.copy(), high.copy()
    step = np.full_like(level, FIRST_STEP * top)
    for _ in range(MOST_STEPS):
        early = (_beyond(loss, left).lower < level) & (left > -top)
        late = (_beyond(loss, right).upper > level) & (right < top)
        if not (early.any() or late.any()):
            break
        left = np.where(early, np.maximum(left - step, -top), left)
        right = np.where(late, np.minimum(right + step, top), right)
        step *= STEP_GROWTH
    return left, right


def _beyond(loss: BySplines, t: Floats) -> Bracket:
    """Q[Z > t], atoms that equal t counted at most."""
    size = np.abs(t)
    before, up = np.maximum(size - 2.0 * loss.near, 0.0), t > 0.0
    low, high = np.empty_like(t), np.empty_like(t)
    low[up], high[up] = loss.tail(size[up], True).lower, loss.tail(before[up], True).upper
    own = loss.tail(before[~up]).upper, loss.tail(size[~up]).lower
    low[~up] = np.where(size[~up] < 2.0 * loss.near, 0.0, 1.0 - own[0] - ULP)
    high[~up] = 1.0 - own[1] + ULP
    return Bracket(np.maximum(low, 0.0), np.minimum(high, 1.0))
