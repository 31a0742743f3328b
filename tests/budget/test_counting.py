"""Releases together: every rule, what was spent before, and how many more there may be."""

from __future__ import annotations

import math
from typing import Any

import pytest
from mpmath import mp, mpf

from dprisk import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from dprisk.budget import (
    AttackLimit,
    EpsilonLimit,
    InformedLimit,
    ProfileLimit,
    RatioLimit,
    Together,
    budgets,
    largest_budget,
    most_releases,
    plan,
)
from dprisk.budget.largest import chosen_delta
from dprisk.composition.composing import RULES
from dprisk.composition.theorems import advanced
from dprisk.curves import ladder
from dprisk.errors import InvalidInput, Meaningless, OutOfRange
from dprisk.mechanisms import DiscreteGaussian, Gaussian, Laplace
from dprisk.releases import Part, Release

A: Any = {"neighbors": "add-remove"}
EIGHTY = InformedLimit("posterior", 0.8, prior=0.5, confidence=0.95)


def described(*parts, **more):
    return Release(
        name="Monthly",
        unit="person",
        period="month",
        neighbors="add-remove",
        neighbors_stated=True,
        model="central",
        parts=parts,
        **more,
    )


def test_every_rule_by_its_formula():
    """At a delta of 1e-6: sums, the mean and a deviation, and the exact curve."""
    k, delta = 60, 1e-6
    year = Together(k, at_delta=delta)
    found = budgets([EIGHTY], definitions=["pure"], rules=RULES, releases=year).promises
    by_rule = {one.together.rule: one for one in found}
    assert list(by_rule) == ["best", "simple", "advanced", "optimal"]
    with mp.workdps(40):
        d, more = mpf(delta), mpf("0.05")
        whole = mp.log((4 * (more - d) - d) / more)  # P0, Theorem 3.9 for odds of 4
        pure = mp.log((mp.exp(whole) + d) / (1 - d))  # what pure DP keeps at that delta is less
    assert by_rule["simple"].value.value == pytest.approx(float(pure) / k, rel=1e-9)
    at = by_rule["advanced"].value.value
    total, _ = advanced([at], [0.0], [k], delta * (1 - 1e-12))
    assert total == pytest.approx(float(whole), rel=1e-9)
    with mp.workdps(40):
        e = mpf(by_rule["optimal"].value.value)
        lie = 1 / (1 + mp.exp(e))
        curve = mp.fsum(
            mp.binomial(k, m)
            * lie**m
            * (1 - lie) ** (k - m)
            * max(mpf(0), -mp.expm1(whole - (k - 2 * m) * e))
            for m in range(k + 1)
        )
    assert float(curve) == pytest.approx(delta, rel=1e-7)
    assert by_rule["best"].value.value == by_rule["optimal"].value.value
    assert at > by_rule["simple"].value.value


def test_the_whole_curve_is_never_worse_than_one_delta():
    for definition in ("pure", "approximate", "gaussian", "concentrated"):
        whole, read = (
            largest_budget(EIGHTY, definition, releases=Together(10, at_delta=at)).value.value
            for at in (None, 1e-6)
        )
        assert read <= whole


def test_rules_that_say_nothing_are_left_out():
    sheet = budgets(
        [EIGHTY], definitions=["gaussian"], rules=["best", "simple", "optimal"], releases=3
    )
    assert [one.together.rule for one in sheet.promises] == ["best", "simple"]
    assert "optimal rule" in sheet.refused[0].reason
    with pytest.raises(InvalidInput, match="costs a delta"):
        Together(3, rule="advanced")
    with pytest.raises(Meaningless, match="optimal rule"):
        largest_budget(EIGHTY, "gaussian", releases=Together(3, rule="optimal"))


def test_what_a_theorem_gives_away_has_no_other_end():
    """Only where the whole curve is used do some releases reach what is said of them."""
    tight = largest_budget(EIGHTY, "pure", releases=5).value
    assert tight.value < tight.other_end <= tight.value * (1 + 1e-8)
    for how in (Together(5, "simple"), Together(5, at_delta=1e-6)):
        assert largest_budget(EIGHTY, "pure", releases=how).value.other_end is None
    power = AttackLimit("power", 0.3, level=0.1)
    one = largest_budget(power, "concentrated").value
    assert one.other_end is not None
    assert largest_budget(power, "concentrated", releases=2).value.other_end is None


def test_what_was_spent_is_counted():
    """Squares of mu add up; after everything is spent nothing is left."""
    whole = largest_budget(EIGHTY, "gaussian").value.value
    spent = GaussianDP(0.6 * whole, **A)
    left = largest_budget(EIGHTY, "gaussian", releases=Together(1, spent=[(spent, 1)]))
    assert left.value.value == pytest.approx(0.8 * whole, rel=1e-9)
    gone = largest_budget(EIGHTY, "gaussian", releases=Together(1, spent=[(spent, 3)]))
    assert gone.status == "infeasible"
    assert "Earlier releases" in gone.reason
    mixed = Together(4, spent=[(ApproxDP(0.2, 1e-6, **A), 2)])
    found = largest_budget(EIGHTY, "pure", releases=mixed)
    assert found.status == "limited"
    assert EIGHTY.kept_by(mixed.of(found.guarantee).guarantee)


def test_the_delta_chosen():
    found = largest_budget(EIGHTY, "approximate", releases=10)
    assert found.guarantee.parameters["delta"] == chosen_delta(0.95, 10) == 5e-5
    with pytest.raises(OutOfRange):
        chosen_delta(1.0)
    with pytest.raises(OutOfRange):
        chosen_delta(0.5, 0)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"releases": 0}, OutOfRange),
        ({"releases": 2.5}, OutOfRange),
        ({"rule": "worst"}, InvalidInput),
        ({"at_delta": 0.0}, OutOfRange),
        ({"at_delta": 1.5}, OutOfRange),
    ],
)
def test_bad_ways_of_composing(options, error):
    with pytest.raises(error):
        Together(**options)


# --- how many more -------------------------------------------------------------------------------


def test_as_many_as_the_ladder_says():
    """One less than the first number of releases that is over the limit."""
    query = PureDP(0.05, **A)
    first = ladder(query, [200], confidence=0.95).until(0.8)
    assert most_releases(EIGHTY, query).number == first["exact curve"] - 1
    simple = most_releases(EIGHTY, query, releases=Together(rule="simple"))
    assert simple.number == first["basic, best delta"] - 1
    at = Together(rule="simple", at_delta=1e-6)
    assert most_releases(EIGHTY, query, releases=at).number == first["basic"] - 1 == 27
    spend = Together(rule="advanced", at_delta=1e-6)
    assert most_releases(EIGHTY, query, releases=spend).number == first["advanced"] - 1 == 25
    day = ZeroConcentratedDP(0.01, **A)
    limit = InformedLimit("posterior", 0.99, prior=0.5, confidence=0.99)
    assert most_releases(limit, day).number == 78
    assert most_releases(limit, GaussianDP(math.sqrt(0.02), **A)).number == 96


@pytest.mark.parametrize("each", [0.3, 0.01, 1e-4])
@pytest.mark.parametrize("most", [0.51, 0.8, 0.9999])
def test_one_more_is_too_many(each, most):
    limit = InformedLimit("posterior", most, prior=0.5, confidence=0.9)
    found = most_releases(limit, GaussianDP(each, **A))
    mu = largest_budget(limit, "gaussian").value.value
    assert found.number == pytest.approx(math.floor((mu / each) ** 2), abs=0, rel=1e-8)
    assert float(found.measured) <= most < float(found.one_more)
    assert found.status == ("limited" if found.number else "infeasible")


def test_a_million_releases_and_no_end():
    found = most_releases(EIGHTY, GaussianDP(1e-4, **A))
    assert found.number > 10**7
    none = most_releases(EIGHTY, PureDP(0.0, **A))
    assert (none.status, none.number) == ("no limit", 10**9)
    all_ = most_releases(AttackLimit("advantage", 1.0), PureDP(1.0, **A))
    assert all_.status == "no limit"


def test_what_is_run_allows_more_than_its_promise():
    noise = Laplace(scale=10.0, sensitivity=1.0, **A)
    limit = AttackLimit("advantage", 0.3)
    by_promise = most_releases(limit, noise, own=False)
    by_noise = most_releases(limit, noise)
    assert by_promise.number < by_noise.number
    assert (by_promise.own, by_noise.own) == (False, True)
    assert by_noise.to_dict()["holds_for"] == "mechanism"


def test_a_release_of_several_parts_counts_as_one():
    parts = (Part(GaussianDP(0.03, **A), 1), Part(GaussianDP(0.04, **A), 3))
    found = most_releases(EIGHTY, described(*parts))
    mu = largest_budget(EIGHTY, "gaussian").value.value
    assert found.number == math.floor(mu**2 / (0.03**2 + 3 * 0.04**2))
    twice = most_releases(EIGHTY, described(*parts, releases=2))
    assert twice.number == found.number // 2


def test_plan_goes_through_the_rules():
    made = plan([EIGHTY], PureDP(0.05, **A), done=30)
    assert [one.together.rule for one in made.fittings] == ["simple", "optimal", "best"]
    assert made.best.number == 103
    assert made.to_dict()["number"] == 103
    noise = DiscreteGaussian(sigma=10.0, sensitivity=1, **A)
    made = plan([EIGHTY, EpsilonLimit(1.0, 1e-6)], noise)
    assert [(one.together.rule, one.own) for one in made.fittings] == [
        ("simple", False),
        ("best", False),
        ("best", True),
    ]
    assert {one.limit.to_dict()["metric"] for one in made.fittings} == {"epsilon"}
    assert made.best.own


def test_plan_after_something_else():
    """Nothing is left after a release that reveals everything."""
    open_ = described(Part(ApproxDP(5.0, 0.2, **A)))
    made = plan([EIGHTY], PureDP(0.05, **A), spent=[open_])
    assert (made.status, made.best.number) == ("infeasible", 0)
    assert "Earlier releases" in made.best.reason
    some = plan([EIGHTY], PureDP(0.05, **A), spent=[PureDP(0.5, **A)])
    assert 0 < some.best.number < 133


def test_profiles_are_counted_too():
    limit = ProfileLimit(RatioLimit(3.0, value_prior=1.0), confidence=0.95, sides="both")
    odds = InformedLimit("odds", 3.0, confidence=0.95)
    query = PureDP(0.05, **A)
    assert most_releases(limit, query).number == most_releases(odds, query).number


def test_bad_plans():
    with pytest.raises(InvalidInput, match="a list of limits"):
        plan([], PureDP(0.1, **A))
    with pytest.raises(InvalidInput, match="Release"):
        most_releases(EIGHTY, 0.1)
    with pytest.raises(InvalidInput, match="gives no number"):
        most_releases(EIGHTY, described())
    with pytest.raises(InvalidInput, match="done"):
        plan([EIGHTY], PureDP(0.1, **A), done=1.5)
    certain = EpsilonLimit(1.0, 0.0)
    with pytest.raises(Meaningless, match="only up to a probability"):
        most_releases(certain, Gaussian(1.0, 1.0, **A))
    assert most_releases(certain, PureDP(0.1, **A)).number == 10


def test_one_confidence_for_a_whole_plan():
    """Certainty where all losses are bounded, otherwise 0.99, and it is said."""
    left_out = InformedLimit("posterior", 0.8, prior=0.5)
    assert most_releases(left_out, PureDP(0.1, **A)).number == 13  # log(4) / 0.1 = 13.9
    assert plan([left_out], PureDP(0.1, **A)).limits == (left_out,)
    noise = ZeroConcentratedDP(0.01, **A)
    said = InformedLimit("posterior", 0.8, prior=0.5, confidence=0.99)
    made = plan([left_out], noise)
    assert made.limits == (said,) == tuple(found.limit for found in made.fittings[:1])
    assert made.best.number == plan([said], noise).best.number
    mixed = plan([left_out], PureDP(0.1, **A), spent=[noise])
    assert mixed.limits == (said,)
    assert plan([left_out], PureDP(0.1, **A), at_delta=1e-6).limits == (said,)


@pytest.mark.parametrize(("power", "level"), [(0.3, 0.1), (0.27, 0.2), (0.01, 0.003)])
def test_the_other_end_is_above_the_truth(power, level):
    """Where the worst case has just that power: a line, or normal noise."""
    limit = AttackLimit("power", power, level=level)
    with mp.workdps(40):
        m, x = mpf(power), mpf(level)
        mu = mp.sqrt(2) * (mp.erfinv(2 * m - 1) - mp.erfinv(2 * x - 1))
        epsilon = max(mp.log(m / x), mp.log((1 - x) / (1 - m)))
        for definition, truth in (("gaussian", mu), ("pure", epsilon)):
            found = largest_budget(limit, definition).value
            assert found.value <= truth <= found.other_end <= truth * (1 + mpf(10) ** -8)


@pytest.mark.parametrize("rule", ["best", "simple", "optimal"])
@pytest.mark.parametrize(
    ("epsilon", "most", "number"),
    [
        (0.1, 1.0, 10),
        (0.1, 0.3, 3),
        (0.7, 2.1, 3),
        (0.1, 0.30000000000000004, 3),
        (1e-3, 0.999, 999),
    ],
)
def test_decimals_add_up_as_they_are_written(rule, epsilon, most, number):
    """Three times 0.1 is 0.3, though not as floats; and not one more fits."""
    found = most_releases(
        EpsilonLimit(most, 0.0), PureDP(epsilon, **A), releases=Together(rule=rule)
    )
    assert (found.number, found.measured.value <= most) == (number, True)
    less = EpsilonLimit(math.nextafter(number * epsilon * (1 - 1e-15), 0.0), 0.0)
    kept = most_releases(less, PureDP(epsilon, **A), releases=Together(rule=rule))
    assert kept.number == number - 1


def test_what_optimal_composition_found_is_not_searched_again():
    """By the best rule promises are composed so, too: the same number, at the same place."""
    parts = Part(ApproxDP(0.02, 1e-8, **A), 2), Part(PureDP(0.01, **A), 3)
    by_rule = {one.together.rule: one for one in plan([EIGHTY], described(*parts)).fittings}
    alone = most_releases(EIGHTY, described(*parts))
    assert by_rule["best"].number == by_rule["optimal"].number == alone.number
    assert float(by_rule["best"].measured) == float(alone.measured)
