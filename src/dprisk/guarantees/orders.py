"""Guarantees that limit Rényi divergences: every answer, read off lines above their power curve.

`Curve` is the power curve by its tangents, and gives the profile (dprisk Proposition 21);
`ByOrders` answers, with the searches of `order_limits`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.invert import keep
from dprisk._numeric.logspace import Floats, below_complement
from dprisk._numeric.rounding import FORMULA, SMALLEST, UNIT, down, sum_up, up
from dprisk.answer import Answer
from dprisk.guarantees.base import CHANCES, Guarantee, Sides
from dprisk.guarantees.order_limits import (
    EXTRA,
    AllOrders,
    Bound,
    Indices,
    Limits,
    Orders,
    SomeOrders,
    canonne,
    level,
    loss_bound,
    middle,
    power,
    tail,
)
from dprisk.guarantees.tangents import (
    Aim,
    ByIntercept,
    BySlope,
    Tangent,
    along,
    rising,
    tilted,
    touching,
)
from dprisk.theorems import (
    ONE_TAIL_EXTENDED,
    RENYI_ADVANTAGE,
    RENYI_POWER,
    RENYI_PROFILE,
    RENYI_TAIL_OF_COINS,
)

UNCERTIFIED = np.errstate(all="ignore")  # what comes of a search may overflow; no number is lost
UNDERFLOW = 750.0
FLAT = 1e-11  # by less an intercept changes, as a share, from one order to e times as much
FIRST = 1e-6  # orders so close to 1 give lines that are as good as that of 1, to their square
ROUNDS, BISECTIONS, NOTICED = 8, 24, 1e-6
SHARES = -np.concatenate([[0.0], np.geomspace(1e-2, 700.0, 48)])  # logarithms of b / a


class Curve(NamedTuple):
    """The power curve left of the antidiagonal: smooth between corners, from the middle
    outwards."""

    gentle: Tangent
    steep: Tangent
    outwards: Callable[[Aim, Indices], Tangent]
    """The lines that touch beyond the corners of these numbers and are as asked."""

    end: float
    """A loss where delta is below the smallest double."""


@UNCERTIFIED
def delta(curve: Curve, epsilon: Floats) -> Floats:
    """Most power minus e^epsilon times the level, at least."""
    place = _places(curve.gentle.log_slope(), curve.steep.log_slope(), epsilon)
    number, smooth = place // 2, place % 2 == 1
    value = np.ones_like(epsilon)
    if smooth.any():
        aim = BySlope(epsilon[smooth])
        found = aim.settled(curve.outwards(aim, number[smooth]))
        value[smooth] = _dual_above(found, aim.log_slope)
    if not smooth.all():
        at = _taken(curve.steep, number[~smooth])
        value[~smooth] = _dual_above(at, epsilon[~smooth])
    corner = ~smooth & (number > 0)
    if corner.any():
        gentle, steep = (_taken(each, number[corner]) for each in (curve.gentle, curve.steep))
        value[corner] = np.fmin(value[corner], _between(gentle, steep, epsilon[corner]))
    return np.asarray(np.fmin(value, 1.0))


@UNCERTIFIED
def line_above(guarantee: ByOrders, epsilon: float) -> Tangent:
    """The line from which delta at an epsilon is read, where every order is limited."""
    curve = _curve(guarantee)
    at = np.array([min(epsilon, curve.end)])
    if _places(curve.gentle.log_slope(), curve.steep.log_slope(), at)[0] == 0:
        return curve.steep
    aim = BySlope(at)
    return aim.settled(curve.outwards(aim, np.array([0])))


@UNCERTIFIED
def points(curve: Curve, chances: Floats) -> tuple[Floats, Floats]:
    """Epsilons at which delta is about as large as these, above 0; and delta there, at least."""
    found, line = _inverse(curve, chances)
    value, rest = line.intercept(), ~(line.log_slope() <= found)
    if rest.any():
        value[rest] = delta(curve, found[rest])
    return found, value


@UNCERTIFIED
def _inverse(curve: Curve, delta: Floats) -> tuple[Floats, Tangent]:
    """About the inverse, and the lines from which it is read, where there are such."""
    line = Tangent(*(np.full_like(delta, np.nan) for _ in Tangent._fields))
    log_delta = np.log(delta)
    place = _places(-curve.gentle.log_intercept(), -curve.steep.log_intercept(), -log_delta)
    number, smooth = place // 2, place % 2 == 1
    value = np.zeros_like(delta)
    if smooth.any():
        found = curve.outwards(ByIntercept(log_delta[smooth]), number[smooth])
        value[smooth] = found.log_slope()
        for part, new in zip(line, found, strict=True):
            part[smooth] = new
    middle = place == 0
    if middle.any():
        steep = _taken(curve.steep, number[middle])
        c, slope = steep.intercept(), steep.log_slope()
        share = (delta[middle] - c) * (1.0 + np.exp(-slope)) / (1.0 - c)
        value[middle] = np.maximum(slope + np.log1p(-np.minimum(share, 1.0 - UNIT)), 0.0)
    corner = ~smooth & ~middle
    if corner.any():
        gentle, steep = (_taken(each, number[corner]) for each in (curve.gentle, curve.steep))
        near, far = gentle.log_slope(), steep.log_slope()
        high, low = gentle.intercept(), steep.intercept()
        share = np.clip((high - delta[corner]) / (high - low), 0.0, 1.0)
        value[corner] = near + np.log1p(share * np.expm1(far - near))
    value = np.where(delta < np.finfo(float).tiny, curve.end, value)
    return np.asarray(np.fmin(value, curve.end)), line


def _places(inner: Floats, outer: Floats, value: Floats) -> Indices:
    """2k at corner k, 2k + 1 beyond it."""
    edges = np.ravel(np.column_stack([inner, outer]))[1:]
    return np.asarray(np.searchsorted(np.maximum.accumulate(edges), value))


def _taken(t: Tangent, number: Any) -> Tangent:
    return Tangent(*(part[number] for part in t))


def _dual_above(t: Tangent, epsilon: Floats) -> Floats:
    """The bound on delta by a line and its mirror image."""
    c, slope = t.intercept(), t.log_slope()
    share = -np.expm1(np.minimum(epsilon - slope, 0.0)) / (1.0 + np.exp(-slope))
    return np.minimum(up(c + (1.0 - c) * share, share == 0.0), 1.0)


def _between(gentle: Tangent, steep: Tangent, epsilon: Floats) -> Floats:
    """The bound on delta by two lines, for a slope between theirs."""
    near, far = gentle.log_slope(), steep.log_slope()
    lost = FORMULA * UNIT * (1.0 + far)
    share = np.expm1(epsilon - near - lost) / np.expm1(far - near + lost)
    share = np.clip(share, 0.0, 1.0) * (1.0 - FORMULA * UNIT)
    return up(share * steep.intercept() + (1.0 - share) * gentle.intercept())


@UNCERTIFIED
def of_all_orders(allowed: AllOrders) -> Curve:
    """The curve of limits at every order."""
    rho, xi, limit, steep = *allowed, allowed.limit, middle(allowed)

    def off(log_extra: Floats, t: Tangent, aim: Aim) -> tuple[Floats, Tangent]:
        """0 where the limits of the orders around grow as fast as what is limited."""
        extra = np.exp(log_extra)
        t, met = touching(extra, limit(extra), aim, t)
        gap = 1.0 - tilted(t) / (xi + rho * (1.0 + 2.0 * extra))
        gap = np.where(np.abs(gap) < FLAT, 0.0, gap * (1.0 + 1.0 / extra))
        touches = np.isfinite(gap) & (met > -1e-4)
        return np.where(touches, gap, 1.0), t._replace(b=np.where(touches, t.b, np.nan))

    def outwards(aim: Aim, number: Indices) -> Tangent:
        reach = np.log(FIRST / 2.0), EXTRA[1]
        start = np.clip(aim.log_extra(rho, xi), *reach)
        unknown = Tangent(*(4 * [np.full_like(start, np.nan)]))
        found, _ = rising(off, start, unknown, aim, reach, order=True)
        first = found.extra < FIRST  # the gap says no more: it is the least order
        if first.any():
            least = np.full(int(first.sum()), np.exp(EXTRA[0]))
            some = type(aim)(*(part[first] for part in aim))
            there, _ = touching(least, limit(least), some)
            for part, new in zip(found, there, strict=True):
                part[first] = new
        return found

    end = xi + rho + 2.0 * np.sqrt(rho * UNDERFLOW)
    return Curve(steep, steep, outwards, float(end))


@UNCERTIFIED
def of_some_orders(allowed: SomeOrders) -> Curve:
    """The curve of limits at some orders."""
    extra, limit = allowed
    inner, outer, share = _crossings(extra, limit)
    gentle, steep = (along(extra[each], limit[each], share) for each in (inner, outer))

    def outwards(aim: Aim, number: Indices) -> Tangent:
        return touching(extra[outer[number]], limit[outer[number]], aim)[0]

    return Curve(gentle, steep, outwards, float((limit + UNDERFLOW / extra).min()))


def _crossings(extra: Floats, limit: Floats) -> tuple[Indices, Indices, Floats]:
    """Crossings from the middle outwards: the order that rules before, the one after, and where."""

    def ratios(share: Floats) -> Floats:
        count = len(share)
        found = along(np.repeat(extra, count), np.repeat(limit, count), np.tile(share, len(extra)))
        return np.log(found.a).reshape(len(extra), count)

    share = SHARES if len(extra) > 1 else SHARES[:1]
    height = ratios(share)
    for _ in range(ROUNDS):  # an order that rules between two others is found at their crossing
        first = np.argmin(height, axis=0)
        turn = np.flatnonzero(np.diff(first))
        inner, outer = first[turn], first[turn + 1]
        pairs = np.concatenate([inner, outer])

        def apart(at: Floats, pairs: Indices = pairs) -> Floats:
            here, there = np.split(along(extra[pairs], limit[pairs], np.tile(at, 2)).a, 2)
            return np.log(here) - np.log(there)

        ends = [height[inner, k] - height[outer, k] for k in (turn, turn + 1)]
        at = _crossed(apart, share[turn], share[turn + 1], *ends) if len(turn) else share[:0]
        there = ratios(at) if len(turn) else height[:, :0]
        columns = np.arange(len(turn))
        hidden = there.min(axis=0) < there[inner, columns] - NOTICED
        if not hidden.any():
            break
        place = np.argsort(-np.concatenate([share, at[hidden]]))
        share = np.concatenate([share, at[hidden]])[place]
        height = np.concatenate([height, there[:, hidden]], axis=1)[:, place]
    middle = np.concatenate([first[:1], inner]), np.concatenate([first[:1], outer])
    return *middle, np.concatenate([[0.0], at])


def _crossed(
    rising: Callable[[Floats], Floats], low: Floats, high: Floats, below: Floats, above: Floats
) -> Floats:
    """Find the change from negative to positive, by secants that keep both sides (Illinois)."""
    close, at = 2.0**-BISECTIONS * np.abs(high - low), 0.5 * (low + high)
    side = np.zeros_like(low)
    for _ in range(BISECTIONS):
        last, at = at, low - (high - low) * below / (above - below)
        at = np.where(np.isfinite(at), at, 0.5 * (low + high))
        if (np.abs(at - last) <= close).all():
            break
        value = rising(at)
        left = value < 0.0
        above = np.where(left, above * np.where(side < 0.0, 0.5, 1.0), value)
        below = np.where(left, value, below * np.where(side > 0.0, 0.5, 1.0))
        low, high, side = (
            np.where(left, at, low),
            np.where(left, high, at),
            np.where(left, -1.0, 1.0),
        )
    return np.asarray(at)


Whole = npt.NDArray[np.intp]

MORE_THAN_ROUNDING = 1e-6  # a share of delta that is more than rounding
MARGIN = 2.0**-44  # of an epsilon, for what rounding adds to its delta


class ByOrders(Guarantee):
    """A guarantee that is a set of limits on Rényi divergences, except with some probability."""

    __slots__ = ()

    composes_by: ClassVar[Literal["orders"]] = "orders"

    @property
    @abstractmethod
    def _revealed(self) -> float:
        """Probability of the event of which nothing is known; 0 for Rényi DP."""

    @property
    @abstractmethod
    def _orders(self) -> Orders:
        """The limited orders."""

    @abstractmethod
    def _least(self, bound: Bound, count: int) -> Floats:
        """Least of a bound over the orders, in each of so many rows."""

    @abstractmethod
    def _lines(self) -> Curve:
        """The corners of the power curve and the lines between them."""

    @property
    @abstractmethod
    def _never(self) -> float:
        """The loss that is never exceeded; inf where there is none."""

    @property
    def _advantage(self) -> Answer:
        return Answer(np.array([_at_zero(self)]), "exact", RENYI_ADVANTAGE).shaped(())

    @property
    def _points(self) -> tuple[Floats, Floats]:
        core, places, todo = self._unsearched(CHANCES)
        values = np.where(places > 0.0, self._revealed, _at_zero(self))
        if len(todo):
            found, value = points(_curve(self), core[todo])
            found = found * (1.0 + MARGIN)
            inside = found < self._never
            places[todo] = np.where(inside, found, self._never)
            values[todo] = np.where(inside, self._mixed(value), self._revealed)
        return places, values

    def _delta(self, epsilon: Floats) -> Answer:
        if self._revealed == 1.0 or self._never == 0.0:
            return Answer(np.full_like(epsilon, self._revealed), "exact", RENYI_PROFILE)
        curve = _curve(self)
        core = delta(curve, np.minimum(epsilon, curve.end))
        core = np.where(epsilon < curve.end, np.maximum(core, SMALLEST), SMALLEST)
        core = np.where(epsilon < self._never, core, 0.0)
        return Answer(self._mixed(np.where(np.isinf(epsilon), 0.0, core)), "exact", RENYI_PROFILE)

    def _epsilon(self, delta: Floats) -> Answer:
        found, todo = self._searched(delta)
        if len(todo):
            found[todo] = np.minimum(self._kept(found[todo], delta[todo]), self._never)
        return Answer(found, "exact", RENYI_PROFILE)

    def _searched(self, delta: Floats) -> tuple[Floats, Whole]:
        """Epsilon but for rounding, and where it was searched for."""
        core, found, todo = self._unsearched(delta)
        if len(todo):
            found[todo] = _inverse(_curve(self), core[todo])[0] * (1.0 + MARGIN)
        return found, todo

    def _unsearched(self, delta: Floats) -> tuple[Floats, Floats, Whole]:
        """delta less the event of which nothing is known; epsilon, and where to search it."""
        core = self._unmixed(delta)
        found = np.where(delta >= _at_zero(self), 0.0, self._never)
        return core, found, np.flatnonzero((core > 0.0) & (found > 0.0))

    def canonne(self, delta: Floats) -> Floats:
        """Epsilon at each delta, looser: by the conversion of Canonne et al. (2020)."""
        core = self._unmixed(delta)
        found = canonne(self._least, np.where(core > 0.0, core, 1.0))
        return np.where(core > 0.0, found, np.inf)

    def _kept(self, epsilon: Floats, delta: Floats) -> Floats:
        """Moved upwards where delta is larger as computed."""
        found = self._delta(epsilon).value
        over = found > delta
        if over.any():
            limit = delta[over]
            rest = np.minimum(limit - self._revealed, 1.0 - limit)
            excess = (found[over] - limit) / np.maximum(rest, SMALLEST)
            step = np.where(excess < MORE_THAN_ROUNDING, excess, 0.0)
            epsilon[over] = keep(epsilon[over], lambda e: self._delta(e).value <= limit, step=step)
        return epsilon

    def _power(self, level: Floats) -> Answer:
        inside = (level > 0.0) & (level < 1.0 - self._revealed)
        value = np.where(level > 0.0, 1.0, self._revealed)
        if inside.any():
            value[inside] = power(_limits(self), level[inside])
        return Answer(np.where(self._still, level, value), "exact", RENYI_POWER)

    def _level(self, power: Floats) -> Answer:
        inside = (power > self._revealed) & (power < 1.0)
        value = np.where(power < 1.0, 0.0, below_complement(self._revealed))
        if inside.any():
            value[inside] = level(_limits(self), power[inside])
        return Answer(np.where(self._still, power, value), "exact", RENYI_POWER)

    def _tail(self, epsilon: Floats, sides: Sides, post_processing: bool) -> Answer:
        value = np.where(epsilon > 0.0, self._revealed, 1.0)
        inside = (epsilon > 0.0) & (epsilon < 1e100) & (self._revealed < 1.0)
        if inside.any():
            value[inside] = tail(_limits(self), epsilon[inside], sides)
        return _tail_answer(np.where(epsilon >= self._never, 0.0, value), sides)

    def _loss_bound(self, failure: Floats, sides: Sides, post_processing: bool) -> Answer:
        loss = np.full_like(failure, np.inf)
        inside = failure > self._revealed
        if inside.any():
            loss[inside] = loss_bound(_limits(self), failure[inside], sides)
        return _tail_answer(np.minimum(loss, self._never), sides)

    @property
    def _still(self) -> bool:
        """Whether two neighbors cannot be told apart at all."""
        return self._never == 0.0

    def _mixed(self, core: Floats) -> Floats:
        """Add the event of which nothing is known."""
        if self._revealed == 0.0:
            return core
        rest = up((1.0 - self._revealed) * core, core == 0.0, units=2)
        return np.minimum(1.0, sum_up(self._revealed, rest))

    def _unmixed(self, total: Floats) -> Floats:
        if self._revealed == 1.0:
            return np.zeros_like(total)
        rest = np.maximum(total - self._revealed, 0.0) / (1.0 - self._revealed)
        return np.minimum(down(rest, self._revealed == 0.0), 1.0)


def _tail_answer(value: Floats, sides: Sides) -> Answer:
    """A tail under Rényi bounds: exact on one side, an upper bound on both together."""
    if sides == "one":
        return Answer(value, "exact", RENYI_TAIL_OF_COINS)
    return Answer(value, "upper", ONE_TAIL_EXTENDED)


@lru_cache(maxsize=256)
def _limits(guarantee: ByOrders) -> Limits:
    """The orders, and the middle of the power curve."""
    allowed = guarantee._orders
    if np.any(allowed.limit(np.ones(1)) == 0.0):
        return Limits(None, 0.0, guarantee._revealed)
    return Limits(allowed, float(middle(allowed).a[0]), guarantee._revealed)


@lru_cache(maxsize=256)
def _curve(guarantee: ByOrders) -> Curve:
    """Corners of the power curve, outside the event of which nothing is known."""
    return guarantee._lines()


@lru_cache(maxsize=256)
def _at_zero(guarantee: ByOrders) -> float:
    """Delta at epsilon 0."""
    return float(guarantee._delta(np.zeros(1)).value[0])
