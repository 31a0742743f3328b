"""Bounds on the log-odds that follow from composition theorems about (epsilon, delta)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dprisk._numeric.exact import rounded_up, total, total_as_written
from dprisk._numeric.invert import solve_decreasing
from dprisk._numeric.logspace import Floats
from dprisk._numeric.normal import ndtr
from dprisk.accountant.methods.by_binomial import ByBinomial
from dprisk.composition.theorems import advanced, basic, optimal_lattice
from dprisk.curves.rungs import LossBracket
from dprisk.guarantees.base import Neighbors
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.renyi import ZeroConcentratedDP
from dprisk.losses.base import ULP
from dprisk.losses.normal import ResponseLoss

POINTS = 240  # deltas that are tried at first
SPAN = 120.0  # how far below the largest delta, in logarithms
ROUNDS = 4
SEARCHED = 1_000_000  # uses up to which the lattice is searched for its best point
WINDOW = 256  # points of the lattice that are looked at together


def two_sided(epsilon: Any, delta: Any, failure: float) -> Floats:
    """log((failure e^epsilon + delta) / (failure - delta)), rounded up (P0, Theorem 3.9)."""
    e, d = np.broadcast_arrays(np.asarray(epsilon, float), np.asarray(delta, float))
    inside = d < failure
    share = np.where(inside, d / failure, 0.0)
    rest = np.where(inside, failure - d, failure) / failure  # a difference of close floats is exact
    left = np.where(share < 0.5, np.log1p(-np.minimum(share, 0.5)), np.log(rest))
    found = e + np.log1p(share * np.exp(-e)) - left
    return np.where(inside, found * (1.0 + 8.0 * ULP), np.inf)


def least_over_deltas(bound: Callable[[Floats], Floats], most: float) -> tuple[float, float]:
    """A delta in (0, most) at which a bound is about least, and the bound there."""
    step = SPAN / POINTS
    at = math.log(most) - step * np.arange(1, POINTS + 1)
    at = np.concatenate([math.log(most) + np.log1p(-np.geomspace(1e-12, 0.5, 60)), at])
    found = bound(np.exp(at))
    for _ in range(ROUNDS):
        best = at[np.argmin(found)]
        at = np.minimum(best + np.linspace(-step, step, 41), math.log(most) - 1e-12)
        found = bound(np.exp(at))
        step /= 15.0
    best = int(np.argmin(found))
    return float(np.exp(at[best])), float(found[best])


@final
@dataclass(frozen=True, eq=False)
class Promises:
    """(epsilon, delta)-DP promises that are kept again and again."""

    epsilons: tuple[float, ...]
    deltas: tuple[float, ...]
    counts: tuple[int, ...]
    delta: float
    failure: float

    @property
    def alike(self) -> bool:
        """Whether all parts promise the same: the theorem about optimal composition asks it."""
        return len(set(zip(self.epsilons, self.deltas, strict=True))) == 1

    def basic(self, number: int) -> LossBracket:
        """Parameters add; at the delta stated."""
        epsilon, _ = basic(self.epsilons, self.deltas, self._times(number))
        if total_as_written(self.deltas, self._times(number)) > self.delta:
            return None, math.inf
        return None, float(two_sided(epsilon, self.delta, self.failure))

    def best_basic(self, number: int) -> LossBracket:
        """Parameters add; the least delta is the best."""
        return None, float(
            two_sided(*basic(self.epsilons, self.deltas, self._times(number)), self.failure)
        )

    def advanced(self, number: int) -> LossBracket:
        """Advanced composition, whose slack is what the deltas leave of the delta stated."""
        _, given = basic(self.epsilons, self.deltas, self._times(number))
        slack = self.delta - given
        if slack <= 0.0:
            return None, math.inf
        # delta less what is given: one rounding of either
        return None, self._by_slack(number, slack * (1.0 - 4.0 * ULP), self.delta)

    def best_advanced(self, number: int) -> LossBracket:
        """The slack at which the bound on the log-odds is least."""
        times = np.array(self._times(number), dtype=float)
        e = np.array(self.epsilons)
        with np.errstate(over="ignore"):
            mean, square = float((times * e * np.expm1(e)).sum()), float((times * e * e).sum())
        _, given = basic(self.epsilons, self.deltas, self._times(number))
        if given >= self.failure or not math.isfinite(mean):
            return None, math.inf

        def bound(slack: Floats) -> Floats:
            total = mean + np.sqrt(-2.0 * np.log(slack) * square)
            return two_sided(total, given + slack, self.failure)

        slack, _ = least_over_deltas(bound, self.failure - given)
        return None, self._by_slack(number, slack, None)

    def optimal(self, number: int) -> LossBracket:
        """The lattice of the theorem, at the delta stated."""
        epsilon = optimal_lattice(
            self._uses(number), self.epsilons[0], self.delta, delta0=self.deltas[0]
        )
        return None, float(two_sided(epsilon, self.delta, self.failure))

    def best_optimal(self, number: int) -> LossBracket:
        """The point of the lattice at which the bound on the log-odds is least."""
        if self._uses(number) > SEARCHED:
            return None, min(self.optimal(number)[1], self.best_basic(number)[1])
        uses, epsilon, delta = self._uses(number), self.epsilons[0], self.deltas[0]

        low, high = 0, uses // 2
        while True:
            index = np.unique(np.linspace(low, high, WINDOW).round())
            totals = (uses - 2.0 * index) * epsilon
            kept = ByBinomial(ResponseLoss(epsilon, delta), uses).delta(totals).upper
            found = two_sided(totals, kept, self.failure)
            best = int(np.argmin(found))
            near = int(index[max(best - 1, 0)]), int(index[min(best + 1, len(index) - 1)])
            if len(index) == high - low + 1 or near == (low, high):
                return None, float(found[best])
            low, high = near

    def _by_slack(self, number: int, slack: float, delta: float | None) -> float:
        times = self._times(number)
        epsilon, total = advanced(self.epsilons, self.deltas, times, slack)
        return float(two_sided(epsilon, total if delta is None else delta, self.failure))

    def _times(self, number: int) -> list[int]:
        return [count * number for count in self.counts]

    def _uses(self, number: int) -> int:
        return sum(self._times(number))


MARGIN = 1e-12  # far above the rounding of the normal distribution function


@final
@dataclass(frozen=True, eq=False)
class Concentrated:
    """zCDP that is kept again and again."""

    rho: float
    xi: float
    delta: float
    failure: float
    neighbors: Neighbors

    @property
    def plain(self) -> bool:
        """Whether it is rho-zCDP, without offset and approximation."""
        return self.xi == 0.0 and self.delta == 0.0

    def simple(self, number: int) -> LossBracket:
        """rho + 2 sqrt(rho log(1 / delta)) (P0, Theorem 2.7), at the best delta."""
        # two roundings: of a product, and of a half
        rho = self._whole(number).rho * (1.0 + 4.0 * float(np.finfo(float).eps))

        def bound(delta: Floats) -> Floats:
            return two_sided(rho + 2.0 * np.sqrt(-rho * np.log(delta)), delta, self.failure)

        return None, least_over_deltas(bound, self.failure)[1]

    def tight(self, number: int) -> LossBracket:
        """The tight conversion (Canonne et al. 2020), at the best delta."""
        whole = self._whole(number)
        if whole.stated_delta >= self.failure:
            return None, math.inf

        def bound(delta: Floats) -> Floats:
            return two_sided(whole.canonne(delta), delta, self.failure)

        return None, least_over_deltas(bound, self.failure)[1]

    def power(self, number: int) -> LossBracket:
        """The curve of all tests that zCDP allows."""
        return None, float(self._whole(number).loss_bound(self.failure))

    def normal(self, number: int) -> LossBracket:
        """Normal noise with that rho: exact."""
        whole = GaussianDP(self._mu(number), neighbors=self.neighbors)
        found = float(whole.loss_bound(self.failure))
        return found * (1.0 - MARGIN), found * (1.0 + MARGIN)

    def raw_normal(self, number: int) -> LossBracket:
        """The privacy loss of normal noise is normal, with mean mu^2 / 2 and deviation mu."""
        mu = self._mu(number)
        if mu == 0.0:
            return 0.0, 0.0

        def excess(loss: Floats) -> Floats:
            tails = ndtr(mu / 2.0 - loss / mu) + ndtr(-mu / 2.0 - loss / mu)
            return np.asarray(tails - self.failure)

        reach = np.array([mu * mu / 2.0 + 40.0 * mu])
        found = float(solve_decreasing(excess, np.zeros(1), reach)[0])
        return found * (1.0 - MARGIN), found * (1.0 + MARGIN)

    def _mu(self, number: int) -> float:
        return math.sqrt(2.0 * rounded_up(total([self.rho], [number])))

    def _whole(self, number: int) -> ZeroConcentratedDP:
        """Sums of the numbers as they are written."""
        rho, xi, delta = (
            rounded_up(total([one], [number])) for one in (self.rho, self.xi, self.delta)
        )
        return ZeroConcentratedDP(rho, xi=xi, delta=min(delta, 1.0), neighbors=self.neighbors)
