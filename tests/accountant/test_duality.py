"""Least values over a privacy profile whose larger part is to the left of 0."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

from dprisk.composition import compose
from dprisk.mechanisms import PairOfDistributions

COUNT = 2992
OFTEN, NEVER = 0.004001776687800884, 2.0**-40
POWERS = (1.0 - 6.53e-14, 1.0 - 1e-12, 1.0 - 1e-10)
LEVELS = (7e-6, 3e-5, 8e-5)


def test_level_and_power_far_to_the_left_of_0():
    """The losses of one direction begin at -12 and go on at 10 to 66,437: beyond what one looks
    at about their mean, 282, there is still all that the reverse test can do."""
    p, q = ([one, 1.0 - one] for one in (OFTEN, NEVER))
    loss = PairOfDistributions(p, q, neighbors="replace-one").loss()
    made = compose([loss], [COUNT]).guarantee
    with mp.workdps(60):
        own, other = _binomial(OFTEN), _binomial(NEVER)
        level = [min(_level(own, other, m), _level(other[::-1], own[::-1], m)) for m in POWERS]
        power = [max(_power(own, other, x), _power(other[::-1], own[::-1], x)) for x in LEVELS]
        _between(level, made.level(POWERS))
        _between(power, made.power(LEVELS))
        _between(level[:1], made.level(POWERS[:1]))
        _between(power[:1], made.power(LEVELS[:1]))
        ratios = [mp.log(m / x) for m, x in zip(POWERS, level, strict=True)]
        _between(ratios, made.loss_bound(POWERS, sides="one"))


def _between(truth, found):
    """Each truth between its ends, and these close."""
    for exact, low, high in zip(truth, *map(np.ravel, found.bracket), strict=True):
        assert low <= exact <= high
        assert float(low) == pytest.approx(float(high), rel=0.01)


def _binomial(p):
    """Most ones first: these are the more likely, the larger p is."""
    odds = mp.mpf(p) / (1 - mp.mpf(p))
    found = [(1 - mp.mpf(p)) ** COUNT]
    for k in range(COUNT):
        found.append(found[-1] * odds * (COUNT - k) / (k + 1))
    return found[::-1]


def _power(own, other, level):
    """Neyman and Pearson: outcomes by falling likelihood ratio, the last one in part."""
    power = mp.mpf(0)
    for p, q in zip(own, other, strict=True):
        share = min(level / q, 1)
        power, level = power + p * share, level - q * share
    return power


def _level(own, other, power):
    """The same, until the power is reached."""
    level = mp.mpf(0)
    for p, q in zip(own, other, strict=True):
        share = min(power / p, 1)
        power, level = power - p * share, level + q * share
    return level
