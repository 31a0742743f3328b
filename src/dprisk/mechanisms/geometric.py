"""The geometric mechanism: Laplace noise on the integers."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import final

from dprisk._checks import FINITE_POSITIVE, one_of, scalar
from dprisk.guarantees import Guarantee, PureDP
from dprisk.guarantees.base import NEIGHBORS, Neighbors
from dprisk.mechanisms.base import Mechanism, whole

__all__ = ["Geometric"]


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
    OutOfRange
        If `scale` or `sensitivity` is outside its range.
    InvalidInput
        If `neighbors` is not one of the two relations.

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

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", scalar("scale", self.scale, FINITE_POSITIVE))
        object.__setattr__(self, "sensitivity", whole("sensitivity", self.sensitivity, 1, _COUNTS))
        one_of("neighbors", self.neighbors, NEIGHBORS)

    def guarantee(self) -> Guarantee:
        """Pure DP with epsilon = sensitivity / scale.

        Returns
        -------
        PureDP
            Exact: no smaller epsilon holds.
        """
        return PureDP(self.sensitivity / self.scale, neighbors=self.neighbors)


_COUNTS = "Geometric noise is for counts; for other numbers use laplace."
