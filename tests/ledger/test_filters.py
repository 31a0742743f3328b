"""Privacy filters: caps found and certified, sums exact, what is not counted refused."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dprisk import ApproxDP, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from dprisk.budget import AttackLimit, EpsilonLimit, InformedLimit
from dprisk.errors import DpriskError, Meaningless
from dprisk.guarantees.base import NEIGHBORS
from dprisk.ledger.accounts import MOST, Account
from dprisk.ledger.rules import open_account, rule_of
from dprisk.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    RandomizedResponse,
    SampleRelease,
    SubsampledGaussian,
    SubsampledLaplace,
)
from dprisk.releases import Part

EPSILON = EpsilonLimit(1.0, delta=1e-6)
FILTERS = ["pure", "approximate", "concentrated", "gaussian", "renyi"]


def account(rule, *limits, neighbors="add-remove", **more):
    about = {"population": "all", "unit": "person", "neighbors": neighbors, "period": "2026"}
    return open_account(
        Account(name="town", rule=rule, limits=limits or (EPSILON,), **about, **more)
    )


def part(guarantee, neighbors="add-remove", **given):
    """A promise as it was written."""
    made = {"epsilon": PureDP, "rho": ZeroConcentratedDP, "mu": GaussianDP}
    kind = ApproxDP if "delta" in given else made[next(iter(given))]
    assert guarantee is kind
    numbers = {name: float(text) for name, text in given.items()}
    return Part(kind(**numbers, neighbors=neighbors), given=given)


@pytest.mark.parametrize("neighbors", NEIGHBORS)
def test_many_small_ones_on_top_of_one_are_counted_exactly(neighbors):
    rule = rule_of(account("pure", EpsilonLimit(1.001, delta=0.0), neighbors=neighbors))
    tiny, one = (part(PureDP, neighbors, epsilon=text) for text in ("1e-9", "1.0"))
    spent = {one: 1, tiny: 10**6 - 1}
    assert rule.decide(spent, {tiny: 1}).kept
    refused = rule.decide(spent, {tiny: 2})
    assert (refused.kept, refused.asked, refused.fits) == (False, 2, 1)
    assert rule.standing({one: 1, tiny: 10**6}, {tiny: 1}).left == 0
    assert rule.standing({one: 1, tiny: 10**6}).share == 1
    assert rule.standing({one: 1}).amounts[0].spent == 1


def test_decimals_add_up_as_they_are_written():
    rule = rule_of(account("pure", EpsilonLimit(0.3, delta=0.0)))
    tenth = part(PureDP, epsilon="0.1")
    assert rule.account.cap == "0.3"
    last = rule.decide({tenth: 2}, {tenth: 1})
    assert last.kept and float(last.readings[0].after) == 0.3
    assert not rule.decide({tenth: 3}, {part(PureDP, epsilon="1e-300"): 1}).kept


@pytest.mark.parametrize("count", [1, 2, 10, 10**3, 10**6, 10**9])
def test_counts_are_exact_up_to_a_thousand_million(count):
    rule = rule_of(account("concentrated", EPSILON))
    rho = Fraction(rule.account.cap) / count
    below, above = (
        f"{float(rho * (1 + share)):.15e}" for share in (Fraction(-1, 10**9), Fraction(1, 10**9))
    )
    for text, fits in ((below, True), (above, False)):
        assert rule.decide({}, {part(ZeroConcentratedDP, rho=text): count}).kept is fits


def truth(rule, cap, delta):
    """Delta at epsilon 1, to many digits; for pure and approximate DP and Gaussian DP."""
    with mpmath.workdps(40):
        e, s = mpmath.e, mpmath.mpf(cap)
        if rule == "gaussian":
            mu = mpmath.sqrt(s)
            return mpmath.ncdf(mu / 2 - 1 / mu) - e * mpmath.ncdf(-mu / 2 - 1 / mu)
        excess = max(mpmath.expm1(s - 1), 0) * e / (1 + mpmath.exp(s))
        return delta + (1 - delta) * excess


@pytest.mark.parametrize("rule", ["pure", "approximate", "gaussian"])
def test_a_cap_is_the_largest_of_nine_digits(rule):
    slack = {"delta": "1e-7"} if rule == "approximate" else {}
    cap = account(rule, **slack).cap
    delta = mpmath.mpf(slack.get("delta", "0"))
    assert (
        truth(rule, cap, delta)
        <= mpmath.mpf("1e-6")
        < truth(rule, Fraction(cap) * 1.00000001, delta)
    )


@pytest.mark.parametrize("rule", FILTERS)
@pytest.mark.parametrize(
    "limit",
    [
        EPSILON,
        EpsilonLimit(0.1, delta=1e-3),
        InformedLimit("posterior", 0.3, 0.1),
        InformedLimit("difference", 0.2, secret="attribute"),
        AttackLimit("power", 0.2, level=0.05),
        AttackLimit("advantage", 0.1),
    ],
)
def test_the_cap_keeps_every_limit_and_hardly_more_would(rule, limit):
    slack = {"delta": "1e-7"} if rule in ("approximate", "concentrated") else {}
    by_value = getattr(limit, "secret", None) == "attribute" and rule != "approximate"
    neighbors = "replace-one" if by_value else "add-remove"
    found = account(rule, limit, neighbors=neighbors, **slack)
    standing = rule_of(found).standing({})
    (reading,) = standing.readings
    kept = found.limits[0]
    assert float(kept.measured(standing.whole)) <= kept.most
    more = rule_of(account_with_cap(found, Fraction(found.cap) * Fraction(100001, 100000)))
    assert float(kept.measured(more.standing({}).whole)) > kept.most
    assert reading.scope == ("path" if rule == "pure" and kept.certain else "process")


def account_with_cap(found, cap):
    from dataclasses import replace

    return replace(found, cap=f"{float(cap)!r}")


def test_several_limits_share_the_smallest_cap():
    caps = [
        Fraction(account("gaussian", limit).cap)
        for limit in (EPSILON, AttackLimit("advantage", 0.1))
    ]
    both = account("gaussian", EPSILON, AttackLimit("advantage", 0.1)).cap
    assert Fraction(both) == min(caps)


@pytest.mark.parametrize("rule", FILTERS)
def test_what_allows_everything_or_nothing_is_refused(rule):
    with pytest.raises(Meaningless, match="allow every release"):
        account(rule, AttackLimit("power", 1.0, level=0.05))
    with pytest.raises(Meaningless, match="Nothing can be released"):
        account(rule, EpsilonLimit(0.0, delta=0.0))


N: Any = {"neighbors": "add-remove"}
COSTS = [
    ("pure", Laplace(3.0, 1.0, **N), {"epsilon": Fraction(1, 3)}),
    ("pure", Geometric(0.7, 2, **N), {"epsilon": Fraction(20, 7)}),
    ("pure", RandomizedResponse(0.1, 2, **N), {"epsilon": Fraction(1, 10)}),
    ("pure", ApproxDP(0.1, 0.0, **N), {"epsilon": Fraction(1, 10)}),
    (
        "approximate",
        ApproxDP(0.1, 1e-8, **N),
        {"epsilon": Fraction(1, 10), "delta": Fraction(1, 10**8)},
    ),
    (
        "approximate",
        SampleRelease(3, 1000, **N),
        {"epsilon": Fraction(0), "delta": Fraction(3, 1000)},
    ),
    ("concentrated", Laplace(3.0, 1.0, **N), {"rho": Fraction(1, 18), "delta": Fraction(0)}),
    ("concentrated", Gaussian(3.0, 1.0, **N), {"rho": Fraction(1, 18), "delta": Fraction(0)}),
    (
        "concentrated",
        DiscreteGaussian(0.3, 1, **N),
        {"rho": Fraction(100, 18), "delta": Fraction(0)},
    ),
    (
        "concentrated",
        ZeroConcentratedDP(0.1, xi=0.2, delta=1e-3, **N),
        {"rho": Fraction(3, 10), "delta": Fraction(1, 1000)},
    ),
    (
        "concentrated",
        ApproxDP(0.2, 1e-8, **N),
        {"rho": Fraction(1, 50), "delta": Fraction(1, 10**8)},
    ),
    ("gaussian", Gaussian(3.0, 1.0, **N), {"mu_squared": Fraction(1, 9)}),
    ("gaussian", GaussianDP(0.1, **N), {"mu_squared": Fraction(1, 100)}),
]


@pytest.mark.parametrize(("rule", "one", "cost"), COSTS)
def test_costs_are_those_that_were_written(rule, one, cost):
    made = Part(one) if hasattr(one, "delta") and not hasattr(one, "losses") else Part.of(one)
    assert rule_of(account(rule)).amounts(made) == cost


def test_pure_dp_as_gaussian_dp_is_rounded_upwards():
    found = rule_of(account("gaussian")).amounts(part(PureDP, epsilon="0.1"))["mu_squared"]
    with mpmath.workdps(40):
        told = 1 / (1 + mpmath.exp(-mpmath.mpf("0.1")))
        exact = (2 * mpmath.sqrt(2) * mpmath.erfinv(2 * told - 1)) ** 2
        assert exact <= mpmath.mpf(found.numerator) / found.denominator <= exact * (1 + 1e-13)


def test_subsampled_laplace_is_rounded_upwards():
    noise = SubsampledLaplace(2.0, 1.0, 0.3, **N)
    found = rule_of(account("pure")).amounts(Part.of(noise))["epsilon"]
    with mpmath.workdps(40):
        exact = mpmath.log1p(mpmath.mpf(0.3) * mpmath.expm1(mpmath.mpf(0.5)))
        assert exact <= mpmath.mpf(found.numerator) / found.denominator <= exact * (1 + 1e-14)


def divergence(order):
    """Of randomized response at epsilon 0.1, to many digits."""
    e, a = mpmath.mpf("0.1"), mpmath.mpf(order)
    p = 1 / (1 + mpmath.exp(-e))
    return mpmath.log(p**a * (1 - p) ** (1 - a) + (1 - p) ** a * p ** (1 - a)) / (a - 1)


def test_divergences_are_never_below_the_truth():
    rule = rule_of(account("renyi", orders=("1.5", "2", "32")))
    known = rule.amounts(part(PureDP, epsilon="0.1"))
    exact = rule.amounts(Part.of(Gaussian(3.0, 1.0, **N)))
    assert exact == {
        "order 1.5": Fraction(3, 36),
        "order 2.0": Fraction(1, 9),
        "order 32.0": Fraction(16, 9),
    }
    with mpmath.workdps(40):
        for name, order in (("order 1.5", 1.5), ("order 2.0", 2), ("order 32.0", 32)):
            found = mpmath.mpf(known[name].numerator) / known[name].denominator
            assert divergence(order) <= found <= divergence(order) * (1 + 1e-12)


def test_a_promise_at_higher_orders_serves():
    rule = rule_of(account("renyi", orders=("1.5", "2", "3")))
    promise = Part(RenyiDP([2.0, 4.0], [0.01, 0.02], **N))
    assert rule.amounts(promise) == {
        "order 1.5": Fraction(0.01),
        "order 2.0": Fraction(0.01),
        "order 3.0": Fraction(0.02),
    }
    with pytest.raises(Meaningless):
        rule.amounts(Part(RenyiDP(2.5, 0.01, **N)))


def test_a_cap_in_the_shape_of_what_is_planned():
    """A thousand steps of subsampled noise, of which exactly so many fit."""
    given = {"kind": "subsampled-gaussian", "sigma": "1.0", "sensitivity": "1", "rate": "0.01"}
    shape = (({"mechanism": given}, 1000),)
    found = account("renyi", EpsilonLimit(2.0, delta=1e-5), shape=shape)
    step = Part.of(SubsampledGaussian(1.0, 1.0, 0.01, **N))
    fits = int(Fraction(found.cap) * 1000)
    assert rule_of(found).standing({}, {step: 1}).left == fits > 500
    flat = rule_of(account("renyi", EpsilonLimit(2.0, delta=1e-5)))
    assert flat.standing({}, {step: 1}).left < fits


@pytest.mark.parametrize(
    ("rule", "one"),
    [
        ("pure", Gaussian(3.0, 1.0, **N)),
        ("pure", ApproxDP(0.1, 1e-8, **N)),
        ("pure", ZeroConcentratedDP(0.1, **N)),
        ("approximate", Gaussian(3.0, 1.0, **N)),
        ("approximate", ZeroConcentratedDP(0.1, **N)),
        ("concentrated", SubsampledGaussian(1.0, 1.0, 0.1, **N)),
        ("concentrated", RenyiDP(2.0, 0.1, **N)),
        ("gaussian", DiscreteGaussian(3.0, 1, **N)),
        ("gaussian", ZeroConcentratedDP(0.1, **N)),
        ("gaussian", ApproxDP(0.1, 1e-8, **N)),
        ("renyi", ApproxDP(0.1, 1e-8, **N)),
        ("renyi", ZeroConcentratedDP(0.1, delta=1e-8, **N)),
        ("renyi", SampleRelease(3, 1000, **N)),
    ],
)
def test_what_a_family_cannot_count_is_refused_with_what_to_do(rule, one):
    made = Part.of(one) if hasattr(one, "losses") else Part(one)
    with pytest.raises(Meaningless) as refused:
        rule_of(account(rule)).decide({}, {made: 1})
    assert refused.value.fix


def test_a_delta_needs_room_of_its_own():
    half = part(ApproxDP, epsilon="0.0001", delta="5e-8")
    rule = rule_of(account("concentrated", delta="1e-7"))
    assert rule.standing({}, {half: 1}).left == 2
    assert rule_of(account("concentrated")).standing({}, {half: 1}).left == 0


def test_what_costs_nothing_always_fits():
    rule = rule_of(account("pure"))
    assert rule.standing({}, {part(PureDP, epsilon="0"): 1}).left == MOST


def test_a_huge_release_is_refused_and_not_an_error():
    rule = rule_of(account("concentrated"))
    refused = rule.decide({}, {part(PureDP, epsilon="1e300"): 1})
    assert not refused.kept and refused.readings[0].after is None
    assert refused.to_dict()["readings"][0]["after"] is None


def test_a_refusal_says_what_it_would_have_taken():
    rule = rule_of(account("pure", InformedLimit("posterior", 0.3, 0.1)))
    ten = rule.decide({part(PureDP, epsilon="1"): 1}, {part(PureDP, epsilon="0.1"): 10})
    (reading,) = ten.readings
    assert reading.scope == "path"
    assert (ten.asked, ten.fits) == (10, 3)
    assert float(reading.now) == pytest.approx(1 / (1 + 9 / float(mpmath.e)))
    assert float(reading.after) == pytest.approx(1 / (1 + 9 / float(mpmath.e**2)))
    assert float(reading.after) > reading.most


numbers = st.decimals("0.0001", "0.3", places=4).map(str)
parts = st.dictionaries(
    st.tuples(st.sampled_from(["epsilon", "rho", "mu"]), numbers),
    st.integers(1, 30),
    min_size=1,
    max_size=4,
)
KIND = {"epsilon": PureDP, "rho": ZeroConcentratedDP, "mu": GaussianDP}


@cache
def limited(rule):
    """The rule of an account with two limits."""
    return rule_of(
        account(rule, EpsilonLimit(2.0, delta=1e-5), AttackLimit("power", 0.5, level=0.1))
    )


@settings(max_examples=25)
@given(st.sampled_from(["concentrated", "renyi", "gaussian"]), parts, parts)
def test_what_is_kept_keeps_the_limit_when_it_is_summed_anew(rule, spent, more):
    """Added up again in fractions, without the filter."""
    made = limited(rule)
    before, asked = (
        {part(KIND[name], **{name: text}): count for (name, text), count in each.items()}
        for each in (spent, more)
    )
    try:
        decision = made.decide(before, asked)
    except DpriskError:
        assert rule == "gaussian"  # zCDP is no Gaussian DP
        return
    square = {"epsilon": lambda x: x * x / 2, "rho": lambda x: x, "mu": lambda x: x * x / 2}
    rho = sum(square[n](Fraction(t)) * c for each in (spent, more) for (n, t), c in each.items())
    if rule == "concentrated":
        assert decision.kept is (rho <= Fraction(made.account.cap))
    if decision.kept and rule != "gaussian":
        whole = ZeroConcentratedDP(float(rho) * (1 + 1e-12), neighbors="add-remove")
        if rule == "concentrated":
            assert all(limit.kept_by(whole) for limit in made.account.limits)
    assert decision.kept is (decision.fits >= decision.asked)


@pytest.mark.parametrize(
    ("rule", "more"),
    [
        ("pure", {"epsilon": "0.07"}),
        ("approximate", {"epsilon": "0.07", "delta": "1e-8"}),
        ("concentrated", {"rho": "0.004"}),
        ("gaussian", {"mu": "0.1"}),
        ("renyi", {"rho": "0.004"}),
        ("fixed", {"epsilon": "0.07"}),
    ],
)
def test_what_keeps_is_what_is_decided(rule, more):
    kind = {"rho": ZeroConcentratedDP, "mu": GaussianDP}.get(next(iter(more)), PureDP)
    asked = part(ApproxDP if "delta" in more else kind, **more)
    delta = {"delta": 1e-6} if rule == "approximate" else {}
    limit = EpsilonLimit(1.0, delta=0.0) if rule == "pure" else EPSILON
    adds_up = rule_of(account(rule, limit, **delta))
    found = [
        (adds_up.keeps({asked: n}, {asked: 1}), adds_up.decide({asked: n}, {asked: 1}).kept)
        for n in (0, 1, 5, 10, 12, 13, 14, 15, 50, 1000)
    ]
    assert all(one == other for one, other in found)
    assert found[0][0] and not found[-1][0]


@given(
    counts=st.dictionaries(st.sampled_from(["0.1", "0.25", "1e-9", "3e-300"]), st.integers(0, 9))
)
@settings(deadline=None, max_examples=30)
def test_sums_are_those_of_fractions(counts):
    spent = {part(PureDP, epsilon=text): count for text, count in counts.items()}
    rule = rule_of(account("pure", EpsilonLimit(1.0, delta=0.0)))
    found = rule.standing(spent).amounts[0].spent
    assert found == sum((Fraction(text) * n for text, n in counts.items()), Fraction(0))
