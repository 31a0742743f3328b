"""Sums of turning weights, by power series around few centers."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

from dprisk.losses.base import ULP
from dprisk.losses.exponential_sums import steps_of, turned

POINTS = np.linspace(-9.0, 9.0, 201)
WEIGHTS = {
    "bell": np.exp(-(POINTS**2) / 2.0),
    "flat": np.ones_like(POINTS),
    "two": np.where(np.abs(POINTS) > 8.5, 1.0, 1e-9),
    "far out": np.where(POINTS > 8.5, 1e-30, np.exp(-((40.0 * POINTS) ** 2))),
}


@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("last", [0.01, 2.0, 30.0])
def test_sums_are_as_near_as_they_say(name, last):
    weights, t = WEIGHTS[name], np.linspace(-last / 3.0, last, 400)
    found = turned(weights, POINTS, t)
    rounding = 8.0 * ULP * (8.0 + 2.0 * np.abs(t) * 9.0)
    bound = weights.sum() * (rounding * found.growth + ULP * found.terms)
    with mp.workdps(40):
        for i in range(0, len(t), 57):
            terms = [
                mp.mpf(w) * mp.expj(mp.mpf(t[i]) * mp.mpf(x))
                for w, x in zip(weights.tolist(), POINTS.tolist(), strict=True)
            ]
            assert 4.0 * float(abs(mp.fsum(terms) - mp.mpc(found.total[i]))) <= bound[i]


@pytest.mark.parametrize("step", [0.013, -0.4])
def test_nodes_in_bands_are_as_near_as_they_say(step):
    """Whole numbers of steps, many rows of them left out."""
    random = np.random.default_rng(8)
    weights, x = random.random(300), random.normal(size=300)
    bands = [np.arange(start, start + 700.0) for start in (0.0, 5017.0, 41003.0, 200001.0)]
    n = np.concatenate(bands)
    t = 0.7 + step * n
    assert np.array_equal(steps_of(t), n)
    found = turned(weights, x, t)
    bound = weights.sum() * ULP * (8.0 * (8.0 + 2.0 * np.abs(t) * 5.0) + found.terms)
    with mp.workdps(40):
        for i in random.integers(0, len(t), 60).tolist():
            terms = [
                mp.mpf(w) * mp.expj(mp.mpf(t[i]) * mp.mpf(point))
                for w, point in zip(weights.tolist(), x.tolist(), strict=True)
            ]
            assert 4.0 * float(abs(mp.fsum(terms) - mp.mpc(found.total[i]))) <= bound[i]


def test_near_the_real_axis_hardly_anything_is_added_to_the_rounding():
    found = turned(WEIGHTS["bell"], POINTS, np.linspace(0.0, 0.1, 300))
    assert np.all(found.growth < 1.2) and np.all(found.terms < 1.0)


def test_one_turn_for_many_nodes_or_each_by_itself():
    """Both ways give the same sums."""
    t = np.linspace(0.0, 6.0, 500)
    many = turned(WEIGHTS["bell"], POINTS, t).total
    each = [turned(WEIGHTS["bell"], POINTS, t[i : i + 1]).total[0] for i in range(0, 500, 50)]
    assert np.allclose(many[::50], each, rtol=0.0, atol=1e-13 * WEIGHTS["bell"].sum())


def test_weights_so_far_apart_that_no_series_helps():
    x = np.array([-1e-12, 0.0, 1.0] * 2000)
    weights = np.array([0.5, 0.5, 1e-300] * 2000)
    found = turned(weights, x, np.linspace(0.0, 3.0, 20))
    assert np.allclose(found.total, weights.sum(), rtol=1e-12)


def test_many_centers_are_taken_a_block_at_a_time(monkeypatch):
    """The same sums, in little memory."""
    random = np.random.default_rng(5)
    weights, x = random.random(300), random.normal(size=300)
    t = np.sort(random.random(4000)) * 300.0
    whole = turned(weights, x, t).total
    monkeypatch.setattr("dprisk.losses.exponential_sums.BLOCK", 2**11)
    assert np.abs(turned(weights, x, t).total - whole).max() <= 1e-12 * weights.sum()


def test_stretches_of_equal_steps():
    """Nodes may be left out; what is said of the error covers them all the same."""
    n = np.concatenate([np.arange(150.0), 5000.0 + np.arange(150.0), [9000.0]])
    found = turned(WEIGHTS["flat"], POINTS, 0.02 * n)
    assert steps_of(0.02 * n) is not None and np.all(found.growth == 1.0)
    with mp.workdps(40):
        for i in range(0, len(n), 43):
            truth = mp.fsum(mp.expj(mp.mpf(0.02 * n[i]) * mp.mpf(x)) for x in POINTS.tolist())
            rounding = 8.0 * ULP * (8.0 + 2.0 * 0.02 * n[i] * 9.0)
            bound = 201.0 * (rounding + ULP * found.terms[i])
            assert 4.0 * float(abs(truth - mp.mpc(found.total[i]))) <= bound


def test_steps_that_are_not_equal():
    assert steps_of(np.array([0.0, 1.0, 2.5, 4.0])) is None
    assert steps_of(np.array([3.0, 3.0])) is None and steps_of(np.array([3.0])) is None
    assert steps_of(np.array([3.0, 1.0, 0.0, -4.0])).tolist() == [0.0, 2.0, 3.0, 7.0]
    assert steps_of(np.array([0.0, 1e-300, 1.0])) is None  # more of them than a float can count
