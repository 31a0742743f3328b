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
    ratio_or_posterior,
    solve,
)
from dprisk.errors import DpriskError

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
