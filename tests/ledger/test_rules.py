"""What is fixed when an account is opened, and which rule it has then."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dprisk.budget import EpsilonLimit, InformedLimit
from dprisk.errors import Meaningless
from dprisk.ledger.accounts import RULE_NAMES, Account
from dprisk.ledger.rules import open_account, rule_of

ABOUT = {"population": "all", "unit": "person", "neighbors": "add-remove", "period": "2026"}
POSTERIOR = InformedLimit("posterior", 0.3, 0.1)


def account(rule, *limits, **more):
    return Account(name="town", rule=rule, limits=limits, **ABOUT, **more)


@pytest.mark.parametrize("rule", RULE_NAMES)
def test_a_rule_is_made_once_and_named(rule):
    found = open_account(account(rule, EpsilonLimit(1.0, delta=1e-6)))
    assert rule_of(found) is rule_of(found)
    assert rule_of(found).standing({}).rule == rule == rule_of(found).name
    assert (found.cap is None) is (rule == "fixed")
    assert open_account(found) == found


@pytest.mark.parametrize("rule", RULE_NAMES)
def test_a_confidence_is_fixed_unless_losses_are_bounded(rule):
    (limit,) = open_account(account(rule, POSTERIOR)).limits
    assert limit.confidence == (None if rule == "pure" else 0.99)
    (given,) = open_account(
        account(rule, InformedLimit("posterior", 0.3, 0.1, confidence=0.9))
    ).limits
    assert given.confidence == 0.9


def test_a_share_is_no_more_than_its_share():
    whole = open_account(account("concentrated", EpsilonLimit(1.0, delta=1e-6), delta="1e-7"))
    third = account("concentrated", within="town", share="1/3")
    found = open_account(third, whole)
    assert 0 <= Fraction(whole.cap) / 3 - Fraction(found.cap) < Fraction(1, 10**9)
    assert 0 <= Fraction(1, 3 * 10**7) - Fraction(found.delta) < Fraction(1, 10**15)
    strict = account("concentrated", EpsilonLimit(0.01, delta=1e-6), within="town", share="1/3")
    assert Fraction(open_account(strict, whole).cap) < Fraction(found.cap)


def test_there_is_no_share_of_what_has_no_cap():
    fixed = open_account(account("fixed", EpsilonLimit(1.0, delta=1e-6)))
    third = account("concentrated", within="town", share="1/3")
    for whole in (None, fixed, open_account(account("pure", POSTERIOR))):
        with pytest.raises(Meaningless, match="share"):
            open_account(third, whole)
