"""Lines above the power curves that limits on Rényi divergences allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from dprisk._numeric.logspace import Floats, log1mexp
from dprisk._numeric.rounding import FORMULA, UNIT, up

TERMS = 1.0 / np.cumprod(np.arange(2.0, 19.0))  # 1/2!, 1/3!, ...
LEAST, MOST = -740.0, 40.0  # logarithms of a and b
NEAR_EXPONENT = 1e-8  # what is left of it counts squared
GAIN = 1e-14
TURNS = 60
STRIDE = 3.0


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


class Aim(Protocol):
    """What is asked of a line; its arrays, one after the other, are all of it."""

    def __iter__(self) -> Iterator[Floats]: ...

    def first(self, extra: Floats, limit: Floats) -> Floats:
        """Ratio a of the line with b = 0."""

    def ratio(self, t: Tangent) -> Floats:
        """Ratio a of the line with the b of another, whose a is close."""

    def log_extra(self, rho: float, xi: float) -> Floats:
        """About the best log(order - 1) under limits of xi + rho times the order."""


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
    """Where the curve of an order has b = e^log_share a; at 0, its corner on the antidiagonal."""
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
