"""Guarantees that limit Rényi divergences, outside an event of which nothing is known."""

from __future__ import annotations

from abc import abstractmethod
from functools import lru_cache

import numpy as np

from dprisk._numeric.invert import keep
from dprisk._numeric.logspace import Floats, expit, log
from dprisk._numeric.rounding import SMALLEST, down, up
from dprisk.answer import Answer
from dprisk.guarantees import dual, orders
from dprisk.guarantees.base import Guarantee, Sides

__all__ = ["ByOrders"]

SLIGHT = 1e-6  # a share of delta that is more than rounding
MARGIN = 2.0**-44  # of an epsilon, for what rounding adds to its delta


class ByOrders(Guarantee):
    """A guarantee that is a set of limits on Rényi divergences, except with some probability.

    Notes
    -----
    Limits on divergences survive post-processing, so a test is possible if and only if its two
    coins keep them: `power`, `level` and the one-sided tail are exact (dprisk Proposition 3). So
    are `delta` and `epsilon`, which are read off lines above the power curve (Proposition 21).
    """

    __slots__ = ()

    @property
    @abstractmethod
    def _revealed(self) -> float:
        """Probability of the event of which nothing is known; 0 for Rényi DP."""

    @property
    @abstractmethod
    def _search(self) -> orders.Search:
        """How to look through the limited orders."""

    @abstractmethod
    def _lines(self) -> dual.Curve:
        """The corners of the power curve and the lines between them."""

    @property
    @abstractmethod
    def _never(self) -> float:
        """The loss that is never exceeded; inf where there is none."""

    def advantage(self) -> Answer:
        """Most power minus level of any test.

        Returns
        -------
        Answer
            In [0, 1]; exact, and the `delta` at epsilon 0.
        """
        most = self._delta(np.zeros(1)).value
        return Answer(most, "exact", orders.ADVANTAGE).shaped(())

    def _delta(self, epsilon: Floats) -> Answer:
        if self._revealed == 1.0 or self._never == 0.0:
            return Answer(np.full_like(epsilon, self._revealed), "exact", dual.PROFILE)
        curve = _curve(self)
        core = dual.delta(curve, np.minimum(epsilon, curve.end))
        core = np.where(epsilon < curve.end, np.maximum(core, SMALLEST), SMALLEST)
        core = np.where(epsilon < self._never, core, 0.0)
        return Answer(self._mixed(np.where(np.isinf(epsilon), 0.0, core)), "exact", dual.PROFILE)

    def _epsilon(self, delta: Floats) -> Answer:
        core = self._unmixed(delta)
        found = np.where(delta >= self._delta(np.zeros(1)).value, 0.0, self._never)
        todo = np.flatnonzero((core > 0.0) & (found > 0.0))
        if len(todo):
            about = dual.epsilon(_curve(self), core[todo]) * (1.0 + MARGIN)
            found[todo] = np.minimum(self._kept(about, delta[todo]), self._never)
        return Answer(found, "exact", dual.PROFILE)

    def canonne(self, delta: Floats) -> Floats:
        """Epsilon at each delta, looser: by the conversion of Canonne et al. (2020).

        Parameters
        ----------
        delta : ndarray
            Additive slacks. [0, 1]

        Returns
        -------
        ndarray
            Nats, upper bounds; inf where no epsilon is enough.
        """
        core = self._unmixed(delta)
        found = orders.canonne(self._search, np.where(core > 0.0, core, 1.0))
        return np.where(core > 0.0, found, np.inf)

    def _kept(self, epsilon: Floats, delta: Floats) -> Floats:
        """Moved upwards where delta is larger as computed.

        The logarithm of delta, outside the event of which nothing is known, falls at least as fast
        as epsilon rises.
        """
        found = self._delta(epsilon).value
        over = found > delta
        if over.any():
            limit = delta[over]
            excess = (found[over] - limit) / np.maximum(limit - self._revealed, SMALLEST)
            step = np.where(excess < SLIGHT, excess, 0.0)
            epsilon[over] = keep(epsilon[over], lambda e: self._delta(e).value <= limit, step=step)
        return epsilon

    def _power(self, level: Floats) -> Answer:
        scale = 1.0 - self._revealed
        core = np.ones_like(level)
        if scale:
            core = np.minimum(up(level / scale, (level == 0.0) | (scale == 1.0)), 1.0)
        inside = (core > 0) & (core < 1) & (self._never > 0.0)
        value = np.where(inside, orders.power(self._search, np.where(inside, core, 0.5)), core)
        return Answer(self._mixed(value), "exact", orders.POWER)

    def _level(self, power: Floats) -> Answer:
        core = self._unmixed(power)
        inside = (core > 0) & (core < 1) & (self._never > 0.0)
        value = np.where(inside, orders.level(self._search, np.where(inside, core, 0.5)), core)
        scaled = (1.0 - self._revealed) * value
        return Answer(down(scaled, self._revealed == 0.0), "exact", orders.POWER)

    def _tail(self, epsilon: Floats, sides: Sides, post_processing: bool) -> Answer:
        if self._revealed == 1.0:
            return _tail_answer(np.ones_like(epsilon), sides)
        inside = (epsilon > 0) & (epsilon < 1e100)
        at = np.where(inside, epsilon, 1.0)
        edge = np.where(epsilon > 0, self._revealed, 1.0)
        value = orders.tail(self._search, at, sides, self._revealed)
        value = np.where(epsilon >= self._never, 0.0, np.where(inside, value, edge))
        return _tail_answer(value, sides)

    def _loss_bound(self, failure: Floats, sides: Sides, post_processing: bool) -> Answer:
        core = self._unmixed(failure)
        positive = core > 0
        share = np.where(positive, core, 0.5)
        loss = orders.loss_bound(self._search, share, sides)
        if self._revealed and sides == "one":
            loss = up(loss - np.log1p(-self._revealed / np.where(positive, failure, 2.0)))
        elif self._revealed:
            power = self._mixed(share * expit(loss))
            level = (1.0 - self._revealed) * share * expit(-loss)
            loss = up(np.log(power) - log(np.where(positive, level, 1.0)))
        loss = np.minimum(np.where(positive, loss, np.inf), self._never)
        return _tail_answer(loss, sides)

    def _mixed(self, core: Floats) -> Floats:
        """Add the event of which nothing is known."""
        mixed = self._revealed + (1.0 - self._revealed) * core
        return np.minimum(1.0, up(mixed, (core == 0.0) | (self._revealed == 0.0)))

    def _unmixed(self, total: Floats) -> Floats:
        if self._revealed == 1.0:
            return np.zeros_like(total)
        rest = np.maximum(total - self._revealed, 0.0) / (1.0 - self._revealed)
        return np.minimum(down(rest, self._revealed == 0.0), 1.0)


def _tail_answer(value: Floats, sides: Sides) -> Answer:
    """A tail under Rényi bounds: exact on one side, an upper bound on both together."""
    if sides == "one":
        return Answer(value, "exact", orders.ONE_SIDED)
    return Answer(value, "upper", orders.TWO_SIDED)


@lru_cache(maxsize=256)
def _curve(guarantee: ByOrders) -> dual.Curve:
    """Corners of the power curve, outside the event of which nothing is known."""
    return guarantee._lines()
