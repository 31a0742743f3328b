"""The sides of a polygon, in whole numbers of any length."""

from __future__ import annotations

import math
import random

import pytest
from mpmath import mp, mpf

from dprisk._numeric.envelope import sides


@pytest.mark.parametrize("bits", [60, 2_000, 100_000, 1_000_000])
@pytest.mark.parametrize("apart", [1, 40, 899, 901, 960])
def test_a_slope_is_rounded_upwards_by_little(bits, apart):
    """log(rise / run), however long both are."""
    rng = random.Random(f"{bits} {apart}")
    run = rng.getrandbits(bits) | 1 << bits
    rise = run * (1 << apart) + rng.getrandbits(bits)
    one = run + rise
    (slope,), _ = sides([(0, 0), (run, rise)], one)
    with mp.workdps(40):
        exact = mp.log(mpf(rise) / mpf(run)) if bits < 3_000 else _log_ratio(rise, run)
        assert exact <= slope <= exact * (1 + mpf("1e-14"))


def _log_ratio(rise: int, run: int) -> mpf:
    """To 40 digits, of the leading bits."""
    shift = run.bit_length() - 400
    return mp.log(mpf(rise >> shift) / mpf(run >> shift))


def test_the_tail_of_a_long_number_counts():
    assert sides([(0, 0), (1, 2)], 3)[0][0] >= math.log(2.0)
