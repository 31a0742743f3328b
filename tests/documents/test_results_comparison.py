"""With a record and without it, in words: whose belief, which way, how surely."""

from __future__ import annotations

from typing import Any

import pytest

from dprisk import ApproxDP, PureDP
from dprisk.documents import assess_counterfactual
from dprisk.documents.results import comparisons
from dprisk.releases import Part, Release
from dprisk.text.rounding import chances

R: Any = {"neighbors": "replace-one"}


def sentences(guarantee, **asked):
    """Of a release with one promise."""
    release = Release(
        name="Counts",
        unit="person",
        period="once",
        neighbors="replace-one",
        neighbors_stated=True,
        model="central",
        parts=(Part(guarantee),),
    )
    return comparisons(assess_counterfactual(release, **asked)), assess_counterfactual(
        release, **asked
    )


def test_one_for_each_adversary_confidence_and_belief():
    said, made = sentences(PureDP(0.5, **R), confidences=[0.9, 0.99], without=[0.01, 0.1, 0.2])
    assert len(said) == 3 * 2 * 3 + 1 * 3  # a wrong prior knows certainty only
    assert len(set(said)) == len(said)
    bound = made.found[0].belief(0.1, 0.9).value
    assert "suggest a 10 in 100 chance that the record has the value it really has." in said[1]
    assert (
        f"can bring that chance to at most {chances(bound, upper=True)}, in at least 90" in said[1]
    )


@pytest.mark.parametrize(
    ("guarantee", "belief", "ends"),
    [
        (PureDP(0.1, **R), 0.125, "to at most 14 in 100, in at least 99 of 100 cases."),
        (
            PureDP(9.0, **R),
            0.5,
            "with the record, the chance is possibly over 99 in 100.",
        ),
        (
            ApproxDP(1.0, 0.1, **R),
            0.5,
            "with the record, the chance is possibly over 99 in 100.",
        ),
        (
            PureDP(0.0, **R),
            1e-9,
            "can bring that chance to under 1 in 100, in at least 99 of 100 cases.",
        ),
    ],
)
def test_rounding_and_certainty(guarantee, belief, ends):
    asked: dict = {"adversaries": ["true-record"], "confidences": [0.99], "without": [belief]}
    (said,), _ = sentences(guarantee, **asked)
    assert said.endswith(ends)
    assert ("a 12.5 in 100 chance" in said) == (belief == 0.125)
