"""Guarantees that limit Rényi divergences: every answer, read off lines above their power curve.

Two coins are the worst case of a limit (P1, Theorem 6.3). `Tangent` is the line that such a pair
gives, `meeting` finds where a straight line meets the curve, `Curve` is the curve by its lines and
gives the profile (dprisk Proposition 21), and `ByOrders` answers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.invert import keep
from dprisk._numeric.logspace import Floats, below_complement, expit, log, log1mexp
from dprisk._numeric.normal import BELOW_ONE
from dprisk._numeric.rounding import FORMULA, SMALLEST, UNIT, down, sum_up, times_exp, up
from dprisk.answer import Answer
from dprisk.guarantees.base import CHANCES, Guarantee, Sides
from dprisk.guarantees.piecewise import on_both_sides
from dprisk.theorems import (
    ONE_TAIL_EXTENDED,
    RENYI_ADVANTAGE,
    RENYI_POWER,
    RENYI_PROFILE,
    RENYI_TAIL_OF_COINS,
)

TERMS = 1.0 / np.cumprod(np.arange(2.0, 19.0))  # 1/2!, 1/3!, ...
LEAST, MOST = -740.0, 40.0  # logarithms of a and b
NEAR_EXPONENT = 1e-8  # what is left of it counts squared
GAIN = 1e-14
TURNS = 60  # of a search, by secants or by Newton's method
STRIDE = 3.0  # the largest step of a position, in logarithms; and of an order without a direction


class Tangent(NamedTuple):
    """The line that the order 1 + extra > 1, limited by `limit`, gives at two ratios of coins."""

    extra: Floats
    limit: Floats
    a: Floats
    b: Floats

    def log_slope(self) -> Floats:
        """Logarithm of the slope, at least."""
        extra, a, apart = self.extra, self.a, self.a + self.b
        with np.errstate(over="ignore", invalid="ignore"):
            flat = np.exp(_log_slack(self) - extra * a)
            size = (extra * excess(a) + excess(-extra * a)) + flat
            share = (1.0 + extra) * -np.expm1(-extra * apart)
            near = np.log1p(np.maximum((size - 2.0 * flat) / share, -0.5))
            lost = np.abs(near) + 2.0 * size / share
        terms = log1mexp((1.0 + extra) * apart), -log1mexp(extra * apart), -np.log1p(1.0 / extra)
        far = a + sum(terms) + 4.0 * UNIT * np.abs(a)
        most = sum(np.abs(term) for term in terms)
        lost, found = np.where(a < 1.0, lost, most), np.where(a < 1.0, near, far)
        return np.asarray(found + FORMULA * UNIT * lost)

    def log_intercept(self) -> Floats:
        """Logarithm of the height at level 0, at least."""
        size, slack = self.extra * self.limit, _log_slack(self)
        with np.errstate(over="ignore"):
            of_slack = np.exp(slack - size)
        held = of_slack - np.expm1(-size)
        drop = self.extra * (self.limit - self.a)
        ratio = log1mexp(self.extra * (self.a + self.b))
        shift = np.log1p(self.extra)
        lost = (size + np.abs(slack) + np.abs(np.log(self.extra))) * (of_slack / held)
        lost = 2.0 + np.abs(drop) + np.abs(ratio) + np.abs(np.log(held)) + shift + lost
        return np.asarray(drop + np.log(held) - shift - ratio + FORMULA * UNIT * lost)

    def intercept(self) -> Floats:
        """Height at level 0, at least, and at most 1."""
        logarithm = np.minimum(self.log_intercept(), 0.0)
        return np.minimum(up(np.exp(logarithm), units=FORMULA), 1.0)

    def lowered(self, by: Floats) -> Tangent:
        """The line with another ratio y/x."""
        return self._replace(a=np.maximum(self.a - by, 1e-300))


def _log_slack(t: Tangent) -> Floats:
    """log(1 - order u^extra + extra u^order) at u = e^-b."""
    drop = t.extra * t.b
    raised, plain = log_excess(np.array([drop, -t.b]))
    return np.asarray(np.logaddexp(raised, np.log(t.extra) + plain) - drop)


def excess(z: Floats) -> Floats:
    """``e^z - 1 - z`` without cancellation, not below 5e-324."""
    near = np.minimum(np.maximum(z, -1.0), 1.0)
    series = np.full_like(near, TERMS[-1])
    for term in TERMS[-2::-1]:
        series *= near
        series += term
    with np.errstate(over="ignore"):
        value = np.where(np.abs(z) < 1.0, series * near * near, np.expm1(z) - z)
    return np.asarray(np.maximum(value, 5e-324))


def log_excess(z: Floats) -> Floats:
    """Its logarithm, without overflow."""
    far = np.maximum(z, 1.0)
    further = far + np.log1p(-(1.0 + far) * np.exp(-far))
    return np.asarray(np.where(z < 1.0, np.log(excess(np.minimum(z, 1.0))), further))


def _coins(t: Tangent) -> tuple[Floats, Floats]:
    """log y and log(1 - y)."""
    whole = log1mexp(t.a + t.b)
    return log1mexp(t.b) - whole, log1mexp(t.a) - t.b - whole


def beyond(t: Tangent) -> Floats:
    """Log of ``e^(extra divergence) - 1`` at the two ratios, over the same at the limit."""
    y, not_y = _coins(t)
    log_extra = np.log(t.extra)
    raised, plain = log_excess(np.array([[t.extra * t.a, -t.extra * t.b], [-t.a, t.b]]))
    heads, tails = np.logaddexp(raised, log_extra + plain)
    size = t.extra * t.limit
    return np.asarray(np.logaddexp(y + heads, not_y + tails) - size - log1mexp(size))


def tilted(t: Tangent) -> Floats:
    """How fast ``extra divergence`` rises with the order."""
    y, not_y = _coins(t)
    odds = np.clip(not_y - y - t.extra * (t.a + t.b), -700.0, 700.0)
    return np.asarray((t.a - t.b * np.exp(odds)) / (1.0 + np.exp(odds)))


class BySlope(NamedTuple):
    """Lines of a slope, given by its logarithm."""

    log_slope: Floats

    def first(self, extra: Floats, limit: Floats) -> Floats:
        return self.log_slope + np.log1p(1.0 / extra)

    def ratio(self, t: Tangent) -> Floats:
        for _ in range(3):
            order, apart = 1.0 + t.extra, t.a + t.b
            ratio = log1mexp(order * apart) - log1mexp(t.extra * apart)
            off = t.a - np.log1p(1.0 / t.extra) + ratio - self.log_slope
            t = t.lowered(off / _growth(t))
        return t.a

    def log_extra(self, rho: float, xi: float) -> Floats:
        excess = ((self.log_slope - xi) / rho - 1.0) / 2.0  # of two normals, far out
        return np.asarray(np.log((excess + np.sqrt(np.square(excess) + 0.3 / rho)) / 2.0))

    def settled(self, t: Tangent) -> Tangent:
        """The line, with a slope that is no larger as computed."""
        for _ in range(2):
            t = t.lowered((t.log_slope() - self.log_slope) / _growth(t))
        return t.lowered(2.0 * np.maximum(t.log_slope() - self.log_slope, 0.0))


class ByIntercept(NamedTuple):
    """Lines of a height at level 0, given by its logarithm."""

    log_intercept: Floats

    def first(self, extra: Floats, limit: Floats) -> Floats:
        zero = np.zeros_like(self.log_intercept)
        return self.ratio(Tangent(extra, limit, zero, zero))

    def ratio(self, t: Tangent) -> Floats:
        size, drop = t.extra * t.limit, t.extra * t.b
        top = size + np.log(np.exp(_log_slack(t) - size) - np.expm1(-size))
        top = top - np.log1p(t.extra) - self.log_intercept
        near = np.log1p(np.maximum(np.exp(np.minimum(top, 1.0)) + np.expm1(-drop), 0.0))
        scaled = np.where(top < 1.0, near, np.logaddexp(top, -drop))
        return np.asarray(np.maximum(scaled / t.extra, 1e-300))

    def log_extra(self, rho: float, xi: float) -> Floats:
        return np.asarray(0.5 * (np.log(np.maximum(-self.log_intercept, 1e-9)) - np.log(rho)))


# A question asked of a line; its arrays, one after the other, are all of it. `first` is the ratio a
# of the line with b = 0, `ratio` that of the line with the b of another whose a is close, and
# `log_extra` about the best log(order - 1) under limits of xi + rho times the order.
Aim = BySlope | ByIntercept


def _growth(t: Tangent) -> Floats:
    """Derivative of the logarithm of the slope in a."""
    order, apart = 1.0 + t.extra, t.a + t.b
    with np.errstate(over="ignore"):
        grows = 1.0 + order / np.expm1(order * apart) - t.extra / np.expm1(t.extra * apart)
    return np.asarray(np.clip(grows, 0.5, 1.0))


def touching(
    extra: Floats, limit: Floats, aim: Aim, near: Tangent | None = None
) -> tuple[Tangent, Floats]:
    """The line of an order that is as asked and touches the curve of that order."""
    alone = aim.first(extra, limit)
    most = np.log(8.0 + 4.0 * (alone + limit))  # beyond, the coin of power 1 is touched
    a, b = (alone, np.full_like(alone, np.nan)) if near is None else (near.a, near.b)
    known = np.log(b) < most
    if not known.all():
        size = extra * limit
        raised, plain = log_excess(np.array([extra * alone, -alone]))
        heads = np.logaddexp(raised, np.log(extra) + plain)
        start = np.minimum(size + log1mexp(size) - heads + log1mexp(alone), np.log(alone))
        a = np.where(known, a, alone)
        b = np.where(known, b, np.exp(np.clip(start, LEAST, most)))
    t = Tangent(extra, limit, a, b)
    t = t._replace(a=aim.ratio(t))
    return rising(_on_curve, np.log(b), t, aim, (LEAST, most))


def _on_curve(log_b: Floats, t: Tangent, aim: Aim) -> tuple[Floats, Tangent]:
    t = t._replace(b=np.exp(log_b))
    t = t._replace(a=aim.ratio(t))
    return beyond(t), t


class Ray(NamedTuple):
    """Lines with b = e^log_share a."""

    log_share: Floats


def along(extra: Floats, limit: Floats, log_share: Floats) -> Tangent:
    """Tangent of an order where b = e^log_share a; at 0, its corner on the antidiagonal."""
    few = 0.5 * (np.log(2.0 * limit / (1.0 + extra)) - log_share)
    many = np.log(limit + (1.0 - log_share) / extra)
    start = np.clip(np.minimum(few, many), LEAST, MOST)
    t = Tangent(extra, limit, start, start)
    slope = 1.0 + extra * np.exp(start)
    return rising(_on_ray, start, t, Ray(log_share), (LEAST, MOST), slope)[0]


def _on_ray(log_a: Floats, t: Tangent, ray: Ray) -> tuple[Floats, Tangent]:
    t = t._replace(a=np.exp(log_a), b=np.exp(log_a + ray.log_share))
    return beyond(t), t


def rising(
    f: Callable[[Floats, Tangent, Any], tuple[Floats, Tangent]],
    start: Floats,
    t: Tangent,
    asked: Any,
    reach: tuple[float, Floats | float],
    slope: Floats | float = 1.0,
    order: bool = False,
) -> tuple[Tangent, Floats]:
    """The line at which a function is 0 that rises with a position, by secants between bounds."""
    low, high = reach[0], reach[1] + 0.0 * start
    lower, upper = np.full_like(start, low - 1.0), np.full_like(start, high + 1.0)
    value, t = f(start, t, asked)
    found, values = Tangent(*(np.array(part) for part in t)), np.array(value)
    x, slope, rows = start, slope + 0.0 * start, np.arange(len(start))
    for _ in range(TURNS):
        upper, lower = np.where(value > 0.0, x, upper), np.where(value > 0.0, lower, x)
        over = ((x == low) & (value > 0.0)) | ((x == high) & (value < 0.0))
        rounding = FORMULA * UNIT * (slope + t.extra * t.limit)
        near = np.sqrt(GAIN * slope / (1.0 + t.extra * t.limit)) if order else NEAR_EXPONENT
        close = np.abs(value) < near + rounding
        todo = ~(over | close | (upper - lower < 4.0 * UNIT))
        if not todo.any():
            break
        x, value, slope, lower, upper, high, rows = (
            each[todo] for each in (x, value, slope, lower, upper, high, rows)
        )
        t, asked = (type(each)(*(part[todo] for part in each)) for each in (t, asked))
        moved = np.clip(x - np.clip(value / slope, -STRIDE, STRIDE), low, high)
        inside = (moved > lower) & (moved < upper)
        middle = 0.5 * (np.maximum(lower, low) + np.minimum(upper, high))
        moved = np.where(inside, moved, middle)
        after, t = f(moved, t, asked)
        for part, new in zip(found, t, strict=True):
            part[rows] = new
        values[rows] = after
        with np.errstate(divide="ignore", invalid="ignore"):
            secant = (after - value) / (moved - x)
        slope = np.where(np.isfinite(secant) & (secant > 0.0), secant, slope)
        x, value = moved, after
    return found, values


class Coins(NamedTuple):
    """Two coins: log y, log(1 - y), log(y / x) and log((1 - x) / (1 - y))."""

    log_y: Floats
    log_not_y: Floats
    a: Floats
    b: Floats


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


def exp_excess(z: Floats) -> Floats:
    """``e^z - 1 - z``, to a few digits."""
    return np.asarray(np.where(np.abs(z) < 1e-4, 0.5 * z * z * (1.0 + z / 3.0), np.expm1(z) - z))


def exp_shortfall(z: Floats) -> Floats:
    """``1 - (1 + z) e^-z`` for z >= 0, without overflow."""
    far = -np.expm1(-z) - z * np.exp(-z)
    return np.where(z < 1.0, np.exp(-z) * exp_excess(np.minimum(z, 1.0)), far)


def log_exp_excess(z: Floats) -> Floats:
    """``log(e^z - 1 - z)`` for z > 0, without overflow."""
    far = np.maximum(z, 1.0)
    further = far + np.log1p(-(1.0 + far) * np.exp(-far))
    return np.where(z < 1.0, np.log(exp_excess(np.minimum(z, 1.0))), further)


Reach = tuple[Floats | float, Floats | float]


class FixedLevel(NamedTuple):
    """A level; u = log(y / x)."""

    x: Floats
    corner: float

    def reach(self) -> Reach:
        return self.corner, np.maximum(
            -np.log1p(np.exp(-self.corner)) - np.log(self.x), self.corner
        )

    def coins(self, u: Floats) -> Coins:
        log_y = np.minimum(np.log(self.x) + u, -UNIT)
        share = np.exp(log_y) * -np.expm1(-u) / (1.0 - self.x)
        b = -np.log1p(-np.minimum(share, 1.0 - UNIT))
        return Coins(log_y, np.log1p(-self.x) - b, u, b)

    def rise(self, u: Floats, at: CoinsAtLimit) -> Floats:
        return u * at.by_y

    def start(self, extra: Floats, limit: Floats) -> Floats:
        few = np.log1p(np.sqrt(2.0 * limit / (1.0 + extra) * (1.0 - self.x) / self.x))
        few = np.where(extra * few < 1.0, few, np.inf)
        return np.minimum(few, (extra * limit - np.log(self.x)) / (1.0 + extra))

    def log_extra(self, rho: float, xi: float) -> Floats:
        return _usual(-np.log(self.x), rho)


class FixedPower(NamedTuple):
    """A power; u = log(y / x)."""

    y: Floats
    corner: float

    def reach(self) -> Reach:
        return self.corner, 1e300

    def coins(self, u: Floats) -> Coins:
        y, not_y = self.y, 1.0 - self.y
        b = np.log1p(-y * np.expm1(-u) / not_y)
        return Coins(np.log(y) + 0.0 * u, np.log(not_y) + 0.0 * u, u, b)

    def rise(self, u: Floats, at: CoinsAtLimit) -> Floats:
        return u * at.by_x

    def start(self, extra: Floats, limit: Floats) -> Floats:
        apart = np.sqrt(2.0 * limit / (1.0 + extra) * (1.0 - self.y) / self.y)
        near = np.where(apart < 0.5, apart, np.inf)
        return np.minimum(near, limit - np.log(self.y) / extra)

    def log_extra(self, rho: float, xi: float) -> Floats:
        return _usual(-np.log(self.y), rho)


class FixedSum(NamedTuple):
    """A sum of level and power, in (0, 1]; u = log(y / x)."""

    total: Floats
    corner: float

    def reach(self) -> Reach:
        return self.corner, 1e300

    def coins(self, u: Floats) -> Coins:
        log_y = np.log(self.total) - np.log1p(np.exp(-u))
        log_not_y = np.logaddexp(np.log(1.0 - self.total), log_y - u)
        apart = np.exp(log_y - log_not_y) * -np.expm1(-u)
        far = np.log1p(-np.exp(log_y - u)) - log_not_y
        return Coins(log_y, log_not_y, u, np.where(apart < 1e9, np.log1p(apart), far))

    def rise(self, u: Floats, at: CoinsAtLimit) -> Floats:
        return np.asarray(u * (at.by_y / (1.0 + np.exp(u)) + at.by_x / (1.0 + np.exp(-u))))

    def start(self, extra: Floats, limit: Floats) -> Floats:
        apart = np.sqrt(2.0 * limit / (1.0 + extra) * (2.0 - self.total) / self.total)
        near = np.where(apart < 0.5, apart, np.inf)
        return np.asarray(np.minimum(near, limit + (np.log(2.0) - np.log(self.total)) / extra))

    def log_extra(self, rho: float, xi: float) -> Floats:
        return _usual(np.log(2.0) - np.log(self.total), rho)


class FarRay(NamedTuple):
    """y + lost = e^t x; u = log((1 - x) / (1 - y))."""

    t: Floats
    lost: float
    corner: float

    def reach(self) -> Reach:
        if not self.lost:
            return 1e-322, self.corner
        far = self.corner + log1mexp(self.corner) - self.t  # where log(y / x) is the corner's
        share = np.exp(np.log(self.lost) + far - log1mexp(self.t - self.corner))
        return np.clip(share, 1e-322, self.corner), self.corner

    def coins(self, u: Floats) -> Coins:
        scaled = (self.lost - np.expm1(-u)) / -np.expm1(-u - self.t)  # e^t x
        log_x = np.log(scaled) - self.t
        log_not_x = np.log1p(-np.exp(log_x))
        a = np.logaddexp(0.0, log1mexp(u) + log_not_x - log_x) if self.lost else self.t + 0.0 * u
        return Coins(np.logaddexp(log1mexp(u), log_x - u), log_not_x - u, a, u)

    def rise(self, u: Floats, at: CoinsAtLimit) -> Floats:
        extra = at.extra
        inner = np.logaddexp(np.log(extra) + np.log(exp_excess(-u)), log_exp_excess(extra * u))
        slack = np.exp(inner - extra * u - at.k)
        lost = self.lost * at.by_y * np.exp(-at.coins.log_y) if self.lost else 0.0
        not_x = np.exp(at.coins.log_not_y + u)
        moved = u * np.exp(-u) * not_x / (self.lost - np.expm1(-u))
        return np.asarray(moved * (slack - np.expm1(-at.k) + lost))

    def start(self, extra: Floats, limit: Floats) -> Floats:
        size = extra * limit
        heads = np.logaddexp(log_exp_excess(extra * self.t), np.log(extra * exp_excess(-self.t)))
        y = np.exp(np.minimum(size + log1mexp(size) - heads, -UNIT))
        d = -np.expm1(-self.t) * y
        x = y * np.exp(-self.t)
        near = np.minimum(-np.log1p(-d / (1.0 - x)), 2.0 * limit / ((1.0 + extra) * self.t))
        if self.lost:  # far out, a level
            log_x = np.log(self.lost) - self.t
            near = np.maximum(near, np.exp((extra * (limit + log_x)) / (1.0 + extra)))
        return np.asarray(near)

    def log_extra(self, rho: float, xi: float) -> Floats:
        excess = ((self.t - xi) / rho - 1.0) / 2.0  # of two normals, far out
        found = np.log((excess + np.hypot(excess, np.sqrt(0.3 / rho))) / 2.0)
        return np.minimum(found, _usual(self.t - np.log(self.lost), rho)) if self.lost else found


class NearRay(NamedTuple):
    """1 - x + lost = e^t (1 - y), for e^t - 1 > lost; u = log(y / x)."""

    t: Floats
    lost: float
    corner: float

    def reach(self) -> Reach:
        return self.corner, 1e300

    def coins(self, u: Floats) -> Coins:
        whole = np.log(-np.expm1(-self.t - u))
        log_y = np.log(-np.expm1(-self.t) - self.lost * np.exp(-self.t)) - whole
        log_not_y = np.log(self.lost - np.expm1(-u)) - self.t - whole
        b = np.logaddexp(0.0, log_y + log1mexp(u) - log_not_y) if self.lost else self.t + 0.0 * u
        return Coins(log_y, log_not_y, u, b)

    def rise(self, u: Floats, at: CoinsAtLimit) -> Floats:
        turned = at.extra * exp_shortfall(u) + np.exp(-u) * exp_excess(-at.extra * u)
        x = np.exp(at.coins.log_y - u)
        share = u / (self.lost - np.expm1(-u))
        lost = self.lost * at.by_x
        return np.asarray(share * (at.heads * turned - x * np.expm1(-at.k) + lost))

    def start(self, extra: Floats, limit: Floats) -> Floats:
        few = 2.0 * limit / ((1.0 + extra) * self.t)
        return np.minimum(few, limit - np.log(-np.expm1(-self.t)) / extra)

    def log_extra(self, rho: float, xi: float) -> Floats:
        return _usual(-np.log(-np.expm1(-self.t)), rho)


# A straight line, by a position u > 0 on it that leads away from equal coins. `reach` are the least
# and largest position, by log(y / x) at the middle of the curve, the `corner`; `rise` is the
# derivative of K in log u, `start` about where one order meets its limit, `log_extra` as of an Aim.
StraightLine = FixedLevel | FixedPower | FixedSum | FarRay | NearRay


def _usual(exponent: Floats, rho: float) -> Floats:
    return np.asarray(0.5 * (np.log(np.maximum(exponent, 1e-9)) - np.log(rho)))


MET = 1e-9  # how far off a limit, in logarithms: the tangent is off by about the square of it
SETTLED = 1e-14  # what a better order would gain, beside what is limited
ORDER_STRIDE = 8.0  # of an order, where the divergence is within NEAR_LIMIT of its limit
NEAR_LIMIT = 0.3  # in logarithms: so near Newton's method may stride
EXTRA = (np.log(1e-14), np.log(1e170))  # logarithms of order - 1


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


Indices = npt.NDArray[np.intp]
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
