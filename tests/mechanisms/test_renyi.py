"""Rényi divergences that mechanisms state are never below the truth, and hardly above it.

The truth is worked out with 60 digits from the definition of each mechanism.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

from dprisk.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    PairOfDensities,
    PairOfDistributions,
    RandomizedResponse,
    SampleRelease,
    SubsampledGaussian,
    SubsampledLaplace,
    VectorGaussian,
)

A: Any = {"neighbors": "add-remove"}
ORDERS = [1.0 + 1e-6, 1.5, 10.3, 1e3, 1e6]
FEW = [1.0 + 1e-6, 1.7, 2.0, 10.3, 40.0]
DIGITS = 60
HALF = math.log(2.0 * math.pi) / 2.0


def number(value):
    """A float as it is, with many digits."""
    return mpmath.mpf(float(value))


def agree(mechanism, truth, orders, above):
    """What is stated at each order is at least the truth, and at most so much more."""
    with mpmath.workdps(DIGITS):
        for order, stated in zip(orders, mechanism.renyi(orders), strict=True):
            exact = truth(number(order))
            excess = float((number(stated) - exact) / exact)
            assert 0.0 <= excess <= above, (order, excess)


@pytest.mark.parametrize("sigma", [1e-3, 0.3, 7.0, 1e6])
def test_normal_noise(sigma):
    """alpha / (2 sigma^2)."""
    agree(Gaussian(sigma, 1.0, **A), lambda a: a / (2 * number(sigma) ** 2), ORDERS, 1e-13)


def test_correlated_normal_noise():
    """A nearly singular covariance, by fractions: rounded up as far as its digits were lost."""
    for close in (0.5, 1.0 - 2.0**-20):
        c = Fraction(close)
        mu2 = 4 / (1 - c)  # of the differences (1, -1) and variances 1, times 2 to be exact
        mechanism = VectorGaussian([[1.0, close], [close, 1.0]], [1.0, -1.0], **A)
        half = mu2 / 2
        agree(
            mechanism,
            lambda a, half=half: a * half.numerator / half.denominator / 2,
            ORDERS,
            1e-7,
        )


@pytest.mark.parametrize("scale", [1e-3, 0.1, 1.0, 30.0, 1e3, 1e6])
def test_laplace_noise(scale):
    """Two atoms and what is between, in closed form."""

    def truth(a):
        c, u = 1 / number(scale), a - mpmath.mpf(1) / 2
        inside = mpmath.cosh(u * c) + mpmath.sinh(u * c) / (2 * u)
        return (mpmath.log(inside) - c / 2) / (a - 1)

    agree(Laplace(scale, 1.0, **A), truth, ORDERS, 1e-11)


@pytest.mark.parametrize(
    ("sigma", "shift"), [(0.05, 1), (0.3, 1), (0.44, 2), (0.46, 2), (1.0, 3), (7.0, 2)]
)
def test_discrete_gaussian_noise(sigma, shift):
    """Sums over the integers, by the definition."""

    def around(x):
        reach, centre = int(24 * sigma) + 12, int(mpmath.nint(x))
        return mpmath.fsum(
            mpmath.exp(-((k - x) ** 2) / (2 * number(sigma) ** 2))
            for k in range(centre - reach, centre + reach + 1)
        )

    def truth(a):
        rate = a * (a - 1) * shift**2 / (2 * number(sigma) ** 2)
        with mpmath.workdps(2 * DIGITS):
            return (rate + mpmath.log(around((1 - a) * shift) / around(mpmath.mpf(0)))) / (a - 1)

    mechanism = DiscreteGaussian(sigma, shift, **A)
    agree(mechanism, truth, ORDERS, 1e-13)
    exact = Fraction(shift) ** 2 / (2 * Fraction(sigma) ** 2)
    rho = mechanism.guarantee().parameters["rho"]
    assert exact <= Fraction(rho) <= exact * (1 + Fraction(1, 2**51))


def moments(losses, masses):
    """Divergences of a loss with few values."""

    def truth(a):
        total = mpmath.fsum(
            m * mpmath.exp((a - 1) * x) for x, m in zip(losses, masses, strict=True)
        )
        return mpmath.log(total) / (a - 1)

    return truth


@pytest.mark.parametrize(("scale", "k"), [(0.01, 1), (0.5, 3), (1.0, 1), (30.0, 2), (1e6, 4)])
def test_geometric_noise(scale, k):
    with mpmath.workdps(DIGITS):
        unit = 1 / number(scale)
        rest = 1 - mpmath.exp(-unit)
        masses = [
            mpmath.exp(-j * unit) * (1 if j in (0, k) else rest) / (2 - rest) for j in range(k + 1)
        ]
        truth = moments([(k - 2 * j) * unit for j in range(k + 1)], masses)
    agree(Geometric(scale, k, **A), truth, ORDERS, 1e-8)


@pytest.mark.parametrize(("epsilon", "k"), [(1e-6, 2), (1e-3, 5), (1.0, 2), (20.0, 4), (900.0, 3)])
def test_randomized_response(epsilon, k):
    with mpmath.workdps(DIGITS):
        e = number(epsilon)
        truth = 1 / (1 + (k - 1) * mpmath.exp(-e))
        wrong = truth * mpmath.exp(-e)
        exact = moments([e, 0, -e], [truth, (k - 2) * wrong, wrong])
    agree(RandomizedResponse(epsilon, k, **A), exact, ORDERS, 1e-7)


@pytest.mark.parametrize(
    ("p", "q", "above"),
    [
        ([0.5, 0.3, 0.2], [0.4, 0.3, 0.3], 1e-10),
        ([0.1, 0.9], [0.1 + 1e-9, 0.9 - 1e-9], 1e-4),
        ([1e-12, 0.7, 0.3], [0.2, 0.5, 0.3], 1e-10),
        ([0.1] * 10, [0.01 * (2 * i + 1) for i in range(10)], 1e-10),
    ],
)
def test_pair_of_distributions(p, q, above):
    """Both directions, of the lists divided by their exact sums."""

    def truth(a):
        ps, qs = ([number(x) / mpmath.fsum(map(number, xs)) for x in xs] for xs in (p, q))
        ways = [
            mpmath.log(mpmath.fsum(x**a * y ** (1 - a) for x, y in zip(one, two, strict=True)))
            for one, two in ((ps, qs), (qs, ps))
        ]
        return max(ways) / (a - 1)

    agree(PairOfDistributions(p, q, **A), truth, ORDERS, above)


def test_pair_of_densities():
    """x + 1/2 against 1 on [0, 1], within the error of the grid; what is cut off is revealed."""

    def truth(a):
        half, most = mpmath.mpf(1) / 2, mpmath.mpf(3) / 2
        ways = [(most**e - half**e) / e if e else mpmath.log(most / half) for e in (a + 1, 2 - a)]
        return mpmath.log(max(ways)) / (a - 1)

    pair = PairOfDensities(lambda x: np.log(x + 0.5), np.zeros_like, [0.0, 1.0], 1e-3, **A)
    agree(pair, truth, FEW, 1e-4)
    normal = [lambda x, m=m: -((x - m) ** 2) / 2.0 - HALF for m in (1.0, 0.0)]
    assert np.all(
        np.isinf(PairOfDensities(*normal, [-math.inf, 0.5, math.inf], 0.01, **A).renyi(FEW))
    )


@pytest.mark.parametrize(
    ("sigma", "rate", "above"),
    [
        (1.0, 0.01, 1e-11),
        (0.2, 1e-3, 1e-11),
        (1e3, 1e-3, 1e-11),
        (1.0, 0.999, 1e-11),
        (2.0, 1e-12, 1e-8),
    ],
)
def test_normal_noise_on_a_part_of_the_records(sigma, rate, above):
    """The mean of (p / q)^alpha - 1 - alpha (p / q - 1), by a finer rule."""

    def truth(a):
        mu, q = 1 / number(sigma), number(rate)
        step = min(mpmath.mpf(1) / 12, 1 / (6 * mu))
        total = mpmath.mpf(0)
        for n in range(-int(21 / step), int((a * mu + 21) / step) + 1):
            away = q * mpmath.expm1(mu * n * step - mu * mu / 2)
            total += mpmath.exp(-((n * step) ** 2) / 2) * ((1 + away) ** a - 1 - a * away)
        return mpmath.log1p(total * step / mpmath.sqrt(2 * mpmath.pi)) / (a - 1)

    agree(SubsampledGaussian(sigma, 1.0, rate, **A), truth, FEW, above)


@pytest.mark.parametrize(
    ("scale", "rate", "above"),
    [
        (1.0, 0.01, 1e-11),
        (0.2, 1e-3, 1e-11),
        (1e3, 1e-3, 1e-11),
        (1.0, 0.999, 1e-11),
        (0.05, 1e-5, 1e-8),
    ],
)
def test_laplace_noise_on_a_part_of_the_records(scale, rate, above):
    """Two atoms, and an integral between them."""

    def truth(a):
        c, q = 1 / number(scale), number(rate)

        def mean(e):
            def away(y):
                return (1 + q * mpmath.expm1(y)) ** e - 1 - e * q * mpmath.expm1(y)

            edges = [-c + 2 * c * k / 6 for k in range(7)]
            between = mpmath.quad(lambda y: away(y) * mpmath.exp(-(y + c) / 2) / 4, edges)
            return away(-c) / 2 + mpmath.exp(-c) / 2 * away(c) + between

        return mpmath.log1p(max(mean(a), mean(1 - a))) / (a - 1)

    agree(SubsampledLaplace(scale, 1.0, rate, **A), truth, FEW, above)


def test_it_grows_with_the_order_and_stays_below_what_bounds_it():
    """At orders up to 10^9, also where no integral is worked out."""
    orders = np.geomspace(1.001, 1e9, 40)
    noise = SubsampledGaussian(1.0, 1.0, 0.01, **A).renyi(orders)
    plain = Gaussian(1.0, 1.0, **A).renyi(orders)
    least = orders / 2.0 + orders / (orders - 1.0) * math.log(0.01)
    assert np.all(np.diff(noise) >= 0.0)
    assert np.all((np.maximum(least, 0.0) <= noise) & (noise <= plain))
    for one in (SubsampledLaplace(1.0, 1.0, 0.01, **A), Laplace(0.3, 1.0, **A)):
        found = one.renyi(orders)
        largest = one.guarantee().parameters["epsilon"]
        assert np.all(np.diff(found) >= -1e-13 * found[1:])
        assert np.all(found <= largest * (1.0 + 1e-14))


def test_large_orders_lose_nothing():
    """alpha - 1 is exact."""
    order = 1e8 + 1.0 / 3.0
    exact = Fraction(order) / (2 * Fraction(0.3) ** 2)
    assert Fraction(Gaussian(0.3, 1.0, **A).renyi(order)) >= exact


def test_what_reveals_is_infinite():
    assert np.all(np.isinf(SampleRelease(1, 10**9, **A).renyi(ORDERS)))
