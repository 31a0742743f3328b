"""Sums at their ends: the delta that is revealed, and the largest finite loss."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dprisk import ApproxDP, PureDP, mechanisms
from dprisk.composition import compose

A: Any = {"neighbors": "add-remove"}
Z: Any = {"neighbors": "replace-one"}


def laplace(scale):
    """Its loss is bounded by 1 / scale."""
    return mechanisms.Laplace(scale, 1.0, **A)


SUMS = {
    "approximate and pure": ([ApproxDP(1.0, 1e-6, **A), PureDP(0.5, **A)], [1, 1], 1.5, 1e-6),
    "twice a tenth": ([ApproxDP(1.0, 0.1, **A)], [2], 2.0, 0.19),
    "two with a tenth": ([ApproxDP(1.0, 0.1, **Z), ApproxDP(0.5, 0.1, **Z)], [1, 1], 1.5, 0.19),
    "three times a tenth": ([ApproxDP(0.25, 0.1, **A), PureDP(0.5, **A)], [3, 2], 1.75, 0.271),
    "Laplace": ([laplace(1.0), laplace(2.0)], [3, 2], 4.0, 0.0),
    "Laplace and a promise": ([laplace(2.0), ApproxDP(1.0, 1e-9, **A)], [5, 1], 3.5, 1e-9),
    "many": ([ApproxDP(0.25, 0.5, **A), PureDP(0.125, **A)], [20, 40], 10.0, 1.0 - 2.0**-20),
    "a sample": ([mechanisms.SampleRelease(1, 8, **Z), PureDP(1.0, **Z)], [2, 1], 1.0, 15 / 64),
}


@pytest.mark.parametrize("name", SUMS)
def test_epsilon_at_the_delta_of_the_sum(name):
    """1 - prod (1 - delta_i) is enough for the sum of the largest losses, and less for none."""
    parts, counts, most, own = SUMS[name]
    whole = compose(parts, counts).guarantee
    low, high = whole.epsilon(own).bracket
    assert low <= high <= most * (1.0 + 4e-15)
    assert low >= most * (1.0 - 1e-12) or own > 0.99  # where a millionth is as good as rounding
    assert whole.epsilon(np.nextafter(own, 0.0)).value == math.inf or own == 0.0
    assert np.array_equal(whole.epsilon([own, 0.5]).value[0], high)


@pytest.mark.parametrize("name", SUMS)
def test_delta_from_the_largest_loss_on(name):
    """Only what is revealed is left, and exactly so much; delta of epsilon is at most that."""
    parts, counts, most, own = SUMS[name]
    whole = compose(parts, counts).guarantee
    for epsilon in (most * (1.0 + 4e-15), most + 0.5, 1e6, math.inf):
        low, high = whole.delta(epsilon).bracket
        assert own * (1.0 - 1e-14) <= low <= high == own
    assert whole.delta(whole.epsilon(own).value).value <= own
    if own == 0.0:
        assert whole.tail(most).value == 0.0
        assert whole.loss_bound(0.0).value == most


def test_what_is_revealed_by_many_parts():
    """Twenty chances, as often as a thousand times, against fractions of floats and of decimals."""
    rng = np.random.default_rng(20260101)
    chances, counts = (10.0 ** rng.uniform(-12.0, -4.0, 20)).tolist(), rng.integers(1, 1000, 20)
    parts = [ApproxDP(0.01, chance, **A) for chance in chances]
    whole = compose(parts, counts.tolist()).guarantee
    each = ([read(c) for c in chances] for read in (Fraction, lambda c: Fraction(repr(c))))
    pairs = ([(1 - c) ** int(n) for c, n in zip(some, counts, strict=True)] for some in each)
    exact, decimal = (1 - math.prod(some) for some in pairs)
    high = whole.delta(np.inf).value
    before = math.nextafter(high, 0.0)
    assert bool(Fraction(high) >= exact) or bool(Fraction(repr(high)) >= decimal)
    assert bool(Fraction(before) < exact) and bool(Fraction(repr(before)) < decimal)
    assert whole.epsilon(high).value < math.inf
    assert whole.epsilon(before).value == math.inf


@pytest.mark.parametrize("rate", [1e-3, 0.01, 0.5])
@pytest.mark.parametrize("steps", [1, 50])
def test_epsilon_is_zero_where_delta_exceeds_the_total_variation(rate, steps):
    """At most rate times steps, and exactly 0, in lists as well."""
    step = mechanisms.SubsampledGaussian(sigma=1.0, sensitivity=1.0, rate=rate, **A)
    whole = compose([step], [steps]).guarantee
    delta = min(1.0001 * float(whole.delta(0.0).value), 1.0)
    assert whole.epsilon(delta).value == 0.0
    assert np.array_equal(whole.epsilon([delta, 1.0]).value, [0.0, 0.0])


@pytest.mark.parametrize("scale", [0.57, 0.3, 0.7, 1.1, 3.0, 5.0])
@pytest.mark.parametrize("count", [1, 2, 3, 40])
def test_a_rounded_quotient_bounds_the_largest_loss(scale, count):
    """Up to the exact sum of the quotients something is left; past it, nothing."""
    whole = compose([mechanisms.Laplace(scale, 1.0, **A).loss()], [count]).guarantee
    truth = Fraction(count) / Fraction(scale)
    assert Fraction(whole.loss_bound(0.0).bracket[1]) >= truth
    assert Fraction(whole.epsilon(0.0).bracket[1]) >= truth
    near = float(truth)
    below = near if Fraction(near) < truth else math.nextafter(near, 0.0)
    assert whole.delta(below).bracket[1] > 0.0
    assert whole.delta(math.nextafter(whole.loss_bound(0.0).bracket[1], 9e9)).value == 0.0


@pytest.mark.parametrize(("delta", "count"), [(0.5, 2000), (0.1, 10_000), (0.9, 10**6)])
def test_nearly_everything_is_not_everything(delta, count):
    """1 - (1 - delta)^count is below 1, also where no double tells them apart."""
    each = ApproxDP(1.0, delta, neighbors="replace-one")
    low, high = compose([each], [count]).guarantee.delta(math.inf).bracket
    assert 1.0 - 2.0**-52 <= low < high == 1.0
