"""Differential privacy by the trade-off curve of Laplace noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from dprisk._checks import LIMITED, assign, scalar
from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import LEAST_NORMAL, times_exp
from dprisk.guarantees.base import Neighbors
from dprisk.guarantees.piecewise import Dominating, dominated_by
from dprisk.guarantees.smooth import SmoothTradeoff, TradeoffCurve

LARGE_MU = (
    50.0  # of mu: beyond, nothing cancels in mu + log(4 y (1 - y)), as 1 - y is at least 2^-53
)


@final
@dataclass(frozen=True, init=False, repr=False, slots=True)
class LaplaceDP(SmoothTradeoff):
    """Telling two neighbors apart is no easier than telling Lap(0, 1) from Lap(mu, 1).

    Parameters
    ----------
    mu : float
        Separation of the two Laplace distributions: sensitivity over scale of the noise. Larger
        means weaker privacy. [0, 1e9]
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    Notes
    -----
    It implies pure DP with epsilon = mu and is stronger: delta at epsilon 0 is 1 - e^(-mu/2) rather
    than tanh(mu/2). All answers are exact, from closed forms (dprisk Proposition 22).

    References
    ----------
    .. [1] J. Dong, A. Roth, W. J. Su, "Gaussian differential privacy", Journal of the Royal
       Statistical Society B 84, 2022, doi:10.1111/rssb.12454.

    Examples
    --------
    >>> from dprisk.guarantees import LaplaceDP
    >>> guarantee = LaplaceDP(1.0, neighbors="replace-one")
    >>> round(guarantee.delta(0.5).value, 6)
    0.221199
    >>> round(guarantee.power(0.05).value, 4)
    0.1359
    """

    mu: float
    neighbors: Neighbors

    definition: ClassVar[str] = "laplace"
    in_files: ClassVar[tuple[str, ...]] = ("mu",)

    def __init__(self, mu: float, *, neighbors: Neighbors) -> None:
        assign(self, mu=scalar("mu", mu, LIMITED), neighbors=neighbors)

    @property
    def parameters(self) -> dict[str, Any]:
        """The promised `mu`."""
        return {"mu": self.mu}

    @property
    def dominating(self) -> Dominating:
        """The loss between two Laplace densities, which dominates every mechanism that keeps it."""
        from dprisk.losses.laplace import LaplaceLoss

        return dominated_by(LaplaceLoss(self.mu), f"Laplace mu {self.mu:g}")

    @property
    def noise_ratios(self) -> dict[str, float]:
        """Mu of Laplace noise; geometric noise as pure DP with e^epsilon = 2 e^(mu/2) - 1."""
        half = self.mu / 2.0
        pure = half + float(np.log1p(-np.expm1(-half)))
        return {"laplace": self.mu, "geometric": pure * (1.0 - 1e-14)}

    @property
    def _curve(self) -> TradeoffCurve:
        return TradeoffCurve(
            power=self._t,
            touching=lambda e: np.exp(-(e + self.mu) / 2.0) / 2.0,
            largest=self.mu,
            level=self._inverse,
            delta=lambda e: -np.expm1((e - self.mu) / 2.0),
            epsilon=self._of_delta,
            height=self._height,
            loss_one=self._loss_one,
            loss_both=self._loss_both,
        )

    def _t(self, x: Floats) -> Floats:
        """e^mu x up to level e^-mu / 2, 1 - e^-mu / (4 x) up to 1/2, then 1 - e^-mu (1 - x)."""
        small = np.exp(-self.mu)
        early = times_exp(x, self.mu)
        middle = 1.0 - 0.25 / np.maximum(early, 0.5)
        late = np.where(x <= 0.5, middle, 1.0 - small * (1.0 - x))
        return np.where(early < 0.5, early, late)

    def _inverse(self, y: Floats) -> Floats:
        """The mirror image: 1 - x is at 1 - y what y is at x."""
        small, rest = np.exp(-self.mu), 1.0 - y
        late = 1.0 - times_exp(rest, self.mu)
        middle = np.where(late >= 0.5, late, times_exp(0.25 / rest, -self.mu))
        return np.where(y < 0.5, times_exp(y, -self.mu), middle) if small < 1.0 else y

    def _of_delta(self, delta: Floats) -> Floats:
        return np.asarray(np.maximum(self.mu + 2.0 * np.log1p(-delta), 0.0))

    def _height(self, epsilon: Floats) -> Floats:
        """The ray meets the last piece up to e^epsilon = 2 - e^-mu, and the middle one then."""
        late = np.expm1(-self.mu) / np.expm1(-(self.mu + epsilon))
        middle = (1.0 + np.sqrt(-np.expm1(np.minimum(epsilon - self.mu, 0.0)))) / 2.0
        return np.where(np.expm1(np.minimum(epsilon, 1.0)) <= -np.expm1(-self.mu), late, middle)

    def _loss_one(self, m: Floats) -> Floats:
        """log(m / x): mu + log(4 m (1 - m)) on the middle piece, before it mu."""
        first, middle = m < 0.5, times_exp(1.0 - m, self.mu) > 0.5
        y = np.where(middle & ~first, m, 0.5)
        if self.mu < 1.0:
            between = self.mu + np.log1p(-np.square(2.0 * y - 1.0))
        elif self.mu < LARGE_MU:
            between = np.log(y / self._inverse(y))
        else:
            between = self.mu + np.log(4.0 * y * (1.0 - y))
        rest = np.where(middle | first, 0.0, 1.0 - m)
        late = -np.log1p(-rest * np.expm1(min(self.mu, LARGE_MU)) / np.where(rest > 0.0, m, 1.0))
        return np.where(first, self.mu, np.where(middle, between, late))

    def _loss_both(self, m: Floats) -> Floats:
        """mu + log(s (2 - s)) with s = 1 - m + sqrt((1 - m)^2 + e^-mu), at most 1."""
        root = np.hypot(1.0 - m, np.exp(-self.mu / 2.0))
        less = np.maximum(-2.0 * (1.0 - m) - np.expm1(-self.mu), 0.0) / (m + root)  # 1 - s
        s = np.minimum(1.0 - m + root, 1.0)
        near = np.log1p(-np.square(np.minimum(less, 0.5)))
        log_s = np.where(s > LEAST_NORMAL, np.log(np.maximum(s, LEAST_NORMAL)), -self.mu / 2.0)
        return np.asarray(self.mu + np.where(less < 0.5, near, log_s + np.log(2.0 - s)))

    def _group_of_two(self) -> LaplaceDP:
        return LaplaceDP(2.0 * self.mu, neighbors="replace-one")
