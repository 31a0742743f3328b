"""Sums of weights times e^(i t z) - 1: accurate where most of the phases are small."""

from __future__ import annotations

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import Complexes
from dprisk.losses.exponential_sums import in_rows, steps_of
from dprisk.progress import report

BLOCK = 2**18
FEW_NODES = 8  # that are multiplied out one by one
ANGLE = 64.0  # products of a matrix that cost as much as a sine and a cosine


def swings(shares: Floats, z: Floats, t: Floats) -> Complexes:
    """Sum of w (e^(i t z) - 1) for each t."""
    n = steps_of(t) if len(t) > FEW_NODES else None
    if n is None:
        each = np.empty(t.shape, dtype=np.complex128)
        size = max(1, BLOCK // len(z))
        for start in range(0, len(t), size):
            some = np.multiply.outer(t[start : start + size], z)
            each[start : start + size] = _turn(some) @ shares
        return each
    step, (base, rows, row) = (t[-1] - t[0]) / n[-1], in_rows(n, ANGLE)
    tens, ones = t[0] + step * base * rows, step * np.arange(base)
    found = np.zeros((len(rows), base), dtype=np.complex128)
    size = max(1, BLOCK // (len(rows) + base))
    for start in range(0, len(z), size):
        here, w = z[start : start + size], shares[start : start + size]
        first, second = (_turn(np.multiply.outer(*each)) for each in ((tens, here), (here, ones)))
        weighted = first * w
        found += weighted @ second + weighted.sum(axis=1)[:, None] + w @ second
        report("sampling", min(start + size, len(z)), len(z))
    return found[row, (n % base).astype(np.intp)]


def _turn(phase: Floats) -> Complexes:
    """e^(i phase) - 1 = 2 i sin(phase / 2) e^(i phase / 2)."""
    sine, cosine = np.sin(phase / 2.0), np.cos(phase / 2.0)
    found = np.empty(phase.shape, dtype=np.complex128)
    found.real, found.imag = -2.0 * sine * sine, 2.0 * sine * cosine
    return found
