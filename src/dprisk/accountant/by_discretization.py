"""Few subsampled normal losses: between two sums on a lattice."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple, final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.accountant.abscissas import MOST_NODES
from dprisk.accountant.base import (
    DOWNWARDS,
    AddUp,
    ComposedLoss,
    Parts,
    probabilities_off,
    revealed_off,
)
from dprisk.accountant.bracket import Bracket
from dprisk.accountant.by_contour import MANY_QUESTIONS
from dprisk.accountant.by_truncation import as_truncation
from dprisk.accountant.from_profile import enclosed, tail_of_density
from dprisk.losses.base import ULP, Loss, LossPair
from dprisk.losses.mixtures import shifted_on_lattice, shifted_points, shifted_spacing
from dprisk.losses.normal import NormalLoss
from dprisk.losses.subsampled_normal import SubsampledNormalLoss
from dprisk.progress import report
from dprisk.theorems import CUT_LOSS, Theorem

FEW_LOSSES = 8  # subsampled losses, with little noise of any rate
MORE_LOSSES = 32  # unless there is much noise
FEWEST_LOSSES = 3  # always
LITTLE, MUCH = 1.5, 0.8  # noise: mu at least, and at most
MOST_DRAWN = 1.0  # records' shifts, on average: with more, sums on lines have few nodes
COARSEST = 0.5  # of the rate: the spacing, as most losses are -log(1 - rate) or so
MOST_REFINED = 4.0  # times as usual
LEAST_DELTA = 1e-30  # what is smaller is asked of lines: lattices end at 1e-40
POOR_BRACKET = 1e-3  # of delta, or of epsilon: so wide a bracket is looked at once more
MOST_POINTS_FOR_FEW = 2**19  # of a sum: above, lines are quicker for a few questions
MOST_POINTS_FOR_MANY = 2**21  # and for many questions


class Between(NamedTuple):
    """Two sums, of which the true one dominates the first and is dominated by the second."""

    below: ComposedLoss
    above: ComposedLoss
    off: float

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
        """At least and at most, for probabilities that are off a little."""
        off = self.off
        low = self.below.delta(x + 2.0 * off).lower * max(1.0 - off, 0.0)
        report("adding up grids", 1, 2)
        high = self.above.delta(np.maximum(x - 2.0 * off, 0.0)).upper * (1.0 + off)
        return Bracket(low, np.minimum(high + np.maximum(2.0 * off - x, 0.0), 1.0))

    def epsilon(self, delta: Floats) -> Bracket:
        """About where delta is reached."""
        low = self.below.epsilon(delta).lower
        report("adding up grids", 1, 2)
        high = self.above.epsilon(delta).upper
        return Bracket(np.minimum(low, high), high)

    def cheap(self) -> Between:
        """In brackets that are cheap for many questions."""
        return Between(self.below.cheap(), self.above.cheap(), self.off)


@final
@dataclass(frozen=True, eq=False)
class ByDiscretization(ComposedLoss):
    """Sum of losses of which few are subsampled normal ones."""

    theorem: ClassVar[Theorem] = CUT_LOSS

    parts: Parts
    accuracy: float
    finer: float
    far: ComposedLoss
    add_up: AddUp
    is_quick: bool = False

    @cached_property
    def _near(self) -> Between:
        found = Between.of(self.parts, self.accuracy, self.finer, self.add_up)
        return found.cheap() if self.is_quick else found

    @cached_property
    def infinite(self) -> float:
        """As of the others: what is cut off is not infinite."""
        others = [part for part in self.parts if not isinstance(part[0], SubsampledNormalLoss)]
        with np.errstate(divide="ignore"):
            logs = [count * np.log1p(-one.infinite) for one, count in others]
        return float(-np.expm1(np.sum(logs))) + 0.0

    @cached_property
    def support(self) -> tuple[float, float]:
        """Without an upper end, or a lower one, as each loss."""
        (low, below), (high, above) = self._summed(0), self._summed(1)
        return low - below, high + above

    @property
    def largest(self) -> float:
        """As that of each, rounded downwards."""
        high, off = self._summed(1)
        return high - DOWNWARDS * abs(high) - off if np.isfinite(high) else high

    def _summed(self, end: int) -> tuple[float, float]:
        """One end of all losses together, and how far it is off."""
        each = [count * _ends(loss)[end] for loss, count in self.parts]
        # a product and a sum for each part: a rounding each, of their absolute values
        return sum(each), 4 * ULP * (1.0 + len(each)) * sum(map(abs, each))

    def delta(self, x: Floats) -> Bracket:
        """By the lattice or by lines first; what is poor by the other as well."""
        lines = self._lines_first(x.size)
        low, high = (self.far if lines else self._near).delta(x)
        faint = (high < LEAST_DELTA) & (not lines)
        poor = np.flatnonzero((high - low > POOR_BRACKET * high) | faint)
        if poor.size:
            found = (self._near if lines else self.far).delta(x[poor])
            low[poor] = np.maximum(low[poor], found.lower)
            high[poor] = np.minimum(high[poor], found.upper)
        off = revealed_off(self.parts)
        high = np.where(x >= self.support[1], self.infinite * (1.0 + off), high)
        low = np.where(x >= self.support[1], 0.0, low)
        low = np.maximum(low, self.infinite * (1.0 - off))
        return Bracket(np.minimum(low, high), high)

    def _lines_first(self, questions: int) -> bool:
        """Whether lines are asked first, and the lattice only where they are poor."""
        few = questions < MANY_QUESTIONS and not self.is_quick
        return self._points > (MOST_POINTS_FOR_FEW if few else MOST_POINTS_FOR_MANY)

    @cached_property
    def _points(self) -> float:
        """Lattice points of the whole sum, on the finest lattice."""
        few = [(loss, n) for loss, n in self.parts if isinstance(loss, SubsampledNormalLoss)]
        steps = [shifted_spacing(loss.mu, loss.rate) / _finer(loss) for loss, _ in few]
        each = [
            n * shifted_points(loss.mu, loss.rate) * shifted_spacing(loss.mu, loss.rate)
            for loss, n in few
        ]
        return self.finer * sum(each) / min(steps)

    def slope(self, x: Floats) -> Floats:
        """That of the dominating sum, or of the contour."""
        return self._guide.slope(x)

    def epsilon(self, delta: Floats) -> Bracket:
        """Of both sums, then a step to either safe side."""
        revealed, top = self.infinite, self.support[1]
        low, high = np.zeros_like(delta), np.zeros_like(delta)
        off = revealed_off(self.parts)
        high[delta <= revealed * (1.0 + off)] = np.inf if revealed else top
        low[delta <= revealed * (1.0 - off)] = np.inf if revealed else max(self.largest, 0.0)
        some = np.flatnonzero((delta > revealed * (1.0 + off)) & (delta < 1.0))
        if not some.size:
            return Bracket(np.minimum(low, high), high)
        asked = delta[some]
        lines = self._lines_first(asked.size)
        start, end = (self.far if lines else self._near).epsilon(asked)
        faint = (asked - revealed < LEAST_DELTA) & (not lines)
        poor = np.flatnonzero((end - start > POOR_BRACKET * end) | faint)
        if poor.size:
            found = (self._near if lines else self.far).epsilon(asked[poor])
            start[poor] = np.maximum(start[poor], found.lower)
            end[poor] = np.minimum(end[poor], found.upper)
            start = np.minimum(start, end)
        reached = np.isfinite(end)
        found = enclosed(self.delta, start[reached], end[reached], asked[reached], top)
        start[reached], end[reached] = found
        low[some], high[some] = np.minimum(start, end), end
        return Bracket(low, high)

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """From the slope of delta."""
        return tail_of_density(self.delta, x, self.mean_sd_range()[1], other)

    def kinks(self, most: int) -> Floats | None:
        """None: it has a density."""
        return None

    def cheap(self) -> ComposedLoss:
        """With sums that are."""
        return self if self.is_quick else replace(self, far=self.far.cheap(), is_quick=True)

    def mean_sd_range(self) -> tuple[float, float, float]:
        """Those of the dominating sum, or of the contour, which goes further."""
        mean, deviation, _ = self._guide.mean_sd_range()
        return mean, deviation, self.far.mean_sd_range()[2]

    @cached_property
    def _guide(self) -> ComposedLoss:
        """What is quick, for guesses."""
        return self.far if self._points > MOST_POINTS_FOR_FEW else self._near.above


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
    always, seldom = (
        FEW_LOSSES if largest >= LITTLE else FEWEST_LOSSES,
        FEW_LOSSES if largest <= MUCH else MORE_LOSSES,
    )
    suits = many <= always or (many <= seldom and drawn < MOST_DRAWN)
    far = as_truncation(parts, accuracy, int(MOST_NODES * finer)) if suits else None
    return None if far is None else ByDiscretization(parts, accuracy, finer, far, add_up)
