"""Sums of weights times e^(i t z) - 1: accurate where most of the phases are small.

From e^(i (u + v)) - 1 = U V + U + V with U = e^(i u) - 1 and V = e^(i v) - 1, equal steps of t take
about twice the root of their number of turns, and a product of matrices.
"""

from __future__ import annotations

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import ULP, Complexes
from dprisk.progress import report

__all__ = ["swings"]

BLOCK = 2**18


def swings(shares: Floats, z: Floats, t: Floats) -> Complexes:
    """Sum of w (e^(i t z) - 1) for each t."""
    n = len(t)
    if n > 8 and np.all(
        np.abs(t - np.linspace(t[0], t[-1], n)) <= 4 * ULP * (np.abs(t) + abs(t[0]))
    ):
        step = (t[-1] - t[0]) / (n - 1)
        base = int(np.ceil(np.sqrt(n)))
        rows = -(-n // base)
        tens, ones = t[0] + step * base * np.arange(rows), step * np.arange(base)
        found = np.zeros((rows, base), dtype=np.complex128)
        size = max(1, BLOCK // (rows + base))
        for start in range(0, len(z), size):
            some, w = z[start : start + size], shares[start : start + size]
            first, second = (
                _turn(np.multiply.outer(tens, some)),
                _turn(np.multiply.outer(some, ones)),
            )
            weighted = first * w
            found += weighted @ second + weighted.sum(axis=1)[:, None] + w @ second
            report("sampling", min(start + size, len(z)), len(z))
        return found.ravel()[:n]
    each = np.empty(n, dtype=np.complex128)
    size = max(1, BLOCK // len(z))
    for start in range(0, n, size):
        each[start : start + size] = _turn(np.multiply.outer(t[start : start + size], z)) @ shares
    return each


def _turn(phase: Floats) -> Complexes:
    """e^(i phase) - 1 = 2 i sin(phase / 2) e^(i phase / 2)."""
    sine, cosine = np.sin(phase / 2.0), np.cos(phase / 2.0)
    found = np.empty(phase.shape, dtype=np.complex128)
    found.real, found.imag = -2.0 * sine * sine, 2.0 * sine * cosine
    return found
