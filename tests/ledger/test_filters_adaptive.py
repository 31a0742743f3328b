"""Parameters chosen after seeing outputs: what breaks composed schedules, and breaks no filter."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from dprisk import ZeroConcentratedDP
from dprisk.budget import EpsilonLimit
from dprisk.ledger.accounts import Account
from dprisk.ledger.rules import open_account, rule_of
from tests.ledger.adversary import ADDED, leaky, response, revealed, transcripts

EPSILON, DELTA = 2.08, 0.0988
OPENING = Fraction(5, 4)
BELOW, ABOVE = (Fraction(math.exp(EPSILON)) * (1 + sign * Fraction(1, 10**12)) for sign in (-1, 1))
FILTERS = ["pure", "approximate", "concentrated", "gaussian", "renyi"]


def account(rule, limit=(EPSILON, DELTA), **more):
    limits = (EpsilonLimit(*limit),)
    about = {"population": "all", "unit": "person", "neighbors": ADDED, "period": "2026"}
    return open_account(Account(name="town", rule=rule, limits=limits, **about, **more))


def after_luck(seen):
    """A weak release; then one strong one if it came out one way, four middling ones otherwise."""
    then = [8] if seen[:1] == (0,) else [2, 2, 2, 2]
    wanted = [OPENING, *then]
    return response(wanted[len(seen)]) if len(seen) < len(wanted) else None


def fixed(odds):
    """The same whatever comes out."""
    return lambda seen: response(odds[len(seen)]) if len(seen) < len(odds) else None


class Anything:
    """A rule that lets everything through."""

    def decide(self, spent, more):
        return type("Kept", (), {"kept": True})


def test_each_schedule_alone_is_within_the_limit():
    for odds in ([OPENING, 8], [OPENING, 2, 2, 2, 2]):
        assert revealed(transcripts(Anything(), fixed(odds)), Fraction(8)) == Fraction(8, 81)


def test_choosing_between_them_is_not():
    """Proposition 25: a third more than either schedule."""
    assert revealed(transcripts(Anything(), after_luck), Fraction(8)) == Fraction(32, 243)


def test_composing_what_happened_lets_the_adversary_through():
    pairs = transcripts(rule_of(account("fixed")), after_luck)
    assert revealed(pairs, ABOVE) > 1.3 * Fraction(DELTA)


@pytest.mark.parametrize("rule", FILTERS)
def test_no_filter_does(rule):
    more = {"delta": "0.01"} if rule in ("approximate", "concentrated") else {}
    pairs = transcripts(rule_of(account(rule, **more)), after_luck)
    assert len(pairs) > 1
    assert revealed(pairs, BELOW) <= Fraction(DELTA)


def at_random(seed, leaks):
    """A strategy of up to seven releases, each by what came out before."""

    def next_one(seen):
        if len(seen) == 7:
            return None
        chosen = random.Random(f"{seed} {seen}")
        odds = Fraction(chosen.choice([9, 10, 12, 15, 20, 30, 60, 100]), 8)
        if leaks and chosen.random() < 0.3:
            return leaky(odds, Fraction(chosen.choice([1, 5, 20]), 2000))
        return response(odds)

    return next_one


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rule", FILTERS)
def test_adversaries_at_random_break_no_filter(rule, seed):
    epsilon, delta = [(0.5, 0.2), (1.0, 0.1), (2.0, 0.02), (3.0, 0.001)][seed]
    leaks = rule in ("approximate", "concentrated")
    more = {"delta": str(delta / 3)} if leaks else {}
    pairs = transcripts(rule_of(account(rule, (epsilon, delta), **more)), at_random(seed, leaks))
    assert len(pairs) > 1
    assert revealed(pairs, Fraction(math.exp(epsilon)) * (1 - Fraction(1, 10**12))) <= Fraction(
        delta
    )


@pytest.mark.parametrize("seed", range(20))
def test_sums_of_epsilon_bound_what_was_seen(seed):
    """Of every transcript by itself: what pure DP says of a path is right."""
    rule = rule_of(account("pure"))

    def spent_on(seen):
        strategy, spent = at_random(seed, False), {}
        for length, output in enumerate(seen):
            if output is not None:
                part, _ = strategy(seen[:length])
                spent[part] = spent.get(part, 0) + 1
        return rule.standing(spent)

    def paths(seen=(), ratio=Fraction(1), spent=None):
        spent = {} if spent is None else spent
        wanted = at_random(seed, False)(seen)
        if wanted is None or len(seen) == 4:
            yield seen, ratio
            return
        part, outputs = wanted
        if not rule.decide(spent, {part: 1}).kept:
            yield from paths((*seen, None), ratio, spent)
            return
        then = {**spent, part: spent.get(part, 0) + 1}
        for i, (p, q) in enumerate(outputs):
            yield from paths((*seen, i), ratio * p / q, then)

    for seen, ratio in paths():
        total = spent_on(seen).amounts[0].spent
        assert max(ratio, 1 / ratio) <= Fraction(math.exp(total)) * (1 + Fraction(1, 10**12))


def test_a_running_total_of_rho_is_no_promise():
    """Stopped when it looks worst, the loss is beyond its bound more often than one says.

    Odds of 3 : 2 again and again; after each, zCDP of the total bounds the loss with 80 %.
    """
    failure, truth, step = 0.2, Fraction(3, 5), math.log(1.5)
    alive, beyond = {0: Fraction(1)}, Fraction(0)
    for count in range(1, 121):
        total = ZeroConcentratedDP(count * step * step / 2.0, neighbors=ADDED)
        bound = float(total.loss_bound(failure, sides="one"))
        then = {}
        for ahead, chance in alive.items():
            for way, share in ((1, truth), (-1, 1 - truth)):
                then[ahead + way] = then.get(ahead + way, Fraction(0)) + chance * share
        stopped = [ahead for ahead in then if ahead * step > bound * (1.0 + 1e-9)]
        beyond += sum(then.pop(ahead) for ahead in stopped)
        alive = then
    assert beyond > Fraction(21, 100) > failure
