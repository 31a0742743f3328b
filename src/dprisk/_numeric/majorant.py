"""The least concave polygon above points of the unit square, in whole numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import up

Point = tuple[int, int]
Exact = Sequence[tuple[Any, Any]]
"""Points in whole numbers or fractions, or in floats where rounding does no harm."""
QUOTIENT = 10  # units: 1.5 of the quotient, of which the logarithm is at least log 2; 8 of the log


def whole_numbers(values: Sequence[float | Fraction]) -> tuple[list[int], int]:
    """The same numbers in units of 1 / scale, exactly; and the scale."""
    parts = [value.as_integer_ratio() for value in values]
    scale = math.lcm(*{under for _, under in parts})
    return [over * (scale // under) for over, under in parts], scale


def majorant(points: Exact) -> list[int]:
    """Which points, by rising x, are corners of the polygon; of one x the highest."""
    kept: list[int] = []
    for i, point in enumerate(points):
        if kept and point[0] == points[kept[-1]][0]:
            if point[1] <= points[kept[-1]][1]:
                continue
            kept.pop()
        while len(kept) > 1 and _below_chord(points[kept[-2]], points[kept[-1]], point):
            kept.pop()
        kept.append(i)
    return kept


def sides(points: Sequence[Point], one: int) -> tuple[Floats, Floats]:
    """Its sides or their mirror images: logarithms of slopes, at least 0, and heights at x = 0."""
    slopes, offsets = [], []
    for (left, low), (right, high) in pairwise([points[i] for i in majorant(points)]):
        start, run, rise = (left, low), right - left, high - low
        if rise < run:  # the mirror image
            start, run, rise = (one - high, one - right), rise, run
        if run > 0:
            slopes.append(_log_above(rise, run))
            offset = max(start[1] * run - start[0] * rise, 0)
            offsets.append(min(_above(offset, run * one), 1.0))
    return np.array(slopes), np.array(offsets)


def _below_chord(left: tuple[Any, Any], middle: tuple[Any, Any], right: tuple[Any, Any]) -> bool:
    rise = (right[1] - left[1]) * (middle[0] - left[0])
    return bool((middle[1] - left[1]) * (right[0] - left[0]) <= rise)


def _above(top: int, bottom: int) -> float:
    """top / bottom, rounded upwards."""
    found = top / bottom
    over, under = found.as_integer_ratio()
    return found if over * bottom >= top * under else math.nextafter(found, math.inf)


def _log_above(top: int, bottom: int) -> float:
    """log(top / bottom) for top >= bottom, rounded upwards."""
    if top < 2 * bottom:
        return float(up(math.log1p((top - bottom) / bottom), top == bottom, QUOTIENT))
    if top > bottom << 900:
        shift = top.bit_length() - bottom.bit_length()
        near = shift * math.log(2.0) + math.log(top / (bottom << shift))
        return float(up(near, units=QUOTIENT))
    return float(up(math.log(top / bottom), units=QUOTIENT))
