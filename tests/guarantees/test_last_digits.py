"""Brackets where few digits are left: at the smallest floats, and at the largest loss."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb  # type: ignore[import-not-found]
from mpmath import binomial, exp, log, mp, mpf

from dprisk import ProbabilisticDP, RenyiDP, convert
from dprisk.composition import compose
from dprisk.mechanisms import (
    DiscreteGaussian,
    Geometric,
    Laplace,
    PairOfDistributions,
    RandomizedResponse,
    SampleRelease,
)

A: Any = {"neighbors": "add-remove"}
TINY = [5e-324, 1e-323, 1e-320, 3.7e-316, 2.3e-308]
P, Q = (Fraction(7, 4096), Fraction(4089, 4096)), (Fraction(443, 4096), Fraction(3653, 4096))


def holds(bracket, truth):
    low, high = (mpf(float(end)) for end in bracket)
    return low <= truth <= high


@pytest.mark.parametrize("level", TINY)
@pytest.mark.parametrize(
    ("mechanism", "largest"),
    [
        (RandomizedResponse(5.061179889818667e-07, **A), Fraction(5.061179889818667e-07)),
        (RandomizedResponse(11.3, **A), Fraction(11.3)),
        (Geometric(0.5329137977831728, 3, **A), 3 / Fraction(0.5329137977831728)),
        (Laplace(0.25, 1.0, **A), Fraction(4)),
    ],
)
def test_power_at_the_smallest_levels(mechanism, largest, level):
    """Where there is room, a test raises all its alarms where the loss is largest."""
    with mp.workdps(60):
        truth = mpf(level) * exp(mpf(largest.numerator) / largest.denominator)
        found = mechanism.loss().power(level).bracket
        assert holds(found, truth)
        assert found[1] <= truth * (1 + mpf(10) ** -9) + 20 * mpf(5e-324)


def least_level(one, other, power):
    """Of 1300 draws of two outputs, by the lemma of Neyman and Pearson."""
    (a, b), (c, d) = ([mpf(x.numerator) / x.denominator for x in pair] for pair in (one, other))
    level = mpf(0)
    for j in range(1300, -1, -1) if a > c else range(1301):
        under_p, under_q = (binomial(1300, j) * x**j * y ** (1300 - j) for x, y in ((a, b), (c, d)))
        share = min(power / under_p, 1)
        power, level = power - share * under_p, level + share * under_q
        if power <= 0:
            break
    return level


@pytest.mark.parametrize("power", [6.9e-8, 1e-9, 3e-7])
def test_level_below_the_normal_floats(power):
    loss = PairOfDistributions([float(p) for p in P], [float(q) for q in Q], **A).loss()
    found = compose([loss], [1300]).guarantee.level(power)
    with mp.workdps(60):
        left = mpf(power)
        truth = min(least_level(P, Q, left), least_level(Q, P, left))
        assert holds(found.bracket, truth)


def _largest(kind, count):
    if kind == "response":
        return [RandomizedResponse(0.7, **A).loss()], [count], count * mpf(0.7)
    if kind == "geometric":
        scale = 0.114069562116403
        return [Geometric(scale, 2, **A).loss()], [count], count * 2 / mpf(scale)
    if kind == "laplace":
        return [Laplace(0.3, 1.0, **A).loss()], [count], count / mpf(0.3)
    pair = PairOfDistributions([0.390625, 0.609375], [0.015625, 0.984375], **A).loss()
    if kind == "pair":
        return [pair], [count], count * log(mpf(25))
    other = RandomizedResponse(0.3, **A).loss()
    return [pair, other], [count, 1], count * log(mpf(25)) + mpf(0.3)


@pytest.mark.parametrize("sides", ["one", "both"])
@pytest.mark.parametrize("count", [1, 2, 67, 2000])
@pytest.mark.parametrize("kind", ["response", "geometric", "laplace", "pair", "mixed"])
def test_with_certainty_only_the_largest_loss(kind, count, sides):
    """At failure 0, within its bracket; and no failure, however small, gets a larger bound."""
    with mp.workdps(60):
        losses, counts, truth = _largest(kind, count)
        whole = compose(losses, counts).guarantee
        for raw in (False, True):
            found = whole.loss_bound(0.0, sides=sides, post_processing=not raw)
            assert holds(found.bracket, truth)
            assert found.bracket[0] > truth * (1 - mpf(10) ** -10)
        several = whole.loss_bound([0.0, 5e-324, 1e-300, 1e-9], sides=sides, post_processing=False)
        assert np.all(several.value <= several.value[0])


@pytest.mark.parametrize(("sample", "population"), [(1641, 3900), (138, 1000), (1, 3), (2, 3)])
@pytest.mark.parametrize("neighbors", ["add-remove", "replace-one"])
def test_what_a_sample_reveals(sample, population, neighbors):
    """Its share is no float."""
    truth = Fraction(sample, population)
    mechanism = SampleRelease(sample, population, neighbors=neighbors)
    assert truth <= Fraction(mechanism.guarantee().parameters["delta"])
    loss = mechanism.loss()
    for answer in (
        loss.delta([0.0, 1.0, 3.0, math.inf]),
        loss.power([0.0]),
        loss.tail([3.0, 30.0, math.inf], post_processing=False),
    ):
        for low, high in zip(*answer.bracket, strict=True):
            assert Fraction(low) <= truth <= Fraction(high) and high - low < 1e-12
    found = loss.distribution("in").beyond(np.array([2.5, 5.96402745542046, 30.0]))
    for low, high in itertools.zip_longest(*found):
        assert Fraction(low) <= truth <= Fraction(high)


@pytest.mark.parametrize("scale", [1e101, 1e161, 1e300, 1e308])
@pytest.mark.parametrize("count", [1, 2, 1000])
def test_next_to_no_loss(scale, count):
    """Each loss is that of a coin, up to a share of 1 / scale: delta(0) is the mean of Z+."""
    whole = compose([Laplace(scale, 1.0, **A).loss()], [count]).guarantee
    far = sum(math.comb(count, i) * (count - 2 * i) for i in range(count // 2 + 1))
    truth = Fraction(far, 2**count) / Fraction(scale)
    with mp.workdps(60):
        exact = mpf(truth.numerator) / truth.denominator
        low, high = whole.delta(0.0).bracket
        assert mpf(low) <= exact * (1 + mpf(10) ** -90) and mpf(high) >= exact * (
            1 - mpf(10) ** -90
        )
        assert high <= exact * (1 + mpf(10) ** -9) + 100 * mpf(5e-324)
        assert holds(whole.epsilon(0.0).bracket, count / mpf(scale))
    for ask in (whole.power, whole.level):
        assert np.all(np.isfinite(ask([1e-300, 0.05, 0.5, 0.999]).value))
    raw = whole.tail(0.0, sides="one", post_processing=False)
    assert raw.bracket[0] <= 0.5 + 1e-9 and raw.value >= 0.01


@pytest.mark.parametrize("count", [2, 1000])
def test_next_to_everything(count):
    """Scales so small that e^loss overflows, many times over."""
    whole = compose([Laplace(1e-9, 1.0, **A).loss()], [count]).guarantee
    assert np.all(whole.power([1e-9, 0.05, 0.5]).value > 0.999)
    assert np.all(whole.level([0.05, 0.9]).bracket[0] < 1e-300)
    assert holds(whole.epsilon(0.0).bracket, count * 1e9 / mpf(1))
    assert whole.delta(count * 2e9).value == 0.0


def test_a_trade_off_whose_first_level_is_below_the_normal_floats():
    """epsilon 710: the errors fall to 0 by a slope that overflows."""
    promise = ProbabilisticDP(710.0, 0.00042, sides="both", **A)
    found = convert(promise, "tradeoff").guarantee
    assert found.power(0.0).value >= 0.00042 and found.delta(720.0).value >= 0.00042


def test_a_tail_is_certain_only_where_all_is_revealed():
    scale = 0.07849677830133237
    loss = Geometric(scale, 7, neighbors="replace-one").loss()
    found = loss.tail(0.10318894832735467, sides="one").bracket
    assert found[0] < 1.0 == found[1]


@pytest.mark.parametrize("delta", [5e-324, 1e-322, 3e-321, 1e-310])
def test_epsilon_of_deltas_that_sums_of_few_values_cannot_tell_apart(delta):
    """Five shifts by 5: where their sum is s, the loss is (125 - 10 s) / (2 sigma^2)."""
    low, high = compose([DiscreteGaussian(0.86, 5, **A)], [5]).guarantee.epsilon(delta).bracket
    twice = 2 * arb(0.86) ** 2
    weights = {j: (-arb(j * j) / twice).exp() for j in range(-50, 51)}
    whole = sum(weights.values(), arb(0))
    sums = {0: arb(1)}
    for _ in range(5):
        new: dict[int, arb] = {}
        for (s, p), (j, w) in itertools.product(sums.items(), weights.items()):
            new[s + j] = new.get(s + j, arb(0)) + p * w / whole
        sums = new

    def truth(epsilon: arb) -> Any:
        loss = {s: (125 - 10 * arb(s)) / twice for s in sums}
        return sum((p * -(epsilon - loss[s]).expm1() for s, p in sums.items() if loss[s] > epsilon))

    assert truth(arb(low)) > arb(delta)
    assert high == np.inf or truth(arb(high)) < arb(delta)


@pytest.mark.parametrize("epsilon", [0.985, 0.99, 1.0, 1.003])
def test_tails_below_the_range_of_normal_floats_under_one_order(epsilon):
    """Two coins on the ray x = y e^-epsilon that meet the limit, by an interval about y."""
    order, limit = 735.1, 0.00237
    found = RenyiDP(order, limit, **A).tail(epsilon, sides="one").value
    a, t = arb(order), arb(epsilon)

    def beyond(y: arb) -> Any:
        heads = y * ((a - 1) * t).exp()
        tails = (a * (-y).log1p() + (1 - a) * (-y * (-t).exp()).log1p()).expm1()
        return heads + tails - ((a - 1) * arb(limit)).expm1()

    assert beyond(arb(found)) > 0
    assert beyond(arb(found) * (1 - arb(1e-7)) - 4 * arb(5e-324)) < 0


def test_epsilon_where_a_segment_is_next_to_flat():
    """Where hardly any probability is left, a share of it overflows: no warning, no lost delta."""
    made = compose([DiscreteGaussian(0.24, 1, **A)], [5]).guarantee
    deltas = [0.7836658659735067, 0.9999999999999963, 0.9947, 0.2610224247568014]
    for d, e in zip(deltas, made.epsilon(deltas).value, strict=True):
        assert made.delta(e).value <= d


@pytest.mark.parametrize(
    ("sample", "population"),
    [(479_281, 480_161), (999_999_998, 999_999_999), (7, 10), (5, 10), (1, 3), (2, 10**9)],
)
@pytest.mark.parametrize("power", [0.999999954, 1.0 - 2**-50, 0.75])
def test_level_where_nearly_all_are_released(sample, population, power):
    """The reverse pair has power m only where the record is not released: at m (1 - m / n)."""
    found = SampleRelease(sample, population, **A).loss().level(power).bracket
    share = Fraction(sample, population)
    own = max((Fraction(power) - share) / (1 - share), Fraction(0))  # the sample for nothing
    truth = min(own, Fraction(power) * (1 - share))
    assert Fraction(float(found[0])) <= truth <= Fraction(float(found[1]))
    assert float(found[1]) <= float(truth) * (1.0 + 1e-3)
