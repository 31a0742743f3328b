"""Rényi divergences between two coins, and how far apart two coins can be under a limit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats, log1mexp

__all__ = ["ORDERS", "Path", "boundary", "least_over_orders"]

Path = Callable[[Floats], tuple[Floats, Floats]]
"""From a position u to (log y, log(y / x)): the chances of heads of two coins, x <= y."""

ORDERS = np.linspace(np.log(1e-9), np.log(1e12), 127)  # logarithms of order - 1
STEPS = 62
GRID = np.linspace(np.log(1e-9), np.log(1e12), 33)
CERTIFYING = 28
CLOSER = (0.7, 0.5, 0.35, 0.25, 0.15, 0.08, 0.04, 0.02, 0.004)
ROUNDING = 1e-15
FINE = 4.0 * ROUNDING  # relative: closer than a divergence can tell


def boundary(path: Path, inside: Floats, outside: Floats, order: Floats, limit: Floats) -> Floats:
    """Position on a path where the divergence of the two coins, either way, passes the limit.

    Parameters
    ----------
    path : callable
        Leads away from equal coins; elementwise.
    inside, outside : ndarray
        Positions between which the divergences rise past the limit.
    order, limit : ndarray
        Order (1 stands for the Kullback-Leibler divergence) and largest divergence.

    Returns
    -------
    ndarray
        The first position known to be beyond; `outside` where none is. Rounding counts as inside.
    """
    shape = np.broadcast_shapes(inside.shape, outside.shape, order.shape, limit.shape)
    near, far = np.broadcast_to(inside, shape), np.broadcast_to(outside, shape)
    for _ in range(STEPS):
        middle = 0.5 * (near + far)
        within = _within(*path(middle), order, limit)
        near, far = np.where(within, middle, near), np.where(within, far, middle)
    return far


def crossing(
    path: Path, inside: Floats, outside: Floats, order: Floats, limit: Floats, turns: int
) -> Floats:
    """About where `boundary` lies, by secants; `outside` where it is not before that."""
    low, high = inside + 0.0 * outside, outside + 0.0 * inside
    below = np.full_like(low, -1.0)
    above = np.minimum(_beyond(path, high, order, limit), 1.0)
    found, last = above > 0.0, np.zeros_like(low)
    for turn in range(turns):
        share = below / (below - np.maximum(above, 1e-300))
        share = np.where((share > 0.0) & (share < 1.0), share, 0.5)
        middle = low + np.where(turn % 4 == 3, 0.5, share) * (high - low)
        value = np.minimum(_beyond(path, middle, order, limit), 1.0)
        over = value > 0.0
        # Illinois: an end that stays counts half
        below = np.where(over, np.where(last > 0.0, below / 2.0, below), value)
        above = np.where(over, value, np.where(last < 0.0, above / 2.0, above))
        open_ = found & (high - low > FINE * np.abs(high))  # each row as if it were alone
        if not open_.any():
            break
        low, high = np.where(open_ & ~over, middle, low), np.where(open_ & over, middle, high)
        last = np.where(over, 1.0, -1.0)
    return np.where(found, high, outside)


def surely_outside(
    path: Path, near: Floats, outside: Floats, order: Floats, limit: Floats
) -> Floats:
    """The first of ever larger steps beyond `near` that is beyond the limit for certain."""
    step = 4.0 * np.spacing(np.maximum(np.abs(near), 0.01))  # closer is lost in rounding
    far = np.array(outside)
    todo = np.ones(near.shape, dtype=bool)
    for _ in range(CERTIFYING):
        point = np.minimum(near + step, outside)
        done = todo & ~_within(*path(point), order, limit)
        far, todo = np.where(done, point, far), todo & ~done
        if not todo.any():
            break
        step = 4.0 * step
    return far


def best_order(
    path: Path,
    inside: Floats,
    outside: Floats,
    limit_at: Callable[[Floats], Floats],
    smooth: bool,
) -> tuple[Floats, Floats]:
    """An order above 1 whose boundary is the first one, or nearly, and that boundary.

    Parameters
    ----------
    path, inside, outside
        As for `boundary`; shape (n, 1).
    limit_at : callable
        The limit at each order.
    smooth : bool
        Whether the root of a divergence is nearly a line in the position; otherwise more is asked.

    Returns
    -------
    order, position : ndarray
        Shape (n, 1). The position is where the divergence of that order passes its limit, not yet
        rounded to the outside.
    """
    position, at = outside, np.zeros_like(outside)
    grid = np.broadcast_to(GRID, (len(outside), GRID.size))
    step = GRID[1] - GRID[0]

    def apart(logarithm: Floats) -> Floats:
        order = 1.0 + np.exp(logarithm)
        return _beyond(path, position, order, limit_at(order))

    many, few = (12, 4) if smooth else (50, 30)
    for _ in range(2):
        best = np.argmax(apart(grid), axis=1)[:, None]
        at = np.take_along_axis(grid, best, axis=1)
        order = 1.0 + np.exp(at)
        position = crossing(path, inside, position, order, limit_at(order), many)
    for closer in CLOSER if smooth else (*CLOSER, *CLOSER[3:]):
        near = at + closer * step * np.array([-1.0, 0.0, 1.0])
        left, middle, right = (apart(near[:, [i]]) for i in range(3))
        bend = left - 2.0 * middle + right
        with np.errstate(divide="ignore", invalid="ignore"):
            vertex = np.clip(0.5 * (left - right) / bend, -1.0, 1.0)
        side = np.where(left > right, -1.0, 1.0) * (np.maximum(left, right) > middle)
        at = at + closer * step * np.where(bend < 0.0, vertex, side)
        order = 1.0 + np.exp(at)
        position = crossing(path, inside, position, order, limit_at(order), few)
    return 1.0 + np.exp(at), position


def _beyond(path: Path, position: Floats, order: Floats, limit: Floats) -> Floats:
    """Root of the larger divergence over the limit, minus 1: nearly a line in the position."""
    log_y, gap = path(position)
    log_not_y = log1mexp(-log_y)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        tails = -np.log1p(np.exp(log_y - log_not_y) * -np.expm1(-gap))
        log_not_x = np.where(np.isfinite(tails), log_not_y - tails, log1mexp(gap - log_y))
        forth = _plain(log_y, log_not_y, gap, tails, order - 1.0)
        back = _plain(log_y - gap, log_not_x, -gap, -tails, order - 1.0)
        ratio = np.maximum(np.maximum(forth, back), 0.0) / limit
    return np.sqrt(np.where(ratio < 1e300, ratio, 1e300)) - 1.0


def _plain(p: Floats, not_p: Floats, heads: Floats, tails: Floats, extra: Floats) -> Floats:
    """`_divergence` of an order above 1, without what rounding may have added."""
    up, down = extra * heads, extra * np.where(np.isneginf(not_p), 0.0, tails)
    steep = np.maximum(up, down) > 1.0
    excess = np.exp(p) * np.expm1(np.minimum(up, 1.0))
    excess += np.exp(not_p) * np.expm1(np.minimum(down, 1.0))
    return np.where(steep, np.logaddexp(p + up, not_p + down), np.log1p(excess)) / extra


def least_over_orders(f: Callable[[Floats], Floats], count: int) -> Floats:
    """Least ``f(order)`` over orders above 1, one search per row; any order gives an upper bound.

    Parameters
    ----------
    f : callable
        From orders, shape (count, m), to values of the same shape, single-valleyed in the order.
    count : int
        Number of rows.
    """
    grid = np.broadcast_to(ORDERS, (count, ORDERS.size))
    step = ORDERS[1] - ORDERS[0]
    rows = np.arange(count)
    best = np.full(count, np.inf)
    for _ in range(7):
        values = f(1.0 + np.exp(grid))
        at = np.argmin(values, axis=1)
        best = np.minimum(best, values[rows, at])
        grid = grid[rows, at][:, None] + np.linspace(-step, step, 17)
        step = step / 8
    return best


def _within(log_y: Floats, gap: Floats, order: Floats, limit: Floats) -> npt.NDArray[np.bool_]:
    """Whether both divergences of the coins y and x = y exp(-gap) keep the limit."""
    log_not_y = log1mexp(-log_y)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        # (1 - y) / (1 - x), without the difference of two logarithms
        tails = -np.log1p(np.exp(log_y - log_not_y) * -np.expm1(-gap))
        forth, lost_forth = _divergence(log_y, log_not_y, gap, tails, order)
        log_not_x = np.where(np.isfinite(tails), log_not_y - tails, log1mexp(gap - log_y))
        back, lost_back = _divergence(log_y - gap, log_not_x, -gap, -tails, order)
        apart = np.maximum(forth - lost_forth, back - lost_back)
    return np.asarray((apart <= limit * (1.0 + ROUNDING)) | (gap <= 0))


def _divergence(
    p: Floats, not_p: Floats, heads: Floats, tails: Floats, order: Floats
) -> tuple[Floats, Floats]:
    """D(p || q) of two coins and what rounding may have added to it.

    Parameters
    ----------
    p, not_p : ndarray
        Logarithms of the chances of heads and of tails under the first coin.
    heads, tails : ndarray
        Logarithms of their ratios to those under the second coin.
    order : ndarray
        1 stands for the Kullback-Leibler divergence.
    """
    extra = order - 1.0
    up, down = extra * heads, extra * np.where(np.isneginf(not_p), 0.0, tails)
    chance, other = np.exp(p), np.exp(not_p)
    size = chance * np.abs(heads) + np.where(other > 0, other * np.abs(tails), 0.0)
    kl = chance * heads + np.where(other > 0, other * tails, 0.0)
    # far out the larger term rules; close to one the terms cancel, so their excess is summed
    far = np.logaddexp(p + up, not_p + down)
    noise = np.exp(p + up - far) * (np.abs(p) + np.abs(up))
    noise += np.where(other > 0, np.exp(not_p + down - far) * (np.abs(not_p) + np.abs(down)), 0.0)
    steep = np.maximum(up, down) > 1.0
    excess = chance * np.expm1(np.where(steep, 0.0, up))
    excess += other * np.expm1(np.where(steep, 0.0, down))
    per_order = np.where(extra > 0, extra, 1.0)
    renyi = np.where(steep, far, np.log1p(excess)) / per_order
    lost = np.where(steep & (extra > 0), noise / per_order, size * (1.0 + np.abs(p)))
    return np.where(extra > 0, renyi, kl), ROUNDING * lost
