"""A release with a record and without it: what is composed, who is refused, what is written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dprisk import ApproxDP, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP, counterfactual
from dprisk.documents import assess_counterfactual
from dprisk.errors import InvalidInput, Meaningless, OutOfRange
from dprisk.mechanisms import Gaussian, Laplace
from dprisk.releases import Part, Release

R: Any = {"neighbors": "replace-one"}


def release(*parts, neighbors: Any = "replace-one", releases=1):
    """A release of these parts."""
    return Release(
        name="Counts",
        unit="person",
        period="once",
        neighbors=neighbors,
        neighbors_stated=True,
        model="central",
        parts=parts,
        releases=releases,
    )


def test_parts_are_composed_over_all_releases():
    made = assess_counterfactual(release(Part(ZeroConcentratedDP(0.1, **R), 3), releases=2))
    alone = counterfactual(ZeroConcentratedDP(0.6, **R), adversary="true-record")
    assert made.found[0].ratio(0.99).value == pytest.approx(alone.ratio(0.99).value, rel=1e-9)
    assert [each.adversary for each in made.found] == [
        "true-record",
        "rest-known",
        "arbitrary-prior",
    ]
    assert [name for name, _ in made.refused] == ["wrong-prior"]


def test_normal_noise_stays_in_closed_form():
    made = assess_counterfactual(release(Part.of(Gaussian(4.0, 1.0, **R), 4)))
    assert made.composed.guarantee == GaussianDP(0.5, **R)
    assert made.found[0].exceeding(2.0).bound == "exact"


def test_mechanisms_are_composed_by_their_losses():
    """Better than what they promise."""
    asked: dict = {"adversaries": ["true-record"], "confidences": [0.9]}
    own = assess_counterfactual(release(Part.of(Laplace(4.0, 1.0, **R), 4)), **asked)
    promised = assess_counterfactual(release(Part(PureDP(0.25, **R), 4)), **asked)
    assert own.found[0].ratio(0.9).value < promised.found[0].ratio(0.9).value
    assert own.found[0].ratio(0.9).bracket[0] is not None


def test_plain_data_is_json():
    made = assess_counterfactual(
        release(Part(ApproxDP(1.0, 0.05, **R))), ratios=[2.0], confidences=[0.9, 0.99]
    )
    data = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    assert data["adversaries"][0]["kept"][1]["at_most"] is None
    assert data["refused"][0]["adversary"] == "wrong-prior"


def test_refusals():
    whole = release(Part(ZeroConcentratedDP(0.1, **R)))
    with pytest.raises(Meaningless, match="Example"):
        assess_counterfactual(whole, adversaries=["wrong-prior"])
    with pytest.raises(Meaningless, match="one record fewer"):
        assess_counterfactual(whole, world="dropped")
    with pytest.raises(InvalidInput, match="at least one part"):
        assess_counterfactual(release())
    with pytest.raises(InvalidInput, match="one of 'true-record'"):
        assess_counterfactual(whole, adversaries=["nobody"])  # type: ignore[list-item]
    with pytest.raises(OutOfRange, match="confidence"):
        assess_counterfactual(whole, confidences=[2.0]).to_dict()
    add_remove: Any = {"neighbors": "add-remove"}
    with pytest.raises(Meaningless, match="delta-approximate"):
        assess_counterfactual(
            release(Part(ZeroConcentratedDP(0.1, delta=0.1, **add_remove)), **add_remove),
        )
    assert assess_counterfactual(release(Part(RenyiDP(4.0, 0.1, **add_remove)), **add_remove)).found
