"""Epsilon of repeated randomized response, the quick way: the truth lies in it, at any size."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mpmath import mp, mpf

from dprisk import PureDP
from dprisk.accountant.randomized_response import Responses, elementwise
from dprisk.composition import compose
from dprisk.errors import OutOfRange

DELTAS = [1e-300, 1e-30, 1e-6, 0.01, 0.3, 0.9, 1 - 1e-9]
EACH = [1e-8, 1e-3, 0.05, 1.0, 9.0, 50.0]


def exact_delta(k, epsilon0, delta0, epsilon):
    """Sum over the number of wrong answers, term by term."""
    e, x = mpf(epsilon0), mpf(epsilon)
    weight, total = (1 + mp.exp(-e)) ** -k, mpf(0)
    for wrong in range(k + 1):
        loss = (k - 2 * wrong) * e
        if loss <= x:
            break
        total -= weight * mp.expm1(x - loss)
        weight *= mpf(k - wrong) / (wrong + 1) * mp.exp(-e)
    kept = k * mp.log1p(-mpf(delta0))
    return total * mp.exp(kept) - mp.expm1(kept)


@pytest.mark.parametrize("k", [1, 2, 10, 120])
@pytest.mark.parametrize("revealed", [0.0, 1e-9])
def test_the_bracket_of_epsilon_holds_the_truth(k, revealed):
    """Delta is at most what was asked at the upper end and at least that at the lower one."""
    room = mpf(10) ** -45
    with mp.workdps(60):
        for epsilon0 in EACH:
            for delta in DELTAS:
                low, high = Responses(k, epsilon0, revealed).epsilon(delta)
                assert low <= high
                if high < math.inf:
                    assert exact_delta(k, epsilon0, revealed, high) <= delta * (1 + room)
                if 0.0 < low < math.inf:
                    assert exact_delta(k, epsilon0, revealed, low) >= delta * (1 - room)


@given(
    k=st.integers(1, 2 * 10**6),
    epsilon0=st.floats(1e-8, 50.0),
    delta0=st.sampled_from([0.0, 1e-15]),
    delta=st.floats(-300.0, -0.01).map(lambda power: 10.0**power),
)
@example(k=10**6, epsilon0=1e-3, delta0=0.0, delta=5e-324)
@example(k=10**6, epsilon0=1e-3, delta0=0.0, delta=3e-323)
@example(k=1000, epsilon0=0.05, delta0=1e-15, delta=1.1e-12)
def test_what_holds_quickly_holds_to_the_last_digit(k, epsilon0, delta0, delta):
    """The bracket of delta that is exact is inside the one that was used."""
    responses = Responses(k, epsilon0, delta0)
    low, high = responses.epsilon(delta)
    if high < math.inf:
        assert responses.delta(high)[1] <= delta
    if 0.0 < low < math.inf:
        assert responses.delta(low)[0] >= delta


@pytest.mark.parametrize("k", [1, 2, 10, 100, 1000, 10**4, 10**5, 10**6])
@pytest.mark.parametrize("epsilon0", [1e-6, 0.05, 2.0])
def test_the_bracket_is_narrow_at_any_size(k, epsilon0):
    for delta in (1e-300, 1e-15, 1e-6, 1e-3):
        low, high = Responses(k, epsilon0, 0.0).epsilon(delta)
        assert 0.0 <= high - low <= 1e-12 * high


def test_scalars_and_arrays_get_the_same_numbers():
    whole = compose([PureDP(0.05, neighbors="add-remove")], [1000]).guarantee
    deltas = np.array([[1e-9, 1e-6], [0.1, 1.0]])
    found = whole.epsilon(deltas)
    for place in np.ndindex(2, 2):
        one = whole.epsilon(float(deltas[place]))
        assert one.bracket == (found.other_end[place], found.value[place])


def test_no_numbers_give_none():
    found = elementwise(Responses(3, 1.0, 0.0).epsilon, np.zeros((0, 2)))
    assert found.lower.shape == found.upper.shape == (0, 2)


@pytest.mark.parametrize(("epsilon", "count"), [(2e9, 3), (1.0, 10**11)])
def test_promises_beyond_what_sums_can_take_are_refused(epsilon, count):
    with pytest.raises(OutOfRange):
        compose([PureDP(epsilon, neighbors="add-remove")], [count]).guarantee.epsilon(1e-6)
