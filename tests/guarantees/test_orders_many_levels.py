"""Power under zCDP is never below that of the Gaussian mechanism of that rho, which keeps it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

from dprisk import RenyiDP, ZeroConcentratedDP
from dprisk.risk import attack
from tests.oracles import curves

A: Any = {"neighbors": "add-remove"}
LEVELS = np.concatenate([np.geomspace(1e-300, 1e-10, 8), np.geomspace(1e-9, 0.5, 25)])
LEVELS = np.concatenate([LEVELS, 1.0 - np.geomspace(0.4, 1e-9, 8)])


@pytest.mark.parametrize("rho", [1e-12, 1e-6, 0.001, 0.005, 0.02, 0.05, 0.5, 2.63, 30.0, 1e3])
def test_never_below_the_gaussian_of_that_rho(rho):
    """mu = sqrt(2 rho), in 50 digits."""
    g = ZeroConcentratedDP(rho, **A)
    with mp.workdps(50):
        truth = curves.normal(mp.sqrt(2 * mpf(rho)))["power"]
        most = [truth(mpf(x)) for x in LEVELS]
    assert all(mpf(y) >= exact for y, exact in zip(g.power(LEVELS).value, most, strict=True))


@pytest.mark.parametrize("rho", [1e-12, 1e-3, 0.5, 1e3])
def test_many_levels_are_the_same_numbers_as_one(rho):
    """Rising, and bit by bit what a single question says."""
    g = ZeroConcentratedDP(rho, **A)
    found = g.power(LEVELS).value
    assert np.all(np.diff(found) >= -1e-12 * found[1:]) and np.all(found >= LEVELS)
    assert found[::7].tolist() == [g.power(x).value for x in LEVELS[::7]]


def test_the_advantage_is_delta_at_zero():
    """Two coins of order 2, by brute force: .2290 and not .3054."""
    g = RenyiDP(2.0, 0.2, **A)
    x = np.linspace(0.2, 0.5, 30001)  # coins y = 1 - x, x
    y = 1.0 - x
    kept = np.log(y**2 / x + (1 - y) ** 2 / (1 - x)) <= 0.2
    best = float((y - x)[kept].max())
    assert best <= g.delta(0.0).value <= best + 1e-4
    assert g.delta(0.0).value == g.advantage().value == attack(g).advantage().value


def test_no_divergence_is_no_privacy_loss():
    """A limit of 0 leaves nothing: exactly; and one next to 0 leaves next to nothing."""
    for g in (RenyiDP(2.0, 0.0, **A), ZeroConcentratedDP(0.0, **A)):
        assert np.array_equal(g.power(LEVELS).value, LEVELS)
        assert np.array_equal(g.level(LEVELS).value, LEVELS)
        for nothing in (g.delta([0.0, 1.0]), g.epsilon([0.0, 0.1]), g.tail([0.0, 1.0])):
            assert not np.any(nothing.value)
    for g in (RenyiDP(2.0, 1e-30, **A), ZeroConcentratedDP(1e-30, **A)):
        assert np.all(g.power([0.3, 0.9]).value <= np.array([0.3, 0.9]) + 1e-14)
        assert 0.0 < g.delta(0.0).value < 1e-14 and g.epsilon(0.1).value == 0.0
