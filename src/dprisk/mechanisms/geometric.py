"""The geometric mechanism: Laplace noise on the integers."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, final

import numpy as np

from dprisk._checks import FINITE_POSITIVE, assign, settle, whole
from dprisk._numeric.exact import Double, exp_minus_quotient, quotient_up
from dprisk.guarantees import Guarantee, PureDP
from dprisk.guarantees.base import Neighbors
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Lattice, LossPair
from dprisk.mechanisms.base import Mechanism, Outputs, counted, laplace, limited
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
