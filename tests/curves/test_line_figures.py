"""Lines against epsilon: what their titles say can be seen, and is what a table beside says."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dprisk import ApproxDP, PureDP, counterfactual, disclosure
from dprisk.curves import beliefs, counterfactual_line, draw_beliefs, draw_lines
from dprisk.curves.figure import behind
from dprisk.documents import report
from dprisk.documents.document import Figure, Table
from dprisk.text.rounding import at_most

PROMISE = ApproxDP(1.0, 1e-6, neighbors="add-remove")


@pytest.mark.parametrize("ratio", [10.0, 20.0, 100.0])
def test_a_title_names_a_plain_ratio_that_can_be_seen(ratio):
    """The first of 1, 2 or 5 times a power of ten from which on every line is low."""
    grid = np.union1d(np.linspace(0.0, 5.0, 60), [math.log(ratio)])
    learned = [counterfactual(PROMISE, adversary=each) for each in ("rest-known", "true-record")]
    drawn = draw_lines(*(counterfactual_line(each, grid) for each in learned))
    title = behind(drawn)[0].title
    least, most = (at_most(float(each.exceeding(ratio))) for each in learned)
    assert title.startswith(f"The ratio exceeds {ratio:g} with probability at most {least} (")
    assert f"or at most {most} (" in title
    assert drawn.get_xlim()[1] > math.log(ratio)


def test_a_change_is_named_for_each_question():
    """Two questions have two answers: neither is said of both."""
    weak, strong = (
        beliefs(disclosure(PureDP(e, neighbors="add-remove")), name=f"e {e:g}") for e in (1.0, 2.0)
    )
    title = behind(draw_beliefs(weak, strong, metric="difference"))[0].title
    most = [math.tanh(e / 4) for e in (1.0, 2.0)]  # P0, Theorem 3.5
    first, second = (f"{math.ceil(100 * each)} in 100" for each in most)
    assert title == f"A chance can change by at most {first} (e 1) or at most {second} (e 2)"


def test_the_picture_of_ratios_says_what_the_table_above_it_says():
    sections = report(PROMISE).sections()
    blocks = [block for section in _all(sections) for block in section.blocks]
    (figure,) = (each for each in blocks if isinstance(each, Figure) and each.name == "ratio")
    (table,) = (
        each
        for each in blocks
        if isinstance(each, Table) and any("10 times" in head for head in each.columns)
    )
    at = next(n for n, head in enumerate(table.columns) if "10 times" in head and "100" not in head)
    shown = {row[at] for row in table.rows}
    drawn = figure.svg.decode()
    assert "The ratio exceeds 10 with" in drawn
    assert sum(one in drawn for one in shown) >= 2


def _all(sections):
    for section in sections:
        yield section
        yield from _all(section.inside)
