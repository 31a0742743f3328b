"""Rényi divergences between two coins, and how far apart two coins can be under a limit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dprisk._numeric.logspace import Floats, log1mexp

__all__ = ["ORDERS", "Path", "boundary", "least_over_orders"]

Path = Callable[[Floats], tuple[Floats, Floats]]
"""From a position u to (log x, log y): the chances of heads of two coins, x <= y."""

ORDERS = np.linspace(np.log(1e-9), np.log(1e12), 127)  # logarithms of order - 1
STEPS = 62


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
    for _ in range(5):
        values = f(1.0 + np.exp(grid))
        at = np.argmin(values, axis=1)
        best = np.minimum(best, values[rows, at])
        grid = grid[rows, at][:, None] + np.linspace(-step, step, 17)
        step = step / 8
    return best


def _within(log_x: Floats, log_y: Floats, order: Floats, limit: Floats) -> Floats:
    log_not_x, log_not_y = log1mexp(-log_x), log1mexp(-log_y)
    forth = _divergence(log_y, log_not_y, log_x, log_not_x, order)
    back = _divergence(log_x, log_not_x, log_y, log_not_y, order)
    above = np.where(order > 1.0, order - 1.0, 1.0)
    rounding = 1e-15 * (limit + np.abs(log_y - log_x) + 2.0 / above)
    within = (np.maximum(forth, back) <= limit + rounding) | (log_y <= log_x)
    return np.asarray(within)


def _divergence(p: Floats, not_p: Floats, q: Floats, not_q: Floats, order: Floats) -> Floats:
    """D(p || q) of two coins from the logarithms of their chances."""
    extra = order - 1.0
    with np.errstate(invalid="ignore", over="ignore"):
        heads, tails = p - q, np.where(np.isneginf(not_p), -np.inf, not_p - not_q)
        kl = np.exp(p) * heads + np.where(np.isneginf(tails), 0.0, np.exp(not_p) * tails)
        rest = np.where(np.isneginf(tails), -np.inf, not_p + extra * tails)
        renyi = np.logaddexp(p + extra * heads, rest) / np.where(extra > 0, extra, 1.0)
    return np.where(extra > 0, renyi, kl)
