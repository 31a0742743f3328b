"""What a certificate says of a release; a program that shares no code checks it elsewhere."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from dprisk import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from dprisk.composition.certificates import certificate
from dprisk.documents import compose_release
from dprisk.errors import Meaningless
from dprisk.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    RandomizedResponse,
    SubsampledGaussian,
)
from dprisk.releases import Part, Release

WHO: Any = {"neighbors": "add-remove"}


def many(what, count):
    """A part that is used so often."""
    return Part(what, count) if hasattr(what, "definition") else Part.of(what, count)


def test_parts_are_exact_decimals():
    made = certificate(many(Laplace(0.1, 1.0, **WHO), 3))
    assert made == {
        "certificate": 1,
        "neighbors": "add-remove",
        "parts": [
            {
                "kind": "laplace",
                "scale": "0.1000000000000000055511151231257827021181583404541015625",
                "sensitivity": "1",
                "count": 3,
            }
        ],
        "theorem": "dprisk Proposition 33",
        "claims": [],
    }


def test_a_promised_delta_is_the_decimal_that_was_written():
    (part,) = certificate(many(ApproxDP(0.5, 1e-6, **WHO), 2))["parts"]
    assert Decimal(part["delta"]) == Decimal("1e-6") and part["epsilon"] == "0.5"


@pytest.mark.parametrize(
    ("what", "kind"),
    [
        (PureDP(1.0, **WHO), "pure"),
        (GaussianDP(1.0, **WHO), "gaussian-dp"),
        (Gaussian(1.0, 1.0, **WHO), "gaussian"),
        (Geometric(1.0, 2, **WHO), "geometric"),
        (RandomizedResponse(1.0, 3, **WHO), "randomized-response"),
    ],
)
def test_kinds(what, kind):
    (part,) = certificate(many(what, 5))["parts"]
    assert part["kind"] == kind and part["count"] == 5


def test_rules_about_promises_describe_the_promise():
    noise = many(Laplace(4.0, 1.0, **WHO), 3)
    for rule, theorem in (("optimal", "dprisk Proposition 33"), ("simple", "P0 Theorem 2.8(1)")):
        made = certificate(noise, rule)
        assert made["parts"] == [{"kind": "pure", "epsilon": "0.25", "count": 3}]
        assert made["theorem"] == theorem


def test_equal_parts_stand_once():
    release = Release.of(PureDP(0.5, **WHO), name="twice")
    twice = Release(**{**vars(release), "parts": release.parts * 2})
    assert certificate(twice)["parts"] == [{"kind": "pure", "epsilon": "0.5", "count": 2}]


@pytest.mark.parametrize(
    ("what", "count", "rule", "word"),
    [
        (ZeroConcentratedDP(0.1, xi=0.1, **WHO), 1, "best", "a ξ"),
        (SubsampledGaussian(1.0, 1.0, 0.1, **WHO), 4, "best", "subsampled-gaussian"),
        (DiscreteGaussian(1.0, 1, **WHO), 4, "best", "discrete-gaussian"),
        (PureDP(0.0, **WHO), 1, "best", "reveals nothing"),
        (PureDP(0.1, **WHO), 2001, "best", "many terms"),
        (Geometric(1.0, 500, **WHO), 9, "best", "many terms"),
        (Laplace(1.0, 1.0, **WHO), 150, "best", "many terms"),
        (RandomizedResponse(1.0, 1000, **WHO), 400, "best", "many terms"),
        (PureDP(20000.0, **WHO), 1, "best", "so large"),
        (PureDP(0.1, **WHO), 4, "advanced", "advanced"),
    ],
)
def test_what_has_none_says_so(what, count, rule, word):
    with pytest.raises(Meaningless, match=word):
        certificate(many(what, count), rule)


def test_of_other_questions_there_is_none():
    made = compose_release(PureDP(1.0, **WHO), level=[0.1])
    with pytest.raises(Meaningless, match="power of a test"):
        made.certificate()


def test_ends_are_no_nearer_than_what_is_printed_or_computed():
    made = compose_release(many(PureDP(0.1, **WHO), 40), delta=[1e-6], epsilon=[0.0, 1.0])
    for claim, reading in zip(made.certificate()["claims"], made.readings, strict=True):
        for end in (reading.lower, Decimal(reading.lower), Decimal(repr(reading.lower))):
            assert Decimal(claim["lower"]) <= end
        for end in (reading.upper, Decimal(reading.upper), Decimal(repr(reading.upper))):
            assert Decimal(claim["upper"]) >= end
        assert Decimal(claim["upper"]) - Decimal(claim["lower"]) < Decimal("1e-8")


def test_an_exact_answer_gets_a_lower_end():
    made = compose_release(GaussianDP(1.0, **WHO), delta=[1e-6, 0.0], epsilon=[1.0, 60.0])
    finite, endless, exact, faint = made.certificate()["claims"]
    assert 0 < Decimal(finite["upper"]) - Decimal(finite["lower"]) < Decimal("1e-8")
    assert endless["lower"] == endless["upper"] == "inf"
    assert Decimal(exact["lower"]) < Decimal(exact["upper"])
    assert faint["lower"] == "0"
