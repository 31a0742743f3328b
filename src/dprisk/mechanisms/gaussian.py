"""The Gaussian mechanism."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, final

from dprisk._checks import FINITE_POSITIVE, settle
from dprisk._numeric.exact import quotient_up
from dprisk.guarantees import GaussianDP, Guarantee
from dprisk.guarantees.base import Neighbors
from dprisk.losses.base import LossPair
from dprisk.losses.normal import NormalLoss
from dprisk.mechanisms.base import Mechanism, Outputs, added, limited, normal
from dprisk.text import english


@final
@dataclass(frozen=True, slots=True)
class Gaussian(Mechanism):
    """Normal noise is added to each number.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise, in the units of the answer. (0, inf)
    sensitivity : float
        Most by which the answers can lie apart (Euclidean distance) between neighbors. (0, inf)
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors: those of the sensitivity.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    References
    ----------
    .. [1] J. Dong, A. Roth, W. J. Su, Gaussian differential privacy, J. R. Stat. Soc. B 84, 2022,
       Theorem 1 (2.7 in the preprint).
    .. [2] P1, Example 5.10.

    Examples
    --------
    >>> from dprisk.mechanisms import Gaussian
    >>> Gaussian(sigma=2.0, sensitivity=1.0, neighbors="add-remove").guarantee()
    GaussianDP(mu=0.5, neighbors='add-remove')
    """

    sigma: float
    sensitivity: float
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "gaussian"
    exact_probability = 0.0  # the noise is continuous

    def __post_init__(self) -> None:
        settle(self, sigma=FINITE_POSITIVE, sensitivity=FINITE_POSITIVE)

    def guarantee(self) -> Guarantee:
        """Gaussian DP with mu = sensitivity / sigma."""
        return GaussianDP(quotient_up(self.sensitivity, self.sigma), neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Loss of two normals that are the whole sensitivity apart."""
        ratio = limited("sensitivity / sigma", self.sensitivity / self.sigma)
        return LossPair.known(NormalLoss(ratio), label=english("mechanism.gaussian"))

    @property
    def outputs(self) -> Outputs:
        """The answer with noise."""
        return added(normal(self.sigma), self.sensitivity)

    @property
    def noise_sd(self) -> float | None:
        """Sigma."""
        return self.sigma
