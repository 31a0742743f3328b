"""Limits as plain data without floats: what is read back is what was written."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dprisk import PureDP, ZeroConcentratedDP
from dprisk.budget import (
    AllOf,
    AnyOf,
    AttackLimit,
    CounterfactualLimit,
    DifferenceLimit,
    EpsilonLimit,
    InformedLimit,
    OddsLimit,
    PosteriorLimit,
    PowerLimit,
    ProfileLimit,
    RatioFunction,
    RatioLimit,
    RatioTable,
    ratio_or_posterior,
)
from dprisk.errors import InvalidInput
from dprisk.ledger.accounts import Account, limit_content, limit_of
from dprisk.ledger.entries import canonical
from dprisk.ledger.rules import open_account
from dprisk.risk import joint_disclosure

PROFILES = [
    RatioLimit(3.0, value_prior=1.0),
    AnyOf([PosteriorLimit(0.25, value_prior=1.0), RatioLimit(0.1 + 0.2 + 2.0, value_prior=1.0)]),
    AllOf([DifferenceLimit(0.2, membership_prior=(0.0, 0.1)), OddsLimit(math.inf)]),
    PowerLimit(0.2, level=0.05),
    CounterfactualLimit(2.0),
]
LIMITS = [
    EpsilonLimit(0.1 + 0.2, delta=1e-300),
    EpsilonLimit(math.inf, delta=0.0),
    InformedLimit("posterior", 0.5, 0.1),
    InformedLimit("odds", 3.0, confidence=0.95, sides="one"),
    InformedLimit("ratio_not", 2.0, 1 / 3, secret="attribute"),
    AttackLimit("power", 0.2, level=0.05),
    AttackLimit("advantage", 0.1, secret="membership"),
    AttackLimit("predictive_value", 0.5, level=0.01, prior=0.1),
    *(ProfileLimit(profile, confidence=0.99) for profile in PROFILES),
    ProfileLimit(PROFILES[0], sides="one"),
]


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: type(limit).__name__)
def test_there_and_back(limit):
    text = canonical(limit_content(limit))
    assert limit_of(json.loads(text)) == limit
    assert canonical(limit_content(limit_of(json.loads(text)))) == text


FROZEN = {  # what ledgers hold since the format was fixed
    '{"delta":"1e-06","limit":"1.0","metric":"epsilon"}': EpsilonLimit(1.0, delta=1e-6),
    '{"confidence":"0.99","limit":"0.2","metric":"difference","prior":"0.3",'
    '"secret":"membership","sides":"one"}': InformedLimit(
        "difference", 0.2, 0.3, 0.99, sides="one"
    ),
    '{"level":"0.05","limit":"0.5","metric":"predictive_value","prior":"0.1"}': AttackLimit(
        "predictive_value", 0.5, level=0.05, prior=0.1
    ),
    '{"confidence":"0.9","metric":"profile","profile":{"all_of":[{"any_of":[{"ratio":"5.0"},'
    '{"posterior":"0.2"}]},{"difference":"0.3","value_prior":"1.0"}]},'
    '"sides":"both"}': ProfileLimit(
        AllOf(
            [
                AnyOf([RatioLimit(5.0), PosteriorLimit(0.2)]),
                DifferenceLimit(0.3, value_prior=1.0),
            ]
        ),
        confidence=0.9,
        sides="both",
    ),
    '{"metric":"profile","profile":{"power":"0.2","level":"0.05"},"sides":"both"}': ProfileLimit(
        PowerLimit(0.2, level=0.05), sides="both"
    ),
}


@pytest.mark.parametrize("text", FROZEN)
def test_the_stored_form_never_changes(text):
    assert limit_of(json.loads(text)) == FROZEN[text]
    assert limit_content(FROZEN[text]) == json.loads(text)


@given(st.floats(0, 1e300), st.floats(0, 1))
def test_every_float_comes_back(epsilon, delta):
    assert limit_of(limit_content(EpsilonLimit(epsilon, delta=delta))) == EpsilonLimit(
        epsilon, delta=delta
    )


def test_a_function_of_python_is_refused():
    with pytest.raises(InvalidInput):
        limit_content(ProfileLimit(RatioFunction(lambda p, q: 3.0 + 0.0 * p * q)))


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"metric": "luck", "limit": "1.0"},
        {"metric": "posterior", "limit": "0.5", "prior": "0.1", "delta": "0.1"},
        {"metric": "power", "limit": "2.0", "level": "0.05"},
        {"metric": "epsilon", "limit": "one", "delta": "0.0"},
    ],
)
def test_anything_else_is_refused(content):
    with pytest.raises(InvalidInput):
        limit_of(content)


@pytest.mark.parametrize("limits", [(PowerLimit(0.5, level=0.05),), (None,), None, "epsilon"])
def test_an_account_has_limits_that_a_ledger_can_keep(limits):
    with pytest.raises(InvalidInput, match="must be a limit on one of: epsilon"):
        Account("town", "all", "person", "add-remove", "2026", "concentrated", limits)


AGENCY = ratio_or_posterior(3.0, 0.15, membership_prior=0.05)


def test_a_cap_found_when_less_was_known_stays():
    """Limits that allow more today do not raise the cap of an account that is open."""
    limit = ProfileLimit(AGENCY, 0.99, "both")
    town = Account("town", "all", "person", "add-remove", "2026", "concentrated", (limit,))
    assert float(open_account(town).cap) > 0.067
    assert open_account(replace(town, cap="0.0559874878")).cap == "0.0559874878"


def test_replacements_and_a_profile_about_the_value():
    """The room is that of the same limit on an attribute."""
    profile = PosteriorLimit(0.3, membership_prior=1.0, value_prior=0.1)
    informed = InformedLimit("posterior", 0.3, 0.1, 0.99, "attribute", "one")
    caps = {
        open_account(
            Account("town", "all", "person", "replace-one", "2026", "concentrated", (limit,))
        ).cap
        for limit in (ProfileLimit(profile, 0.99), informed)
    }
    assert len(caps) == 1


@pytest.mark.parametrize(
    "profile",
    [
        RatioLimit(3.0, membership_prior=1.0),
        PosteriorLimit(0.3, membership_prior=1.0, value_prior=0.1),
        DifferenceLimit(0.2, membership_prior=1.0),
        OddsLimit(4.0, membership_prior=1.0),
        ratio_or_posterior(3.0, 0.25, membership_prior=1.0),
        AllOf([RatioLimit(3.0, 1.0), PosteriorLimit(0.5, 1.0, (0.0, 0.3))]),
        RatioTable([(1.0, 0.1, 9.0), (1.0, 0.5, 1.5)]),
    ],
    ids=lambda profile: type(profile).__name__,
)
@pytest.mark.parametrize("rule", ["pure", "concentrated"])
def test_replacements_keep_every_form_of_profile_at_the_membership_prior_1(profile, rule):
    """P3, Corollary 2: at the cap, the belief in any value stays within the profile."""
    limit = ProfileLimit(profile, None if rule == "pure" else 0.99)
    town = Account("town", "all", "person", "replace-one", "2026", rule, (limit,))
    cap = float(open_account(town).cap)
    kind: Any = PureDP if rule == "pure" else ZeroConcentratedDP
    for more, kept in ((1.0, True), (1.05, False)):
        ratios = [
            joint_disclosure(
                kind(cap * more, neighbors="replace-one"), q, confidence=limit.confidence
            ).ratio(1.0)
            for q in VALUES
        ]
        within = [
            float(found.upper) <= profile.ratio(1.0, q)
            for found, q in zip(ratios, VALUES, strict=True)
        ]
        assert all(within) is kept


VALUES = [1e-9, *(n / 240 for n in range(1, 241))]  # so close that 5 % more is seen
