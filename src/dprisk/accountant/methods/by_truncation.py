"""Sums with losses that have a heavy right tail: cut a little above what is asked about."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import ClassVar, TypeGuard, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats, log
from dprisk.accountant.loss_sum import (
    Bracket,
    LossSum,
    Parts,
    Spread,
    enclosed,
    revealed_off,
    tail_of_density,
)
from dprisk.accountant.methods.by_contour import ByContour
from dprisk.accountant.methods.subsampled_once import SubsampledOnce
from dprisk.accountant.mgf import ComposedMGF
from dprisk.losses.base import ULP, Loss
from dprisk.losses.gaussian_quadrature import SPLIT_OFF
from dprisk.losses.subsampled_normal import SPLIT_UNDERFLOW, SubsampledNormalLoss
from dprisk.theorems import CUT_LOSS, Theorem

DEVIATIONS = 8.0  # that a cut is above what is asked, at least
FEWER = 2**4  # nodes by this factor
MOST_NODES = 2**15
COARSE = 2**11  # nodes where many questions are asked
NARROW = 0.999  # of the upper end: a lower end above needs no other bound
SEEN = 40.0  # nats: what is below does not count
CUTS_PER_OCTAVE = 2.0  # cuts to an octave
CUTS_WHERE_RARE = 4.0  # to an octave, where less than one shift is expected: nearer ones tell more

LEFT = 2.0 ** (np.arange(-8, 17) / 2.0)


@final
@dataclass(frozen=True, eq=False)
class CutSum:
    """The sum of losses that are cut, and how far questions about it may reach."""

    loss: ByContour
    cuts: Floats
    felt: npt.NDArray[np.bool_]
    theta: Floats
    logs: Floats

    @classmethod
    def of(cls, parts: Parts, cut: float, accuracy: float, nodes: int) -> CutSum:
        """All heavy losses cut at the same place."""
        at = tuple((part.cut_at(cut) if is_heavy(part) else part, count) for part, count in parts)
        loss = ByContour(at, accuracy, nodes=nodes, most=cut)
        heavy = [(part, count) for part, count in at if is_heavy(part)]
        theta = np.append(0.0, loss.moments.unit * LEFT)
        whole, logs = np.zeros(theta.shape), []
        for part, count in at:
            value, off = part.measured(-theta.astype(complex))
            one = value.real + off
            if is_heavy(part):  # as if what was split off were still there
                one = np.logaddexp(one, log(part.split) - theta * part.largest)
                logs.append(math.log(count) + log(part.split) - one)
            whole += count * one
        cuts = np.array([part.largest for part, _ in heavy])
        felt = np.array([part.is_felt for part, _ in heavy])
        return cls(loss, cuts, felt, theta, np.array(logs) + whole)

    @property
    def apart(self) -> float:
        """The standard deviation of the sum."""
        return 1.0 / self.loss.moments.unit

    @cached_property
    def reach(self) -> float:
        """Up to there a cut is not felt."""
        seen = self.logs[self.felt]
        apart = (seen[:, 1:] - seen[:, :1] + SEEN) / self.theta[1:]
        return float((self.cuts[self.felt] - apart.min(axis=1)).min(initial=np.inf))

    def error(self, x: Floats) -> Floats:
        """How much larger delta has become, at most."""
        with np.errstate(over="ignore", invalid="ignore"):
            apart = self.theta[:, None] * np.subtract.outer(-self.cuts, -x)[:, None]
        apart[:, 0] = 0.0  # however far out
        logs = (self.logs[:, :, None] + apart).min(axis=1, initial=700.0)
        return np.asarray(np.exp(logs + 1e-9).sum(axis=0)) + self.off

    @cached_property
    def off(self) -> float:
        """How far the probability is off that is split off."""
        many = sum(count for part, count in self.loss.parts if is_heavy(part))
        return SPLIT_OFF * float(np.exp(self.logs[:, 0]).sum()) + SPLIT_UNDERFLOW * many


def is_heavy(loss: Loss) -> TypeGuard[SubsampledNormalLoss]:
    """Whether its right tail is to be cut."""
    return isinstance(loss, SubsampledNormalLoss) and not loss.added


@final
@dataclass(frozen=True, eq=False)
class ByTruncation(LossSum):
    """Sum of independent losses, some of them with a heavy right tail."""

    theorem: ClassVar[Theorem] = CUT_LOSS

    parts: Parts
    accuracy: float
    nodes: int

    @cached_property
    def mass_at_infinity(self) -> float:
        """Probability under P that some loss is infinite: none of those that are cut."""
        with np.errstate(divide="ignore"):
            logs = [n * np.log1p(-part.infinite) for part, n in self.parts if not is_heavy(part)]
        return float(-np.expm1(np.sum(logs))) + 0.0

    @property
    def support(self) -> tuple[float, float]:
        """Without an upper end."""
        each = [count * loss.support[0] for loss, count in self.parts]
        # a product and a sum for each part: a rounding each, of their absolute values
        return sum(each) - 4 * ULP * len(self.parts) * sum(map(abs, each)), np.inf

    def delta(self, x: Floats) -> Bracket:
        """delta of the cut losses, a little wider; and no less than any one loss has."""
        low, high = np.empty_like(x), np.empty_like(x)
        shown = self.mass_at_infinity * (1.0 - revealed_off(self.parts))
        for cut_sum, some in self._by_cut(x):
            found = cut_sum.loss.delta(x[some])
            low[some] = np.maximum(found.lower - cut_sum.error(x[some]), shown)
            high[some] = np.minimum(found.upper + cut_sum.off, 1.0)
        wide = np.flatnonzero(low < NARROW * high)
        for part, _ in self.parts if wide.size else ():
            if is_heavy(part):
                low[wide] = np.maximum(low[wide], SubsampledOnce(part).delta(x[wide]).lower)
        return Bracket(np.minimum(low, high), high)

    def epsilon(self, delta: Floats) -> Bracket:
        """epsilon of the cut losses, then a step to either safe side."""
        revealed = self.mass_at_infinity
        low, high = np.zeros_like(delta), np.zeros_like(delta)
        off = revealed_off(self.parts)
        high[delta <= revealed * (1.0 + off)] = np.inf
        low[delta <= revealed * (1.0 - off)] = np.inf
        todo = np.flatnonzero((delta > revealed * (1.0 + off)) & (delta < 1.0))
        number = self._first
        while todo.size:
            cut_sum = self._cut_sum(number)
            rough = cut_sum.loss.rough_epsilon(delta[todo])
            some = todo[(rough <= cut_sum.reach) | (number >= self._last)]
            if some.size:
                found = cut_sum.loss.epsilon(delta[some])
                inside = (found.upper <= cut_sum.reach) | (number >= self._last)
                low[some], high[some] = found
                todo = np.setdiff1d(todo, some[inside])
            number = self._next(number, float(np.min(rough)))
        inside = (delta > revealed) & (delta < 1.0)
        low[inside & np.isinf(low)] = 0.0  # what is split off is not infinite
        some = np.flatnonzero(inside & np.isfinite(high))
        if some.size:
            low[some], high[some] = enclosed(self.delta, low[some], high[some], delta[some], np.inf)
        return Bracket(low, high)

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """The tail, from the slope of delta."""
        return tail_of_density(self.delta, x, self.spread.deviation, other)

    def coarse(self) -> LossSum:
        """The same sum with fewer nodes."""
        return self if self.nodes <= COARSE else self._coarse

    @cached_property
    def _coarse(self) -> ByTruncation:
        return replace(self, nodes=min(self.nodes, COARSE))

    @cached_property
    def spread(self) -> Spread:
        """Mean and deviation as cut for x = 0, and the reach of the uncut sum."""
        number = self._first
        while self._cut_sum(number).reach <= 0.0 and number < self._last:
            number += 1
        mean, deviation, _ = self._cut_sum(number).loss.spread
        return Spread(mean, deviation, self._cut_sum(self._last).loss.spread.reach)

    @property
    def has_density(self) -> bool:
        """One loss with a density is enough."""
        return True

    def _by_cut(self, x: Floats) -> Iterator[tuple[CutSum, npt.NDArray[np.intp]]]:
        """Each cut that is needed, and the points that it suits."""
        left, number = np.arange(len(x)), self._first
        while left.size:
            cut_sum = self._cut_sum(number)
            inside = (x[left] <= cut_sum.reach) | (number >= self._last)
            if inside.any():
                yield cut_sum, left[inside]
            left = left[~inside]
            number = self._next(number, float(x[left].min(initial=np.inf)))

    def _next(self, number: int, x: float) -> int:
        """The next cut that may reach so far."""
        if not np.isfinite(x):
            return number + 1
        deviation = self._cut_sum(number).apart
        wanted = math.ceil(self._per_octave * math.log2(max(x, 0.0) + DEVIATIONS * deviation))
        return max(number + 1, min(wanted, self._last))

    @cached_property
    def _per_octave(self) -> float:
        """How many cuts, by the number of shifts that are expected."""
        shifts = sum(count * part.rate for part, count in self.parts if is_heavy(part))
        return CUTS_WHERE_RARE if shifts < 1.0 else CUTS_PER_OCTAVE

    @cached_property
    def _first(self) -> int:
        """The first that reaches 0, or nearly."""
        number = self._lowest
        return number if self._cut_sum(number).reach > 0.0 else self._next(number, 0.0)

    @cached_property
    def _lowest(self) -> int:
        """A cut that is below what any question needs, but not far."""
        heavy = [(part, count) for part, count in self.parts if is_heavy(part)]
        rest = tuple((part, count) for part, count in self.parts if not is_heavy(part))
        square = sum(count * (part.rate * part.mu) ** 2 for part, count in heavy)
        if rest and np.isfinite(unit := ComposedMGF(rest).unit):
            square += 1.0 / unit**2
        wanted = math.log2(max(4.0 * math.sqrt(square), 1e-150))
        return min(math.floor(self._per_octave * wanted), self._last)

    @cached_property
    def _last(self) -> int:
        """The number of the first cut that cuts nothing."""
        top = max(part.cut_at(math.inf).largest for part, _ in self.parts if is_heavy(part))
        return math.ceil(self._per_octave * math.log2(top))

    @cached_property
    def _cut_sum(self) -> Callable[[int], CutSum]:
        """The sum for each number of a cut, made once."""

        @cache
        def made(number: int) -> CutSum:
            cut = 2.0 ** (number / self._per_octave)
            return CutSum.of(self.parts, cut, self.accuracy, self.nodes)

        return lambda number: made(min(number, self._last))


def as_truncation(parts: Parts, accuracy: float, nodes: int) -> LossSum | None:
    """If a loss is a subsampled normal one: a node costs more than elsewhere."""
    fewer = min(nodes // FEWER, MOST_NODES)
    if any(is_heavy(part) for part, _ in parts):
        return ByTruncation(parts, accuracy, fewer)
    if any(isinstance(part, SubsampledNormalLoss) for part, _ in parts):
        return ByContour(parts, accuracy, nodes=fewer)
    return None
