"""A range of sampling rates: every history inside it lies between both ends."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dprisk import compose
from dprisk.errors import InvalidInput, OutOfRange
from dprisk.mechanisms import SubsampledGaussian, SubsampledGaussianRange

ADD = {"neighbors": "add-remove"}


def between(sigma, rate, least, count=1):
    made = SubsampledGaussianRange(sigma, 1.0, rate, least, **ADD)
    return compose([made], [count]).guarantee


def mixed(sigma, rates):
    return compose([SubsampledGaussian(sigma, 1.0, rate, **ADD) for rate in rates]).guarantee


@pytest.mark.parametrize(("low", "high"), [(0.01, 0.0100001), (0.2, 0.3), (0.01, 1.0)])
def test_every_rate_in_between_is_enclosed(low, high):
    found = between(1.0, high, low, 3)
    for rates in ([low] * 3, [high] * 3, [low, (low + high) / 2, high]):
        whole = mixed(1.0, rates)
        for delta in (1e-8, 1e-3):
            truth, enclosing = whole.epsilon(delta), found.epsilon(delta)
            assert enclosing.other_end <= truth.value and truth.other_end <= enclosing.value
        for epsilon in (0.0, 0.1, 1.0):
            truth, enclosing = whole.delta(epsilon), found.delta(epsilon)
            assert enclosing.other_end <= truth.value and truth.other_end <= enclosing.value


@pytest.mark.parametrize("rate", [1e-6, 0.01, 0.5, 0.999])
def test_rates_an_ulp_apart_take_one_loss(rate):
    high = math.nextafter(rate, 1.0)
    made = SubsampledGaussianRange(1.0, 1.0, high, rate, **ADD)
    pair = made.losses()
    assert pair.exact and 0.0 < pair.relative_error <= 1e-12
    x = np.linspace(-9.0, 9.0, 500)
    ratio = np.exp(x - 0.5)
    p, q = ((1.0 - each) + each * ratio for each in (high, rate))
    assert np.all(np.abs(p / q - 1.0) <= pair.relative_error + 4e-16)  # a few roundings here


def test_one_rate_is_itself():
    made, known = between(1.0, 0.01, 0.01, 100), between(1.0, 0.01, 0.01, 100)
    one = compose([SubsampledGaussian(1.0, 1.0, 0.01, **ADD)], [100]).guarantee
    assert made.epsilon(1e-5) == known.epsilon(1e-5)
    assert made.epsilon(1e-5).value == pytest.approx(one.epsilon(1e-5).value, abs=1e-9)


def test_hardly_any_noise():
    found = between(0.05, 0.02, 0.01).epsilon(1e-6)
    for rate in (0.01, 0.02):
        truth = mixed(0.05, [rate]).epsilon(1e-6)
        assert found.other_end <= truth.value and truth.other_end <= found.value


def test_bad_parameters_are_named():
    with pytest.raises(OutOfRange, match="least_rate must be at most the rate"):
        SubsampledGaussianRange(1.0, 1.0, 0.01, 0.02, **ADD)
    with pytest.raises(InvalidInput, match="neighbors"):
        SubsampledGaussianRange(1.0, 1.0, 0.01, 0.01, neighbors="replace-one")
    made = SubsampledGaussianRange(1.5, 1.0, 0.02, 0.01, **ADD)
    assert made.noise_sd == 1.5
    promise = made.guarantee()
    orders, most = (np.array(promise.parameters[name]) for name in ("alpha", "gamma"))
    assert np.all(most >= SubsampledGaussian(1.5, 1.0, 0.02, **ADD).renyi(orders))
