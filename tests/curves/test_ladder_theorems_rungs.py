"""The rungs in their order, the first number that is too many, and what is refused."""

from __future__ import annotations

import json
import math
from dataclasses import FrozenInstanceError
from functools import partial
from typing import Any

import numpy as np
import pytest

from dprisk import (
    ApproxDP,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    PureDP,
    ZeroConcentratedDP,
    curves,
    disclosure,
)
from dprisk.curves.rungs import LADDER, read
from dprisk.errors import InvalidInput, OutOfRange
from dprisk.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dprisk.mechanisms.subsampled import SubsampledGaussian, SubsampledLaplace
from dprisk.progress import progress
from dprisk.releases import Part, Release

A: Any = {"neighbors": "add-remove"}
ladder = partial(curves.ladder, confidence=0.95)
NUMBERS = (1, 2, 3, 7, 20, 41, 42, 43)
TEXTBOOK = ["basic", "basic, best delta", "advanced", "advanced, best delta"]
LATTICE = ["optimal", "optimal, best delta"]
ZCDP = ["simple conversion", "tight conversion", "zCDP curve"]
NORMAL = ["Gaussian noise", "Gaussian noise, raw output"]
RUN = ["mechanism", "mechanism, raw output"]


def release(*parts, **changes):
    """A release with some parts."""
    described = {
        "name": "Daily counts",
        "unit": "person",
        "period": "day",
        "neighbors_stated": True,
        "model": "central",
        **A,
    }
    return Release(parts=parts, **{**described, **changes})


SUBJECTS = [
    (PureDP(0.05, **A), [*TEXTBOOK, *LATTICE, "exact curve"]),
    (ApproxDP(0.1, 1e-8, **A), [*TEXTBOOK, *LATTICE, "exact curve"]),
    (RandomizedResponse(0.1, **A), [*TEXTBOOK, *LATTICE, "exact curve", *RUN]),
    (Geometric(10.0, 1, **A), [*TEXTBOOK, *LATTICE, "exact curve", *RUN]),
    (ZeroConcentratedDP(0.01, **A), [*ZCDP, *NORMAL]),
    (ZeroConcentratedDP(0.01, xi=0.1, **A), ZCDP[1:]),
    (GaussianDP(0.1, **A), [*ZCDP, "Gaussian DP curve", NORMAL[1]]),
    (Gaussian(10.0, 1.0, **A), [*ZCDP, *NORMAL]),
    (DiscreteGaussian(10.0, 1, **A), [*ZCDP, *RUN]),
    (release(Part(PureDP(0.05, **A)), Part(PureDP(0.1, **A))), [*TEXTBOOK, "exact curve"]),
    (ProbabilisticallyBoundedDP(0.1, 1e-8, **A), ["promises composed"]),
]


@pytest.fixture(scope="module")
def climbed():
    """Every subject's ladder, made once."""
    return [ladder(subject, NUMBERS, delta=1e-5) for subject, _ in SUBJECTS]


def test_which_rungs_there_are(climbed):
    for made, (_, names) in zip(climbed, SUBJECTS, strict=True):
        assert [rung.name for rung in made.rungs] == names


def test_what_refines_is_never_worse(climbed):
    """At every number of releases; the brackets of a composed loss are 1e-9 wide."""
    for made in climbed:
        for rung in made.rungs:
            for other in rung.refines:
                above = made.rung(other)
                assert np.all(rung.losses <= above.losses * (1 + 1e-12) + 2e-9), (rung.name, made)


def test_bounds_never_fall(climbed):
    """More releases tell more, whatever is computed from them."""
    for made in climbed:
        for rung in made.rungs:
            losses = rung.losses
            if rung.name not in (LATTICE[0], RUN[1]):
                assert np.all((losses[1:] >= losses[:-1] - 2e-9) | np.isinf(losses[1:])), rung.name


def test_raw_output_may_fall():
    """An odd number of answers has no tie: P[|Z| > t] of 43 is smaller at t = 1.3 than of 42.

    That is no contradiction: fewer answers are computed from more, which may raise a tail.
    """
    made = ladder(RandomizedResponse(0.1, **A), [40, 41, 42, 43])
    chances = binomial(43)
    assert sum(p for m, p in chances if abs(43 - 2 * m) > 13) <= 0.05
    chances = binomial(42)
    assert sum(p for m, p in chances if abs(42 - 2 * m) > 12) > 0.05
    assert np.allclose(made.rung(RUN[1]).losses[2:], [1.4, 1.3], rtol=0, atol=1e-9)
    limit = 0.5 * (made.rung(RUN[1]).values[2] + made.rung(RUN[1]).values[3])
    raw = made.rung(RUN[1])
    dense = [float(read("posterior", 0.5, raw.shift(number)[1])) for number in range(1, 44)]
    assert (
        made.until(limit, [RUN[1]])[RUN[1]] == int(np.flatnonzero(np.array(dense) > limit)[0]) + 1
    )


def binomial(k):
    """Wrong answers among k, each with chance 1 / (1 + e^0.1)."""
    q = 1.0 / (1.0 + math.exp(0.1))
    return [(m, math.comb(k, m) * q**m * (1.0 - q) ** (k - m)) for m in range(k + 1)]


def test_lattices_of_one_parity_never_fall():
    for start in (1, 2):
        made = ladder(PureDP(0.05, **A), range(start, 80, 2))
        for name in LATTICE:
            assert np.all(np.diff(made.rung(name).losses) >= -1e-12)


def test_values_are_what_disclosure_says(climbed):
    """The exact curve is the composed guarantee's own; beliefs follow as everywhere."""
    made = climbed[4]
    for metric in ("posterior", "difference"):
        again = ladder(ZeroConcentratedDP(0.01, **A), [7], metric=metric, prior=0.2)
        moved = disclosure(ZeroConcentratedDP(0.07, **A), confidence=0.95)
        ends = moved.posterior(0.2) if metric == "posterior" else moved.difference()
        assert again.rung("zCDP curve").values[0] == float(ends.upper)
    assert made.rung("zCDP curve").losses[3] == float(moved.loss)


@pytest.mark.parametrize("limit", [0.52, 0.6, 0.7, 0.8])
@pytest.mark.parametrize(("subject", "last"), [(PureDP(0.05, **A), 60), (SUBJECTS[4][0], 12)])
def test_the_first_number_is_that_of_a_scan(limit, subject, last):
    """Whatever numbers the ladder was made for."""
    dense = ladder(subject, range(1, last + 1))
    for numbers in ([last], [1, last], [5, 6, last]):
        found = ladder(subject, numbers).until(limit)
        for rung in dense.rungs:
            over = np.flatnonzero(rung.values > limit)
            expected = int(over[0]) + 1 if over.size else None
            assert found[rung.name] == expected, rung.name


def test_a_limit_that_is_reached_is_kept():
    made = ladder(PureDP(0.05, **A), [20])
    reached = float(made.rung("basic").values[0])
    assert made.until(reached)["basic"] is None
    assert made.until(math.nextafter(reached, 0.0))["basic"] == 20


def test_parts_and_counts_are_composed_each_time():
    """Three a day for two days, or six at once."""
    part = PureDP(0.05, **A)
    daily = ladder(release(Part(part, 3)), [2])
    doubled = ladder(release(Part(part, 3), releases=2), [1])
    plain = ladder(part, [6])
    for rung in plain.rungs:
        for other in (daily, doubled):
            assert other.rung(rung.name).losses[0] == pytest.approx(rung.losses[0], rel=1e-12)


def test_what_was_given_counts():
    """Zero-concentrated DP does not say that noise is normal; Gaussian DP bounds as if it were."""
    best = {
        ladder(subject, [30]).best().name
        for subject in (ZeroConcentratedDP(0.01, **A), GaussianDP(0.1, **A), Gaussian(10, 1, **A))
    }
    assert best == {"zCDP curve", "Gaussian DP curve", "Gaussian noise"}
    assert not ladder(GaussianDP(0.1, **A), [1]).rung(NORMAL[1]).given
    assert ladder(Gaussian(10, 1, **A), [1]).rung(NORMAL[1]).given


def test_scopes():
    scopes = [rung.holds_for for rung in ladder(Laplace(20.0, 1.0, **A), [3]).rungs]
    assert scopes == ["promise"] * 7 + ["mechanism", "raw output"]


def test_raw_output_is_left_out_where_the_loss_is_known_between_two_others():
    names = [rung.name for rung in ladder(SubsampledLaplace(2.0, 1.0, 0.1, **A), [1]).rungs]
    assert "mechanism" in names
    assert "mechanism, raw output" not in names


def test_plain_data():
    made = ladder(PureDP(0.05, **A), [1, 30])
    data = made.to_dict(0.8)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["schema"] == LADDER
    assert data["releases"] == [1, 30]
    rungs = {rung["name"]: rung for rung in data["rungs"]}
    assert rungs["basic"]["first_over"] == 28
    assert rungs["basic"]["values"] == made.rung("basic").values.tolist()
    assert rungs["basic"]["lower"] is None
    assert rungs["exact curve"]["lower"][1] <= rungs["exact curve"]["values"][1]
    assert "Theorem 2.8(1)" in rungs["basic"]["citations"][0]
    assert data["limit"] == 0.8
    assert made.to_dict()["rungs"][0]["first_over"] is None
    assert ladder(PureDP(0.05, **A), [1], metric="difference").to_dict()["prior"] is None
    assert ladder(ApproxDP(0.05, 1.0, **A), [1]).to_dict()["rungs"][0]["losses"] == [None]


def test_nothing_can_be_changed():
    made = ladder(PureDP(0.05, **A), [1])
    with pytest.raises(FrozenInstanceError):
        made.prior = 0.1
    with pytest.raises(ValueError, match="read-only"):
        made.rungs[0].values[0] = 0.0
    assert repr(made).startswith("<Ladder of pure DP with ε = 0.05")


def test_progress_is_told():
    told = []
    with progress(told.append):
        made = ladder(PureDP(0.05, **A), [1, 2, 3])
    assert [step.done for step in told if step.stage == "climbing"] == list(range(8))
    assert [step.done for step in told if step.stage == made.rungs[0].name] == list(range(4))
    assert len(made.rungs) == 7


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 800.0])
def test_extremes(epsilon):
    made = ladder(PureDP(epsilon, **A), [1, 50], prior=0.3)
    for rung in made.rungs:
        assert np.all((rung.values >= 0.3) & (rung.values <= 1.0))
        if epsilon == 0.0 and rung.name.endswith(("basic, best delta", "curve")):
            assert np.all(rung.values == 0.3)


def test_where_no_confidence_is_asked_for():
    """Certainty where the loss is bounded; and then epsilons add up, and that is all."""
    sure = curves.ladder(PureDP(0.05, **A), [1, 30])
    assert sure.confidence is None
    assert sure.delta is None
    assert [rung.name for rung in sure.rungs] == ["basic"]
    assert sure.rungs[0].losses.tolist() == pytest.approx([0.05, 1.5], rel=1e-15)
    assert sure.to_dict(0.8)["rungs"][0]["first_over"] == 28  # log(4) / 0.05 = 27.7
    run = curves.ladder(Laplace(20.0, 1.0, **A), [30])
    assert run.confidence is None
    assert run.rungs[0].losses.tolist() == pytest.approx([1.5], rel=1e-15)
    mostly = curves.ladder(ZeroConcentratedDP(0.01, **A), [30])
    assert mostly.confidence == 0.99
    assert curves.ladder(ApproxDP(0.05, 0.02, **A), [1]).confidence == 0.95


def test_certain_priors_stay():
    for prior in (0.0, 1.0):
        made = ladder(ApproxDP(1.0, 0.5, **A), [1, 9], prior=prior)
        assert all(np.all(rung.values == prior) for rung in made.rungs)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"releases": []}, "releases must be a list of 1 to"),
        ({"releases": [0]}, r"releases must be a whole number in \[1, 10\^9\], got 0"),
        ({"releases": [1.5]}, "releases must be a whole number"),
        ({"releases": [math.nan]}, "releases must be a whole number"),
        ({"prior": -0.1}, r"prior must be a number in \[0, 1\]"),
        ({"confidence": 1.0}, r"confidence must be a number in \(0, 1\)"),
        ({"delta": 0.05}, r"delta must be a number in \(0, 0.05\)"),
        ({"delta": 0.0}, "less than one minus the confidence"),
        ({"metric": "odds"}, "metric must be one of 'posterior' or 'difference'"),
        ({"subject": 3}, "subject must be a Guarantee, a Mechanism or a Release"),
        ({"subject": release()}, "subject must be a release with at least one part"),
    ],
)
def test_what_is_refused(change, words):
    asked: dict = {"subject": PureDP(0.05, **A), "releases": [1], **change}
    with pytest.raises(InvalidInput, match=words):
        ladder(asked.pop("subject"), asked.pop("releases"), **asked)


def test_limits_and_rungs_are_checked():
    made = ladder(PureDP(0.05, **A), [1])
    with pytest.raises(OutOfRange, match="limit must be"):
        made.until(1.5)
    with pytest.raises(InvalidInput, match="Did you mean 'advanced'"):
        made.rung("advancd")


def test_beyond_what_can_be_promised():
    """Numbers that add up to more than 10^9 promise nothing; what is run says more."""
    climbed = ladder(ZeroConcentratedDP(2.63, neighbors="replace-one"), [1, 10**9])
    found = {rung.name: rung for rung in climbed.rungs}
    for name in ZCDP:
        assert math.isfinite(found[name].losses[0])
        assert found[name].losses[1] == math.inf
    normal = found["Gaussian noise"]
    middle = 2.63e9  # of the loss; noise of the order of its root
    assert abs(normal.losses[1] / middle - 1.0) < 1e-3
    assert ladder(SubsampledGaussian(1.1, 1.0, 0.004267, **A), [10**9]).rungs[-1].losses[0] > 0.0
