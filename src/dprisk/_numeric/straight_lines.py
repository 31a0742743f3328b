"""Straight lines through the square of levels x and powers y, and the pairs of coins on each."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from dprisk._numeric.coins import Coins, CoinsAtLimit, exp_excess, exp_shortfall, log_exp_excess
from dprisk._numeric.logspace import Floats, log1mexp
from dprisk._numeric.rounding import UNIT

Reach = tuple[Floats | float, Floats | float]


class StraightLine(Protocol):
    """A straight line, by a position u > 0 on it that leads away from equal coins."""

    def reach(self) -> Reach:
        """Least and largest position, by log(y / x) at the middle of the curve, the `corner`."""

    def coins(self, u: Floats) -> Coins:
        """The coins at a position."""

    def rise(self, u: Floats, at: CoinsAtLimit) -> Floats:
        """Derivative of K in log u."""

    def start(self, extra: Floats, limit: Floats) -> Floats:
        """About the position at which one order meets its limit."""

    def log_extra(self, rho: float, xi: float) -> Floats:
        """About the best log(order - 1) under limits of xi + rho times the order."""


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


def _usual(exponent: Floats, rho: float) -> Floats:
    return np.asarray(0.5 * (np.log(np.maximum(exponent, 1e-9)) - np.log(rho)))
