"""The map is the curve, row by row, and each of its points keeps the ratio it allows."""

from __future__ import annotations

import json
import math
from itertools import product

import numpy as np
import pytest

from dprisk.budget import (
    PosteriorLimit,
    RatioLimit,
    budget_curve,
    budget_map,
    largest_epsilon,
    ratio_or_posterior,
    solve,
)
from dprisk.errors import DpriskError, InvalidInput, OutOfRange

PRIORS = [0.05, 0.3, 0.5, 1.0]


def reached(p, q, epsilon):
    """The largest ratio of pure DP at priors p and q, from P3, Theorem 1, multiplied out."""
    one = p * q + p * (1.0 - q) * math.exp(-2.0 * epsilon) + (1.0 - p) * math.exp(-epsilon)
    return 1.0 / one


@pytest.mark.parametrize("profile", [RatioLimit(3.0), ratio_or_posterior(3.0, 0.25)], ids=repr)
def test_epsilons_are_the_largest_that_keep_the_ratio(profile):
    made = budget_map(profile, PRIORS, PRIORS)
    for (i, p), (j, q) in product(enumerate(PRIORS), enumerate(PRIORS)):
        epsilon, ratio = made.epsilons[i, j], made.ratios[i, j]
        assert ratio == profile.ratio(p, q)
        if math.isinf(epsilon):
            assert ratio * p * q >= 1.0
        else:
            assert reached(p, q, epsilon) <= ratio * (1.0 + 1e-12)
            assert reached(p, q, epsilon * 1.0001) > ratio


def test_rows_are_curves():
    profile = ratio_or_posterior(3.0, 0.25)
    made = budget_map(profile, PRIORS, PRIORS)
    for i, p in enumerate(PRIORS):
        along = budget_curve(profile, "value_prior", p, PRIORS)
        assert made.epsilons[i].tolist() == along.epsilons.tolist()


def test_no_point_is_below_the_budget():
    made = budget_map(ratio_or_posterior(3.0, 0.25))
    assert made.epsilons.min() >= made.budget.epsilon.value
    assert made.budget.epsilon.value == solve(ratio_or_posterior(3.0, 0.25)).epsilon.value
    assert not made.epsilons.flags.writeable


def test_plain_data():
    data = budget_map(PosteriorLimit(0.1), PRIORS, PRIORS[:2]).to_dict()
    json.dumps(data, allow_nan=False)
    assert np.shape(data["epsilons"]) == (4, 2)
    assert (
        repr(budget_map(RatioLimit(3.0), [0.5], [0.5])) == "<BudgetMap of 1 by 1 pairs of priors>"
    )


@pytest.mark.parametrize("priors", [[], [0.0, 0.5], [0.5, 0.2], [0.5, 0.5], 0.5, [float("nan")]])
def test_bad_priors_are_refused(priors):
    with pytest.raises(DpriskError):
        budget_map(RatioLimit(3.0), priors, [0.5])


@pytest.mark.parametrize("along", ["membership_prior", "value_prior"])
def test_no_point_of_a_curve_is_below_the_budget(along):
    where = {"value_prior": 0.5} if along == "membership_prior" else {"membership_prior": 0.5}
    profile = ratio_or_posterior(3.0, 0.3, **where)
    curve = budget_curve(profile, along, 0.5)
    pair = (curve.priors, 0.5) if along == "membership_prior" else (0.5, curve.priors)
    assert np.array_equal(curve.ratios, profile.ratio(*pair))
    assert np.array_equal(curve.epsilons, largest_epsilon(curve.ratios, *pair).value)
    assert np.min(curve.epsilons) >= curve.budget.epsilon.value
    assert np.min(curve.epsilons) == pytest.approx(curve.budget.epsilon.value, rel=0.02)
    assert repr(curve) == f"<BudgetCurve along {along}: 200 points>"


def test_plain_data_of_a_curve_has_no_infinities():
    curve = budget_curve(RatioLimit(3.0, value_prior=1.0), "membership_prior", 1.0, [0.1, 0.9])
    data = json.loads(json.dumps(curve.to_dict(), allow_nan=False))
    assert data["epsilons"][1] is None
    assert data["epsilons"][0] == pytest.approx(np.log(0.9 / (1 / 3 - 0.1)))
    assert data["budget"]["status"] == "limited"
    other = budget_curve(RatioLimit(3.0, value_prior=1.0), "membership_prior", 0.5, [0.1])
    assert other.to_dict()["ratios"] == [None]


def test_arrays_are_not_to_be_changed():
    curve = budget_curve(RatioLimit(3.0), "value_prior")
    for array in (curve.priors, curve.ratios, curve.epsilons):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


def test_bad_arguments_of_a_curve_are_refused():
    with pytest.raises(InvalidInput, match="along"):
        budget_curve(RatioLimit(3.0), "prior")
    with pytest.raises(OutOfRange, match="other_prior"):
        budget_curve(RatioLimit(3.0), "value_prior", 0.0)
    with pytest.raises(OutOfRange, match="priors"):
        budget_curve(RatioLimit(3.0), "value_prior", 0.5, [0.0])
