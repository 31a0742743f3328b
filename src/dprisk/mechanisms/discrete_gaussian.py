"""The discrete Gaussian mechanism."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import final

from dprisk._checks import FINITE_POSITIVE, one_of, scalar
from dprisk.guarantees import Guarantee, ZeroConcentratedDP
from dprisk.guarantees.base import NEIGHBORS, Neighbors
from dprisk.mechanisms.base import Mechanism, whole

__all__ = ["DiscreteGaussian"]


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
    OutOfRange
        If `sigma` or `sensitivity` is outside its range.
    InvalidInput
        If `neighbors` is not one of the two relations.

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

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma", scalar("sigma", self.sigma, FINITE_POSITIVE))
        object.__setattr__(self, "sensitivity", whole("sensitivity", self.sensitivity, 1, _COUNTS))
        one_of("neighbors", self.neighbors, NEIGHBORS)

    def guarantee(self) -> Guarantee:
        """Zero-concentrated DP with rho = sensitivity^2 / (2 sigma^2).

        Returns
        -------
        ZeroConcentratedDP
            An upper bound that is close for every but the smallest sigma.

        Raises
        ------
        OutOfRange
            If the noise is so small beside the sensitivity that the parameter overflows.
        """
        ratio = self.sensitivity / self.sigma
        return ZeroConcentratedDP(ratio * ratio / 2.0, neighbors=self.neighbors)


_COUNTS = "Discrete Gaussian noise is for counts; for other numbers use gaussian."
