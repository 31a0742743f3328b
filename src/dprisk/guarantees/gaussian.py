"""Gaussian differential privacy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import LIMITED, assign, scalar
from dprisk._numeric.invert import keep, solve_decreasing
from dprisk._numeric.logspace import Floats
from dprisk._numeric.normal import (
    LAST_DEVIATION,
    gap,
    log_ratio,
    log_sum,
    ndtr,
    ndtr_down,
    ndtr_up,
    quantile,
)
from dprisk._numeric.rounding import SMALLEST, sum_up
from dprisk.answer import Answer
from dprisk.guarantees.base import AdditiveParameters, Guarantee, Neighbors, Sides
from dprisk.guarantees.piecewise import Dominating, dominated_by, on_both_sides
from dprisk.theorems import (
    GAUSSIAN_LOSS_BOUND,
    GAUSSIAN_POWER,
    GAUSSIAN_PROFILE,
    TRADEOFF_BOTH_TAILS,
)

AS_CONCENTRATED = "read as zCDP with rho = mu^2 / 2"


@final
@dataclass(frozen=True, init=False, repr=False, slots=True)
class GaussianDP(Guarantee):
    """Telling two neighbors apart is no easier than telling N(0, 1) from N(mu, 1).

    Parameters
    ----------
    mu : float
        Separation of the two normals: sensitivity over standard deviation of the noise, not the
        standard deviation itself. Larger means weaker privacy. [0, 1e9]
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    Notes
    -----
    All answers are exact: the Gaussian mechanism attains the power curve, and a mechanism with
    three outputs attains each tail.

    References
    ----------
    .. [1] P1, Example 5.10.
    .. [2] J. Dong, A. Roth, W. J. Su, "Gaussian differential privacy", 2022, Corollary 2.13.

    Examples
    --------
    >>> from dprisk import GaussianDP
    >>> guarantee = GaussianDP(1.0, neighbors="replace-one")
    >>> round(guarantee.delta(1.0).value, 6)
    0.126937
    >>> round(guarantee.power(0.05).value, 4)
    0.2595
    """

    mu: float
    neighbors: Neighbors

    definition: ClassVar[str] = "gaussian"
    composes_by: ClassVar[Literal["parameters"]] = "parameters"

    def __init__(self, mu: float, *, neighbors: Neighbors) -> None:
        assign(self, mu=scalar("mu", mu, LIMITED), neighbors=neighbors)

    @property
    def parameters(self) -> dict[str, Any]:
        """The promised `mu`."""
        return {"mu": self.mu}

    @property
    def additive_parameters(self) -> Mapping[str, AdditiveParameters]:
        """The square of mu; half of it as zCDP."""
        square = Fraction(self.mu) ** 2
        return {
            "gaussian": AdditiveParameters({"mu_squared": square}),
            "concentrated": AdditiveParameters(
                {"rho": square / 2, "xi": 0.0, "delta": 0.0}, AS_CONCENTRATED
            ),
        }

    @property
    def dominating(self) -> Dominating:
        """The loss between two normals, which dominates every mechanism that keeps it."""
        from dprisk.losses.normal import NormalLoss

        return dominated_by(NormalLoss(self.mu), f"mu {self.mu:g}")

    @property
    def noise_ratios(self) -> dict[str, float]:
        """Mu of normal noise; others as pure DP, Phi(mu/2) = 1/(1 + e^-epsilon) (Proposition 5)."""
        share = float(ndtr(-self.mu / 2.0))
        pure = float((np.log1p(-share) - np.log(share)) * (1.0 - 1e-14)) if share else np.inf
        return {"gaussian": self.mu, "geometric": pure, "laplace": pure}

    def _delta(self, epsilon: Floats) -> Answer:
        return Answer(gap(epsilon, self.mu), "exact", GAUSSIAN_PROFILE)

    def _epsilon(self, delta: Floats) -> Answer:
        mu = self.mu
        positive = delta > 0 if mu > 0 else np.ones_like(delta, dtype=bool)
        high = np.full_like(delta, mu * (mu / 2 + 2 * LAST_DEVIATION))  # delta(high) underflows
        target = np.where(positive, delta, 1.0)
        found = solve_decreasing(lambda e, d: gap(e, mu) - d, np.zeros_like(delta), high, target)
        found = keep(found, lambda e: gap(e, mu) <= target)
        return Answer(np.where(positive, found, np.inf), "exact", GAUSSIAN_PROFILE)

    def _power(self, level: Floats) -> Answer:
        certain, inside = _inside(level, self.mu)
        _, z = quantile(inside)
        moved = np.maximum(ndtr_up(sum_up(z, self.mu)), level)
        return Answer(np.where(certain, level, moved), "exact", GAUSSIAN_POWER)

    def _level(self, power: Floats) -> Answer:
        certain, inside = _inside(power, self.mu)
        z, _ = quantile(inside)
        moved = np.minimum(ndtr_down(-sum_up(-z, self.mu)), power)
        return Answer(np.where(certain, power, moved), "exact", GAUSSIAN_POWER)

    def _tail(self, epsilon: Floats, sides: Sides, post_processing: bool) -> Answer:
        theorem = GAUSSIAN_LOSS_BOUND if sides == "one" else TRADEOFF_BOTH_TAILS
        if self.mu == 0.0:
            return Answer(np.zeros_like(epsilon), "exact", theorem)
        # level = Phi(-x), power = Phi(mu - x); the ratio of the two rises in x
        most = LAST_DEVIATION + self.mu
        inside = (epsilon > 0) & (epsilon < log_ratio(np.array(most), self.mu))
        x = -solve_decreasing(
            lambda left, e: log_ratio(-left, self.mu) - e,
            np.full_like(epsilon, -most),
            np.full_like(epsilon, 2.0 * LAST_DEVIATION),
            np.where(inside, epsilon, 1e-3),
        )
        edge = np.where(epsilon > 0, np.where(np.isinf(epsilon), 0.0, SMALLEST), 1.0)
        height = np.where(inside, ndtr_up(sum_up(-x, self.mu)), edge)
        if sides == "both":
            height = on_both_sides(height, epsilon)
        return Answer(height, "exact", theorem)

    def _loss_bound(self, failure: Floats, sides: Sides, post_processing: bool) -> Answer:
        theorem = GAUSSIAN_LOSS_BOUND if sides == "one" else TRADEOFF_BOTH_TAILS
        if self.mu == 0.0:
            return Answer(np.zeros_like(failure), "exact", theorem)
        possible = failure > 0
        m = np.where(possible, failure, 0.5)
        if sides == "one":
            z, _ = quantile(np.where(m < 1.0, m, 0.5))
            loss = np.where(m < 1.0, log_ratio(sum_up(-z, self.mu), self.mu), 0.0)
        else:
            # level + power = m at some x >= mu / 2, where the loss is the log-ratio
            x = solve_decreasing(
                lambda x, m: _excess(x, self.mu, m),
                np.full_like(m, self.mu / 2),
                np.full_like(m, self.mu + 2.0 * LAST_DEVIATION),
                m,
            )
            loss = log_ratio(x, self.mu)
        return Answer(np.where(possible, loss, np.inf), "exact", theorem)

    def _group_of_two(self) -> GaussianDP:
        return GaussianDP(2.0 * self.mu, neighbors="replace-one")


def _inside(probability: Floats, mu: float) -> tuple[npt.NDArray[np.bool_], Floats]:
    """Whether a probability stays as it is; and one strictly between 0 and 1 in its place."""
    certain = (probability == 0.0) | (probability == 1.0) | (mu == 0.0)
    return certain, np.where(certain, 0.5, probability)


def _excess(x: Floats, mu: float, total: Floats) -> Floats:
    """Above zero where level + power = Phi(-x) + Phi(mu - x) may be above a total."""
    rest = ndtr_down(x - mu) - ndtr_up(-x)
    return np.where(total < 0.5, log_sum(x, mu) - np.log(total), 1.0 - total - rest)
