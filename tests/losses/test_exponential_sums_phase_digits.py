"""Sums at equal steps by two digits: against fifty digits."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

from dprisk.losses.base import ULP
from dprisk.losses.exponential_sums import grown, turned_steps

PLACES = np.array([0, 1, 2, 5, 31, 32, 33, 64, 700, 1023, 1024])
WEIGHTS = np.array([0.5, 1.0, 0.0, 3.0, 1e-3, 2.0, 0.1, 0.7, 1e-9, 1.0, 0.2])


@pytest.mark.parametrize("centre", [0, 37, 1024])
def test_turned(centre):
    t = np.array([0.0, 1e-9, 0.01, 0.7, np.pi, -0.3])
    found = turned_steps(WEIGHTS, PLACES, t, centre)
    away = np.abs(PLACES - centre)
    with mp.workdps(50):
        for i, phase in enumerate(t.tolist()):
            terms = [w * mp.expj(mp.mpf(phase) * int(j)) for w, j in self_centred(centre)]
            off = float(abs(mp.fsum(terms) - mp.mpc(found.total[i])))
            single = 8.0 * ULP * (8.0 + abs(phase) * float((WEIGHTS * away).sum()))
            assert off <= single + WEIGHTS.sum() * ULP * found.terms[i]


def self_centred(centre):
    return zip(map(mp.mpf, WEIGHTS.tolist()), (PLACES - centre).tolist(), strict=True)


def test_many_phases_are_taken_in_blocks():
    rng = np.random.default_rng(4)
    places, weights = np.arange(5000), rng.random(5000)
    t = np.linspace(0.0, 0.01, 2100)
    found = turned_steps(weights, places, t, 2500).total
    some = np.array([0, 7, 1700, 1701, 2099])
    direct = (weights * np.exp(1j * t[some, None] * (places - 2500))).sum(axis=1)
    np.testing.assert_allclose(found[some], direct, rtol=0, atol=1e-12 * weights.sum())


def test_grown():
    rate = np.array([0.0, 1e-12, 0.3, -0.58, 600.0 / 1024, -600.0 / 1024])
    found = grown(WEIGHTS, PLACES, rate)
    with mp.workdps(50):
        for value, r in zip(found.tolist(), rate.tolist(), strict=True):
            terms = [mp.mpf(w) * mp.exp(mp.mpf(r) * j) for w, j in PAIRS]
            largest = mp.exp(max(mp.mpf(r) * 1024, 0))
            assert value == pytest.approx(float(mp.fsum(terms) / largest), rel=1e-12)


PAIRS = list(zip(WEIGHTS.tolist(), PLACES.tolist(), strict=True))
