"""Bounds on the log-odds under zCDP, and under the normal noise that keeps it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from dprisk._numeric.exact import rounded_up, total
from dprisk._numeric.invert import solve_decreasing
from dprisk._numeric.logspace import Floats
from dprisk._numeric.normal import ndtr
from dprisk.curves.promises import least_over_deltas, two_sided
from dprisk.curves.rungs import LossBracket
from dprisk.guarantees.base import Neighbors
from dprisk.guarantees.concentrated import ZeroConcentratedDP
from dprisk.guarantees.gaussian import GaussianDP

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
