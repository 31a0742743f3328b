"""Tangents of the power curve under one Rényi divergence: lines that two coins give.

Two coins are the worst case of a limit (P1, Theorem 6.3). `Tangent` is the line of such a pair;
`touching`, `along` and `rising` find it by slope, intercept or position.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dprisk._numeric.logspace import (
    Floats,
    excess,
    exp_excess,
    exp_shortfall,
    log1mexp,
    log_excess,
    log_exp_excess,
)
from dprisk._numeric.rounding import FORMULA, UNIT, up

if TYPE_CHECKING:
    from dprisk.guarantees.order_limits import CoinsAtLimit

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
