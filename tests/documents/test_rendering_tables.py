"""The page of a table: its counts, its pictures, and nothing fetched."""

from __future__ import annotations

import json
import re

import pytest

from dprisk.documents.rendering import table_page
from dprisk.tables import TableQuestion
from dprisk.tables.summary import TableSummary

OUTPUTS = ["difference_at_most", "posterior_at_most", "odds_at_most"]
COUNTS = (0, 70, 20, 0, 0, 5, 3, 0, 0, 0)


def asked(**constants):
    given = {"definition": "approximate", "neighbors": "add-remove", "delta": 1e-6, "prior": 0.1}
    given |= constants
    if given["definition"] == "pure":
        del given["delta"]
    return TableQuestion(OUTPUTS, {"epsilon": "my <eps>"}, given)


@pytest.fixture
def made():
    limits, above = {"posterior_at_most": 0.5, "odds_at_most": 3.0}, {"posterior_at_most": 8}
    histograms = dict.fromkeys(OUTPUTS[:2], COUNTS)
    return TableSummary(99, {"missing": 1}, {**above, "odds_at_most": 0}, limits, histograms)


def test_it_says_what_was_counted(made):
    page = table_page(asked(), made, name="risk & more.parquet")
    words = re.sub(r"<[^>]*>", " ", page)
    assert "98 of 99 rows were read." in words
    assert "For at most 8 of 98 rows, the chance after the release exceeds 50 in 100" in words
    assert "Rows with a missing value: 1." in words
    assert page.count("<svg") == 2 and page.index("at most 8 of 98") < page.index(
        "change of a chance"
    )
    data = re.search(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert json.loads(data[1]) == json.loads(json.dumps(made.to_dict()))


def test_it_is_one_file_in_which_names_do_nothing(made):
    page = table_page(asked(), made, name="<script>")
    assert not re.search(r'(src|href)="(?!#)', page)
    assert "my &lt;eps&gt;" in page and "<script>" not in page
    assert table_page(asked(), made, name="<script>") == page


@pytest.mark.parametrize(
    ("constants", "said"),
    [
        ({}, "at least 99 of 100 cases"),
        ({"confidence": 0.95}, "the confidence of each row"),
        ({"definition": "pure"}, "always hold"),
    ],
)
def test_it_says_how_sure(made, constants, said):
    assert said in table_page(asked(**constants), made, name="x")


def test_without_a_probability_there_is_no_picture():
    given = {name: value for name, value in asked().constants.items() if name != "prior"}
    question = TableQuestion(OUTPUTS[2:], {"epsilon": "eps"}, given)
    page = table_page(question, TableSummary(3), name="x")
    assert "<svg" not in page and "no picture" in page.replace("\n", " ")
