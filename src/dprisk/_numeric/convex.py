"""The least value of convex functions that are known in brackets only."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats

__all__ = ["Function", "Sample", "between", "enclosing", "least", "vertex"]

ROUNDS = 60
IDLE = 6  # rounds without a gain: what is left is in the brackets of the function
ASIDE = 2e-3  # of the interval, to either side of a guess
ASIDE_OF_GOOD = 2e-5  # likewise, of a good guess


class Sample(NamedTuple):
    """Points, the variable in which the function is convex, and the function at least, at most."""

    t: Floats
    z: Floats
    low: Floats
    high: Floats


Function = Callable[[Floats, npt.NDArray[np.intp]], tuple[Floats, Floats, Floats]]


def least(
    f: Function, around: Sample, tolerance: float, guess: Floats | None = None
) -> tuple[Floats, Floats, Floats]:
    """Minimum of many convex functions, each at least and at most; and points around it.

    Parameters
    ----------
    f : callable
        Of points t and the numbers of the functions that are asked there: the variable z(t), which
        is monotone in t, and the value, at least and at most.
    around : Sample
        Three points of each function, by rising t; the minimum lies between the outer two.
        Shape (3, n)
    tolerance : float
        Relative width of the bracket at which to stop.
    guess : ndarray, optional
        Where the minima should be, to about 1e-5 of the interval. Shape (n,)

    Returns
    -------
    (lower, upper, t)
        Shapes (n,), (n,) and (3, n): the minimum lies between the outer two of t.
    """
    t, z, low, high = (np.array(each) for each in around)
    lower, upper = _bracket(Sample(t, z, low, high))
    open_ = np.flatnonzero(upper - lower > tolerance * np.abs(upper))
    idle = np.zeros(upper.shape, dtype=int)
    in_vain = np.zeros((2, *upper.shape), dtype=bool)  # around the vertex, and across
    for turn in range(ROUNDS):
        if not open_.size:
            break
        now = Sample(*(each[:, open_] for each in (t, z, low, high)))
        bisect = turn % 3 == 2
        if turn == 0 and guess is not None:
            new = _close_to(guess[open_], now)
        else:
            new = _points(now, bisect)
        found = f(new.ravel(), np.tile(open_, 3))
        more = Sample(new, *(each.reshape(3, -1) for each in found))
        apart, old, now = np.ptp(now.t, axis=0), now.t, _narrowed(now, more)
        for each, values in zip((t, z, low, high), now, strict=True):
            each[:, open_] = values
        below, above = _bracket(now)
        before = upper[open_] - lower[open_]
        lower[open_] = np.maximum(lower[open_], below)
        upper[open_] = np.minimum(upper[open_], above)
        known = np.maximum(tolerance * np.abs(upper[open_]), 2.0 * (now.high[1] - now.low[1]))
        width = upper[open_] - lower[open_]
        gains = (width < 0.95 * before) | (np.ptp(now.t, axis=0) < 0.95 * apart) | np.isinf(below)
        idle[open_] = np.where(gains, 0, idle[open_] + 1)
        same = (now.t == old).all(axis=0)
        in_vain[:, open_] &= same
        in_vain[int(bisect), open_] |= same & (turn > 0 or guess is None)
        wide = (width > known) & (idle[open_] < IDLE) & ~in_vain[:, open_].all(axis=0)
        room = np.ptp(now.t, axis=0) > 8 * np.spacing(np.abs(now.t).max(axis=0))
        open_ = open_[wide & room]
    return np.minimum(lower, upper), upper, t


def between(now: Sample, tolerance: float) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
    """Minimum between three points each, and whether it lies there and is known well enough."""
    lower, upper = _bracket(now)
    enclosed = (now.low[0] >= now.high[1]) & (now.low[2] >= now.high[1])
    return lower, upper, enclosed & (upper - lower <= tolerance * np.abs(upper))


def vertex(now: Sample) -> Floats:
    """Where the parabola through three points is least; perhaps not finite."""
    left, middle, right = now.t
    fall, rise = _slopes(now)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        moved = fall * (right - left) / (2.0 * (rise - fall))
    return np.asarray((left + middle) / 2.0 - moved)


def _close_to(guess: Floats, now: Sample) -> Floats:
    """Around a good guess, as close as the brackets can tell points apart."""
    left, middle, right = now.t
    guess = np.where(np.isfinite(guess), guess, middle)
    aside = np.maximum(ASIDE_OF_GOOD * (right - left), _blurred(now))
    return np.asarray(np.clip(np.stack([guess - aside, guess, guess + aside]), left, right))


def _points(now: Sample, bisect: bool) -> Floats:
    """Where to look next: around the vertex of the parabola, or across the wider side."""
    left, middle, right = now.t
    a, b, lowest = middle - left, right - middle, vertex(now)
    halves = np.where(a > b, left + a / 2.0, middle + b / 2.0)
    poor = ~np.isfinite(lowest) | (lowest <= left) | (lowest >= right) | bisect
    guess = np.where(poor, halves, lowest)
    near = np.maximum(ASIDE * (right - left), _blurred(now))
    aside = np.where(poor, ASIDE * np.minimum(guess - left, right - guess), near)
    points = np.stack([guess - aside, guess, guess + aside])
    return np.sort(np.clip(points, left, right), axis=0)


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
    """The lowest of six points, and the nearest on either side that are certainly no lower."""
    t, z, low, high = (np.concatenate(pair) for pair in zip(now, more, strict=True))
    order = np.argsort(t, axis=0, kind="stable")
    t, z, low, high = (np.take_along_axis(each, order, axis=0) for each in (t, z, low, high))
    rows = enclosing(low, high, np.clip(np.argmin(high, axis=0), 1, len(t) - 2))
    return Sample(*(np.take_along_axis(each, rows, axis=0) for each in (t, z, low, high)))


def enclosing(low: Floats, high: Floats, at: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Rows of the points around `at` between which the minimum must lie; the ends if need be."""
    number = np.arange(len(low))[:, None]
    no_lower = low >= np.take_along_axis(high, at[None], axis=0)
    left = np.where(no_lower & (number < at), number, 0).max(axis=0)
    right = np.where(no_lower & (number > at), number, len(low) - 1).min(axis=0)
    return np.stack([left, at, right])


def _bracket(now: Sample) -> tuple[Floats, Floats]:
    """A convex function lies above each chord, continued beyond its ends; a chord has a length."""
    left, right = np.abs(now.z[1] - now.z[0]), np.abs(now.z[2] - now.z[1])
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        onward = np.minimum(now.low[1] - now.high[0], 0.0) * (right / left)
        back = np.minimum(now.low[1] - now.high[2], 0.0) * (left / right)
    reach = np.where((left > 0.0) & (right > 0.0), np.fmin(onward, back), -np.inf)
    lowest = np.where(np.isnan(reach), -np.inf, now.low[1] + reach)
    return np.minimum(lowest, now.high[1]), np.min(now.high, axis=0)
