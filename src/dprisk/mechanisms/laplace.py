"""The Laplace mechanism."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, final

from dprisk._checks import FINITE_POSITIVE, settle
from dprisk._numeric.exact import quotient_up
from dprisk.guarantees import Guarantee, PureDP
from dprisk.guarantees.base import Neighbors
from dprisk.losses.base import LossPair
from dprisk.losses.laplace import LaplaceLoss
from dprisk.losses.normal import ResponseLoss
from dprisk.mechanisms.base import Mechanism, Outputs, added, laplace, limited
from dprisk.text import english

FAINT = 1e-25  # nats: what two Laplace densities differ by then is lost in the rounding of 1


@final
@dataclass(frozen=True, slots=True)
class Laplace(Mechanism):
    """Noise with density exp(-abs(x) / scale) / (2 scale) is added to each number.

    Parameters
    ----------
    scale : float
        Mean absolute value of the noise, in the units of the answer. (0, inf)
    sensitivity : float
        Most by which the answers can differ in sum (L1) between neighbors. (0, inf)
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors: those of the sensitivity.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    References
    ----------
    .. [1] C. Dwork, F. McSherry, K. Nissim, A. Smith, Calibrating noise to sensitivity in private
       data analysis, TCC 2006, Proposition 1.

    Examples
    --------
    >>> from dprisk.mechanisms import Laplace
    >>> Laplace(scale=2.0, sensitivity=1.0, neighbors="add-remove").guarantee()
    PureDP(epsilon=0.5, neighbors='add-remove')
    """

    scale: float
    sensitivity: float
    _: KW_ONLY
    neighbors: Neighbors

    kind: ClassVar[str] = "laplace"
    exact_probability = 0.0  # the noise is continuous

    def __post_init__(self) -> None:
        settle(self, scale=FINITE_POSITIVE, sensitivity=FINITE_POSITIVE)

    def guarantee(self) -> Guarantee:
        """Pure DP with epsilon = sensitivity / scale."""
        return PureDP(quotient_up(self.sensitivity, self.scale), neighbors=self.neighbors)

    def losses(self) -> LossPair:
        """Loss of one number that differs by the whole sensitivity: no other pair reveals more."""
        label = english("mechanism.laplace")
        ratio = limited("sensitivity / scale", self.sensitivity / self.scale)
        if ratio <= FAINT:
            # no more than a response tells, and as much as the one that says on which side of
            # the middle the output is, with log(2 e^(c/2) - 1) >= c - c^2 / 2
            above = ResponseLoss(quotient_up(self.sensitivity, self.scale))
            below = ResponseLoss(math.nextafter(math.nextafter(ratio, 0.0), 0.0))
            return LossPair((below, above), (below, above), label=label)
        return LossPair.known(LaplaceLoss.of(self.sensitivity, self.scale, ratio), label=label)

    @property
    def outputs(self) -> Outputs:
        """The answer with noise."""
        return added(laplace(self.scale), self.sensitivity)

    @property
    def noise_sd(self) -> float | None:
        """sqrt(2) times the scale."""
        return math.sqrt(2.0) * self.scale
