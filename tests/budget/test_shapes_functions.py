"""Functions as profiles: what is assumed of them is said, and checked as far as it is seen."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk.budget import RatioFunction, largest_epsilon, ratio_or_posterior, solve
from dprisk.errors import InvalidInput, OutOfRange


def brute(function, p_span, q_span, count=1500):
    p = np.linspace(*p_span, count)[:, None]
    q = np.linspace(*q_span, count)[None, :]
    return float(np.min(largest_epsilon(function(p, q), p, q).value))


def test_a_known_profile_as_a_function():
    either = RatioFunction(lambda p, q: np.maximum(0.25 / (p * q), 3.0), value_prior=1.0)
    found, known = solve(either).epsilon, solve(ratio_or_posterior(3.0, 0.25, value_prior=1.0))
    assert found.value <= known.epsilon.value * (1 + 1e-14)
    assert found.value == pytest.approx(known.epsilon.value, rel=1e-9)
    assert "never rises" in " ".join(found.assumptions)
    assert found.bound == "lower"


def test_a_smooth_bottom_is_certified_and_its_width_is_told():
    smooth = RatioFunction(
        lambda p, q: 1.2 + 3.0 * np.exp(-4.0 * p * q),
        membership_prior=(0.9, 1),
        value_prior=(0.5, 1.0),
    )
    low, high = solve(smooth).epsilon.bracket
    assert low <= brute(smooth.function, (0.9, 1.0), (0.5, 1.0)) * (1 + 1e-12)
    assert low <= high <= low * (1 + 1e-6)


def test_a_ratio_that_comes_down_to_one_where_belief_is_certain():
    """2 - p q is 1 at p = q = 1, where there is nothing to learn: it binds elsewhere."""
    found = solve(RatioFunction(lambda p, q: 2.0 - p * q)).epsilon
    assert found.value == pytest.approx(np.log(2) / 2, rel=1e-9)
    assert "within 1e-9" in " ".join(found.assumptions)


def test_jumps_that_fall():
    jump = RatioFunction(lambda p, q: np.where(p * q < 0.1, 5.0, 2.0))
    found = solve(jump).epsilon.value
    known = largest_epsilon(2.0, 1.0, 0.1).value
    assert found == pytest.approx(known, rel=1e-9)
    assert found <= known * (1 + 1e-12)


@pytest.mark.parametrize(
    "function",
    [
        lambda p, q: max(0.1 / (p * q), 3.0),  # one pair of numbers at a time
        lambda p, q: 3.0,  # always the same number
        lambda p, q: 2.0 if q > 0.5 else 4.0,
    ],
)
def test_functions_of_numbers(function):
    narrow = RatioFunction(function, membership_prior=0.05, value_prior=(0.01, 1.0))
    p, q = np.full(3000, 0.05), np.linspace(0.01, 1.0, 3000)
    ratios = np.array([function(*pair) for pair in zip(p, q, strict=True)])
    least = float(np.min(largest_epsilon(ratios, p, q).value))
    assert solve(narrow).epsilon.value <= least
    assert solve(narrow).epsilon.value == pytest.approx(least, rel=1e-3)


@pytest.mark.parametrize(
    ("profile", "words"),
    [
        (RatioFunction(lambda p, q: 2.0 + p), "rises with the membership prior"),
        (RatioFunction(lambda p, q: 2.0 + np.sin(9.0 * q)), "rises with the value prior"),
        (RatioFunction(lambda p, q: 2.0 + 3.0 * (q - 0.3) ** 2), "rises with the value prior"),
    ],
)
def test_what_is_seen_against_what_was_assumed(profile, words):
    with pytest.raises(InvalidInput, match=words):
        solve(profile)


@pytest.mark.parametrize("bad", [np.nan, -1.0])
def test_values_that_are_no_ratios(bad):
    with pytest.raises(OutOfRange, match="the ratio at priors"):
        solve(RatioFunction(lambda p, q: np.where(q > 0.5, bad, 2.0)))


def test_an_error_of_the_function_is_not_swallowed():
    def broken(p, q):
        raise ValueError("of its own")

    with pytest.raises(ValueError, match="of its own"):
        solve(RatioFunction(broken))


def test_bad_assumptions_are_refused():
    with pytest.raises(InvalidInput):
        RatioFunction(lambda p, q: 2.0, membership_prior=(0.5, 0.2))
    with pytest.raises(InvalidInput, match="function"):
        RatioFunction(2.0)


def test_what_it_leaves_open_is_looked_at():
    said = RatioFunction(lambda p, q: 2.0 / q, membership_prior=1.0).unprotected()
    assert said[0] == "Nothing is limited at any membership prior but 1."
    assert said[1].startswith("At 64 of 64 pairs of priors that were checked")
    assert RatioFunction(lambda p, q: 2.0, value_prior=(0.0, 0.4)).unprotected()[1:] == ()
