"""Sums at all points of a lattice at once: the same as one at a time."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk.accountant import contour as module
from dprisk.accountant.contour import LatticeTable
from dprisk.accountant.methods.by_contour import ByContour
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import Lattice


def clusters(count):
    """A few losses that are many steps of their lattice apart."""
    steps = np.array([-900.0, -300.0, 120.0, 700.0])
    z = steps * 1e-3
    p = np.array([0.2, 0.3, 0.3, 0.2])
    p = p / (p * (1.0 + np.exp(-z))).sum() * 2.0
    masses = np.concatenate([p / 2.0, p[::-1] * np.exp(-z[::-1]) / 2.0])
    return ByContour(
        ((AtomicLoss.part(np.append(z, -z[::-1]), masses, 0.0, Lattice(0.0, 1e-3)), count),)
    )


@pytest.mark.parametrize("count", [3, 20])
def test_delta_by_table_and_by_sums(count, monkeypatch):
    """The brackets meet, and their middles agree to twelve digits, between points and on them."""
    monkeypatch.setattr(module, "NODES_FOR_FFT", 2)
    random = np.random.default_rng([11, count])
    quick, slow = clusters(count), clusters(count)
    x = np.concatenate([random.uniform(0.0, 2.0, 40), 1e-3 * random.integers(1, 2000, 20)])
    found = quick.delta(x)
    tables = [line._table for line, _ in quick._by_line(x)]
    assert tables and all(isinstance(table, LatticeTable) for table in tables)
    monkeypatch.setattr(module, "NODES_FOR_FFT", 2**40)
    right = slow.delta(x)
    assert np.all(found.lower <= right.upper) and np.all(right.lower <= found.upper)
    np.testing.assert_allclose(found.upper, right.upper, rtol=1e-12)
    assert np.all(found.upper - found.lower <= 1e-9 * found.upper)


def test_the_table_is_a_sum():
    """Against the sum itself, also beyond the circle; the error that is stated is kept."""
    count, spacing, origin = 40, 0.25, -0.1
    period = count * spacing
    n = np.array([0, 1, 2, 5, 19, 20])
    s = 0.7 + 2j * np.pi * n / period
    random = np.random.default_rng(13)
    weights = random.normal(size=6) + 1j * random.normal(size=6)
    weights[[0, 5]] = weights[[0, 5]].real
    table = LatticeTable.of(s, weights, np.zeros(6), period, Lattice(origin, spacing))
    j = np.array([-7.0, 0.0, 3.0, 39.0, 40.0, 95.0])
    x = origin + spacing * j
    right = (weights[:, None] * np.exp(-1j * np.outer(s.imag, x))).real.sum(axis=0)
    off = np.abs(table.at(j) - right)
    assert np.all(off <= 2.0 * (table.fixed + table.moving * (np.abs(x) + abs(origin))))
    assert table.fixed < 1e-12
