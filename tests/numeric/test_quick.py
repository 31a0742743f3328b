"""Binomial weights and sums in few operations: the truth is as near as they say."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from dprisk._numeric.binomial import mode, offset
from dprisk._numeric.quick import quick_log_weight, quick_totals
from dprisk._numeric.weights import log_weight

COUNTS = [1, 2, 3, 10, 33, 1000, 10**6, 10**9]
ODDS = [1e-8, 0.05, 1.0, 7.5]


def below(count, log_odds):
    """Places from nothing to the mode, most of them where it matters: a few deviations away."""
    top = min(mode(count, log_odds), (count - 1) // 2)
    deviation = math.sqrt(count) / (2.0 * math.cosh(log_odds / 2.0))
    away = {int(top - each * deviation) for each in (0.0, 0.3, 1.5, 4.75, 12.0, 37.0)}
    return sorted(one for one in {0, 1, 2, top // 2, top, *away} if 0 <= one <= top)


def exact_total(count, first, odds):
    """1 + first / (count - first + 1) odds + ... to forty digits."""
    with mp.workdps(40):
        term = total = mpf(1)
        for step in range(first):
            term *= mpf(first - step) / (count - first + 1 + step) * odds
            total += term
            if term < total * mpf(10) ** -35:
                break
        return total


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("log_odds", ODDS)
def test_the_logarithm_of_a_weight_is_as_near_as_it_says(count, log_odds):
    for least in below(count, log_odds):
        found = quick_log_weight(count, least, log_odds)
        off = abs(log_weight(count, least, log_odds) - Decimal(found.near) - Decimal(found.rest))
        assert off <= Decimal(found.error)
        assert found.error <= 3e-14 * (1.0 + abs(found.near)) * (1.0 + math.sqrt(count) / 300.0)


@pytest.mark.parametrize("count", COUNTS[1:-1])
@pytest.mark.parametrize("log_odds", ODDS)
def test_both_sums_are_enclosed(count, log_odds):
    found, deviation = 0, math.sqrt(count) / (2.0 * math.cosh(log_odds / 2.0))
    for first in below(count, log_odds)[1:]:
        both = quick_totals(count, first, log_odds)
        for sign, (low, high) in zip((1, -1), both or (), strict=False):
            with mp.workdps(40):
                exact = exact_total(count, first, mp.exp(sign * mpf(log_odds)))
            assert low <= exact <= high
            near = mode(count, log_odds) - first < 3.0 * deviation
            assert high - low <= (1e-10 if near else 1e-13 * (1.0 + 0.1 * high)) * high
            found += 1
    assert found or mode(count, log_odds) < 2


@pytest.mark.parametrize(("count", "first"), [(8, 1), (16, 2), (40, 1), (40, 5), (100, 11)])
def test_sums_of_fractions(count, first):
    """With odds 1 / 3 and 3, in exact arithmetic; the logarithm is moved by a rounding each way."""
    ways = [math.comb(count, first - step) for step in range(first + 1)]
    both = []
    for odds in (Fraction(3), Fraction(1, 3)):
        both.append(sum(way * odds**step for step, way in enumerate(ways)) / ways[0])
    more = quick_totals(count, first, math.nextafter(math.log(3), 9.0))
    less = quick_totals(count, first, math.nextafter(math.log(3), 0.0))
    assert less[0][0] <= both[0] <= more[0][1]
    assert more[1][0] <= both[1] <= less[1][1]


def test_next_to_the_mode_there_is_no_short_sum():
    assert quick_totals(10**6, 500_000, 1e-9) is None
    assert quick_totals(10**6, 499_900, 1e-9) is None


@given(
    number=st.integers(-(10**10), 10**10),
    spacing=st.floats(0.0, 1e9),
    x=st.floats(-1e20, 1e20),
)
def test_an_offset_is_rounded_once(number, spacing, x):
    exact = Fraction(spacing) * number - Fraction(x)
    assert offset(number, spacing, x) == float(exact)
