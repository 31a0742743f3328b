"""Guarantees that hold as long as a cipher or generator cannot be told from an ideal one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dprisk._checks import NONNEGATIVE, PROBABILITY, assign, scalar
from dprisk._numeric.rounding import product_up, sum_up, times_exp, up
from dprisk._values import result
from dprisk.releases.notes import _filled


@final
@result
@dataclass(frozen=True, repr=False)
class Computational:
    """Distance of what a release really runs from the ideal one that its promises are about.

    Parameters
    ----------
    advantage : float
        On each dataset, the largest difference between the probabilities that an adversary with
        bounded computing power accepts the real output and the ideal one, for one release of
        everything. [0, 1]
    assumption : str
        The cipher or generator, as in "noise from an AES-CTR generator".

    Raises
    ------
    InvalidInput
        If `assumption` is empty.
    OutOfRange
        If `advantage` is outside its range.

    References
    ----------
    .. [1] P4, Subtlety 1.
    .. [2] dprisk Proposition 34.

    Examples
    --------
    >>> from dprisk.releases import Computational
    >>> Computational(2.0**-100, "noise from an AES-CTR generator").delta(1.0, releases=12) < 1e-28
    True
    """

    advantage: float
    assumption: str

    def __post_init__(self) -> None:
        advantage = scalar("computational.advantage", self.advantage, PROBABILITY)
        assign(self, advantage=advantage)
        _filled("computational.assumption", self.assumption)

    def total(self, releases: int = 1) -> float:
        """The advantage over several releases.

        Parameters
        ----------
        releases : int
            How many. [1, 10^9]

        Returns
        -------
        float
            At most the sum of their advantages, rounded up. [0, 1]
        """
        return min(
            1.0, float(product_up(float(releases), up(self.advantage, self.advantage == 0.0)))
        )

    def delta(self, epsilon: float, releases: int = 1) -> float:
        """The amount that the difference adds to delta.

        Parameters
        ----------
        epsilon : float
            Privacy loss limit. [0, inf], nats
        releases : int
            How many there are. [1, 10^9]

        Returns
        -------
        float
            (1 + e^epsilon) times the advantage over all of them, rounded up. [0, 1]
        """
        epsilon, total = scalar("epsilon", epsilon, NONNEGATIVE), self.total(releases)
        grown = up(times_exp(total, epsilon), total == 0.0)
        return min(1.0, float(sum_up(total, grown)))
