"""Where a straight line meets the power curve that limits on Rényi divergences allow.

A search for two coins on the line, of chances x <= y with x + y <= 1, that meet the limit; the
answer is read off the tangent there (dprisk Proposition 21), which bounds the curve wherever the
search stops. Arrays go by elements, and no element depends on another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats, log1mexp
from dprisk._numeric.rounding import FORMULA, UNIT
from dprisk._numeric.tangents import Tangent

__all__ = [
    "EXTRA",
    "AllOrders",
    "FarRay",
    "FixedLevel",
    "FixedPower",
    "FixedSum",
    "Line",
    "NearRay",
    "Orders",
    "SomeOrders",
    "least_over_orders",
    "meeting",
    "middle",
]

TURNS = 60
NEAR, SETTLED = 1e-9, 1e-14
STRIDE, FAR = 3.0, 8.0
EXTRA = (np.log(1e-14), np.log(1e170))  # logarithms of order - 1


class Coins(NamedTuple):
    """Two coins: log y, log(1 - y), log(y / x) and log((1 - x) / (1 - y))."""

    log_y: Floats
    log_not_y: Floats
    a: Floats
    b: Floats


class Place(NamedTuple):
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


Reach = tuple[Floats | float, Floats | float]


class Line(Protocol):
    """A straight line, by a position u > 0 on it that leads away from equal coins."""

    def reach(self) -> Reach:
        """Least and largest position, by log(y / x) at the middle of the curve, the `corner`."""

    def coins(self, u: Floats) -> Coins:
        """The coins at a position."""

    def rise(self, u: Floats, at: Place) -> Floats:
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

    def rise(self, u: Floats, at: Place) -> Floats:
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

    def rise(self, u: Floats, at: Place) -> Floats:
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

    def rise(self, u: Floats, at: Place) -> Floats:
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

    def rise(self, u: Floats, at: Place) -> Floats:
        extra = at.extra
        inner = np.logaddexp(np.log(extra) + np.log(_excess(-u)), _log_excess(extra * u))
        slack = np.exp(inner - extra * u - at.k)
        lost = self.lost * at.by_y * np.exp(-at.coins.log_y) if self.lost else 0.0
        not_x = np.exp(at.coins.log_not_y + u)
        moved = u * np.exp(-u) * not_x / (self.lost - np.expm1(-u))
        return np.asarray(moved * (slack - np.expm1(-at.k) + lost))

    def start(self, extra: Floats, limit: Floats) -> Floats:
        size = extra * limit
        heads = np.logaddexp(_log_excess(extra * self.t), np.log(extra * _excess(-self.t)))
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

    def rise(self, u: Floats, at: Place) -> Floats:
        turned = at.extra * _turned(u) + np.exp(-u) * _excess(-at.extra * u)
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


def _excess(z: Floats) -> Floats:
    """``e^z - 1 - z``, to a few digits."""
    return np.asarray(np.where(np.abs(z) < 1e-4, 0.5 * z * z * (1.0 + z / 3.0), np.expm1(z) - z))


def _turned(z: Floats) -> Floats:
    """``1 - (1 + z) e^-z`` for z >= 0, without overflow."""
    far = -np.expm1(-z) - z * np.exp(-z)
    return np.where(z < 1.0, np.exp(-z) * _excess(np.minimum(z, 1.0)), far)


def _log_excess(z: Floats) -> Floats:
    """Its logarithm for z > 0, without overflow."""
    far = np.maximum(z, 1.0)
    further = far + np.log1p(-(1.0 + far) * np.exp(-far))
    return np.where(z < 1.0, np.log(_excess(np.minimum(z, 1.0))), further)


def _place(coins: Coins, extra: Floats, limit: Floats) -> Place:
    log_y, log_not_y, a, b = coins
    log_extra = np.log(extra)
    heads = log_y + np.logaddexp(_log_excess(extra * a), log_extra + np.log(_excess(-a)))
    tails = log_not_y + np.logaddexp(np.log(_excess(-extra * b)), log_extra + _log_excess(b))
    log_excess = np.logaddexp(heads, tails)
    k = np.logaddexp(0.0, log_excess)
    shares = np.exp(log_y + extra * a - k), np.exp(log_not_y - extra * b - k)
    return Place(coins, extra, limit, extra * limit, log_excess, k, *shares)


class Orders(Protocol):
    """The orders whose divergences are limited."""

    def limit(self, extra: Floats) -> Floats:
        """Largest divergence at order - 1."""

    def markov(self, epsilon: Floats) -> Floats:
        """Logarithm of the tail by Markov's inequality, about."""

    def start(self, line: Line) -> tuple[Floats, Floats]:
        """Position and log(order - 1) to begin with."""

    def place(self, coins: Coins, log_extra: Floats) -> Place:
        """The coins beside an order that is chosen."""

    def step(self, at: Place, log_extra: Floats) -> tuple[Floats, Floats]:
        """How far the order that forbids most is from it, and what is gained by going there."""


class AllOrders(NamedTuple):
    """All above 1, with limits of xi + rho times the order, rounded upwards."""

    rho: float
    xi: float

    def limit(self, extra: Floats) -> Floats:
        """At an order."""
        return np.asarray((self.xi + self.rho * (1.0 + extra)) * (1.0 + 4.0 * UNIT))

    def markov(self, epsilon: Floats) -> Floats:
        return -np.square(np.maximum(epsilon - self.xi - self.rho, 0.0)) / (4.0 * self.rho)

    def start(self, line: Line) -> tuple[Floats, Floats]:
        log_extra = np.clip(line.log_extra(self.rho, self.xi), *EXTRA)
        extra = np.exp(log_extra)
        return line.start(extra, self.limit(extra)), log_extra

    def place(self, coins: Coins, log_extra: Floats) -> Place:
        extra = np.exp(log_extra)
        return _place(coins, extra, self.limit(extra))

    def step(self, at: Place, log_extra: Floats) -> tuple[Floats, Floats]:
        """Newton's, to where the divergence and its limit grow alike."""
        extra, (_, _, a, b) = at.extra, at.coins
        heads, tails = np.minimum(at.k - extra * a, 700.0), at.k + extra * b
        moved = at.heads * _excess(heads) + np.exp(at.coins.log_not_y) * _turned(tails)
        most = self.rho * np.square(extra) * (1.0 + 4.0 * UNIT)
        falls = np.square(extra * (a + b)) * at.heads * at.tails / moved - 2.0
        closer = np.where(at.size < 1.0, at.size / at.k, 1.0)  # as if the coins met the limit
        off = 1.0 - closer * moved / most  # its inverse is nearly a line in the square of extra
        step = 0.5 * np.log(np.maximum(1.0 + 2.0 * off / falls, 1e-7))
        most_step = np.where(np.abs(at.over) < 0.3, FAR, 1.0)
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

    def start(self, line: Line) -> tuple[Floats, Floats]:
        each = [
            line.start(extra, limit) for extra, limit in zip(self.extra, self.limits, strict=True)
        ]
        found = np.min(each, axis=0)
        return found, np.zeros_like(found)

    def place(self, coins: Coins, log_extra: Floats) -> Place:
        best = _place(coins, self.extra[:1], self.limits[:1])
        if len(self.extra) > 1:
            over = _place(Coins(*(part[:, None] for part in coins)), self.extra, self.limits).over
            at = np.argmax(over, axis=1)
            best = _place(coins, self.extra[at], self.limits[at])
        return best

    def step(self, at: Place, log_extra: Floats) -> tuple[Floats, Floats]:
        return np.zeros_like(at.k), np.zeros_like(at.k)


def meeting(line: Line, orders: Orders) -> Tangent:
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
            close = (np.abs(at.over) < NEAR + FORMULA * UNIT * (rise + at.size)) | (moved == u)
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
    """Least ``f(order)`` over orders above 1, one search per row; any order gives an upper bound.

    Parameters
    ----------
    f : callable
        From orders, shape (count, m), to values of the same shape, single-valleyed in the order.
    count : int
        Number of rows.
    """
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


def _only(line: Line, rows: npt.NDArray[np.bool_]) -> Line:
    """Some of the lines."""
    values: Any = line
    return type(line)(*(each[rows] if isinstance(each, np.ndarray) else each for each in values))
