"""Named unions, the outermost place, and concerns that touch nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dprisk import ZeroConcentratedDP
from dprisk.allocation import allocate, census2020, findings, read_allocation
from dprisk.documents import report
from dprisk.documents.accumulation import concerned
from dprisk.errors import InvalidInput
from tests.allocation.tables import DESCRIPTION
from tests.cli.running import run, write

CENSUS = ZeroConcentratedDP(2.63, neighbors="replace-one")


def sums(concerns, levels):
    """The amounts of all queries with one of these attributes, or at one of these levels."""
    return sum(
        (
            query.amount
            for query in census2020().queries
            if set(query.attributes) & concerns or query.level in levels
        ),
        Fraction(0),
    )


def test_a_scenario_by_its_name():
    named = census2020().exposure("e")
    assert named.name == "E"
    assert named.concerns == ("race", "block within tract")
    assert named.amount == sums({"CENRACE"}, {"block group", "block"})
    assert round(float(named.amount), 4) == 1.3787
    assert named.to_dict()["scenario"] == "E"
    more = census2020().exposure("E", "ethnicity")
    assert (more.name, more.concerns) == ("", ("race", "block within tract", "ethnicity"))
    assert more.amount == sums({"CENRACE", "HISPANIC"}, {"block group", "block"})
    assert "scenario" not in census2020().exposure("race").to_dict()


def test_names_of_attributes_come_first(tmp_path):
    path = write(tmp_path, "survey.yaml", DESCRIPTION.replace("name: S,", "name: pay,"))
    assert read_allocation(path).exposure("pay").concerns == ("pay",)


def test_a_scenario_is_a_row_of_a_report():
    made = report(CENSUS, allocation=census2020(), concerns=["race", "E"])
    assert [one.exposure.name for one in made.concerns] == ["", "", "E"]
    section = concerned(made)
    rows = [row for block in section.blocks for row in getattr(block, "rows", ())]
    assert ("E: race and block within tract together", "44", "1.3787", "52.5 %") in rows


def test_the_outermost_place():
    assert census2020().exposure("US").amount == census2020().total
    assert census2020().exposure("nation").amount == census2020().total
    done = run("allocation", "census2020", "--concern", "US")
    assert "Any change of place, by the largest level: “US”" in done.out
    assert "A scenario of the table: A, B, C, D, E, F, G, H" in done.out


def test_a_concern_that_touches_nothing(tmp_path):
    """It has an answer where it is declared, and a way to declare it where it is not."""
    path = write(tmp_path, "survey.yaml", DESCRIPTION.replace("[income,", "[religion, income,"))
    made = read_allocation(path)
    exposure = made.exposure("religion")
    assert (exposure.amount, exposure.queries) == (0, ())
    assert "reveal nothing about it. Correlated attributes may." in exposure.says_untouched()
    assert not made.exposure("income").says_untouched()
    assert findings(exposure).power.value.tolist() == [0.01, 0.05, 0.1]
    half = ZeroConcentratedDP(0.6, neighbors="replace-one")
    section = concerned(report(half, allocation=made, concerns=["religion"]))
    said = [text for block in section.blocks for text in getattr(block, "items", ())]
    assert any("Religion: No query in this table depends on it." in str(text) for text in said)
    with pytest.raises(InvalidInput, match="list it under attributes"):
        allocate([{"query": "a", "attributes": "x", "rho": 1}]).exposure("religion")
