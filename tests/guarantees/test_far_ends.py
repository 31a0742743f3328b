"""Where brackets of composed losses used to end on the wrong side: truths from elsewhere."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import numpy as np
import pytest
from flint import arb, ctx, fmpq  # type: ignore[import-not-found]
from scipy.optimize import linprog

from dprisk import PrivacyLoss, RenyiDP, ZeroConcentratedDP, disclosure
from dprisk.composition import compose
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import LossPair
from dprisk.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    PairOfDistributions,
    RandomizedResponse,
    SampleRelease,
    SubsampledGaussian,
)
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


@pytest.mark.parametrize("delta", [4.8e-9, 3e-7, 0.1, 0.3])
def test_full_power_of_what_may_fail(delta):
    """The level is 1 - delta, and never above it."""
    found = ZeroConcentratedDP(1e-3, delta=delta, **A).level(1.0).value
    truth = 1 - Fraction(delta)
    assert truth - Fraction(2**-52) <= Fraction(found) <= truth


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


@pytest.mark.parametrize("ratio", [300.3, 317.7, 331.9, 333.3, 345.1])
def test_far_tails_of_few_values(ratio):
    """The same of two draws: their losses are off by more than their probabilities."""
    loss = repeated(RandomizedResponse(ratio, 3, **A), 2)
    pair = repeated(Geometric(1.0 / ratio, 1, **A), 2)
    with mpmath.workdps(700):
        c = 1 / mpmath.mpf(1.0 / ratio)
        truth = (mpmath.exp(-c) / (1 + mpmath.exp(-c))) ** 2
        found = pair.distribution("out").beyond(np.array([1.5 * ratio]))
        assert found.lower[0] <= truth <= found.upper[0]
        e = mpmath.exp(mpmath.mpf(ratio))
        found = loss.distribution("out").beyond(np.array([1.5 * ratio]))
        assert found.lower[0] <= 1 / (e + 2) ** 2 <= found.upper[0]


@pytest.mark.parametrize("odds", range(3, 31))
def test_largest_loss_of_a_pair(odds):
    """log(p / q) as a float may be less than it is: there delta is not zero yet."""
    total = 32
    p, q = Fraction(odds, total), Fraction(1, total)
    loss = PairOfDistributions([float(p), float(1 - p)], [float(q), float(1 - q)], **A).loss()
    with mpmath.workdps(50):
        most = mpmath.log(odds)
        for x in (float(most), math.nextafter(float(most), 0.0)):
            own = mpmath.mpf(odds) / total * max(-mpmath.expm1(x - most), 0)
            assert loss.delta(x).value >= own
            assert loss.delta(x).bracket[0] <= own


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
    shown = LossPair.known(AtomicLoss.of([0.0], [1.0 - 1e-6], 1e-6, None, 1e-6), label="shown")
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


def best_test(p, q, count, level):
    """Power of the best test of count outcomes, which are likely p and q: by the ratio."""
    most = Fraction(0)
    for wrong in range(count + 1) if p > q else range(count, -1, -1):
        ways = math.comb(count, wrong)
        under_q = ways * q ** (count - wrong) * (1 - q) ** wrong
        under_p = ways * p ** (count - wrong) * (1 - p) ** wrong
        share = min(level / under_q, Fraction(1))
        most, level = most + share * under_p, level - share * under_q
    return most


@pytest.mark.parametrize("level", [5e-324, 1e-300, 1e-200])
def test_power_at_the_smallest_levels(level):
    """e^t x for all t up to where e^t is beyond what floats can square."""
    p, q, count = Fraction(29, 32), Fraction(9, 64), 315
    pair = PairOfDistributions([float(p), float(1 - p)], [float(q), float(1 - q)], **A)
    truth = max(best_test(*each, count, Fraction(level)) for each in ((p, q), (q, p)))
    low, high = repeated(pair, count).power(level).bracket
    assert Fraction(low) <= truth <= Fraction(high) and high - low <= 1e-8 * high


@pytest.mark.parametrize("power", [1e-323, 1e-322, 1e-310])
def test_level_of_the_smallest_powers(power):
    """Of pure DP: power over e^epsilon, in numbers that have few digits."""
    epsilon = 0.005124068680007892
    with mpmath.workdps(40):
        truth = mpmath.mpf(power) / mpmath.exp(mpmath.mpf(epsilon))
    low, high = RandomizedResponse(epsilon, 4, **A).loss().level(power).bracket
    assert low <= truth <= high


def test_levels_that_underflow_are_not_zero():
    """The level is 8e-428; only what is revealed needs no false alarm."""
    low, high = (
        repeated(Gaussian(3473.8938163000885, 7.759442786064864, **A), 84_000_000)
        .level(4.5e-128)
        .bracket
    )
    assert low == 0.0 < high


@pytest.mark.parametrize("failure", [5e-324, 1e-320, 1e-312])
def test_loss_bounds_of_the_smallest_failures(failure):
    """log(m / Phi(Phi^-1(m) - mu)), where shares of m are no floats."""
    mu = 1.0 / 0.35
    with mpmath.workdps(60):
        m = mpmath.mpf(failure)
        z = mpmath.findroot(lambda z: mpmath.log(mpmath.ncdf(z) / m), -38.4)
        truth = mpmath.log(m / mpmath.ncdf(z - mpmath.mpf(mu)))
    low, high = Gaussian(0.35, 1.0, **A).loss().loss_bound(failure, sides="one").bracket
    assert low <= truth <= high


@pytest.mark.parametrize(
    ("pairs", "at"),
    [
        (([0.75, 0.25], [0.25, 0.75], 1), math.log(3.0)),
        (([0.84375, 0.015625, 0.140625], [0.96875, 0.015625, 0.015625], 1), math.log(9.0)),
        (([0.75, 0.25], [0.25, 0.75], 3), 3 * math.log(3.0)),
        (([0.75, 0.25], [0.25, 0.75], 2), 0.0),
    ],
)
def test_raw_tails_next_to_a_value(pairs, at):
    """A value that may be larger counts at the upper end; one that may not be, not at the lower."""
    p, q, count = pairs
    loss = repeated(PairOfDistributions(p, q, **A), count)
    for x in (math.nextafter(at, -1.0), at, math.nextafter(at, 9.0)):
        if x < 0.0:
            continue
        truth = Fraction(0)
        with mpmath.workdps(40):
            for turn in (0, 1):
                one, other = ((p, q), (q, p))[turn]
                total = Fraction(0)
                for picks in product(range(len(p)), repeat=count):
                    up = math.prod(Fraction(one[i]) for i in picks)
                    down = math.prod(Fraction(other[i]) for i in picks)
                    ratio = mpmath.log(mpmath.mpf(up.numerator) / up.denominator) - mpmath.log(
                        mpmath.mpf(down.numerator) / down.denominator
                    )
                    total += up if ratio > x else 0
                truth = max(truth, total)
        low, high = loss.tail(x, sides="one", post_processing=False).bracket
        assert Fraction(low) <= truth <= Fraction(high)


def test_raw_tails_of_values_that_are_floats():
    """Both answers of randomized response have losses that are known exactly."""
    loss = RandomizedResponse(0.1, **A).loss()
    assert loss.tail(0.1, post_processing=False).bracket == (0.0, 0.0)
    assert loss.tail(math.nextafter(0.1, 0.0), post_processing=False).value == 1.0
    three = repeated(RandomizedResponse(0.1, **A), 3)
    assert 3 * Fraction(0.1) > Fraction(0.3)
    assert three.tail(0.3, sides="one", post_processing=False).value > 0.1


def test_mixed_losses_at_infinity():
    """Nothing is impossible, and infinity is no number to compute with."""
    loss = compose([RandomizedResponse(1.0, **A).loss(), Laplace(1.0, 1.0, **A).loss()], [1, 1])
    assert loss.guarantee.delta([0.5, np.inf, 1e300]).value[1:].tolist() == [0.0, 0.0]
    assert loss.guarantee.tail([np.inf]).value.tolist() == [0.0]


@pytest.mark.parametrize("steps", [0, 1, 2, 50, 200])
@pytest.mark.parametrize(
    ("p", "q", "count"),
    [([4.8203219193965197e-05, 0.999951796780806], [0.4671106963787679, 0.5328893036212321], 24)]
    + [([0.75, 0.25], [0.25, 0.75], count) for count in (2, 3, 7, 40)],
)
def test_tails_next_to_the_largest_loss(p, q, count, steps):
    """From the largest loss on the tail is zero, however little it is exceeded."""
    with ctx.workprec(200):
        largest = count * abs((arb(q[0]) / arb(p[0])).log())
        t = math.nextafter(float(largest.mid()), math.inf) * (1.0 + steps * 2.0**-52)
        assert arb(t) > largest
    low, _ = repeated(PairOfDistributions(p, q, **A), count).tail(t, sides="one").bracket
    assert low == 0.0


@pytest.mark.parametrize("count", [1, 2, 110])
def test_quantiles_of_a_loss_that_is_certain(count):
    """Whoever is not in the data sees the record left out each time: one loss, with certainty."""
    share = Fraction(621036, 979017)
    loss = repeated(SampleRelease(621036, 979017, **A), count).distribution("out")
    for q in (1e-300, 0.15, 0.5, 0.99):
        low, high = loss.quantile(np.array([q]))
        with ctx.workprec(200):
            truth = count * arb(fmpq((1 - share).numerator, (1 - share).denominator)).log()
            assert arb(low[0]) <= truth <= arb(high[0])
        assert high[0] - low[0] < 1e-9


@pytest.mark.parametrize("epsilon", [5000.0, 6000.0, 7790.8490420290245, 12992.0, 1e5])
def test_tails_beyond_all_floats_are_at_least_zero(epsilon):
    """Two normals 63 apart: such tails are below e^-1200."""
    loss = Gaussian(0.10667960416035303, 6.7, **A).loss()
    mu = mpmath.mpf(6.7) / mpmath.mpf(0.10667960416035303)
    truth = mpmath.ncdf(mu / 2 - epsilon / mu) * 1e10  # and the ray leaves the curve soon after
    assert truth < mpmath.mpf("1e-400") or epsilon == 5000.0
    low, high = loss.tail(epsilon, sides="one").bracket
    assert low == 0.0 and high > 0.0


@pytest.mark.parametrize("delta", [5e-324, 1e-323, 1e-322, 1e-321])
def test_epsilon_of_the_smallest_deltas(delta):
    """What is promised at an epsilon is kept there, and the epsilon is near."""
    loss = repeated(Gaussian(2645.2807238441937, 3.72293560694537, **A), 2222087)
    low, high = loss.epsilon(delta).bracket
    assert loss.delta(high).value <= delta
    mu = mpmath.sqrt(2222087) * mpmath.mpf(3.72293560694537) / mpmath.mpf(2645.2807238441937)
    e = mpmath.mpf(low)
    reached = mpmath.ncdf(mu / 2 - e / mu) - mpmath.exp(e) * mpmath.ncdf(-mu / 2 - e / mu)
    assert reached >= delta
    assert high < 1.2 * low


@pytest.mark.parametrize("epsilon", [1015.7512353721739, 1015.74, 1015.76, 1015.77, 1016.0])
def test_delta_below_the_range_of_normal_floats(epsilon):
    """Two kinds of normal noise; a product there is off by half of the smallest float."""
    parts = (6.23516291466841, 0.31176481268622913, 96), (2000.0, 5.672288976251169, 54064994)
    loss = compose([Gaussian(s, d, **A).loss() for s, d, _ in parts], [k for *_, k in parts])
    with ctx.workprec(400):
        mu = sum((k * (arb(d) / arb(s)) ** 2 for s, d, k in parts), arb(0)).sqrt()
        x, half = arb(epsilon) / mu, mu / 2
        tails = [((x + side * half) / arb(2).sqrt()).erfc() / 2 for side in (-1, 1)]
        truth = tails[0] - arb(epsilon).exp() * tails[1]
        low, high = loss.guarantee.delta(epsilon).bracket
        assert arb(low) <= truth <= arb(high)


def most_that_moves(p, q, limit):
    """Largest P(S), S with coins, for which P(S) >= e^limit Q(S): the most telling outcomes."""
    with mpmath.workdps(50):
        grown, power, spare = mpmath.exp(mpmath.mpf(limit)), mpmath.mpf(0), mpmath.mpf(0)
        for a, b in sorted(
            zip(p, q, strict=True), key=lambda ab: -ab[0] / ab[1] if ab[1] else -1e9
        ):
            gain = a - grown * b
            if gain < 0 and -gain > spare:
                return power + a * spare / -gain
            power, spare = power + a, spare + gain
        return power


@pytest.mark.parametrize("steps", [-3, -1, 0, 1, 3, 100])
def test_one_tail_next_to_the_largest_loss_of_one_direction(steps):
    """The other reveals something, and so its tail goes on; this one is gone."""
    p = [0.015625, 0.03125, 0.734375, 0.015625, 0.171875, 0.03125]
    q = [0.953125, 0.015625, 0.015625, 0.0, 0.015625, 0.0]
    limit = 4.110873864173311  # the float above log 61
    for _ in range(abs(steps)):
        limit = math.nextafter(limit, math.copysign(math.inf, steps))
    truth = max(most_that_moves(p, q, limit), most_that_moves(q, p, limit))
    low, high = PairOfDistributions(p, q, **A).loss().tail(limit, sides="one").bracket
    assert low <= truth <= high


@pytest.mark.parametrize("order, bound", [(9.015559132450834, 37.0), (15.4249395795, 46.16022634)])
def test_epsilon_falls_up_to_delta_one(order, bound):
    """Next to 1 delta is rounded by as much as epsilon is asked to move it: it stays monotone."""
    guarantee = RenyiDP(order, bound, neighbors="replace-one")
    gaps = [0.1, 1e-6, 1e-10, 4e-12, 1e-12, 1e-13, 1e-14, 2.0**-52, 2.0**-53]
    delta = 1.0 - np.array(gaps)
    epsilon = guarantee.epsilon(delta).value
    assert np.all(np.diff(epsilon) <= 0.0)
    assert np.all(guarantee.delta(epsilon).value <= delta)


def test_epsilon_at_delta_zero_of_a_sum_is_the_sum_of_the_largest_losses():
    """Its lower end is rounded down from the sum, not from an end that was rounded up before."""
    scales = [(0.3433763687246385, 0.1308209691726841, 1), (0.75, 1.2771330682618411, 5)]
    losses = [Laplace(scale, shift, **A).loss() for scale, shift, _ in scales]
    composed = compose(losses, [count for *_, count in scales]).guarantee
    truth = sum(count * Fraction(shift) / Fraction(scale) for scale, shift, count in scales)
    low, high = composed.epsilon(0.0).bracket
    assert Fraction(float(low)) <= truth <= Fraction(float(high))


@pytest.mark.parametrize("delta", [0.0, 1e-6, 0.5, 0.9935839907621119, 1.0 - 2.0**-53])
@pytest.mark.parametrize("rho", [1e-300, 0.1609703847413185, 1e4])
def test_tails_of_what_may_fail_go_down_to_its_delta(rho, delta):
    """Where levels underflow, they used to be 1 again, however far out."""
    found = ZeroConcentratedDP(rho, xi=0.00046, delta=delta, **A)
    for sides in ("one", "both"):
        tail = found.tail([700.0, 752.0, 800.0, 1e5, 1e50, 1e99, 1e101], sides=sides).value
        assert np.all(tail >= delta)
        assert np.all(np.diff(tail) <= 1e-13 * tail[1:] + 1e-320)
        assert np.all(tail[4:] <= delta * (1.0 + 1e-13) + 1e-320)
