"""What every privacy loss answers: its moment generating function, and how well it is known."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats

__all__ = ["ULP", "Complexes", "Lattice", "Loss", "LossPair"]

Complexes = npt.NDArray[np.complex128]

ULP = float(np.finfo(float).eps)


class Lattice(NamedTuple):
    """Losses are `origin` plus a whole multiple of `spacing`."""

    origin: float
    spacing: float


class Loss(ABC):
    """Privacy loss Z = log(P(y) / Q(y)), y drawn from P, of one ordered pair of distributions.

    The moment M(s) = E_P[e^(s Z); Z finite] determines it: M(0) is the probability under P, M(-1)
    the probability under Q, of the outputs at which Z is finite.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def infinite(self) -> float:
        """Probability under P of outputs that are impossible under Q."""

    @property
    @abstractmethod
    def support(self) -> tuple[float, float]:
        """Smallest and largest finite value of Z, or bounds for them; possibly infinite."""

    @property
    @abstractmethod
    def lattice(self) -> Lattice | None:
        """The lattice of all finite values of Z, where there is one."""

    @abstractmethod
    def log_moment(self, s: Complexes) -> Complexes:
        """log M(s), on any branch; s of any shape, with any real part."""

    @abstractmethod
    def rounding(self, s: Complexes, log_moment: Complexes) -> Floats:
        """At most how far `log_moment`, as computed at s, is from the truth (absolute)."""

    @abstractmethod
    def decay(self, theta: float, start: float, stop: float) -> float:
        """Some d >= 0 with abs(M(theta + i t)) <= e^-d M(theta) for start <= t <= stop."""

    @abstractmethod
    def reverse(self) -> Loss:
        """The loss of the pair (Q, P): its moment is M(-1 - s) on the outputs that both have."""


@final
@dataclass(frozen=True)
class LossPair:
    """The losses of one mechanism in both directions, each between two that are computable.

    Parameters
    ----------
    forward, backward : tuple of (Loss, Loss)
        For the pair (P, Q) and for (Q, P): one that the true loss dominates (a post-processing of
        the pair), and one that dominates it. The same object twice where the loss is known.
    own : bool
        Whether these are the losses of the mechanism itself; otherwise they dominate it, and say
        nothing about how its raw output is distributed.
    label : str
        What was run, for people.
    relative_error : float
        At most by which each probability in `forward` and `backward` is off, relatively. [0, 1e-6]
    """

    forward: tuple[Loss, Loss]
    backward: tuple[Loss, Loss]
    own: bool = True
    label: str = ""
    relative_error: float = 0.0

    @classmethod
    def known(cls, loss: Loss, own: bool = True, label: str = "") -> LossPair:
        """A loss that is known, with its reverse."""
        back = loss.reverse()
        return cls((loss, loss), (back, back), own, label)

    @property
    def symmetric(self) -> bool:
        """Whether both directions are the same."""
        return self.forward == self.backward

    @property
    def exact(self) -> bool:
        """Whether the loss itself is known, not just two around it."""
        return self.forward[0] == self.forward[1] and self.backward[0] == self.backward[1]

    def directions(self) -> tuple[Any, ...]:
        """The directions that differ."""
        return (self.forward,) if self.symmetric else (self.forward, self.backward)
