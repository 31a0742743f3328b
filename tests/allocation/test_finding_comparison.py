"""Scenarios beside their prints."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dprisk.allocation import census2020, read_allocation, scenarios
from dprisk.errors import Meaningless
from dprisk.progress import progress
from tests.allocation.tables import DESCRIPTION, town


@pytest.fixture(scope="module")
def compared():
    return {one.scenario.name: one for one in scenarios(census2020())}


def test_verdicts(compared):
    assert list(compared) == list("ABCDEFGH")
    for name, one in compared.items():
        verdict = "matches" if name in "AB" else "explained"
        assert set(one.verdicts.values()) == {verdict}
        assert len(one.verdicts) == (1 if name in "GH" else 4)


def test_the_explanation_gives_every_query_at_the_us_level_the_same(compared):
    """30 queries on race, 5 of them at the US level with 2.56 x 104/4099 x 52/4097 each."""
    one = compared["C"]
    each = Fraction(256, 100) * Fraction(104, 4099) * Fraction(52, 4097)
    rest = sum(q.amount for q in one.exposure.queries if q.level != "US")
    assert one.exposure.explained == rest + 5 * each


def test_what_is_said(compared):
    assert compared["A"].says() == "matches"
    assert compared["C"].says() == (
        "printed 0.952, but the table adds up to 1.01; the printed number follows if every query "
        "at the US level is given the share of CENRACE there, 52/4097"
    )
    data = compared["E"].to_dict()
    assert (data["printed"], data["verdict"]) == ("1.32", "explained")
    assert [row["printed"] for row in data["tests"]] == ["0.24", "0.49", "0.63"]


def test_an_agency_prints_its_own(tmp_path):
    path = tmp_path / "survey.yaml"
    path.write_text(DESCRIPTION)
    (one,) = scenarios(read_allocation(path), reading="promise")
    assert one.exposure.amount == Fraction(1, 24) + Fraction(3, 8) + Fraction(1, 20)
    assert one.verdicts == {"rho": "differs"}
    assert one.says() == "printed 0.5417, but the table adds up to 0.4667"
    path.write_text(DESCRIPTION.replace("0.5417", "0.4667"))
    (one,) = scenarios(read_allocation(path), reading="promise")
    assert one.says() == "matches"
    path.write_text(DESCRIPTION.replace(', printed: {rho: "0.5417"}', ""))
    (one,) = scenarios(read_allocation(path), reading="promise")
    assert (one.verdicts, one.says()) == ({}, "")


def test_progress_and_no_scenarios():
    told = []
    with progress(told.append):
        scenarios(census2020())
    assert [step for step in told if step.stage == "scenarios"] == [
        ("scenarios", n, 8) for n in range(9)
    ]
    with pytest.raises(Meaningless, match="without scenarios"):
        scenarios(town())
