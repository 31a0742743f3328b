"""Sums of weights at equal steps, each by two digits."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk.losses.base import Complexes
from dprisk.losses.exponential_sums import Turned

Whole = npt.NDArray[np.int64]

BASE = 32
ONES = np.arange(BASE)
BLOCK = 2**18  # numbers in memory at a time


def turned_steps(weights: Floats, places: Whole, t: Floats, centre: int) -> Turned:
    """Sums of w e^(i t (j - centre)) over the places j."""
    table, tens = _digits(weights, places)
    total = np.empty(t.shape, dtype=np.complex128)
    rows = max(1, BLOCK // max(BASE, len(tens)))
    for start in range(0, len(t), rows):
        here = t[start : start + rows, None]
        units = _unit(here * ONES)
        inner: Complexes = np.einsum("nb,ab->na", units.real.copy(), table) + 1j * np.einsum(
            "nb,ab->na", units.imag.copy(), table
        )
        total[start : start + rows] = (inner * _unit(here * (tens - centre))).sum(axis=1)
    return Turned(total, np.ones(t.shape), 2.0 * BASE * (1.0 + 8.0 * np.abs(t)))


def grown(weights: Floats, places: Whole, rate: Floats) -> Floats:
    """Sums of w e^(r j) over the places j, each over its largest e^(r j)."""
    table, tens = _digits(weights, places)
    shift = np.where(rate > 0.0, places[-1], 0)[:, None]
    inner = np.einsum("nb,ab->na", np.exp(rate[:, None] * ONES), table)
    return np.asarray((inner * np.exp(rate[:, None] * (tens - shift))).sum(axis=1))


def _digits(weights: Floats, places: Whole) -> tuple[Floats, Whole]:
    """The weights, a row for each first digit, and what it stands for."""
    rows = int(places[-1]) // BASE + 1
    table = np.zeros(rows * BASE)
    table[places] = weights
    return table.reshape(rows, BASE), BASE * np.arange(rows)


def _unit(phase: Floats) -> Complexes:
    return np.asarray(np.cos(phase) + 1j * np.sin(phase))
