"""Bounds for millions of rows of (prior, epsilon, delta, failure), in blocks that fit the cache."""

from __future__ import annotations

from dataclasses import dataclass, fields
from os import cpu_count
from typing import Final, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, Domain, numbers
from dprisk._numeric.envelope import widened
from dprisk._numeric.logspace import Floats
from dprisk._numeric.odds import largest_ratios, ordinary_bounds, posteriors, stay, steepest
from dprisk._values import result
from dprisk.errors import OutOfRange

BLOCK = 1 << 14  # a dozen columns of them stay in the cache
KEPT = 1 << 19  # doubles: once so much is given back, malloc keeps the blocks (glibc)
WORKERS = 8  # memory, not arithmetic, is the limit beyond a few
DOMAINS: Final = (
    ("prior", PROBABILITY),
    ("epsilon", NONNEGATIVE),
    ("delta", PROBABILITY),
    ("failure", PROBABILITY),
)


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class RowBounds:
    """Bounds row by row, at least and at most, in arrays of one shape. Made by `row_bounds`."""

    posterior_lower: Floats
    posterior_upper: Floats
    ratio_upper: Floats
    difference_upper: Floats


NAMES: Final = tuple(field.name for field in fields(RowBounds))


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
        Probability with which the bounds may fail, as the number it is: one minus a confidence that
        is read as a decimal. [0, 1]

    Returns
    -------
    RowBounds
        Exact bounds of the broadcast shape, both sides together, for one step of the relation of
        neighbors: to the last bit what `disclosure` says of ``ApproxDP(epsilon, delta)``. Where
        failure <= delta > 0 nothing is bounded: 0, 1, 1 / prior and 1.

    Raises
    ------
    OutOfRange
        If a number is outside its range or NaN.

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
    bounds = RowBounds(*(np.empty(shape) for _ in NAMES))
    flat = [
        column.reshape(1) if column.size == 1 else np.ravel(np.broadcast_to(column, shape))
        for column in columns
    ]
    if not _fill(flat, [getattr(bounds, name).reshape(-1) for name in NAMES]):
        for column, (name, domain) in zip(columns, DOMAINS, strict=True):
            numbers(name, column, domain)
    return bounds


def _column(name: str, value: npt.ArrayLike, domain: Domain) -> Floats:
    """`value` as a float array; a long one is checked later, block by block, while in the cache."""
    if isinstance(value, np.ndarray) and value.dtype == np.float64 and value.size > BLOCK:
        return value
    return numbers(name, value, domain)


def _fill(columns: list[Floats], out: list[Floats]) -> bool:
    """Write the bounds block by block, shared among threads; False if a number is out of range."""
    size = out[0].size
    workers = max(1, min(cpu_count() or 1, WORKERS, -(-size // BLOCK)))

    def share(first: int) -> bool:
        return all(
            _block(columns, out, slice(start, min(start + BLOCK, size)))
            for start in range(first * BLOCK, size, workers * BLOCK)
        )

    if workers == 1:
        return share(0)
    np.empty(KEPT)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        return all(pool.map(share, range(workers)))


def _block(columns: list[Floats], out: list[Floats], part: slice) -> bool:
    """Bounds of one block, written to `out`; False, and nothing written, if out of range."""
    p, e, d, f = (column if column.size == 1 else column[part] for column in columns)
    for column, (_, domain) in zip((p, e, d, f), DOMAINS, strict=True):
        if not (domain.low <= column.min() and column.max() <= domain.high):  # NaN never is inside
            return False
    found = [column[part] for column in out]
    if ordinary_bounds(p, e, d, f, found):
        return True
    loss = widened(e, d, f, np.exp(-e))  # P0 Theorem 3.9
    kept = stay(loss)
    lower, upper = posteriors(p, kept)
    ratio = largest_ratios(p, 1.0 - p, kept)
    for column, bound in zip(found, (lower, upper, ratio, steepest(loss)), strict=True):
        column[:] = bound
    return True
