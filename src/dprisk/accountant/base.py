"""What every sum of privacy losses answers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

from dprisk._numeric.logspace import Floats
from dprisk.accountant.bracket import Bracket
from dprisk.losses.base import ULP, Loss, LossPair
from dprisk.theorems import Theorem

Parts = tuple[tuple[Loss, int], ...]
"""Each loss, and how often it occurs."""

LARGEST_EXPONENT = 700.0  # exp of it is still finite
DOWNWARDS = 32 * ULP  # of what was rounded upwards by a third of that or less


def revealed_off(parts: Parts) -> float:
    """Relative error, at most, of the probability that some loss is infinite."""
    # expm1 two roundings, each logarithm two, each part a product and a sum; four times that
    return 4 * ULP * (2.0 + len(parts))


def probabilities_off(pairs: Iterable[tuple[LossPair, int]]) -> float:
    """How far products of probabilities are off, relatively, at most."""
    exponent = sum(count * pair.relative_error for pair, count in pairs)  # k r >= k log(1 + r)
    return math.expm1(min(exponent, LARGEST_EXPONENT))


class ComposedLoss(ABC):
    """Sum of independent privacy losses, one ordered pair of distributions each."""

    __slots__ = ()

    @property
    @abstractmethod
    def theorem(self) -> Theorem:
        """What both ends of delta and epsilon rest on."""

    @property
    @abstractmethod
    def infinite(self) -> float:
        """Probability under P that some loss is infinite, rounded upwards."""

    @property
    @abstractmethod
    def support(self) -> tuple[float, float]:
        """Smallest and largest finite loss, rounded outwards."""

    @property
    def largest(self) -> float:
        """Largest finite loss, rounded downwards."""
        top = self.support[1]
        return top * (1.0 - math.copysign(DOWNWARDS, top))

    @abstractmethod
    def delta(self, x: Floats) -> Bracket:
        """E[(1 - e^(x - Z))+] over finite and infinite Z, for x >= 0."""

    @abstractmethod
    def slope(self, x: Floats) -> Floats:
        """Derivative of delta in x, roughly: for guesses that are checked."""

    @abstractmethod
    def epsilon(self, delta: Floats) -> Bracket:
        """Least x >= 0 with delta(x) <= delta; as computed, too, at the upper end."""

    @abstractmethod
    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """Probability of Z > x >= 0 under P; or of a finite Z > x under the other, Q."""

    @abstractmethod
    def kinks(self, most: int) -> Floats | None:
        """All x > 0 at which delta has a corner, where there are at most so many."""

    @property
    def corners_off(self) -> float:
        """How far a corner may be from where `kinks` says, beyond the roundings of its value."""
        return 0.0

    @abstractmethod
    def cheap(self) -> ComposedLoss:
        """The same sum, in brackets that are cheap for many questions."""

    @abstractmethod
    def mean_sd_range(self) -> tuple[float, float, float]:
        """Mean of Z if positive, its standard deviation, and where delta is as good as nothing."""


AddUp = Callable[[Parts, float, float], ComposedLoss]
"""`composed`, for a way that asks for other sums: parts, accuracy, finer."""

Sides = tuple[ComposedLoss, ComposedLoss]
"""Sums that the true one dominates, and that dominate it; one object where it is known."""
