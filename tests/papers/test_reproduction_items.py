"""The papers themselves: every verdict is the expected one, and would not be if ours changed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dprisk.budget import ratio_or_posterior, solve
from dprisk.papers import items, reproduce, reproduction
from dprisk.papers.reproduction import Made
from dprisk.progress import progress
from dprisk.table import NumberTable

SLOW = {"P0/figure-4", "P0/figure-5", *(f"P1/figure-{number}" for number in range(6, 10))}
KEYS = [
    pytest.param(item.key, marks=pytest.mark.slow if item.key in SLOW else ()) for item in items()
]


@pytest.mark.parametrize("key", KEYS)
def test_an_item_comes_out_as_expected(key):
    made = reproduce([key])
    assert made.unexpected == ()
    (part,) = made.parts
    assert [check.printed for check in part.checks] == list(part.item.prints)
    assert set(part.made.found) == {each.what for each in part.item.prints}
    table = part.made.table
    assert table.rows
    assert {len(row) for row in table.rows} == {len(table.columns)}
    assert bool(part.made.pictures) == (part.item.kind == "figure")


def test_a_wrong_number_is_noticed(monkeypatch):
    """Half a percent more noise, and Table 3 does not match any more."""
    (part,) = reproduce(["P3/table-3"]).parts
    wrong = {what: 1.01 * value for what, value in part.made.found.items()}
    monkeypatch.setattr(
        reproduction, "_maker", lambda item: lambda: Made(wrong, NumberTable.of({"a": [1]}))
    )
    made = reproduce(["P3/table-3"])
    assert made.counts("P3")["match"] < 3
    assert "P3/table-3, r = 1.5, standard deviation: differs" in made.unexpected


def test_progress_is_told():
    told = []
    with progress(told.append):
        reproduce(["P2"])
    assert [step for step in told if step.stage == "items"] == [("items", n, 3) for n in range(4)]


def test_figure_1_of_p0_is_theorem_3_9():
    """epsilon' = log(delta' e^epsilon + delta) - log(delta' - delta)."""
    (part,) = reproduce(["P0/figure-1"]).parts
    failure, loss = np.array(part.made.table.rows).T
    plain = np.log(failure * np.e + 1e-6) - np.log(failure - 1e-6)
    assert np.allclose(loss, plain, rtol=1e-9)


def test_figures_6_and_7_of_p0_are_bayes_rule():
    """P0, Section 4.4: from the log-odds, by formulas that this package does not use."""
    shift = math.log(0.05 * math.exp(1.8) + 1e-5) - math.log(0.05 - 1e-5)
    (ratios,) = reproduce(["P0/figure-6"]).parts
    (changes,) = reproduce(["P0/figure-7"]).parts
    for row, change in zip(ratios.made.table.rows, changes.made.table.rows, strict=True):
        p, least, most, absent_least, absent_most = row
        up, down = (p / (p + (1 - p) * math.exp(-s)) for s in (shift, -shift))
        assert (most, least) == pytest.approx((up / p, down / p), rel=1e-9)
        assert absent_most == pytest.approx((1 - down) / (1 - p), rel=1e-9)
        assert absent_least == pytest.approx((1 - up) / (1 - p), rel=1e-9)
        assert change == pytest.approx((p, down - p, up - p), abs=1e-12)


def test_figures_2_and_3_of_p3_reach_their_tables_at_the_lowest_point():
    (figure,) = reproduce(["P3/figure-2"]).parts
    columns = dict(
        zip(figure.made.table.columns, zip(*figure.made.table.rows, strict=True), strict=True)
    )
    for r in (1.5, 3.0, 6.0):
        least = float(solve(ratio_or_posterior(r, 0.25, value_prior=1.0)).epsilon)
        assert least <= min(columns[f"r = {r:g}: largest epsilon"]) <= 1.02 * least


def test_areas_of_figure_1_of_p4_are_delta():
    """Sums over the table, of what lies above; the table has densities for Laplace."""
    (part,) = reproduce(["P4/figure-1"]).parts
    areas: dict[str, float] = {}
    for name, _, above, _, scaled in part.made.table.rows:
        areas[name] = areas.get(name, 0.0) + max(above - scaled, 0.0)
    stated = dict(
        line.rsplit(": ", 1) for line in part.made.remark.split(": ", 1)[1].rstrip(".").split("; ")
    )
    assert set(stated) == set(areas)
    for name, area in areas.items():
        if "Laplace" not in name:
            assert float(stated[name]) == pytest.approx(area, rel=2e-3, abs=1e-12)
    laplace = next(float(delta) for name, delta in stated.items() if "epsilon' = 0.5" in name)
    assert laplace == pytest.approx(1 - math.exp((0.5 - 1.0) / 2.0), rel=1e-3)


def test_the_bound_of_section_7_4_2_is_the_least_over_orders():
    (part,) = reproduce(["P1/section-7-4-2"]).parts
    by_order = np.array(part.made.table.rows)[:, 1]
    least = float(part.made.found["delta"].ours)
    assert least <= by_order.min() <= 1.01 * least
