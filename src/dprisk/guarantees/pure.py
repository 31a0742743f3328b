"""Pure differential privacy."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, final

import numpy as np

from dprisk._checks import NONNEGATIVE, assign, scalar
from dprisk._numeric.envelope import Envelope
from dprisk.guarantees.base import AdditiveParameters, Neighbors
from dprisk.guarantees.piecewise import Dominating, PiecewiseLinear, response
from dprisk.theorems import PURE_POWER, PURE_TAIL, RANDOMIZED_RESPONSE_PROFILE, Theorem

AS_CONCENTRATED = "read as zCDP with rho = epsilon^2 / 2 (Bun and Steinke 2016)"


@final
@dataclass(frozen=True, init=False, repr=False)
class PureDP(PiecewiseLinear):
    """No output is more than e^epsilon times as probable on one neighbor as on the other.

    Parameters
    ----------
    epsilon : float
        Privacy loss limit; larger means weaker privacy, inf promises nothing. [0, inf], nats
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    Notes
    -----
    The worst case is randomized response, of which every pure mechanism is a post-processing
    (Kairouz et al. 2015), so all answers are exact. P4's general note gives the looser
    delta(epsilon0) = e^epsilon - e^epsilon0, which can exceed one; the exact profile is that
    divided by 1 + e^epsilon.

    References
    ----------
    .. [1] P1, Definition 4.8 and Theorem 6.1; P0, Theorem 2.3; P4, Subtlety 2.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> guarantee = PureDP(1.0, neighbors="add-remove")
    >>> round(guarantee.power(0.05).value, 3)
    0.136
    >>> guarantee.loss_bound(0.0).value
    1.0
    """

    stated_epsilon: float
    neighbors: Neighbors

    definition: ClassVar[str] = "pure"
    _sources: ClassVar[Mapping[str, Theorem]] = {
        "delta": RANDOMIZED_RESPONSE_PROFILE,
        "power": PURE_POWER,
        "both": PURE_TAIL,
        "one": PURE_TAIL,
    }

    def __init__(self, epsilon: float, *, neighbors: Neighbors) -> None:
        assign(
            self,
            stated_epsilon=scalar("epsilon", epsilon, NONNEGATIVE),
            neighbors=neighbors,
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """The promised `epsilon`."""
        return {"epsilon": self.stated_epsilon}

    @property
    def dominating(self) -> Dominating:
        """Randomized response."""
        return response(self.stated_epsilon)

    @property
    def additive_parameters(self) -> Mapping[str, AdditiveParameters]:
        """Its epsilon; half of the square of it as zCDP."""
        epsilon = self.stated_epsilon
        rho = Fraction(epsilon) ** 2 / 2 if math.isfinite(epsilon) else epsilon
        return {
            "pure": AdditiveParameters({"epsilon": epsilon}),
            "approximate": AdditiveParameters({"epsilon": epsilon, "delta": 0.0}),
            "concentrated": AdditiveParameters(
                {"rho": rho, "xi": 0.0, "delta": 0.0}, AS_CONCENTRATED
            ),
        }

    @property
    def noise_ratios(self) -> dict[str, float]:
        """The ratio for Laplace and geometric noise: epsilon."""
        return dict.fromkeys(("geometric", "laplace"), self.stated_epsilon)

    @cached_property
    def _envelope(self) -> Envelope:
        return Envelope.of(np.array([self.stated_epsilon]), np.array([0.0]))

    def _group_of_two(self) -> PureDP:
        return PureDP(2.0 * self.stated_epsilon, neighbors="replace-one")
