"""The numeric floor: logarithms of odds, the safe end of a search, two coins, and the envelope."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from dprisk._numeric import logspace, normal
from dprisk._numeric.envelope import Envelope
from dprisk._numeric.invert import keep, solve_decreasing

many = settings(deadline=None, derandomize=True, max_examples=100)


def exact(f, *arguments):
    with mp.workdps(800):
        return float(f(*map(mpf, arguments)))


@pytest.mark.parametrize("x", [1e-300, 1e-17, 1e-8, 0.1, 0.7, 1.0, 30.0, 700.0])
def test_log1mexp(x):
    """log(1 - e^-x) at both ends."""
    assert float(logspace.log1mexp(x)) == pytest.approx(
        exact(lambda x: mp.log(1 - mp.exp(-x)), x), rel=1e-14
    )


@pytest.mark.parametrize("p", [0.0, 5e-324, 1e-310, 1e-300, 1e-12, 0.3, 1 - 1e-12, 1 - 2**-53, 1.0])
@pytest.mark.parametrize(
    "s", [-800.0, -735.0, -701.0, -30.0, -1e-9, 0.0, 1e-300, 2.0, 9.0, 700.0, 730.0, 1500.0]
)
def test_shift_odds(p, s):
    """Bayes' rule, and its difference without cancellation."""

    def shifted(p, s):
        return p * mp.exp(s) / (p * mp.exp(s) + 1 - p)

    assert float(logspace.shift_odds(p, s)) == pytest.approx(
        exact(shifted, p, s), rel=1e-13, abs=5e-324
    )
    moved = exact(lambda p, s: shifted(p, s) - p, p, s)
    assert float(logspace.log_odds_difference(p, s)) == pytest.approx(moved, rel=1e-13, abs=5e-324)


@pytest.mark.parametrize("mu", [1e-9, 0.1, 0.49999, 0.5, 2.0, 40.0])
def test_log_ratio_has_no_seam(mu):
    """log(Phi(mu - x) / Phi(-x)), by integral below one half and by logarithms above."""

    def plain(x, mu):
        return mp.log(mp.erfc((x - mu) / mp.sqrt(2)) / mp.erfc(x / mp.sqrt(2)))

    for x in (-30.0, -1.0, 0.0, 3.0, 30.0):
        truth = exact(plain, x, mu)
        if truth > 1e-290:
            assert float(normal.log_ratio(np.array(x), mu)) == pytest.approx(truth, rel=2e-12)


@many
@given(st.floats(1e-3, 1e3), st.floats(0.3, 30.0))
def test_the_search_ends_on_the_safe_side(scale, power):
    """excess <= 0 as computed, and one part in 1e14 lower it is not."""

    def excess(x):
        return scale - x**power

    high = np.array([scale ** (1 / power) * 2 + 1])
    x = solve_decreasing(excess, np.zeros(1), high)
    assert excess(x)[0] <= 0
    assert excess(x * (1 - 1e-13) - 1e-300)[0] >= 0


def test_keep_moves_by_no_more_than_rounding():
    """Up or down, until the promise holds as computed; infinities stay."""
    value = np.array([1.0, np.inf, 0.0])
    up = keep(value, lambda x: (x > 1.0) | (x == 0.0))
    assert up[0] == np.nextafter(1.0, 2.0) and up[1] == np.inf and up[2] == 0.0
    assert keep(np.array([1.0]), lambda x: x < 1.0, upward=False)[0] < 1.0


def test_keep_goes_to_infinity_where_nothing_finite_is_enough():
    """Beside one that is fine, and without a warning on the way."""
    found = keep(np.array([1.0, 2.0, 1e-300]), lambda x: np.isinf(x) | (x == 2.0))
    assert found.tolist() == [np.inf, 2.0, np.inf]


slopes = st.lists(st.floats(0, 30), min_size=1, max_size=8)
offsets = st.lists(st.floats(0, 1), min_size=8, max_size=8)


@many
@given(slopes, offsets, st.lists(st.floats(0, 1), min_size=5, max_size=5))
def test_the_envelope_is_the_least_line(s, b, x):
    """y(x) = min over the lines, their mirror images and 1; and it is its own mirror image."""
    s, b, x = np.array(s), np.array(b[: len(s)]), np.array(x)
    e = Envelope.of(s, b)
    mirrored = np.maximum(1 - np.exp(-s) * (1 - b), 0.0)
    every = [np.exp(s[:, None]) * x + b[:, None], np.exp(-s[:, None]) * x + mirrored[:, None]]
    least = np.minimum(1.0, np.concatenate(every).min(axis=0))
    # a mirrored offset is 1 - e^-s (1 - b), known to e^|s| roundings of one
    noise = 1e-14 + 1e-15 * np.exp(np.abs(s).max())
    assert np.all(np.abs(e.y(x) - least) <= noise)
    assert np.all(np.diff(e.log_x) >= 0) and np.all(np.diff(e.log_y) >= 0)


@many
@given(slopes, offsets, st.lists(st.floats(0, 40), min_size=5, max_size=5))
def test_the_gap_is_the_largest_distance_from_a_ray(s, b, t):
    """gap(t) = max of y(x) - e^t x, found at a corner or at 0; and its inverse."""
    e, t = Envelope.of(np.array(s), np.array(b[: len(s)])), np.array(t)
    x = np.concatenate([[0.0], np.exp(e.log_x)])
    y = np.concatenate([e.offsets[:1], np.exp(e.log_y)])
    brute = np.max(y[:, None] - np.exp(t) * x[:, None], axis=0)
    assert np.allclose(e.gap(t), np.maximum(brute, 0.0), rtol=1e-9, atol=1e-12)
    back = e.gap_slope(e.gap(t))
    finite = np.isfinite(back)
    # near its top a gap is 1 - e^(t - s): one rounding of it moves t by e^s roundings
    noise = 1e-9 + 1e-15 * np.exp(np.abs(s).max())
    assert np.all(back[finite] <= t[finite] * (1 + 1e-9) + noise)
