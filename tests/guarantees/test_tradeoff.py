"""f-DP: smooth functions from below, hulls, symmetry, and two steps."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from dprisk import FDP, ApproxDP, GaussianDP
from dprisk.errors import InvalidInput

R: Any = {"neighbors": "replace-one"}
LEVELS = np.concatenate([np.geomspace(1e-14, 0.5, 200), 1 - np.geomspace(0.5, 1e-14, 200)])


@pytest.mark.parametrize("mu", [0.1, 1.0, 4.0])
def test_a_smooth_function_is_never_above_its_polygon(mu):
    """Power, profile and tails of the polygon are at least those of Gaussian DP, and close."""
    exact = GaussianDP(mu, **R)
    g = FDP.from_function(lambda x: ndtr(-ndtri(x) - mu), **R)
    assert np.all(g.power(LEVELS).value >= exact.power(LEVELS).value * (1 - 1e-13))
    # a level counts through its power: 1 - f is known to one rounding of one
    assert np.all(exact.power(g.level(LEVELS).value).value <= LEVELS * (1 + 1e-13) + 1e-15)
    e = np.array([0.0, 0.1, 1.0, 3.0])
    assert np.all(g.delta(e).value >= exact.delta(e).value * (1 - 1e-13))
    assert np.all(g.delta(e).value <= exact.delta(e).value * (1 + 1e-3) + 1e-13)
    t = np.array([0.1, 1.0, 3.0])
    for sides in ("one", "both"):
        assert np.all(
            g.tail(t, sides=sides).value >= exact.tail(t, sides=sides).value * (1 - 1e-12)
        )


def test_rounding_never_hides_a_slack():
    """An offset below the spacing of doubles near one is kept, or made larger."""
    for delta in (1e-20, 1e-17, 1e-16, 3e-16):
        g = FDP([0.0, 1.0], [1.0 - delta, 0.0], **R)
        if 1.0 - delta < 1.0:
            assert g.power(0.0).value >= 0.0
    from dprisk import convert

    for delta in (1e-300, 1e-20, 1e-17, 1e-6):
        known = ApproxDP(1.0, delta, **R)
        after = convert(known, "tradeoff").guarantee
        for e in (0.0, 0.5, 1.0, 3.0, 50.0):
            assert after.delta(e).value >= known.delta(e).value * (1 - 1e-12)
        assert after.loss_bound(delta / 2).value == np.inf


def test_hull_lies_below_its_points():
    """Random points: every one is on or above the polygon, which is convex and below 1 - x."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        x, f = rng.random(6), rng.random(6)
        g = FDP.polygon(x, f, **R)
        ours = np.interp(x, g.levels, g.errors)
        assert np.all(ours <= np.minimum(f, 1 - x) + 1e-12)
        assert np.all(np.diff(np.diff(g.errors) / np.diff(g.levels)) >= -1e-9)


def test_symmetrized_is_the_same_promise():
    """max(f, f^-1) has the same answers, up to the rounding of its corners."""
    g = FDP([0, 0.2, 1], [0.8, 0.3, 0], **R)
    h = g.symmetrized()
    x = np.linspace(0, 1, 21)
    assert np.allclose(g.power(x).value, h.power(x).value, atol=1e-13)
    assert np.allclose(np.interp(g.errors, h.levels, h.errors) >= 0, True)


@pytest.mark.parametrize(
    ("x", "f"),
    [
        ([0, 1], [1, 0.1]),
        ([0, 0.5, 1], [0.5, 0.5, 0]),
        ([0, 0.5, 1], [0.2, 0.3, 0]),
        ([0.1, 1], [0.5, 0]),
    ],
)
def test_what_is_no_trade_off_is_refused(x, f):
    """Above 1 - x, not convex, rising, or without its ends."""
    with pytest.raises(InvalidInput):
        FDP(x, f, **R)


def test_hull_of_points_next_to_certainty():
    """f = (1 - b)(1 - x) with b = 2^-53 keeps the points; its test of level 0 has the power b."""
    levels = np.concatenate([[0.0], np.geomspace(1e-15, 0.5, 40)])
    kept = [(1 - Fraction(1, 2**53)) * (1 - Fraction(x)) for x in levels.tolist()]
    errors = [float(f) if Fraction(float(f)) <= f else math.nextafter(float(f), 0.0) for f in kept]
    hull = FDP.hull(levels, errors, neighbors="add-remove")
    assert hull.power(0.0).value >= 2.0**-53


def test_hull_of_points_that_say_nothing():
    """On f = 1 - x nothing is lost."""
    levels = [0.0, 0.25, 0.5, 0.875, 1.0]
    hull = FDP.hull(levels, [1.0 - x for x in levels], neighbors="add-remove")
    assert hull.power(levels).value.tolist() == levels
