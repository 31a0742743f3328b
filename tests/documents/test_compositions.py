"""What all parts keep together: each answer between two numbers, and honest about what it knows."""

from __future__ import annotations

import json
import math
from typing import Any

import jsonschema
import numpy as np
import pytest
from mpmath import mp, mpf
from scipy.stats import norm

from dprisk import (
    ApproxDP,
    GaussianDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from dprisk.documents import compose_release
from dprisk.documents.compositions import composition_schema
from dprisk.errors import InvalidInput, Meaningless, OutOfRange
from dprisk.mechanisms import Gaussian, Laplace, RandomizedResponse
from dprisk.mechanisms.sample_release import SampleRelease
from dprisk.releases import Part, Release
from dprisk.releases.notes import Note

A: Any = {"neighbors": "add-remove"}
LAPLACE = Laplace(10.0, 1.0, **A)
PROMISES = (Part(ApproxDP(0.5, 1e-10, **A)), Part(PureDP(0.1, **A), 4))
EVERYTHING = {"delta": [1e-6, 1e-3], "epsilon": [0.5], "level": [0.05], "confidence": [0.95]}


def release(*parts, **changes):
    """A release with some parts."""
    described = {
        "name": "Town survey",
        "unit": "person",
        "period": "once",
        "neighbors_stated": True,
        "model": "central",
        **A,
    }
    return Release(parts=parts, **{**described, **changes})


def delta_of_responses(k, each, epsilon):
    """Outcome by outcome, with 50 digits."""
    with mp.workdps(50):
        e = mpf(each)
        lie = 1 / (1 + mp.exp(e))
        terms = []
        for m in range(k + 1):
            chance = mp.binomial(k, m) * lie**m * (1 - lie) ** (k - m)
            terms.append(max(mpf(0), chance * -mp.expm1(mpf(epsilon) - (k - 2 * m) * e)))
        return mp.fsum(terms)


@pytest.mark.parametrize(
    "part", [Part(PureDP(0.25, **A), 20), Part.of(RandomizedResponse(0.25, **A), 20)]
)
def test_promises_and_the_mechanism_that_is_their_worst_agree_with_the_truth(part):
    """Randomized response is what pure DP allows at worst; both brackets hold the exact sum."""
    made = compose_release(release(part), delta=[1e-6], epsilon=[1.0])
    by_delta, by_epsilon = made.readings
    assert (by_delta.asked, by_delta.quantity) == ("delta", "epsilon")
    assert (by_epsilon.asked, by_epsilon.quantity) == ("epsilon", "delta")
    truth = delta_of_responses(20, 0.25, 1.0)
    assert by_epsilon.lower <= truth <= by_epsilon.upper
    assert delta_of_responses(20, 0.25, by_delta.upper) <= mpf(1e-6)
    assert delta_of_responses(20, 0.25, by_delta.lower) >= mpf(1e-6) * (1 - mpf(1e-9))
    assert by_delta.upper - by_delta.lower < 1e-9


def test_counts_and_releases_multiply():
    two = compose_release(release(Part(PureDP(0.25, **A), 4), releases=5), epsilon=[1.0])
    one = compose_release(release(Part(PureDP(0.25, **A), 20)), epsilon=[1.0])
    assert two.uses == one.uses == 20
    assert two.readings == one.readings


def test_normal_noise_in_closed_form():
    """Known exactly, whichever way it is written down."""
    for part in (Part(GaussianDP(0.1, **A), 25), Part.of(Gaussian(10.0, 1.0, **A), 25)):
        made = compose_release(release(part), epsilon=[1.0], level=[0.05])
        delta, power = made.readings
        truth = norm.cdf(-2.0 + 0.25) - math.e * norm.cdf(-2.0 - 0.25)
        assert delta.lower == delta.upper == pytest.approx(truth, rel=1e-12)
        assert power.upper == pytest.approx(norm.cdf(norm.ppf(0.05) + 0.5), rel=1e-12)


def test_power_and_log_odds_of_promises():
    """Against the test that rejects at the largest losses, with a coin at the last one."""
    made = compose_release(release(Part(PureDP(0.25, **A), 20)), level=[0.05], confidence=[0.95])
    power, shift = made.readings
    p = 1 / (1 + math.exp(-0.25))
    chances = [(math.comb(20, m) * p ** (20 - m) * (1 - p) ** m) for m in range(21)]
    others = [(math.comb(20, m) * (1 - p) ** (20 - m) * p**m) for m in range(21)]
    level, won = 0.05, 0.0
    for chance, other in zip(chances, others, strict=True):
        used = min(1.0, level / other)
        level, won = level - used * other, won + used * chance
        if level <= 0:
            break
    assert power.lower <= won * (1 + 1e-12)
    assert won <= power.upper * (1 + 1e-12)
    assert power.upper == pytest.approx(won, rel=1e-9)
    grid = np.linspace(0.01, 4.0, 4000)
    deltas = np.array([float(delta_of_responses(20, 0.25, e)) for e in grid[::40]])
    inside = deltas < 0.05
    bound = np.log((0.05 * np.exp(grid[::40]) + deltas) / np.where(inside, 0.05 - deltas, 1.0))
    assert shift.upper <= bound[inside].min() + 1e-9
    assert shift.upper > 1.0


TIGHT = [
    (PROMISES, "best", True),
    ((Part.of(LAPLACE, 3), PROMISES[0]), "best", True),
    ((Part(GaussianDP(0.1, **A), 3),), "best", True),
    ((Part(PureDP(0.1, **A), 3),), "optimal", True),
    ((Part(ApproxDP(0.1, 1e-9, **A)),), "best", True),
    (PROMISES, "simple", False),
    (PROMISES, "advanced", False),
    ((Part.of(LAPLACE, 3),), "optimal", False),  # of the mechanism only its promise was used
    ((Part(ProbabilisticDP(0.1, 1e-9, **A), 3),), "best", False),
    ((Part(ZeroConcentratedDP(0.1, **A), 3),), "best", False),
    ((Part(RenyiDP(2.0, 0.1, **A), 3),), "best", False),
]


@pytest.mark.parametrize(("parts", "rule", "tight"), TIGHT)
def test_the_lower_end_is_given_only_where_no_smaller_number_holds(parts, rule, tight):
    slack = 1e-8 if rule == "advanced" else None
    made = compose_release(release(*parts), delta=[1e-6], epsilon=[0.2], rule=rule, slack=slack)
    for reading in made.readings:
        assert (reading.lower is not None) == tight
        assert tight is False or reading.lower <= reading.upper


def test_rules_refine_one_another():
    """Sums, advanced, optimal; and the mechanism's own loss below what is promised."""
    whole = release(Part.of(Laplace(10.0, 1.0, **A), 100))
    bounds = [
        compose_release(whole, delta=[1e-6], rule=rule, slack=slack).readings[0].upper
        for rule, slack in (("simple", None), ("advanced", 1e-6), ("optimal", None), ("best", None))
    ]
    assert bounds == sorted(bounds, reverse=True)
    assert len(set(bounds)) == 4
    assert compose_release(whole, delta=[1e-6], rule="optimal").composed.lossy == (
        "Laplace noise (scale 10, sensitivity 1) was read as pure DP with ε = 0.1",
    )


def test_accuracy_is_how_wide_a_bracket_may_be():
    rough, fine = (
        compose_release(release(Part.of(LAPLACE, 30)), delta=[1e-6], accuracy=accuracy).readings[0]
        for accuracy in (1e-3, 1e-9)
    )
    assert 0.0 <= rough.upper - rough.lower <= 1e-3
    assert 0.0 <= fine.upper - fine.lower <= 1e-9
    assert max(rough.lower, fine.lower) <= min(rough.upper, fine.upper)


def test_what_is_given_away_is_never_kept():
    """A tenth of the records shown: no epsilon is enough at any smaller delta."""
    shown = Part.of(SampleRelease(1, 10, **A))
    low, high = compose_release(release(shown), delta=[0.01, 0.5]).readings
    assert (low.lower, low.upper) == (math.inf, math.inf)
    assert low.to_dict()["lower"] is None
    assert low.to_dict()["lower_infinite"] is low.to_dict()["upper_infinite"] is True
    assert 0.0 <= high.upper <= 1e-15


def test_plain_data_keeps_its_schema():
    validator = jsonschema.Draft202012Validator(composition_schema())
    validator.check_schema(composition_schema())
    for parts in (PROMISES, (Part.of(LAPLACE, 3),), (Part.of(SampleRelease(1, 10, **A)),)):
        data = compose_release(release(*parts), **EVERYTHING).to_dict()
        assert json.loads(json.dumps(data, allow_nan=False)) == data
        validator.validate(data)
        assert [answer["asked"] for answer in data["answers"]] == [
            "delta",
            "delta",
            "epsilon",
            "level",
            "confidence",
        ]
    assert data["parts"][0]["mechanism"] is True
    assert data["uses"] == 1


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, "questions must be at least one delta, epsilon, level or confidence"),
        ({"delta": [1.5]}, r"delta must be a number in \[0, 1\], got 1.5"),
        ({"delta": [math.nan]}, "delta must be a number"),
        ({"epsilon": [-1.0]}, r"epsilon must be a number in \[0, inf\], got -1"),
        ({"epsilon": [math.nan]}, "epsilon must be a number"),
        ({"level": [2.0]}, r"level must be a number in \[0, 1\], got 2"),
        ({"confidence": [1.0]}, r"confidence must be a number in \(0, 1\), got 1"),
        ({"delta": [0.1], "rule": "worst"}, "rule must be one of 'best'"),
        ({"delta": [0.1], "rule": "advanced"}, "slack must be a number"),
        ({"delta": [0.1], "accuracy": 0.0}, "accuracy must be a number"),
    ],
)
def test_what_is_refused(asked, words):
    with pytest.raises((InvalidInput, OutOfRange), match=words):
        compose_release(release(*PROMISES), **asked)


def test_nothing_to_compose():
    notes = (Note("unusable", "It gives no number."),)
    with pytest.raises(Meaningless, match=r"nothing to compose\. It gives no number"):
        compose_release(release(notes=notes), delta=[0.1])
    with pytest.raises(Meaningless, match="states no number"):
        compose_release(release(), delta=[0.1])
    with pytest.raises(InvalidInput, match="must be a Release"):
        compose_release(3, delta=[0.1])
    with pytest.raises(Meaningless, match="optimal rule does not combine"):
        compose_release(
            release(Part(GaussianDP(1.0, **A), 2), PROMISES[0]), delta=[0.1], rule="optimal"
        )
