"""Power, level and tails as least values over a privacy profile (dprisk Proposition 8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.convex import Function, Sample, enclosing, least
from dprisk._numeric.logspace import Floats, expit, log
from dprisk.accountant.loss_sum import FAINT_PRODUCT, MOST_CORNERS, Bracket, LossSum, Sides
from dprisk.losses.base import ULP
from dprisk.theorems import LOSSES_ON_LATTICE, Theorem

INFINITE = 1e-12  # relative error of the probability of an infinite loss, at most
# relative distance of a corner from where it is said to be: four roundings; beside `corners_off`
NEARBY = 8 * ULP
MOST_BELOW = 37.0  # e^-37 is less than any number below 1 is short of it
LOGITS = np.arange(16.0, -16.0, -0.25)  # of shares of a probability
SPREAD = 0.1  # of a standard deviation, between points of a table
BLOCK = 2**20  # numbers in memory at a time
FEW_QUESTIONS = 8  # questions that are worth the best there is

Ends = tuple[float, float]


class ProfileTable(NamedTuple):
    """delta at rising t, at least and at most: at all corners, or at points near one another."""

    t: Floats
    low: Floats
    high: Floats
    is_complete: bool


@final
@dataclass(frozen=True, eq=False)
class Duality:
    """delta of one ordered pair, between those of two that are computable."""

    forward: Sides
    backward: Sides
    tolerance: float = 1e-9
    relative_error: float = 0.0
    known: tuple[Ends, Ends] | None = None
    cut_off_ends: Ends = (0.0, 0.0)
    tops: Ends = (np.inf, np.inf)

    @cached_property
    def turned(self) -> Duality:
        """The same for the reverse pair."""
        return replace(
            self,
            forward=self.backward,
            backward=self.forward,
            known=None if self.known is None else self.known[::-1],
            cut_off_ends=self.cut_off_ends[::-1],
            tops=self.tops[::-1],
        )

    @cached_property
    def mass_at_infinity(self) -> tuple[Ends, Ends]:
        """Probability of an infinite loss, and of one that is minus infinity under Q."""
        if self.known is not None:
            return self.known
        ends = [
            tuple(each.mass_at_infinity for each in sides)
            for sides in (self.forward, self.backward)
        ]
        low, high = 1.0 - INFINITE, 1.0 + INFINITE
        one, other = ((least * low, min(most * high, 1.0)) for least, most in ends)
        return one, other

    @property
    def theorem(self) -> Theorem:
        """The theorem that delta and epsilon rest on."""
        lower, upper = self.forward
        return LOSSES_ON_LATTICE if lower is not upper or self.relative_error else upper.theorem

    @property
    def cut_off(self) -> float:
        """At most the probability of a finite loss that is counted as an infinite one."""
        return min(self.cut_off_ends[0] + self.forward[1].cut_off, 1.0)

    def delta(self, t: Floats) -> Bracket:
        """delta(t) at any t, at least and at most; at infinity what is revealed."""
        asked = ~np.isposinf(t)
        low, high = (np.full_like(t, end) for end in self.mass_at_infinity[0])
        if asked.any():
            low[asked], high[asked] = self._finite(t[asked])
        shown, most = self.mass_at_infinity[0]
        high[t >= self.tops[0]] = most  # no finite loss is left
        return Bracket(np.minimum(np.maximum(low, shown), high), high)

    def _finite(self, t: Floats) -> Bracket:
        """delta below infinity, from the sums of both directions."""
        low, high = np.empty_like(t), np.empty_like(t)
        up = t >= 0.0
        low[up], high[up] = self._between(self.forward, t[up])
        if not up.all():
            back, down = self._between(self.backward, -t[~up]), np.exp(t[~up])
            rest = -np.expm1(t[~up])
            # numbers up to 1: two roundings of each exponential, a product and a sum
            low[~up] = rest + down * back.lower - 4 * ULP
            high[~up] = rest + down * back.upper + 4 * ULP
        return Bracket(np.maximum(low, 0.0), np.minimum(high, 1.0))

    def epsilon(self, delta: Floats) -> Bracket:
        """Least t >= 0 with delta(t) <= delta."""
        (lower, upper), off = self.forward, self.relative_error
        low, high = upper.epsilon(np.minimum(delta / (1.0 + off), 1.0) if off else delta)
        if lower is not upper or off:
            left = max(1.0 - off, 0.0)
            below = lower.epsilon(np.minimum(delta / left, 1.0) if left else np.ones_like(delta))
            low, high = np.maximum(below.lower - 2.0 * off, 0.0), high + 2.0 * off
        enough = delta >= self.mass_at_infinity[0][1]
        high = np.where(enough, np.minimum(high, max(self.tops[0], 0.0)), high)
        none = np.flatnonzero((low == 0.0) & (high > 0.0))
        if none.size:
            high[none[self.delta(np.zeros(1)).upper <= delta[none]]] = 0.0
        return Bracket(np.minimum(low, high), high)

    def _between(self, sides: Sides, t: Floats) -> Bracket:
        """delta at t >= 0, for probabilities that may be off (dprisk Proposition 9)."""
        (lower, upper), off = sides, self.relative_error
        if lower is upper and not off:
            return upper.delta(t)
        below = lower.delta(t + 2.0 * off).lower * max(1.0 - off, 0.0)
        above = upper.delta(np.maximum(t - 2.0 * off, 0.0)).upper * (1.0 + off)
        return Bracket(below, np.minimum(above + np.maximum(2.0 * off - t, 0.0), 1.0))

    @cached_property
    def coarse(self) -> Duality:
        """The same from coarse sums: wider brackets that cost less; itself where none do."""
        sides = self.forward + self.backward
        made = {id(loss): loss.coarse() for loss in sides}  # one and the same loss stays one
        if all(made[id(loss)] is loss for loss in sides):
            return self
        below, above, reverse_below, reverse_above = (made[id(loss)] for loss in sides)
        return replace(self, forward=(below, above), backward=(reverse_below, reverse_above))

    def power(self, level: Floats) -> Bracket:
        """Most power at a level: the least delta(t) + e^t x."""
        return self._least(line, level)

    def level(self, power: Floats) -> Bracket:
        """Least level of a power: the largest e^-t (m - delta(t))."""
        found = self._least(inverse, power)
        return negative(Bracket(*(end / SCALE for end in found)))

    def ray(self, epsilon: Floats) -> Bracket:
        """Power at which level = e^-epsilon power: the least delta(t) / (1 - e^(t - epsilon))."""
        return self._least(ray, epsilon)

    def cut(self, total: Floats) -> Bracket:
        """Level at which level + power = m: the largest (m - delta(t)) / (1 + e^t)."""
        return negative(self._least(cut, total))

    def ratio(self, total: Floats, both: bool) -> Bracket:
        """log(power / level) where the power is m, or both add up to m, however small the level."""
        share = expit(LOGITS)[:, None]
        product = share * total
        less, more = np.nextafter(product, 0.0).ravel(), np.nextafter(product, 1.0).ravel()
        t = Bracket(
            self.epsilon(more).lower.reshape(product.shape),
            self.epsilon(less).upper.reshape(product.shape),
        )
        rest = -np.log1p(-share)
        other = np.log1p(share * np.exp(-t.upper)) if both else 0.0
        # two roundings of each logarithm, two sums
        high = ((t.upper + rest + other) * (1.0 + 8 * ULP)).min(axis=0)
        starts = np.concatenate([self.epsilon(total).lower[None], t.lower])
        ends = np.concatenate([rest, [[0.0]]])
        # two roundings of a logarithm, a sum
        low = ((starts + ends) * (1.0 - 8 * ULP)).min(axis=0)
        return Bracket(np.minimum(low, high), high)

    def _least(self, shape: Shape, asked: Floats) -> Bracket:
        """Least values of a shape, each searched for from the lowest point of a table on."""
        low, high, todo = np.empty_like(asked), np.empty_like(asked), np.arange(len(asked))
        for is_last in (False, True):
            if not todo.size:
                break
            points, left = self.coarse._long if is_last else self.coarse._table, []
            rows = max(1, BLOCK // len(points.t))
            for start in range(0, len(todo), rows):
                some = todo[start : start + rows]
                low[some], high[some], sure = self._from_table(shape, asked[some], points, is_last)
                left.append(some[~sure])
            todo = np.concatenate(left)
        return Bracket(low, high)

    def _from_table(
        self, shape: Shape, asked: Floats, table: ProfileTable, is_last: bool
    ) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
        """Least values, and whether they lie where the table shows them."""
        form = shape(table.t[:, None], asked)
        less, more = table.low[:, None], table.high[:, None]
        if table.is_complete:  # each end with the rounding of its own delta, which may be 0
            low, high = form.values(less, less)[0], form.values(more, more)[1]
            return low.min(axis=0), high.min(axis=0), np.ones(asked.shape, dtype=bool)
        below, above = form.values(less, more)
        columns, at = np.arange(len(asked)), np.clip(np.argmin(above, axis=0), 1, len(table.t) - 2)
        three = enclosing(below, above, at)
        low = high = above[at, columns]
        sure = (below[three[0], columns] >= high) & (below[three[2], columns] >= high)
        some = columns if is_last else np.flatnonzero(sure)
        t, z = (np.broadcast_to(each, below.shape) for each in (table.t[:, None], form.z))
        around = Sample(*(each[three[:, some], some] for each in (t, z, below, above)))
        low, high = low.copy(), high.copy()
        low[some], high[some] = self._searched(shape, asked[some], around)
        return low, high, sure | is_last

    def _searched(self, shape: Shape, asked: Floats, around: Sample) -> tuple[Floats, Floats]:
        """On the cheap; a few for which that is too little then by the best that is known."""
        low, high, t = least(self.coarse._asking(shape, asked), around, self.tolerance)
        wide = np.flatnonzero(high - low > self.tolerance * np.abs(high))
        if 0 < len(wide) <= FEW_QUESTIONS and self.coarse is not self:
            f, t = self._asking(shape, asked[wide]), t[:, wide]
            found = f(t.ravel(), np.tile(np.arange(len(wide)), 3))
            three = Sample(t, *(each.reshape(t.shape) for each in found))
            below, above, _ = least(f, three, self.tolerance)
            low[wide] = np.maximum(low[wide], below)
            high[wide] = np.minimum(high[wide], above)
        return low, high

    def _asking(self, shape: Shape, asked: Floats) -> Function:
        def f(points: Floats, which: npt.NDArray[np.intp]) -> tuple[Floats, Floats, Floats]:
            form = shape(points, asked[which])
            return (np.broadcast_to(form.z, points.shape), *form.values(*self.delta(points)))

        return f

    @cached_property
    def _table(self) -> ProfileTable:
        """delta where it falls, or at all of its corners."""
        up, down = _corners(self.forward), _corners(self.backward)
        if up is None or down is None:
            return self._tabulated(False)
        t = _joined(up, down)
        off = NEARBY * np.abs(t) + 2.0 * self.relative_error
        off = off + max(each.corners_off for each in self.forward + self.backward)
        # a corner may be on either side of where it is said to be
        before, beyond = t - off, t + off
        low, high = self._finite(beyond)
        high = np.append(high, self._finite(before).upper)
        return ProfileTable(np.append(beyond, before), np.append(low, low), high, True)

    @cached_property
    def _long(self) -> ProfileTable:
        """delta from where it falls to where there is next to nothing left."""
        return self._tabulated(True)

    def _tabulated(self, is_long: bool) -> ProfileTable:
        up, down = (spread(each[1], is_long) for each in (self.forward, self.backward))
        t = _joined(up, np.minimum(down, MOST_BELOW))  # up to there no least value is missed
        return ProfileTable(t, *self._finite(t), False)


def _joined(up: Floats, down: Floats) -> Floats:
    """Points above 0, and below."""
    t = np.concatenate([-down[down <= MOST_BELOW][::-1], [0.0], up])
    return np.asarray(t[np.append(True, np.diff(t) > 0.0)])


def _corners(sides: Sides) -> Floats | None:
    """All t > 0 at which delta has a corner, where they are few."""
    return sides[1].corners if sides[0] is sides[1] else None


def spread(loss: LossSum, is_long: bool) -> Floats:
    """Points about evenly apart where delta falls from 1 to little; ever further on both sides."""
    middle, deviation, most = loss.spread
    if not deviation > 0.0:  # there is no loss
        return np.array([0.5, 1.0])
    step, near = SPREAD * deviation, min(middle + 9.0 * deviation, most)
    first = max(middle - 9.0 * deviation, 0.0)
    count = int(np.clip((near - first) / step, 16, MOST_CORNERS))
    points = [np.linspace(first, near, count + 1)[1:]]
    if first > step:  # delta is nearly 1 there
        points.insert(0, first - step * np.exp2(np.arange(int(np.log2(first / step)), -1, -1)))
    if is_long and most > near:
        points.append(np.geomspace(near, most, 2 + int(20.0 * np.log(most / near)))[1:])
    if is_long or near >= most:
        points.append(np.array([1.001 * most]))  # beyond a last corner there is nothing
    return np.concatenate(points)


AWAY, AFAR = 2.0**60, 2.0**120
SCALE = 2.0**900
SHORTEST_PIECE = 1e-290  # nats: over less than that a quotient overflows
FARTHEST = 1e300  # nats: e^-s is 0, as it is at infinity
PRODUCT_UNDERFLOW = 8 * 5e-324  # by which a product may be off that has fewer digits


class Form(NamedTuple):
    """A function a delta + c, convex in z; and what its own rounding comes to."""

    a: Floats
    c: Floats
    z: Floats
    blur: Floats

    def values(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """The function at least and at most, where delta is; its own rounding included."""
        blur = self.blur + 4 * ULP * (self.a * high + np.abs(self.c))
        return self.a * low + self.c - blur, self.a * high + self.c + blur


Shape = Callable[[Floats, Floats], Form]


def line(t: Floats, level: Floats) -> Form:
    """Power at a level: delta(t) + e^t x."""
    half = np.exp(np.minimum(t, 1400.0) / 2.0)
    with np.errstate(over="ignore"):
        z = np.minimum((level * AFAR) * half * (half / AWAY), 1e300)  # no digits get lost
    c = z / AWAY
    return Form(np.ones_like(c), c, z, np.full_like(c, PRODUCT_UNDERFLOW))


def inverse(t: Floats, power: Floats) -> Form:
    """Minus the level of a power: e^-t (delta(t) - m), times `SCALE`, so that no digits get lost
    below the range of normal floats."""
    half = np.exp(-t / 2.0)
    down = (half * SCALE) * half
    return Form(down, -down * power, down, np.zeros_like(down))


def ray(t: Floats, epsilon: Floats) -> Form:
    """Power where level = e^-epsilon power: delta(t) / (1 - e^-s), over the s = epsilon - t
    left."""
    left, rest = _difference(np.minimum(epsilon, FARTHEST), t)
    inside = left > SHORTEST_PIECE
    left = np.where(inside, left, 1.0)
    a = 1.0 / -np.expm1(-left)
    with np.errstate(over="ignore"):
        z = (1.0 - a * np.where(inside, rest, 0.0)) / np.expm1(left)
    over = np.where(inside, 0.0, 1e300)
    return Form(a, over, np.where(inside, z, 1e300), np.full_like(a, PRODUCT_UNDERFLOW))


def _difference(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """one - other, and what its rounding leaves out, without an error (Knuth 1997, 4.2.2)."""
    found = one - other
    back = found - one
    return found, (one - (found - back)) - (other + back)


def cut(t: Floats, total: Floats) -> Form:
    """Minus the level where both add up to m: (delta(t) - m) / (1 + e^t)."""
    small = np.exp(-np.abs(t))
    a = np.where(t >= 0.0, small, 1.0) / (1.0 + small)
    return Form(a, -total * a, a, np.zeros_like(a))


def negative(found: Bracket) -> Bracket:
    """The level, from what is least of minus it."""
    low, high = np.maximum(-found.upper, 0.0), np.maximum(-found.lower, 0.0)
    low = np.where(low < FAINT_PRODUCT, np.maximum(low - PRODUCT_UNDERFLOW, 0.0), low)
    return Bracket(low, np.where(high < FAINT_PRODUCT, high + PRODUCT_UNDERFLOW, high))


FAINT_LEVEL = 1e-290  # a level from which no relative error is told
# of a quotient: absolute and relative error of the logarithm together: three roundings
LOGARITHM = 4 * ULP


def tail_of(profile: Duality, epsilon: Floats) -> Bracket:
    """One tail of one direction, which falls to 0 at the largest loss if none is infinite."""
    low, high = profile.ray(epsilon)
    low = np.maximum(low, 0.0)
    below, above = profile.forward
    if not above.mass_at_infinity:
        largest = max(min(above.support[1], profile.tops[0]), 0.0)
        high = np.where(epsilon >= largest, 0.0, high)
        # next to the largest loss: tails allow for as many roundings
        low = np.where(epsilon >= min(below.largest, largest * (1.0 - 64 * ULP)), 0.0, low)
    return Bracket(low, high)


def ratio_bound(profile: Duality, failure: Floats, both: bool) -> Bracket:
    """log(power / level) where the power is `failure`, or the sum of both is."""
    level = profile.cut(failure) if both else profile.level(failure)
    faint = level.lower < FAINT_LEVEL
    level = Bracket(*(np.where(faint, 1.0, end) for end in level))
    below, above = (failure - end if both else failure for end in level[::-1])
    low = log(np.where(faint, 1.0, np.maximum(below, 0.0)) / level.upper)
    high = log(np.where(faint, 1.0, above) / level.lower)
    low, high = low - LOGARITHM * (1.0 + np.abs(low)), high + LOGARITHM * (1.0 + np.abs(high))
    if faint.any():
        low[faint], high[faint] = profile.ratio(failure[faint], both)
    return Bracket(low, high)
