"""Bars of concerns: as long as the sums of each release, beside the power of its findings."""

from __future__ import annotations

from fractions import Fraction

import pytest
from matplotlib.patches import Rectangle

from dprisk.allocation import census2020, dhc2020, findings, together
from dprisk.curves import draw_concerns, tables, takeaway
from dprisk.errors import InvalidInput
from tests.allocation.tables import single, town

CENSUS = {"redistricting": census2020(), "DHC": dhc2020()}


def test_bars_are_the_sums_of_each_release():
    ax = draw_concerns(CENSUS, ["race", "tenure", "sex"])
    (table,) = tables(ax)
    assert table.columns == ("concern", "redistricting: ρ", "DHC: ρ", "power at most")
    whole = together(*CENSUS.values())
    widths = [bar.get_width() for bar in ax.patches if isinstance(bar, Rectangle)]
    for n, (concern, first, second, power) in enumerate(table.rows):
        alike = {"race": {"CENRACE"}, "tenure": {"TENURE", "OCCUPANCY"}, "sex": {"SEX"}}[concern]
        for at, shown, one in ((n, first, census2020()), (3 + n, second, dhc2020())):
            alone = sum((q.amount for q in one.queries if alike & set(q.attributes)), Fraction(0))
            assert widths[at] == float(alone)
            assert alone <= Fraction(shown) <= alone + Fraction(1, 10**4)
        truth = findings(whole.exposure(concern), levels=[0.1]).power.value[0]
        assert power == pytest.approx(float(truth), abs=1e-6)
    assert "race 98.1 in 100, tenure 99.7 in 100, sex 99 in 100" in takeaway(ax)


def test_one_release_of_another_kind():
    ax = draw_concerns({"clinic": single("epsilon", "1/2")}, ["a"], level=0.05)
    assert ax.get_xlabel().startswith("ε")
    assert tables(ax)[0].rows[0][1:] == ("0.5", pytest.approx(0.05 * 2.718281828459**0.5))
    sure = draw_concerns({"clinic": single("epsilon", "50")}, ["a"])
    assert "possibly over 99 in 100" in takeaway(sure)


@pytest.mark.parametrize(
    ("releases", "concerns", "level", "says"),
    [
        ({}, ["income"], 0.1, "releases must be one to 4"),
        ({"a": town()}, [], 0.1, "a list with at least one"),
        ({"a": town()}, "income", 0.1, "a list with at least one"),
        ({"a": town()}, ["incme"], 0.1, "Did you mean 'income'"),
        ({"a": town()}, ["income"], 1.0, "level"),
    ],
)
def test_what_is_refused(releases, concerns, level, says):
    with pytest.raises(InvalidInput, match=says):
        draw_concerns(releases, concerns, level=level)
