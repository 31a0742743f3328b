"""Answers that are said to be exact are attained, by mechanisms written out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from dprisk import (
    FDP,
    ApproxDP,
    ApproxDPCurve,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from tests.oracles import finite

R: Any = {"neighbors": "replace-one"}
CLOSE = 1e-12
ROOM = [  # delta, and how many times as large the failure is; at most 1/2 together
    (d, m)
    for d in (Fraction(1, 10**9), Fraction(1, 50), Fraction(1, 5))
    for m in (Fraction(3, 2), Fraction(20), Fraction(10**6))
    if d * m < Fraction(1, 2)
]


def log(x) -> float:
    return float(np.log(float(x)))


def response(growth: Fraction):
    """Randomized response: the truth with odds growth : 1."""
    return (growth / (1 + growth), 1 / (1 + growth)), (1 / (1 + growth), growth / (1 + growth))


def leaking(growth: Fraction, delta: Fraction):
    """Kairouz et al.: reveal the dataset with probability delta, else randomized response."""
    p, q = response(growth)
    rest = 1 - delta
    return (delta, rest * p[0], rest * p[1], Fraction(0)), (
        Fraction(0),
        rest * q[0],
        rest * q[1],
        delta,
    )


def erasure(growth: Fraction, delta: Fraction, further: Fraction):
    """Output a, b or nothing (formulas of P0 Theorem 3.9): loss +-log(further), or 0."""
    x = delta / (1 - growth / further)
    return (x, x / further, 1 - x - x / further), (x / further, x, 1 - x - x / further)


def three(power: Fraction, level: Fraction):
    """Two outcomes that mirror one another, and a rest that says nothing."""
    return (power, level, 1 - power - level), (level, power, 1 - power - level)


@pytest.mark.parametrize("growth", [Fraction(11, 10), Fraction(3), Fraction(400)])
def test_randomized_response_attains_every_answer_about_pure_dp(growth):
    """Profile at every epsilon, power at every level, and both tails just below epsilon."""
    g, pair = PureDP(log(growth), **R), response(growth)
    for s in (Fraction(1), (1 + growth) / 2, growth * Fraction(99, 100)):
        assert g.delta(log(s)).value == pytest.approx(float(finite.profile(pair, s)), rel=1e-11)
    for x in (Fraction(1, 1000), Fraction(1, 3), Fraction(9, 10)):
        assert g.power(float(x)).value == pytest.approx(float(finite.power(pair, x)), rel=CLOSE)
    assert g.loss_bound(0.0).value == g.stated_epsilon
    assert (
        g.tail(0.999 * log(growth), sides="both").value
        == 1.0
        == finite.tail_both(pair, Fraction(1))
    )


@pytest.mark.parametrize("growth", [Fraction(11, 10), Fraction(3)])
def test_merging_randomized_response_attains_the_one_sided_tail(growth):
    """Between 0 and epsilon: report "up" also for some of the other answer."""
    g = PureDP(log(growth), **R)
    for wanted in ((1 + 9 * growth) / 10, (1 + growth) / 2):
        s = min(wanted, growth * Fraction(999, 1000))
        best = finite.merged_one(response(growth), s)
        assert g.tail(log(s), sides="one").value == pytest.approx(float(best), rel=1e-11)


@pytest.mark.parametrize("delta", [Fraction(1, 10**9), Fraction(1, 50), Fraction(3, 5)])
@pytest.mark.parametrize("growth", [Fraction(11, 10), Fraction(3), Fraction(400)])
def test_the_leaking_mechanism_attains_profile_and_power_of_approximate_dp(growth, delta):
    """Kairouz et al.'s mechanism, for approximate and for probabilistic DP."""
    pair = leaking(growth, delta)
    assert finite.tail_both(pair, growth) == delta  # it is probabilistic DP too
    for g in (
        ApproxDP(log(growth), float(delta), **R),
        ProbabilisticDP(log(growth), float(delta), **R),
    ):
        for s in (Fraction(1), (1 + growth) / 2, 2 * growth):
            truth = float(finite.profile(pair, s))
            assert g.delta(log(s)).value == pytest.approx(truth, rel=1e-10)
        for x in (Fraction(0), Fraction(1, 1000), Fraction(1, 3), Fraction(9, 10)):
            assert g.power(float(x)).value == pytest.approx(float(finite.power(pair, x)), rel=CLOSE)
        for y in (delta, Fraction(1, 3), Fraction(9, 10), Fraction(1)):
            truth = float(finite.level(pair, y))
            assert g.level(float(y)).value == pytest.approx(truth, rel=1e-10, abs=1e-17)


@pytest.mark.parametrize(("delta", "failure"), ROOM)
def test_the_erasure_mechanism_attains_the_two_sided_loss(delta, failure):
    """P0 Theorem 3.9 with equality: delta(epsilon) = delta and P[|Z| >= eps'] = delta'."""
    growth, beyond = Fraction(3), delta * failure
    further = (beyond * growth + delta) / (beyond - delta)
    pair = erasure(growth, delta, further)
    assert finite.profile(pair, growth) == delta
    assert pair[0][0] + pair[0][1] == beyond
    g = ApproxDP(log(growth), float(delta), **R)
    assert g.loss_bound(float(beyond)).value == pytest.approx(log(further), rel=1e-10)
    assert g.tail(log(further)).value == pytest.approx(float(beyond), rel=1e-10)


@pytest.mark.parametrize(("delta", "failure"), ROOM)
def test_a_three_outcome_mechanism_attains_the_one_sided_loss(delta, failure):
    """P2 Lemma 2.3 with equality: power m at level m / further, on the line of the promise."""
    growth, m = Fraction(3), delta * failure
    further = growth * m / (m - delta)
    pair = three(m, m / further)
    assert finite.profile(pair, growth) == delta
    g = ApproxDP(log(growth), float(delta), **R)
    assert g.loss_bound(float(m), sides="one").value == pytest.approx(log(further), rel=1e-10)
    assert g.tail(log(further), sides="one").value == pytest.approx(float(m), rel=1e-10)


def curve_points():
    return [Fraction(3, 2), Fraction(3), Fraction(8)], [
        Fraction(1, 4),
        Fraction(1, 20),
        Fraction(1, 100),
    ]


def test_three_outcome_mechanisms_attain_the_two_sided_loss_of_a_curve():
    """Points (level, power) of the envelope with level + power = m, checked by their profile."""
    growths, deltas = curve_points()
    g = ApproxDPCurve([log(s) for s in growths], [float(d) for d in deltas], **R)
    for m in (0.015, 0.05, 0.2, 0.5, 0.7):
        loss = g.loss_bound(m).value
        power, level = m / (1 + np.exp(-loss)), m / (1 + np.exp(loss))
        pair = three(Fraction(power), Fraction(level))
        over = [float(finite.profile(pair, s) - d) for s, d in zip(growths, deltas, strict=True)]
        assert max(over) == pytest.approx(0.0, abs=1e-12)  # kept, and one of them with equality
        assert g.tail(loss * (1 - 1e-9)).value == pytest.approx(m, rel=1e-6)


def test_two_outcome_mechanisms_attain_the_power_of_a_curve():
    """A test on the envelope is itself a mechanism that keeps all the points."""
    growths, deltas = curve_points()
    g = ApproxDPCurve([log(s) for s in growths], [float(d) for d in deltas], **R)
    for x in (0.0, 0.001, 0.02, 0.2, 0.5, 0.9):
        y = Fraction(g.power(x).value)
        pair = (y, 1 - y), (Fraction(x), 1 - Fraction(x))
        over = [
            float(max(finite.profile(pair, s), finite.profile(pair[::-1], s)) - d)
            for s, d in zip(growths, deltas, strict=True)
        ]
        assert max(over) == pytest.approx(0.0, abs=1e-12)


def test_three_outcome_mechanisms_attain_both_tails_of_gaussian_dp():
    """(pi, l, rest) on the power curve: its own curve never rises above that of the normals."""
    for mu in (0.3, 1.0, 3.0):
        g = GaussianDP(mu, **R)
        for m in (1e-6, 0.01, 0.3, 0.8):
            loss = g.loss_bound(m).value
            power, level = m / (1 + np.exp(-loss)), m / (1 + np.exp(loss))
            assert ndtr(ndtri(level) + mu) == pytest.approx(power, rel=1e-9)
            rest = [level, level + (1 - m)]
            assert np.all(ndtr(ndtri(rest) + mu) >= np.array([power, power + 1 - m]) * (1 - 1e-9))
        for m in (1e-6, 0.01, 0.3, 0.8):
            loss = g.loss_bound(m, sides="one").value
            assert ndtr(ndtri(m * np.exp(-loss)) + mu) == pytest.approx(m, rel=1e-9)


def test_an_f_dp_polygon_is_attained_by_the_mechanism_it_was_read_from():
    """A symmetric mechanism: all of its answers come back exactly."""
    pair = (
        (Fraction(4, 10), Fraction(3, 10), Fraction(2, 10), Fraction(1, 10)),
        (Fraction(1, 10), Fraction(2, 10), Fraction(3, 10), Fraction(4, 10)),
    )
    x, y = zip(*finite.corners(pair), strict=True)
    g = FDP([float(v) for v in x], [float(1 - v) for v in y], **R)
    for s in (Fraction(1), Fraction(5, 4), Fraction(2), Fraction(7, 2)):
        assert g.delta(log(s)).value == pytest.approx(float(finite.profile(pair, s)), rel=1e-12)
        best = float(finite.merged_one(pair, s))
        assert g.tail(log(s), sides="one").value == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("growth", [Fraction(6, 5), Fraction(3), Fraction(50)])
@pytest.mark.parametrize("delta", [Fraction(1, 10**6), Fraction(1, 20), Fraction(2, 5)])
def test_the_reveal_mechanism_attains_the_price_of_pbdp(growth, delta):
    """Reveal one dataset with probability b: pbdp at (epsilon, delta) both ways round."""
    b = delta * (1 - 1 / growth) / (1 - delta / growth)
    pair = (b, 1 - b), (Fraction(0), Fraction(1))
    assert finite.merged_one(pair, growth) == delta
    assert finite.merged_one(pair[::-1], growth) <= delta
    g = ProbabilisticallyBoundedDP(log(growth), float(delta), **R)
    assert g.delta(log(growth)).value == pytest.approx(float(b), rel=1e-12)
    assert g.delta(np.inf).bound == "exact"
    assert g.power(0.0).value == pytest.approx(float(b), rel=1e-12)
    assert g.tail(log(growth), sides="one").value == float(delta)
    for further in (2 * growth, 100 * growth):
        best = float(finite.merged_one(pair, further))
        assert g.tail(log(further), sides="one").value == pytest.approx(best, rel=1e-11)


def coin(power: float, level: float):
    return (Fraction(power), 1 - Fraction(power)), (Fraction(level), 1 - Fraction(level))


@pytest.mark.parametrize("order", [1.1, 2.0, 5.0, 60.0])
@pytest.mark.parametrize("limit", [1e-3, 0.5, 6.0])
def test_two_coins_attain_power_and_tail_of_renyi_dp(order, limit):
    """The coin at the answer keeps the divergence both ways (50 digits), with equality one way."""
    g = RenyiDP(order, limit, **R)
    for x in (1e-6, 0.05, 0.5):
        pairs = [coin(g.power(x).value, x), coin(x, g.level(x).value)]
        m = g.loss_bound(x, sides="one").value
        pairs.append(coin(x, x * np.exp(-m)))
        for pair in pairs:
            both = float(max(finite.renyi(pair, order), finite.renyi(pair[::-1], order)))
            assert both == pytest.approx(limit, rel=1e-8)


@pytest.mark.parametrize("rho", [1e-4, 0.1, 2.63])
def test_two_coins_attain_power_of_concentrated_dp(rho):
    """No order is passed, order 1 included, and the tightest is met."""
    g = ZeroConcentratedDP(rho, **R)
    orders = np.concatenate([[1.0], 1 + np.geomspace(1e-4, 1e6, 300)])
    for x in (1e-6, 0.05, 0.5):
        pair = coin(g.power(x).value, x)
        ratios = [
            float(max(finite.renyi(pair, a), finite.renyi(pair[::-1], a))) / (rho * a)
            for a in orders
        ]
        assert max(ratios) == pytest.approx(1.0, abs=2e-3)  # mesh of the orders here
        assert max(ratios) <= 1 + 1e-7
