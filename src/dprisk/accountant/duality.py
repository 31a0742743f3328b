"""Power, level and tails as least values over a privacy profile (dprisk Proposition 8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.convex import Function, Sample, between, enclosing, least, vertex
from dprisk._numeric.logspace import Floats, expit, log
from dprisk.accountant import duality_shapes as shapes
from dprisk.accountant import duality_slopes as vertices
from dprisk.accountant.base import ComposedLoss, Sides
from dprisk.accountant.bracket import Bracket
from dprisk.accountant.by_atoms import ByAtoms
from dprisk.accountant.by_shifts import ByShifts
from dprisk.accountant.by_splines import BySplines
from dprisk.accountant.duality_guesses import (
    MOST_CORNERS,
    ProfileTable,
    by_other,
    by_own,
    by_ratio,
    by_sum,
    spread,
)
from dprisk.accountant.duality_shapes import SCALE, Shape
from dprisk.accountant.few_questions import Falling, quick, rough_tails
from dprisk.accountant.taylor_power import TaylorPower
from dprisk.accountant.taylor_profile import TaylorProfile
from dprisk.losses.base import ULP
from dprisk.theorems import LOSSES_ON_LATTICE, Theorem

INFINITE = 1e-12  # relative error of the probability of an infinite loss, at most
# relative distance of a corner from where it is said to be: four roundings; beside `corners_off`
NEARBY = 8 * ULP
MOST_BELOW = 37.0  # e^-37 is less than any number below 1 is short of it
LOGITS = np.arange(16.0, -16.0, -0.25)  # of shares of a probability
BLOCK = 2**21  # numbers in memory at a time
WINDOW = 6  # points around a guess
GUESSES = 2
FEW_QUESTIONS = 8  # questions that are worth the best there is
AROUND = 0.25  # of a standard deviation, at first
ASIDE = np.array([[-1.0], [0.0], [1.0]])
STAGES = ((False, True), (False, False), (True, False))  # deep table, window only

Ends = tuple[float, float]
Found = tuple[Floats, Floats, npt.NDArray[np.bool_]]


@final
@dataclass(frozen=True, eq=False)
class Duality:
    """delta of one ordered pair, between those of two that are computable."""

    forward: Sides
    backward: Sides
    tolerance: float = 1e-9
    blur: float = 0.0
    shown: tuple[Ends, Ends] | None = None
    unseen: Ends = (0.0, 0.0)
    tops: Ends = (np.inf, np.inf)
    _tables: dict[bool, ProfileTable] = field(default_factory=dict, repr=False)

    @property
    def turned(self) -> Duality:
        """The same for the reverse pair."""
        shown = None if self.shown is None else (self.shown[1], self.shown[0])
        return replace(
            self,
            forward=self.backward,
            backward=self.forward,
            shown=shown,
            unseen=self.unseen[::-1],
            tops=self.tops[::-1],
            _tables={},
        )

    @cached_property
    def revealed(self) -> tuple[Ends, Ends]:
        """Probability of an infinite loss, and of one that is minus infinity under Q."""
        if self.shown is not None:
            return self.shown
        ends = [tuple(each.infinite for each in sides) for sides in (self.forward, self.backward)]
        low, high = 1.0 - INFINITE, 1.0 + INFINITE
        one, other = ((least * low, min(most * high, 1.0)) for least, most in ends)
        return one, other

    @property
    def theorem(self) -> Theorem:
        """What delta and epsilon rest on."""
        lower, upper = self.forward
        if lower is not upper or self.blur:
            return LOSSES_ON_LATTICE
        return upper.many.theorem if isinstance(upper, ByShifts) else upper.theorem

    @property
    def cut_off(self) -> float:
        """At most the probability of a finite loss that is counted as an infinite one."""
        loss = self.forward[1]
        return min(self.unseen[0] + (loss.lost if isinstance(loss, ByAtoms) else 0.0), 1.0)

    def delta(self, t: Floats) -> Bracket:
        """delta(t) at any t, at least and at most; at infinity what is revealed."""
        asked = ~np.isposinf(t)
        low, high = (np.full_like(t, end) for end in self.revealed[0])
        if asked.any():
            low[asked], high[asked] = self._delta(t[asked], self.forward, self.backward)
        shown, most = self.revealed[0]
        high[t >= self.tops[0]] = most  # no finite loss is left
        return Bracket(np.minimum(np.maximum(low, shown), high), high)

    def _delta(self, t: Floats, forward: Sides, backward: Sides) -> Bracket:
        low, high = np.empty_like(t), np.empty_like(t)
        up = t >= 0.0
        low[up], high[up] = self._between(forward, t[up])
        if not up.all():
            back, down = self._between(backward, -t[~up]), np.exp(t[~up])
            rest = -np.expm1(t[~up])
            # numbers up to 1: two roundings of each exponential, a product and a sum
            low[~up] = rest + down * back.lower - 4 * ULP
            high[~up] = rest + down * back.upper + 4 * ULP
        return Bracket(np.maximum(low, 0.0), np.minimum(high, 1.0))

    def _cheap(self, t: Floats) -> Bracket:
        return self._delta(t, self.cheap.forward, self.cheap.backward)

    def _slope(self, t: Floats) -> Floats:
        """Derivative of delta, roughly."""
        found, up = np.empty_like(t), t >= 0.0
        forward, backward = self.cheap.forward, self.cheap.backward
        found[up] = forward[1].slope(t[up])
        loss, x, down = backward[1], -t[~up], np.exp(t[~up])
        middle = sum(loss.delta(x)) / 2.0
        found[~up] = -down * (1.0 - middle + loss.slope(x))
        return found

    def epsilon(self, delta: Floats) -> Bracket:
        """Least t >= 0 with delta(t) <= delta."""
        low, high = self._searched_for(delta)
        enough = delta >= self.revealed[0][1]
        high = np.where(enough, np.minimum(high, max(self.tops[0], 0.0)), high)
        none = np.flatnonzero((low == 0.0) & (high > 0.0))
        if none.size:
            high[none[self.delta(np.zeros(1)).upper <= delta[none]]] = 0.0
        return Bracket(np.minimum(low, high), high)

    def _searched_for(self, delta: Floats) -> Bracket:
        """The same from the sums alone."""
        (lower, upper), off = self.forward, self.blur
        most = upper.epsilon(np.minimum(delta / (1.0 + off), 1.0) if off else delta)
        if lower is upper and not off:
            return most
        left = max(1.0 - off, 0.0)
        below = lower.epsilon(np.minimum(delta / left, 1.0) if left else np.ones_like(delta))
        return Bracket(np.maximum(below.lower - 2.0 * off, 0.0), most.upper + 2.0 * off)

    def _between(self, sides: Sides, t: Floats) -> Bracket:
        """delta at t >= 0, for probabilities that may be off by the blur (dprisk Proposition 9)."""
        (lower, upper), off = sides, self.blur
        if lower is upper and not off:
            return upper.delta(t)
        below = lower.delta(t + 2.0 * off).lower * max(1.0 - off, 0.0)
        above = upper.delta(np.maximum(t - 2.0 * off, 0.0)).upper * (1.0 + off)
        return Bracket(below, np.minimum(above + np.maximum(2.0 * off - t, 0.0), 1.0))

    @cached_property
    def cheap(self) -> Duality:
        """The same with lines that are cheap for many questions, wider brackets or not."""
        return self._with(lambda loss: loss.cheap())

    @cached_property
    def quick(self) -> Duality:
        """The same with lines that are cheap for a few questions, wider brackets or not."""
        return self._with(quick)

    def _with(self, cheaper: Callable[[ComposedLoss], ComposedLoss]) -> Duality:
        made: dict[int, ComposedLoss] = {}  # one and the same loss stays one
        sides = self.forward + self.backward
        for loss in sides:
            made[id(loss)] = made.get(id(loss)) or cheaper(loss)
        below, above, reverse_below, reverse_above = (made[id(loss)] for loss in sides)
        forward, backward = (below, above), (reverse_below, reverse_above)
        return replace(self, forward=forward, backward=backward, _tables={})

    def power(self, level: Floats) -> Bracket:
        """Most power at a level: the least delta(t) + e^t x."""
        own = self.forward[1]
        known = all(each is own for each in (*self.forward, *self.backward)) and not self.blur
        if known and isinstance(own, BySplines):
            return vertices.power(own, self.delta, level)
        if self._curve is None:
            return self._least(shapes.line, level, log(level), by_other)
        low, high, unsure = self._curve.at(level, self.tolerance)
        if unsure.any():
            rest = level[unsure]
            low[unsure], high[unsure] = self._least(shapes.line, rest, log(rest), by_other)
        return Bracket(low, high)

    @cached_property
    def _curve(self) -> TaylorPower | None:
        """Where delta is known, and smooth, in both directions."""
        sides = self.cheap.forward, self.cheap.backward
        pieces = [
            above for below, above in sides if below is above and isinstance(above, TaylorProfile)
        ]
        return TaylorPower.of(*pieces) if len(pieces) == 2 and not self.blur else None

    def level(self, power: Floats) -> Bracket:
        """Least level of a power: the largest e^-t (m - delta(t))."""
        found = self._least(shapes.inverse, power, log(power), by_own)
        return shapes.negative(Bracket(*(end / SCALE for end in found)))

    def ray(self, epsilon: Floats) -> Bracket:
        """Power at which level = e^-epsilon power: the least delta(t) / (1 - e^(t - epsilon))."""
        return self._least(shapes.ray, epsilon, -epsilon, by_ratio)

    def cut(self, total: Floats) -> Bracket:
        """Level at which level + power = m: the largest (m - delta(t)) / (1 + e^t)."""
        return shapes.negative(self._least(shapes.cut, total, log(total), by_sum))

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

    def _least(self, shape: Shape, asked: Floats, goal: Floats, falling: Falling) -> Bracket:
        """Least values of a shape; where they are, a falling function of both tails is `goal`."""
        low, high, todo = self._alone(shape, asked, goal, falling)
        if not todo.size:
            return Bracket(low, high)
        found = self._by_tables(shape, asked[todo], goal[todo], falling)
        low[todo], high[todo] = (
            np.maximum(low[todo], found.lower),
            np.minimum(high[todo], found.upper),
        )
        return Bracket(low, high)

    def _alone(
        self, shape: Shape, asked: Floats, goal: Floats, falling: Falling
    ) -> tuple[Floats, Floats, npt.NDArray[np.intp]]:
        """A few questions, for which a table would cost more; and which are left."""
        low, high = np.full((2, len(asked)), [[-np.inf], [np.inf]])
        todo = np.arange(len(asked))
        if todo.size > FEW_QUESTIONS:
            return low, high, todo
        tails = rough_tails(self.forward[1])
        if tails is None:
            return low, high, todo
        guess, around = tails.place(falling, goal), AROUND * tails.deviation
        for _ in range(GUESSES):
            todo, guess = todo[guess > around], guess[guess > around]
            if not todo.size:
                break
            t = guess + ASIDE * around
            f = self._asking(shape, asked[todo], self.quick.delta)
            found = f(t.ravel(), np.tile(np.arange(len(todo)), 3))
            three = Sample(t, *(each.reshape(t.shape) for each in found))
            if ((three.low[0] > three.high[1]) & (three.low[2] > three.high[1])).all():
                low[todo], high[todo] = self._searched(shape, asked[todo], three, None, self.quick)
                break
            guess = vertex(three)
        return low, high, np.flatnonzero(np.isinf(high))

    def _by_tables(self, shape: Shape, asked: Floats, goal: Floats, falling: Falling) -> Bracket:
        """Many, from points of the profile that all share."""
        low, high, todo = self._close(shape, asked, goal, falling)
        for deep, near in STAGES:  # the far end of the profile only where it is needed
            if not todo.size:
                break
            table = self._table(deep)
            rows = max(1, BLOCK // (len(table.t) if not near or table.complete else WINDOW))
            left = []
            for start in range(0, len(todo), rows):
                some = todo[start : start + rows]
                guess, _ = table.guess(falling, goal[some])
                found = self._least_of(shape, asked[some], table, guess, near)
                low[some], high[some], unsure = found
                left.append(some[unsure])
            todo = np.concatenate(left)
        return Bracket(low, high)

    def _close(
        self, shape: Shape, asked: Floats, goal: Floats, falling: Falling
    ) -> tuple[Floats, Floats, npt.NDArray[np.intp]]:
        """Between three points about a good guess, or else a better one; and which are left."""
        table, low, high = self._table(False), np.empty_like(asked), np.empty_like(asked)
        done = np.zeros(asked.shape, dtype=bool)
        todo = np.arange(len(asked) if not table.complete else 0)
        guess, aside = table.guess(falling, goal[todo])
        for _ in range(GUESSES):
            inside = (guess > table.t[0]) & (guess < table.t[-1])
            if not inside.all():
                guess, aside, todo = guess[inside], aside[inside], todo[inside]
            if not todo.size:
                break
            t = np.clip(guess + aside * ASIDE, table.t[0], table.t[-1])
            form = shape(t, asked[todo])
            found = self._cheap(t.ravel())
            three = Sample(t, form.z, *form.values(*(each.reshape(t.shape) for each in found)))
            low[todo], high[todo], sure = between(three, self.tolerance)
            done[todo] = sure
            if sure.all():
                break
            todo, aside, guess = todo[~sure], aside[~sure], vertex(three)[~sure]
        return low, high, np.flatnonzero(~done)

    def _least_of(
        self, shape: Shape, asked: Floats, table: ProfileTable, guess: Floats, near: bool
    ) -> Found:
        """Least values, and where they may lie elsewhere than the table, or its window, shows."""
        if table.complete:
            return *table.least_corner(shape, asked), np.zeros(asked.shape, dtype=bool)
        rows = _window(table.t, guess) if near else np.arange(len(table.t))[:, None]
        t = table.t[rows]
        form = shape(t, asked)
        below, above = form.values(table.low[rows], table.high[rows])
        at = np.clip(np.argmin(above, axis=0), 1, len(t) - 2)
        three, columns = enclosing(below, above, at), np.arange(len(asked))
        lowest = above[at, columns]
        unsure = (below[three[0], columns] < lowest) | (below[three[2], columns] < lowest)
        whole = [np.broadcast_to(each, below.shape) for each in (t, form.z, below, above)]
        around = Sample(*(each[three, columns] for each in whole))
        sure = np.arange(len(asked)) if table.deep else np.flatnonzero(~unsure)

        low, high = lowest.copy(), lowest.copy()
        some = Sample(*(each[:, sure] for each in around))
        low[sure], high[sure] = self._searched(shape, asked[sure], some, guess[sure], self.cheap)
        return low, high, unsure & (not table.deep)

    def _searched(
        self, shape: Shape, asked: Floats, around: Sample, guess: Floats | None, rough: Duality
    ) -> tuple[Floats, Floats]:
        """On the cheap; a few for which that is too little then by the best that is known."""
        low, high, t = least(self._asking(shape, asked, rough.delta), around, self.tolerance, guess)
        wide = np.flatnonzero(high - low > self.tolerance * np.abs(high))
        if 0 < len(wide) <= FEW_QUESTIONS and self.knows_more_than(rough):
            f, t = self._asking(shape, asked[wide], self.delta), t[:, wide]
            found = f(t.ravel(), np.tile(np.arange(len(wide)), 3))
            three = Sample(t, *(each.reshape(t.shape) for each in found))
            below, above, _ = least(f, three, self.tolerance)
            low[wide] = np.maximum(low[wide], below)
            high[wide] = np.minimum(high[wide], above)
        return low, high

    @staticmethod
    def _asking(shape: Shape, asked: Floats, delta: Callable[[Floats], Bracket]) -> Function:
        def f(points: Floats, which: npt.NDArray[np.intp]) -> tuple[Floats, Floats, Floats]:
            form = shape(points, asked[which])
            return (np.broadcast_to(form.z, points.shape), *form.values(*delta(points)))

        return f

    def knows_more_than(self, rough: Duality) -> bool:
        """Whether what is cheap knows less than what is not."""
        cheap, best = ((*each.forward, *each.backward) for each in (rough, self))
        losses = [each.loss if isinstance(each, TaylorProfile) else each for each in cheap]
        return any(loss is not own for loss, own in zip(losses, best, strict=True))

    def _table(self, deep: bool) -> ProfileTable:
        """delta at the points where every search starts; made once."""
        if deep not in self._tables:
            up, down = _corners(self.forward), _corners(self.backward)
            complete = up is not None and down is not None
            if not complete:
                up, down = (spread(each[1], deep) for each in (self.forward, self.backward))
                down = np.minimum(down, MOST_BELOW)  # up to there no least value is missed
            t = np.concatenate([-down[down <= MOST_BELOW][::-1], [0.0], up])  # type: ignore
            t = t[np.append(True, np.diff(t) > 0.0)]
            if complete:
                off = self._corners_off(t)
                before, beyond = t - off, t + off
                t, (low, high) = np.append(before, beyond), self._cheap(beyond)
                low, high = np.append(low, low), np.append(self._cheap(before).upper, high)
            else:
                low, high = self._cheap(t)
            fall = np.zeros_like(t) if complete else np.maximum(-self._slope(t), 0.0)
            own, other = (low + high) / 2.0 + fall, fall * np.exp(-t)
            self._tables[deep] = ProfileTable(t, low, high, own, other, complete, deep)
        return self._tables[deep]

    def _corners_off(self, t: Floats) -> Floats:
        """How far a corner may be from where it is said to be."""
        sums = self.forward + self.backward
        return NEARBY * np.abs(t) + 2.0 * self.blur + max(each.corners_off for each in sums)


def _window(t: Floats, guess: Floats) -> npt.NDArray[np.intp]:
    """Rows next to the guess, by column; a few where the table is long enough."""
    first = np.searchsorted(t, guess) - WINDOW // 2
    return np.clip(first, 0, max(len(t) - WINDOW, 0)) + np.arange(min(WINDOW, len(t)))[:, None]


def _corners(sides: Sides) -> Floats | None:
    """All t > 0 at which delta has a corner, where they are few."""
    return sides[1].kinks(MOST_CORNERS) if sides[0] is sides[1] else None
