"""f-DP by a smooth trade-off curve: formulas first, and what has none is found numerically."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.invert import solve_decreasing
from dprisk._numeric.logspace import Floats, log
from dprisk._numeric.rounding import LEAST_NORMAL, UNIT, down, times_exp, up
from dprisk.answer import Answer, Bound
from dprisk.guarantees.base import Guarantee, Sides
from dprisk.guarantees.piecewise import on_both_sides
from dprisk.theorems import (
    TRADEOFF_BOTH_TAILS,
    TRADEOFF_LOSS_BOUND,
    TRADEOFF_POWER,
    TRADEOFF_PROFILE,
)

FURTHEST = 1e4  # nats: how far epsilon is looked for where losses have no limit
LARGEST_EXPONENT = 745.0  # no double lies below e^-745
NEXT = 1.0 - UNIT  # to one

Bools = npt.NDArray[np.bool_]
Formula = Callable[[Floats], Floats]


@final
@dataclass(frozen=True, slots=True)
class TradeoffCurve:
    """The power curve T = 1 - f of a symmetric trade-off function f, and what is known about it."""

    power: Formula
    touching: Formula
    largest: float
    level: Formula | None = None
    delta: Formula | None = None
    epsilon: Formula | None = None
    height: Formula | None = None
    loss_one: Formula | None = None
    loss_both: Formula | None = None


class SmoothTradeoff(Guarantee):
    """A guarantee that is one smooth curve: nothing is revealed outright, T(0) = 0."""

    __slots__ = ()

    @property
    @abstractmethod
    def _curve(self) -> TradeoffCurve:
        """The formulas."""

    def _delta(self, epsilon: Floats) -> Answer:
        curve = self._curve
        asked = epsilon < curve.largest
        inside = np.where(asked, epsilon, 0.0)
        found = _dual(curve, inside) if curve.delta is None else up(curve.delta(inside))
        found = np.where(asked, np.minimum(found, 1.0), 0.0) if curve.largest else 0.0 * inside
        return Answer(found, _errs(curve.delta), TRADEOFF_PROFILE)

    def _epsilon(self, delta: Floats) -> Answer:
        curve, errs = self._curve, _errs(self._curve.epsilon)
        if curve.largest == 0.0:
            return Answer(np.zeros_like(delta), errs, TRADEOFF_PROFILE)

        def holds(epsilon: Floats) -> Floats:
            return np.asarray(self._delta(epsilon).value)

        end = np.full_like(delta, curve.largest if np.isfinite(curve.largest) else FURTHEST)
        reached = holds(end) <= delta
        asked = np.where(reached, delta, 1.0)
        start = np.zeros_like(end)
        if curve.epsilon is not None:
            inside = (asked > 0.0) & (asked < 1.0)
            start = curve.epsilon(np.where(inside, asked, 0.5))
            start = np.where(inside, np.clip(start, 0.0, end), np.where(asked == 0.0, end, 0.0))
        found = solve_decreasing(lambda e, d: holds(e) - d, start, end, asked)
        return Answer(np.where(reached, found, np.inf), errs, TRADEOFF_PROFILE)

    def _power(self, level: Floats) -> Answer:
        certain, inside = self._inside(level)
        found = np.clip(up(self._curve.power(inside)), inside, 1.0)
        return Answer(np.where(certain, level, found), "exact", TRADEOFF_POWER)

    def _level(self, power: Floats) -> Answer:
        certain, inside = self._inside(power)
        found = np.where(certain, power, self._least_level(inside))
        return Answer(found, "exact" if self._curve.level else "lower", TRADEOFF_POWER)

    def _tail(self, epsilon: Floats, sides: Sides, post_processing: bool) -> Answer:
        curve, theorem = (
            self._curve,
            TRADEOFF_LOSS_BOUND if sides == "one" else TRADEOFF_BOTH_TAILS,
        )
        if curve.largest == 0.0:
            return Answer(np.zeros_like(epsilon), "exact", theorem)
        asked = (epsilon > 0.0) & (epsilon < curve.largest)
        inside = np.where(asked, epsilon, min(curve.largest, 1.0) / 2.0)
        found = _height(curve, inside) if curve.height is None else up(curve.height(inside))
        found = np.where(asked, np.minimum(found, 1.0), np.where(epsilon == 0.0, 1.0, 0.0))
        if sides == "both":
            found = on_both_sides(found, epsilon)
        return Answer(found, _errs(curve.height), theorem)

    def _loss_bound(self, failure: Floats, sides: Sides, post_processing: bool) -> Answer:
        curve, theorem = (
            self._curve,
            TRADEOFF_LOSS_BOUND if sides == "one" else TRADEOFF_BOTH_TAILS,
        )
        formula = curve.loss_one if sides == "one" else curve.loss_both
        if curve.largest == 0.0:
            return Answer(np.zeros_like(failure), "exact", theorem)
        sure = (failure == 1.0) & (sides == "one")
        asked = np.where((failure == 0.0) | sure, 0.5, failure)
        if formula is not None:
            found = up(formula(asked))
        elif sides == "one":
            found = _log_up(asked, self._least_level(asked))
        else:
            least = self._first(lambda x: x + up(curve.power(x)), asked)
            found = _log_up(asked - least, least)
        found = np.where(failure == 0.0, curve.largest, np.minimum(found, curve.largest))
        return Answer(np.where(sure, 0.0, found), _errs(formula), theorem)

    def _inside(self, probability: Floats) -> tuple[Bools, Floats]:
        """Whether a probability stays as it is; and one strictly between 0 and 1 in its place."""
        certain = (probability == 0.0) | (probability == 1.0) | (self._curve.largest == 0.0)
        return certain, np.where(certain, 0.5, probability)

    def _least_level(self, power: Floats) -> Floats:
        """Inverse of T, at least: as a root, or by symmetry where 1 - power is exact."""
        curve = self._curve
        if curve.level is not None:
            return np.minimum(down(curve.level(power)), power)
        early = self._first(lambda x: up(curve.power(x)), power)
        late = 1.0 - up(curve.power(np.maximum(1.0 - power, LEAST_NORMAL)))
        late = np.where(power < 0.5, 0.0, down(np.maximum(late, 0.0), units=1))
        return np.minimum(np.maximum(early, late), power)

    def _first(self, rising: Formula, target: Floats) -> Floats:
        """A level, as large as can be, at which something that rises is not above a target."""

        def above(s: Floats, y: Floats) -> Floats:
            return np.asarray(rising(np.clip(np.exp(-s), LEAST_NORMAL, NEXT)) - y)

        ends = np.zeros_like(target), np.full_like(target, LARGEST_EXPONENT)
        found = solve_decreasing(above, *ends, target)
        return np.where(above(found, target) <= 0.0, down(np.exp(-found), units=8), 0.0)


def _errs(formula: object) -> Bound:
    return "upper" if formula is None else "exact"


def _dual(curve: TradeoffCurve, epsilon: Floats) -> Floats:
    """T(b) - e^epsilon a, at least the largest T(x) - e^epsilon x if that lies at a <= x <= b."""
    at = np.clip(curve.touching(epsilon), LEAST_NORMAL, 1.0)
    before, after = np.where(at > LEAST_NORMAL, down(at), 0.0), np.minimum(up(at), 1.0)
    most = np.where(after < 1.0, up(curve.power(np.minimum(after, NEXT))), 1.0)
    gap = np.minimum(most, 1.0) - down(times_exp(before, epsilon), units=8)
    return up(np.maximum(gap, 0.0), units=1)


def _height(curve: TradeoffCurve, epsilon: Floats) -> Floats:
    """The largest y with T(y e^-epsilon) >= y: their ratio falls."""

    def excess(y: Floats, t: Floats) -> Floats:
        x = np.minimum(up(times_exp(y, -t)), NEXT)
        return np.asarray(up(curve.power(x)) / y - 1.0)

    low, high = np.full_like(epsilon, 1e-300), np.full_like(epsilon, 2.0)
    return np.minimum(solve_decreasing(excess, low, high, epsilon), 1.0)


def _log_up(most: Floats, least: Floats) -> Floats:
    """log(most / least), at least; inf where there is no least."""
    above, below = log(most), log(least)
    with np.errstate(invalid="ignore"):
        loss = above - below + 8.0 * UNIT * (np.abs(above) + np.abs(below))
    return np.where(least > 0.0, np.maximum(loss, 0.0), np.inf)
