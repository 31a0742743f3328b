"""Sums with few values, each of which is a little off."""

from __future__ import annotations

import mpmath

from dprisk.composition import compose
from dprisk.mechanisms import PairOfDistributions


def test_the_least_level_of_the_largest_of_many_values():
    """The sum of many losses is a little off, and so is a level that is read next to it."""
    p, q = [0.8002532378422984, 0.1997467621577016], [0.7094390268639472, 0.2905609731360528]
    pair = PairOfDistributions(p, q, neighbors="add-remove")
    power = 5.512064672651831e-119
    found = compose([pair.loss()], [202]).guarantee.level([0.5, power])
    with mpmath.workdps(50):
        ratio = (mpmath.mpf(q[1]) / mpmath.mpf(p[1])) ** 202  # the other way round
        low, high = (float(end[1]) for end in found.bracket)
        least = power / ratio
        truth = min(least, power * (mpmath.mpf(q[0]) / mpmath.mpf(p[0])) ** 202)
    assert low <= truth <= high
