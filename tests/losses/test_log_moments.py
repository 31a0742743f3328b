"""Sums p e^(r l) at real rates: against fifty digits, from nothing to where one term is all."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

from dprisk._numeric.logspace import log
from dprisk.losses.log_moments import Weighted, excess, log_sums, tilted

RATES = np.array([0.0, 1e-9, 0.3, -0.5, 4.0, -9.0, 77.0, 590.0, -650.0, 2e3, 1e5, -1e5, 1e9])


def bell(count, spacing, steepness):
    places = np.arange(count)
    middle = (places - count / 2) / count
    masses = np.exp(-steepness * middle * middle)
    masses /= masses.sum()
    return places, (places - count // 2) * spacing, masses


@pytest.mark.parametrize(("count", "steepness"), [(300, 1.0), (3000, 900.0), (1000, 2700.0)])
@pytest.mark.parametrize("on_lattice", [True, False])
def test_log_sums(count, steepness, on_lattice):
    places, losses, masses = bell(count, 1.0 / count, steepness)
    masses[:3] = 0.0
    points = Weighted(losses, masses, log(masses), places if on_lattice else None, 1.0 / count)
    value, error = log_sums(points, RATES)
    with mp.workdps(50):
        pairs = [
            (mp.mpf(p), mp.mpf(v)) for p, v in zip(masses.tolist(), losses.tolist(), strict=True)
        ]
        for found, off, r in zip(value.tolist(), error.tolist(), RATES.tolist(), strict=True):
            true = mp.log(mp.fsum(p * mp.exp(r * v) for p, v in pairs))
            assert abs(found - true) <= off <= 1e-12 * (1.0 + abs(r))


def test_no_probability():
    value, error = log_sums(Weighted(np.ones(2), np.zeros(2), log(np.zeros(2))), RATES)
    assert np.all(np.isneginf(value)) and not error.any()


def test_one_point():
    value, _ = log_sums(Weighted(np.array([0.5]), np.array([0.25]), np.log([0.25])), RATES)
    np.testing.assert_allclose(value, np.log(0.25) + RATES * 0.5, rtol=1e-14)


def test_terms_that_are_no_floats_by_themselves():
    assert tilted(np.array([1e-300]), np.array([1000.0]))[0] == pytest.approx(
        float(mp.mpf("1e-300") * mp.exp(1000)), rel=1e-12
    )


@pytest.mark.parametrize("loss", [1e-12, 1e-3, -0.5, 0.99, 1.01, -4.0])
def test_excess_does_not_cancel(loss):
    p = np.array([0.3])
    q = p * np.exp(-loss)
    with mp.workdps(50):
        true = mp.mpf(0.3) * (mp.exp(-mp.mpf(loss)) - 1 + mp.mpf(loss))
    assert excess(np.array([loss]), p, q)[0] == pytest.approx(float(true), rel=1e-13)
