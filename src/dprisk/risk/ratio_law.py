"""How a ratio of posteriors is distributed in a small world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from dprisk._values import result
from dprisk.risk.world_input import Numbers


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class RatioLaw:
    """How a ratio of posteriors is distributed. Made by `SmallWorld`.

    Parameters
    ----------
    ratios : ndarray
        Its values, rising; inf where the posterior without the record is 0 or undefined. [0, inf]
    probabilities : ndarray
        How likely each is. [0, 1]
    """

    ratios: Numbers
    probabilities: Numbers

    def exceeding(self, ratio: Any) -> Any:
        """How likely the ratio is above a limit.

        Parameters
        ----------
        ratio : float or Fraction
            The limit. [0, inf]

        Returns
        -------
        float or Fraction
            Probability in [0, 1]; exact.
        """
        return self.probabilities[self.ratios > ratio].sum()

    def reaching(self, ratio: Any) -> Any:
        """How likely the ratio is at a limit or above it.

        Parameters
        ----------
        ratio : float or Fraction
            The limit. [0, inf]

        Returns
        -------
        float or Fraction
            Probability in [0, 1]; exact.
        """
        return self.probabilities[self.ratios >= ratio].sum()

    @property
    def largest(self) -> Any:
        """The largest ratio that occurs at all."""
        return self.ratios[self.probabilities > 0][-1]
