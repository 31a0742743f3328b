"""Each rung against the formula of its theorem, computed apart with 60 digits."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

from dprisk import ApproxDP, PureDP, ZeroConcentratedDP
from dprisk.curves.ladder_bounds import Concentrated, Promises, least_over_deltas, two_sided

A: Any = "add-remove"
EACH = 0.05
FAILURE = 0.05


@pytest.fixture(autouse=True)
def digits():
    with mp.workdps(60):
        yield


def on_both_sides(epsilon, delta, failure):
    """P0, Theorem 3.9, with 60 digits."""
    epsilon, delta, failure = mpf(epsilon), mpf(delta), mpf(failure)
    if delta >= failure:
        return mp.inf
    return mp.log((failure * mp.exp(epsilon) + delta) / (failure - delta))


def lattice(k, each, given=0.0):
    """(epsilon, delta) for every l of P0, Theorem 2.8(3)."""
    each, given = mpf(each), mpf(given)
    for l in range(k // 2 + 1):  # noqa: E741
        total = mp.fsum(
            mp.binomial(k, j) * (mp.exp((k - j) * each) - mp.exp((k - 2 * l + j) * each))
            for j in range(l)
        )
        yield (k - 2 * l) * each, 1 - (1 - given) ** k * (1 - total / (1 + mp.exp(each)) ** k)


def promises(each=EACH, given=0.0, delta=1e-6, failure=FAILURE, count=1):
    return Promises((each,), (given,), (count,), delta, failure)


def above(found, truth, width=1e-13):
    """Never below the truth, and next to it."""
    assert truth <= mpf(found) <= truth * (1 + mpf(width)) + mpf(1e-300)


@pytest.mark.parametrize("epsilon", [0.0, 1e-300, 1e-9, 0.3, 5.0, 700.0, 1e6])
@pytest.mark.parametrize("delta", [0.0, 1e-300, 1e-12, 0.0499, 0.05, 0.9])
def test_two_sided(epsilon, delta):
    found = float(two_sided(epsilon, delta, FAILURE))
    truth = on_both_sides(epsilon, delta, FAILURE)
    if truth == mp.inf:
        assert found == math.inf
    else:
        assert truth <= found <= truth * (1 + mpf(4e-15)) + mpf(1e-16)
        assert found >= float(ApproxDP(epsilon, delta, neighbors=A).loss_bound(FAILURE)) * (
            1 - 1e-14
        )


@pytest.mark.parametrize("number", [1, 27, 100])
def test_basic(number):
    each = mpf("0.05")
    truth = on_both_sides(number * each, mpf("1e-6"), mpf("0.05"))
    above(promises().basic(number)[1], truth)
    above(promises().best_basic(number)[1], number * each)


def test_deltas_use_up_the_delta_stated():
    """At 1e-8 each, 100 is what 1e-6 allows, and 101 is too many; the best delta goes on."""
    some = promises(0.1, 1e-8)
    assert some.basic(100)[1] < math.inf
    assert some.advanced(99)[1] < math.inf
    assert some.optimal(100)[1] < math.inf
    for bound in (some.basic, some.advanced):
        assert bound(101)[1] == math.inf
    for bound in (some.best_basic, some.best_advanced, some.best_optimal):
        assert bound(101)[1] < math.inf
        assert bound(6_000_000)[1] == math.inf


@pytest.mark.parametrize("given", [0.0, 1e-9])
@pytest.mark.parametrize("number", [1, 42, 300])
def test_advanced(number, given):
    each = mpf(EACH)
    mean, square = number * each * mp.expm1(each), number * each**2

    def bound(delta):
        slack = mpf(delta) - number * mpf(given)
        total = mean + mp.sqrt(2 * square * mp.log(1 / slack))
        return on_both_sides(total, delta, FAILURE)

    some = promises(given=given)
    above(some.advanced(number)[1], bound(1e-6), 1e-9)
    best = mpf(some.best_advanced(number)[1])
    tried = min(bound(x) for x in np.geomspace(5e-7, 0.049, 500).tolist())
    assert best <= tried * (1 + mpf(1e-12))
    assert best >= tried * (1 - mpf(1e-3))


@pytest.mark.parametrize(
    ("number", "given"), [(1, 0.0), (2, 0.0), (43, 0.0), (44, 1e-8), (9, 1e-3)]
)
def test_optimal(number, given):
    points = list(lattice(number, EACH, given))
    some = promises(given=given)
    fits = [on_both_sides(e, 1e-6, FAILURE) for e, d in points if d <= mpf(1e-6)]
    found = some.optimal(number)[1]
    if not fits:
        assert found == math.inf
    else:
        above(found, min(fits))
    truth = min(on_both_sides(e, d, FAILURE) for e, d in points)
    above(some.best_optimal(number)[1], truth, 1e-11)


def test_the_best_point_of_a_large_lattice_is_found():
    """More points than are looked at together: found as by looking at all of them."""
    number, each = 601, 0.01
    total, l_most = (1 + mp.exp(mpf(each))) ** number, 80
    best, rising, falling = mp.inf, [mpf(0)], [mpf(0)]
    for j in range(number // 2):
        chance = mp.binomial(number, j)
        falling.append(falling[-1] + chance * mp.exp((number - j) * mpf(each)))
        rising.append(rising[-1] + chance * mp.exp(j * mpf(each)))
    for l in range(number // 2, number // 2 - l_most, -1):  # noqa: E741
        delta = (falling[l] - mp.exp((number - 2 * l) * mpf(each)) * rising[l]) / total
        best = min(best, on_both_sides((number - 2 * l) * mpf(each), delta, FAILURE))
        if l < number // 2 - 60 and delta < mpf(0.01):
            break
    above(promises(each).best_optimal(number)[1], best, 1e-11)


def test_the_lattice_holds_the_best_point_of_the_curve():
    """Between its points delta is linear in e^epsilon, so that the exact curve gains nothing."""
    k = 40
    points = list(lattice(k, EACH))
    best = min(on_both_sides(e, d, FAILURE) for e, d in points)
    for (high, small), (low, large) in pairwise(points):
        for share in (mpf("0.25"), mpf("0.5"), mpf("0.75")):
            e = low + share * (high - low)
            slope = (small - large) / (mp.exp(high) - mp.exp(low))
            d = large + slope * (mp.exp(e) - mp.exp(low))
            assert on_both_sides(e, d, FAILURE) >= best


def test_a_search_over_deltas_ends_near_the_least():
    delta, found = least_over_deltas(lambda d: (np.log(d) + 7.0) ** 2 + 3.0, 0.05)
    assert delta == pytest.approx(math.exp(-7.0), rel=1e-3)
    assert found == pytest.approx(3.0, abs=1e-6)


def zcdp(rho=0.01, failure=0.01, xi=0.0, delta=0.0):
    return Concentrated(rho, xi, delta, failure, A)


@pytest.mark.parametrize("number", [1, 7, 30, 1000])
def test_simple_conversion(number):
    rho = number * mpf(0.01)

    def bound(delta):
        return on_both_sides(rho + 2 * mp.sqrt(rho * mp.log(1 / mpf(delta))), delta, 0.01)

    found = mpf(zcdp().simple(number)[1])
    tried = min(bound(x) for x in np.geomspace(1e-6, 0.00999, 800).tolist())
    assert tried * (1 - mpf(1e-4)) <= found <= tried * (1 + mpf(1e-12))


@pytest.mark.parametrize("number", [7, 30])
def test_tight_conversion(number):
    """Tighter than P0 Theorem 3.9 on Canonne et al., Proposition 12, over delta and order."""
    rho = number * 0.01
    order = 1.0 + np.geomspace(1e-2, 1e3, 6000)[:, None]
    delta = np.geomspace(1e-6, 0.0099, 400)[None, :]
    log_c = order * np.log1p(-1 / order) - np.log(order - 1)
    epsilon = rho * order + (log_c - np.log(delta)) / (order - 1)
    tried = float(np.min(two_sided(epsilon.min(axis=0), delta[0], 0.01)))
    found = zcdp().tight(number)[1]
    assert tried * (1 - 1e-3) <= found <= tried


def test_power_and_normal_noise_are_those_of_the_guarantees():
    found = zcdp().power(7)[1]
    assert found == float(ZeroConcentratedDP(0.07, neighbors=A).loss_bound(0.01))
    mu = mp.sqrt(mpf("0.14"))
    loss = mpf(zcdp().normal(7)[1])
    # the best two-sided test: P and Q each have failure split as level and power, P1 section 5.2
    level = mpf("0.01") / (1 + mp.exp(loss))
    power = mpf("0.01") - level
    truth = mp.ncdf(mp.sqrt(2) * mp.erfinv(2 * level - 1) + mu)
    assert abs(truth / power - 1) < mpf(1e-11)


@pytest.mark.parametrize("rho", [1e-12, 1e-3, 0.07, 3.0, 400.0])
@pytest.mark.parametrize("failure", [1e-9, 0.01, 0.5])
def test_raw_normal(rho, failure):
    low, high = zcdp(rho, failure).raw_normal(1)
    mu = mp.sqrt(2 * mpf(rho))

    def chance(loss):
        return mp.ncdf(mu / 2 - mpf(loss) / mu) + mp.ncdf(-mu / 2 - mpf(loss) / mu)

    assert chance(low) >= mpf(failure) >= chance(high)
    assert low <= high <= low * (1 + 1e-11)


def test_offsets_and_approximations():
    """xi and delta add up; without a share left there is no bound."""
    assert zcdp(xi=0.1).tight(7)[1] > zcdp().tight(7)[1]
    assert zcdp(delta=1e-3).power(7)[1] > zcdp().power(7)[1]
    assert zcdp(delta=1e-3).tight(10)[1] == math.inf
    assert zcdp(0.0).normal(5)[1] == zcdp(0.0).raw_normal(5)[1] == 0.0
    assert PureDP(0.0, neighbors=A).loss_bound(0.1).value == 0.0
