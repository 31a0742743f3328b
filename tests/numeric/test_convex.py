"""The least value of a convex function that is known in brackets only."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dprisk._numeric.convex import ULP, Sample, _bracket, least


@pytest.mark.parametrize("noise", [0.0, 1e-9, 1e-5, 1e-3])
@pytest.mark.parametrize("lowest", [0.03, 0.5, 1.7])
def test_stops_where_nothing_is_gained(noise, lowest):
    """Brackets that are wide at every point say so much and no more: sixty rounds say it too."""
    asked = []

    def f(points, which):
        asked.append(len(points))
        value = 1.0 + (points - lowest) ** 2
        return points, value * (1.0 - noise), value * (1.0 + noise)

    t = np.array([[0.0], [1.0], [2.0]])
    around = Sample(t, *(each.reshape(3, 1) for each in f(t.ravel(), np.zeros(3, dtype=int))))
    low, high, _ = least(f, around, 1e-12)
    assert low[0] <= 1.0 <= high[0]
    assert high[0] - low[0] <= max(20.0 * noise, 1e-9)
    assert len(asked) <= 30


@pytest.mark.parametrize("lowest", [0.03, 0.5, 1.7])
def test_nothing_is_asked_a_third_time(lowest):
    """Once around the vertex and once across; what these leave unmoved, no other round moves."""
    asked = []

    def f(points, which):
        asked.append(tuple(points.tolist()))
        value = 1.0 + (points - lowest) ** 2
        return points, value * (1.0 - 1e-4), value * (1.0 + 1e-4)

    t = np.array([[0.0], [1.0], [2.0]])
    around = Sample(t, *(each.reshape(3, 1) for each in f(t.ravel(), np.zeros(3, dtype=int))))
    least(f, around, 1e-12)
    assert max(asked.count(points) for points in asked) <= 2


def polygon(seed, corners):
    """Convex, from straight lines; its least value, exactly at a corner."""
    random = np.random.default_rng(seed)
    slopes = np.sort(random.normal(size=corners + 1))
    slopes -= slopes[[0, -1]].mean()  # some fall, others rise
    places = np.sort(random.uniform(0.2, 1.8, corners))
    starts = np.concatenate([[0.0], places])
    heights = np.cumsum(np.concatenate([[3.0], slopes[:-1] * np.diff(starts)]))

    def value(t):
        which = np.searchsorted(places, t)
        return heights[which] + slopes[which] * (t - starts[which])

    return value, heights.min()


@pytest.mark.parametrize("corners", [1, 3, 40, 2000])
@pytest.mark.parametrize("noise", [1e-14, 1e-12])
def test_least_corner_of_a_polygon(corners, noise):
    """Chords from either side cross at it: no bound is above it, and few rounds find it."""
    made = [polygon(seed, corners) for seed in range(60)]
    rounds = []

    def f(points, which):
        rounds.append(len(points))
        value = np.array([made[i][0](t) for t, i in zip(points, which, strict=True)])
        return points, value - noise, value + noise

    t = np.tile([[0.0], [1.0], [2.0]], (1, len(made)))
    number = np.tile(np.arange(len(made)), 3)
    around = Sample(t, *(each.reshape(t.shape) for each in f(t.ravel(), number)))
    low, high, places = least(f, around, 1e-9)
    truth = np.array([least_value for _, least_value in made])
    assert np.all(low <= truth) and np.all(truth <= high)
    assert np.all(high - low <= 1e-9 * np.abs(high))
    assert np.all(places[0] <= places[1]) and np.all(places[1] <= places[2])
    assert sum(rounds) / 3 <= 12 * len(made)


def test_roundings_where_chords_cross():
    """Values that are floats; where two lines through them cross, there is none."""
    random, unit = np.random.default_rng(5), 2.0**-22  # in the last place of the values
    found = 0
    for _ in range(400):
        left, right = (sorted(random.integers(1, 2**10, n).tolist()) for n in (2, 3))
        fall, rise = random.integers(1, 50, 2).tolist()
        z = [-left[1], -left[0], *right]
        steps = [fall * left[1], fall * left[0], *(rise * one + 1 for one in right)]
        crossing = Fraction(-1, fall + rise)  # - fall z = rise z + 1
        if len(set(left)) < 2 or len(set(right)) < 3:
            continue
        found += 1
        value = np.array([2.0**30 + unit * each for each in steps])[:, None]
        where = 2.0**11 + np.array(z, dtype=float)[:, None]
        low, _ = _bracket(Sample(where, where, value, value))
        truth = 2**30 - fall * crossing * Fraction(unit)
        assert Fraction(float(low[0])) <= truth
        assert Fraction(float(low[0])) >= truth - Fraction(unit) * 2**10
    assert found > 100


def test_a_chord_whose_length_is_all_rounding():
    """Its end is three units in the last place off, and the slope little more than half."""
    z = np.array([[0.0], [0.25], [1.0], [1.0 + 7 * ULP], [1.0 + 7 * ULP]])
    value = np.array([[2.0], [1.5], [2.5], [2.5 + 12 * ULP], [2.5 + 12 * ULP]])
    low, _ = _bracket(Sample(z, z, value, value))
    assert low[0] <= 1.0  # falls by 2 and rises by 3: the corner is at 0.5
