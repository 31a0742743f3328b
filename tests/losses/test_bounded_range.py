"""Windows placed one after another, against their own recursion and against Dong et al. 2020."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest
from scipy.stats import binom

from dprisk.losses.bounded_range import binomial, equal_windows, game

CASES = [(0.1, 2), (1.0, 2), (4.0, 2)]


def likely(length, t):
    """Probability under P of the loss t; otherwise it is t - length."""
    return np.expm1(t - length) / np.expm1(-length)


def one(length, x):
    """Delta of one use: the best window is halfway; below and above, none says more."""
    inside = np.expm1((np.clip(x, -length, length) - length) / 2.0) ** 2 / -np.expm1(-length)
    return np.where(x < -length, -np.expm1(x), np.where(x > length, 0.0, inside))


def profile(loss, x):
    """Delta of finitely many losses."""
    return float(loss.masses @ np.maximum(-np.expm1(x - loss.losses), 0.0))


def equal(length, uses, x):
    """The most that equal windows tell at x, by Theorem 2 of Dong et al."""
    found, i = 0.0, np.arange(uses + 1)
    for several in range(uses + 1):
        t = min(max((x + (several + 1) * length) / (uses + 1), 0.0), length)
        gain = np.maximum(-np.expm1(x - (uses * t - i * length)), 0.0)
        found = max(found, float(binom.pmf(i, uses, 1.0 - likely(length, t)) @ gain))
    return found


@pytest.mark.parametrize("length", [1e-3, 0.5, 3.0, 30.0])
@pytest.mark.parametrize("steps", [1, 7, 64])
def test_one_use_is_at_least_its_formula_and_near_it(length, steps):
    epsilon, delta = game(length, 1, steps)
    known = one(length, epsilon)
    assert np.all(delta >= known * (1.0 - 1e-13))
    assert delta == pytest.approx(known, rel=1e-11, abs=1e-15)


@pytest.mark.parametrize(("length", "uses"), CASES)
def test_two_uses_are_the_second_after_the_best_first(length, uses):
    epsilon, delta = game(length, uses, 256)
    t = np.linspace(0.0, length, 20_001)
    p = likely(length, t)
    for i in range(0, len(epsilon) - 1, 37):
        x = epsilon[i]
        best = float((p * one(length, x - t) + (1.0 - p) * one(length, x - t + length)).max())
        assert best * (1.0 - 1e-9) <= delta[i] <= best * (1.0 + 5e-3) + 1e-9


def test_finer_grids_only_come_nearer():
    coarse, fine = (game(1.0, 5, steps)[1] for steps in (16, 128))
    assert np.all(fine[::8] <= coarse * (1.0 + 1e-10))
    assert fine[0] == pytest.approx(coarse[0], rel=5e-3)


@pytest.mark.parametrize(("length", "uses"), [(0.3, 3), (1.0, 6), (2.0, 4)])
def test_equal_windows_are_below_the_formula_and_near_it(length, uses):
    loss = equal_windows(length, uses)
    epsilon, delta = game(length, uses, 128)
    for x in np.linspace(0.0, 0.9 * uses * length, 9):
        truth = equal(length, uses, x)
        assert truth * 0.85 - 1e-12 <= profile(loss, x) <= truth * (1.0 + 1e-10)
        assert truth <= np.interp(x, epsilon, delta) * (1.0 + 1e-12)


def test_a_choice_after_seeing_the_first_outcome_tells_more():
    """Dong et al. 2020, Section 5: from two uses on."""
    assert game(1.0, 2, 1024)[1][0] > 1.05 * equal(1.0, 2, 0.0)


@pytest.mark.parametrize("place", [0.1, 0.5, 0.9])
def test_a_binomial_loss_by_its_sum_over_all_outcomes(place):
    with mpmath.workdps(40):
        p = mpmath.expm1(place - 1) / mpmath.expm1(-1)
        q = p * mpmath.exp(-mpmath.mpf(place))
        found = {}
        for outcome in itertools.product((0, 1), repeat=4):
            ones = sum(outcome)
            each = found.setdefault(4 * place - ones, [mpmath.mpf(0), mpmath.mpf(0)])
            each[0] += p ** (4 - ones) * (1 - p) ** ones
            each[1] += q ** (4 - ones) * (1 - q) ** ones
    loss = binomial(1.0, place, 4)
    for i, (value, (under_p, under_q)) in enumerate(sorted(found.items())):
        assert loss.losses[i] == pytest.approx(value, abs=1e-12)
        assert loss.masses[i] == pytest.approx(float(under_p), rel=1e-12)
        assert loss.reverse_masses[i] == pytest.approx(float(under_q), rel=1e-12)
        assert math.log(under_p / under_q) == pytest.approx(loss.losses[i], abs=1e-12)
