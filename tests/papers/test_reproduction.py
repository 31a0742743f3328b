"""Tables in full, and what a reproduction says about itself."""

from __future__ import annotations

import csv
import io
import math

import numpy as np
import pytest

from dprisk.papers import Print
from dprisk.papers.prints import Assertion
from dprisk.papers.reproduction import Check, Item, Made, Reproduced, Reproduction
from dprisk.table import NumberTable

ITEM = Item("P0", "figure", "Figure 1.a", "Section 1", "A curve", "", (Print("a", "1"),))


def part(*checks, item=ITEM):
    return Reproduced(item, checks, Made({}, NumberTable((), ())))


def test_numbers_come_back_as_they_were():
    values = np.array([0.1, 1 / 3, 1e-300, math.inf, math.nan])
    table = NumberTable.of(
        {"n": np.arange(5), "value": values, "name": ["a", "b,c", 'd"', "e", None]}
    )
    rows = list(csv.reader(io.StringIO(table.to_csv())))
    assert rows[0] == ["n", "value", "name"]
    assert [float(row[1]) for row in rows[1:5]] == values[:4].tolist()
    assert rows[5] == ["4", "", ""]
    assert rows[2][2] == "b,c"


def test_columns_of_different_length_are_refused():
    with pytest.raises(ValueError, match="shorter"):
        NumberTable.of({"a": [1, 2], "b": [1]})


def test_slugs():
    assert (ITEM.slug, ITEM.key) == ("figure-1-a", "P0/figure-1-a")


def test_unexpected_verdicts_are_named():
    good, bad = Check(Print("a", "1"), 1.0), Check(Print("b", "2"), 9.0)
    made = Reproduction((part(good, bad),))
    assert made.unexpected == ("P0/figure-1-a, b: differs",)
    assert made.counts("P0") == {"match": 1, "rounding": 0, "erratum": 0, "differs": 1}
    data = made.to_dict()
    assert (data["schema"], data["as_expected"]) == ("dprisk/reproduction/1", False)
    assert Reproduction((part(good),)).to_dict()["as_expected"]


def test_a_slip_that_is_none_is_unexpected():
    """A list that calls something a slip which comes out is wrong itself."""
    claimed = Print("a", "1", correct="2", why="no reason")
    assert Reproduction((part(Check(claimed, 1.0)),)).unexpected == ("P0/figure-1-a, a: match",)
    assert not Reproduction((part(Check(claimed, 2.0)),)).unexpected


def test_papers_are_in_order():
    other = Item("P2", "text", "Lemma", "Section 2", "A bound", "", ())
    made = Reproduction((part(), part(item=other), part(Check(Print("b", "x"), Assertion(True)))))
    assert made.papers == ("P0", "P2")
    assert [len(made.of(paper)) for paper in made.papers] == [2, 1]
    assert repr(made) == "<Reproduction of P0, P2: 3 items>"
