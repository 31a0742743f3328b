"""Every mechanism keeps the guarantee that it states, checked against its own probabilities."""

from __future__ import annotations

import math
import pickle
from dataclasses import FrozenInstanceError, fields
from typing import Any

import numpy as np
import pytest
from scipy.special import logsumexp

from dprisk.errors import InvalidInput, OutOfRange, WrongName
from dprisk.guarantees import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from dprisk.mechanisms import (
    AboveThreshold,
    CyclicBatches,
    DiscreteGaussian,
    ExponentialMechanism,
    FixedBatches,
    Gaussian,
    GaussianMixture,
    Geometric,
    Laplace,
    MatrixGaussian,
    Mechanism,
    RandomAllocation,
    RandomizedResponse,
    SampleRelease,
    ShuffledResponse,
    Staircase,
    SubsampledDiscreteGaussian,
    SubsampledGaussian,
    SubsampledGaussianRange,
    SubsampledGeometric,
    SubsampledLaplace,
    TreeAggregation,
    TruncatedLaplace,
    TruncatedPoisson,
)
from dprisk.mechanisms.base import kinds

ADD: Any = {"neighbors": "add-remove"}
ONE_OF_EACH = {
    "above-threshold": AboveThreshold(2.0, 4.0, 1.0, **ADD),
    "matrix-gaussian": MatrixGaussian(2.0, 1.0, ((1.0, 0.0), (1.0, 1.0)), **ADD),
    "tree-aggregation": TreeAggregation(2.0, 1.0, 4, **ADD),
    "gaussian-mixture": GaussianMixture(1.0, (0.0, 1.0, 2.0), (0.9, 0.09, 0.01), **ADD),
    "shuffled-response": ShuffledResponse(1.0, 100, neighbors="replace-one"),
    "staircase": Staircase(1.0, 1.0, **ADD),
    "exponential": ExponentialMechanism(1.0, **ADD),
    "cyclic-batches": CyclicBatches(2.0, 1.0, 3, **ADD),
    "discrete-gaussian": DiscreteGaussian(2.0, 1, **ADD),
    "fixed-batches": FixedBatches(2.0, 1.0, 5, 20, **ADD),
    "gaussian": Gaussian(2.0, 1.0, **ADD),
    "geometric": Geometric(2.0, 1, **ADD),
    "laplace": Laplace(2.0, 1.0, **ADD),
    "random-allocation": RandomAllocation(1.0, 1.0, 20, **ADD),
    "randomized-response": RandomizedResponse(1.0, **ADD),
    "sample-release": SampleRelease(10, 1000, **ADD),
    "subsampled-gaussian": SubsampledGaussian(1.0, 1.0, 0.01, **ADD),
    "subsampled-gaussian-range": SubsampledGaussianRange(1.0, 1.0, 0.01, 0.0099, **ADD),
    "subsampled-discrete-gaussian": SubsampledDiscreteGaussian(2.0, 1, 0.1, **ADD),
    "subsampled-geometric": SubsampledGeometric(2.0, 1, 0.1, **ADD),
    "truncated-poisson": TruncatedPoisson(2.0, 1.0, 0.1, 5, 40, **ADD),
    "truncated-laplace": TruncatedLaplace(1.0, 1.0, 10.0, **ADD),
    "subsampled-laplace": SubsampledLaplace(1.0, 1.0, 0.01, **ADD),
}
ADDED_ONLY = {
    "random-allocation",
    "gaussian-mixture",
    "subsampled-discrete-gaussian",
    "subsampled-gaussian",
    "subsampled-gaussian-range",
    "subsampled-geometric",
    "subsampled-laplace",
    "truncated-poisson",
}


@pytest.mark.parametrize(
    ("mechanism", "guarantee"),
    [
        (RandomizedResponse(1.5, **ADD), PureDP(1.5, **ADD)),
        (RandomizedResponse(0.0, 7, **ADD), PureDP(0.0, **ADD)),
        (Laplace(4.0, 2.0, **ADD), PureDP(0.5, **ADD)),
        (Geometric(4.0, 3, **ADD), PureDP(0.75, **ADD)),
        (Gaussian(4.0, 2.0, **ADD), GaussianDP(0.5, **ADD)),
        (DiscreteGaussian(2.0, 3, **ADD), ZeroConcentratedDP(9 / 8, **ADD)),
        (SampleRelease(1, 4, **ADD), ApproxDP(0.0, 0.25, **ADD)),
        (SubsampledGaussian(4.0, 2.0, 1.0, **ADD), GaussianDP(0.5, **ADD)),
        (SubsampledLaplace(4.0, 2.0, 1.0, **ADD), PureDP(0.5, **ADD)),
    ],
)
def test_guarantee(mechanism, guarantee):
    assert mechanism.guarantee() == guarantee


@pytest.mark.parametrize("neighbors", ["add-remove", "replace-one"])
@pytest.mark.parametrize("kind", kinds())
def test_guarantee_is_for_its_neighbors(kind, neighbors):
    given = {**vars_of(ONE_OF_EACH[kind]), "neighbors": neighbors}
    only = kinds()[kind].relations
    assert (only == ("add-remove",)) == (kind in ADDED_ONLY)
    if neighbors not in only:
        with pytest.raises(InvalidInput, match=f"neighbors must be '{only[0]}'"):
            kinds()[kind](**given)
    else:
        assert kinds()[kind](**given).guarantee().neighbors == neighbors


def vars_of(mechanism):
    return {each.name: getattr(mechanism, each.name) for each in fields(mechanism)}


@pytest.mark.parametrize("categories", [2, 3, 10])
def test_randomized_response_from_its_table(categories):
    epsilon = 1.3
    truth = math.exp(epsilon) / (math.exp(epsilon) + categories - 1)
    table = np.full((categories, categories), (1 - truth) / (categories - 1))
    np.fill_diagonal(table, truth)
    ratios = table[:, None, :] / table[None, :, :]
    stated = RandomizedResponse(epsilon, categories, neighbors="replace-one").guarantee()
    assert np.log(ratios.max()) == pytest.approx(stated.parameters["epsilon"])


@pytest.mark.parametrize("sensitivity", [1, 4])
def test_geometric_from_its_probabilities(sensitivity):
    scale = 2.5
    values = np.arange(-60, 61)
    log_p = -np.abs(values) / scale
    log_q = -np.abs(values - sensitivity) / scale
    stated = Geometric(scale, sensitivity, **ADD).guarantee().parameters["epsilon"]
    assert np.max(np.abs(log_p - log_q)) == pytest.approx(stated)


@pytest.mark.parametrize(("sigma", "sensitivity"), [(0.7, 1), (2.0, 1), (3.0, 4)])
def test_discrete_gaussian_keeps_its_divergences(sigma, sensitivity):
    values = np.arange(-200, 201)
    log_p = -(values**2) / (2 * sigma**2)
    log_q = -((values - sensitivity) ** 2) / (2 * sigma**2)
    total = logsumexp(log_p)  # of both: q is p moved by whole steps
    rho = DiscreteGaussian(sigma, sensitivity, **ADD).guarantee().parameters["rho"]
    for order in (1.5, 2.0, 4.0):
        moment = logsumexp(order * log_p + (1 - order) * log_q) - total
        assert moment / (order - 1) <= order * rho * (1 + 1e-9)


@pytest.mark.parametrize("kind", kinds())
def test_kinds_are_frozen_values(kind):
    mechanism = ONE_OF_EACH[kind]
    assert type(mechanism) is kinds()[kind]
    assert isinstance(mechanism, Mechanism)
    assert pickle.loads(pickle.dumps(mechanism)) == mechanism
    assert hash(mechanism) == hash(kinds()[kind](**vars_of(mechanism)))
    with pytest.raises(FrozenInstanceError):
        mechanism.neighbors = "replace-one"


@pytest.mark.parametrize("kind", kinds())
def test_neighbors_are_required_and_checked(kind):
    given = vars_of(ONE_OF_EACH[kind])
    with pytest.raises(InvalidInput, match="neighbors must be "):
        kinds()[kind](**{**given, "neighbors": "add_remove"})
    del given["neighbors"]
    with pytest.raises(TypeError, match="neighbors"):
        kinds()[kind](**given)


BAD = [
    (Laplace, {"scale": 0.0, "sensitivity": 1.0}, "scale"),
    (Laplace, {"scale": math.inf, "sensitivity": 1.0}, "scale"),
    (Laplace, {"scale": math.nan, "sensitivity": 1.0}, "scale"),
    (Laplace, {"scale": 1.0, "sensitivity": -1.0}, "sensitivity"),
    (Laplace, {"scale": "1", "sensitivity": 1.0}, "scale"),
    (Laplace, {"scale": True, "sensitivity": 1.0}, "scale"),
    (Geometric, {"scale": 1.0, "sensitivity": 1.5}, "sensitivity"),
    (Geometric, {"scale": 1.0, "sensitivity": 0}, "sensitivity"),
    (Geometric, {"scale": 1.0, "sensitivity": math.nan}, "sensitivity"),
    (Geometric, {"scale": 1.0, "sensitivity": 10**12}, "sensitivity"),
    (Geometric, {"scale": 1.0, "sensitivity": "1"}, "sensitivity"),
    (Gaussian, {"sigma": 0.0, "sensitivity": 1.0}, "sigma"),
    (Gaussian, {"sigma": 1.0, "sensitivity": math.inf}, "sensitivity"),
    (DiscreteGaussian, {"sigma": -1.0, "sensitivity": 1}, "sigma"),
    (DiscreteGaussian, {"sigma": 1.0, "sensitivity": 0.5}, "sensitivity"),
    (RandomizedResponse, {"epsilon": -0.1}, "epsilon"),
    (RandomizedResponse, {"epsilon": math.inf}, "epsilon"),
    (RandomizedResponse, {"epsilon": 1.0, "categories": 1}, "categories"),
    (RandomizedResponse, {"epsilon": 1.0, "categories": 2.5}, "categories"),
    (RandomizedResponse, {"epsilon": [1.0, 2.0]}, "epsilon"),
    (SampleRelease, {"sample": 0, "population": 10}, "sample"),
    (SampleRelease, {"sample": 11, "population": 10}, "sample"),
    (SampleRelease, {"sample": 1, "population": 10.5}, "population"),
    (SubsampledGaussian, {"sigma": 0.0, "sensitivity": 1.0, "rate": 0.1}, "sigma"),
    (SubsampledGaussian, {"sigma": 1.0, "sensitivity": 1.0, "rate": 0.0}, "rate"),
    (SubsampledLaplace, {"scale": 1.0, "sensitivity": 1.0, "rate": 1.1}, "rate"),
    (SubsampledLaplace, {"scale": 1.0, "sensitivity": math.nan, "rate": 0.1}, "sensitivity"),
]


@pytest.mark.parametrize(("mechanism", "given", "name"), BAD)
def test_bad_parameters_are_refused_by_name(mechanism, given, name):
    with pytest.raises(OutOfRange, match=f"^{name} must be") as caught:
        mechanism(**given, neighbors="add-remove")
    assert caught.value.name == name


def test_whole_numbers_may_come_as_floats():
    mechanism = Geometric(1.0, 2.0, **ADD)
    assert mechanism.sensitivity == 2
    assert isinstance(mechanism.sensitivity, int)


def test_no_noise_to_speak_of():
    assert Laplace(5e-324, 1e300, **ADD).guarantee() == PureDP(math.inf, **ADD)
    with pytest.raises(OutOfRange, match="mu must be"):
        Gaussian(5e-324, 1e300, **ADD).guarantee()
    with pytest.raises(OutOfRange, match="rho must be"):
        DiscreteGaussian(1e-300, 1, **ADD).guarantee()


@pytest.mark.parametrize("name", ["epsilon", "delta", "power", "posterior"])
def test_what_is_asked_of_a_promise_is_said_where_it_is(name):
    with pytest.raises(WrongName, match=f"A mechanism has no {name}"):
        getattr(Gaussian(1.0, 1.0, **ADD), name)
    assert not hasattr(Gaussian(1.0, 1.0, **ADD), "anything else")
    assert RandomizedResponse(1.0, **ADD).epsilon == 1.0
