"""Guarantees that limit Rényi divergences, outside an event of which nothing is known."""

from __future__ import annotations

from abc import abstractmethod
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from dprisk._numeric.invert import keep
from dprisk._numeric.logspace import Floats, below_complement
from dprisk._numeric.meeting import Orders, middle
from dprisk._numeric.rounding import SMALLEST, down, sum_up, up
from dprisk.answer import Answer
from dprisk.guarantees import dual, orders
from dprisk.guarantees.base import CHANCES, Guarantee, Sides
from dprisk.theorems import (
    ONE_TAIL_EXTENDED,
    RENYI_ADVANTAGE,
    RENYI_POWER,
    RENYI_PROFILE,
    RENYI_TAIL_OF_COINS,
)

Whole = npt.NDArray[np.intp]

MORE_THAN_ROUNDING = 1e-6  # a share of delta that is more than rounding
MARGIN = 2.0**-44  # of an epsilon, for what rounding adds to its delta


class ByOrders(Guarantee):
    """A guarantee that is a set of limits on Rényi divergences, except with some probability."""

    __slots__ = ()

    composes_by: ClassVar[Literal["orders"]] = "orders"

    @property
    @abstractmethod
    def _revealed(self) -> float:
        """Probability of the event of which nothing is known; 0 for Rényi DP."""

    @property
    @abstractmethod
    def _orders(self) -> Orders:
        """The limited orders."""

    @abstractmethod
    def _least(self, bound: orders.Bound, count: int) -> Floats:
        """Least of a bound over the orders, in each of so many rows."""

    @abstractmethod
    def _lines(self) -> dual.Curve:
        """The corners of the power curve and the lines between them."""

    @property
    @abstractmethod
    def _never(self) -> float:
        """The loss that is never exceeded; inf where there is none."""

    @property
    def _advantage(self) -> Answer:
        return Answer(np.array([_at_zero(self)]), "exact", RENYI_ADVANTAGE).shaped(())

    @property
    def _points(self) -> tuple[Floats, Floats]:
        core, places, todo = self._unsearched(CHANCES)
        values = np.where(places > 0.0, self._revealed, _at_zero(self))
        if len(todo):
            found, value = dual.points(_curve(self), core[todo])
            found = found * (1.0 + MARGIN)
            inside = found < self._never
            places[todo] = np.where(inside, found, self._never)
            values[todo] = np.where(inside, self._mixed(value), self._revealed)
        return places, values

    def _delta(self, epsilon: Floats) -> Answer:
        if self._revealed == 1.0 or self._never == 0.0:
            return Answer(np.full_like(epsilon, self._revealed), "exact", RENYI_PROFILE)
        curve = _curve(self)
        core = dual.delta(curve, np.minimum(epsilon, curve.end))
        core = np.where(epsilon < curve.end, np.maximum(core, SMALLEST), SMALLEST)
        core = np.where(epsilon < self._never, core, 0.0)
        return Answer(self._mixed(np.where(np.isinf(epsilon), 0.0, core)), "exact", RENYI_PROFILE)

    def _epsilon(self, delta: Floats) -> Answer:
        found, todo = self._searched(delta)
        if len(todo):
            found[todo] = np.minimum(self._kept(found[todo], delta[todo]), self._never)
        return Answer(found, "exact", RENYI_PROFILE)

    def _searched(self, delta: Floats) -> tuple[Floats, Whole]:
        """Epsilon but for rounding, and where it was searched for."""
        core, found, todo = self._unsearched(delta)
        if len(todo):
            found[todo] = dual.epsilon(_curve(self), core[todo]) * (1.0 + MARGIN)
        return found, todo

    def _unsearched(self, delta: Floats) -> tuple[Floats, Floats, Whole]:
        """What of delta is no event of which nothing is known; epsilon, and where to search it."""
        core = self._unmixed(delta)
        found = np.where(delta >= _at_zero(self), 0.0, self._never)
        return core, found, np.flatnonzero((core > 0.0) & (found > 0.0))

    def canonne(self, delta: Floats) -> Floats:
        """Epsilon at each delta, looser: by the conversion of Canonne et al. (2020)."""
        core = self._unmixed(delta)
        found = orders.canonne(self._least, np.where(core > 0.0, core, 1.0))
        return np.where(core > 0.0, found, np.inf)

    def _kept(self, epsilon: Floats, delta: Floats) -> Floats:
        """Moved upwards where delta is larger as computed."""
        found = self._delta(epsilon).value
        over = found > delta
        if over.any():
            limit = delta[over]
            rest = np.minimum(limit - self._revealed, 1.0 - limit)
            excess = (found[over] - limit) / np.maximum(rest, SMALLEST)
            step = np.where(excess < MORE_THAN_ROUNDING, excess, 0.0)
            epsilon[over] = keep(epsilon[over], lambda e: self._delta(e).value <= limit, step=step)
        return epsilon

    def _power(self, level: Floats) -> Answer:
        inside = (level > 0.0) & (level < 1.0 - self._revealed)
        value = np.where(level > 0.0, 1.0, self._revealed)
        if inside.any():
            value[inside] = orders.power(_limits(self), level[inside])
        return Answer(np.where(self._still, level, value), "exact", RENYI_POWER)

    def _level(self, power: Floats) -> Answer:
        inside = (power > self._revealed) & (power < 1.0)
        value = np.where(power < 1.0, 0.0, below_complement(self._revealed))
        if inside.any():
            value[inside] = orders.level(_limits(self), power[inside])
        return Answer(np.where(self._still, power, value), "exact", RENYI_POWER)

    def _tail(self, epsilon: Floats, sides: Sides, post_processing: bool) -> Answer:
        value = np.where(epsilon > 0.0, self._revealed, 1.0)
        inside = (epsilon > 0.0) & (epsilon < 1e100) & (self._revealed < 1.0)
        if inside.any():
            value[inside] = orders.tail(_limits(self), epsilon[inside], sides)
        return _tail_answer(np.where(epsilon >= self._never, 0.0, value), sides)

    def _loss_bound(self, failure: Floats, sides: Sides, post_processing: bool) -> Answer:
        loss = np.full_like(failure, np.inf)
        inside = failure > self._revealed
        if inside.any():
            loss[inside] = orders.loss_bound(_limits(self), failure[inside], sides)
        return _tail_answer(np.minimum(loss, self._never), sides)

    @property
    def _still(self) -> bool:
        """Whether two neighbors cannot be told apart at all."""
        return self._never == 0.0

    def _mixed(self, core: Floats) -> Floats:
        """Add the event of which nothing is known."""
        if self._revealed == 0.0:
            return core
        rest = up((1.0 - self._revealed) * core, core == 0.0, units=2)
        return np.minimum(1.0, sum_up(self._revealed, rest))

    def _unmixed(self, total: Floats) -> Floats:
        if self._revealed == 1.0:
            return np.zeros_like(total)
        rest = np.maximum(total - self._revealed, 0.0) / (1.0 - self._revealed)
        return np.minimum(down(rest, self._revealed == 0.0), 1.0)


def _tail_answer(value: Floats, sides: Sides) -> Answer:
    """A tail under Rényi bounds: exact on one side, an upper bound on both together."""
    if sides == "one":
        return Answer(value, "exact", RENYI_TAIL_OF_COINS)
    return Answer(value, "upper", ONE_TAIL_EXTENDED)


@lru_cache(maxsize=256)
def _limits(guarantee: ByOrders) -> orders.Limits:
    """The orders, and the middle of the power curve."""
    allowed = guarantee._orders
    if np.any(allowed.limit(np.ones(1)) == 0.0):
        return orders.Limits(None, 0.0, guarantee._revealed)
    return orders.Limits(allowed, float(middle(allowed).a[0]), guarantee._revealed)


@lru_cache(maxsize=256)
def _curve(guarantee: ByOrders) -> dual.Curve:
    """Corners of the power curve, outside the event of which nothing is known."""
    return guarantee._lines()


@lru_cache(maxsize=256)
def _at_zero(guarantee: ByOrders) -> float:
    """Delta at epsilon 0."""
    return float(guarantee._delta(np.zeros(1)).value[0])
