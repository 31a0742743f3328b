"""The budget of a profile: never above the infimum, never far below it, and where it binds."""

from __future__ import annotations

import json

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq

from dprisk import PureDP
from dprisk.budget import (
    AllOf,
    AnyOf,
    DifferenceLimit,
    OddsLimit,
    PosteriorLimit,
    PowerLimit,
    RatioFunction,
    RatioLimit,
    largest_epsilon,
    ratio_or_posterior,
    solve,
)
from dprisk.budget.solving import by_cells
from dprisk.errors import Meaningless
from dprisk.risk import independent_ratio
from tests.budget import profiles

MORE = 1 + mpmath.mpf("1e-9")


def gentle(p, q):
    """Falls from 11/3 to 7/3 with the value prior; binds as that goes to 0."""
    return 1.0 + 8.0 / (3.0 * (1.0 + q))


def exceeds(profile, epsilon, count, seed):
    """By how much the bound of P3 Theorem 1 is above the profile at random priors, at most."""
    random = np.random.default_rng(seed)
    budget = solve(profile)
    p, q = profiles.priors(random, count, budget.binding)
    bound = independent_ratio(PureDP(epsilon, neighbors="add-remove"), p, q).upper.value
    return float(np.max(bound / np.maximum(profile.ratio(p, q), 1e-300))) - 1.0


def broken(profile, epsilon, binding):
    """Whether this epsilon breaks the profile at its binding priors or next to them."""
    factors = [1.0, 1 - 1e-15, 1 + 1e-15, 1 - 1e-12, 1 + 1e-12, 1 - 1e-10, 1 + 1e-10]
    for p in [min((binding.membership_prior or 1e-14) * f, 1.0) for f in factors]:
        for q in [min((binding.value_prior or 1e-14) * f, 1.0) for f in factors]:
            ratio = profile.ratio(p, q)
            if np.isfinite(ratio) and profiles.most(p, q, epsilon) > mpmath.mpf(ratio):
                return True
    return False


@pytest.mark.parametrize("make", [profiles.profile, profiles.function])
@pytest.mark.parametrize("seed", range(60))
def test_random_profiles_are_kept_and_no_larger_epsilon_keeps_them(make, seed):
    """The bound is rounded outwards: a few units in the last place beyond the limit, no more."""
    profile = make(np.random.default_rng([7, seed]))
    budget = solve(profile)
    assert budget.status in ("limited", "no limit")
    epsilon = budget.epsilon.value if budget.status == "limited" else 700.0
    assert exceeds(profile, epsilon, 4000, seed) <= 3e-15
    if budget.status == "limited":
        low, high = budget.epsilon.bracket
        assert low <= high <= low * (1 + 1e-9)
        with mpmath.workdps(40):
            assert broken(profile, mpmath.mpf(epsilon) * MORE, budget.binding)


@pytest.mark.parametrize("seed", range(40))
def test_closed_forms_agree_with_cells(seed):
    random = np.random.default_rng([11, seed])
    profile = profiles.single(random)
    clause = profile.clauses()[0]
    closed = solve(profile)
    found = by_cells(clause.box, clause.limits)
    if closed.status == "no limit":
        assert found.upper == np.inf
    else:
        assert found.upper == pytest.approx(closed.epsilon.value, rel=4e-12)
        assert found.lower == pytest.approx(closed.epsilon.value, rel=4e-12)


def test_the_grid_of_the_authors_breaks_the_profile():
    """At steps of 1/1000 the least is .65061; the infimum is half of log(11/3), .64964."""
    grid = np.arange(1, 1001) / 1000.0
    p, q = grid[:, None], grid[None, :]
    coarse = float(np.min(largest_epsilon(gentle(p, q), p, q).value))
    budget = solve(RatioFunction(gentle))
    assert f"{coarse:.5f}" == "0.65061"
    assert f"{budget.epsilon.value:.5f}" == "0.64964"
    truth = mpmath.log(mpmath.mpf(11) / 3) / 2
    low, high = budget.epsilon.bracket
    assert low <= truth <= high
    assert profiles.most(1.0, 1e-9, coarse) > gentle(1.0, 1e-9)
    assert profiles.most(1.0, 1e-9, low) <= gentle(1.0, 1e-9)
    assert budget.binding.approached
    assert str(budget.binding) == "membership prior 1 and value prior towards 0"


@pytest.mark.parametrize("r", [1.0 + 1e-12, 1.5, 3.0, 1e6, 1e300])
def test_a_constant_ratio_is_half_its_logarithm(r):
    budget = solve(RatioLimit(r))
    assert budget.epsilon.value == pytest.approx(float(mpmath.log(r) / 2), rel=1e-9)
    assert budget.epsilon.value <= mpmath.log(mpmath.mpf(r)) / 2
    assert (budget.binding.membership_prior, budget.binding.value_prior) == (1.0, 0.0)
    assert str(budget.epsilon.theorem) == "P3 Theorem 3"


@pytest.mark.parametrize("d", [0.001, 0.2, 0.9])
def test_a_difference(d):
    """Known values: everywhere at (1, (1 - d)/2); with the value known the bound tanh(eps/4)."""
    budget = solve(DifferenceLimit(d))
    assert budget.epsilon.value == pytest.approx(2 * np.arctanh(d), rel=1e-12)
    assert budget.binding.membership_prior == 1.0
    assert budget.binding.value_prior == pytest.approx((1 - d) / 2, rel=1e-4)
    known = solve(DifferenceLimit(d, value_prior=1.0))
    assert known.epsilon.value == pytest.approx(4 * np.arctanh(d), rel=1e-12)


def test_a_difference_at_one_membership_prior_by_its_quadratic():
    """d = (1 - sqrt(m))^2 / (1 - x^2) with m = p x^2 + (1 - p) x, solved for x."""
    p, d = 0.7, 0.15

    def gain(epsilon):
        x = np.exp(-epsilon)
        m = p * x * x + (1 - p) * x
        return (1 - np.sqrt(m)) ** 2 / (1 - x * x) - d

    truth = brentq(gain, 0.1, 5.0, xtol=1e-14)
    x = np.exp(-truth)
    m = p * x * x + (1 - p) * x
    assert (np.sqrt(m) - m) / (1 - x * x) < p  # the worst p q is inside
    found = solve(DifferenceLimit(d, membership_prior=p)).epsilon.value
    assert found == pytest.approx(truth, rel=1e-11)


@pytest.mark.parametrize("o", [1.1, 4.0])
def test_odds(o):
    """Two steps where only the value is secret, one step where only membership is."""
    assert solve(OddsLimit(o, membership_prior=1.0)).epsilon.value == pytest.approx(np.log(o) / 2)
    assert solve(OddsLimit(o, value_prior=1.0)).epsilon.value == pytest.approx(np.log(o))
    assert solve(OddsLimit(o)).epsilon.value == pytest.approx(np.log(o) / 2)


def test_a_profile_that_asks_for_too_much_says_why():
    below = solve(PosteriorLimit(0.1))
    assert below.status == "infeasible"
    assert (
        "membership prior 1 and value prior 1 the tolerated ratio is 0.1, below 1" in below.reason
    )
    nothing = solve(PosteriorLimit(0.1, membership_prior=(0.0, 0.1)))  # a = p q at its corner
    assert nothing.status == "infeasible"
    assert "the tolerated ratio is 1, no more than 1: nothing may be learned" in nothing.reason
    towards = solve(RatioFunction(lambda p, q: 1.0 + 0.5 * (1.0 - p)))
    assert towards.status == "infeasible"
    for budget in (below, nothing, towards):
        assert budget.epsilon.value == 0.0
        with pytest.raises(Meaningless, match="no largest epsilon"):
            assert budget.guarantee


def test_a_profile_that_binds_nowhere_says_so():
    empty = AnyOf([RatioLimit(2.0, membership_prior=0.1), RatioLimit(2.0, membership_prior=0.2)])
    for profile in (RatioLimit(3.0, (0.5, 1.0), (0.7, 1.0)), PosteriorLimit(1.0), empty):
        budget = solve(profile)
        assert budget.status == "no limit"
        assert budget.epsilon.value == np.inf
        assert budget.binding is None
        assert "every epsilon keeps" in budget.reason
        with pytest.raises(Meaningless):
            assert budget.guarantee


@pytest.mark.parametrize("where", [{}, {"membership_prior": 1.0}, {"value_prior": (0.2, 1.0)}])
def test_a_ratio_of_one_where_the_posterior_is_passed_allows_nothing(where):
    """At p = 1 and q = a already: beyond, the ratio may be 1 alone."""
    made = solve(ratio_or_posterior(1.0, 0.5, **where))
    assert made.status == "infeasible"
    assert made.epsilon.value == 0.0
    assert solve(ratio_or_posterior(1.0, 1.0, **where)).status == "no limit"


def test_the_guarantee_that_it_means():
    budget = solve(RatioLimit(3.0))
    assert budget.guarantee == PureDP(budget.epsilon.value, neighbors="add-remove")


def test_limits_on_epsilon_itself_join_the_others():
    power, ratio = PowerLimit(0.2, level=0.05), RatioLimit(3.0)
    first, second = (solve(each).epsilon.value for each in (power, ratio))
    assert solve(AnyOf([power, ratio])).epsilon.value == max(first, second)
    assert solve(AllOf([power, ratio])).epsilon.value == min(first, second)


def test_plain_data():
    limited = solve(ratio_or_posterior(3.0, 0.15, membership_prior=0.05)).to_dict()
    assert json.loads(json.dumps(limited, allow_nan=False)) == limited
    assert limited["status"] == "limited"
    assert limited["theorem"] == "P3 Theorem 5"
    assert limited["at_most"] == limited["epsilon"]
    assert limited["binding"] == {
        "membership_prior": 0.05, "value_prior": 1.0, "ratio": 3.0, "approached": False,
    }  # fmt: skip
    free = solve(PosteriorLimit(1.0)).to_dict()
    assert free["epsilon"] is None
    json.dumps(free, allow_nan=False)
