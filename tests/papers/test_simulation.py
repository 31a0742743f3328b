"""Simulated tables agree with the exact powers, and would notice if these were wrong."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from dprisk.allocation import census2020
from tests.allocation.tables import single
from tests.papers.simulation import intervals, simulate

LEVELS = np.array([0.01, 0.05, 0.1, 0.3])
TRACT = census2020().exposure("block within tract")


@pytest.fixture(scope="module")
def drawn():
    return simulate(TRACT, LEVELS, draws=75_000, seed=20)


def test_the_exact_powers_lie_in_theintervals(drawn):
    assert np.all(drawn.holds(*TRACT.exact().power(LEVELS).bracket))
    assert np.all(drawn.upper - drawn.lower < 0.03)
    assert np.all((drawn.lower <= drawn.power) & (drawn.power <= drawn.upper))


def test_five_percent_of_rho_are_noticed():
    """Both ways: an error in the exact answer, and one in what is simulated."""
    shares = [Fraction(x) for x in ("0.101", "0.1713", "0.2307", "0.397")]
    right, wrong = (
        single("rho", *(x * times for x in shares), noise="discrete-gaussian").exposure()
        for times in (1, Fraction("1.05"))
    )
    exact, off = (one.exact().power(LEVELS).bracket for one in (right, wrong))
    drawn, drawn_off = (simulate(one, LEVELS, draws=400_000, seed=21) for one in (right, wrong))
    assert np.all(drawn.holds(*exact))
    assert np.all(drawn_off.holds(*off))
    assert not np.all(drawn.holds(*off))
    assert not np.all(drawn_off.holds(*exact))


def test_intervals_hold_as_often_as_they_say():
    """Powers of a normal test are known; at 80 %, few of 400 intervals may miss."""
    random = np.random.default_rng(5)
    level, truth = np.array([0.1]), ndtr(ndtri(0.1) + 1.0)
    missed = 0
    for _ in range(400):
        without, changed = (np.sort(random.normal(by, 1.0, 500)) for by in (0.0, 1.0))
        _, lower, upper = intervals(without, changed, level, 0.2, 0.0)
        missed += not lower[0] <= truth <= upper[0]
    assert 0 < missed <= 80


def test_ties_widen_the_interval():
    """One query, few outcomes: the exact power lies between two attainable ones."""
    coarse = single("rho", 4, noise="discrete-gaussian").exposure()
    drawn = simulate(coarse, LEVELS, draws=40_000, seed=2)
    assert np.all(drawn.holds(*coarse.exact().power(LEVELS).bracket))


def test_edges():
    made = simulate(TRACT, [0.0, 1.0], draws=100)
    assert made.lower.tolist() == [0.0, made.lower[1]]
    assert made.lower[1] > 0.9
    assert made.upper[1] == 1.0
