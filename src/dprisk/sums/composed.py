"""What many privacy losses add up to, by the method that suits them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP, Loss
from dprisk.sums.line import Bracket

__all__ = ["ComposedLoss", "composed"]

DOWNWARDS = 32 * ULP  # of what was rounded upwards by a third of that or less


class ComposedLoss(ABC):
    """Sum of independent privacy losses, one ordered pair of distributions each."""

    __slots__ = ()

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
    def corners(self, most: int) -> Floats | None:
        """All x > 0 at which delta has a corner, where there are at most so many."""

    @abstractmethod
    def quick(self) -> ComposedLoss:
        """The same sum, in brackets that are cheap for many questions."""

    @abstractmethod
    def reach(self) -> tuple[float, float, float]:
        """Mean of Z if positive, its standard deviation, and where delta is as good as nothing."""


def composed(
    parts: tuple[tuple[Loss, int], ...], accuracy: float, finer: float = 1.0
) -> ComposedLoss:
    """The sum of losses, each so many times.

    Parameters
    ----------
    parts : tuple of (Loss, int)
        Each loss, and how often it occurs. At least one.
    accuracy : float
        How wide a bracket may become, in nats of epsilon, where a choice exists. (0, 1]
    finer : float
        How many times as many nodes as usual a line may have. [1, inf)
    """
    from dprisk.sums.by_binomial import as_binomial

    distinct = _merged(parts) if len(parts) > 1 else parts
    hidden = math.prod((1.0 - loss.infinite) ** count for loss, count in distinct)
    if hidden < ULP / 8.0:
        from dprisk.sums.by_points import revealed

        return revealed()
    return as_binomial(distinct) or _by_numbers(distinct, accuracy, finer)


def _merged(parts: tuple[tuple[Loss, int], ...]) -> tuple[tuple[Loss, int], ...]:
    """Equal losses together."""
    counts: dict[Loss, int] = {}
    for loss, count in parts:
        counts[loss] = counts.get(loss, 0) + count
    return tuple(counts.items())


def _by_numbers(
    distinct: tuple[tuple[Loss, int], ...], accuracy: float, finer: float
) -> ComposedLoss:
    """Where there is no closed form."""
    from dprisk.sums.by_cut import as_cut
    from dprisk.sums.by_grid import as_grid
    from dprisk.sums.by_laplace import as_laplace
    from dprisk.sums.by_lines import MANY, ByLines
    from dprisk.sums.by_once import as_once
    from dprisk.sums.by_points import as_points
    from dprisk.sums.by_splines import as_splines
    from dprisk.sums.by_totals import ByTotals, as_tiny
    from dprisk.sums.mixed import as_mixed
    from dprisk.sums.near_lattice import as_near_lattice

    nodes = int(MANY * finer)
    tiny = as_tiny(distinct)
    if tiny:
        rest = tuple(part for part in distinct if part not in tiny)
        return ByTotals(tiny, composed(rest, accuracy, finer) if rest else None)
    by_value = tuple((_by_value(loss), count) for loss, count in distinct)
    return (
        as_points(distinct)
        or as_once(distinct)
        or as_splines(distinct)
        or as_mixed(distinct)
        or as_laplace(distinct, accuracy, nodes)
        or as_grid(distinct, accuracy, finer)
        or as_cut(by_value, accuracy, nodes)
        or as_near_lattice(distinct, accuracy, nodes)
        or ByLines(by_value, accuracy, nodes=nodes)
    )


def _by_value(loss: Loss) -> Loss:
    """What lines take for granted of few values, they know of points only."""
    from dprisk.losses.response import ResponseLoss

    return loss.points if isinstance(loss, ResponseLoss) else loss
