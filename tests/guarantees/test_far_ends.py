"""Where brackets of composed losses used to end on the wrong side: truths from elsewhere."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from flint import arb  # type: ignore[import-not-found]
from scipy.optimize import linprog

from dprisk import PrivacyLoss
from dprisk.composition import compose
from dprisk.losses import LossPair, PointLoss
from dprisk.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    PairOfDistributions,
    RandomizedResponse,
    SubsampledGaussian,
)
from dprisk.risk import disclosure
from tests.oracles.make_composed_truth import Residues, bits

A: Any = {"neighbors": "add-remove"}
RELATIONS = ("add-remove", "replace-one")
LOPSIDED = [0.5, 0.5, 0.0], [0.25, 0.25, 0.5]


def repeated(mechanism, count):
    """So many times the same."""
    return compose([mechanism.loss()], [count]).guarantee


@pytest.mark.parametrize("neighbors", RELATIONS)
@pytest.mark.parametrize("turned", [False, True])
def test_power_without_false_alarms_is_what_either_side_reveals(neighbors, turned):
    """Half of Q is impossible under P, whichever of them is called P."""
    pair = LOPSIDED[::-1] if turned else LOPSIDED
    loss = PairOfDistributions(*pair, neighbors=neighbors).loss()
    assert loss.power(0.0).bracket == (0.5, 0.5)
    assert loss.power([0.0, 1e-12]).value[0] == 0.5
    assert loss.power(1e-300).value >= 0.5
    assert loss.delta(np.inf).value == 0.5
    low, high = loss.level(1.0).bracket
    assert low <= 0.5 <= high
    twice = compose([loss], [2]).guarantee
    assert twice.power(0.0).bracket == pytest.approx((0.75, 0.75), rel=1e-14)
    assert twice.power(0.0).bracket[0] <= 0.75 <= twice.power(0.0).value


def most_outside(p, q, limit):
    """Most P[abs(Z) > limit] of what is computed from one output: a linear program.

    u and d are the chances to answer "up" and "down"; the odds of "up" have to move up, of "down"
    down, by the factor or more.
    """
    p, q = np.array(p), np.array(q)
    grown = np.exp(limit)
    none = np.zeros_like(p)
    rows = np.concatenate(
        [
            [np.concatenate([grown * q - p, none]), np.concatenate([none, grown * p - q])],
            np.hstack([np.eye(len(p)), np.eye(len(p))]),
        ]
    )
    most = np.concatenate([[0.0, 0.0], np.ones_like(p)])
    return -linprog(-np.concatenate([p, p]), rows, most, bounds=(0.0, 1.0)).fun


@pytest.mark.parametrize("limit", [0.3, 0.6, 1.0, 2.0, 4.0])
@pytest.mark.parametrize("neighbors", RELATIONS)
def test_both_tails_of_a_lopsided_pair(limit, neighbors):
    """Both directions are not at their worst at once."""
    for p, q in (LOPSIDED, ([0.7, 0.2, 0.1], [0.1, 0.6, 0.3]), ([0.9, 0.1], [0.99, 0.01])):
        loss = PairOfDistributions(p, q, neighbors=neighbors).loss()
        truth = max(most_outside(p, q, limit), most_outside(q, p, limit))
        low, high = loss.tail(limit).bracket
        assert low - 1e-9 <= truth <= high + 1e-9
        low, high = loss.loss_bound(min(truth, 1.0)).bracket
        assert low <= limit + 1e-6


def test_alone_or_in_an_array():
    """The whole mass, rounded, says nothing about delta where that is small."""
    c, k, x = 1.0 / 0.5517977428032194, 80, 141.65901329722175
    bits(400)
    truth = Residues([(arb(c), k)]).at(arb(x))[0]
    loss = repeated(Laplace(0.5517977428032194, 1.0, **A), k)
    for asked in ([x], [0.0, x], np.linspace(0.0, x, 9)):
        low, high = (end[-1] for end in loss.delta(asked).bracket)
        assert arb(low) <= truth <= arb(high)


@pytest.mark.parametrize("failure", [1e-10, 1e-20, 1e-100, 1e-300, 5e-324])
@pytest.mark.parametrize("epsilon", [1e-6, 1e-3, 0.3])
def test_loss_bound_of_small_losses(epsilon, failure):
    """Of randomized response it is epsilon, for every failure below the tail."""
    loss = RandomizedResponse(epsilon, **A).loss()
    for sides in ("one", "both"):
        low, high = loss.loss_bound(failure, sides=sides).bracket
        assert low <= epsilon <= high
        assert high <= epsilon * (1.0 + 1e-12) and low >= epsilon - 1e-13


def test_largest_loss_is_rounded_upwards():
    """Five times epsilon as a float is less than the truth: there the tail is not zero yet."""
    epsilon = 0.0007035185621396842
    at = 5 * epsilon
    assert Fraction(at) < 5 * Fraction(epsilon)
    loss = repeated(RandomizedResponse(epsilon, **A), 5)
    most = (mpmath.mpf(1) / (1 + mpmath.exp(-mpmath.mpf(epsilon)))) ** 5
    assert loss.tail(at, sides="one").value >= most
    assert loss.delta(at).value > 0.0
    assert loss.tail(math.nextafter(at, 1.0)).value == 0.0
    assert loss.loss_bound(0.0).value >= Fraction(5) * Fraction(epsilon)


@pytest.mark.parametrize(
    "mechanism",
    [
        RandomizedResponse(18.4306901934377, **A),
        RandomizedResponse(20.0, 5, **A),
        Geometric(0.05, 1, **A),
        Geometric(0.1, 3, **A),
        Gaussian(1.0, 9.0, **A),
    ],
)
def test_full_power_has_full_level(mechanism):
    """Nothing is impossible under either distribution, so only what always alarms never misses."""
    loss = repeated(mechanism, 2)
    assert loss.level(1.0).bracket == (1.0, 1.0)
    assert loss.level([0.5, 1.0]).value[1] == 1.0


@pytest.mark.parametrize("epsilon", [36.5, 36.7, 18.3, 3.0])
@pytest.mark.parametrize("missed", [2.0**-53, 1e-15, 1e-12])
def test_nearly_full_power(epsilon, missed):
    """Of randomized response: 1 - e^epsilon (1 - power), or less."""
    power = 1.0 - missed
    with mpmath.workdps(60):
        e = mpmath.exp(mpmath.mpf(epsilon))
        truth = max(1 - e * (1 - mpmath.mpf(power)), mpmath.mpf(power) / e)
    low, high = RandomizedResponse(epsilon, **A).loss().level(power).bracket
    assert low <= truth <= high and high - low <= 1e-9 * high + 2e-13


@pytest.mark.parametrize(("mu", "failure"), [(57.9, 0.0404), (57.9, 1e-9), (80.0, 0.9)])
@pytest.mark.parametrize("sides", ["one", "both"])
def test_loss_bound_where_the_level_underflows(mu, failure, sides):
    """log(m / level) with the level at which Gaussian noise has the power m."""
    with mpmath.workdps(60):
        mu, m = mpmath.mpf(float(mu)), mpmath.mpf(failure)
        z = mpmath.sqrt(2) * mpmath.erfinv(2 * m - 1)  # the other tail adds nothing in 60 digits
        truth = mpmath.log(m / mpmath.ncdf(z - mu))
    loss = Gaussian(1.0, float(mu), **A).loss()
    low, high = loss.loss_bound(failure, sides=sides).bracket
    assert low <= truth <= high and high - low < 0.5


def test_far_tails_under_the_other():
    """e^-z is off by z units in the last place where z is rounded."""
    scale, count = 0.3, 100
    loss = repeated(Geometric(scale, 1, **A), count)
    with mpmath.workdps(80):
        c = 1 / mpmath.mpf(scale)
        right = 1 / (1 + mpmath.exp(-c))
        for wrong in (0, 1, 3, 20, 40):
            truth = mpmath.fsum(
                mpmath.binomial(count, j) * right**count * mpmath.exp(-c * (count - j))
                for j in range(wrong + 1)
            )
            x = float((count - 2 * wrong - 1) * c)
            found = loss.distribution("out").beyond(np.array([x]))
            assert found.lower[0] <= truth <= found.upper[0]


@pytest.mark.parametrize("sigma", [0.2, 0.35, 0.5, 1.0])
def test_far_out_with_narrow_discrete_noise(sigma):
    """Sums over the integers, with 60 digits."""
    loss = DiscreteGaussian(sigma, 1, **A).loss()
    with mpmath.workdps(60):
        v = 2 * mpmath.mpf(sigma) ** 2
        total = mpmath.fsum(mpmath.exp(-k * k / v) for k in range(-99, 100))
        for place in (0, 1, 3, int(20 * sigma), int(36 * sigma)):
            x = float((2 * place + 1.7) / v)
            terms = [(k, mpmath.exp(-k * k / v) / total) for k in range(place, place + 99)]
            losses = [((2 * k + 1) / v, p) for k, p in terms]
            beyond = [(z, p) for z, p in losses if z > x]
            delta = mpmath.fsum(p * -mpmath.expm1(x - z) for z, p in beyond)
            tail = mpmath.fsum(p for _, p in beyond)
            low, high = loss.delta(x).bracket
            assert low <= delta <= high
            low, high = loss.tail(x, sides="one", post_processing=False).bracket
            assert low <= tail <= high


def test_nothing_is_zero_that_only_underflows():
    """(1e-170)^2 is no float, but it is there."""
    rare = PairOfDistributions([1e-170, 1.0 - 1e-170], [1e-190, 1.0 - 1e-190], **A)
    loss = repeated(rare, 2)
    top = 40 * math.log(10.0)
    assert 0.0 < loss.delta(top * 0.999).value < 1e-300
    assert loss.delta(top * 0.999).bracket[0] == 0.0
    assert loss.delta(top * 1.001).value == 0.0
    assert loss.delta(np.inf).bracket == (0.0, 0.0)
    assert 0.0 < loss.tail(top * 0.999, sides="one", post_processing=False).value < 1e-300


@pytest.mark.parametrize(
    ("mechanism", "count"),
    [
        (SubsampledGaussian(1.1, 1.0, 0.004267, **A), 14062),
        (SubsampledGaussian(0.3, 1.0, 0.5, **A), 300),
        (DiscreteGaussian(0.01, 1, **A), 1),
        (DiscreteGaussian(2.0, 1, **A), 3),
    ],
)
def test_what_a_computation_cuts_off_is_not_revealed(mechanism, count):
    """No output is impossible under either distribution; noise has no end, so no bound is sure."""
    loss = repeated(mechanism, count)
    assert loss.delta(np.inf).bracket == (0.0, 0.0)
    assert loss.power(0.0).bracket == (0.0, 0.0)
    assert loss.level(1.0).bracket == (1.0, 1.0)
    assert loss.tail(np.inf).value == 0.0
    assert loss.loss_bound(0.0).value == np.inf == loss.epsilon(0.0).value
    assert loss.epsilon(1e-300).value == np.inf or loss.epsilon(1e-300).value > 0.0
    assert loss.loss_bound(0.01).value < np.inf
    assert disclosure(loss, confidence=0.99).loss.value < np.inf
    raw = loss.distribution()
    assert raw.quantile(np.ones(1)).upper[0] == np.inf


def test_what_is_revealed_stays_so():
    """One in a million comes out, in one run and in many."""
    shown = LossPair.known(PointLoss.of([0.0], [1.0 - 1e-6], 1e-6, None, 1e-6), label="shown")
    for count in (1, 5, 100_000):
        low, high = PrivacyLoss([shown], [count], **A).delta(np.inf).bracket
        with mpmath.workdps(40):
            truth = 1 - (1 - mpmath.mpf(1e-6)) ** count
            assert low <= truth <= high and high - low <= 1e-14 * high


@pytest.mark.parametrize(
    "mechanism",
    [
        RandomizedResponse(1e-7, 50, **A),
        SubsampledGaussian(1.0, 1.0, 0.5, **A),
        Geometric(0.14052710042268077, 2, **A),
        Geometric(1e9, 2, **A),
        Gaussian(6e7, 600.0, **A),
        Laplace(1e6, 1.0, **A),
    ],
)
def test_questions_at_the_limits_of_floats(mechanism):
    """Both ends are numbers, in order, and nothing overflows on the way."""
    chances = np.array([0.0, 5e-324, 1e-310, 1e-300, 1e-20, 0.5, 1.0 - 2.0**-53, 1.0])
    limits = np.array([0.0, 5e-324, 1e-300, 1e-9, 1.0, 800.0, 1e300, np.inf])
    loss = repeated(mechanism, 2)
    for name, asked in (
        ("delta", limits),
        ("epsilon", chances),
        ("power", chances),
        ("level", chances),
        ("tail", limits),
        ("loss_bound", chances),
    ):
        low, high = getattr(loss, name)(asked).bracket
        assert np.all(low <= high), name
