"""Limits as plain data without floats: what is read back is what was written."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
)
from dprisk.errors import InvalidInput
from dprisk.ledger.accounts import limit_content, limit_of
from dprisk.ledger.entries import canonical

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
    ),
    '{"metric":"profile","profile":{"power":"0.2","level":"0.05"},"sides":"both"}': ProfileLimit(
        PowerLimit(0.2, level=0.05)
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
