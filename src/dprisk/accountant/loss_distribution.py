"""How a privacy loss itself is distributed: probabilities and quantiles, under P and under Q."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
import numpy.typing as npt

from dprisk._checks import complement as written_complement
from dprisk._numeric.invert import enclose
from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import SMALLEST
from dprisk.accountant.duality import Duality
from dprisk.accountant.loss_sum import WIDE_BRACKET, Bracket, Formula, complement
from dprisk.losses.base import ULP

LEAST_MARGIN = 1e-100  # nats: more than nothing where a range ends at 0
LENGTHS = np.array([0.4, 2.5])  # of chords, as a share of what balances their two errors
BESIDE = 2.5  # times what counts as equal: further away
SHORT_CHORD = 1e-8  # of a standard deviation

Whole = npt.NDArray[np.intp]
Split = tuple[Bracket, Bracket]  # probability of at most t, and of more


@final
@dataclass(frozen=True, eq=False)
class LossDistribution:
    """Distribution of Z = log(P(y) / Q(y)), finite or not, at an output of P or of Q."""

    profile: Duality
    other: bool = False

    def at_most(self, t: Floats) -> Bracket:
        """Probability of Z <= t, at any t, infinite ones included."""
        return self._split(t)[0]

    def beyond(self, t: Floats) -> Bracket:
        """Probability of Z > t, at any t, infinite ones included."""
        return self._split(t)[1]

    def past(self, x: Floats) -> Bracket:
        """Probability of Z > x, where a value next to x may be on either side of it."""
        low, high = self.beyond(x)
        exact = self.profile.forward[1].exact_tail
        if exact is not None:
            sure = exact(x, self.other)
            return Bracket(np.minimum(low, sure.upper), sure.upper)
        before = np.where(np.isfinite(x), x - BESIDE * self._near(x), x)
        return Bracket(low, np.maximum(high, self.beyond(before).upper))

    def past_either(self, x: Floats) -> Bracket:
        """The same of abs(Z), x >= 0."""
        return self._both(self.past(x), self.opposite.past(x))

    def outside(self, x: Floats) -> Bracket:
        """Probability of abs(Z) > x >= 0."""
        return self._both(self.beyond(x), self.opposite.beyond(x))

    @staticmethod
    def _both(above: Bracket, below: Bracket) -> Bracket:
        low, high = above.lower + below.lower, above.upper + below.upper
        # one rounding, of a sum
        return Bracket(np.minimum(low, 1.0), np.minimum(high * (1.0 + ULP), 1.0))

    def quantile(self, q: Floats) -> Bracket:
        """Smallest t with P[Z <= t] >= q, as stored or as written; the smallest value at q = 0."""
        stored, written = 1.0 - q, written_complement(q)
        rest = Bracket(np.minimum(stored, written), np.maximum(stored, written))
        start, end = -self.opposite._reach, self._reach
        start = float(start - 4.0 * self._near(start) - LEAST_MARGIN)
        end = float(end + 4.0 * self._near(end) + LEAST_MARGIN)

        def above(t: Floats, which: Whole) -> tuple[Floats, Floats]:
            below, beyond = self._coarse._split(t)
            rising = _against(below, q[which], q[which])
            falling = _against(beyond, rest.lower[which], rest.upper[which])
            small = q[which] <= 0.5
            return (
                np.where(small, rising.lower, -falling.upper),
                np.where(small, rising.upper, -falling.lower),
            )

        low, high = enclose(above, np.full_like(q, start), np.full_like(q, end))
        nothing = np.isneginf(high) & (self._at_minus_infinity.lower < q)
        high = np.where(nothing, start, high)
        high = high + 2.0 * self._near(high)
        return self._at_the_ends(q, Bracket(np.minimum(low, high), high))

    def loss_bound(self, failure: Floats, both: bool) -> Bracket:
        """Smallest x >= 0 with P[abs(Z) > x] <= failure; or P[Z > x] <= failure alone."""
        tail = self._coarse.outside if both else self._coarse.beyond
        end = max(self._reach, self.opposite._reach)

        def below(x: Floats, which: Whole) -> tuple[Floats, Floats]:
            found = _against(tail(x), failure[which], failure[which])
            return -found.upper, -found.lower

        end = float(end + 4.0 * self._near(end))
        low, high = enclose(below, np.zeros_like(failure), np.full_like(failure, end))
        low = np.where(failure >= 1.0, 0.0, np.maximum(low, 0.0))
        high = np.where(failure >= 1.0, 0.0, np.maximum(high, 0.0) + 2.0 * self._near(high))
        most = self._extreme
        if both:
            most = Bracket(*np.maximum(most, self.opposite._extreme))
        none, top = failure == 0.0, max(float(most.upper), 0.0)
        low = np.where(none, max(float(most.lower), 0.0), low)
        high = np.where(none, top, np.minimum(high, top))
        return Bracket(np.minimum(low, high), high)

    @cached_property
    def opposite(self) -> LossDistribution:
        """The distribution of -Z, the loss of the reverse pair."""
        return LossDistribution(self.profile.turned, not self.other)

    @cached_property
    def _coarse(self) -> LossDistribution:
        """The same distribution, in brackets that are cheap for a search."""
        if self._formula is not None:
            return self
        return LossDistribution(self.profile.coarse, self.other)

    @property
    def _formula(self) -> Formula | None:
        lower, upper = self.profile.forward
        return upper.formula if lower is upper else None

    @property
    def _reach(self) -> float:
        """Up to where there is any probability to speak of."""
        return self.profile.forward[1].spread.reach

    @property
    def _extreme(self) -> Bracket:
        """The largest value, infinite ones included."""
        (lower, upper), revealed = self.profile.forward, self._past_all
        ends = (revealed.lower, lower.largest), (revealed.upper, upper.support[1])
        tops = [np.array(np.inf if share > 0.0 else top) for share, top in ends]
        return Bracket(*tops)

    @cached_property
    def _at_infinity(self) -> Bracket:
        """Probability of an infinite Z."""
        if self.other:
            return Bracket(np.zeros(1), np.zeros(1))
        return Bracket(*(np.array([end]) for end in self.profile.mass_at_infinity[0]))

    @property
    def _past_all(self) -> Bracket:
        """Probability of an infinite Z, and of what was cut off as well."""
        low, high = self._at_infinity
        return Bracket(low, high + self.profile.cut_off)

    @property
    def _at_minus_infinity(self) -> Bracket:
        return self.opposite._at_infinity

    def _at_the_ends(self, q: Floats, found: Bracket) -> Bracket:
        """The quantiles found; at 0 and 1 the smallest and the largest value."""
        least, most = self.opposite._extreme, self._extreme
        low = np.where(q == 0.0, -least.upper, np.where(q == 1.0, most.lower, found.lower))
        high = np.where(q == 0.0, -least.lower, np.where(q == 1.0, most.upper, found.upper))
        return Bracket(np.minimum(low, high), high)

    def _split(self, t: Floats) -> Split:
        if self._formula is not None:
            return self._formula(t, self.other)
        t = np.where(np.abs(t) <= self._near(t), 0.0, t)
        up, down = np.flatnonzero(t >= 0.0), np.flatnonzero(t < 0.0)
        ends = np.empty((4, *t.shape))
        more = self._far(t[up])
        less = self.opposite._far(-t[down] - self._near(t[down]))
        ends[2:, up], ends[:2, down] = more, less
        ends[:2, up], ends[2:, down] = complement(more), complement(less)
        ends[:, np.isposinf(t)] = np.array([[1.0], [1.0], [0.0], [0.0]])
        return Bracket(*ends[:2]), Bracket(*ends[2:])

    def _near(self, t: Floats | float) -> Floats:
        """Well above what the sums of either direction take for equal."""
        sides = self.profile.forward[1], self.profile.backward[1]
        return np.maximum(*(loss.equal_within(t) for loss in sides))

    def _far(self, x: Floats) -> Bracket:
        """Probability of Z > x >= 0, by sums where they are exact and by chords elsewhere."""
        lower, upper = self.profile.forward
        inside = np.isfinite(x) & (x < upper.support[1] - self._near(x))
        low = np.full_like(x, self._past_all.lower[0])
        high = np.where(inside, 1.0, self._past_all.upper[0])
        if lower is upper:
            low[inside], high[inside] = upper.tail(x[inside], self.other)
        open_ = np.flatnonzero(inside & (high - low > WIDE_BRACKET * high))
        if open_.size:
            below, above = self._by_chords(x[open_])
            low[open_] = np.maximum(low[open_], below)
            high[open_] = np.minimum(high[open_], above)
        return Bracket(np.minimum(low, high), high)

    def _by_chords(self, x: Floats) -> Bracket:
        """The steepest chord before x and the flattest after it, of many lengths."""
        unit = float(np.clip(self.profile.forward[1].spread.deviation, 1e-12, 1.0))
        here = self.profile.delta(x)
        gap = (here.upper - here.lower) / np.maximum(here.upper, 1e-300)
        length = (
            unit * np.maximum(np.minimum(2.0 * np.sqrt(gap), 0.3), SHORT_CHORD)[:, None] * LENGTHS
        )
        # no bound: a chord so long has six bits that rounding leaves
        length = np.maximum(length, 64 * ULP * x[:, None])
        points = x[:, None] + np.concatenate([0.0 * length[:, :1], length, -length], axis=1)
        found = self.profile.delta(points[:, 1:].ravel())
        low, high = (
            np.column_stack([first, end.reshape(len(x), -1)])
            for first, end in zip(here, found, strict=True)
        )
        at = points[:, :1]
        after, before = np.split(points[:, 1:] - at, 2, axis=1)
        floor, ceiling = np.split(high[:, 1:], 2, axis=1)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            least = np.nanmax((low[:, :1] - floor) / np.expm1(after), axis=1, initial=0.0)
            back = -np.expm1(-np.abs(before))  # +0 where a step is lost
            most = np.nanmin((ceiling - low[:, :1]) / back, axis=1, initial=np.inf)
        # two differences, expm1 and a quotient; exp and a product: eight roundings
        least, most = least * (1.0 - 8 * ULP), np.maximum(most, 0.0) * (1.0 + 8 * ULP)
        if self.other:
            down = np.exp(-x)
            return Bracket(least * down, np.minimum(most * down + SMALLEST, 1.0))
        # one rounding, of a sum
        low, high = (low[:, 0] + least) * (1.0 - ULP), (high[:, 0] + most) * (1.0 + ULP)
        return Bracket(np.minimum(low, 1.0), np.minimum(high, 1.0))


def _against(found: Bracket, least: Floats, most: Floats) -> Bracket:
    """log(found / probability), where neither counts as less than 1e-320."""
    low, high = (np.log(np.maximum(each, 1e-320)) for each in found)
    floor, ceiling = (np.log(np.maximum(each, 1e-320)) for each in (least, most))
    size = np.maximum(np.abs(low), np.abs(high)) + np.maximum(np.abs(floor), np.abs(ceiling))
    blur = 4 * ULP * (1.0 + size)  # two roundings of each logarithm, one of the difference
    return Bracket(low - ceiling - blur, high - floor + blur)
