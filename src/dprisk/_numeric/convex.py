"""The least value of convex functions that are known in brackets only."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats

ROUNDS = 60
IDLE = 6  # rounds without a gain: what is left is in the brackets of the function
ASIDE = 2e-3  # of the interval, to either side of a guess

ULP = float(np.finfo(float).eps)
# of a length in z, for each unit of z: rounding of both ends, and of the difference
Z_ROUNDING = 8 * ULP
# of a value where two chords cross, relative to those between them: three roundings
ROUNDING = 4 * ULP


class Sample(NamedTuple):
    """Points, the variable in which the function is convex, and the function at least, at most."""

    t: Floats
    z: Floats
    low: Floats
    high: Floats


Function = Callable[[Floats, npt.NDArray[np.intp]], tuple[Floats, Floats, Floats]]


def least(f: Function, around: Sample, tolerance: float) -> tuple[Floats, Floats, Floats]:
    """Minimum of many convex functions, each at least and at most; and points around it."""
    t, z, low, high = (np.array(each) for each in _with_neighbors(around))
    lower, upper = _bracket(Sample(t, z, low, high))
    open_ = np.flatnonzero(upper - lower > tolerance * np.abs(upper))
    idle = np.zeros(upper.shape, dtype=int)
    in_vain = np.zeros((2, *upper.shape), dtype=bool)  # around the vertex, and across
    for turn in range(ROUNDS):
        if not open_.size:
            break
        now = Sample(*(each[:, open_] for each in (t, z, low, high)))
        across = turn % 3 == 2
        new = _points(now, across)
        found = f(new.ravel(), np.tile(open_, 3))
        more = Sample(new, *(each.reshape(3, -1) for each in found))
        old, now = now.t[1:4], _narrowed(now, more)
        for each, values in zip((t, z, low, high), now, strict=True):
            each[:, open_] = values
        below, above = _bracket(now)
        before = upper[open_] - lower[open_]
        lower[open_] = np.maximum(lower[open_], below)
        upper[open_] = np.minimum(upper[open_], above)
        known = np.maximum(tolerance * np.abs(upper[open_]), 2.0 * (now.high[2] - now.low[2]))
        width, three = upper[open_] - lower[open_], now.t[1:4]
        gains = (width < 0.95 * before) | (np.ptp(three, axis=0) < 0.95 * np.ptp(old, axis=0))
        idle[open_] = np.where(gains | np.isinf(below), 0, idle[open_] + 1)
        same = (three == old).all(axis=0)
        in_vain[:, open_] &= same
        in_vain[int(across), open_] |= same
        wide = (width > known) & (idle[open_] < IDLE) & ~in_vain[:, open_].all(axis=0)
        room = np.ptp(three, axis=0) > 8 * np.spacing(np.abs(three).max(axis=0))
        open_ = open_[wide & room]
    return np.minimum(lower, upper), upper, t[1:4]


def vertex(now: Sample) -> Floats:
    """The point where the parabola through three points is least; perhaps not finite."""
    left, middle, right = now.t
    fall, rise = _slopes(now)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        moved = fall * (right - left) / (2.0 * (rise - fall))
    return np.asarray((left + middle) / 2.0 - moved)


def _with_neighbors(now: Sample) -> Sample:
    """Three points with a neighbor on either side: the outer ones themselves, if none is known."""
    return Sample(*(each[[0, 0, 1, 2, 2]] for each in now))


def _three(now: Sample) -> Sample:
    """Without the neighbors."""
    return Sample(*(each[1:4] for each in now))


def _points(five: Sample, across: bool) -> Floats:
    """The next points to look at: around the vertex of the parabola, or where chords cross."""
    now = _three(five)
    left, _, right = now.t
    lowest = vertex(now)
    poor = ~np.isfinite(lowest) | (lowest <= left) | (lowest >= right) | across
    aside = np.maximum(ASIDE * (right - left), _blurred(now))
    points = np.stack([lowest - aside, lowest, lowest + aside])
    if poor.any():
        points[:, poor] = _crossings(Sample(*(each[:, poor] for each in five)))
    return np.sort(np.clip(points, left, right), axis=0)


def _crossings(five: Sample) -> Floats:
    """Crossings of the chords on either side, in both gaps; and half across the wider gap."""
    _, left, middle, right, _ = five.t
    a, b = middle - left, right - middle
    (before, _), (after, _) = _gap(five), _gap(_mirrored(five))
    half = np.where(a > b, left + a / 2.0, middle + b / 2.0)
    return np.stack([left + before * a, right - after * b, half])


def _slopes(now: Sample) -> tuple[Floats, Floats]:
    """Slopes of the two chords, in t."""
    value = (now.low + now.high) / 2.0
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        fall, rise = np.diff(value, axis=0) / np.diff(now.t, axis=0)
    return fall, rise


def _blurred(now: Sample) -> Floats:
    """How far from the vertex the function has certainly risen, if it is a parabola."""
    fall, rise = _slopes(now)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        bend = 2.0 * (rise - fall) / (now.t[2] - now.t[0])
        away = 2.5 * np.sqrt((now.high[1] - now.low[1]) / bend)
    most = (now.t[2] - now.t[0]) / 8.0
    return np.where(np.isfinite(away), np.minimum(away, most), 0.0)


def _narrowed(now: Sample, more: Sample) -> Sample:
    """The lowest of all points, the nearest on either side that are certainly no lower, and
    theirs."""
    pool = Sample(*(np.concatenate(pair) for pair in zip(now, more, strict=True)))
    order = np.argsort(pool.t, axis=0, kind="stable")
    pool = Sample(*(np.take_along_axis(each, order, axis=0) for each in pool))
    at = np.clip(np.argmin(pool.high, axis=0), 1, len(pool.t) - 2)
    again = pool.t == np.take_along_axis(pool.t, at[None], axis=0)  # the lowest, and no end
    left, at, right = enclosing(np.where(again, -np.inf, pool.low), pool.high, at)
    number = np.arange(len(pool.t))[:, None]
    first = _flattest(pool, left, number < left)
    last = _flattest(pool, right, number > right)
    rows = np.stack([first, left, at, right, last])
    return Sample(*(np.take_along_axis(each, rows, axis=0) for each in pool))


def _flattest(
    pool: Sample, end: npt.NDArray[np.intp], beyond: npt.NDArray[np.bool_]
) -> npt.NDArray[np.intp]:
    """The point beyond an end whose chord to it falls least; the end if none does."""
    z, low = (np.take_along_axis(each, end[None], axis=0) for each in (pool.z, pool.low))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        slope = (low - pool.high) / _length(z, pool.z)
    slope = np.where(beyond & np.isfinite(slope), slope, -np.inf)
    best = slope.argmax(axis=0)
    return np.where(np.isfinite(slope.max(axis=0)), best, end)


def enclosing(low: Floats, high: Floats, at: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Rows of the points around `at` between which the minimum must lie; the ends if need be."""
    number = np.arange(len(low))[:, None]
    no_lower = low >= np.take_along_axis(high, at[None], axis=0)
    left = np.where(no_lower & (number < at), number, 0).max(axis=0)
    right = np.where(no_lower & (number > at), number, len(low) - 1).min(axis=0)
    return np.stack([left, at, right])


def _bracket(five: Sample) -> tuple[Floats, Floats]:
    """A convex function lies above each chord, continued beyond its ends; a chord has a length."""
    (_, before), (_, after) = _gap(five), _gap(_mirrored(five))
    upper = np.min(five.high[1:4], axis=0)
    return np.minimum(np.minimum(before, after), np.minimum(five.low[2], upper)), upper


def _mirrored(five: Sample) -> Sample:
    """The points from the right to the left."""
    return Sample(*(each[::-1] for each in five))


def _gap(five: Sample) -> tuple[Floats, Floats]:
    """Between the second point and the third: where chords to either side cross; the least
    there."""
    first, left, middle, beyond = *five.z[:3], five.z[3:]
    wide = np.abs(middle - left) + Z_ROUNDING * np.maximum(np.abs(middle), np.abs(left))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        onward = np.minimum(five.low[1] - five.high[0], 0.0) * (wide / _length(first, left))
        back = np.minimum(five.low[2] - five.high[3:], 0.0) * (wide / _length(middle, beyond))
        onward, back = (np.where(np.isnan(each), -np.inf, each) for each in (onward, back))
        back = back.max(axis=0)
        place = (five.low[2] - five.low[1] + back) / (onward + back)
        place = np.where(np.isinf(back), 1.0 - 0.5 * np.isinf(onward), place)
        place = np.where(np.isnan(place), 0.5, np.clip(place, 0.0, 1.0))
        before = five.low[1] + np.where(place > 0.0, onward * place, 0.0)
        after = five.low[2] + np.where(place < 1.0, back * (1.0 - place), 0.0)
        size = np.maximum(np.abs(five.low[1]), np.abs(five.low[2]))
        return place, np.minimum(before, after) - ROUNDING * size


def _length(one: Floats, other: Floats) -> Floats:
    """Length of a chord, at least: 0 if it may be no more than rounding."""
    blur = Z_ROUNDING * np.maximum(np.abs(one), np.abs(other))
    return np.asarray(np.maximum(np.abs(one - other) - blur, 0.0))
