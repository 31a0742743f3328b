"""The mechanism in the middle (Proposition 17): the closest pair with pure DP."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from tests.oracles import finite


def closest(p, q, growth):
    """P' and Q': where P > b Q, both are replaced by the two numbers with the same sum and the
    ratio b; where Q > b P the other way round. What one of them has lost in all is given back where
    it is smaller, and taken from the other there: the two only come closer.
    """
    inner, outer = list(p), list(q)
    for n, (x, y) in enumerate(zip(p, q, strict=True)):
        if x > growth * y:
            inner[n], outer[n] = (x + y) * growth / (1 + growth), (x + y) / (1 + growth)
        elif y > growth * x:
            inner[n], outer[n] = (x + y) / (1 + growth), (x + y) * growth / (1 + growth)
    missing = 1 - sum(inner, Fraction(0))
    if missing < 0:
        outer, inner = _given_back(outer, inner, -missing)
    elif missing > 0:
        inner, outer = _given_back(inner, outer, missing)
    return inner, outer


def _given_back(low, high, missing):
    """Move what is missing in `low` there from `high`, where `low` is smaller."""
    gaps = [max(y - x, Fraction(0)) for x, y in zip(low, high, strict=True)]
    share = missing / sum(gaps)
    return (
        [x + share * gap for x, gap in zip(low, gaps, strict=True)],
        [y - share * gap for y, gap in zip(high, gaps, strict=True)],
    )


def apart(p, q):
    return sum(abs(x - y) for x, y in zip(p, q, strict=True)) / 2


@pytest.mark.parametrize("seed", range(16))
def test_mechanism_in_the_middle(seed):
    """Distributions; pure DP in both directions; distances delta / (1 + b), the least possible."""
    rng = random.Random(seed)
    p, q = (finite.random_distribution(rng, 4, zeros=True) for _ in range(2))
    for b in (Fraction(1), Fraction(11, 10), Fraction(2), Fraction(60)):
        inner = closest(p, q, b)
        assert all(value >= 0 for row in inner for value in row)
        assert all(sum(row) == 1 for row in inner)
        assert finite.profile(inner, b) == finite.profile(inner[::-1], b) == 0
        delta = max(finite.profile((p, q), b), finite.profile((q, p), b))
        assert apart(p, inner[0]) == apart(q, inner[1]) == delta / (1 + b)
