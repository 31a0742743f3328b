"""An assessment as plain data and as a table for notebooks."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import pytest
from jsonschema import Draft202012Validator

from dprisk import (
    FDP,
    Adversary,
    ApproxDP,
    ApproxDPCurve,
    GaussianDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    assess,
)
from dprisk.documents import report
from dprisk.documents.assessing import json_schema
from dprisk.mechanisms import Laplace, PairOfDistributions
from dprisk.releases import Part, Release
from dprisk.releases.notes import Note

PURE = PureDP(1.0, neighbors="add-remove")
FALSE = PureDP(0.1, neighbors="add-remove")
EVIL = '<script>alert("1")</script> & <img src=x onerror=y>'
GUARANTEES = [
    PURE,
    PureDP(0.0, neighbors="add-remove"),
    PureDP(800.0, neighbors="replace-one"),
    ApproxDP(1.0, 1e-6, neighbors="add-remove"),
    ApproxDPCurve([0.5, 1.0], [1e-3, 1e-6], neighbors="add-remove"),
    ApproxDPCurve([1.0, math.inf], [1e-3, 1e-4], neighbors="add-remove"),
    FDP([0.0, 0.2, 1.0], [1.0, 0.4, 0.0], neighbors="add-remove"),
    GaussianDP(1.0, neighbors="add-remove"),
    RenyiDP([2.0, 3.0], [1.0, 2.0], neighbors="add-remove"),
    ZeroConcentratedDP(19.776, neighbors="replace-one"),
]


def evil_release():
    """Every text that a file can hold, with markup in it."""
    return Release(
        name=EVIL,
        unit=EVIL,
        period=EVIL,
        neighbors="add-remove",
        neighbors_stated=True,
        model="central",
        parts=(Part(PURE, label=EVIL, given={"epsilon": "1.00"}),),
        curator=EVIL,
        source=(EVIL,),
        notes=(Note("warning", EVIL),),
    )


class Page(HTMLParser):
    """The cells and the tags of a page; every tag has to be closed."""

    def __init__(self):
        HTMLParser.__init__(self)
        self.cells, self.tags, self.open, self.attributes = [], set(), [], []

    def handle_starttag(self, tag, attrs):
        """A tag begins."""
        self.tags.add(tag)
        self.attributes += attrs
        self.open.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag):
        """The innermost tag ends."""
        assert self.open.pop() == tag

    def handle_data(self, data):
        """Text inside of a cell."""
        if self.open and self.open[-1] == "td":
            self.cells[-1] += data


def page(result):
    """The table, read by a parser."""
    read = Page()
    read.feed(result._repr_html_())
    read.close()
    assert read.open == []
    return read


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=repr)
def test_round_trip_through_json(guarantee):
    """Strict JSON, valid by the shipped schema, and the same when read back."""
    data = assess(guarantee, limits={"posterior": 0.6, "odds": 3.0}).to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    Draft202012Validator(json_schema()).validate(data)


def test_everything_of_the_release_is_kept():
    """Texts come back as they were, and parameters as they were written."""
    data = assess(evil_release()).to_dict()
    assert data["name"] == data["unit"] == data["period"] == data["curator"] == EVIL
    assert data["source"] == [EVIL]
    assert data["notes"] == [{"kind": "warning", "text": EVIL}]
    (part,) = data["statements"][0]["parts"]
    assert part["given"] == {"epsilon": "1.00"}
    assert part["label"] == EVIL
    assert part["count"] == 1


def test_numbers_are_the_findings():
    """Values, direction, theorem and worst priors; what has no number is null."""
    result = assess(PureDP(800.0, neighbors="add-remove"), Adversary(priors=(0.5,)))
    (statement,) = result.statements
    (plain,) = result.to_dict()["statements"]
    assert len(plain["findings"]) == len(statement.findings)
    for found, shown in zip(statement.findings, plain["findings"], strict=True):
        assert (shown["metric"], shown["prior"]) == (found.metric, found.prior)
        assert shown["upper"] == (found.upper if math.isfinite(found.upper) else None)
        assert shown["lower"] == found.lower
        assert shown["upper_bound"] == found.upper_bound
        assert shown["theorem"] == str(found.theorem)
        assert found.theorem.place in shown["citation"]
    assert plain["assumptions"] == list(statement.loss.assumptions)


def test_changing_the_data_changes_nothing():
    """What is returned is a copy."""
    result = assess(evil_release(), limits={"odds": 3.0})
    data = result.to_dict()
    data["statements"][0]["parts"][0]["given"]["epsilon"] = "9"
    data["statements"][0]["parameters"]["epsilon"] = 9.0
    data["limits"].clear()
    data["source"].append("x")
    assert result.to_dict() == assess(evil_release(), limits={"odds": 3.0}).to_dict()


def test_schema_refuses_what_is_not_an_assessment():
    """The schema is closed: more, fewer and other values fail."""
    schema = Draft202012Validator(json_schema())
    good = assess(PURE).to_dict()
    for change in ({"extra": 1}, {"schema": "dprisk/assessment/2"}, {"neighbors": "both"}):
        assert not schema.is_valid({**good, **change})
    assert not schema.is_valid({key: value for key, value in good.items() if key != "kept"})


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=repr)
def test_html_has_every_finding(guarantee):
    """A row each, with both ends rounded to the side on which they stay true."""
    result = assess(guarantee)
    (statement,) = result.statements
    cells = page(result).cells
    rows = [cells[start : start + 5] for start in range(0, len(cells), 5)]
    assert len(rows) == len(statement.findings)
    for row, found in zip(rows, statement.findings, strict=True):
        metric, prior, low, high, theorem = row
        assert metric == found.metric
        assert prior == ("every prior" if found.prior is None else str(found.prior))
        assert float(low) <= found.lower
        assert float(high) >= found.upper
        assert float(low) == pytest.approx(found.lower, rel=1e-2)
        assert float(high) == pytest.approx(found.upper, rel=1e-2)
        assert (high == "1") <= (found.upper == 1.0)
        assert theorem == str(found.theorem)
    for line in statement.loss.assumptions:
        assert line in unescape(result._repr_html_())


@pytest.mark.parametrize("silent", [False, True])
def test_html_is_static_and_escaped(silent):
    """No markup from a release gets through, with numbers or without."""
    described = evil_release()
    if silent:
        described = Release(
            name=EVIL,
            unit=EVIL,
            period=None,
            neighbors="add-remove",
            neighbors_stated=True,
            model=None,
            parts=(),
            notes=(Note("unusable", EVIL),),
        )
    result = assess(described)
    read = page(result)
    assert read.tags <= {"p", "strong", "table", "caption", "tr", "th", "td", "ul", "li"}
    assert read.attributes == []
    assert EVIL in unescape(result._repr_html_())


def test_html_of_two_statements():
    """A table each, with the guarantee in its caption."""
    described = Release(
        name="Town survey",
        unit="person",
        period="once",
        neighbors="add-remove",
        neighbors_stated=True,
        model="central",
        parts=(Part(PURE),),
        stated_also=(Part(GaussianDP(1.0, neighbors="add-remove")),),
    )
    text = unescape(assess(described)._repr_html_())
    assert text.count("<table>") == 2
    assert "pure DP with ε = 1, " in text
    assert "Gaussian DP with μ = 1, " in text
    false = replace(described, parts=(Part.of(Laplace(1.0, 1.0, neighbors="add-remove")),))
    said = unescape(assess(replace(false, stated_also=(Part(FALSE),)))._repr_html_())
    assert "<p>This release cannot keep its stated pure DP with ε = 0.1: at δ = 0" in said


def test_what_usually_happens_where_it_is_known_what_ran():
    """Only of mechanisms, for the question that the assessment asks, in JSON and in a sentence."""
    noise = Laplace(1.0, 1.0, neighbors="add-remove")
    known = assess(noise, prior=0.1)
    rises, falls = (1 / (1 + 9 * math.exp(-loss)) for loss in (1, -1))
    assert [each.share for each in known.usual] == [0.5, 0.95, 0.5, 0.95]
    for each, truth in zip(known.usual[:3], (rises, rises, falls), strict=True):
        assert each.lower - 1e-15 <= truth <= each.upper <= truth + 1e-12
    assert known.to_dict()["usual"][0]["hypothesis"] == "in"
    assert assess(PureDP(1.0, neighbors="add-remove")).usual == ()
    said = report(noise, priors=[0.1]).to_markdown()
    assert "the chance afterwards is at most 24 in 100 in at least 95 of 100 cases. If" in said
    assert "is at most 4 in 100 in at least half of all cases, and at most 24 in 100 in at" in said
    two_steps = assess(noise, Adversary(secret="attribute"))
    assert two_steps.usual == ()
    uneven = PairOfDistributions([0.5, 0.3, 0.2], [0.2, 0.2, 0.6], neighbors="replace-one")
    assert assess(uneven).usual == ()  # either value may be the true one
