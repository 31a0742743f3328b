"""Subsampled normal losses, once or at tiny rates: closed forms, and basic composition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, final

import numpy as np

from dprisk._numeric.logspace import EXP_LIMIT, Floats, log
from dprisk._numeric.normal import gap, ndtr
from dprisk.accountant.loss_sum import (
    LARGEST_LOSS,
    Bracket,
    LossSum,
    Parts,
    Spread,
    enclosed,
    tail_by_chords,
)
from dprisk.accountant.methods.by_atoms import ByAtoms
from dprisk.losses.base import ULP
from dprisk.losses.density import mixed
from dprisk.losses.subsampled_normal import SubsampledNormalLoss
from dprisk.theorems import BASIC_COMPOSITION, CUT_LOSS, Theorem

UNDERFLOW = 8 * 5e-324  # eight roundings of what is hardly a float
ROUNDING = 5e-14  # of a normal tail, or a difference of two, relatively
LAST_DEVIATION = 40.0  # standard deviations: Phi(-39) is below the smallest float
# of t: a logarithm, expm1 and quotients next to the largest loss: ten roundings at most
NEXT = 16 * ULP
BISECTIONS = 1100  # of a bisection of doubles


@final
@dataclass(frozen=True)
class SubsampledOnce(LossSum):
    """One subsampled normal loss."""

    theorem: ClassVar[Theorem] = CUT_LOSS

    loss: SubsampledNormalLoss

    @property
    def mass_at_infinity(self) -> float:
        """No output is impossible."""
        return 0.0

    @property
    def support(self) -> tuple[float, float]:
        """On one side -log(1 - q) at most; without an end on the other."""
        # two roundings of the logarithm, one of its argument
        edge = -float(np.log1p(-self.loss.rate)) * (1.0 + 4 * ULP)
        return (-np.inf, edge) if self.loss.added else (-edge, np.inf)

    def delta(self, x: Floats) -> Bracket:
        """delta in closed form, with its rounding."""
        (low, far), (high, near) = (self._delta(each) for each in self._beside(x))
        low = low * np.maximum(1.0 - ROUNDING * (1.0 + far * far), 0.0) - UNDERFLOW
        high = np.minimum(high * (1.0 + ROUNDING * (1.0 + near * near)) + UNDERFLOW, 1.0)
        high, low = (np.where(x < self.support[1], each, 0.0) for each in (high, low))
        return Bracket(np.maximum(low, 0.0), high)

    def _delta(self, t: Floats) -> tuple[Floats, Floats]:
        """delta, and how many standard deviations out it is a tail."""
        plain, inside = self._plain(t)
        value = self.loss.rate * gap(plain, self.loss.mu)
        if self.loss.added:
            value = value * np.exp(np.minimum(np.where(inside, t, 0.0) - plain, EXP_LIMIT))
        far = np.abs(plain) / self.loss.mu + self.loss.mu
        return np.where(inside, value, 0.0), np.minimum(far, LAST_DEVIATION + 2.0 * self.loss.mu)

    def _plain(self, t: Floats) -> tuple[Floats, np.ndarray]:
        """t', where there is one."""
        rate = self.loss.rate
        with np.errstate(over="ignore", divide="ignore"):
            if self.loss.added:
                share = np.expm1(np.minimum(-t, EXP_LIMIT)) / rate
                left = 1.0 + share
                if rate > 0.5:  # where 1 - rate is exact
                    left = (np.exp(np.minimum(-t, EXP_LIMIT)) - (1.0 - rate)) / rate
                plain = -np.where(
                    share > -0.5, np.log1p(np.maximum(share, -0.5)), log(np.maximum(left, 0.0))
                )
                return np.where(left > 0.0, plain, 0.0), left > 0.0
            share = np.expm1(np.minimum(t, 30.0)) / rate
        inside = share > -1.0
        plain = np.log1p(np.where(inside, np.minimum(share, 1e300), 0.0))
        huge = t - log(np.asarray(rate))
        return np.where((t > 30.0) | (share > 1e300), huge, plain), inside

    def _beside(self, t: Floats) -> tuple[Floats, Floats]:
        """A little further, and not so far: next to the largest loss, t' has few digits of t."""
        near = np.where(np.isfinite(t), np.abs(t), 0.0)
        off = (NEXT if self.loss.added else 0.0) * near
        return t + off, t - off

    @property
    def has_closed_form(self) -> bool:
        """Normal tails."""
        return True

    def epsilon(self, delta: Floats) -> Bracket:
        """epsilon by bisection, then checked."""
        some = np.flatnonzero((delta > 0.0) & (delta < 1.0))
        low, high = np.zeros_like(delta), np.zeros_like(delta)
        low[delta == 0.0], high[delta == 0.0] = max(self.largest, 0.0), self.support[1]
        if some.size:
            wanted = delta[some]
            left = np.zeros(wanted.shape)
            right = np.full(wanted.shape, min(self.support[1], self.spread.reach))
            for _ in range(BISECTIONS):
                middle = np.where(left > 0.0, np.sqrt(left) * np.sqrt(right), right / 1024.0)
                close = right < 2.0 * left
                middle = np.where(close, (left + right) / 2.0, middle)
                if not np.any((middle > left) & (middle < right)):
                    break
                above = self._delta(middle)[0] > wanted
                left, right = np.where(above, middle, left), np.where(above, right, middle)
            low[some], high[some] = enclosed(self.delta, left, right, wanted, self.support[1])
        return Bracket(low, high)

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """The tail in closed form."""
        further, before = self._beside(x)
        low, high = (self._tails(each)[1 if other else 0] for each in (further, before))
        low = low * np.maximum(1.0 - ROUNDING * (1.0 + self._delta(further)[1] ** 2), 0.0)
        high = high * (1.0 + ROUNDING * (1.0 + self._delta(before)[1] ** 2)) + UNDERFLOW
        high = np.where(x < self.support[1], np.minimum(high, 1.0), 0.0)
        return Bracket(np.maximum(low - UNDERFLOW, 0.0), high)

    def _tails(self, t: Floats) -> tuple[Floats, Floats]:
        """Under P and under Q."""
        mu, rate = self.loss.mu, self.loss.rate
        plain, inside = self._plain(t)
        if not self.loss.added:
            x = plain / mu + mu / 2.0
            zero = ndtr(-x)
            return (1.0 - rate) * zero + rate * ndtr(mu - x), zero
        x = mu / 2.0 - plain / mu
        zero = np.where(inside, ndtr(x), 0.0)
        return zero, (1.0 - rate) * zero + rate * np.where(inside, ndtr(x - mu), 0.0)

    def coarse(self) -> LossSum:
        """Itself."""
        return self

    @property
    def spread(self) -> Spread:
        """Those of the mixture of the two normals."""
        mu, rate = self.loss.mu, self.loss.rate
        spread = min(rate * float(np.sqrt(np.expm1(min(mu * mu, EXP_LIMIT)))), mu)
        end = mu * (LAST_DEVIATION + mu / 2.0)
        most = max(float(mixed(rate, end)), 1e-300)
        return Spread(0.0, max(spread, 1e-300), min(most, self.support[1]))

    @property
    def has_density(self) -> bool:
        """No output has a probability."""
        return True


def as_subsampled_once(parts: Parts) -> SubsampledOnce | None:
    """If that is all there is."""
    loss, count = parts[0]
    if len(parts) == 1 and count == 1 and isinstance(loss, SubsampledNormalLoss):
        return SubsampledOnce(loss)
    return None


RARE = 1e-9  # total variation of all together: parts that come to less are followed no closer
SHORT = 1e-3  # nats: nor are parts beside corners whose sum is hardly ever larger
FAR = 6.0  # standard deviations of the noise: hardly ever
DEVIATIONS = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 14.0, 19.0, 26.0, 37.0])


@final
@dataclass(frozen=True, eq=False)
class BesideRare(LossSum):
    """Other losses, and subsampled ones at tiny rates: their delta is added (basic composition)."""

    theorem: ClassVar[Theorem] = BASIC_COMPOSITION

    rare: tuple[tuple[SubsampledOnce, int], ...]
    rest: LossSum

    @property
    def mass_at_infinity(self) -> float:
        """The mass of the others."""
        return self.rest.mass_at_infinity

    @property
    def support(self) -> tuple[float, float]:
        """All together."""
        ends = [self.rest.support]
        ends += [(n * once.support[0], n * once.support[1]) for once, n in self.rare]
        lows, highs = zip(*ends, strict=True)
        # a product and a sum for each: a rounding each, of their absolute values
        blur = 4 * ULP * (1.0 + len(ends))
        return sum(lows) - blur * sum(map(abs, lows)), sum(highs) + blur * sum(map(abs, highs))

    @property
    def largest(self) -> float:
        """All together, at least."""
        each = [n * once.largest for once, n in self.rare]
        total = sum(each) + self.rest.largest
        # a product and a sum for each, all above 0: two roundings, of four ulps
        off = 4 * ULP * (1.0 + len(each))
        return total - off * abs(total) if np.isfinite(total) else total

    @property
    def has_density(self) -> bool:
        """One loss with a density is enough."""
        return True

    @property
    def spread(self) -> Spread:
        """The spread of the others, or of one release."""
        return max(self.rest.spread, self.rare[0][0].spread, key=lambda each: each.deviation)

    def delta(self, x: Floats) -> Bracket:
        """At least any one part, and at most the others at x - y with these at y, for any y."""
        x = np.minimum(x, LARGEST_LOSS)
        low, high = self.rest.delta(x)
        low = np.maximum.reduce([low, *(once.delta(x).lower for once, _ in self.rare)])
        y = np.concatenate([np.broadcast_to(self._shares, (len(x), len(self._shares))).T, x[None]])
        # one rounding of a difference of numbers up to x
        left = x - y - ULP * x * (y > 0.0)
        others = self.rest.delta(np.maximum(left, 0.0).ravel()).upper.reshape(y.shape)
        # one rounding, of a sum
        both = (others + self._added_up(y.ravel()).reshape(y.shape)) * (1.0 + 2 * ULP)
        most = np.where(y <= x, both, 1.0).min(axis=0)
        return Bracket(low, np.where(x < self.support[1], np.minimum(most, 1.0), high))

    def _added_up(self, y: Floats) -> Floats:
        """delta of all that are rare, at most: n delta(y / n)."""
        total, high = sum(n for _, n in self.rare), np.zeros_like(y)
        for once, n in self.rare:
            # a quotient: one rounding
            high = high + n * once.delta(y / total * (1.0 - 4 * ULP)).upper
        # a product and a sum for each, rounded
        return np.asarray(high * (1.0 + 4 * ULP * (1.0 + len(self.rare))))

    @cached_property
    def _shares(self) -> Floats:
        """0, and sums of these that are rarer and rarer, up to their largest value."""
        total = sum(n for _, n in self.rare)
        each = [_so_far_out(once.loss, DEVIATIONS) for once, _ in self.rare]
        ends = [2.0 * total * once.support[1] for once, _ in self.rare]
        found = np.concatenate([[0.0], total * np.maximum.reduce(each), ends])
        return np.unique(found[np.isfinite(found)])

    def epsilon(self, delta: Floats) -> Bracket:
        """Epsilon of the largest part, moved outwards until delta says so."""
        found = [each.epsilon(delta) for each in (self.rest, *(once for once, _ in self.rare))]
        low, high = np.maximum.reduce([one.lower for one in found]), found[0].upper
        high = np.maximum(low, np.where(np.isfinite(high), high, low))
        some = np.flatnonzero((delta > self.mass_at_infinity) & (delta < 1.0) & np.isfinite(low))
        if some.size:
            top = self.support[1]
            low[some], high[some] = enclosed(self.delta, low[some], high[some], delta[some], top)
        high = np.where(delta <= self.mass_at_infinity, self.support[1], high)
        if not self.mass_at_infinity:
            low = np.where(delta == 0.0, max(self.largest, 0.0), low)
        return Bracket(low, np.where(self.mass_at_infinity > delta, np.inf, high))

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """The slope of delta."""
        return tail_by_chords(
            self._at_any, x, np.full(x.shape, 1e-3 * self.spread.deviation), other
        )

    def _at_any(self, x: Floats) -> Bracket:
        """delta at negative x as well, roughly."""
        low, high = self.delta(np.maximum(x, 0.0))
        rest = np.maximum(-np.expm1(np.minimum(x, 0.0)), 0.0)
        return Bracket(np.maximum(low, rest), np.where(x < 0.0, np.minimum(high + rest, 1.0), high))

    def coarse(self) -> LossSum:
        """Beside the others in coarse brackets."""
        rest = self.rest.coarse()
        return self if rest is self.rest else replace(self, rest=rest)


def _so_far_out(loss: SubsampledNormalLoss, deviations: Floats) -> Floats:
    """The loss where the noise is so many standard deviations out."""
    return mixed(loss.rate, loss.mu * (deviations + loss.mu / 2.0))


def as_rare(
    parts: Parts, add_up: Callable[[Parts], LossSum], beside_corners: bool
) -> LossSum | None:
    """If some come to next to nothing, and there is more than one loss."""
    if len(parts) == 1 and parts[0][1] == 1:
        return None
    rare, rest = [], []
    for loss, count in parts:
        if isinstance(loss, SubsampledNormalLoss):
            short = beside_corners and count * float(_so_far_out(loss, np.array(FAR))) < SHORT
            once = SubsampledOnce(loss)
            if short or count * float(once.delta(np.zeros(1)).upper[0]) < RARE:
                rare.append((once, count))
                continue
        rest.append((loss, count))
    if not rare:
        return None
    return BesideRare(tuple(rare), add_up(tuple(rest)) if rest else ByAtoms.nothing())
