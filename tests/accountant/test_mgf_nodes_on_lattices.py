"""Moments all the way round a lattice, against fifty digits; and how many nodes they take."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from dprisk.accountant.mgf_nodes import lattice_moments, smooth_number
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import Lattice

H = 0.02


def bell():
    places = np.delete(np.arange(-90, 400), [7, 40, 41, 300])
    masses = np.exp(-((places - 5.0) ** 2) / 300.0)
    return AtomicLoss.part(places * H, masses / masses.sum(), 0.0, Lattice(0.0, H))


@pytest.mark.parametrize("theta", [0.0, 3.0, 150.0, -20.0])
@pytest.mark.parametrize(("nodes", "finer"), [(64, 1), (97, 1), (1000, 4), (4096, 1), (4096, 8)])
def test_moments_on_a_line(theta, nodes, finer):
    """Once round the lattice of the loss itself, or round a finer one that has it."""
    loss = bell()
    found = lattice_moments(loss, theta, nodes, H / finer)
    j = np.rint(loss.losses / H * finer).astype(int).tolist()
    with mpmath.workdps(50):
        weights = [
            mpmath.mpf(m) * mpmath.exp(theta * mpmath.mpf(H / finer) * k)
            for m, k in zip(loss.masses.tolist(), j, strict=True)
        ]
        scale = mpmath.fsum(weights)
        assert abs(found.log_scale - mpmath.log(scale)) <= found.error < 1e-11
        for n in (0, 1, nodes // 5, nodes // 2):
            turn = [mpmath.expjpi(mpmath.mpf(2 * ((n * k) % nodes)) / nodes) for k in j]
            true = mpmath.fsum(w * t for w, t in zip(weights, turn, strict=True)) / scale
            assert abs(mpmath.mpc(complex(found.ratios[n])) - true) <= found.error


def is_smooth(n):
    for prime in (2, 3, 5):
        while n % prime == 0:
            n //= prime
    return n == 1


def test_the_next_number_without_large_factors():
    smooth = [n for n in range(1, 6000) if is_smooth(n)]
    for least in range(1, 5832):
        assert smooth_number(least) == next(n for n in smooth if n >= least)
        if smooth[0] < least + 1 and smooth[0] == least:
            smooth.pop(0)


def test_large_ones():
    assert smooth_number(118_419) == 120_000
    assert smooth_number(2**60) == 2**60
