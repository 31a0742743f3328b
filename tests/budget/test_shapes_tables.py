"""Tables of ratios: readings between the points that never loosen, and their budgets."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk.budget import AllOf, AnyOf, RatioLimit, RatioTable, largest_epsilon, solve
from dprisk.errors import InvalidInput, OutOfRange

PS, QS = (0.1, 0.4, 1.0), (0.2, 0.5, 1.0)
RATIOS = {(p, q): 1.5 + 4.0 * abs(np.sin(9.0 * p + 5.0 * q)) for p in PS for q in QS}
ROWS = [(*pair, ratio) for pair, ratio in RATIOS.items()]


@pytest.mark.parametrize("between", ["least", "harmonic"])
def test_points_are_read_as_they_stand(between):
    table = RatioTable(ROWS[::-1], between=between)
    for (p, q), ratio in RATIOS.items():
        assert table.ratio(p, q) == ratio


def test_between_points_it_never_loosens():
    """Least is below harmonic, which is below straight lines between the ratios."""
    random = np.random.default_rng(1)
    least, harmonic = RatioTable(ROWS), RatioTable(ROWS, "harmonic")
    for i, j in np.ndindex(2, 2):
        a, b = random.uniform(0.01, 0.99, 2)
        p, q = PS[i] + a * (PS[i + 1] - PS[i]), QS[j] + b * (QS[j + 1] - QS[j])
        corners = [RATIOS[PS[i + x], QS[j + y]] for x in (0, 1) for y in (0, 1)]
        weights = [(1 - a) * (1 - b), (1 - a) * b, a * (1 - b), a * b]
        straight = np.dot(weights, corners)
        assert least.ratio(p, q) == min(corners)
        mean = 1.0 / np.dot(weights, 1.0 / np.array(corners))
        assert harmonic.ratio(p, q) == pytest.approx(mean, rel=1e-13)
        assert min(corners) <= mean <= straight


@pytest.mark.parametrize("between", ["least", "harmonic"])
def test_budget_by_brute_force(between):
    table = RatioTable(ROWS, between)
    budget = solve(table)
    p, q = np.meshgrid(np.linspace(0.1, 1.0, 901), np.linspace(0.2, 1.0, 801))
    brute = float(np.min(largest_epsilon(table.ratio(p, q), p, q).value))
    assert budget.epsilon.value <= brute
    assert budget.epsilon.value == pytest.approx(brute, rel=2e-2)
    assert budget.epsilon.bound == "exact"
    assert "Between the points of the table" in " ".join(budget.epsilon.assumptions)


def test_with_linear_demands_only_the_points_count():
    """1/r* and the bound are both linear along either prior, so a corner is the worst."""
    points = [float(largest_epsilon(ratio, *pair).value) for pair, ratio in RATIOS.items()]
    assert solve(RatioTable(ROWS, "harmonic")).epsilon.value == pytest.approx(min(points))


def test_one_row_and_one_point():
    line = RatioTable([(0.05, 0.01, 10.0), (0.05, 0.1, 4.0), (0.05, 1.0, 3.0)])
    parts = [
        solve(RatioLimit(4.0, 0.05, (0.01, 0.1))),
        solve(RatioLimit(3.0, 0.05, (0.1, 1.0))),
    ]
    assert solve(line).epsilon.value == min(part.epsilon.value for part in parts)
    point = RatioTable([(0.05, 1.0, 3.0)])
    assert solve(point).epsilon.value == largest_epsilon(3.0, 0.05, 1.0).value


def test_no_limit_at_some_points():
    rows = [(p, q, np.inf if p == 1.0 else ratio) for p, q, ratio in ROWS]
    table = RatioTable(rows, "harmonic")
    assert table.ratio(1.0, 0.5) == np.inf
    assert np.isfinite(table.ratio(0.99, 0.5))
    assert any("of the 9 points of the table" in said for said in table.unprotected())


def test_outside_of_the_grid_nothing_is_limited():
    table = RatioTable(ROWS)
    assert table.ratio([0.05, 0.5], [0.5, 0.1]).tolist() == [np.inf, np.inf]
    assert "priors below 0.1." in table.unprotected()[0]
    both = AllOf([table, RatioLimit(50.0)])
    assert both.ratio(0.05, 0.5) == 50.0


@pytest.mark.parametrize("between", ["least", "harmonic"])
def test_a_table_with_another_limit_beside_it(between):
    """On one side of the table each: the maximum is split into cells and certified."""
    profile = AnyOf([RatioTable(ROWS, between), RatioLimit(2.0)])
    p, q = np.meshgrid(np.linspace(0.1, 1.0, 901), np.linspace(0.2, 1.0, 801))
    brute = float(np.min(largest_epsilon(profile.ratio(p, q), p, q).value))
    found = solve(profile).epsilon.value
    assert found <= brute
    assert found == pytest.approx(brute, rel=2e-2)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "rows of three numbers"),
        ([(0.1, 0.2)], "rows of three numbers"),
        ([(0.1, 0.2, 3.0), (0.3, 0.4, 3.0)], "a whole grid"),
        ([(0.1, 0.2, 3.0), (0.1, 0.2, 4.0)], "two at"),
    ],
)
def test_incomplete_tables_are_refused(rows, words):
    with pytest.raises(InvalidInput, match=words):
        RatioTable(rows)


def test_numbers_outside_their_range_are_refused():
    for row in [(0.0, 0.2, 3.0), (0.1, 1.2, 3.0), (0.1, 0.2, -3.0)]:
        with pytest.raises(OutOfRange):
            RatioTable([row])
    with pytest.raises(InvalidInput, match="one of"):
        RatioTable(ROWS, between="lowest")
