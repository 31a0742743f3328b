"""What is planned is what an account lets through, with the same confidence, by default."""

from __future__ import annotations

import json
from dataclasses import replace
from math import exp

import pytest

from dprisk import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from dprisk.budget import AttackLimit, EpsilonLimit, InformedLimit
from dprisk.composition import compose
from dprisk.errors import LimitRefused, Meaningless
from dprisk.guarantees.base import Neighbors
from dprisk.ledger import Account, Ledger, plan_by_rule
from dprisk.mechanisms import DiscreteGaussian, Gaussian, Laplace, SubsampledGaussian
from dprisk.releases import Part, Release
from tests.cli.running import ADD_REMOVE, run

ADD: Neighbors = "add-remove"
LIMITS = {
    "posterior": (InformedLimit("posterior", 0.8, prior=0.5),),
    "sure": (InformedLimit("posterior", 0.5, prior=0.1, confidence=0.95),),
    "odds": (InformedLimit("odds", 3.0),),
    "power": (AttackLimit("power", 0.3, level=0.05),),
    "epsilon": (EpsilonLimit(1.0, delta=1e-6),),
    "both": (InformedLimit("difference", 0.2), AttackLimit("advantage", 0.3)),
}
PROMISES = {
    "pure": PureDP(0.031, neighbors=ADD),
    "rho": ZeroConcentratedDP(0.0007, neighbors=ADD),
    "mu": GaussianDP(0.04, neighbors=ADD),
    "laplace": Laplace(25.0, 1.0, neighbors=ADD),
    "gaussian": Gaussian(30.0, 1.0, neighbors=ADD),
    "discrete": DiscreteGaussian(30, 1, neighbors=ADD),
}


def account(limits, name="town", **more):
    return Account(name, "residents", "person", ADD, "2026", limits=limits, **more)


@pytest.mark.parametrize("limits", LIMITS)
def test_plan_and_ledger_agree(tmp_path, limits):
    """In number and confidence, for every promise, with nothing said of a rule."""
    with Ledger.create(tmp_path / "a", origin="Office", by="ann") as ledger:
        for name, promise in PROMISES.items():
            made = plan_by_rule(LIMITS[limits], promise)
            number = made.best.number
            assert number > 1
            opened = ledger.account(account(LIMITS[limits], name=name), by="ann", apart=True)
            assert opened.limits == made.limits
            part = Part(promise) if name in ("pure", "rho", "mu") else Part.of(promise)
            ledger.charge(part, name, by="ann")
            assert ledger.status(name).left == number - 1
            ledger.charge(replace(part, count=number - 1), name, by="ann")
            with pytest.raises(LimitRefused):
                ledger.charge(part, name, by="ann")


@pytest.mark.parametrize(
    "promise",
    [("--epsilon", "0.11"), ("--rho", "0.01"), ("--mu", "0.1"),
     ("--mechanism", "laplace", "scale=9", "sensitivity=1")],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("limit", [("posterior=0.8", "--prior", "0.5"), ("odds=4",)], ids=str)
def test_the_commands_agree(tmp_path, promise, limit):
    place = str(tmp_path / "a")
    planned = run("plan", *promise, *ADD_REMOVE, "--limit", *limit, "--json").data
    run("ledger", "init", place, "--origin", "Office", "--by", "ann")
    said = ("--population", "residents", "--period", "2026", "--limit", *limit, "--by", "ann")
    opened = json.loads(run("ledger", "account", place, "town", *said, "--json").out)
    assert opened["rule"] == planned["rules"][planned["best"]]["rule"] == "concentrated"
    sure = opened["limits"][0]["confidence"]
    assert float(sure) == planned["limits"][0]["confidence"] == 0.99
    assert run("ledger", "charge", place, *promise, *ADD_REMOVE, "-a", "town").code == 0
    status = json.loads(run("ledger", "status", place, "town", "--json").out)
    assert status["standing"]["left"] == planned["number"] - 1


def test_what_was_released_before_is_counted():
    limits, one = LIMITS["posterior"], PureDP(0.1, neighbors=ADD)
    number = plan_by_rule(limits, one).best.number
    after = plan_by_rule(limits, one, done=3)
    assert after.best.number == number - 3 and after.done == 3
    release = Release.of(ZeroConcentratedDP(0.01, neighbors=ADD))
    assert plan_by_rule(limits, one, spent=[release]).best.number == number - 2
    spent = plan_by_rule(limits, one, spent=[PureDP(9.0, neighbors=ADD)])
    assert (spent.status, spent.best.number) == ("infeasible", 0)


def test_a_rule_that_adaptivity_invalidates_is_asked_for_by_name():
    limits, one = LIMITS["posterior"], PureDP(0.11, neighbors=ADD)
    assert account(limits).rule == "concentrated" and account(limits).is_filter
    by_rule = {rule: plan_by_rule(limits, one, rule=rule) for rule in ("pure", "fixed")}
    assert by_rule["pure"].best.number == 12  # log(4) / 0.11
    assert [found.rule for found in plan_by_rule(limits, one).fittings] == ["concentrated", "pure"]
    assert by_rule["fixed"].rule == "" and by_rule["pure"].limits[0].confidence is None


def test_what_the_rule_cannot_count():
    limits = LIMITS["epsilon"]
    step = SubsampledGaussian(1.0, 1.0, 0.01, neighbors=ADD)
    with pytest.raises(Meaningless, match=r"renyi, or an account whose releases were all fixed"):
        plan_by_rule(limits, step)
    assert plan_by_rule(limits, step, rule="renyi").best.number > 0
    pair = ApproxDP(0.05, 1e-8, neighbors=ADD)
    with pytest.raises(Meaningless, match="--delta-budget"):
        plan_by_rule(limits, pair)
    assert plan_by_rule(limits, pair, delta="2e-8").best.number == 2


@pytest.mark.parametrize("done", [0, 3])
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_what_is_reached_is_what_so_many_releases_reach(epsilon, done):
    """Of sums of epsilon: at a chance of 0.1, after n more, 0.1 e^x / (0.9 + 0.1 e^x)."""
    limit = InformedLimit("posterior", 0.6, prior=0.1)
    made = plan_by_rule([limit], PureDP(epsilon, neighbors=ADD), rule="pure", done=done).best
    after = [0.1 * exp(n * epsilon) / (0.9 + 0.1 * exp(n * epsilon)) for n in range(100)]
    most = max(n for n, reached in enumerate(after) if reached <= 0.6 or n == done)
    assert made.number == most - done
    assert float(made.measured) == pytest.approx(after[most], rel=1e-12)
    assert float(made.one_more) == pytest.approx(after[most + 1], rel=1e-12)


@pytest.mark.parametrize("rule", ["pure", "concentrated", "approximate", "gaussian"])
@pytest.mark.parametrize("done", [0, 1, 8, 500])
def test_no_plan_says_less_than_what_was_released(rule, done):
    """Also if that is beyond the limit already; as by a schedule that was fixed in advance."""
    limit = InformedLimit("posterior", 0.6, prior=0.1, confidence=0.99)
    each = GaussianDP(0.2, neighbors=ADD) if rule == "gaussian" else PureDP(0.2, neighbors=ADD)
    made = plan_by_rule([limit], each, rule=rule, done=done).best
    truth = limit.measured(compose([each], [max(done + made.number, 1)]).guarantee)
    lower = truth.bracket[0] or 0.0
    if done + made.number:
        assert float(made.measured) >= float(lower)


def test_another_rule_has_the_same_budget_of_deltas():
    limit = InformedLimit("posterior", 0.5, prior=0.2)
    each = ApproxDP(0.1, 1e-7, neighbors=ADD)
    beside = plan_by_rule([limit], each, rule="approximate", delta="1e-5").fittings
    alone = plan_by_rule([limit], each, rule="concentrated", delta="1e-5").best
    numbers = {found.rule: found.number for found in beside}
    assert numbers["concentrated"] == alone.number == 17 > numbers["approximate"]


def test_a_delta_that_was_spent_before_needs_a_budget():
    limit = InformedLimit("posterior", 0.5, prior=0.2)
    with pytest.raises(Meaningless, match="budget, which is not given"):
        plan_by_rule(
            [limit], PureDP(0.1, neighbors=ADD), spent=[ApproxDP(0.1, 1e-7, neighbors=ADD)]
        )


def test_what_no_guarantee_allows_is_said_to_be_beyond():
    """By the rule that is asked for; another one beside it is left out."""
    limit = InformedLimit("posterior", 0.5, prior=0.2)
    with pytest.raises(Meaningless, match="more than the rule concentrated can add up"):
        plan_by_rule([limit], PureDP(9999.0, neighbors=ADD), done=10**9)
    far = plan_by_rule([limit], GaussianDP(100.0, neighbors=ADD), rule="gaussian", done=10**9)
    assert [(each.rule, each.number) for each in far.fittings] == [("gaussian", 0)]
