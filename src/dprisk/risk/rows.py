"""Bounds for millions of rows of (prior, epsilon, delta, failure), in blocks that fit the cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import cpu_count
from typing import Final, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, Domain, numbers
from dprisk._numeric.logspace import Floats
from dprisk.errors import OutOfRange

__all__ = ["RowBounds", "row_bounds"]

BLOCK = 1 << 16
WORKERS = 8  # memory, not arithmetic, is the limit beyond a few
DOMAINS: Final = (
    ("prior", PROBABILITY),
    ("epsilon", NONNEGATIVE),
    ("delta", PROBABILITY),
    ("failure", PROBABILITY),
)


@final
@dataclass(frozen=True, eq=False)
class RowBounds:
    """Bounds row by row; arrays of one shape. Made by `row_bounds`.

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
    given = (prior, epsilon, delta, failure)
    columns = [
        _column(name, value, domain) for value, (name, domain) in zip(given, DOMAINS, strict=True)
    ]
    try:
        shape = np.broadcast_shapes(*(column.shape for column in columns))
    except ValueError:
        shapes = ", ".join(str(column.shape) for column in columns)
        raise OutOfRange("shapes", shapes, "columns that broadcast to one shape") from None
    flat = [_flat(column, shape) for column in columns]
    size = int(np.prod(shape))
    out = [np.empty(size) for _ in range(4)]
    if not _fill(flat, out, size):
        for column, (name, domain) in zip(columns, DOMAINS, strict=True):
            numbers(name, column, domain)
    return RowBounds(*(column.reshape(shape) for column in out))


def _column(name: str, value: npt.ArrayLike, domain: Domain) -> Floats:
    """`value` as a float array; a long one is checked later, block by block, while in the cache."""
    if isinstance(value, np.ndarray) and value.dtype == np.float64 and value.size > BLOCK:
        return value
    return numbers(name, value, domain)


def _flat(column: Floats, shape: tuple[int, ...]) -> Floats:
    """One-dimensional view of a column of full shape, or the single value of a constant one."""
    if column.size == 1:
        return column.reshape(1)
    return np.ravel(np.broadcast_to(column, shape))


def _fill(columns: list[Floats], out: list[Floats], size: int) -> bool:
    """Write the bounds block by block, shared among threads; False if a number is out of range."""
    workers = max(1, min(cpu_count() or 1, WORKERS, -(-size // BLOCK)))

    def share(first: int) -> bool:
        scratch = np.empty((2, min(BLOCK, size)))
        return all(
            _block(columns, out, scratch, slice(start, min(start + BLOCK, size)))
            for start in range(first * BLOCK, size, workers * BLOCK)
        )

    if workers == 1:
        return share(0)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        return all(pool.map(share, range(workers)))


def _block(columns: list[Floats], out: list[Floats], scratch: Floats, part: slice) -> bool:
    """Bounds of one block, written to `out`; False, and nothing written, if out of range."""
    p, e, d, f = (column if column.size == 1 else column[part] for column in columns)
    lower, upper, ratio, difference = (column[part] for column in out)
    ends = [(column.min(), column.max()) for column in (p, e, d, f)]
    if not _inside(ends):
        return False
    if ends[3][0] == 0.0:  # pure DP holds with certainty; otherwise nothing is bounded
        f = np.where(f > 0.0, f, np.where(d > 0.0, d, 1.0))
    stay, spare = scratch[:, : lower.size]
    _odds_factor(e, d, f, stay=stay, moved=difference, spare=(lower, upper))
    np.subtract(1.0, p, out=spare)
    np.multiply(spare, stay, out=ratio)
    ratio += p
    np.multiply(p, stay, out=lower)
    spare += lower
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        lower /= spare
        np.divide(p, ratio, out=upper)
        np.divide(1.0, ratio, out=ratio)
    np.sqrt(stay, out=stay)
    stay += 1.0
    stay *= stay
    difference /= stay
    if ends[0][0] == 0.0 or ends[0][1] == 1.0:  # certainty stays, also where nothing is bounded
        certain = np.broadcast_to((p == 0.0) | (p == 1.0), lower.shape)
        belief = np.broadcast_to(p, lower.shape)[certain]
        lower[certain], upper[certain] = belief, belief
    return True


def _inside(ends: Sequence[tuple[float, float]]) -> bool:
    """Whether the least and the largest number of each column are in range; NaN never is."""
    return all(
        domain.low <= least and most <= domain.high
        for (least, most), (_, domain) in zip(ends, DOMAINS, strict=True)
    )


def _odds_factor(
    e: Floats, d: Floats, f: Floats, *, stay: Floats, moved: Floats, spare: tuple[Floats, Floats]
) -> None:
    """e^-epsilon' and 1 - e^-epsilon' (P0 Theorem 3.9), without overflow or cancellation."""
    kept, total = spare
    np.negative(e, out=kept)
    np.expm1(kept, out=moved)  # -(1 - e^-epsilon)
    np.exp(kept, out=kept)
    moved *= f
    np.subtract(f, d, out=stay)
    if stay.min() < 0.0:
        np.maximum(stay, 0.0, out=stay)
    np.multiply(d, kept, out=total)
    np.subtract(total, moved, out=moved)
    moved += total
    total += f
    moved /= total
    stay /= total
    stay *= kept
    if moved.max() > 1.0:
        np.minimum(moved, 1.0, out=moved)
