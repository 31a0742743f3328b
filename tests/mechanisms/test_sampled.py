"""Samples against mixtures of their outputs, value by value, made without the package."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dprisk.composition import compose
from dprisk.errors import InvalidInput
from dprisk.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    PairOfDistributions,
    PoissonSubsampled,
    RandomizedResponse,
    SubsampledDiscreteGaussian,
    SubsampledGaussian,
    SubsampledGeometric,
    SubsampledLaplace,
    TruncatedLaplace,
)

A: Any = {"neighbors": "add-remove"}
EPSILONS = (0.0, 0.01, 0.1, 0.5, 1.2)


def delta(p, q, x):
    return max(float(np.maximum(a - math.exp(x) * b, 0.0).sum()) for a, b in ((p, q), (q, p)))


def on_integers(log_weight, shift):
    k = np.arange(-400, 401)
    weights = np.exp(log_weight(k))
    return np.exp(log_weight(k - shift)) / weights.sum(), weights / weights.sum()


NOISES = {
    "geometric": (Geometric(2.0, 3, **A), on_integers(lambda k: -np.abs(k) / 2.0, 3)),
    "discrete": (DiscreteGaussian(3.0, 2, **A), on_integers(lambda k: -k * k / 18.0, 2)),
    "response": (
        RandomizedResponse(1.5, **A),
        (np.array([math.exp(1.5), 1.0]), np.array([1.0, math.exp(1.5)])),
    ),
    "pair": (
        PairOfDistributions([0.6, 0.3, 0.1, 0.0], [0.2, 0.3, 0.4, 0.1], **A),
        (np.array([0.6, 0.3, 0.1, 0.0]), np.array([0.2, 0.3, 0.4, 0.1])),
    ),
}


@pytest.mark.parametrize("rate", [0.01, 0.3, 0.9])
@pytest.mark.parametrize("name", NOISES)
def test_a_sample_is_a_mixture(name, rate):
    noise, (one, other) = NOISES[name]
    one, other = one / one.sum(), other / other.sum()
    p = (1.0 - rate) * other + rate * one
    loss = PoissonSubsampled(noise, rate, **A).loss()
    twice = compose([PoissonSubsampled(noise, rate, **A)], [2]).guarantee
    both = np.multiply.outer(p, p), np.multiply.outer(other, other)
    for x in EPSILONS:
        for answer, truth in (
            (loss.delta(x), delta(p, other, x)),
            (twice.delta(x), delta(*both, x)),
        ):
            low, high = answer.bracket
            assert low <= truth * (1.0 + 1e-9) + 1e-14
            assert truth <= high * (1.0 + 1e-9) + 1e-14
            assert high - low <= 1e-3 * truth + 1e-6


def test_files_know_noise_on_integers():
    geometric = SubsampledGeometric(2.0, 3, 0.1, **A)
    same = PoissonSubsampled(Geometric(2.0, 3, **A), 0.1, **A)
    assert geometric.loss().delta(0.1).value == same.loss().delta(0.1).value
    exact = math.log1p(0.1 * math.expm1(1.5))
    assert geometric.guarantee().parameters["epsilon"] == pytest.approx(exact, rel=1e-15)
    discrete = SubsampledDiscreteGaussian(3.0, 2, 0.1, **A)
    assert discrete.guarantee().delta(0.2).value >= discrete.loss().delta(0.2).bracket[0]


def test_wide_discrete_noise_is_nearly_normal():
    many = compose([SubsampledDiscreteGaussian(20.0, 20, 0.01, **A)], [100]).guarantee
    normal = compose([SubsampledGaussian(20.0, 20.0, 0.01, **A)], [100]).guarantee
    low, high = many.epsilon(1e-6).bracket
    assert low * 0.999 < normal.epsilon(1e-6).value < high * 1.001


@pytest.mark.parametrize(("sigma", "sensitivity"), [(0.7, 1), (4.0, 1), (11.0, 2)])
@pytest.mark.parametrize("rate", [1e-3, 0.5])
def test_far_out_nothing_is_revealed(sigma, sensitivity, rate):
    """Beyond the losses that a float can hold, the lower end is not more than there is."""
    noise = SubsampledDiscreteGaussian(sigma, sensitivity, rate, **A)
    largest = sensitivity * (2 * 60 * sigma + sensitivity) / (2 * sigma**2)
    low, high = noise.loss().delta([largest, np.inf]).bracket
    assert np.all(low == 0.0)
    assert 0.0 < high[0] < 1e-299 and high[1] < 1e-299


def test_noise_with_a_loss_of_its_own():
    sampled = PoissonSubsampled(Gaussian(2.0, 1.0, **A), 0.1, **A).loss()
    assert (
        sampled.delta(0.1).value == SubsampledGaussian(2.0, 1.0, 0.1, **A).loss().delta(0.1).value
    )
    sampled = PoissonSubsampled(Laplace(2.0, 1.0, **A), 0.1, **A).loss()
    assert sampled.delta(0.0).value == SubsampledLaplace(2.0, 1.0, 0.1, **A).loss().delta(0.0).value


def test_what_is_revealed_is_sampled():
    noise = TruncatedLaplace(1.0, 1.0, 5.0, **A)
    sampled = PoissonSubsampled(noise, 0.1, **A).loss()
    whole = noise.loss().delta(np.inf)
    assert sampled.delta(np.inf).value == pytest.approx(0.1 * whole.value, rel=1e-9)


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: PoissonSubsampled(3, 0.1, **A), "mechanism"),  # type: ignore[arg-type]
        (lambda: PoissonSubsampled(Geometric(1.0, 1, **A), 0.0, **A), "rate"),
        (lambda: PoissonSubsampled(Geometric(1.0, 1, neighbors="replace-one"), 0.1, **A), "mech"),
        (lambda: PoissonSubsampled(Geometric(1.0, 1, **A), 0.1, neighbors="replace-one"), "neigh"),
        (
            lambda: PoissonSubsampled(SubsampledGaussian(1.0, 1.0, 0.1, **A), 0.1, **A).losses(),
            "mechanism",
        ),
        (lambda: SubsampledGeometric(1.0, 0, 0.1, **A), "sensitivity"),
    ],
)
def test_refused(make, name):
    with pytest.raises(InvalidInput, match=name):
        make()
