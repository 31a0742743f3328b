"""A sheet of budgets: what a delta means for everybody in the data."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dprisk import ApproxDP
from dprisk.budget import EpsilonLimit, InformedLimit, Together, budgets
from dprisk.errors import OutOfRange


@pytest.mark.parametrize("people", [1, 99, 100_000, 10**9])
@pytest.mark.parametrize("releases", [1, 12])
@pytest.mark.parametrize("confidence", [0.5, 0.99])
def test_a_delta_is_chosen_for_the_people(people, releases, confidence):
    """At most a hundredth of a person is revealed on average, by all releases together."""
    limit = InformedLimit("posterior", 0.5, prior=0.1, confidence=confidence)
    sheet = budgets([limit], definitions=["approximate"], releases=releases, people=people)
    (found,) = sheet.promises
    delta = found.guarantee.parameters["delta"]
    most = min(Fraction(1, people), 1 - Fraction(str(confidence))) / 100
    assert delta * releases == pytest.approx(float(most), rel=1e-12)
    expected = sheet.delta_times_people(found)
    assert Fraction(expected) >= Fraction(delta) * releases * people
    assert expected == pytest.approx(delta * releases * people, rel=1e-12)
    assert expected <= 0.01 * (1 + 1e-12)
    (said,) = sheet.on_delta
    digits, _, exponent = f"{delta:g}".partition("e")
    shown = f"{digits}e{int(exponent)}" if exponent else digits
    assert f"for {people:,} people and δ = {shown}" in said
    assert found.limit.kept_by(found.whole.guarantee)
    assert sheet.to_dict()["budgets"][0]["delta_times_people"] == expected


@pytest.mark.parametrize(
    ("delta", "people", "times", "many"),
    [
        ("1e-5", 100_000, "1", True),
        ("1e-7", 100_000, "0.01", False),
        ("3e-7", 99_999, "0.03", True),
    ],
)
def test_a_delta_that_is_given_is_compared_with_the_people(delta, people, times, many):
    limit = InformedLimit("posterior", 0.5, prior=0.1, confidence=0.99)
    given = {"definitions": ["approximate"], "delta": float(delta)}
    said = budgets([limit], people=people, **given).on_delta
    assert said[0].startswith(f"δ × people is {times}, for {people:,} people and δ = {delta}")
    assert [one.startswith("That is not small.") for one in said[1:]] == [True] * many


def test_without_the_number_of_people_it_is_asked_for():
    limit = InformedLimit("posterior", 0.5, prior=0.1, confidence=0.99)
    sheet = budgets([limit])
    assert any("δ = 0.0001 is small enough" in said for said in sheet.on_delta)
    assert any("compare δ with one over that number" in said for said in sheet.on_delta)
    data = sheet.to_dict()
    assert data["people"] is None and data["on_delta"] == list(sheet.on_delta)
    assert budgets([limit], definitions=["pure", "gaussian"]).on_delta == ()
    with pytest.raises(OutOfRange, match="people"):
        budgets([limit], people=0)


def test_what_was_spent_before_counts_with_its_own_delta():
    before = Together(2, spent=((ApproxDP(0.5, 1e-4, neighbors="add-remove"), 1),))
    sheet = budgets(
        [EpsilonLimit(2.0, 1e-3)],
        definitions=["approximate"],
        delta=1e-6,
        people=1000,
        releases=before,
    )
    (found,) = sheet.promises
    exact = (2 * Fraction(1e-6) + Fraction(1e-4)) * 1000
    assert Fraction(sheet.delta_times_people(found)) >= exact
    assert sheet.delta_times_people(found) == pytest.approx(0.102, rel=1e-12)
    assert sheet.on_delta[1] == "Together with the δ of what was spent before, it is 0.102."
    assert sheet.on_delta[2].startswith("That is not small.")
