"""Discrete Gaussian noise beside promises: against sums over all integers, with 60 digits."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from mpmath import mp

from dprisk import ApproxDP, PureDP, ZeroConcentratedDP
from dprisk.accountant.methods.by_atoms import as_atoms
from dprisk.accountant.methods.by_contour import ByContour
from dprisk.accountant.methods.by_shifts import ByShifts, Polygons
from dprisk.accountant.profiles import add_up
from dprisk.composition import compose
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.losses.normal import ResponseLoss
from dprisk.mechanisms import DiscreteGaussian

A: Any = {"neighbors": "add-remove"}
SUMS = [(9.0, 1, 1), (8.5, 3, 1), (2.5, 1, 3)]
PROMISES = [((0.3, 0.0),), ((1.1, 1e-6), (0.41, 0.0))]


@lru_cache
def integers(sigma, step, count):
    """(loss, probability under P) of so many draws, in order."""
    with mp.workdps(60):
        v, reach = 2 * mp.mpf(sigma) ** 2, int(45 * sigma) + 2 * step
        weights = [mp.exp(-(k * k) / v) for k in range(-reach, reach + 1)]
        total = mp.fsum(weights)
        once = [w / total for w in weights]
        masses = [mp.mpf(1)]
        for _ in range(count):
            sums = [mp.mpf(0)] * (len(masses) + len(once) - 1)
            for (i, a), (j, b) in product(enumerate(masses), enumerate(once)):
                sums[i + j] += a * b
            masses = sums
        first = -reach * count
        return [(step * (2 * (first + i) + step * count) / v, p) for i, p in enumerate(masses) if p]


def delta(noise, x):
    """E[(1 - e^(x - Z))+] at any x."""
    with mp.workdps(60):
        x = mp.mpf(x)
        return mp.fsum(p * -mp.expm1(x - z) for z, p in integers(*noise) if z > x)


def beside(noise, promises, x):
    """The same with responses that may reveal the record."""
    with mp.workdps(60):
        hidden = mp.fprod(1 - mp.mpf(d) for _, d in promises)
        found = 1 - hidden
        for signs in product((1, -1), repeat=len(promises)):
            turns = [s * mp.mpf(e) for s, (e, _) in zip(signs, promises, strict=True)]
            share = hidden * mp.fprod(1 / (1 + mp.exp(-turn)) for turn in turns)
            found += share * delta(noise, mp.mpf(x) - mp.fsum(turns))
        return found


def on_lattice(noise):
    sigma, step, count = noise
    lines = ByContour(((DiscreteGaussianLoss(sigma, step), count),))
    found = Polygons.of(lines)
    assert found is not None
    return lines, found


@pytest.mark.parametrize("noise", SUMS)
def test_delta_anywhere(noise):
    """On either side of 0, at corners and next to them, between them, and far out."""
    (lines, whole), random = on_lattice(noise), np.random.default_rng(3)
    corners = lines.corners[[0, 1, 7, 40]]
    near = np.concatenate([corners, np.nextafter(corners, 9.0), np.nextafter(corners, 0.0)])
    x = np.concatenate([[0.0, 1e-300, 1e-17], near, random.uniform(0.0, corners[-1], 8)])
    for side in (x, -x, -4.0 * x - 1.0):
        low, high = whole.delta(side, False), whole.delta(side, True)
        for one, a, b in zip(side.tolist(), low.tolist(), high.tolist(), strict=True):
            assert a <= delta(noise, one) <= b
        assert np.all(high - low <= 1e-11 * high)
    far = lines.corners[-1] * np.array([0.5, 0.9, 1.0, 1.1, 1e300])
    low, high = whole.delta(far, False), whole.delta(far, True)
    for one, a, b in zip(far.tolist(), low.tolist(), high.tolist(), strict=True):
        assert a <= delta(noise, one) <= b
    assert high[-1] <= 1e-310 and whole.delta(np.array([-np.inf]), True)[0] == 1.0
    assert whole.delta(np.array([-1e3]), False)[0] >= 1.0 - 1e-14


@pytest.mark.parametrize("noise", SUMS)
def test_roundings_between_two_corners(noise):
    """Below 0 delta is known to less than one rounding: there those of the line count."""
    _, whole = on_lattice(noise)
    x = -np.random.default_rng(8).uniform(1.0, 3.0, 60)
    low, high = whole.delta(x, False), whole.delta(x, True)
    for one, a, b in zip(x.tolist(), low.tolist(), high.tolist(), strict=True):
        assert a <= delta(noise, one) <= b


@pytest.mark.parametrize("noise", SUMS)
@pytest.mark.parametrize("promises", PROMISES)
def test_beside_promises(noise, promises):
    """delta inside and narrow, both ends of epsilon by the true delta, tails by its slope."""
    rest = tuple((ResponseLoss(*each), 1) for each in promises)
    few = as_atoms(rest)
    assert few is not None
    lines, polygons = on_lattice(noise)
    whole = ByShifts(few, lines, lines, polygons)
    x = np.array([0.0, 1e-9, 0.05, 0.3, 0.77, 1.3])
    low, high = whole.delta(x)
    for one, a, b in zip(x.tolist(), low.tolist(), high.tolist(), strict=True):
        assert a <= beside(noise, promises, one) <= b and b - a <= 1e-11 * b
    goal = np.array([0.1, 1e-3, 1e-5])
    low, high = whole.epsilon(goal)
    for one, a, b in zip(goal.tolist(), low.tolist(), high.tolist(), strict=True):
        assert beside(noise, promises, a) >= one or a == 0.0
        assert one >= beside(noise, promises, b) and b - a <= 1e-11
    here, (low, high) = x[1:], whole.tail(x[1:])
    for one, a, b in zip(here.tolist(), low.tolist(), high.tolist(), strict=True):
        with mp.workdps(60):
            step = mp.mpf("1e-30")  # no value is so near, or it is at x and not beyond
            there = beside(noise, promises, one + step)
            fall = beside(noise, promises, one) - there
            assert a <= there + fall / mp.expm1(step) <= b


def test_a_common_lattice_needs_no_shifts():
    """A promise whose value is a point of it."""
    spacing = 1.0 / 81.0
    parts = ((DiscreteGaussianLoss(9.0, 1), 1), (ResponseLoss(spacing / 2.0), 1))
    assert isinstance(add_up(parts, 1e-9), ByContour)


@pytest.mark.parametrize("rho", [1e-4, 0.05, 2.0])
@pytest.mark.parametrize("count", [1, 10])
def test_beside_concentrated_dp(rho, count):
    """Nearly a thousand values: narrower than by lines, which say the same."""
    parts = [DiscreteGaussian(10.0, 1, **A), ZeroConcentratedDP(rho, **A)]
    guarantee = compose(parts, [count, 1]).guarantee
    whole = guarantee._profiles[0].forward[1]
    assert isinstance(whole, ByShifts) and whole.polygons is not None
    lines = ByContour(tuple((pair.forward[1], n) for pair, n in guarantee.pairs))
    x = np.array([0.0, 0.1, 0.7, 2.0])
    for asked in ("delta", "tail"):
        (low, high), (least, most) = getattr(whole, asked)(x), getattr(lines, asked)(x)
        assert np.all(low <= most) and np.all(least <= high)
        if asked == "delta":
            assert np.all(high - low <= 1e-10 * high)
    low, high = guarantee.epsilon(np.array([1e-3, 1e-9])).bracket
    assert np.all(np.asarray(high) - np.asarray(low) <= 1e-11)


@lru_cache
def many_integers(sigma):
    """Losses of one draw whose likelier neighbor is one less, and their probabilities."""
    k = np.arange(-40.0 * sigma, 40.0 * sigma + 1.0)
    v = 2.0 * sigma**2
    weights = np.exp(-(k * k) / v)
    return (2.0 * k + 1.0) / v, weights / math.fsum(weights)


def beside_many(sigma, epsilon, x):
    """delta of such a draw and of a response; off by the rounding of exp, less than 1e-13."""
    z, p = many_integers(sigma)
    found = 0.0
    for turn in (epsilon, -epsilon):
        gap = np.minimum(x - turn - z, 0.0)
        found += math.fsum(p * -np.expm1(gap)) / (1.0 + math.exp(-turn))
    return found


@pytest.mark.parametrize(
    ("sigma", "epsilon"), [(5000.0, 0.5), (1000.0, 3.0), (1000.0, 700.0), (700.3, 0.30000012345)]
)
def test_a_lattice_that_is_too_fine_for_corners(sigma, epsilon):
    """With millions of points of a common lattice, or with none: the noise by lines."""
    parts = ((DiscreteGaussianLoss(sigma, 1), 1), (ResponseLoss(epsilon), 1))
    whole = add_up(parts, 1e-9)
    assert isinstance(whole, ByShifts) and isinstance(whole.many, ByContour)
    x = np.array([0.0, 0.6 * epsilon, epsilon - 1e-4, epsilon, epsilon + 5e-4])
    for more in (np.empty(0), np.linspace(0.0, epsilon, 200)):  # few and many
        low, high = whole.delta(np.append(x, more))
        for one, a, b in zip(x.tolist(), low.tolist(), high.tolist(), strict=False):
            truth = beside_many(sigma, epsilon, one)
            assert a <= truth * (1.0 + 1e-13) and truth * (1.0 - 1e-13) <= b
            assert b - a <= 1e-7 * b
    low, high = whole.epsilon(np.array([1e-4, 1e-6]))
    for goal, a, b in zip([1e-4, 1e-6], low.tolist(), high.tolist(), strict=True):
        assert beside_many(sigma, epsilon, a) >= goal * (1.0 - 1e-13)
        assert beside_many(sigma, epsilon, b) <= goal * (1.0 + 1e-13)
        assert b - a <= 1e-9


def test_loss_bounds_are_narrow():
    """With a thousand values as with two."""
    for promise in (ZeroConcentratedDP(0.05, **A), PureDP(0.0131234, **A)):
        guarantee = compose([DiscreteGaussian(10.0, 1, **A), promise], [2, 1]).guarantee
        low, high = sorted(map(float, guarantee.loss_bound(0.05).bracket))
        assert 0.0 < high - low <= 1e-8


def test_certainty_is_not_searched(monkeypatch):
    """At delta 0 no question is asked: no epsilon is enough."""
    parts = [DiscreteGaussian(10.0, 1, **A), ApproxDP(0.0131234, 1e-9, **A)]
    whole = compose(parts).guarantee._profiles[0].forward[1]
    assert isinstance(whole, ByShifts)
    monkeypatch.delattr(ByShifts, "delta")
    low, high = whole.epsilon(np.array([0.0, 1e-10]))
    assert np.all(np.isposinf(high)) and np.all(np.isposinf(low))


def test_no_epsilon_is_enough_for_certainty():
    """A loss without an end: at delta 0, and at failure 0, exactly; and 0 where delta(0) is."""
    for promise in (PureDP(0.0131234, **A), ZeroConcentratedDP(0.05, **A)):
        whole = compose([DiscreteGaussian(10.0, 1, **A), promise]).guarantee
        for found in (whole.epsilon(0.0), whole.loss_bound(0.0)):
            assert [float(end) for end in found.bracket] == [np.inf, np.inf]
        assert np.all(np.asarray(whole.epsilon([0.3, 1.0]).bracket) == 0.0)


@pytest.mark.parametrize("epsilon", [1.0, 20.0])
def test_a_common_lattice_with_too_many_points(epsilon):
    """A promise whose value is a point of it, thousands of points out: against the true sums."""
    noise, promise = (50.0, 1, 1), (epsilon, 0.0)
    parts = ((DiscreteGaussianLoss(50.0, 1), 1), (ResponseLoss(*promise), 1))
    whole = add_up(parts, 1e-9)
    assert isinstance(whole, ByShifts) and whole.polygons is not None
    x = np.array([0.0, 0.3, epsilon, epsilon + 0.02])
    low, high = whole.delta(x)
    for one, a, b in zip(x.tolist(), low.tolist(), high.tolist(), strict=True):
        assert a <= beside(noise, (promise,), one) <= b and b - a <= 1e-10 * b
