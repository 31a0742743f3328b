"""DP-SGD for a target: on the certified side, the next number beyond it, by several ways."""

from __future__ import annotations

from typing import Any

import pytest

from dprisk import GaussianDP, dp_sgd
from dprisk.budget import (
    AttackLimit,
    BayesLimit,
    EpsilonLimit,
    InformedLimit,
    Together,
    calibrate,
    most_releases,
)
from dprisk.budget.training import log_mu, noise_at
from dprisk.composition import compose
from dprisk.errors import InvalidInput, Meaningless
from dprisk.mechanisms import Gaussian, SubsampledGaussian, SubsampledLaplace

POISSON: Any = {"sampling": "poisson"}
A: Any = {"neighbors": "add-remove"}
LIMITS = {
    "epsilon": EpsilonLimit(1.0, 1e-5),
    "epsilon 8": EpsilonLimit(8.0, 1e-6),
    "power": AttackLimit("power", 0.2, level=0.05),
    "advantage": AttackLimit("advantage", 0.2),
    "predictive value": AttackLimit("predictive_value", 0.5, level=0.05, prior=0.1),
    "Bayes risk": BayesLimit(0.4),
    "Bayes risk from a prior": BayesLimit(0.08, prior=0.1),
    "posterior": InformedLimit("posterior", 0.7, prior=0.5, confidence=0.99),
    "difference": InformedLimit("difference", 0.3, confidence=0.95),
    "attribute": InformedLimit("posterior", 0.7, prior=0.1, confidence=0.9, secret="attribute"),
}
RUNS = {
    "noise_multiplier": {"sample_rate": 0.01, "steps": 500},
    "steps": {"sample_rate": 0.01, "noise_multiplier": 1.1},
    "sample_rate": {"noise_multiplier": 1.1, "steps": 300},
    "batch_size": {"noise_multiplier": 1.1, "steps": 300, "examples": 5000},
}


def together(words, releases=1):
    """What all steps keep, without a search."""
    (part,) = dp_sgd(**words, **POISSON, **A).parts
    return compose([part.for_composition()], [part.count * releases]).guarantee


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("unknown", RUNS)
def test_what_is_found_keeps_the_limit_and_the_next_breaks_it(limit, unknown):
    asked, words = LIMITS[limit], RUNS[unknown]
    found = calibrate(asked, "dp-sgd", **POISSON, **words)
    assert (found.status, found.unknown) == ("limited", unknown)
    value: Any = float(found.value)
    value = int(value) if unknown in ("steps", "batch_size") else value
    assert asked.kept_by(together({**words, unknown: value}))
    breaks = found.breaks_at
    if breaks is not None:
        low = asked.measured(together({**words, unknown: breaks})).bracket[0]
        assert low > asked.most
        assert abs(breaks - value) <= max(1.5e-6 * value, 1.0 if isinstance(value, int) else 0.0)
        assert (breaks > value) == (unknown != "noise_multiplier")
    assert breaks is not None or asked.takes_confidence
    assert found.release.parts[0].count == found.training.count()


@pytest.mark.parametrize("limit", ["epsilon", "power", "Bayes risk"])
def test_steps_are_those_that_most_releases_finds(limit):
    asked = LIMITS[limit]
    found = calibrate(asked, "dp-sgd", **POISSON, **RUNS["steps"])
    other = most_releases(asked, SubsampledGaussian(1.1, 1.0, 0.01, **A))
    assert float(found.value) == other.number


def test_a_full_batch_is_normal_noise():
    """By the search for noise without samples."""
    asked = EpsilonLimit(1.0, 1e-5)
    found = calibrate(asked, "dp-sgd", sampling="full-batch", steps=100)
    other = calibrate(asked, "gaussian", releases=100)
    assert float(found.value) == pytest.approx(float(other.value), rel=2e-6)
    run: Any = {"sampling": "full-batch", "steps": 100, "neighbors": "replace-one"}
    norm = calibrate(asked, "dp-sgd", **run, noise_relative_to="clipping-norm")
    assert float(norm.value) == pytest.approx(2.0 * float(other.value), rel=2e-6)
    assert norm.release.parts[0].mechanism == Gaussian(
        float(norm.value), 2.0, neighbors="replace-one"
    )


def test_what_was_spent_before_counts():
    before = Together(2, spent=[(GaussianDP(0.3, **A), 2)])
    asked = EpsilonLimit(3.0, 1e-5)
    found = calibrate(asked, "dp-sgd", releases=before, **POISSON, **RUNS["noise_multiplier"])
    step = SubsampledGaussian(float(found.value), 1.0, 0.01, **A).loss()
    whole = compose([GaussianDP(0.3, **A), step], [2, 1000]).guarantee
    assert 3.0 * (1 - 1e-5) < float(whole.epsilon(1e-5)) <= 3.0
    full = Together(1, spent=[(GaussianDP(3.0, **A), 1)])
    none = calibrate(asked, "dp-sgd", releases=full, **POISSON, **RUNS["noise_multiplier"])
    assert none.status == "infeasible" and "Earlier" in none.reason
    with pytest.raises(Meaningless, match="no training"):
        none.release  # noqa: B018


@pytest.mark.parametrize(
    ("limit", "words", "status", "said"),
    [
        (EpsilonLimit(1e-3, 1e-6), {"noise_multiplier": 0.4, "sample_rate": 0.5}, "infeasible",
         "single step"),
        (EpsilonLimit(1e-3, 1e-9), {"noise_multiplier": 0.4, "steps": 10**6, "examples": 100},
         "infeasible", "single record"),
        (EpsilonLimit(50.0, 1e-5), {"noise_multiplier": 5.0, "steps": 1, "examples": 100},
         "no limit", "all records"),
        (BayesLimit(0.6), RUNS["steps"], "infeasible", "nothing"),
        (BayesLimit(0.0), RUNS["steps"], "no limit", ""),
    ],
)  # fmt: skip
def test_nothing_keeps_it_or_everything(limit, words, status, said):
    found = calibrate(limit, "dp-sgd", **POISSON, **words)
    assert found.status == status
    assert said in found.reason
    assert found.to_dict()["status"] == status


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ({"sample_rate": 0.01}, "noise_multiplier and steps"),
        ({"noise_multiplier": 1.1, **RUNS["noise_multiplier"]}, "noise_multiplier"),
        ({"noise_multiplier": 1.1, "examples": 100, "epochs": 3}, "epochs"),
        ({"sample_rate": 0.01, "steps": 3, "rate": 0.01}, "parameters"),
    ],
)
def test_one_number_is_left_out(words, name):
    with pytest.raises(InvalidInput) as caught:
        calibrate(EpsilonLimit(1.0, 1e-5), "dp-sgd", **POISSON, **words)
    assert caught.value.name == name


def test_certainty_takes_bounded_noise():
    with pytest.raises(Meaningless, match="no largest value"):
        calibrate(EpsilonLimit(1.0, 0.0), "dp-sgd", **POISSON, **RUNS["noise_multiplier"])


@pytest.mark.parametrize("kind", ["subsampled-gaussian", "subsampled-laplace"])
@pytest.mark.parametrize("limit", ["epsilon", "power", "Bayes risk"])
@pytest.mark.parametrize("sensitivity", [1.0, 7.0])
def test_noise_on_samples(kind, limit, sensitivity):
    asked = LIMITS[limit]
    found = calibrate(asked, kind, sensitivity, releases=20, rate=0.05)
    width = float(found.value)
    made = SubsampledGaussian if kind == "subsampled-gaussian" else SubsampledLaplace
    assert found.mechanism == made(width, sensitivity, 0.05, **A)
    for times, keeps in ((1.0, True), (1.0 - 3e-6, False)):
        loss = made(width * times, sensitivity, 0.05, **A).loss()
        assert asked.kept_by(compose([loss], [20]).guarantee) == keeps


def test_pure_noise_on_samples_keeps_a_limit_with_certainty():
    found = calibrate(EpsilonLimit(0.5, 0.0), "subsampled-laplace", rate=0.1)
    assert float(found.mechanism.guarantee().epsilon(0.0)) <= 0.5
    smaller = SubsampledLaplace(float(found.value) * (1 - 3e-6), 1.0, 0.1, **A)
    assert float(smaller.guarantee().epsilon(0.0)) > 0.5


@pytest.mark.parametrize("more", [{}, {"rate": 0.0}, {"rate": 1.5}, {"rate": 0.1, "steps": 3}])
def test_a_sample_has_a_rate_and_nothing_more(more):
    with pytest.raises(InvalidInput):
        calibrate(EpsilonLimit(1.0, 1e-5), "subsampled-gaussian", **more)
    with pytest.raises(InvalidInput):
        calibrate(EpsilonLimit(1.0, 1e-5), "gaussian", rate=0.1)


@pytest.mark.parametrize("rate", [1e-9, 0.01, 0.7, 1.0])
@pytest.mark.parametrize("noise", [0.05, 0.7, 3.0, 1e5])
def test_places_and_numbers_are_inverse(noise, rate):
    place = log_mu(noise, rate, 500)
    assert noise_at(place, rate, 500) == pytest.approx(noise, rel=1e-6)
