"""As many icons as the rounding of the house says, and words in the direction that is certain."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.collections import EllipseCollection

from dprisk import ZeroConcentratedDP, disclosure
from dprisk.answer import Answer
from dprisk.curves import draw_icons, tables, takeaway
from dprisk.curves.counts import counted
from dprisk.errors import InvalidInput, OutOfRange
from dprisk.text.rounding import chances
from dprisk.theorems import Theorem

WHENCE = Theorem("P0", "x", "y")


def answer(value, bound):
    return Answer(value, bound, WHENCE)


def filled(ax):
    """How many whole icons are filled, and how many are not."""
    circles = [each for each in ax.collections if isinstance(each, EllipseCollection)]
    count = {each.get_label(): len(each.get_offsets()) for each in circles}
    return count.get("_filled", 0), count.get("_empty", 0)


@given(st.floats(0.0, 1.0), st.booleans())
def test_counts_agree_with_the_words_of_the_house(probability, upper):
    whole, part = counted(probability, upper=upper, of=100)
    words = chances(probability, upper=upper)
    if part:
        edge = "over 99 in 100" if whole else "under 1 in 100"
        assert words == ("possibly " if upper == bool(whole) else "") + edge
    else:
        assert words == f"{whole} in 100"


@given(st.floats(0.0, 1.0), st.sampled_from([100, 1000]), st.booleans())
def test_counts_are_on_the_safe_side(probability, of, upper):
    whole, part = counted(probability, upper=upper, of=of)
    share = Fraction(repr(probability)) * of
    if part:
        assert whole < share < whole + 1
    elif upper:
        assert whole >= share > whole - 1
    else:
        assert whole <= share < whole + 1
    if whole in (0, of) and not part:
        assert share == whole


@pytest.mark.parametrize(
    ("value", "of", "icons", "words"),
    [
        (0.1, 100, (10, 90), "10 in 100"),
        (0.105, 100, (11, 89), "10.5 in 100"),
        (1 / 3, 100, (34, 66), "at most 34 in 100"),
        (0.0, 100, (0, 100), "0 in 100"),
        (1.0, 1000, (1000, 0), "1000 in 1,000"),
        (answer(0.231, "upper"), 100, (24, 76), "at most 24 in 100"),
        (answer(0.231, "exact"), 100, (24, 76), "at most 24 in 100"),
        (answer(0.24, "exact"), 100, (24, 76), "at most 24 in 100"),
        (answer(0.239, "lower"), 100, (23, 77), "at least 23 in 100"),
        (answer(0.0012, "upper"), 1000, (2, 998), "at most 2 in 1,000"),
        (answer(0.0012, "upper"), 100, (0, 100), "under 1 in 100"),
        (answer(0.9999, "upper"), 100, (99, 1), "possibly over 99 in 100"),
        (answer(1.0, "upper"), 100, (99, 1), "possibly over 99 in 100"),
        (answer(0.9999, "lower"), 100, (99, 1), "over 99 in 100"),
        (answer(0.001, "lower"), 100, (0, 100), "possibly under 1 in 100"),
    ],
)
def test_icons_and_words(value, of, icons, words):
    ax = draw_icons({"case": value}, of=of)
    assert filled(ax) == icons
    assert takeaway(ax) == f"Case: {words}."


def test_an_exact_lower_end_is_told_from_an_upper_one():
    exact = {"x": answer(0.2689, "exact")}
    assert takeaway(draw_icons(exact, side="at least")) == "X: at least 26 in 100."
    assert takeaway(draw_icons(exact)) == "X: at most 27 in 100."


def test_a_part_of_an_icon_is_drawn():
    assert len(draw_icons({"x": 0.001}).patches) == 1
    assert len(draw_icons({"x": 0.01}).patches) == 0


def test_arrays_stand_side_by_side_in_one_table():
    after = disclosure(ZeroConcentratedDP(0.1, neighbors="add-remove"), confidence=0.95)
    ax = draw_icons({"before": 0.1, "after": after.posterior(0.1).upper})
    rows = tables(ax)[0].rows
    assert [row[0] for row in rows] == ["before", "after"]
    assert rows[1][2] == after.posterior(0.1).upper.value
    assert rows[1][3] == math.ceil(100 * rows[1][2])


@pytest.mark.parametrize(
    ("cases", "options", "error"),
    [
        ({}, {}, InvalidInput),
        ({"x": 0.1}, {"of": 10}, InvalidInput),
        ({"x": 0.1}, {"side": "exactly"}, InvalidInput),
        ({"x": 1.5}, {}, OutOfRange),
        ({"x": float("nan")}, {}, OutOfRange),
    ],
)
def test_bad_cases_are_refused(cases, options, error):
    with pytest.raises(error):
        draw_icons(cases, **options)
