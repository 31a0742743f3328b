"""What noise costs, by brute force; and the least noise that keeps a promise or a limit."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

from dprisk import ApproxDP, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP, disclosure
from dprisk.budget import (
    AttackLimit,
    EpsilonLimit,
    InformedLimit,
    Together,
    calibrate,
    largest_budget,
    noise_for,
)
from dprisk.budget.noise import noise_cost
from dprisk.composition import compose
from dprisk.errors import InvalidInput, Meaningless, OutOfRange
from dprisk.guarantees import LaplaceDP
from dprisk.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dprisk.risk import attack

A: Any = {"neighbors": "add-remove"}
KINDS = ("geometric", "laplace", "gaussian", "discrete-gaussian")


def weights(kind, width):
    """Probabilities of 0, 1, -1, 2, ... by brute force."""
    k = np.arange(0, int(60 * width) + 80)
    mass = np.exp(-k / width) if kind is Geometric else np.exp(-((k / width) ** 2) / 2)
    both = np.where(k == 0, mass, 2 * mass)
    return both / both.sum()


@pytest.mark.parametrize("kind", [Geometric, DiscreteGaussian])
@pytest.mark.parametrize("width", [0.05, 0.3, 0.7, 1.0, 3.3, 40.0, 400.0])
@pytest.mark.parametrize("coverage", [0.5, 0.95, 0.999])
def test_noise_on_the_integers(kind, width, coverage):
    """The least whole number that holds so many cases, added up."""
    cost = noise_cost(kind(width, 1, **A), coverage)
    share = np.cumsum(weights(kind, width))
    assert cost.off_by == int(np.argmax(share >= coverage * (1 - 1e-13)))
    assert cost.exact_probability == pytest.approx(share[0], rel=1e-12)
    assert cost.interval_width == 2 * cost.off_by
    k = np.arange(share.size)
    sd = math.sqrt(float((weights(kind, width) * k * k).sum()))
    assert cost.standard_deviation == pytest.approx(sd, rel=1e-9)


def test_noise_on_the_line():
    """P[abs(noise) <= w] is the coverage."""
    assert noise_cost(Laplace(2.0, 1.0, **A)).off_by == pytest.approx(2 * math.log(20), rel=1e-13)
    assert noise_cost(Gaussian(2.0, 1.0, **A)).off_by == pytest.approx(3.9199279690801, rel=1e-12)
    assert noise_cost(Gaussian(2.0, 1.0, **A)).exact_probability == 0.0


@pytest.mark.parametrize("sigma", [2e5, 1e12])
def test_wide_discrete_noise_is_as_wide_as_normal_noise(sigma):
    discrete, normal = (
        noise_cost(make(sigma, 1, **A)).off_by for make in (DiscreteGaussian, Gaussian)
    )
    assert discrete == float(int(discrete))
    assert abs(discrete - normal) <= 1.0


def test_p3_equations_2_and_3():
    """Standard deviation and probability of the exact count, for geometric noise."""
    for e in (0.1, 1.0, 3.0):
        cost = noise_cost(Geometric(1 / e, 1, **A))
        x = math.exp(-e)
        assert cost.standard_deviation == pytest.approx(math.sqrt(2 * x) / (1 - x), rel=1e-12)
        assert cost.exact_probability == pytest.approx((1 - x) / (1 + x), rel=1e-12)


PROMISES = [
    PureDP(0.7, **A),
    ApproxDP(0.7, 1e-6, **A),
    ApproxDP(0.7, 0.0, **A),
    ApproxDP(0.1, 0.3, **A),
    ZeroConcentratedDP(0.03, **A),
    GaussianDP(0.4, **A),
]


@pytest.mark.parametrize("promise", PROMISES, ids=repr)
@pytest.mark.parametrize("sensitivity", [1, 3])
def test_noise_keeps_the_promise_and_less_does_not(promise, sensitivity):
    """By what the noise itself promises, or by its own privacy profile."""
    found = {cost.kind: cost for cost in noise_for(promise, sensitivity)}
    kinds = {
        "pure": KINDS[:2],
        "concentrated": KINDS,
        "gaussian": KINDS[:3],
        "approximate": KINDS if promise.parameters.get("delta") else KINDS[:2],
    }[promise.definition]
    assert tuple(found) == kinds
    for cost in found.values():
        assert keeps(cost.mechanism, promise)
        make = type(cost.mechanism)
        assert not keeps(make(cost.width * (1 - 1e-9), sensitivity, **A), promise)


def keeps(mechanism, promise):
    kept = mechanism.guarantee()
    if isinstance(promise, ApproxDP) and promise.stated_delta > 0:
        known = (each.delta(promise.stated_epsilon).value for each in (kept, mechanism.loss()))
        return min(known) <= promise.stated_delta
    if isinstance(promise, PureDP | ApproxDP):
        return kept.stated_epsilon <= promise.stated_epsilon
    if isinstance(promise, ZeroConcentratedDP):
        if isinstance(kept, PureDP):
            return kept.stated_epsilon**2 / 2 <= promise.rho
        rho = kept.rho if isinstance(kept, ZeroConcentratedDP) else kept.mu**2 / 2
        return rho <= promise.rho
    if isinstance(kept, PureDP):  # advantages of both, in many digits
        with mp.workdps(30):
            own = mp.tanh(mpf(kept.stated_epsilon) / 2)
            return own <= mp.erf(mpf(promise.mu) / (2 * mp.sqrt(2))) * (1 + mpf(10) ** -15)
    return kept.mu <= promise.mu


def test_noise_that_cannot_keep_it_is_left_out():
    assert noise_for(PureDP(0.0, **A)) == ()
    assert noise_for(PureDP(math.inf, **A)) == ()
    assert [cost.kind for cost in noise_for(PureDP(1.0, **A), 0.5)] == ["laplace"]
    with pytest.raises(InvalidInput, match="calibrate"):
        noise_for(RenyiDP(2.0, 0.1, **A))
    with pytest.raises(InvalidInput, match="noise: one of"):
        noise_cost(RandomizedResponse(1.0, 2, **A))
    with pytest.raises(OutOfRange, match="coverage"):
        noise_cost(Laplace(1.0, 1.0, **A), 1.0)


# --- calibrated to a limit -----------------------------------------------------------------------


def power_of(p, q, level):
    """Most power of a test of two lists of probabilities, by Neyman and Pearson."""
    order = np.argsort(-(p / q))
    x, y = np.cumsum(q[order]), np.cumsum(p[order])
    at = int(np.searchsorted(x, level))
    before = (x[at - 1], y[at - 1]) if at else (0.0, 0.0)
    share = (level - before[0]) / (x[at] - before[0])
    return before[1] + share * (y[at] - before[1])


@pytest.mark.parametrize("level", [0.01, 0.05, 0.3])
@pytest.mark.parametrize("sensitivity", [1, 4])
def test_discrete_noise_against_the_best_test(level, sensitivity):
    """At the scale returned, the most powerful test has just the power that is tolerated."""
    for kind in ("geometric", "discrete-gaussian"):
        found = calibrate(AttackLimit("power", 0.4, level=level), kind, sensitivity)
        width = found.value.value
        k = np.arange(-int(40 * width) - 50, int(40 * width) + 51.0)
        shape = (lambda x: -np.abs(x)) if kind == "geometric" else (lambda x: -(x**2) / 2)
        p, q = (np.exp(shape((k - by) / width)) for by in (sensitivity, 0))
        inside = (p > 1e-280) & (q > 1e-280)
        p, q = p[inside] / p.sum(), q[inside] / q.sum()
        assert power_of(p, q, level) == pytest.approx(0.4, rel=1e-8)


def test_laplace_noise_against_its_curve():
    """Power e^c level up to e^-c / 2, then 1 - e^-c / (4 level); advantage 1 - e^(-c/2)."""
    for power, level in ((0.2, 0.05), (0.5, 0.4), (0.55, 0.3)):
        found = calibrate(AttackLimit("power", power, level=level), "laplace")
        c = 1.0 / found.value.value
        low, high = math.exp(c) * level, 1 - math.exp(-c) / (4 * level)
        curve = low if level <= math.exp(-c) / 2 else high
        assert curve == pytest.approx(power, rel=1e-7)
    found = calibrate(AttackLimit("advantage", 0.3), "laplace", 2.0)
    assert 2.0 / found.value.value == pytest.approx(-2 * math.log(0.7), rel=1e-8)


def test_gaussian_noise_in_closed_form():
    """sigma = sensitivity sqrt(k) / (Phi^-1(power) - Phi^-1(level))."""

    def inverse(p):
        return -mp.sqrt(2) * mp.erfinv(1 - 2 * mpf(p))

    for k in (1, 12, 10**6):
        found = calibrate(AttackLimit("power", 0.3, level=0.02), "gaussian", 2.5, releases=k)
        truth = 2.5 * mp.sqrt(k) / (inverse(0.3) - inverse(0.02))
        assert found.value.value == pytest.approx(float(truth), rel=3e-12)


LIMITS = [
    AttackLimit("power", 0.3, level=0.05),
    AttackLimit("advantage", 0.2),
    AttackLimit("predictive_value", 0.3, level=0.05, prior=0.1),
    InformedLimit("posterior", 0.5, prior=0.2, confidence=0.95),
    InformedLimit("difference", 0.2, confidence=0.99),
    EpsilonLimit(0.5, 1e-5),
]


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.to_dict()["metric"])
@pytest.mark.parametrize(
    ("kind", "releases"),
    [("geometric", 1), ("geometric", 7), ("gaussian", 7), ("discrete-gaussian", 1), ("laplace", 1)],
)
def test_the_target_is_never_missed(limit, kind, releases):
    """By the functions that anybody would ask, of the mechanism that comes out."""
    found = calibrate(limit, kind, releases=releases)
    mechanism = found.mechanism
    whole = compose([mechanism.loss()], [releases]).guarantee
    if isinstance(limit, EpsilonLimit):
        measured = whole.epsilon(limit.delta).value
    elif isinstance(limit, AttackLimit):
        tested = attack(whole)
        measured = {
            "power": lambda: tested.power(0.05),
            "advantage": tested.advantage,
            "predictive_value": lambda: tested.predictive_value(0.05, 0.1),
        }[limit.metric]().value
    else:
        moved = disclosure(whole, confidence=limit.confidence)
        ends = moved.posterior(0.2) if limit.metric == "posterior" else moved.difference()
        measured = ends.upper.value
    assert measured <= limit.most * (1 + (1e-10 if kind == "gaussian" else 0.0))
    less = type(mechanism)(found.value.value * (1 - 1e-6), 1, **A)
    one = less.guarantee() if kind == "gaussian" else less.loss()
    assert not limit.kept_by(compose([one], [releases]).guarantee)
    low = found.value.other_end
    assert found.value.value * (1 - 1e-6) <= low < found.value.value


def test_certainty_by_bounded_noise():
    """k releases of noise with epsilon each: the sum is what counts."""
    limit = InformedLimit("posterior", 0.8, prior=0.5)
    for kind in ("geometric", "laplace"):
        found = calibrate(limit, kind, releases=5)
        assert found.value.value == pytest.approx(5 / math.log(4), rel=1e-9)
    mostly = replace(limit, confidence=0.99)
    for kind in ("gaussian", "discrete-gaussian"):
        found = calibrate(limit, kind)
        assert found.limit == mostly
        assert float(found.value) == float(calibrate(mostly, kind).value)
        with pytest.raises(Meaningless, match="no largest value"):
            calibrate(EpsilonLimit(1.0, 0.0), kind)


def test_noise_after_something_else():
    """What was spent leaves less, or nothing."""
    limit = InformedLimit("posterior", 0.8, prior=0.5, confidence=0.95)
    alone = calibrate(limit, "gaussian").value.value
    before = Together(1, spent=[(GaussianDP(0.6 / alone, **A), 1)])
    assert calibrate(limit, "gaussian", releases=before).value.value == pytest.approx(
        alone / 0.8, rel=1e-9
    )
    gone = Together(1, spent=[(GaussianDP(3.0 / alone, **A), 1)])
    found = calibrate(limit, "gaussian", releases=gone)
    assert (found.status, found.value.value) == ("infeasible", math.inf)
    assert "Earlier releases" in found.reason
    with pytest.raises(Meaningless, match="no mechanism to run"):
        _ = found.mechanism


def test_edges():
    assert calibrate(AttackLimit("power", 0.01, level=0.05), "laplace").status == "infeasible"
    free = calibrate(AttackLimit("advantage", 1.0), "geometric")
    assert (free.status, free.value.value) == ("no limit", 0.0)
    tiny = calibrate(EpsilonLimit(1.0, 1e-300), "gaussian").value.value
    assert 30.0 < tiny < 40.0
    assert calibrate(EpsilonLimit(1.0, 0.0), "geometric").value.value == pytest.approx(1.0)
    with pytest.raises(OutOfRange, match="sensitivity"):
        calibrate(LIMITS[0], "geometric", 0.5)
    with pytest.raises(InvalidInput, match="one of 'geometric'"):
        calibrate(LIMITS[0], "uniform")
    with pytest.raises(InvalidInput, match="its own privacy loss"):
        calibrate(LIMITS[0], "gaussian", releases=Together(2, at_delta=1e-6))


def test_plain_data():
    data = calibrate(LIMITS[0], "discrete-gaussian", releases=3).to_dict()
    assert data["cost"]["kind"] == data["kind"] == "discrete-gaussian"
    assert data["cost"]["width"] == data["width"] > data["at_least"]
    assert data["releases"] == 3
    assert calibrate(AttackLimit("power", 0.01, level=0.5), "laplace").to_dict()["width"] is None


@pytest.mark.parametrize("sensitivity", [0.0, 0, -1.0, math.inf, math.nan])
@pytest.mark.parametrize(
    "promise",
    [
        PureDP(1.0, **A),
        ApproxDP(1.0, 1e-6, **A),
        ZeroConcentratedDP(0.1, **A),
        GaussianDP(1.0, **A),
    ],
)
def test_nothing_that_can_differ_needs_no_noise(promise, sensitivity):
    with pytest.raises(OutOfRange, match=r"sensitivity must be a number in \(0, inf\)"):
        noise_for(promise, sensitivity)


@pytest.mark.parametrize("mu", [1e-6, 0.01, 0.3, 1.0, 4.0, 30.0])
def test_noise_for_a_laplace_curve(mu):
    """Laplace noise has that curve itself; geometric noise stays below it, and touches it."""
    promise = LaplaceDP(mu, **A)
    costs = {cost.kind: cost for cost in noise_for(promise)}
    assert set(costs) == {"geometric", "laplace"}
    assert costs["laplace"].width == pytest.approx(1.0 / mu, rel=1e-15)
    assert costs["laplace"].width >= 1.0 / mu
    levels = np.concatenate([np.geomspace(1e-12, 0.5, 60), [math.exp(-mu / 2) / 2]])
    pure = PureDP(1.0 / costs["geometric"].width, **A)
    over = np.asarray(pure.power(levels).value) - np.asarray(promise.power(levels).value)
    assert over.max() <= 1e-15
    assert over[-1] == pytest.approx(0.0, abs=1e-12)


def test_the_largest_laplace_curve():
    """One release of Laplace noise: as much as calibrated by its own loss."""
    limit = AttackLimit("power", 0.2, level=0.05)
    found = largest_budget(limit, "laplace", releases=5)
    assert (found.definition, found.parameter) == ("laplace", "mu")
    width = calibrate(limit, "laplace", releases=5).value.value
    assert found.value.value == pytest.approx(1.0 / width, rel=1e-8)
