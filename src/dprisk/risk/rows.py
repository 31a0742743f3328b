"""Bounds for millions of rows of (prior, epsilon, delta, failure), in blocks that fit the cache."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from typing import final

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, numbers
from dprisk._numeric.logspace import Floats
from dprisk.errors import OutOfRange

__all__ = ["RowBounds", "row_bounds"]

BLOCK = 1 << 13


@final
@dataclass(frozen=True, eq=False)
class RowBounds:
    """Bounds row by row; arrays of one shape.

    Parameters
    ----------
    posterior_lower, posterior_upper : ndarray
        Belief after the release, at least and at most. [0, 1]
    ratio_upper : ndarray
        Posterior over prior, at most. [1, inf]
    difference_upper : ndarray
        Absolute change of the belief over every prior, at most. [0, 1]
    """

    posterior_lower: Floats
    posterior_upper: Floats
    ratio_upper: Floats
    difference_upper: Floats


def row_bounds(
    prior: npt.ArrayLike,
    epsilon: npt.ArrayLike,
    delta: npt.ArrayLike,
    failure: npt.ArrayLike,
) -> RowBounds:
    """Posterior, ratio and difference bounds for many (epsilon, delta) guarantees at once.

    Parameters
    ----------
    prior : array_like of float
        Belief before the release. [0, 1]
    epsilon : array_like of float
        Privacy loss limit of each row. [0, inf], nats
    delta : array_like of float
        Additive slack of each row. [0, 1]
    failure : array_like of float
        Probability with which the bounds may fail, one minus the confidence. [0, 1]

    Returns
    -------
    RowBounds
        Exact bounds of the broadcast shape, both sides together, for one step of the relation of
        neighbors. Where failure <= delta > 0 nothing is bounded: 0, 1, 1 / prior and 1.

    Raises
    ------
    OutOfRange
        If a number is outside its range or NaN; nothing is computed then.

    References
    ----------
    .. [1] P0, Theorem 3.9 and Corollaries 3.10 to 3.12.

    Examples
    --------
    >>> from dprisk.risk.rows import row_bounds
    >>> bounds = row_bounds([0.5, 0.1], 1.8, 1e-5, 0.05)
    >>> bounds.posterior_upper.round(3).tolist()
    [0.858, 0.402]
    """
    columns = [
        numbers("prior", prior, PROBABILITY),
        numbers("epsilon", epsilon, NONNEGATIVE),
        numbers("delta", delta, PROBABILITY),
        numbers("failure", failure, PROBABILITY),
    ]
    try:
        shape = np.broadcast_shapes(*(column.shape for column in columns))
    except ValueError:
        shapes = ", ".join(str(column.shape) for column in columns)
        raise OutOfRange("shapes", shapes, "columns that broadcast to one shape") from None
    flat = [_flat(column, shape) for column in columns]
    size = int(np.prod(shape))
    out = [np.empty(size) for _ in range(4)]
    starts = range(0, size, BLOCK)
    workers = min(cpu_count() or 1, max(len(starts), 1))
    if workers == 1:
        for start in starts:
            _block(flat, out, start, size)
    else:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(lambda start: _block(flat, out, start, size), starts))
    return RowBounds(*(column.reshape(shape) for column in out))


def _flat(column: Floats, shape: tuple[int, ...]) -> Floats:
    """One-dimensional view of a column of full shape, or the single value of a constant one."""
    if column.size == 1:
        return column.reshape(1)
    return np.ravel(np.broadcast_to(column, shape))


def _block(columns: list[Floats], out: list[Floats], start: int, size: int) -> None:
    part = slice(start, min(start + BLOCK, size))
    p, e, d, f = (column if column.size == 1 else column[part] for column in columns)
    lower, upper, ratio, difference = (column[part] for column in out)
    stay, moved = _odds_factor(e, d, f)
    against = 1.0 - p
    np.multiply(against, stay, out=ratio)
    ratio += p
    np.multiply(p, stay, out=lower)
    np.add(lower, against, out=upper)
    with np.errstate(divide="ignore", invalid="ignore"):
        lower /= upper
        np.divide(1.0, ratio, out=ratio)
        np.multiply(p, ratio, out=upper)
    np.sqrt(stay, out=stay)
    stay += 1.0
    stay *= stay
    np.divide(moved, stay, out=difference)
    if p.min() == 0.0 or p.max() == 1.0:  # certainty stays, also where nothing is bounded
        certain = np.broadcast_to((p == 0.0) | (p == 1.0), lower.shape)
        belief = np.broadcast_to(p, lower.shape)[certain]
        lower[certain], upper[certain] = belief, belief


def _odds_factor(e: Floats, d: Floats, f: Floats) -> tuple[Floats, Floats]:
    """e^-epsilon' and 1 - e^-epsilon' (P0 Theorem 3.9), without overflow or cancellation."""
    if f.min() == 0.0:  # pure DP holds with certainty; otherwise nothing is bounded
        f = np.where(f > 0.0, f, np.where(d > 0.0, d, 1.0))
    lost, kept = np.expm1(-e), np.exp(-e)  # -(1 - e^-epsilon) and e^-epsilon
    slack = d * kept
    total = f + slack
    moved = slack + slack
    moved = moved - f * lost
    moved = moved / total
    np.minimum(moved, 1.0, out=moved)
    stay = (f - d) * kept
    stay = stay / total
    np.maximum(stay, 0.0, out=stay)
    return stay, moved
