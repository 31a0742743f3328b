"""Losses that hardly matter, because they are subsampled at a tiny rate: closed forms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.accountant.base import AddUp, ComposedLoss, Parts
from dprisk.accountant.bracket import Bracket
from dprisk.accountant.from_profile import enclosed, tail_by_chords
from dprisk.accountant.subsampled_once import SubsampledOnce
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP
from dprisk.losses.mixtures import mixed
from dprisk.losses.response import ResponseLoss
from dprisk.losses.subsampled_normal import SubsampledNormalLoss
from dprisk.theorems import BASIC_COMPOSITION, Theorem

RARE = 1e-9  # total variation of all together
"""Parts that come to less are not followed any closer."""
SHORT = 1e-3  # nats: nor are parts beside corners whose sum is hardly ever larger
FAR = 6.0  # standard deviations of the noise: hardly ever
MUCH = 0.01  # of delta: what rare parts may add to it without a closer look
DEVIATIONS = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 14.0, 19.0, 26.0, 37.0])


@final
@dataclass(frozen=True)
class SubsampledRarely(ComposedLoss):
    """Sum of losses of which some hardly matter."""

    theorem: ClassVar[Theorem] = BASIC_COMPOSITION

    parts: tuple[tuple[SubsampledNormalLoss, int], ...]
    rest: ComposedLoss | None

    @property
    def infinite(self) -> float:
        """As of the others."""
        return 0.0 if self.rest is None else self.rest.infinite

    @property
    def support(self) -> tuple[float, float]:
        """All together."""
        ends = [] if self.rest is None else [self.rest.support]
        ends += [(n * low, n * high) for n, (low, high) in self._ends]
        lows, highs = zip(*ends, strict=True)
        # a product and a sum for each: a rounding each, of their absolute values
        blur = 4 * ULP * (1.0 + len(ends))
        return sum(lows) - blur * sum(map(abs, lows)), sum(highs) + blur * sum(map(abs, highs))

    @property
    def largest(self) -> float:
        """All together, at least."""
        each = [n * SubsampledOnce(loss).largest for loss, n in self.parts]
        total = sum(each) + (0.0 if self.rest is None else self.rest.largest)
        # a product and a sum for each, all above 0: two roundings, of four ulps
        off = 4 * ULP * (1.0 + len(each))
        return total - off * abs(total) if np.isfinite(total) else total

    @property
    def _ends(self) -> list[tuple[int, tuple[float, float]]]:
        return [(n, SubsampledOnce(loss).support) for loss, n in self.parts]

    def delta(self, x: Floats) -> Bracket:
        """That of the others, or of one of these; and at most all of these more."""
        if self.rest is None:
            each = [SubsampledOnce(loss).delta(x).lower for loss, _ in self.parts]
            return Bracket(np.maximum.reduce(each), np.minimum(self._at_most(x), 1.0))
        low, high = self.rest.delta(x)
        most = self._at_most(np.zeros(1))
        more = (high + most) * (1.0 + 2 * ULP)  # a sum: one rounding
        some = np.flatnonzero((most > MUCH * high) & (x < self.support[1]))
        if some.size:
            left = x[some, None] - self._shares
            # one rounding of a difference of numbers up to x
            given = np.maximum(left - ULP * x[some, None], 0.0)
            others = self.rest.delta(given.ravel()).upper.reshape(left.shape)
            both = (others + self._at_most(self._shares)) * (1.0 + 2 * ULP)  # one rounding
            more[some] = np.minimum(more[some], np.where(left >= 0.0, both, 1.0).min(axis=1))
        return Bracket(low, np.where(x < self.support[1], np.minimum(more, 1.0), high))

    def _at_most(self, x: Floats) -> Floats:
        """delta of all of these together, by basic composition."""
        total, high = sum(n for _, n in self.parts), np.zeros_like(x)
        for loss, n in self.parts:
            # a quotient and a product: two roundings
            high = high + n * SubsampledOnce(loss).delta(x / total * (1.0 - 4 * ULP)).upper
        # a product and a sum for each, rounded
        return np.asarray(high * (1.0 + 4 * ULP * (1.0 + len(self.parts))))

    @cached_property
    def _shares(self) -> Floats:
        """Sums of these that are rarer and rarer, up to their largest value."""
        total = sum(n for _, n in self.parts)
        each = [_so_far_out(loss, DEVIATIONS) for loss, _ in self.parts]
        ends = [end for _, (_, end) in self._ends if np.isfinite(end)]
        found = np.append(total * np.maximum.reduce(each), [2.0 * total * end for end in ends])
        return np.unique(found[np.isfinite(found)])

    def slope(self, x: Floats) -> Floats:
        """The slope of the other losses, or of one release."""
        return (
            SubsampledOnce(self.parts[0][0]).slope(x) if self.rest is None else self.rest.slope(x)
        )

    def epsilon(self, delta: Floats) -> Bracket:
        """Epsilon of the other losses, or of one release, rounded to either safe side."""
        start = SubsampledOnce(self.parts[0][0]) if self.rest is None else self.rest
        low, high = start.epsilon(delta)
        some = np.flatnonzero((delta > self.infinite) & (delta < 1.0) & np.isfinite(high))
        if some.size:
            most = self.support[1]
            found = enclosed(self.delta, low[some], high[some], delta[some], most)
            low[some], high[some] = found
        high = np.where((delta <= self.infinite) & (high < self.support[1]), self.support[1], high)
        return Bracket(low, np.where(self.infinite > delta, np.inf, high))

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """From the slope of delta."""
        away = np.full(x.shape, 1e-3 * self.mean_sd_range()[1])
        return tail_by_chords(self._at_any, x, away, other)

    def _at_any(self, x: Floats) -> Bracket:
        """delta at negative x as well, roughly."""
        low, high = self.delta(np.maximum(x, 0.0))
        rest = np.maximum(-np.expm1(np.minimum(x, 0.0)), 0.0)
        return Bracket(np.maximum(low, rest), np.where(x < 0.0, np.minimum(high + rest, 1.0), high))

    def kinks(self, most: int) -> Floats | None:
        """Not all are known."""
        return None

    def cheap(self) -> ComposedLoss:
        """The others, if they can be."""
        if self.rest is None or self.rest.cheap() is self.rest:
            return self
        return replace(self, rest=self.rest.cheap())

    def mean_sd_range(self) -> tuple[float, float, float]:
        """Those of the other losses, or of one release."""
        return (
            SubsampledOnce(self.parts[0][0]).mean_sd_range()
            if self.rest is None
            else self.rest.mean_sd_range()
        )


def _so_far_out(loss: SubsampledNormalLoss, deviations: Floats) -> Floats:
    """The loss where the noise is so many standard deviations out."""
    return mixed(loss.rate, loss.mu * (deviations + loss.mu / 2.0))


def _is_rare(loss: SubsampledNormalLoss, count: int, beside_corners: bool) -> bool:
    short = beside_corners and count * float(_so_far_out(loss, np.array(FAR))) < SHORT
    return short or count * float(SubsampledOnce(loss).delta(np.zeros(1)).upper[0]) < RARE


def as_subsampled_rarely(
    parts: Parts, accuracy: float, finer: float, add_up: AddUp
) -> SubsampledRarely | None:
    """If some come to next to nothing, and there is more than one loss."""
    if len(parts) == 1 and parts[0][1] == 1:
        return None
    others = [loss for loss, _ in parts if not isinstance(loss, SubsampledNormalLoss)]
    few = all(isinstance(loss, AtomicLoss | ResponseLoss) for loss in others)
    corners = bool(others) and few and finer == 1.0
    tiny = tuple(
        (loss, count)
        for loss, count in parts
        if isinstance(loss, SubsampledNormalLoss) and _is_rare(loss, count, corners)
    )
    rest = tuple(part for part in parts if part not in tiny)
    return SubsampledRarely(tiny, add_up(rest, accuracy, finer) if rest else None) if tiny else None
