"""The certified infimum of epsilon over a rectangle of priors, by cells that are split and shed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import combinations
from typing import NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.budget.profile import (
    PURE,
    Bools,
    Box,
    Boxes,
    BoxLimit,
    Point,
    corners,
    factor,
    room,
)
from dprisk.errors import NotConverged
from dprisk.risk.ratio_tails import Shifts

ACCURACY = 1e-13  # relative, along edges and for limits of a known shape
BY_VALUES = 2e-10  # relative, elsewhere
BY_RATES = 1e-7  # relative, for shifts that are no multiples of those of pure DP
SIDE = np.array([0.0, 1e-4, 1e-3, 0.01, *np.linspace(0.03, 1.0, 14) ** 1.5, 1.0])
TOWARDS = 1e-15  # stands for priors that go to 0; the function is asked there, and it is a prior
LEAST_EPSILON = 1e-12  # a smaller epsilon is none


class Infimum(NamedTuple):
    """An infimum between two numbers, and where it is; infinite or -inf, both are."""

    lower: float
    upper: float
    p: float
    q: float


Rates = Sequence[Shifts]
"""What an epsilon multiplies; any one of them is enough."""


class Seen(NamedTuple):
    """An epsilon that is the largest at some priors."""

    epsilon: float
    p: float
    q: float


def infimum(box: Box, limits: Sequence[BoxLimit], rates: Rates = (PURE,)) -> Infimum:
    """The least epsilon over a box, where any one of the limits is enough at each point.

    With other rates, the least factor by which shifts of the log-odds may be multiplied, where any
    one of them is enough at each point. None may have a larger shift for one step than for two.
    """
    closely, values = (ACCURACY, BY_VALUES) if rates == (PURE,) else (BY_RATES, BY_RATES)
    if all(limit.by_prior for limit in limits):  # for a given p q the largest p is the worst
        edges = [Box(box.p0, box.p1, box.q0, box.q0), Box(box.p1, box.p1, box.q0, box.q1)]
        edges = edges[1:] if box.q0 == 0.0 else edges
        found = [_infimum(edge, limits, rates, closely) for edge in edges]
        return min(found, key=lambda each: each.lower)
    alone = len(limits) == 1 and limits[0].tight
    return _infimum(box, limits, rates, closely if alone else values)


def whole(box: Box, limits: Sequence[BoxLimit]) -> Boxes:
    """The box as one cell, or as few as its breaks allow; a row of them."""
    p = _pieces(box.p0, box.p1, [b for limit in limits for b in limit.breaks[0]])
    q = _pieces(box.q0, box.q1, [b for limit in limits for b in limit.breaks[1]])
    each_p, each_q = np.repeat(p, len(q), axis=0), np.tile(q, (len(p), 1))
    return Boxes(each_p[:, 0], each_p[:, 1], each_q[:, 0], each_q[:, 1])


def _infimum(box: Box, limits: Sequence[BoxLimit], rates: Rates, accuracy: float) -> Infimum:
    def at(epsilon: float) -> Rates:
        return [rate.times(epsilon) for rate in rates]

    cells, along, count = whole(box, limits), (True, True), 0
    best = Seen(np.inf, box.p1, box.q1)
    best = _least([limit.at(*_scattered(box)) for limit in limits], rates, best)
    for _ in range(80):
        parts = _split(cells, along)
        shape = (cells.p0.size, parts.p0.shape[1], parts.q0.shape[2])
        count += int(np.prod(shape))
        tops = [limit.at(parts.p1, parts.q1) for limit in limits]
        for _ in range(3):  # shedding many cells, once a lower epsilon is known
            wanted = best.epsilon * (1.0 - accuracy)
            cells = _chosen(parts, ~_cleared(limits, parts, tops, at(wanted), shape))
            cells = _uncertain(_left(limits, cells, at(wanted)))
            if not cells.p0.size:
                return Infimum(wanted, *best)
            worse, best = best.epsilon, _probed(limits, cells, rates, best, accuracy)
            if best.epsilon < LEAST_EPSILON:
                return Infimum(best.epsilon, *best)
            if cells.p0.size <= 8 or best.epsilon == worse:  # few are split, not tried again
                break
        if count + 4 * cells.p0.size > 3_000_000:
            break
        along = _axes(limits, cells, at(wanted))
    return Infimum(_still(limits, cells, at, best.epsilon * (1.0 - accuracy)), *best)


def _uncertain(cells: Boxes) -> Boxes:
    """Without the cells of priors that are all but certain, where 1/r* and the bound both are 1."""
    kept = np.minimum(cells.p0, cells.q0) < 1.0 - 1e-9
    kept |= (cells.p0 == cells.p1) & (cells.q0 == cells.q1)
    return _of(cells, kept)


def _of(cells: Boxes, kept: Bools) -> Boxes:
    return cells if kept.all() else Boxes(*(each[kept] for each in cells))


def _left(limits: Sequence[BoxLimit], cells: Boxes, shifts: Rates) -> Boxes:
    """The cells that are not cleared by two limits together, either of which is enough."""
    if len(limits) * len(shifts) < 2 or not cells.p0.size:
        return cells
    known = [corners(limit, cells) for limit in limits if limit.linear]
    rooms = [np.stack([room(each, to) for each in four]) for four in known for to in shifts]
    kept = np.ones(cells.p0.shape, dtype=bool)
    for one, other in combinations(rooms, 2):
        kept &= ~_mixed(one, other)
    return _of(cells, kept)


def _mixed(one: Floats, other: Floats) -> Bools:
    """Whether some mixture of two columns of numbers has none below 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = other / (other - one)  # of the first, at which the mixture is 0
    low = np.max(np.where(one > other, share, 0.0), axis=0)
    high = np.min(np.where(one < other, share, 1.0), axis=0)
    share = np.clip((low + high) / 2.0, 0.0, 1.0)
    first, last = share * one, (1.0 - share) * other
    return np.asarray(np.all(first + last >= 1e-15 * (np.abs(first) + np.abs(last)), axis=0))


def _axes(limits: Sequence[BoxLimit], cells: Boxes, shifts: Rates) -> tuple[bool, bool]:
    """Along which prior it helps to split: where cells without any width would be cleared."""
    tops = [limit.at(cells.p1, cells.q1) for limit in limits]
    flat_p = Boxes(cells.p1, cells.p1, cells.q0, cells.q1)
    flat_q = Boxes(cells.p0, cells.p1, cells.q1, cells.q1)
    helps = [
        bool(_cleared(limits, flat, tops, shifts, cells.p0.shape).any())
        for flat in (flat_p, flat_q)
    ]
    return (helps[0], helps[1]) if any(helps) else (True, True)


def _probed(
    limits: Sequence[BoxLimit], cells: Boxes, rates: Rates, best: Seen, accuracy: float
) -> Seen:
    """The least epsilon at corners of cells: an infimum is often attained or approached there."""
    low_p, low_q = np.maximum(cells.p0, TOWARDS), np.maximum(cells.q0, TOWARDS)
    p, q = np.concatenate([cells.p1, cells.p1, low_p]), np.concatenate([cells.q1, low_q, low_q])
    points = [limit.at(p, q) for limit in limits]
    same = best.epsilon * (1.0 - accuracy / 4.0)
    kept = [room(point, rate.times(same)) >= 0.0 for point in points for rate in rates]
    if reduce(np.logical_or, kept).all():
        return best
    return _least(points, rates, best)


def _least(points: Sequence[Point], rates: Rates, best: Seen) -> Seen:
    """The least of the epsilons that the weakest of the limits allows at each point."""
    epsilon = reduce(np.maximum, [factor(point, rate) for point in points for rate in rates])
    at = int(np.argmin(epsilon))
    return min(best, Seen(float(epsilon[at]), float(points[0].p[at]), float(points[0].q[at])))


def _scattered(box: Box) -> tuple[Floats, Floats]:
    """Some points of a box, more of them towards 0."""
    sides = []
    for low, high in ((box.p0, box.p1), (box.q0, box.q1)):
        least = max(low, TOWARDS)
        sides.append(least + (high - least) * SIDE if high > least else np.array([high]))
    p, q = sides
    return np.repeat(p, len(q)), np.tile(q, len(p))


def _cleared(
    limits: Sequence[BoxLimit],
    cells: Boxes,
    tops: Sequence[Point],
    shifts: Rates,
    shape: tuple[int, ...],
) -> Bools:
    """Cells in which at least one limit is certainly kept at every point."""
    found = np.zeros(shape, dtype=bool)
    for limit, top in zip(limits, tops, strict=True):
        for to in shifts:
            points = limit.worst(cells, top, to)
            found |= reduce(np.logical_and, [room(point, to) >= 0.0 for point in points])
    return found


def _still(
    limits: Sequence[BoxLimit], cells: Boxes, at: Callable[[float], Rates], high: float
) -> float:
    """An epsilon that clears the cells that are left, close to the largest."""
    tops = [limit.at(cells.p1, cells.q1) for limit in limits]

    def enough(epsilon: float) -> bool:
        return bool(np.all(_cleared(limits, cells, tops, at(epsilon), cells.p0.shape)))

    high = min(high, 800.0)
    if not enough(LEAST_EPSILON):
        raise NotConverged("the largest epsilon", (0.0, high))
    low = LEAST_EPSILON
    while high - low > 1e-12 * high:
        middle = np.sqrt(low * high) if low * 4.0 < high else (low + high) / 2.0
        low, high = (middle, high) if enough(middle) else (low, middle)
    return float(low)


def _split(cells: Boxes, along: tuple[bool, bool]) -> Boxes:
    """Every cell in several: the second axis runs along p, the last along q."""
    wide_p = along[0] and bool(np.any(cells.p1 > cells.p0))
    wide_q = along[1] and bool(np.any(cells.q1 > cells.q0))
    wide = max(wide_p + wide_q, 1)
    number = int(np.clip((600 / cells.p0.size) ** (1.0 / wide), 2, 32 if wide == 2 else 256))
    p0, p1 = _divided(cells.p0, cells.p1, number if wide_p else 1)
    q0, q1 = _divided(cells.q0, cells.q1, number if wide_q else 1)
    return Boxes(p0[:, :, None], p1[:, :, None], q0[:, None, :], q1[:, None, :])


def _chosen(parts: Boxes, kept: Bools) -> Boxes:
    """Some of the parts, in a row; of parts that are the same, the first."""
    i, j, k = np.nonzero(kept)
    cells = Boxes(parts.p0[i, j, 0], parts.p1[i, j, 0], parts.q0[i, 0, k], parts.q1[i, 0, k])
    return _of(cells, ((cells.p0 < cells.p1) | (j == 0)) & ((cells.q0 < cells.q1) | (k == 0)))


def _divided(low: Floats, high: Floats, number: int) -> tuple[Floats, Floats]:
    if number == 1:
        return low[:, None], high[:, None]
    share = np.arange(number + 1) / number
    edges = low[:, None] + (high - low)[:, None] * share
    edges[:, -1] = high
    return edges[:, :-1], edges[:, 1:]


def _pieces(low: float, high: float, breaks: Sequence[float]) -> Floats:
    """Intervals between the breaks, and the breaks themselves."""
    inside = sorted({b for b in breaks if low < b < high})
    found, start = [], low
    for at in inside:
        found += [(start, float(np.nextafter(at, 0.0))), (at, at)]
        start = float(np.nextafter(at, 2.0))
    return np.array([*found, (start, high)])
