"""Logarithms of rational numbers, rounded outwards."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from mpmath import mp, mpf

from dprisk.audit import Growth
from dprisk.audit.growth import log_bracket


@pytest.mark.parametrize("digits", [1, 3, 20, 400])
def test_a_bracket_of_a_logarithm_holds_it(digits):
    rng = random.Random(digits)
    with mp.workdps(60):
        for _ in range(300):
            over = rng.randint(1, 10**digits)
            under = rng.choice([rng.randint(1, 10**digits), over + rng.randint(1, 9)])
            low, high = log_bracket(Fraction(over, under))
            truth = mp.log(mpf(over)) - mp.log(mpf(under))
            assert mpf(low) <= truth <= mpf(high)
            assert high - low <= 1e-14 * (1 + abs(high))
            if truth > 0:
                assert Growth(Fraction(over, under)).nats(above=True) == high
