"""Limits on beliefs, tests and epsilon: closed forms, round trips, and what has no meaning."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy.special import ndtr

from dprisk import (
    ApproxDP,
    GaussianDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    disclosure,
)
from dprisk.budget import AttackLimit, BayesLimit, EpsilonLimit, InformedLimit, largest_budget
from dprisk.composition import compose
from dprisk.errors import InvalidInput, Meaningless, OutOfRange
from dprisk.guarantees.tradeoff import FDP
from dprisk.risk import attack

A: Any = {"neighbors": "add-remove"}
R: Any = {"neighbors": "replace-one"}


def inverse(p):
    """The normal quantile in many digits."""
    p = mpf(p)
    return -mp.sqrt(2) * mp.erfinv(1 - 2 * p)


def largest(limit, definition, **options):
    return largest_budget(limit, definition, **options).value.value


@pytest.mark.parametrize("most", [1e-6, 0.01, 0.3, 0.9, 0.999])
def test_gaussian_advantage(most):
    """mu = 2 Phi^-1((1 + a) / 2)."""
    with mp.workdps(40):
        truth = 2 * inverse((1 + mpf(most)) / 2)
    found = largest_budget(AttackLimit("advantage", most), "gaussian")
    assert found.value.value == pytest.approx(float(truth), rel=2e-12)
    assert found.value.value <= truth * (1 + 1e-15)


@pytest.mark.parametrize(("power", "level"), [(0.2, 0.05), (0.9, 0.01), (0.051, 0.05), (0.5, 1e-9)])
def test_gaussian_power(power, level):
    """mu = Phi^-1(power) - Phi^-1(level); over twelve releases it is less by sqrt(12)."""
    with mp.workdps(40):
        truth = inverse(power) - inverse(level)
    limit = AttackLimit("power", power, level=level)
    assert largest(limit, "gaussian") == pytest.approx(float(truth), rel=3e-12)
    twelve = largest(limit, "gaussian", releases=12)
    assert twelve == pytest.approx(float(truth) / math.sqrt(12), rel=3e-12)


@pytest.mark.parametrize(("power", "level"), [(0.2, 0.05), (0.9, 0.3), (0.5, 1e-9)])
def test_pure_power(power, level):
    """The larger of two logarithms (P1, Section 6)."""
    truth = max(math.log(power / level), math.log((1 - level) / (1 - power)))
    found = largest(AttackLimit("power", power, level=level), "pure")
    assert found == pytest.approx(truth, rel=1e-11)


@pytest.mark.parametrize("level", [0.01, 0.05])
def test_an_alarm_is_bayes_rule_on_power(level):
    """A limit on the belief after an alarm is one on power."""
    odds = 0.3 / 0.7 * 0.9 / 0.1
    alarm = AttackLimit("predictive_value", 0.3, level=level, prior=0.1)
    power = AttackLimit("power", level * odds, level=level)
    for definition in ("pure", "gaussian"):
        assert largest(alarm, definition) == pytest.approx(largest(power, definition), rel=1e-9)


@pytest.mark.parametrize(
    ("limit", "shift"),
    [
        (InformedLimit("posterior", 0.3, prior=0.1), math.log(0.3 / 0.7 * 9.0)),
        (InformedLimit("odds", 5.0), math.log(5.0)),
        (InformedLimit("ratio", 3.0), math.log(3.0)),
        (InformedLimit("ratio_not", 3.0), math.log(3.0)),
        (InformedLimit("ratio", 2.0, prior=0.2), math.log(0.4 / 0.6 * 4.0)),
        (InformedLimit("ratio_not", 2.0, prior=0.8), math.log(0.4 / 0.6 * 4.0)),
        (InformedLimit("difference", 0.2), 2 * math.log(1.2 / 0.8)),
        (InformedLimit("difference", 0.1, prior=0.3), math.log(0.4 / 0.6) - math.log(0.3 / 0.7)),
        (InformedLimit("difference", 0.1, prior=0.7), math.log(0.4 / 0.6) - math.log(0.3 / 0.7)),
    ],
)
def test_a_belief_is_a_shift_of_the_log_odds(limit, shift):
    """The shift is the epsilon of pure DP, and half of it where two steps lie between."""
    assert largest(limit, "pure") == pytest.approx(shift, rel=1e-11)
    about = InformedLimit(limit.metric, limit.limit, limit.prior, secret="attribute")
    assert largest(about, "pure") == pytest.approx(shift / 2.0, rel=3e-10)
    assert largest(about, "pure", **R) == pytest.approx(shift, rel=1e-10)


@pytest.mark.parametrize("delta", [0.0, 1e-300, 1e-12, 1e-4])
@pytest.mark.parametrize("failure", [0.01, 0.2])
def test_approximate_dp_by_theorem_3_9(delta, failure):
    """epsilon = log((e^shift (d' - d) - d) / d'), P0's own inverse."""
    limit = InformedLimit("difference", 0.2, confidence=1 - failure)
    with mp.workdps(40):
        shift = 2 * mp.log(mpf(6) / 4)
        d, more = mpf(delta), mpf(str(failure))
        truth = mp.log((mp.exp(shift) * (more - d) - d) / more)
    found = largest(limit, "approximate", delta=delta)
    assert found == pytest.approx(float(truth), rel=1e-11)


@pytest.mark.parametrize("sides", ["both", "one"])
def test_gaussian_dp_by_its_tails(sides):
    """Power y and level y e^-shift, with y + level (or y) the probability of failure."""
    limit = InformedLimit("posterior", 0.3, prior=0.1, confidence=0.99, sides=sides)
    shift = mp.log(mpf("0.3") / mpf("0.7") * 9)
    y = mpf("0.01") / (1 + mp.exp(-shift) if sides == "both" else 1)
    truth = inverse(y) - inverse(y * mp.exp(-shift))
    assert largest(limit, "gaussian") == pytest.approx(float(truth), rel=1e-10)


# --- round trips: what is returned keeps the limit, and a little more breaks it ------------------


def random_limit(random):  # noqa: PLR0911 - one of each
    """Of every kind, mostly reachable."""
    sure = float(1.0 - 10.0 ** random.uniform(-4, -0.5))
    kind = random.integers(7)
    prior = float(random.uniform(0.01, 0.95))
    if kind == 0:
        after = float(prior + (1.0 - prior) * random.uniform(0.01, 0.95))
        return InformedLimit("posterior", after, prior=prior, confidence=sure)
    if kind == 1:
        metric = str(random.choice(["ratio", "ratio_not", "odds"]))
        return InformedLimit(metric, float(1.0 + 10 ** random.uniform(-2, 1)), confidence=sure)
    if kind == 2:
        most = float(random.uniform(0.01, 0.9))
        return InformedLimit("difference", most, confidence=sure, sides="one")
    level = float(10.0 ** random.uniform(-4, -0.2))
    if kind == 3:
        power = float(level + (1.0 - level) * random.uniform(0.001, 0.99))
        return AttackLimit("power", power, level=level)
    if kind == 4:
        return AttackLimit("advantage", float(random.uniform(0.001, 0.99)))
    if kind == 5:
        after = float(prior + (1.0 - prior) * random.uniform(0.01, 0.9))
        return AttackLimit("predictive_value", after, level=level, prior=prior)
    return EpsilonLimit(
        float(10.0 ** random.uniform(-2, 1)), float(10.0 ** random.uniform(-12, -3))
    )


FORWARD = {
    "pure": lambda x, delta: PureDP(x, **A),
    "approximate": lambda x, delta: ApproxDP(x, delta, **A),
    "concentrated": lambda x, delta: ZeroConcentratedDP(x, **A),
    "gaussian": lambda x, delta: GaussianDP(x, **A),
}


def forward(limit, guarantee):  # noqa: PLR0911 - one of each
    """The limited number, by the functions that anybody would ask."""
    if isinstance(limit, EpsilonLimit):
        return guarantee.epsilon(limit.delta).value
    if isinstance(limit, AttackLimit):
        tested = attack(guarantee)
        if limit.metric == "advantage":
            return tested.advantage().value
        if limit.metric == "power":
            return tested.power(limit.level).value
        return tested.predictive_value(limit.level, limit.prior).value
    moved = disclosure(guarantee, confidence=limit.confidence, sides=limit.sides)
    if limit.metric == "odds":
        return moved.odds().upper.value
    if limit.metric == "difference":
        return moved.difference(limit.prior).upper.value
    return getattr(moved, limit.metric)(limit.prior).upper.value


@pytest.mark.parametrize("definition", ["pure", "approximate", "gaussian"])
@pytest.mark.parametrize("seed", range(2))
def test_round_trips(definition, seed):
    random = np.random.default_rng([seed, len(definition)])
    for _ in range(25):
        limit = random_limit(random)
        releases = int(random.choice([1, 1, 2, 17]))
        delta = float(10.0 ** random.uniform(-12, -6)) if definition == "approximate" else None
        found = largest_budget(limit, definition, delta=delta, releases=releases)
        if found.status == "no limit":
            assert limit.kept_by(PureDP(1e6, **A))
            continue
        if found.status == "infeasible":
            assert not limit.kept_by(ApproxDP(0.0, min(releases * delta, 1.0), **A))
            continue
        value = found.value.value

        def at(x, limit=limit, releases=releases, delta=delta):
            one = FORWARD[definition](x, delta)
            whole = compose([one], [releases]).guarantee
            try:
                return forward(limit, whole)
            except OutOfRange:  # the deltas exceed what the confidence leaves
                return math.inf

        assert at(value) <= limit.most
        broken = max(value * (1.0 + 1e-9), found.value.other_end or 0.0)
        assert at(broken) > limit.most
        assert broken <= value * (1.0 + 1e-3)


def test_round_trips_of_zcdp():
    random = np.random.default_rng(8)
    for _ in range(2):
        limit = random_limit(random)
        found = largest_budget(limit, "concentrated", releases=5)
        value = found.value.value
        assert forward(limit, ZeroConcentratedDP(5 * value * (1 - 1e-12), **A)) <= limit.most
        assert forward(limit, ZeroConcentratedDP(5 * value * (1 + 1e-6), **A)) > limit.most


def test_any_other_promise_by_a_function():
    """f-DP of a normal shift is Gaussian DP; one point of Rényi DP has a budget too."""
    x = np.linspace(0.0, 1.0, 1001)

    def f_dp(mu):
        return FDP(x, 1.0 - GaussianDP(mu, **A).power(x).value, **A)

    limit = AttackLimit("advantage", 0.2)
    found = largest_budget(limit, f_dp)
    assert found.definition == f_dp(1.0).definition
    assert found.value.value == pytest.approx(largest(limit, "gaussian"), rel=1e-3)
    assert limit.kept_by(f_dp(found.value.value))
    assert not limit.kept_by(f_dp(found.value.value * (1 + 1e-9)))
    renyi = largest_budget(limit, lambda g: RenyiDP(2.0, g, **A))
    assert limit.kept_by(renyi.guarantee)
    assert not limit.kept_by(RenyiDP(2.0, renyi.value.value * (1 + 1e-6), **A))


# --- edges ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "status"),
    [
        (AttackLimit("power", 0.05, level=0.1), "infeasible"),
        (AttackLimit("power", 1.0, level=0.1), "no limit"),
        (AttackLimit("power", 0.1, level=0.1), "infeasible"),
        (AttackLimit("advantage", 0.0), "infeasible"),
        (AttackLimit("advantage", 1.0), "no limit"),
        (InformedLimit("posterior", 0.1, prior=0.5, confidence=0.9), "infeasible"),
        (InformedLimit("posterior", 1.0, prior=0.5, confidence=0.9), "no limit"),
        (InformedLimit("ratio", 0.5, confidence=0.9), "infeasible"),
        (InformedLimit("ratio", math.inf, confidence=0.9), "no limit"),
        (InformedLimit("ratio", 2.0, prior=0.6, confidence=0.9), "no limit"),
        (InformedLimit("difference", 0.0, confidence=0.9), "infeasible"),
        (EpsilonLimit(math.inf, 1e-6), "no limit"),
        (EpsilonLimit(0.3, 1.0), "no limit"),
    ],
)
@pytest.mark.parametrize("definition", ["pure", "gaussian"])
def test_nothing_and_everything(limit, status, definition):
    found = largest_budget(limit, definition)
    assert found.status == status
    assert found.value.value == (math.inf if status == "no limit" else 0.0)
    assert found.reason.endswith(".")
    assert found.guarantee is None
    assert found.to_dict()["value"] == (None if status == "no limit" else 0.0)


def test_a_delta_that_is_too_large_is_to_blame():
    limit = InformedLimit("posterior", 0.8, prior=0.5, confidence=0.99)
    found = largest_budget(limit, "approximate", delta=0.01)
    assert (found.status, found.value.value) == ("infeasible", 0.0)
    assert "A delta of 0.01 breaks the limit at any epsilon" in found.reason


@pytest.mark.parametrize("definition", ["concentrated", "gaussian"])
def test_certainty_needs_a_bounded_loss(definition):
    """Where it is not, confidence left out is 0.99."""
    limit = InformedLimit("posterior", 0.8, prior=0.5)
    assert largest(limit, definition) == largest(replace(limit, confidence=0.99), definition)
    assert largest(limit, "pure") == pytest.approx(math.log(4.0), rel=1e-10)
    assert largest(limit, "approximate", delta=0.0) == pytest.approx(math.log(4.0), rel=1e-10)


def test_membership_has_no_meaning_under_replace_one():
    limit = InformedLimit("posterior", 0.8, prior=0.5, confidence=0.99)
    with pytest.raises(Meaningless, match="Membership has no meaning under replace-one"):
        largest_budget(limit, "gaussian", **R)
    with pytest.raises(Meaningless, match="Membership"):
        largest_budget(AttackLimit("advantage", 0.2, secret="membership"), "pure", **R)


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda: InformedLimit("posterior", 0.5), InvalidInput, "depends on the belief before"),
        (lambda: InformedLimit("posterior", 0.5, prior=0.0), OutOfRange, "never moves"),
        (lambda: InformedLimit("posterior", 0.5, prior=1.0), OutOfRange, "never moves"),
        (lambda: InformedLimit("posterior", 1.5, prior=0.1), OutOfRange, "limit on the posterior"),
        (
            lambda: InformedLimit(cast("Any", "poster"), 0.5),
            InvalidInput,
            "Did you mean 'posterior'",
        ),
        (lambda: InformedLimit("ratio", math.nan), OutOfRange, "limit on the ratio"),
        (lambda: InformedLimit("ratio", 2.0, confidence=1.0), OutOfRange, "confidence"),
        (lambda: AttackLimit("power", 0.5), InvalidInput, "about one level"),
        (lambda: AttackLimit("power", 0.5, level=0.0), OutOfRange, "level"),
        (lambda: AttackLimit("advantage", 0.5, level=0.1), Meaningless, "leave it out"),
        (lambda: AttackLimit("power", 0.5, level=0.1, prior=0.1), Meaningless, "leave it out"),
        (lambda: AttackLimit("predictive_value", 0.5, level=0.1), InvalidInput, "one prior"),
        (lambda: EpsilonLimit(-1.0, 0.1), OutOfRange, "epsilon"),
        (lambda: EpsilonLimit(1.0, 1.1), OutOfRange, "delta"),
        (
            lambda: largest_budget(AttackLimit("advantage", 0.1), "approximate"),
            InvalidInput,
            "no confidence to choose one from",
        ),
        (
            lambda: largest_budget(AttackLimit("advantage", 0.1), "pure", delta=1e-6),
            InvalidInput,
            "Only approximate DP",
        ),
        (
            lambda: largest_budget(AttackLimit("advantage", 0.1), cast("Any", "zcdp")),
            InvalidInput,
            "one of",
        ),
    ],
)
def test_bad_questions(make, error, says):
    with pytest.raises(error, match=says):
        make()


def test_extremes():
    """A million releases, a delta of 1e-300, and limits next to nothing and to everything."""
    limit = InformedLimit("posterior", 0.8, prior=0.5, confidence=0.99)
    many = largest_budget(limit, "gaussian", releases=10**6).value.value
    assert many == pytest.approx(largest(limit, "gaussian") / 1000.0, rel=1e-10)
    for definition in ("pure", "approximate"):
        delta = 1e-300 if definition == "approximate" else None
        found = largest_budget(limit, definition, releases=10**6, delta=delta)
        assert 0.9 * many < found.value.value < 1.1 * many
        assert float(found.measured) <= 0.8
    tiny = InformedLimit("posterior", 0.5 + 1e-13, prior=0.5, confidence=0.99)
    assert largest(tiny, "pure") == pytest.approx(4e-13, rel=1e-2)
    near = AttackLimit("power", 1.0 - 1e-12, level=0.5)
    assert largest(near, "gaussian") == pytest.approx(float(inverse("0.999999999999")), rel=1e-3)


def test_an_epsilon_of_zero_leaves_a_delta():
    """Total variation at most delta: tanh(epsilon / 2) for pure DP."""
    found = largest(EpsilonLimit(0.0, 0.1), "pure")
    assert found == pytest.approx(2 * math.atanh(0.1), rel=1e-10)
    limit = EpsilonLimit(0.0, 0.0)
    assert largest_budget(limit, "pure").status == "infeasible"


def test_larger_limits_allow_more():
    limits = [0.11, 0.2, 0.5, 0.9, 0.99]
    for definition in ("pure", "gaussian"):
        found = [
            largest(InformedLimit("posterior", most, prior=0.1, confidence=0.9), definition)
            for most in limits
        ]
        assert found == sorted(found)
        by_count = [
            largest(AttackLimit("power", 0.3, level=0.1), definition, releases=k) for k in (1, 2, 9)
        ]
        assert by_count == sorted(by_count, reverse=True)


def test_plain_data_and_what_is_left_open():
    limit = InformedLimit("ratio", 3.0, prior=0.2, confidence=0.99)
    assert limit.to_dict() == {
        "metric": "ratio",
        "limit": 3.0,
        "prior": 0.2,
        "confidence": 0.99,
        "secret": "membership",
        "sides": "both",
    }
    text = " ".join(limit.unprotected())
    assert "covers a prior of 0.2 only" in text
    assert "probability of at most 0.01" in text
    assert "level 0.05 only" in AttackLimit("power", 0.2, level=0.05).unprotected()[0]


@pytest.mark.parametrize("prior", [0.01, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("mu", [0.1, 1.0, 3.0])
def test_a_bayes_risk_is_the_least_error_over_all_thresholds(prior, mu):
    """Of a normal pair, by minimizing over thresholds on the output."""
    x = np.linspace(-60.0, 60.0, 2_000_001)
    wrong = prior * ndtr(x - mu) + (1.0 - prior) * ndtr(-x)
    least = min(float(wrong.min()), prior, 1.0 - prior)
    found = BayesLimit(0.0, prior).measured(GaussianDP(mu, neighbors="add-remove"))
    assert 1.0 - float(found) == pytest.approx(least, abs=1e-9)
    assert float(found) >= 1.0 - least - 1e-15


def test_a_limit_on_a_bayes_risk_is_on_its_side():
    for risk in (0.1, 0.3, 0.4999999, 1.0 / 3.0):
        limit = BayesLimit(risk)
        assert Fraction(limit.most) <= 1 - Fraction(risk)
    silent = PureDP(0.0, neighbors="add-remove")
    assert float(BayesLimit(0.2, 0.3).measured(silent)) == pytest.approx(0.7, abs=1e-15)
    told = PureDP(math.inf, neighbors="add-remove")
    assert float(BayesLimit(0.2, 0.3).measured(told)) == 1.0
    with pytest.raises(OutOfRange):
        BayesLimit(0.2, 1.0)
    with pytest.raises(OutOfRange):
        BayesLimit(1.2)
