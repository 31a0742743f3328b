"""Profiles along one prior, with what they allow there."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dprisk.budget import RatioLimit, budget_curve, largest_epsilon, ratio_or_posterior
from dprisk.errors import InvalidInput, OutOfRange


@pytest.mark.parametrize("along", ["membership_prior", "value_prior"])
def test_no_point_is_below_the_budget(along):
    where = {"value_prior": 0.5} if along == "membership_prior" else {"membership_prior": 0.5}
    profile = ratio_or_posterior(3.0, 0.3, **where)
    curve = budget_curve(profile, along, 0.5)
    pair = (curve.priors, 0.5) if along == "membership_prior" else (0.5, curve.priors)
    assert np.array_equal(curve.ratios, profile.ratio(*pair))
    assert np.array_equal(curve.epsilons, largest_epsilon(curve.ratios, *pair).value)
    assert np.min(curve.epsilons) >= curve.budget.epsilon.value
    assert np.min(curve.epsilons) == pytest.approx(curve.budget.epsilon.value, rel=0.02)
    assert repr(curve) == f"<BudgetCurve along {along}: 200 points>"


def test_plain_data_has_no_infinities():
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


def test_bad_arguments_are_refused():
    with pytest.raises(InvalidInput, match="along"):
        budget_curve(RatioLimit(3.0), "prior")
    with pytest.raises(OutOfRange, match="other_prior"):
        budget_curve(RatioLimit(3.0), "value_prior", 0.0)
    with pytest.raises(OutOfRange, match="priors"):
        budget_curve(RatioLimit(3.0), "value_prior", 0.5, [0.0])
