"""What a print stands for, and the verdict that follows."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from dprisk.answer import Answer
from dprisk.errors import InvalidInput
from dprisk.papers import Print, verdict
from dprisk.papers.prints import VERDICTS, Assertion, Explained, Formula
from dprisk.papers.reproduction import Check
from dprisk.theorems import Theorem

SLIP = {"correct": ".082", "why": "a misplaced digit"}
SOURCE = Theorem("P1", "Table 2", "powers")


def judged(text, found, **slip):
    return verdict(Print("a number", text, **slip), found)


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        (".37", 0.3699, "match"),
        ("0.37", Fraction("0.365"), "match"),  # half a unit of the print counts
        ("0.37", Fraction("0.375"), "match"),
        ("0.37", 0.3750001, "rounding"),
        ("0.37", 0.3799, "rounding"),
        ("0.37", 0.38, "differs"),
        ("0.370", 0.36945, "rounding"),
        ("0.370", 0.36951, "match"),
        ("0.550", 0.54598, "differs"),
        ("48%", 0.47502, "match"),
        ("48%", 0.474, "rounding"),
        ("48%", 0.47, "differs"),
        ("48%", 48.0, "differs"),
        ("28", 28, "match"),
        ("28", 29, "differs"),
        ("0", 0.0, "match"),
        ("52/4097", Fraction(52, 4097), "match"),
        ("52/4097", Fraction(52, 4098), "differs"),
        ("1/2.63", 1 / 2.63, "match"),
        ("< 0.0068", 0.00672, "match"),
        ("< 0.0068", 0.0068, "differs"),
        ("> 0.023", 0.02328, "match"),
        ("> 0.023", 0.023, "differs"),
        ("6", math.inf, "differs"),
        ("-1.5", -1.53, "match"),
        ("1e-6", 1.2e-6, "match"),
    ],
)
def test_a_number_matches_if_it_rounds_to_the_print(text, found, expected):
    assert judged(text, found) == expected


def test_an_erratum_fails_the_print_and_matches_its_correction():
    assert judged(".820", 0.08244, **SLIP) == "erratum"
    assert judged(".820", 0.08351, **SLIP) == "differs"
    assert (
        judged(".820", 0.8203, **SLIP) == "match"
    )  # so that no slip is claimed where there is none


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.7399, 0.7401, "match"), (0.734, 0.736, "rounding"), (0.7, 0.74, "differs")],
)
def test_a_bracket_counts_as_a_whole(low, high, expected):
    answer = Answer(high, "upper", SOURCE, (), low)
    assert judged("0.74", answer) == judged("0.74", (low, high)) == expected


def test_a_bound_without_another_end_is_its_value():
    assert judged("0.74", Answer(0.741, "upper", SOURCE)) == "match"
    assert judged("0.74", Answer(0.741, "lower", SOURCE)) == "match"


def test_a_slip_has_to_give_the_print():
    slip = {"correct": "26", "why": "another delta"}
    assert judged("51", Explained(26, 51), **slip) == "erratum"
    assert judged("51", Explained(26, 50), **slip) == "differs"


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (Formula(1.0, 1.0), "match"),
        (Formula(1.0, 1.0 + 1e-8), "differs"),
        (Formula(1.0, 2.0, 2.0), "erratum"),
        (Formula(1.0, 2.0, 3.0), "differs"),
        (Formula(math.inf, math.inf), "match"),
        (Formula(math.inf, 1.0, 1.0), "erratum"),
        (Assertion(True), "match"),
        (Assertion(False, correct=True), "erratum"),
        (Assertion(False), "differs"),
    ],
)
def test_formulas_and_statements(found, expected):
    assert judged("e^(2 epsilon)", found) == expected


def test_a_print_that_is_no_number_is_refused():
    with pytest.raises(InvalidInput, match="print must be a number, where a number was computed"):
        judged("e^(2 epsilon)", 1.0)


def test_what_is_expected_follows_from_the_list():
    assert Print("a", "1").expected == "match"
    assert Print("a", "1", why="rounded twice").expected == "rounding"
    assert Print("a", "1", **SLIP).expected == "erratum"
    assert not Check(Print("a", "1"), 2.0).as_expected
    assert not Check(Print("a", "1", **SLIP), 1.0).as_expected


@pytest.mark.parametrize(
    ("text", "found", "shown"),
    [
        ("0.74", 0.74123, "0.7412"),
        ("48%", 0.4712, "47.12%"),
        ("2%", 0.0249996, "2.49996%"),  # a tie would not say to which side it is rounded
        ("28", 28, "28"),
        ("1.0", 1.00283, "1.003"),
        ("52/4097", Fraction(52, 4097), "52/4097"),
        ("6", math.inf, "unlimited"),
        ("0.74", (0.7411, 0.7421), "0.7411 to 0.7421"),
        ("0.74", (0.74111, 0.74112), "0.7411"),
        ("a", Assertion(True), "holds"),
        ("a", Formula(1.5, 2.0), "2 (as printed: 1.5)"),
        ("51", Explained(26, 51), "26"),
    ],
)
def test_ours_is_shown_in_the_manner_of_the_print(text, found, shown):
    assert Check(Print("a", text), found).ours == shown


def test_plain_data():
    assert Check(Print("a", "51", "26", "another delta"), Explained(26, 51)).to_dict() == {
        "what": "a",
        "printed": "51",
        "ours": "26",
        "at_least": 26.0,
        "at_most": 26.0,
        "verdict": "erratum",
        "as_expected": True,
        "correct": "26",
        "why": "another delta",
    }
    assert Check(Print("a", "true"), Assertion(True)).to_dict()["at_least"] is None
    assert Check(Print("a", "6"), math.inf).to_dict()["at_most"] is None
    assert "erratum" in VERDICTS
