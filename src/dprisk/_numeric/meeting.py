"""Where a straight line meets the power curve that limits on Rényi divergences allow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from dprisk._numeric.coins import Coins, CoinsAtLimit, exp_excess, exp_shortfall, place
from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import FORMULA, UNIT
from dprisk._numeric.straight_lines import FixedSum, StraightLine
from dprisk._numeric.tangents import Tangent

TURNS = 60  # of Newton's method
MET = 1e-9  # how far off a limit, in logarithms: the tangent is off by about the square of it
SETTLED = 1e-14  # what a better order would gain, beside what is limited
STRIDE = 3.0  # the largest step of a position, in logarithms; and of an order without a direction
ORDER_STRIDE = 8.0  # of an order, where the divergence is within NEAR_LIMIT of its limit
NEAR_LIMIT = 0.3  # in logarithms: so near Newton's method may stride
EXTRA = (np.log(1e-14), np.log(1e170))  # logarithms of order - 1


class Orders(Protocol):
    """The orders whose divergences are limited."""

    def limit(self, extra: Floats) -> Floats:
        """Largest divergence at order - 1."""

    def markov(self, epsilon: Floats) -> Floats:
        """Logarithm of the tail by Markov's inequality, about."""

    def start(self, line: StraightLine) -> tuple[Floats, Floats]:
        """Position and log(order - 1) to begin with."""

    def place(self, coins: Coins, log_extra: Floats) -> CoinsAtLimit:
        """The coins beside an order that is chosen."""

    def step(self, at: CoinsAtLimit, log_extra: Floats) -> tuple[Floats, Floats]:
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
    values: Any = line
    return type(line)(*(each[rows] if isinstance(each, np.ndarray) else each for each in values))
