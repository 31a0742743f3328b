"""The discrete Gaussian mechanism."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from dprisk._checks import FINITE_POSITIVE, assign, settle, whole
from dprisk._numeric.exact import rounded_up
from dprisk._numeric.logspace import Floats
from dprisk.guarantees import Guarantee, ZeroConcentratedDP
from dprisk.guarantees.base import Neighbors
from dprisk.losses.base import ULP, LossPair, divergence
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.mechanisms.base import Mechanism, Outputs, counted, limited, normal
from dprisk.text import english

NARROW = 0.45  # below this width the sum over the integers is the shorter one
NEARLY_NORMAL = 3.0  # from here on the noise is as good as normal: e^-177
TERMS = 8  # terms of either sum, in each direction


@final
@dataclass(frozen=True, slots=True)
class DiscreteGaussian(Mechanism):
    """Noise on the integers, P[k] proportional to exp(-k^2 / (2 sigma^2)), is added to a count.

    Parameters
    ----------
    sigma : float
        Width of the noise, in counts; its standard deviation is a little below. (0, inf)
    sensitivity : int
        Most by which the count can differ between neighbors. [1, 10^9]
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors: those of the sensitivity.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    Notes
    -----
    For one count. Several counts that one record can change are several entries, each with its own
    sensitivity: their rho add up.

    References
    ----------
    .. [1] C. L. Canonne, G. Kamath, T. Steinke, The discrete Gaussian for differential privacy,
       NeurIPS 2020, Theorem 4.

    Examples
    --------
    >>> from dprisk.mechanisms import DiscreteGaussian
    >>> mechanism = DiscreteGaussian(sigma=2.0, sensitivity=1, neighbors="add-remove")
    >>> mechanism.guarantee().parameters["rho"]
    0.125
    """

    sigma: float
    sensitivity: int
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "discrete-gaussian"

    def __post_init__(self) -> None:
        settle(self, sigma=FINITE_POSITIVE)
        fix = "Discrete Gaussian noise is for counts; for other numbers use gaussian."
        assign(self, sensitivity=whole("sensitivity", self.sensitivity, 1, fix=fix))

    def guarantee(self) -> Guarantee:
        """Zero-concentrated DP with rho = sensitivity^2 / (2 sigma^2)."""
        rho = rounded_up((self.sensitivity / Fraction(self.sigma)) ** 2 / 2)
        return ZeroConcentratedDP(rho, neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Loss of one count that differs by the whole sensitivity."""
        limited("sensitivity / sigma", self.sensitivity / self.sigma)
        return LossPair.known(
            DiscreteGaussianLoss(self.sigma, self.sensitivity),
            label=english("mechanism.discrete-gaussian"),
        )

    def _renyi(self, s: Floats) -> Floats:
        rho = self.sensitivity / self.sigma * (self.sensitivity / self.sigma) / 2.0
        # two roundings of each quotient, three of products, one of a sum
        stated = rho * (s + 1.0) * (1.0 + 8.0 * ULP)  # no order has more [1]_
        return np.minimum(divergence(self.losses(), s), stated)

    @property
    def outputs(self) -> Outputs:
        """The count with noise."""
        return counted(normal(self.sigma, self.exact_probability), self.sensitivity)

    @property
    def noise_sd(self) -> float | None:
        """A little below sigma where sigma is small."""
        k = np.arange(-TERMS, TERMS + 1.0)
        if self.sigma >= NEARLY_NORMAL:
            return self.sigma
        if self.sigma >= NARROW:
            dual = np.exp(-2.0 * (np.pi * self.sigma * k) ** 2)
            lost = float((dual * (2.0 * np.pi * self.sigma * k) ** 2).sum() / dual.sum())
            return self.sigma * math.sqrt(1.0 - lost)
        weights = _weights(self.sigma, k)
        return math.sqrt(float((weights * k * k).sum() / weights.sum()))

    @property
    def exact_probability(self) -> float | None:
        """P[0], one over the sum of e^(-k^2 / (2 sigma^2))."""
        k = np.arange(-TERMS, TERMS + 1.0)
        if self.sigma >= NARROW:
            dual = np.exp(-2.0 * (np.pi * np.minimum(self.sigma, NEARLY_NORMAL) * k) ** 2)
            return 1.0 / (self.sigma * math.sqrt(2.0 * math.pi)) / float(dual.sum())
        return 1.0 / float(_weights(self.sigma, k).sum())


def _weights(sigma: float, k: Floats) -> Floats:
    """e^(-k^2 / (2 sigma^2))."""
    with np.errstate(over="ignore", divide="ignore"):
        return np.asarray(np.exp(-np.square(k / sigma) / 2.0))
