"""Rényi divergences of unlike parts add up outwards: never below the sum in fractions."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from dprisk import GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from dprisk.composition.composing import by_orders
from dprisk.risk import attack

A: Any = {"neighbors": "add-remove"}


@pytest.mark.parametrize("seed", range(20))
def test_sums_of_divergences(seed):
    rng = random.Random(seed)
    orders = [1.1, 1.7, 2.3, 5.9]
    parts = [
        RenyiDP(orders, [rng.random() for _ in orders], **A),
        RenyiDP(orders, [0.1 * rng.random() for _ in orders], **A),
        ZeroConcentratedDP(rng.random(), xi=rng.random() / 3, **A),
        ZeroConcentratedDP(rng.random() / 7, **A),
    ]
    times = [rng.randint(1, 99) for _ in parts]
    found = by_orders(parts, times).guarantee
    for i, order in enumerate(orders):
        truth = Fraction(0)
        for part, count in zip(parts, times, strict=True):
            if isinstance(part, RenyiDP):
                truth += count * Fraction(part.gamma[i])
            else:
                truth += count * (Fraction(part.xi) + Fraction(part.rho) * Fraction(order))
        assert truth <= Fraction(found.gamma[i]) <= truth * (1 + Fraction(1, 2**48))


def test_one_part_stays_as_it_is():
    known = RenyiDP([1.5, 3.0], [0.1, 0.7], **A)
    assert by_orders([known], [1]).guarantee == known


@pytest.mark.parametrize("known", [GaussianDP(0.0019, **A), PureDP(0.3, **A)])
def test_a_belief_from_chances_of_few_digits_is_a_bound(known):
    """The power at the smallest level is the next double: its belief is no worst case."""
    found = attack(known)
    assert found.predictive_value(5e-324, 0.5).bound == "upper"
    assert found.predictive_value([0.0, 1e-300, 0.1], 0.5).bound == "exact"
