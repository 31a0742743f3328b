"""Random allocation against integrals of its likelihood ratios, made without the package."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

from dprisk.accountant import PrivacyLoss
from dprisk.composition import compose
from dprisk.errors import InvalidInput
from dprisk.guarantees import GaussianDP
from dprisk.mechanisms import Gaussian, RandomAllocation, SubsampledGaussian

A: Any = {"neighbors": "add-remove"}


def of_two(s, x):
    """E[(Y - e^x)+] and E[(1 - e^x Y)+], Y the mean of two: one integral of a formula."""
    unit, share = np.polynomial.legendre.leggauss(300)
    found = []
    for limit, sign in ((2.0 * math.exp(x), 1.0), (2.0 * math.exp(-x), -1.0)):
        kink = (math.log(limit) + s * s / 2.0) / s
        edges = np.array([-20.0, -8.0, 0.0, kink - 1.0, kink, kink + 1.0, kink + 3.0, 24.0])
        edges = np.sort(np.concatenate([edges, kink - 2.0 ** -np.arange(1.0, 40.0)]))
        half = np.diff(edges)[:, None] / 2.0
        z, w = (edges[:-1, None] + half * (unit + 1.0)).ravel(), (half * share).ravel()
        first = np.exp(s * z - s * s / 2.0)
        k = limit - first
        with np.errstate(divide="ignore", invalid="ignore"):
            d = (np.log(np.maximum(k, 1e-300)) + s * s / 2.0) / s
        call = np.where(k > 0.0, ndtr(s - d) - k * ndtr(-d), 1.0 - k)
        put = np.where(k > 0.0, k * ndtr(d) - ndtr(d - s), 0.0)
        density = np.exp(-z * z / 2.0) / math.sqrt(2.0 * math.pi)
        found.append(float((w * density * (call if sign > 0 else put)).sum()) / 2.0)
    return found[0], math.exp(x) * found[1]


def by_inversion(s, t, x):
    """E[(1 - e^x Y)+] from the Laplace transform of a lognormal, inverted along a line."""
    strike = t * math.exp(-x)
    z = np.linspace(-12.0, 12.0, 4001)
    weights = np.exp(-z * z / 2.0) / math.sqrt(2.0 * math.pi) * (z[1] - z[0])
    w = np.exp(s * z - s * s / 2.0)
    tried = np.geomspace(1e-3, 1e2, 400)  # the line through the saddle point loses no digits
    logs = np.array([math.log((weights * np.exp(-each * w)).sum()) for each in tried])
    c = float(tried[np.argmin(tried * strike + t * logs - 2.0 * np.log(tried))])
    step = c / 60.0
    u = c + 1j * step * np.arange(0, 4000)
    transform = np.array([(weights * np.exp(-each * w)).sum() for each in u])
    terms = (np.exp(u * strike + t * np.log(transform)) / (u * u)).real
    return math.exp(x) / t * step / math.pi * (terms.sum() - terms[0] / 2.0)


def directions(mechanism, x):
    """delta in both directions, at least and at most."""
    found = []
    for each in PrivacyLoss([mechanism.losses()], **A)._profiles:
        low, high = each.delta(np.array([x]))
        found.append((float(low[0]), float(high[0])))
    return found


@pytest.mark.parametrize("s", [0.2, 1.0, 1.9, 2.5])
@pytest.mark.parametrize("x", [0.0, 0.3, 1.0, 2.5])
def test_two_steps(s, x):
    epoch = RandomAllocation(sigma=1.0 / s, sensitivity=1.0, steps=2, **A)
    for (low, high), truth in zip(directions(epoch, x), of_two(s, x), strict=True):
        assert low <= truth * (1.0 + 1e-9) + 1e-15
        assert truth <= high * (1.0 + 1e-9) + 1e-15
    assert directions(epoch, x)[0][1] - directions(epoch, x)[0][0] < 1e-3 * of_two(s, x)[0] + 1e-12


@pytest.mark.parametrize(("s", "t", "x"), [(1.0, 30, 0.2), (0.5, 12, 0.1), (1.0, 200, 0.15)])
def test_many_steps(s, t, x):
    epoch = RandomAllocation(sigma=1.0 / s, sensitivity=1.0, steps=t, **A)
    (_, _), (low, high) = directions(epoch, x)
    truth = by_inversion(s, t, x)
    assert low * (1.0 - 1e-7) <= truth <= high * (1.0 + 1e-7)
    assert high - low < 1e-4 * truth


def test_one_of_a_thousand():
    """Between the ends that PLD_accounting 2.0 gives, and no wider than a millionth."""
    epoch = RandomAllocation(sigma=1.0, sensitivity=1.0, steps=1000, **A)
    low, high = epoch.loss().epsilon(1e-6).bracket
    assert 0.16865 < low < high < 0.17561
    assert high - low < 1e-6 * high
    poisson = SubsampledGaussian(1.0, 1.0, 1e-3, **A)
    assert high < compose([poisson], [1000]).guarantee.epsilon(1e-6).value


@pytest.mark.parametrize("delta", [1e-9, 1e-12, 1e-15, 1e-20])
def test_small_deltas_mean_something(delta):
    low, high = RandomAllocation(1.0, 1.0, 1000, **A).loss().epsilon(delta).bracket
    assert low < high < low * 1.001


def test_epochs():
    epoch = RandomAllocation(1.0, 1.0, 1000, **A)
    low, high = compose([epoch], [10]).guarantee.epsilon(1e-6).bracket
    assert low < high < low * (1.0 + 1e-5)
    one = epoch.loss().epsilon(1e-6).value
    assert one < low < 10.0 * one


@pytest.mark.parametrize(("t", "k"), [(3, 2), (4, 2), (4, 3)])
def test_several_uses(t, k):
    """Against outcomes drawn with both laws, weighted: no bracket lies on one side of them."""
    s, number = 0.7, 400_000
    random = np.random.default_rng(11)
    w = np.exp(s * random.normal(size=(number, t)) - s * s / 2.0)
    y = sum(w[:, list(each)].prod(axis=1) for each in combinations(range(t), k)) / math.comb(t, k)
    mechanism = RandomAllocation(1.0 / s, 1.0, t, k, **A)
    for x in (0.2, 0.8, 1.5):
        both = np.maximum(y - math.exp(x), 0.0), np.maximum(1.0 - math.exp(x) * y, 0.0)
        for (low, high), sample in zip(directions(mechanism, x), both, strict=True):
            truth, sure = sample.mean(), 5.0 * sample.std() / math.sqrt(number)
            assert low <= truth + sure
            assert truth - sure <= high


def test_ten_of_ten_thousand():
    low, high = RandomAllocation(1.0, 1.0, 10_000, 10, **A).loss().epsilon(1e-6).bracket
    ten = compose([RandomAllocation(1.0, 1.0, 1000, **A)], [10]).guarantee.epsilon(1e-6)
    assert low < high < low * 1.002
    assert high == pytest.approx(ten.value, rel=1e-5)


def test_ends():
    whole = RandomAllocation(2.0, 1.0, 4, 4, **A)
    assert whole.guarantee() == GaussianDP(1.0, **A)
    assert whole.loss().delta(1.0).value == Gaussian(1.0, 1.0, **A).loss().delta(1.0).value
    one = RandomAllocation(2.0, 1.0, 1, **A)
    assert one.loss().epsilon(1e-3).value == Gaussian(2.0, 1.0, **A).loss().epsilon(1e-3).value
    loud = RandomAllocation(0.1, 1.0, 5, **A).loss()
    assert loud.epsilon(1e-6).bracket[0] > 20.0
    assert loud.epsilon(1e-6).value <= Gaussian(0.1, 1.0, **A).loss().epsilon(1e-6).value
    assert RandomAllocation(1.0, 1.0, 50, **A).loss().delta(np.inf).value == 0.0


def test_the_promise_is_above_the_loss():
    epoch = RandomAllocation(1.0, 1.0, 50, **A)
    for x in (0.0, 0.2, 1.0, 3.0):
        assert epoch.guarantee().delta(x).value >= epoch.loss().delta(x).bracket[0]


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"steps": 0}, "steps"),
        ({"steps": 2.5}, "steps"),
        ({"uses": 11}, "uses"),
        ({"uses": 0}, "uses"),
        ({"sigma": 0.0}, "sigma"),
        ({"neighbors": "replace-one"}, "neighbors"),
    ],
)
def test_refused(given, name):
    with pytest.raises(InvalidInput, match=name):
        RandomAllocation(
            **{"sigma": 1.0, "sensitivity": 1.0, "steps": 10, "neighbors": "add-remove", **given}
        )
