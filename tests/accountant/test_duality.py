"""Power, level and loss bounds of many runs of a pair with a rare outcome."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

from dprisk.composition import compose
from dprisk.mechanisms import PairOfDistributions

MOST_RARE = 1000  # of the outcomes; more of them add nothing in sixty digits


@pytest.mark.parametrize(
    ("p", "q", "count", "powers", "levels"),
    [
        pytest.param(
            0.004001776687800884,
            2.0**-40,
            2992,
            (1.0 - 6.53e-14, 1.0 - 1e-12, 1.0 - 1e-10),
            (7e-6, 3e-5, 8e-5),
            id="losses of one direction are -12 and then 10 to 66,437",
        ),
        pytest.param(
            0.5448085599036858,
            5.662137425588298e-13,
            1000,
            (1.0 - 4.143e-13, 1.0 - 1e-11, 1.0 - 1e-9),
            (1e-6, 1e-3, 0.9),
            id="losses of one direction are far from 0 on both sides",
        ),
        pytest.param(
            1.9095836023552692e-14,
            4.9960036108132044e-15,
            10**7,
            (1e-12, 0.47492932241329255, 0.9),
            (1e-12, 0.3, 0.9),
            id="the rare outcome is not seen in all of the runs",
        ),
    ],
)
def test_pair_with_a_rare_outcome(p, q, count, powers, levels):
    """Between the ends, and those of power and level are close."""
    loss = PairOfDistributions([p, 1.0 - p], [q, 1.0 - q], neighbors="replace-one").loss()
    made = compose([loss], [count]).guarantee
    with mp.workdps(60):
        own, other = _binomial(p, count), _binomial(q, count)
        level = [min(_level(own, other, m), _level(other[::-1], own[::-1], m)) for m in powers]
        power = [max(_power(own, other, x), _power(other[::-1], own[::-1], x)) for x in levels]
        for truth, found in ((level, made.level(powers)), (power, made.power(levels))):
            _between(truth, found)
            assert found.bracket[0] == pytest.approx(found.bracket[1], rel=0.01, abs=1e-6)
        _between(level[:1], made.level(powers[0]))
        _between(power[:1], made.power(levels[0]))
        ratios = [mp.log(m / x) for m, x in zip(powers, level, strict=True)]
        _between(ratios, made.loss_bound(powers, sides="one"))


def _between(truth, found):
    for exact, low, high in zip(truth, *map(np.ravel, found.bracket), strict=True):
        assert low <= exact <= high


def _binomial(p, count):
    """Most ones first: these are the more likely, the larger p is."""
    odds = mp.mpf(p) / (1 - mp.mpf(p))
    found = [(1 - mp.mpf(p)) ** count]
    for k in range(min(count, MOST_RARE)):
        found.append(found[-1] * odds * (count - k) / (k + 1))
    return found[::-1]


def _power(own, other, level):
    """Neyman and Pearson: outcomes by falling likelihood ratio, the last one in part."""
    power = mp.mpf(0)
    for p, q in zip(own, other, strict=True):
        share = min(level / q, 1)
        power, level = power + p * share, level - q * share
    return min(power, 1)


def _level(own, other, power):
    """The same, until the power is reached."""
    level = mp.mpf(0)
    for p, q in zip(own, other, strict=True):
        share = min(power / p, 1)
        power, level = power - p * share, level + q * share
    return level
