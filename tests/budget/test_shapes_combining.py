"""The maximum and the minimum of profiles."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk.budget import (
    AllOf,
    AnyOf,
    DifferenceLimit,
    OddsLimit,
    PosteriorLimit,
    RatioLimit,
    RatioTable,
    largest_epsilon,
    ratio_or_posterior,
    solve,
)
from dprisk.errors import InvalidInput

P, Q = np.meshgrid(np.linspace(0.01, 1.0, 30), np.linspace(0.01, 1.0, 30))
A, B, C = RatioLimit(3.0), PosteriorLimit(0.4, (0.0, 0.5)), DifferenceLimit(0.3)


def test_ratios_are_maxima_and_minima():
    both = np.stack([A.ratio(P, Q), B.ratio(P, Q)])
    assert np.array_equal(AnyOf([A, B]).ratio(P, Q), both.max(axis=0))
    assert np.array_equal(AllOf([A, B]).ratio(P, Q), both.min(axis=0))
    nested = AnyOf([AllOf([A, B]), C])
    assert np.array_equal(nested.ratio(P, Q), np.maximum(both.min(axis=0), C.ratio(P, Q)))


def test_all_of_is_the_least_budget():
    limits = [A, PosteriorLimit(0.6, (0.0, 0.5)), C]
    least = min(solve(each).epsilon.value for each in limits)
    assert solve(AllOf(limits)).epsilon.value == least
    assert solve(AllOf([A])).epsilon.value == solve(A).epsilon.value


def test_any_of_distributes_over_all_of():
    nested = AnyOf([AllOf([A, C]), OddsLimit(4.0)])
    spread = AllOf([AnyOf([A, OddsLimit(4.0)]), AnyOf([C, OddsLimit(4.0)])])
    assert solve(nested).epsilon.value == solve(spread).epsilon.value


@pytest.mark.parametrize(
    "limits",
    [
        [RatioLimit(2.0), DifferenceLimit(0.2)],
        [OddsLimit(3.0), PosteriorLimit(0.3)],
        [RatioLimit(1.5), OddsLimit(2.0), PosteriorLimit(0.2), DifferenceLimit(0.1)],
    ],
)
@pytest.mark.parametrize("box", [(1.0, (0.0, 1.0)), (0.05, (0.0, 1.0)), ((0.1, 0.7), (0.2, 0.9))])
def test_any_of_by_brute_force(limits, box):
    inside = [type(each)(next(iter(vars(each).values())), *box) for each in limits]
    profile = AnyOf(inside)
    budget = solve(profile)
    spans = [(value, value) if isinstance(value, float) else value for value in box]
    p, q = np.meshgrid(*(np.linspace(max(a, 1e-9), b, 1200) for a, b in spans))
    brute = float(np.min(largest_epsilon(profile.ratio(p, q), p, q).value))
    assert budget.epsilon.value <= brute * (1 + 3e-10)  # which is rounded down, too
    assert budget.epsilon.value == pytest.approx(brute, rel=5e-3)


def test_any_of_covers_what_all_of_them_cover():
    profile = AnyOf([RatioLimit(3.0, (0.0, 0.5)), RatioLimit(2.0, (0.2, 1.0))])
    assert profile.ratio([0.1, 0.3, 0.9], 0.01).tolist() == [np.inf, 3.0, np.inf]
    said = " ".join(profile.unprotected())
    assert "priors above 0.5." in said
    assert "priors below 0.2." in said


def test_all_of_says_which_limit_leaves_what_open():
    assert AllOf([RatioLimit(3.0), PosteriorLimit(0.4)]).unprotected() == ()
    said = AllOf([RatioLimit(3.0), DifferenceLimit(0.25)]).unprotected()
    assert len(said) == 2
    assert said[1].startswith("Unless another limit covers it (2 of 2): ")
    assert AllOf([RatioLimit(3.0)]).unprotected() == RatioLimit(3.0).unprotected()


def test_ratio_or_posterior():
    assert ratio_or_posterior(3.0, 0.1, value_prior=0.2).ratio(0.1, 0.2) == pytest.approx(5.0)
    assert ratio_or_posterior(3.0, 0.1, value_prior=0.2).ratio(0.9, 0.2) == 3.0


@pytest.mark.parametrize("make", [AnyOf, AllOf])
@pytest.mark.parametrize("profiles", [[], [A, 3.0], "ratio", 2.0])
def test_only_profiles_are_combined(make, profiles):
    with pytest.raises(InvalidInput, match="profiles"):
        make(profiles)


def test_too_many_combinations_are_refused():
    many = AllOf([RatioLimit(3.0)] * 120)
    with pytest.raises(InvalidInput, match="combinations"):
        solve(AnyOf([many, many]))
    table = RatioTable([(0.1, 0.1, 2.0), (0.1, 0.2, 3.0)])
    assert solve(AnyOf([many, table])).status == "limited"
