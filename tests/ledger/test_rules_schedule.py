"""Schedules fixed in advance: certified losses, never let through on anything less."""

from __future__ import annotations

from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dprisk import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from dprisk.budget import AttackLimit, EpsilonLimit, InformedLimit
from dprisk.composition import compose
from dprisk.ledger import rules
from dprisk.ledger.accounts import Account
from dprisk.ledger.rules import Schedule, open_account, rule_of
from dprisk.mechanisms import DiscreteGaussian, Gaussian, Laplace, SubsampledGaussian
from dprisk.releases import Part

N: Any = {"neighbors": "add-remove"}
EPSILON = EpsilonLimit(1.0, delta=1e-6)


def account(*limits, **more):
    about = {"population": "all", "unit": "person", "period": "2026", "rule": "fixed", **N, **more}
    return open_account(Account(name="town", limits=limits or (EPSILON,), **about))


def fresh(*limits):
    """A rule that remembers nothing yet."""
    return Schedule(account(*limits))


def from_scratch(counts):
    known = [
        (part.mechanism.loss() if part.mechanism else part.guarantee, counts[part])
        for part in counts
    ]
    return compose(*zip(*known, strict=True)).guarantee


CHOICES = [
    Part.of(Laplace(20.0, 1.0, **N)),
    Part.of(Gaussian(20.0, 1.0, **N)),
    Part.of(DiscreteGaussian(20.0, 1, **N)),
    Part(ApproxDP(0.05, 1e-9, **N)),
    Part(PureDP(0.04, **N)),
]
several = st.dictionaries(st.sampled_from(CHOICES), st.integers(1, 200), min_size=1, max_size=3)


@settings(max_examples=12)
@given(several, several)
def test_what_is_let_through_keeps_the_limits_composed_from_scratch(spent, more):
    limits = (EPSILON, InformedLimit("posterior", 0.4, 0.1), AttackLimit("power", 0.3, level=0.05))
    rule = rule_of(account(*limits))  # the same one every time: with all that it remembers
    total = {part: spent.get(part, 0) + more.get(part, 0) for part in {**spent, **more}}
    whole = from_scratch(total)
    kept = [limit.kept_by(whole) for limit in rule.account.limits]
    decision = rule.decide(spent, more)
    assert decision.kept is all(kept)
    assert decision.kept is (decision.fits >= decision.asked)
    for reading in decision.readings:
        assert reading.after is None or float(reading.after) == pytest.approx(
            float(reading.limit.measured(whole)), rel=1e-9
        )


def test_standing_is_what_composing_from_scratch_gives():
    spent = {CHOICES[0]: 30, CHOICES[2]: 10, CHOICES[3]: 5}
    standing = fresh().standing(spent)
    assert float(standing.readings[0].now) == float(EPSILON.measured(from_scratch(spent)))
    assert standing.readings[0].scope == "schedule"
    assert (standing.share, standing.left) == (None, None)


def test_nothing_released_reveals_nothing():
    standing = fresh(EPSILON, AttackLimit("power", 0.2, level=0.05)).standing({})
    assert [float(reading.now) for reading in standing.readings] == [0.0, 0.05]


def test_how_many_gaussians_fit():
    """By the closed form: at least so many, and no more than there are."""
    noise = Part.of(Gaussian(50.0, 1.0, **N))
    with mpmath.workdps(30):

        def delta(count):
            mu = mpmath.sqrt(count) / 50
            return mpmath.ncdf(mu / 2 - 1 / mu) - mpmath.e * mpmath.ncdf(-mu / 2 - 1 / mu)

        most = max(n for n in range(1, 400) if delta(n) <= mpmath.mpf("1e-6"))
    assert fresh().standing({}, {noise: 1}).left in range(most * 15 // 16 - 1, most + 1)
    assert fresh().decide({}, {noise: most}).kept
    refused = fresh().decide({}, {noise: most + 1})
    assert not refused.kept and refused.fits in range(most * 15 // 16 - 1, most + 1)
    assert float(refused.readings[0].after) > 1.0


def test_sums_of_epsilon_with_certainty_are_exact():
    sure = fresh(EpsilonLimit(1.001, delta=0.0))
    one, tiny = (
        Part(PureDP(float(text), **N), given={"epsilon": text}) for text in ("1.0", "1e-9")
    )
    assert sure.decide({one: 1, tiny: 10**6 - 1}, {tiny: 1}).kept
    assert not sure.decide({one: 1, tiny: 10**6}, {tiny: 1}).kept
    assert sure.standing({one: 1}, {tiny: 1}).left >= 900_000


def test_a_cheap_bound_lets_through_and_never_refuses(monkeypatch):
    composed = []
    monkeypatch.setattr(rules, "compose", lambda *a: composed.append(a) or compose(*a))
    rule, weak = fresh(), Part(ZeroConcentratedDP(0.0001, **N))
    decision = rule.decide({}, {weak: 3})
    assert decision.kept and not composed
    assert decision.readings[0].after is None
    pure = Part(PureDP(0.99, **N))  # its rho alone would not keep the limit
    assert rule.decide({}, {pure: 1}).kept
    assert not rule.decide({pure: 1}, {pure: 1}).kept and composed


def test_what_comes_next_needs_no_sum_where_there_is_room(monkeypatch):
    rule, noise = fresh(), Part.of(Gaussian(100.0, 1.0, **N))
    assert not rule._is_small({noise: 496})
    assert rule.decide({noise: 495}, {noise: 1}).kept
    ((base, spare),) = rule._covers
    assert base == {noise: 496} and spare["rho"] > 0
    beside = ZeroConcentratedDP(float(spare["rho"]), **N)
    assert EPSILON.kept_by(compose([noise.mechanism.loss(), beside], [496, 1]).guarantee)
    monkeypatch.setattr(rules, "compose", None)
    other = Part(ZeroConcentratedDP(float(spare["rho"]) / 2.1, **N))
    assert rule.decide({noise: 496}, {noise: 1}).kept
    assert rule.decide({noise: 496}, {other: 2}).kept
    assert not rule._is_covered({noise: 496, other: 3})


def test_both_neighbors():
    about = {"neighbors": "replace-one"}
    rule = Schedule(account(EPSILON, **about))
    mu = Part(GaussianDP(0.2, **about))
    assert rule.decide({}, {mu: 1}).kept
    assert float(rule.standing({mu: 1}).readings[0].now) == pytest.approx(
        float(GaussianDP(0.2, **about).epsilon(1e-6))
    )


TRAINED = [
    Part.of(SubsampledGaussian(2.0 + step / 4, 1.0, 0.01 - step / 1000, **N)) for step in range(6)
]


def test_many_kinds_of_subsampled_noise_are_bounded_not_composed():
    some = TRAINED[:4]
    spent = dict.fromkeys(some, 40)
    made = [rules._composed(spent, account(), kinds=kinds).guarantee for kinds in (0, 2, 4)]
    epsilons = [float(EPSILON.measured(each)) for each in made]
    assert epsilons[0] >= epsilons[1] >= epsilons[2] > epsilons[0] / 2.0
    assert epsilons[2] == pytest.approx(float(EPSILON.measured(from_scratch(spent))))
    composed, bounded = rules._set_apart(spent, 2)
    assert set(composed) == set(some[:2]) and len(bounded) == 2  # the costliest stay
    assert rules._set_apart(spent, 4) == (spent, {})


def test_where_an_account_with_many_kinds_stands_says_how_many_are_bounded():
    others = dict.fromkeys(CHOICES[:2], 2)
    standing = fresh().standing({**dict.fromkeys(TRAINED, 10), **others}, {CHOICES[0]: 1})
    assert standing.bounded == len(TRAINED) - rules.KINDS and standing.left > 0
    assert fresh().standing(others).bounded == 0
