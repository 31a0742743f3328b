"""Noise on the integers: the geometric mechanism and the discrete Gaussian one."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from dprisk._checks import FINITE_POSITIVE, assign, settle, whole
from dprisk._numeric.exact import Double, exp_minus_quotient, quotient_up, rounded_up
from dprisk._numeric.logspace import Floats
from dprisk.guarantees import Guarantee, PureDP, ZeroConcentratedDP
from dprisk.guarantees.base import Neighbors
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Lattice, LossPair, divergence
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.mechanisms.base import Mechanism, Outputs, counted, laplace, limited, normal
from dprisk.text import english


@final
@dataclass(frozen=True, slots=True)
class Geometric(Mechanism):
    """Two-sided geometric noise, P[k] proportional to a^abs(k), is added to each count.

    Its parameter is a = exp(-1 / scale), so that `scale` means what it means for Laplace noise.

    Parameters
    ----------
    scale : float
        Width of the noise, in counts. (0, inf)
    sensitivity : int
        Most by which the counts can differ in sum (L1) between neighbors. [1, 10^9]
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors: those of the sensitivity.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    References
    ----------
    .. [1] A. Ghosh, T. Roughgarden, M. Sundararajan, Universally utility-maximizing privacy
       mechanisms, SIAM J. Comput. 41, 2012, Definition 2.2.
    .. [2] P1, Example 4.4.

    Examples
    --------
    >>> from dprisk.mechanisms import Geometric
    >>> Geometric(scale=4.0, sensitivity=2, neighbors="add-remove").guarantee()
    PureDP(epsilon=0.5, neighbors='add-remove')
    """

    scale: float
    sensitivity: int
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "geometric"

    def __post_init__(self) -> None:
        settle(self, scale=FINITE_POSITIVE)
        fix = "Geometric noise is for counts; for other numbers use laplace."
        assign(self, sensitivity=whole("sensitivity", self.sensitivity, 1, fix=fix))

    def guarantee(self) -> Guarantee:
        """Pure DP with epsilon = sensitivity / scale."""
        return PureDP(quotient_up(self.sensitivity, self.scale), neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Loss of one count that differs by the whole sensitivity, k: it has k + 1 values."""
        k = whole("sensitivity", self.sensitivity, 1, 10**6, "With this many values, use laplace.")
        limited("sensitivity / scale", k / self.scale)
        j = np.arange(k + 1.0)
        inner = -np.expm1(-1.0 / self.scale) * (j > 0.0) * (j < k) + (j == 0.0) + (j == k)
        outer = exp_minus_quotient(j, Double(np.asarray(self.scale), np.zeros(())))
        masses = outer * inner / (1.0 + np.exp(-1.0 / self.scale))
        loss = AtomicLoss.of(
            (k - 2.0 * j) / self.scale,
            masses,
            lattice=Lattice(0.0, 2.0 / self.scale),
            reverse_masses=masses[::-1],
        )
        return LossPair.known(loss, label=english("mechanism.geometric"))

    @property
    def _probabilities_off(self) -> float:
        # masses: exponents up to the largest loss, rounded three times, and as many products
        return 8.0 * ULP * (1.0 + self.sensitivity / self.scale)

    @property
    def outputs(self) -> Outputs:
        """The count with noise."""
        return counted(laplace(self.scale, self.exact_probability), self.sensitivity)

    @property
    def noise_sd(self) -> float | None:
        """sqrt(2 a) / (1 - a)."""
        rate = 1.0 / self.scale
        return math.sqrt(2.0) * math.exp(-rate / 2.0) / -math.expm1(-rate)

    @property
    def exact_probability(self) -> float | None:
        """(1 - a) / (1 + a)."""
        return math.tanh(0.5 / self.scale)


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
