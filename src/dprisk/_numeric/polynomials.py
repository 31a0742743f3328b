"""Many polynomials on [-1, 1] at once: coefficients of rising powers in rows, one column each."""

from __future__ import annotations

from functools import cache

import numpy as np

from dprisk._numeric.logspace import Floats

# at most 64 terms, each with a product and a sum: one rounding each, half an ulp
ROUNDING = 64 * float(np.finfo(float).eps)


def value(coefficients: Floats, u: Floats) -> Floats:
    """The values at one u for each column, by Horner's rule."""
    found = np.array(coefficients[-1])
    for row in coefficients[-2::-1]:
        found = found * u + row
    return found


def shortened(coefficients: Floats, count: int) -> tuple[Floats, Floats]:
    """Fewer powers, by leaving out Chebyshev polynomials; and at most how far that is off."""
    matrix, lost = _shortening(len(coefficients), count)
    size = np.abs(coefficients)
    return matrix @ coefficients, lost @ size + ROUNDING * size.sum(axis=0)


@cache
def _shortening(count: int, kept: int) -> tuple[Floats, Floats]:
    """The shortened form of each power, and at most by how much it differs from that power."""
    from numpy.polynomial import chebyshev

    matrix, lost = np.zeros((kept, count)), np.zeros(count)
    for m in range(count):
        series = chebyshev.poly2cheb(np.eye(count)[m])
        powers = chebyshev.cheb2poly(series[:kept])
        matrix[: len(powers), m] = powers
        lost[m] = np.abs(series[kept:]).sum()
    return matrix, lost


def product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """The first powers of the product, and at most what the others add up to; shape (m, n)."""
    count = len(a)
    found = np.zeros_like(a)
    for i in range(count):
        found[i:] += a[i] * b[: count - i]
    left_out = np.zeros(a.shape[1])
    beyond = np.cumsum(np.abs(b)[::-1], axis=0)  # the last i of b
    for i in range(1, count):
        left_out += np.abs(a[i]) * beyond[i - 1]
    return found, left_out + ROUNDING * np.abs(a).sum(axis=0) * np.abs(b).sum(axis=0)
