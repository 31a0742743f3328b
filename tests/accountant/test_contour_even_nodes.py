"""Sums over equally spaced nodes by short tables: the same as one sine and cosine for each."""

from __future__ import annotations

import numpy as np
from mpmath import mp

from dprisk.accountant.contour import FEWEST_NODES, MOST_PRODUCTS, EvenNodes
from dprisk.losses.base import ULP


def test_sums_by_tables_are_the_sums():
    """With 30 digits, within the roundings that a line allows for; nodes may be left out."""
    rng = np.random.default_rng(3)
    step, n = 0.37, np.sort(rng.choice(2 * FEWEST_NODES, FEWEST_NODES + 5, replace=False))
    weights = rng.normal(size=(2, len(n))) + 1j * rng.normal(size=(2, len(n)))
    found = EvenNodes.of(step * n, step, weights)
    assert found is not None
    x = np.array([0.0, 1e-9, 0.7, 31.4])
    sums = found.sums(x, 0, 2)
    with mp.workdps(30):
        for i, one in enumerate(x.tolist()):
            turns = [mp.expj(-mp.mpf(step) * int(k) * mp.mpf(one)) for k in n]
            for row, total in zip(weights, sums[:, i], strict=True):
                truth = mp.fsum(
                    (mp.mpc(complex(w)) * turn).real for w, turn in zip(row, turns, strict=True)
                )
                allowed = 16.0 + np.log2(len(n)) + len(n) / 64.0 + 8.0 * step * n[-1] * one
                assert abs(truth - mp.mpf(float(total))) <= allowed * ULP * np.abs(row).sum()


def test_each_x_is_summed_alone():
    """An array is its scalars, however many products are made at once."""
    t = 0.1 * np.arange(FEWEST_NODES)
    found = EvenNodes.of(t, 0.1, np.exp(-0.01 * t)[None] + 0j)
    assert found is not None
    x = np.linspace(0.3, 7.0, 2 * MOST_PRODUCTS // found.grid.size)
    alone = [found.sums(x[i : i + 1], 0, 1)[0, 0] for i in range(len(x))]
    assert np.abs(found.sums(x, 0, 1)[0] - alone).max() <= 4 * ULP * np.abs(found.grid).sum()


def test_few_nodes_or_scattered_ones_are_left_to_others():
    """Tables would not pay."""
    assert EvenNodes.of(np.arange(100.0), 1.0, np.ones((1, 100), dtype=complex)) is None
    t = 100.0 * np.arange(FEWEST_NODES)
    assert EvenNodes.of(t, 1.0, np.ones((1, FEWEST_NODES), dtype=complex)) is None
