"""A selection of queries: its sum, and the assumption that comes with it."""

from __future__ import annotations

import pytest

from dprisk import read_release
from dprisk.allocation import census2020, findings
from dprisk.documents import report
from dprisk.errors import InvalidInput
from tests.allocation.tables import town
from tests.cli.running import run

SAID = "15 other queries can change too (US, state, county). They are disregarded"


def test_race_below_county():
    exposure = census2020().exposure("race below county")
    below = [
        query
        for query in census2020().queries
        if "CENRACE" in query.attributes and query.level in ("tract", "block group", "block")
    ]
    assert list(exposure.queries) == below
    assert (len(below), round(float(sum(q.amount for q in below)), 4)) == (15, 0.8201)
    assert {query.level for query in exposure.disregarded} == {"US", "state", "county"}
    assert any(text.startswith(SAID) for text in findings(exposure).assumptions)


def test_the_command_says_so_in_every_form():
    for more in ([], ["--quiet"], ["--json"]):
        done = run("allocation", "census2020", "--concern", "race below county", *more)
        assert SAID in " ".join(done.out.split())
    words = " ".join(run("allocation", "census2020", "--concern", "race below county").out.split())
    assert "at most 30 queries can change; 15 of them are counted here, with ρ = 0.820105" in words
    assert "except “race” in one record, uses only the queries counted here, and thinks" in words


def test_selections_of_places_and_of_selections():
    made = census2020()
    inner = made.exposure("block within county below tract")
    assert {query.level for query in inner.queries} == {"block group", "block"}
    assert {query.level for query in inner.disregarded} == {"tract"}
    assert made.exposure("race below US below tract").queries == (
        made.exposure("race below tract").queries
    )
    both = made.exposure("race below county", "race")
    assert (both.queries, both.disregarded) == (made.exposure("race").queries, ())


def test_one_query_is_left_out():
    said = town().exposure("income below region").says_disregarded()
    assert said.startswith("One other query can change too (region). It is disregarded")
    assert town().exposure("income").says_disregarded() == ""


@pytest.mark.parametrize(
    ("concern", "says"),
    [
        ("race below block", "a selection with at least one query"),
        ("race below nowhere", "made of known levels"),
        ("rase below county", "Did you mean 'race'?"),
    ],
)
def test_selections_that_cannot_be(concern, says):
    with pytest.raises(InvalidInput) as error:
        census2020().exposure(concern)
    assert says in str(error.value)


RELEASE = """\
dprisk: 1
name: counts
unit: person
period: once
model: central
neighbors: replace-one
guarantees: [{rho: 2.63}]
"""


def test_the_report_says_so_too(tmp_path):
    path = tmp_path / "release.yaml"
    path.write_text(RELEASE)
    made = report(
        read_release(path), allocation=census2020(), concerns=["race below county"]
    ).written("markdown")
    assert SAID in " ".join(made.split())
