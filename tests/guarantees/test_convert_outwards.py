"""Conversions to one number are implied: never below the truth, to 60 digits, and next to it."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from mpmath import mp, mpf

from dprisk import ApproxDPCurve, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from dprisk.guarantees.convert import conversions, convert

A: Any = {"neighbors": "add-remove"}
CLOSE = 300 * mpf(2) ** -53
SMALLEST = mpf(5e-324)
LOSSES = [
    5e-324,
    1e-310,
    1e-200,
    1e-17,
    1e-9,
    1e-8,
    3e-5,
    0.1,
    0.999999,
    1.0,
    5.0,
    40.0,
    800.0,
    1e6,
]
ORDERS = [1 + 2**-52, 1.0000001, 1.5, 2.0, 17.3, 1e4, 1e12]


@pytest.fixture(autouse=True)
def digits():
    with mp.workdps(60):
        yield


def at_least(found, truth, close=CLOSE):
    assert mpf(found) >= truth, (found, mp.nstr(truth, 20), "not implied")
    assert mpf(found) <= truth * (1 + close) + 4 * SMALLEST, (found, mp.nstr(truth, 20))


@pytest.mark.parametrize("e", LOSSES)
def test_pure_as_gaussian(e):
    """Phi(mu / 2) - 1/2 = tanh(epsilon / 2) / 2: by its sides, since each grows with mu."""
    mu = mpf(convert(PureDP(e, **A), "gaussian").guarantee.mu)
    rest = 1 / (1 + mp.exp(mpf(e)))

    def missing(mu):
        return mp.erfc(mu / mp.sqrt(8)) / 2

    with mp.workdps(60 if e > 1e-20 else 700):
        rest = 1 / (1 + mp.exp(mpf(e)))
        assert missing(mu) <= rest
        below = mu * (1 - CLOSE) - 4 * SMALLEST
        assert below <= 0 or missing(below) > rest


@pytest.mark.parametrize("e", LOSSES)
@pytest.mark.parametrize("a", ORDERS)
def test_pure_as_renyi(e, a):
    with mp.workdps(1400 if e < 1e-5 else 90):
        loss, extra = mpf(e), mpf(a) - 1
        if e * a > 1e6:
            truth = (extra * loss - mp.log1p(mp.exp(-loss))) / extra
            truth += mp.log1p(mp.exp(-(2 * extra + 1) * loss)) / extra
        else:
            total = mp.exp(mpf(a) * loss) + mp.exp(-extra * loss)
            truth = mp.log(total / (1 + mp.exp(loss))) / extra
        gamma = convert(PureDP(e, **A), "renyi", alpha=a).guarantee.gamma[0]
        at_least(gamma, min(truth, loss), CLOSE)


@pytest.mark.parametrize("size", [1e-160, 1e-20, 0.1, 0.3, 1.1, 7.7, 3e4])
def test_squares(size):
    half = Fraction(size) ** 2 / 2
    for known in (GaussianDP(size, **A), PureDP(size, **A)):
        rho = Fraction(convert(known, "concentrated").guarantee.rho)
        assert half <= rho <= half * (1 + Fraction(1, 2**52)) + Fraction(5e-324)
    for a in ORDERS[:4]:
        gamma = Fraction(convert(GaussianDP(size, **A), "renyi", alpha=a).guarantee.gamma[0])
        truth = half * Fraction(a)
        assert truth <= gamma <= truth * (1 + Fraction(1, 2**52)) + Fraction(5e-324)


@pytest.mark.parametrize("rho", [5e-324, 1e-12, 0.1, 2.63, 1e3])
@pytest.mark.parametrize("xi", [0.0, 0.3])
def test_slopes_at_an_order_and_simply(rho, xi):
    known = ZeroConcentratedDP(rho, xi=xi, **A)
    for a in ORDERS[:6]:
        truth = Fraction(xi) + Fraction(rho) * Fraction(a)
        if truth < 10**9:
            found = Fraction(convert(known, "renyi", alpha=a).guarantee.gamma[0])
            assert truth <= found <= truth * (1 + Fraction(1, 2**52)) + Fraction(5e-324)
    for d in (5e-324, 1e-300, 1e-10, 0.3, 1.0):
        centre = mpf(xi) + mpf(rho)
        simple = named(known, "the simple zCDP conversion", delta=d)
        at_least(simple.stated_epsilon, centre + 2 * mp.sqrt(mpf(rho) * -mp.log(mpf(d))))
        e = simple.stated_epsilon
        found = mpf(named(known, "the simple zCDP conversion", epsilon=e).stated_delta)
        assert found >= mp.exp(-(max(mpf(e) - centre, mpf(0)) ** 2) / (4 * mpf(rho)))


@pytest.mark.parametrize("a", ORDERS[:6])
@pytest.mark.parametrize("gamma", [1e-300, 1e-9, 0.2, 30.0])
def test_one_order_simply(a, gamma):
    known, extra = RenyiDP(a, gamma, **A), mpf(a) - 1
    truth = mpf(gamma) - mp.log(mpf(1e-7)) / extra
    at_least(named(known, "the simple Rényi conversion", delta=1e-7).stated_epsilon, truth)
    e = gamma + 3.0
    found = mpf(named(known, "the simple Rényi conversion", epsilon=e).stated_delta)
    assert found >= mp.exp(-extra * (mpf(e) - mpf(gamma)))


@pytest.mark.parametrize("e", [1e-9, 0.1, 1.0, 35.0])
def test_the_general_note(e):
    known = PureDP(e, **A)
    for d in (1e-300, 1e-10, 0.05):
        found = mpf(named(known, "the general note of Meiser 2018", delta=d).stated_epsilon)
        assert mp.exp(found) + mpf(d) >= mp.exp(mpf(e)) or found == 0
    for part in (0.0, 0.5, 0.999):
        found = mpf(named(known, "the general note of Meiser 2018", epsilon=part * e).stated_delta)
        truth = mp.exp(mpf(e)) - mp.exp(mpf(part * e))
        assert found >= min(truth, mpf(1)) and found <= truth * (1 + CLOSE)
    assert named(known, "the general note of Meiser 2018", epsilon=e + 710.0).stated_delta == 0.0


@pytest.mark.parametrize("steep", [20.0, 300.0, 709.9, 745.0])
def test_corners_of_steep_lines(steep):
    """Where a line of slope e^steep meets another one, the height has more digits than x."""
    rng = Random(f"corners/{steep}")
    for _ in range(40):
        points = (steep, rng.uniform(0.05, 0.4)), (rng.uniform(0.0, 1.0), rng.uniform(0.4, 0.6))
        polygon = convert(ApproxDPCurve(*zip(*points, strict=True), **A), "tradeoff").guarantee
        for x in (1e-290 if steep > 700.0 else 1e-6, 1e-12, 3e-9):
            truth = min(mpf(b) + mp.exp(mpf(e)) * mpf(x) for e, b in points)
            at_least(polygon.power(x).value, truth)


def named(known, name, **landing) -> Any:
    found = conversions(known, "approximate", **landing)
    return next(way.guarantee for way in found if name in f"{way.by.name} {way.by.theorem}")


@pytest.mark.parametrize("alpha", [1.5, 2.0, 17.3])
def test_mean_concentrated_as_renyi(alpha):
    """xi + rho alpha, both of it."""
    known = ZeroConcentratedDP(0.1, xi=0.3, **A)
    (gamma,) = convert(known, "renyi", alpha=alpha).guarantee.gamma
    truth = Fraction(0.3) + Fraction(0.1) * Fraction(alpha)
    assert truth <= Fraction(gamma) <= truth * (1 + Fraction(1, 2**52))
