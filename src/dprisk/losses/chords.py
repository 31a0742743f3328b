"""What follows from delta alone: its inverse, and the tails that are its slopes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dprisk._numeric.invert import solve_decreasing
from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP
from dprisk.losses.composed import ComposedLoss
from dprisk.losses.line import Bracket

__all__ = ["inverse", "moved", "tail_by_chords"]


def inverse(loss: ComposedLoss, delta: Floats) -> Bracket:
    """Least x >= 0 with delta(x) <= delta, for a loss that is bounded and never infinite."""
    top = max(loss.support[1], 0.0)
    high = np.full_like(delta, top)
    zero = np.zeros_like(delta)

    def excess(end: int) -> Callable[[Floats, Floats], Floats]:
        def above(x: Floats, d: Floats) -> Floats:
            return loss.delta(np.ravel(x))[end].reshape(np.shape(x)) - d

        return above

    upper = solve_decreasing(excess(1), zero, high, delta)
    lower = solve_decreasing(excess(0), zero, high, delta)
    lower = moved(lower, delta, lambda e, d: loss.delta(e).lower >= d, -1.0, top)
    lower = np.where(delta == 0.0, top * (1.0 - 16 * ULP), lower)
    return Bracket(np.minimum(lower, upper), upper)


def moved(
    x: Floats,
    delta: Floats,
    holds: Callable[[Floats, Floats], Any],
    sign: float,
    most: float,
) -> Floats:
    """x moved by growing steps until `holds`, or to the end of [0, most]."""
    x = x.copy()
    step = 4 * ULP * np.maximum(np.abs(x), 1e-300)
    todo = np.flatnonzero(~holds(x, delta))
    while todo.size:
        x[todo] = np.clip(x[todo] + sign * step[todo], 0.0, most)
        step[todo] *= 2.0
        ends = x[todo] <= 0.0 if sign < 0 else x[todo] >= most
        todo = todo[~(holds(x[todo], delta[todo]) | ends)]
    return x


def tail_by_chords(
    delta: Callable[[Floats], Bracket], x: Floats, away: Floats, other: bool
) -> Bracket:
    """Q[Z > x] is minus the slope of delta in e^x, which is convex; P[Z > x] follows."""
    here, after, before = delta(x), delta(x + away), delta(x - away)
    rise, fall = np.expm1(away), -np.expm1(-away)
    low = np.maximum(here.lower - after.upper, 0.0) / rise  # times e^x
    high = np.maximum(before.upper - here.lower, 0.0) / fall
    if other:
        down = np.exp(-x)
        return Bracket(low * down, np.minimum(high * down, 1.0))
    return Bracket(np.minimum(here.lower + low, 1.0), np.minimum(here.upper + high, 1.0))
