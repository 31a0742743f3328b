"""Guarantees that limit Rényi divergences, outside an event of which nothing is known."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from dprisk._numeric.invert import keep
from dprisk._numeric.logspace import Floats, expit
from dprisk._numeric.rounding import SMALLEST
from dprisk.answer import Answer
from dprisk.guarantees import orders
from dprisk.guarantees.base import Guarantee, Sides

__all__ = ["ByOrders"]


class ByOrders(Guarantee):
    """A guarantee that is a set of limits on Rényi divergences, except with some probability.

    Notes
    -----
    Limits on divergences survive post-processing, so a test is possible if and only if its two
    coins keep them: `power`, `level` and the one-sided tail are exact (dprisk Proposition 3).
    """

    __slots__ = ()

    @property
    @abstractmethod
    def _revealed(self) -> float:
        """Probability of the event of which nothing is known; 0 for Rényi DP."""

    @abstractmethod
    def _least(self, bound: orders.Bound, count: int, limit_of_one: bool) -> Floats:
        """Least of a bound over the limited orders; see `orders.Least`."""

    @property
    @abstractmethod
    def _never(self) -> float:
        """The loss that is never exceeded; inf where there is none."""

    def advantage(self) -> Answer:
        """Most power minus level of any test.

        Returns
        -------
        Answer
            In [0, 1]; exact, while `delta` at epsilon 0 is an upper bound for it.
        """
        most = self._mixed(orders.advantage(self._least))
        return Answer(most, "exact", orders.ADVANTAGE).shaped(())

    def _delta(self, epsilon: Floats) -> Answer:
        core = orders.delta(self._least, np.minimum(epsilon, 1e100))
        core = np.where(epsilon < self._never, np.maximum(core, SMALLEST), 0.0)
        return Answer(self._mixed(core), "upper", orders.PROFILE)

    def _epsilon(self, delta: Floats) -> Answer:
        core = self._unmixed(delta)
        positive = core > 0
        found = orders.epsilon(self._least, np.where(positive, core, 1.0))
        found = keep(found, lambda e: ~positive | (self._delta(e).value <= delta))
        found = np.where(positive, found, np.where(delta >= 1.0, 0.0, np.inf))
        return Answer(found, "upper", orders.PROFILE)

    def _power(self, level: Floats) -> Answer:
        scale = 1.0 - self._revealed
        core = np.minimum(level / scale, 1.0) if scale else np.ones_like(level)
        inside = (core > 0) & (core < 1)
        value = np.where(inside, orders.power(self._least, np.where(inside, core, 0.5)), core)
        return Answer(self._mixed(value), "exact", orders.POWER)

    def _level(self, power: Floats) -> Answer:
        core = self._unmixed(power)
        inside = (core > 0) & (core < 1)
        value = np.where(inside, orders.level(self._least, np.where(inside, core, 0.5)), core)
        return Answer((1.0 - self._revealed) * value, "exact", orders.POWER)

    def _tail(self, epsilon: Floats, sides: Sides, post_processing: bool) -> Answer:
        if self._revealed == 1.0:
            return _tail_answer(np.ones_like(epsilon), sides)
        inside = (epsilon > 0) & (epsilon < 1e100)
        at = np.where(inside, epsilon, 1.0)
        edge = np.where(epsilon > 0, self._revealed, 1.0)
        value = orders.tail(self._least, at, sides, self._revealed)
        value = np.where(epsilon >= self._never, 0.0, np.where(inside, value, edge))
        return _tail_answer(value, sides)

    def _loss_bound(self, failure: Floats, sides: Sides, post_processing: bool) -> Answer:
        core = self._unmixed(failure)
        positive = core > 0
        share = np.where(positive, core, 0.5)
        loss = orders.loss_bound(self._least, share, sides)
        if self._revealed and sides == "one":
            loss = loss - np.log1p(-self._revealed / np.where(positive, failure, 2.0))
        elif self._revealed:
            power = self._mixed(share * expit(loss))
            level = (1.0 - self._revealed) * share * expit(-loss)
            loss = np.log(power) - np.log(np.where(positive, level, 1.0))
        loss = np.minimum(np.where(positive, loss, np.inf), self._never)
        return _tail_answer(loss, sides)

    def _mixed(self, core: Floats) -> Floats:
        """Add the event of which nothing is known."""
        return np.minimum(1.0, self._revealed + (1.0 - self._revealed) * core)

    def _unmixed(self, total: Floats) -> Floats:
        if self._revealed == 1.0:
            return np.zeros_like(total)
        return np.maximum(total - self._revealed, 0.0) / (1.0 - self._revealed)


def _tail_answer(value: Floats, sides: Sides) -> Answer:
    """A tail under Rényi bounds: exact on one side, an upper bound on both together."""
    if sides == "one":
        return Answer(value, "exact", orders.ONE_SIDED)
    return Answer(value, "upper", orders.TWO_SIDED)
