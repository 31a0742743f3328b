"""Rows of a table at their risk: what is drawn adds up to what was counted."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from dprisk.curves import draw_rows, tables, takeaway
from dprisk.errors import InvalidInput
from dprisk.tables import REASON, TableQuestion
from dprisk.tables.summary import summarize

NAME = "posterior_at_most"
ASKED = TableQuestion(
    [NAME, "power_at_most"],
    {"epsilon": "epsilon"},
    {"definition": "pure", "neighbors": "add-remove", "prior": 0.5, "level": 0.1},
)


def summary(limit=None, *, reasons=(), values=None):
    rng = np.random.default_rng(4)
    found = rng.random(1000) ** 2 if values is None else np.asarray(values, float)
    size = found.size + len(reasons)
    filled = pa.array([*found, *[None] * len(reasons)], pa.float64())
    why = pa.array([*[None] * found.size, *reasons], pa.string())
    columns = [filled, pa.array(np.full(size, 0.2)), why]
    limits = {} if limit is None else {NAME: limit}
    return found, summarize(ASKED, [pa.table(columns, [*ASKED.outputs, REASON])], limits)


def bars(made, name=NAME):
    (table,) = tables(draw_rows(made, name))
    return {row[0]: row[1:] for row in table.rows}


@pytest.mark.parametrize("limit", [-1.0, 0.0, 0.05, 0.3, 0.37, 0.999, 1.0, 2.0])
def test_bars_above_the_limit_hold_the_rows_above_it(limit):
    found, made = summary(limit, reasons=["no-bound", "no-bound", "missing"])
    drawn = bars(made)
    over = sum(rows for rows, above in drawn.values() if above)
    assert over == made.above[NAME] == (found > limit).sum() + 2
    assert sum(rows for rows, _ in drawn.values()) == made.rows == 1003
    assert drawn["no bound"] == (2, "yes") and drawn["not read"] == (1, "")


def test_what_is_at_the_limit_is_not_above_it():
    drawn = bars(summary(0.5, values=[0.5, 0.5, 0.55, 0.1])[1])
    assert drawn["50"] == (2, "") and drawn["50–60"] == (1, "yes")


def test_a_test_needs_no_bound_on_the_loss():
    _, made = summary(reasons=["no-bound"])
    assert "no bound" not in bars(made, "power_at_most")


@pytest.mark.parametrize(
    ("values", "limit", "said"),
    [
        ([0.1, 0.2, 0.9], 0.5, "For at most 1 of 3 rows, the chance after the release exceeds 50"),
        ([0.1, 0.2, 0.3], 0.5, "For all 3 rows, the chance after the release is at most 50 in 100"),
        ([0.05] * 9 + [0.9], None, "For 9 of 10 rows, the chance after the release is at most 10"),
        ([0.05] * 5 + [0.95] * 5, None, "For at most 5 of 10 rows, the chance after the release is "
         "90 in 100 or more"),
    ],
)  # fmt: skip
def test_the_title_counts(values, limit, said):
    assert takeaway(draw_rows(summary(limit, values=values)[1], NAME)).startswith(said)


def test_rows_that_could_not_be_read_are_said():
    _, made = summary(0.5, reasons=["missing"] * 7)
    assert takeaway(draw_rows(made, NAME)).endswith(". 7 more could not be read.")


def test_a_column_without_counts_is_refused():
    with pytest.raises(InvalidInput, match="output"):
        draw_rows(summary()[1], "odds_at_most")
