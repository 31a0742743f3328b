"""Each limit asks what its name says, and its worst points are the worst of their cell."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from dprisk import PureDP
from dprisk.budget import (
    CounterfactualLimit,
    DifferenceLimit,
    OddsLimit,
    PosteriorLimit,
    PowerLimit,
    RatioLimit,
    RatioTable,
    largest_epsilon,
    solve,
)
from dprisk.budget.profile import PURE, Boxes, largest
from dprisk.errors import InvalidInput, OutOfRange

P, Q = np.meshgrid([1e-9, 0.01, 0.2, 0.7, 1.0], [1e-9, 0.05, 0.5, 1.0])
S = P * Q
LIMITS = [
    (RatioLimit(3.0), lambda s: 3.0 + 0.0 * s),
    (PosteriorLimit(0.4), lambda s: 0.4 / s),
    (DifferenceLimit(0.2), lambda s: (s + 0.2) / s),
    (OddsLimit(5.0), lambda s: 5.0 / (1.0 - s + 5.0 * s)),
]
TABLE = [(p, q, 6.0 - 4.0 * p - q) for p in (0.1, 0.4, 1.0) for q in (0.2, 1.0)]


@pytest.mark.parametrize(("limit", "ratio"), LIMITS)
def test_ratio_that_is_tolerated(limit, ratio):
    assert np.allclose(limit.ratio(P, Q), ratio(S), rtol=1e-13, atol=0.0)
    assert isinstance(limit.ratio(0.5, 0.5), float)


@pytest.mark.parametrize(("limit", "ratio"), LIMITS)
def test_what_it_asks_is_that_ratio(limit, ratio):
    inside = (S < 0.35) & (S > 1e-12)
    found = largest(limit.at(P[inside], Q[inside]))
    known = largest_epsilon(ratio(S[inside]), P[inside], Q[inside]).value
    assert np.allclose(found, known, rtol=1e-8)


@pytest.mark.parametrize(
    "limit",
    [*(limit for limit, _ in LIMITS), RatioTable(TABLE), RatioTable(TABLE, between="harmonic")],
)
@pytest.mark.parametrize("seed", range(3))
def test_no_point_of_a_cell_is_worse_than_its_worst_points(limit, seed):
    """Brute force over each cell; for the limits called tight the worst is attained."""
    random = np.random.default_rng(seed)
    for _ in range(20):
        p0, p1 = np.sort(random.uniform(0.1, 0.4, 2))
        q0, q1 = np.sort(random.uniform(0.2, 1.0, 2))
        p, q = np.meshgrid(np.linspace(p0, p1, 41), np.linspace(q0, q1, 41))
        cells = Boxes(*(np.array([each]) for each in (p0, p1, q0, q1)))
        ratios = limit.ratio(p, q)
        brute = float(np.min(np.where(ratios < 1.0, 0.0, largest_epsilon(ratios, p, q).value)))
        top = limit.at(cells.p1, cells.q1)
        points = limit.worst(cells, top, PURE.times(brute))
        bound = max(float(min(largest(point)[0] for point in points)), 0.0)
        assert bound <= brute * (1.0 + 1e-9)
        if limit.tight or isinstance(limit, DifferenceLimit):
            assert bound >= brute * 0.98


@pytest.mark.parametrize("kind", [RatioLimit, PosteriorLimit, DifferenceLimit, OddsLimit])
def test_outside_of_its_priors_nothing_is_limited(kind):
    narrow = kind(0.9, membership_prior=0.05, value_prior=(0.1, 0.5))
    assert narrow.membership_prior == (0.05, 0.05)
    assert np.isfinite(narrow.ratio([0.05, 0.06, 0.05], [0.3, 0.3, 0.6])).tolist() == [1, 0, 0]
    said = " ".join(narrow.unprotected())
    assert "any membership prior but 0.05" in said
    assert "below 0.1 or above 0.5" in said


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        (RatioLimit(3.0), ["prior belief (membership times value) is 0.333 or more"]),
        (RatioLimit(3.0, membership_prior=(0.0, 0.3)), ["above 0.3"]),
        (RatioLimit(3.0, 1.0, (0.5, 1.0)), ["but 1", "below 0.5", "limits nothing"]),
        (DifferenceLimit(0.25), ["0.75 or more"]),
        (PosteriorLimit(0.25), []),
        (PosteriorLimit(1.0), ["limits nothing"]),
        (OddsLimit(2.0), []),
        (PowerLimit(0.5, level=0.1), ["level 0.1 only"]),
    ],
)
def test_what_is_left_open_is_said(limit, said):
    """P3, Section 3.1: a limit that lets the posterior reach 1 limits nothing there."""
    sentences = limit.unprotected()
    assert len(sentences) == len(said)
    assert all(words in sentence for words, sentence in zip(said, sentences, strict=True))


@pytest.mark.parametrize(("power", "level"), [(0.2, 0.05), (0.9, 0.3), (0.06, 0.05), (0.99, 0.9)])
def test_power_at_a_level_by_the_guarantee(power, level):
    found = solve(PowerLimit(power, level=level)).epsilon
    assert found.bound == "exact"
    known = PureDP(found.value, neighbors="add-remove").power(level).value
    assert known == pytest.approx(power, rel=1e-12)
    beyond = PureDP(found.value * (1 + 1e-9), neighbors="add-remove").power(level).value
    assert beyond > power


@pytest.mark.parametrize(
    ("limit", "status"),
    [
        (PowerLimit(0.04, level=0.05), "infeasible"),
        (PowerLimit(0.05, level=0.05), "infeasible"),
        (PowerLimit(1.0, level=0.05), "no limit"),
        (PowerLimit(0.3, level=0.0), "no limit"),
        (PowerLimit(1.0, level=1.0), "no limit"),
        (CounterfactualLimit(0.9), "infeasible"),
        (CounterfactualLimit(1.0), "infeasible"),
        (CounterfactualLimit(np.inf), "no limit"),
        (RatioLimit(0.5), "infeasible"),
        (RatioLimit(np.inf), "no limit"),
        (PosteriorLimit(0.0), "infeasible"),
        (DifferenceLimit(0.0), "infeasible"),
        (DifferenceLimit(1.0), "no limit"),
        (OddsLimit(0.0), "infeasible"),
        (OddsLimit(1.0), "infeasible"),
        (OddsLimit(np.inf), "no limit"),
    ],
)
def test_ends_of_the_range(limit, status):
    budget = solve(limit)
    assert budget.status == status
    assert budget.epsilon.value == (np.inf if status == "no limit" else 0.0)
    assert budget.reason.endswith(".")


def test_a_power_limit_as_a_ratio():
    """The ratio that its epsilon allows, at every prior."""
    limit = PowerLimit(0.2, level=0.05)
    epsilon = solve(limit).epsilon.value
    x = np.exp(-epsilon)
    most = 1.0 / (0.3 * 0.5 + 0.3 * 0.5 * x * x + 0.7 * x)
    assert limit.ratio(0.3, 0.5) == pytest.approx(most, rel=1e-13)


def test_a_counterfactual_ratio_takes_two_steps():
    """P1 Theorem 7.3 for replace-one has e^epsilon; add-remove goes there in two steps."""
    budget = solve(CounterfactualLimit(2.0))
    two_steps = PureDP(budget.epsilon.value, neighbors="add-remove").for_neighbors("replace-one")
    assert np.exp(two_steps.parameters["epsilon"]) == pytest.approx(2.0, rel=1e-12)
    assert budget.epsilon.bound == "lower"


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: RatioLimit(-1.0), OutOfRange),
        (lambda: RatioLimit(cast(Any, "three")), OutOfRange),
        (lambda: PosteriorLimit(25.0), OutOfRange),
        (lambda: DifferenceLimit(np.nan), OutOfRange),
        (lambda: RatioLimit(2.0, membership_prior=0.0), InvalidInput),
        (lambda: RatioLimit(2.0, membership_prior=(0.5, 0.1)), InvalidInput),
        (lambda: RatioLimit(2.0, value_prior=cast(Any, (0.1, 0.2, 0.3))), InvalidInput),
        (lambda: RatioLimit(2.0, value_prior=(0.1, 2.0)), OutOfRange),
        (lambda: RatioLimit(2.0).ratio(0.0, 0.5), OutOfRange),
    ],
)
def test_bad_limits_are_refused(make, error):
    with pytest.raises(error):
        make()
