"""One randomized response again and again: the optimal composition theorem, in closed form."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from dprisk._numeric.binomial import offset
from dprisk._numeric.logspace import Floats
from dprisk.accountant.base import ComposedLoss, Parts
from dprisk.accountant.binomial_profile import RepeatedResponse
from dprisk.accountant.bracket import Bracket
from dprisk.accountant.from_profile import nearby_slope
from dprisk.accountant.randomized_response import Responses, checked, elementwise
from dprisk.losses.base import ULP
from dprisk.losses.response import ResponseLoss
from dprisk.theorems import OPTIMAL_COMPOSITION, Theorem


@final
@dataclass(frozen=True, eq=False)
class ByBinomial(ComposedLoss):
    """`count` times the same randomized response."""

    theorem: ClassVar[Theorem] = OPTIMAL_COMPOSITION

    loss: ResponseLoss
    count: int
    responses: Responses

    @property
    def infinite(self) -> float:
        """Probability that any of the losses is infinite."""
        return float(self.delta(np.array([np.inf])).upper[0])

    @property
    def support(self) -> tuple[float, float]:
        """All wrong to all right."""
        most = self.count * self.loss.epsilon
        if offset(self.count, self.loss.epsilon, most) > 0.0:
            most = math.nextafter(most, math.inf)
        return -most, most

    def delta(self, x: Floats) -> Bracket:
        """Kairouz 2015, Theorem 3.3, between the points of its lattice as well."""
        return elementwise(self.responses.delta, x)

    def slope(self, x: Floats) -> Floats:
        """From delta nearby."""
        return nearby_slope(self, x)

    def epsilon(self, delta: Floats) -> Bracket:
        """In closed form between two points of the lattice."""
        return elementwise(self.responses.epsilon, delta)

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """Two binomial tails; a value that equals x up to rounding is not beyond it."""
        # a value is rounded twice, x once
        return self.above(x + 4 * ULP * (np.abs(x) + self.support[1]), other)

    def above(self, x: Floats, other: bool = False) -> Bracket:
        """The same where a value that is larger by any amount is beyond it."""
        kept = (1.0 - self.loss.revealed) ** self.count
        own, others = RepeatedResponse(self.count, self.loss.epsilon).tails(x)
        some = others if other else own
        # a power: one rounding a factor, two of its own; and two products
        blur = 4 * ULP * (2.0 + self.count * (self.loss.revealed > 0.0))
        low, high = some.lower * kept * (1.0 - blur), some.upper * kept * (1.0 + blur)
        if not other:
            revealed = self.delta(np.array([np.inf]))
            low, high = low + revealed.lower, high + revealed.upper
        return Bracket(np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0))

    def kinks(self, most: int) -> Floats | None:
        """The points of the lattice."""
        if self.loss.epsilon == 0.0:
            return np.zeros(0)
        if self.count > 2 * most:
            return None
        found = self.loss.epsilon * np.arange(self.count % 2, self.count + 1.0, 2.0)
        return found[found > 0.0]

    def cheap(self) -> ComposedLoss:
        """Itself."""
        return self

    def mean_sd_range(self) -> tuple[float, float, float]:
        """Those of a binomial distribution, scaled."""
        half, root = np.tanh(self.loss.epsilon / 2.0), np.sqrt(float(self.count))
        spread = root * self.loss.epsilon * np.sqrt(max(1.0 - half**2, 0.0))
        mean = self.count * self.loss.epsilon * half
        return float(mean), float(spread), min(float(mean + 40.0 * spread), self.support[1])


def as_binomial(parts: Parts) -> ByBinomial | None:
    """One randomized response, if that is all there is."""
    loss, count = parts[0]
    if len(parts) > 1 or not isinstance(loss, ResponseLoss):
        return None
    return ByBinomial(loss, count, Responses(*checked(count, loss.epsilon, loss.revealed)))
