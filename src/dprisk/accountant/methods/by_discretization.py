"""Few subsampled normal losses, between two sums on a lattice, where lines have many nodes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple, final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.accountant.abscissas import MOST_NODES
from dprisk.accountant.loss_sum import (
    DOWNWARDS,
    AddUp,
    Bracket,
    LossSum,
    Parts,
    Spread,
    enclosed,
    probabilities_off,
    revealed_off,
    tail_of_density,
)
from dprisk.accountant.methods.by_truncation import as_truncation
from dprisk.losses.base import ULP, Loss, LossPair
from dprisk.losses.density import shifted_on_lattice, shifted_points, shifted_spacing
from dprisk.losses.normal import NormalLoss
from dprisk.losses.subsampled_normal import SubsampledNormalLoss
from dprisk.progress import report
from dprisk.theorems import CUT_LOSS, Theorem

LITTLE_NOISE, MUCH_NOISE = 1.5, 0.8  # mu at least, and at most
MOST_DRAWN = 1.0  # records' shifts, on average: with more, sums on lines have few nodes
COARSEST = 0.5  # of the rate: the spacing, as most losses are -log(1 - rate) or so
MOST_REFINED = 4.0  # times as usual
LEAST_DELTA = 1e-30  # what is smaller is asked of lines: lattices end at 1e-40
POOR_BRACKET = 1e-3  # of delta, or of epsilon: so wide a bracket is looked at once more
MANY_QUESTIONS = 128
MOST_POINTS = (2**19, 2**21)  # of a sum: above, lines are quicker for few and for many questions


class Between(NamedTuple):
    """Two sums, of which the true one dominates the first and is dominated by the second."""

    below: LossSum
    above: LossSum
    slack: float

    @classmethod
    def of(cls, parts: Parts, accuracy: float, finer: float, add_up: AddUp) -> Between:
        """Every subsampled loss on a lattice."""
        sides: tuple[list[tuple[Loss, int]], ...] = ([], [])
        made: list[tuple[LossPair, int]] = []
        for i, (loss, count) in enumerate(parts):
            report("making grids", i, len(parts))
            found: tuple[Loss, Loss] = (loss, loss)
            if isinstance(loss, SubsampledNormalLoss):
                pair = shifted_on_lattice(loss.mu, loss.rate, finer * _finer(loss))
                found = pair.backward if loss.added else pair.forward
                made.append((pair, count))
            for side, one in zip(sides, found, strict=True):
                side.append((one, count))
        below, above = (add_up(tuple(side), accuracy, max(finer, 1.0)) for side in sides)
        return cls(below, above, probabilities_off(made))

    def delta(self, x: Floats) -> Bracket:
        """Delta at least and at most, for probabilities that are off a little."""
        off = self.slack
        low = self.below.delta(x + 2.0 * off).lower * max(1.0 - off, 0.0)
        report("adding up grids", 1, 2)
        high = self.above.delta(np.maximum(x - 2.0 * off, 0.0)).upper * (1.0 + off)
        return Bracket(low, np.minimum(high + np.maximum(2.0 * off - x, 0.0), 1.0))

    def epsilon(self, delta: Floats) -> Bracket:
        """Epsilon, about: the ends are made certain by `delta`."""
        low = self.below.epsilon(delta).lower
        report("adding up grids", 1, 2)
        high = self.above.epsilon(delta).upper
        return Bracket(np.minimum(low, high), high)


@final
@dataclass(frozen=True, eq=False)
class ByDiscretization(LossSum):
    """Sum of losses of which few are subsampled normal ones; `far` is the same sum by lines."""

    theorem: ClassVar[Theorem] = CUT_LOSS

    parts: Parts
    accuracy: float
    finer: float
    far: LossSum
    add_up: AddUp
    is_coarse: bool = False

    @cached_property
    def _near(self) -> Between:
        near = Between.of(self.parts, self.accuracy, self.finer, self.add_up)
        if self.is_coarse:
            return near._replace(below=near.below.coarse(), above=near.above.coarse())
        return near

    @cached_property
    def mass_at_infinity(self) -> float:
        """Probability that some other loss is infinite: what a lattice cuts off is not."""
        with np.errstate(divide="ignore"):
            logs = [n * np.log1p(-loss.infinite) for loss, n in self.parts if not _is_few(loss)]
        return float(-np.expm1(np.sum(logs))) + 0.0

    @cached_property
    def support(self) -> tuple[float, float]:
        """Without an upper end, or a lower one, as each subsampled loss."""
        (low, below), (high, above) = self._summed(0), self._summed(1)
        return low - below, high + above

    @property
    def largest(self) -> float:
        """Largest loss, rounded downwards."""
        high, off = self._summed(1)
        return high - DOWNWARDS * abs(high) - off if np.isfinite(high) else high

    def _summed(self, end: int) -> tuple[float, float]:
        """One end of all losses together, and its error."""
        each = [count * _ends(loss)[end] for loss, count in self.parts]
        # a product and a sum for each part: a rounding each, of their absolute values
        return sum(each), 4 * ULP * (1.0 + len(each)) * sum(map(abs, each))

    def delta(self, x: Floats) -> Bracket:
        """Delta of both sums; what is revealed is all there is beyond the last loss."""
        low, high = self._asked(Between.delta, _delta, x, lambda found: found.upper)
        off = revealed_off(self.parts)
        high = np.where(x >= self.support[1], self.mass_at_infinity * (1.0 + off), high)
        low = np.where(x >= self.support[1], 0.0, low)
        low = np.maximum(low, self.mass_at_infinity * (1.0 - off))
        return Bracket(np.minimum(low, high), high)

    def epsilon(self, delta: Floats) -> Bracket:
        """Epsilon of both sums, then a step to either safe side."""
        revealed, top = self.mass_at_infinity, self.support[1]
        low, high = np.zeros_like(delta), np.zeros_like(delta)
        off = revealed_off(self.parts)
        high[delta <= revealed * (1.0 + off)] = np.inf if revealed else top
        low[delta <= revealed * (1.0 - off)] = np.inf if revealed else max(self.largest, 0.0)
        some = np.flatnonzero((delta > revealed * (1.0 + off)) & (delta < 1.0))
        if not some.size:
            return Bracket(np.minimum(low, high), high)
        asked = delta[some]
        start, end = self._asked(Between.epsilon, _epsilon, asked, lambda _: asked - revealed)
        reached = np.isfinite(end)
        found = enclosed(self.delta, start[reached], end[reached], asked[reached], top)
        start[reached], end[reached] = found
        low[some], high[some] = np.minimum(start, end), end
        return Bracket(low, high)

    def _asked(
        self,
        near: Callable[[Between, Floats], Bracket],
        far: Callable[[LossSum, Floats], Bracket],
        asked: Floats,
        size: Callable[[Bracket], Floats],
    ) -> Bracket:
        """The lattice or the lines first; what is poor, or too faint for a lattice, by both."""
        many = self.is_coarse or asked.size >= MANY_QUESTIONS
        lines = self._points > MOST_POINTS[many]
        found = far(self.far, asked) if lines else near(self._near, asked)
        low, high = found
        faint = (size(found) < LEAST_DELTA) & (not lines)
        poor = np.flatnonzero((high - low > POOR_BRACKET * high) | faint)
        if poor.size:
            other = near(self._near, asked[poor]) if lines else far(self.far, asked[poor])
            low[poor] = np.maximum(low[poor], other.lower)
            high[poor] = np.minimum(high[poor], other.upper)
        return Bracket(np.minimum(low, high), high)

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """The tail, from the slope of delta."""
        return tail_of_density(self.delta, x, self.spread.deviation, other)

    def coarse(self) -> LossSum:
        """The same with coarse sums."""
        return self if self.is_coarse else self._coarse

    @cached_property
    def _coarse(self) -> ByDiscretization:
        return replace(self, far=self.far.coarse(), is_coarse=True)

    @cached_property
    def spread(self) -> Spread:
        """Mean and deviation of the dominating sum, and the longer reach of the lines."""
        bulk = self.far if self._points > MOST_POINTS[0] else self._near.above
        return bulk.spread._replace(reach=self.far.spread.reach)

    @property
    def has_density(self) -> bool:
        """One loss with a density is enough."""
        return True

    @cached_property
    def _points(self) -> float:
        """Lattice points of the whole sum, on the finest lattice."""
        few = [(loss, n) for loss, n in self.parts if isinstance(loss, SubsampledNormalLoss)]
        spacings = [shifted_spacing(loss.mu, loss.rate) for loss, _ in few]
        reach = sum(
            n * shifted_points(loss.mu, loss.rate) * spacing
            for (loss, n), spacing in zip(few, spacings, strict=True)
        )
        finest = min(s / _finer(loss) for (loss, _), s in zip(few, spacings, strict=True))
        return self.finer * reach / finest


def _delta(loss: LossSum, x: Floats) -> Bracket:
    return loss.delta(x)


def _epsilon(loss: LossSum, delta: Floats) -> Bracket:
    return loss.epsilon(delta)


def _is_few(loss: Loss) -> bool:
    return isinstance(loss, SubsampledNormalLoss)


def _ends(loss: Loss) -> tuple[float, float]:
    if not isinstance(loss, SubsampledNormalLoss):
        return loss.support
    edge = -math.log1p(-loss.rate)
    return (-math.inf, edge) if loss.added else (-edge, math.inf)


def _finer(loss: SubsampledNormalLoss) -> float:
    """A power of two by which the lattice has to be finer than usual."""
    share = shifted_spacing(loss.mu, loss.rate) / (COARSEST * loss.rate)
    return 2.0 ** max(0, math.ceil(math.log2(share)))


def as_discretization(
    parts: Parts, accuracy: float, finer: float, add_up: AddUp
) -> ByDiscretization | None:
    """If there are subsampled normal losses, but few, and a lattice suits them."""
    few = [(loss, count) for loss, count in parts if isinstance(loss, SubsampledNormalLoss)]
    if not few or any(_finer(loss) > MOST_REFINED for loss, _ in few):
        return None
    if any(isinstance(loss, NormalLoss) for loss, _ in parts):  # with which lines are short
        return None
    many, drawn = sum(n for _, n in few), sum(loss.rate * n for loss, n in few)
    largest = max(loss.mu for loss, _ in few)
    if many > (8 if largest >= LITTLE_NOISE else 3) and (
        many > (8 if largest <= MUCH_NOISE else 32) or drawn >= MOST_DRAWN
    ):
        return None
    far = as_truncation(parts, accuracy, int(MOST_NODES * finer))
    return None if far is None else ByDiscretization(parts, accuracy, finer, far, add_up)
