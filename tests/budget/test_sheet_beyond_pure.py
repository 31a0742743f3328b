"""Risk profiles with a confidence: brute force over mechanisms that keep just what they promise."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dprisk import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP, disclosure
from dprisk.budget import (
    AllOf,
    CounterfactualLimit,
    InformedLimit,
    PosteriorLimit,
    PowerLimit,
    ProfileLimit,
    RatioFunction,
    RatioLimit,
    Together,
    largest_budget,
    ratio_or_posterior,
    solve,
)
from dprisk.errors import InvalidInput, Meaningless, OutOfRange

A: Any = {"neighbors": "add-remove"}
R: Any = {"neighbors": "replace-one"}


def excess(p, q, epsilon):
    """Least delta at an epsilon, one way."""
    return float(np.maximum(p - math.exp(epsilon) * q, 0.0).sum())


def least_delta(without, values, epsilon):
    """Over all pairs of add-remove neighbors: without the target, or with one of the values."""
    return max(
        max(excess(p, q, epsilon), excess(q, p, epsilon))
        for rest, with_value in zip(without, values, strict=True)
        for p, q in [(each, rest) for each in with_value]
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("sides", ["both", "one"])
def test_no_independent_adversary_learns_more(seed, sides):
    """Every set of values, every prior on a grid, an unknown rest: ratios above fail rarely.

    The outputs on three possible rests, without the target and with each of three values, are
    drawn at random; what they promise is worked out, and the profile compared with each posterior.
    """
    random = np.random.default_rng([seed, len(sides)])
    spread = 10.0 ** random.uniform(-1.5, 0.5)
    base = random.dirichlet(np.full(7, 0.5), 3)

    def near(p):
        moved = p * np.exp(spread * random.normal(size=p.size))
        return moved / moved.sum()

    without = [near(p) for p in base]
    values = [[near(p) for _ in range(3)] for p in without]
    share = random.dirichlet(np.ones(3))
    epsilon = float(random.uniform(0.1, 1.5)) * spread
    delta = min(least_delta(without, values, epsilon) * (1 + 1e-12) + 1e-15, 1.0)
    guarantee = ApproxDP(epsilon, delta, **A)
    failure = min(4.0 * delta + 0.01, 0.9)
    limit = ProfileLimit(RatioLimit(2.0), confidence=1.0 - failure, sides=sides)
    E = float(limit.measured(guarantee))
    if not math.isfinite(E):
        return
    for hidden in ([0], [1], [0, 2]):
        weights = random.dirichlet(np.ones(3))
        mixed = [share @ np.array([v[i] for v in values]) for i in range(3)]
        nobody = share @ np.array(without)
        q = weights[hidden].sum()
        inside = sum(weights[i] * mixed[i] for i in hidden) / q
        rest = [i for i in range(3) if i not in hidden]
        outside = sum(weights[i] * mixed[i] for i in rest) / (1.0 - q)
        for p in (0.01, 0.3, 0.9, 1.0):
            total = p * q * inside + p * (1.0 - q) * outside + (1.0 - p) * nobody
            ratio = inside / total
            x = math.exp(-E)
            most = 1.0 / (p * q + p * (1.0 - q) * x * x + (1.0 - p) * x)
            over = ratio > most * (1.0 + 1e-12)
            assert inside[over].sum() <= failure
            other = (total - p * q * inside) / (1.0 - p * q)
            assert other[over].sum() <= failure


def test_pure_dp_is_what_solve_says():
    """With certainty, and where the value is not known with any confidence as well."""
    for profile in (RatioLimit(3.0), ratio_or_posterior(3.0, 0.15, membership_prior=0.05)):
        epsilon = solve(profile).epsilon.value
        found = largest_budget(ProfileLimit(profile), "pure").value.value
        assert epsilon * (1 - 3e-10) <= found <= epsilon
    sure = largest_budget(ProfileLimit(RatioLimit(3.0), confidence=0.9), "pure")
    assert sure.value.value == pytest.approx(solve(RatioLimit(3.0)).epsilon.value, rel=1e-9)


@pytest.mark.parametrize("definition", ["approximate", "gaussian"])
def test_a_known_value_is_the_informed_adversary(definition):
    """P0, Section 4.3: the ratio, the posterior and the difference of membership."""
    sure = 0.99
    pairs = [
        (RatioLimit(3.0, value_prior=1.0), InformedLimit("ratio", 3.0, confidence=sure)),
        (
            PosteriorLimit(0.5, membership_prior=0.2, value_prior=1.0),
            InformedLimit("posterior", 0.5, prior=0.2, confidence=sure),
        ),
    ]
    for profile, informed in pairs:
        one = largest_budget(ProfileLimit(profile, sure, "both"), definition).value.value
        other = largest_budget(informed, definition).value.value
        assert one == pytest.approx(other, rel=1e-9)


def test_more_about_the_value_leaves_less():
    """Known membership and value, then all priors: two steps count for more than one."""
    sizes = [
        largest_budget(ProfileLimit(RatioLimit(3.0, value_prior=q), 0.99), "gaussian").value.value
        for q in (1.0, (0.0, 1.0))
    ]
    assert sizes[0] > sizes[1] > 0.0


def test_the_ratio_is_kept_by_the_forward_function():
    limit = ProfileLimit(RatioLimit(3.0, value_prior=1.0), confidence=0.95, sides="both")
    found = largest_budget(limit, "gaussian", releases=4)
    whole = GaussianDP(2.0 * found.value.value * (1 - 1e-12), **A)
    assert disclosure(whole, confidence=0.95).ratio().upper.value <= 3.0 * (1 + 1e-12)


def test_without_a_confidence():
    """As everywhere: always where the loss is bounded, otherwise 0.99."""
    left_out, mostly = (ProfileLimit(RatioLimit(3.0), confidence=c) for c in (None, 0.99))
    for definition in ("approximate", "concentrated", "gaussian"):
        found, said = (largest_budget(each, definition) for each in (left_out, mostly))
        assert found.limit == mostly
        assert float(found.value) == float(said.value)
    assert largest_budget(left_out, "pure").limit.confidence is None
    assert float(left_out.measured(GaussianDP(0.1, **A))) == float(
        mostly.measured(GaussianDP(0.1, **A))
    )


def test_what_has_no_meaning():
    limit = ProfileLimit(RatioLimit(3.0), confidence=0.9)
    with pytest.raises(Meaningless, match="whether the person is in the data"):
        largest_budget(limit, "gaussian", **R)
    for fixed in (PowerLimit(0.2, level=0.05), CounterfactualLimit(2.0)):
        asked = ProfileLimit(AllOf([RatioLimit(3.0), fixed]), confidence=0.9)
        with pytest.raises(Meaningless, match="epsilon of pure DP"):
            asked.measured(GaussianDP(1.0, **A))
        assert float(asked.measured(PureDP(0.1, **A))) == pytest.approx(0.1)
    with pytest.raises(InvalidInput, match="a Profile"):
        ProfileLimit(3.0)
    with pytest.raises(OutOfRange, match="confidence"):
        ProfileLimit(RatioLimit(3.0), confidence=1.5)


@pytest.mark.parametrize("confidence", [None, 0.9])
@pytest.mark.parametrize("fixed", [PowerLimit(0.5, level=0.05), CounterfactualLimit(2.0)])
def test_limits_on_epsilon_itself_are_for_pure_dp(fixed, confidence):
    """Certainty, which is asked about first, is pure DP as well."""
    limit, most = ProfileLimit(fixed, confidence=confidence), float(solve(fixed).epsilon)
    assert float(largest_budget(limit, "pure").value) == pytest.approx(most)
    twelve = Together(12, "simple")
    assert float(largest_budget(limit, "pure", releases=twelve).value) == pytest.approx(most / 12)
    with pytest.raises(Meaningless, match="Ask about pure DP"):
        largest_budget(limit, "gaussian")


@pytest.mark.parametrize(
    ("profile", "status"),
    [
        (RatioLimit(3.0, membership_prior=(0.5, 1.0), value_prior=(0.7, 1.0)), "no limit"),
        (PosteriorLimit(0.1), "infeasible"),
        (RatioLimit(0.5), "infeasible"),
    ],
)
def test_reasons_come_from_the_profile(profile, status):
    found = largest_budget(ProfileLimit(profile, confidence=0.9), "gaussian")
    assert found.status == status
    assert found.reason == solve(profile).reason


def test_plain_data():
    """The tree of the profile, where it binds; a function has no tree."""
    data = ProfileLimit(RatioLimit(3.0, value_prior=1.0), confidence=0.9).to_dict()
    assert data["profile"] == {"ratio": 3.0, "value_prior": 1.0}
    assert data["binding"]["approached"] is True
    function = ProfileLimit(RatioFunction(lambda p, q: 2.0 + 0.0 * p), confidence=0.9)
    assert function.to_dict()["profile"] is None
    assert "probability of at most 0.1" in " ".join(function.unprotected())


def test_zcdp_keeps_profiles():
    limit = ProfileLimit(RatioLimit(3.0, value_prior=1.0), confidence=0.99, sides="both")
    rho = largest_budget(limit, "concentrated").value.value
    moved = disclosure(ZeroConcentratedDP(rho, **A), confidence=0.99)
    assert moved.odds().upper.value <= 3.0 * (1 + 1e-12)
