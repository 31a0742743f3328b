"""The guarantee that composition gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy.typing as npt

from dprisk._values import brief, result
from dprisk.answer import Answer
from dprisk.guarantees.base import Guarantee, Sides
from dprisk.theorems import ONE_RELEASE, Theorem


@final
@result
@dataclass(frozen=True, repr=False)
class Composed:
    """The guarantee of all releases together. Made by `compose`.

    Parameters
    ----------
    guarantee : Guarantee
        What everything published keeps, as a whole.
    theorem : Theorem
        The rule that was used.
    lossy : tuple of str
        Which parts were first weakened to a common definition, and how.
    """

    guarantee: Guarantee
    theorem: Theorem
    lossy: tuple[str, ...] = ()

    @property
    def is_alone(self) -> bool:
        """Whether there was one promise, made once, so that nothing had to be composed."""
        return self.theorem == ONE_RELEASE

    def __repr__(self) -> str:
        weakened = f"; {len(self.lossy)} of them weakened first" if self.lossy else ""
        return f"<Composed: {brief(self.guarantee, '', 160)}, by {self.theorem}{weakened}>"

    def delta(self, epsilon: npt.ArrayLike) -> Answer:
        """The privacy profile of everything together.

        Parameters
        ----------
        epsilon : array_like of float
            Privacy loss limit. [0, inf], nats

        Returns
        -------
        Answer
            As `Guarantee.delta`.
        """
        return self.guarantee.delta(epsilon)

    def epsilon(self, delta: npt.ArrayLike) -> Answer:
        """The least epsilon for which everything together keeps (epsilon, delta)-DP.

        Parameters
        ----------
        delta : array_like of float
            Additive slack. [0, 1]

        Returns
        -------
        Answer
            As `Guarantee.epsilon`.
        """
        return self.guarantee.epsilon(delta)

    def power(self, level: npt.ArrayLike) -> Answer:
        """Most power of any test against everything together.

        Parameters
        ----------
        level : array_like of float
            Probability of a false alarm. [0, 1]

        Returns
        -------
        Answer
            As `Guarantee.power`.
        """
        return self.guarantee.power(level)

    def tail(
        self, epsilon: npt.ArrayLike, *, sides: Sides = "both", post_processing: bool = True
    ) -> Answer:
        """How likely everything together moves the odds by a factor of more than e^epsilon.

        Parameters
        ----------
        epsilon : array_like of float
            Shift of the log-odds. [0, inf], nats
        sides : {"both", "one"}
            In both directions, or in one of them.
        post_processing : bool
            Whether it holds for anything computed from the output.

        Returns
        -------
        Answer
            As `Guarantee.tail`.
        """
        return self.guarantee.tail(epsilon, sides=sides, post_processing=post_processing)
