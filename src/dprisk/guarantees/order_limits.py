"""Limits on Rényi divergences of many orders: the order whose tangent says most, and its answers.

`meeting` finds where a straight line meets the curve; `power`, `level`, `loss_bound` and `tail`
read it off.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import (
    Floats,
    below_complement,
    exp_excess,
    exp_shortfall,
    expit,
    log,
    log1mexp,
    log_exp_excess,
)
from dprisk._numeric.normal import BELOW_ONE
from dprisk._numeric.rounding import FORMULA, SMALLEST, UNIT, down, times_exp, up
from dprisk.guarantees.base import Sides
from dprisk.guarantees.piecewise import on_both_sides
from dprisk.guarantees.tangents import (
    STRIDE,
    TURNS,
    Coins,
    FarRay,
    FixedLevel,
    FixedPower,
    FixedSum,
    NearRay,
    StraightLine,
    Tangent,
)

Indices = npt.NDArray[np.intp]
MET = 1e-9  # how far off a limit, in logarithms: the tangent is off by about the square of it
SETTLED = 1e-14  # what a better order would gain, beside what is limited
ORDER_STRIDE = 8.0  # of an order, where the divergence is within NEAR_LIMIT of its limit
NEAR_LIMIT = 0.3  # in logarithms: so near Newton's method may stride
EXTRA = (np.log(1e-14), np.log(1e170))  # logarithms of order - 1


class CoinsAtLimit(NamedTuple):
    """Coins beside a limit on their divergence of an order."""

    coins: Coins
    extra: Floats
    limit: Floats
    size: Floats
    """Limit times order - 1."""

    log_excess: Floats
    """log(e^K - 1), where K is the divergence times order - 1."""

    k: Floats
    heads: Floats
    """Chance of heads, tilted: y e^(extra a - K)."""

    tails: Floats

    @property
    def tangent(self) -> Tangent:
        """The line that touches the curve there, if the limit is met."""
        apart = (np.maximum(each, 1e-300) for each in (self.coins.a, self.coins.b))
        return Tangent(self.extra, self.limit, *apart)

    @property
    def over(self) -> Floats:
        """Log of e^K - 1 over what it is at the limit."""
        return np.asarray(self.log_excess - self.size - log1mexp(self.size))

    @property
    def by_y(self) -> Floats:
        """y times the derivative of K in y."""
        apart = self.coins.a + self.coins.b
        return np.asarray((1.0 + self.extra) * self.heads * -np.expm1(-self.extra * apart))

    @property
    def by_x(self) -> Floats:
        """x times the derivative of K in -x."""
        apart = self.coins.a + self.coins.b
        return np.asarray(self.extra * self.heads * -np.expm1(-(1.0 + self.extra) * apart))


def place(coins: Coins, extra: Floats, limit: Floats) -> CoinsAtLimit:
    """Two coins beside a limit of order 1 + extra, without overflow or cancellation."""
    log_y, log_not_y, a, b = coins
    log_extra = np.log(extra)
    heads = log_y + np.logaddexp(log_exp_excess(extra * a), log_extra + np.log(exp_excess(-a)))
    tails = log_not_y + np.logaddexp(np.log(exp_excess(-extra * b)), log_extra + log_exp_excess(b))
    log_excess = np.logaddexp(heads, tails)
    k = np.logaddexp(0.0, log_excess)
    shares = np.exp(log_y + extra * a - k), np.exp(log_not_y - extra * b - k)
    return CoinsAtLimit(coins, extra, limit, extra * limit, log_excess, k, *shares)


class AllOrders(NamedTuple):
    """All above 1, with limits of xi + rho times the order, rounded upwards."""

    rho: float
    xi: float

    def limit(self, extra: Floats) -> Floats:
        """The limit at an order, rounded upwards."""
        return np.asarray((self.xi + self.rho * (1.0 + extra)) * (1.0 + 4.0 * UNIT))

    def markov(self, epsilon: Floats) -> Floats:
        return -np.square(np.maximum(epsilon - self.xi - self.rho, 0.0)) / (4.0 * self.rho)

    def start(self, line: StraightLine) -> tuple[Floats, Floats]:
        log_extra = np.clip(line.log_extra(self.rho, self.xi), *EXTRA)
        extra = np.exp(log_extra)
        return line.start(extra, self.limit(extra)), log_extra

    def place(self, coins: Coins, log_extra: Floats) -> CoinsAtLimit:
        extra = np.exp(log_extra)
        return place(coins, extra, self.limit(extra))

    def step(self, at: CoinsAtLimit, log_extra: Floats) -> tuple[Floats, Floats]:
        """Newton's, to where the divergence and its limit grow alike."""
        extra, (_, _, a, b) = at.extra, at.coins
        heads, tails = np.minimum(at.k - extra * a, 700.0), at.k + extra * b
        moved = at.heads * exp_excess(heads) + np.exp(at.coins.log_not_y) * exp_shortfall(tails)
        most = self.rho * np.square(extra) * (1.0 + 4.0 * UNIT)
        falls = np.square(extra * (a + b)) * at.heads * at.tails / moved - 2.0
        closer = np.where(at.size < 1.0, at.size / at.k, 1.0)  # as if the coins met the limit
        off = 1.0 - closer * moved / most  # its inverse is nearly a line in the square of extra
        step = 0.5 * np.log(np.maximum(1.0 + 2.0 * off / falls, 1e-7))
        most_step = np.where(np.abs(at.over) < NEAR_LIMIT, ORDER_STRIDE, 1.0)
        step = np.clip(np.where(falls < 0.0, step, -np.sign(off) * STRIDE), -most_step, most_step)
        step = np.clip(log_extra + step, *EXTRA) - log_extra
        return step, np.abs(most * off * step / -np.expm1(-at.k))


class SomeOrders(NamedTuple):
    """Some, with their limits."""

    extra: Floats
    limits: Floats

    def limit(self, extra: Floats) -> Floats:
        """The least."""
        return np.asarray(self.limits.min())

    def markov(self, epsilon: Floats) -> Floats:
        return np.asarray((self.extra * (self.limits - epsilon[:, None])).min(axis=1))

    def start(self, line: StraightLine) -> tuple[Floats, Floats]:
        each = [
            line.start(extra, limit) for extra, limit in zip(self.extra, self.limits, strict=True)
        ]
        found = np.min(each, axis=0)
        return found, np.zeros_like(found)

    def place(self, coins: Coins, log_extra: Floats) -> CoinsAtLimit:
        best = place(coins, self.extra[:1], self.limits[:1])
        if len(self.extra) > 1:
            over = place(Coins(*(part[:, None] for part in coins)), self.extra, self.limits).over
            at = np.argmax(over, axis=1)
            best = place(coins, self.extra[at], self.limits[at])
        return best

    def step(self, at: CoinsAtLimit, log_extra: Floats) -> tuple[Floats, Floats]:
        return np.zeros_like(at.k), np.zeros_like(at.k)


# The orders whose divergences are limited: `limit` is the largest divergence at order - 1, `markov`
# about the logarithm of the tail by Markov's inequality, `start` a position and log(order - 1) to
# begin with, `place` the coins beside an order that is chosen, and `step` how far the order that
# forbids most is from it, with what is gained by going there.
Orders = AllOrders | SomeOrders


def meeting(line: StraightLine, orders: Orders) -> Tangent:
    """The tangent where a straight line meets the curve."""
    with np.errstate(all="ignore"):
        u, log_extra = orders.start(line)
        u = np.clip(u, *line.reach())
        found = Tangent(*(np.empty_like(u) for _ in range(4)))
        rows = np.arange(len(u))
        for _ in range(TURNS):
            at = orders.place(line.coins(u), log_extra)
            rise = np.maximum(line.rise(u, at) / -np.expm1(-at.k), 1e-300)
            step, gain = orders.step(at, log_extra)
            for part, new in zip(found, at.tangent, strict=True):
                part[rows] = new
            moved = np.clip(u * np.exp(np.clip(-at.over / rise, -STRIDE, STRIDE)), *line.reach())
            close = (np.abs(at.over) < MET + FORMULA * UNIT * (rise + at.size)) | (moved == u)
            todo = ~(close & (gain < SETTLED * (1.0 + rise + at.size)))
            if not todo.any():
                break
            u, log_extra, rows = moved[todo], (log_extra + step)[todo], rows[todo]
            line = _only(line, todo)
    return found


def middle(orders: Orders) -> Tangent:
    """The tangent where level and power add up to 1."""
    return meeting(FixedSum(np.ones(1), 1e-300), orders)


def least_over_orders(f: Callable[[Floats], Floats], count: int) -> Floats:
    """Least ``f(order)`` over orders above 1, one search per row; any order gives an upper
    bound."""
    orders = np.linspace(np.log(1e-9), np.log(1e12), 127)  # logarithms of order - 1
    grid = np.broadcast_to(orders, (count, orders.size))
    step = orders[1] - orders[0]
    rows = np.arange(count)
    best = np.full(count, np.inf)
    for _ in range(7):
        values = f(1.0 + np.exp(grid))
        at = np.argmin(values, axis=1)
        best = np.minimum(best, values[rows, at])
        grid = grid[rows, at][:, None] + np.linspace(-step, step, 17)
        step = step / 8
    return best


def _only(line: StraightLine, rows: npt.NDArray[np.bool_]) -> StraightLine:
    """Some of the lines."""
    make: Callable[..., StraightLine] = type(line)
    return make(*(each[rows] if isinstance(each, np.ndarray) else each for each in line))


VISIBLE = 600.0  # nats: e to minus that is a float with all its digits
FAINT = 1e-290
VANISHED = -750.0  # the exponential is below the smallest double

Bound = Callable[[Floats, Floats], Floats]
"""A function from orders and their limits, shape (n, m), to values of that shape."""


class Above(NamedTuple):
    """A line above the curve; all at least."""

    intercept: Floats
    log_slope: Floats
    log_intercept: Floats
    """Finite where the intercept is too small for a double."""


class Limits(NamedTuple):
    """Limits on divergences, except with a probability."""

    orders: Orders | None
    """None where no divergence is allowed."""

    corner: float
    """log(power / level) in the middle of the curve, where nothing is revealed."""

    revealed: float

    def meets(self, line: type, where: Floats, *more: float) -> Above:
        """A line above the curve."""
        if self.orders is None:
            flat, still = np.full_like(where, self.revealed), np.zeros_like(where)
            return Above(flat, still, log(flat))
        with np.errstate(all="ignore"):
            t = meeting(line(where, *more, self.corner), self.orders)
            intercept, log_slope, log_core = t.intercept(), t.log_slope(), t.log_intercept()
        known = np.isfinite(intercept) & np.isfinite(log_slope)
        intercept = self.with_revealed(np.where(known, intercept, 1.0))
        logarithm = np.where(known & (self.revealed == 0.0), log_core, log(intercept))
        log_slope = np.where(known, np.maximum(log_slope, 0.0), 0.0)
        return Above(np.minimum(intercept, 1.0), log_slope, logarithm)

    def with_revealed(self, core: Floats) -> Floats:
        """A chance under the limits, with the event of which nothing is known."""
        return up(self.revealed + (1.0 - self.revealed) * core, self.revealed == 0.0, 4)

    def inside(self, chance: Floats) -> Floats:
        """About a chance, as a share of what is limited."""
        return np.clip(chance / (1.0 - self.revealed), SMALLEST, BELOW_ONE)

    @property
    def lost(self) -> float:
        return self.revealed / (1.0 - self.revealed)


def canonne(least: Callable[[Bound, int], Floats], delta: Floats) -> Floats:
    """Epsilon at delta > 0 by the conversion of Canonne et al. (2020, Proposition 12)."""

    def bound(order: Floats, limit: Floats) -> Floats:
        extra = order - 1.0
        near, far = extra * np.log(extra) - order * np.log(order), order * np.log1p(-1.0 / order)
        constant = np.where(order < 2.0, near, far - np.log(extra))
        return limit + (constant - np.log(delta)[:, None]) / extra

    return np.maximum(least(bound, delta.size), 0.0)


def power(limits: Limits, level: Floats) -> Floats:
    """Most power at a level strictly between 0 and 1, at least."""
    value = np.ones_like(level)
    near = limits.inside(level) <= expit(-limits.corner)
    if near.any():
        x = level[near]
        intercept, log_slope, _ = limits.meets(FixedLevel, limits.inside(x))
        value[near] = up(up(times_exp(x, log_slope)) + intercept, False, 1)
    if not near.all():
        rest = below_complement(level[~near])
        intercept, log_slope, _ = limits.meets(FixedPower, _above(limits, rest))
        value[~near] = np.nextafter(1.0 - _below(rest, intercept, log_slope), 2.0)
    return np.minimum(value, 1.0)


def level(limits: Limits, power: Floats) -> Floats:
    """Least level at which a test can have a power strictly between 0 and 1, at most."""
    value = np.zeros_like(power)
    near = power <= limits.revealed + (1.0 - limits.revealed) * expit(limits.corner)
    if near.any():
        y = power[near]
        intercept, log_slope, _ = limits.meets(FixedPower, _above(limits, y))
        value[near] = _below(y, intercept, log_slope)
    if not near.all():
        rest = 1.0 - power[~near]
        intercept, log_slope, _ = limits.meets(FixedLevel, limits.inside(rest))
        most = up(up(times_exp(rest, log_slope)) + intercept, False, 1)
        value[~near] = below_complement(np.minimum(most, 1.0))
    return value


def _above(limits: Limits, power: Floats) -> Floats:
    """About a power, without what is revealed."""
    return limits.inside(np.maximum(power - limits.revealed, 0.0))


def _below(power: Floats, intercept: Floats, log_slope: Floats) -> Floats:
    """Level at which a line has a power, at most."""
    return down(times_exp(down(np.maximum(power - intercept, 0.0), False, 1), -log_slope))


def loss_bound(limits: Limits, failure: Floats, sides: Sides) -> Floats:
    """Loss that is exceeded with probability `failure`, in (0, 1]."""
    if sides == "both":  # level and power, which add up to it
        share = limits.inside(np.maximum(failure - limits.revealed, 0.0))
        intercept, log_slope, logarithm = limits.meets(FixedSum, share)
        share = _share(failure, intercept, logarithm)
        return _loss_of(share, log_slope, np.exp(-log_slope))
    value = np.zeros_like(failure)
    near = failure <= limits.revealed + (1.0 - limits.revealed) * expit(limits.corner)
    if near.any():
        y = failure[near]
        intercept, log_slope, logarithm = limits.meets(FixedPower, _above(limits, y))
        value[near] = _loss_of(_share(y, intercept, logarithm), log_slope, 0.0)
    if not near.all():
        y = failure[~near]
        intercept, log_slope, _ = limits.meets(FixedLevel, limits.inside(1.0 - y))
        apart = up(intercept + np.expm1(np.minimum(log_slope, 700.0)) * (1.0 - y)) / y
        value[~near] = _loss_of(np.where(y < 1.0, up(apart, False, 1), limits.revealed), 0.0, 0.0)
    return value


def _share(total: Floats, intercept: Floats, log_intercept: Floats) -> Floats:
    """Intercept over a chance, at least."""
    none = intercept == 0.0
    size = np.minimum(np.abs(log_intercept), -2.0 * VANISHED)
    far = up(np.exp(log_intercept - np.log(total)), none, FORMULA + 8.0 * size)
    near = up(intercept / total, none, 1)
    return np.where(intercept < FAINT, far, near)


def _loss_of(share: Floats, log_slope: Floats | float, flat: Floats | float) -> Floats:
    """``log(slope (1 + flat share) / (1 - share))``, at least."""
    share = np.minimum(share, 1.0)
    with np.errstate(divide="ignore"):
        loss = log_slope + np.log1p(flat * share) - np.log1p(-share)
    return up(loss, loss == 0.0)


def _beyond(limits: Limits, epsilon: Floats, middle: float) -> Floats:
    """Most probability of a loss beyond epsilon, which is beyond the middle of the curve."""

    def at(loss: Floats) -> Floats:
        intercept, log_slope, logarithm = limits.meets(FarRay, loss, limits.lost)
        gap = (loss - log_slope) - 2.0 * UNIT * loss
        total = np.maximum(-np.expm1(-np.maximum(gap, 0.0)), intercept)
        return np.minimum(_share(total, intercept, logarithm), 1.0)

    loss, found = epsilon.copy(), at(epsilon)
    while (unseen := (found == 1.0) & (loss > middle + VISIBLE)).any():
        loss[unseen] = middle + (loss[unseen] - middle) / 8.0
        found[unseen] = at(loss[unseen])
    return found


def tail(limits: Limits, epsilon: Floats, sides: Sides) -> Floats:
    """Most probability of a loss beyond a positive epsilon."""
    height = np.ones_like(epsilon)
    lost = limits.lost
    middle = limits.corner + np.log1p(lost * (1.0 + np.exp(-limits.corner)))
    far = epsilon > middle
    if far.any():
        height[far] = _beyond(limits, epsilon[far], middle)
    near = ~far & (np.expm1(np.minimum(epsilon, 700.0)) > lost)
    if near.any():
        t = epsilon[near]
        intercept, log_slope, _ = limits.meets(NearRay, t, lost)
        over = intercept * np.exp(-log_slope) - np.expm1(-log_slope)
        height[near] = up(over / -np.expm1(-log_slope - t))
    height = np.minimum(height, 1.0)
    if limits.orders is not None and not lost:
        with np.errstate(over="ignore"):  # less than all logarithms
            vanished = limits.orders.markov(epsilon) < VANISHED
        height = np.where(vanished, SMALLEST, height)
    return height if sides == "one" else on_both_sides(height, epsilon)
