"""Merged outcomes made to land on the points of a lattice: a post-processing of what they were."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import EXP_LIMIT, Floats
from dprisk.losses.base import ULP
from dprisk.losses.exponential_sums import Whole

Bools = npt.NDArray[np.bool_]

# so close to a point, relative to q, an outcome lies on it: eight roundings, twice
SAME = 16.0 * ULP
LEAST_KEPT = 1.0 / 16.0  # of a cell: if it has to give more, those who ask look elsewhere first
LEAST_SAVED = 0.9  # what changing sides has to save


class Cells(NamedTuple):
    """Merged outcomes at increasing points, and which of them have changed sides."""

    points: Whole
    masses: Floats
    excess: Floats
    turned: Bools


def together(points: Whole, *columns: Floats) -> tuple[Whole, Floats]:
    """Each point once, in increasing order, with the sums of its columns, taken pairwise."""
    if np.any(points[1:] < points[:-1]):
        order = np.argsort(points, kind="stable")
        points, columns = points[order], tuple(column[order] for column in columns)
    start = np.flatnonzero(np.diff(points, prepend=points[:1] - 1))
    return points[start], np.array([np.add.reduceat(column, start) for column in columns])


def moved(p: Floats, excess: Floats, steps: Whole | int, spacing: float) -> Floats:
    """The excess of the same outcomes over a point so many steps further up."""
    shift = steps * spacing
    return np.asarray(excess * np.exp(shift) - p * np.expm1(shift))


def landed(points: Whole, masses: Floats, excess: Floats, spacing: float) -> tuple[Whole, Floats]:
    """Points and what is left there, after every cell has taken what it needs to land."""
    cells = _shifted(Cells(points, masses, excess, np.zeros(len(points), dtype=bool)), spacing)
    merged = [1, 1]  # cells at either end
    while len(cells.points) > 1:
        have, given_up, given_down = _exchanged(cells, spacing)
        steps, turned = _looking_elsewhere(cells, have, given_up, given_down)
        if steps.any():
            cells = _stepped(cells, steps, turned, spacing)
            continue
        left = have - given_up - given_down
        out, short = _bent(cells.points, left, spacing)
        if short is None:
            return _remaining(cells.points, left, out, spacing)
        merged[short] *= 2
        joined = np.zeros(len(left) - 1, dtype=bool)
        joined[slice(1 - merged[1], None) if short else slice(merged[0] - 1)] = True
        cells = _combined(cells, joined, spacing)
    done = np.abs(cells.excess) <= SAME * cells.masses
    return cells.points[done], cells.masses[done]


def _shifted(cells: Cells, spacing: float) -> Cells:
    """Cells that stand alone on the side where landing costs least."""
    if len(cells.points) < 3:
        return cells
    points, p, d, _ = cells
    away = -np.log1p(-d / p)
    gap = np.diff(points) * spacing
    below, above = np.append(EXP_LIMIT, gap), np.append(gap, EXP_LIMIT)
    up = away > 0.0
    here = np.abs(away) * np.where(up, below, above)
    there = (spacing - np.abs(away)) * np.where(up, above, below)
    alone = np.minimum(below, above) > 1.5 * spacing
    better = alone & (np.abs(d) > SAME * p) & (there < LEAST_SAVED * here)
    steps = np.where(better, np.where(up, 1, -1), 0)
    return _stepped(cells, steps, better, spacing)


def _stepped(cells: Cells, steps: Whole, turned: Bools, spacing: float) -> Cells:
    """Moved by so many steps; those on the same point merged, and two that would change places."""
    there = cells.points + steps
    if len(there) == 2 and there[1] < there[0]:  # all losses lie between two points
        return _combined(cells, np.ones(1, dtype=bool), spacing)
    excess = moved(cells.masses, cells.excess, steps, spacing)
    cells = Cells(there, cells.masses, excess, cells.turned | turned)
    return _combined(cells, np.zeros(len(steps) - 1, dtype=bool), spacing)


def _exchanged(cells: Cells, spacing: float) -> tuple[Floats, Floats, Floats]:
    """The mass of each after taking, and what it gives to the one above and to the one below."""
    points, p, excess, _ = cells
    d = np.where(np.abs(excess) <= SAME * p, 0.0, excess)
    gap = np.diff(points) * spacing
    from_next = np.append(np.maximum(-d[:-1], 0.0) / -np.expm1(-gap), 0.0)
    from_last = np.append(0.0, np.maximum(d[1:], 0.0) * np.exp(-gap) / -np.expm1(-gap))
    given_up, given_down = np.append(from_last[1:], 0.0), np.append(0.0, from_next[:-1])
    return p + from_next + from_last, given_up, given_down


def _looking_elsewhere(
    cells: Cells, have: Floats, given_up: Floats, given_down: Floats
) -> tuple[Whole, Bools]:
    """Steps to the other side, for those who ask too much, or nobody; and who has done it now."""
    _, p, d, turned = cells
    short = have - given_up - given_down < LEAST_KEPT * p
    no_next = np.append((short & (given_down >= given_up))[1:], False)
    no_last = np.append(False, (short & (given_down < given_up))[:-1])
    # what would join the first or the last one would have it leave its point
    joins = np.diff(cells.points) == 1
    no_next[1:2] &= ~joins[:1]
    no_last[-2:-1] &= ~joins[-1:]
    now = (no_next | no_last) & ~turned
    steps = np.where(now, no_last.astype(np.int64) - no_next, 0)
    # the first one has nobody below to take from, and the last one nobody above
    if d[0] > SAME * p[0]:
        steps[0] = 1
    if d[-1] < -SAME * p[-1]:
        steps[-1] = -1
    return steps, now


def _bent(points: Whole, masses: Floats, spacing: float) -> tuple[list[int], int | None]:
    """Points to leave out; and 0 or 1 if the first or the last point would have to be."""
    todo: list[int] = np.flatnonzero(masses < 0.0).tolist()
    out: list[int] = []
    if not todo:
        return out, None
    t, m = (points * spacing).tolist(), masses.tolist()
    last = len(m) - 1
    before, after = list(range(-1, last)), list(range(1, last + 2))
    while todo:
        j = todo.pop()
        if j in (0, last):
            return out, int(j == last)
        if not m[j] < 0.0:
            continue
        a, b = before[j], after[j]
        after[a], before[b] = b, a
        lower, upper = (float(share) for share in _shares(t[a], t[j], t[b]))
        m[a], m[b], m[j] = m[a] + m[j] * lower, m[b] + m[j] * upper, 0.0
        out.append(j)
        todo.extend(each for each in (a, b) if m[each] < 0.0)
    return out, None


def _remaining(
    points: Whole, masses: Floats, out: list[int], spacing: float
) -> tuple[Whole, Floats]:
    """The other points, and their masses with what was left out, each from one sum."""
    if not out:
        return points, masses
    kept = np.ones(len(points), dtype=bool)
    kept[out] = False
    at, gone = np.flatnonzero(kept), np.flatnonzero(~kept)
    above, t = np.searchsorted(at, gone), points * spacing
    lower, upper = _shares(t[at[above - 1]], t[gone], t[at[above]])
    left = masses[at]
    left += np.bincount(above, masses[gone] * upper, len(at))
    left += np.bincount(above - 1, masses[gone] * lower, len(at))
    there = left > 0.0
    return points[at[there]], left[there]


def _shares(low: Any, at: Any, high: Any) -> tuple[Any, Any]:
    """Which parts of a probability under P go to two points, so that Q's is kept, too."""
    whole = np.expm1(low - high)
    return np.exp(low - at) * np.expm1(at - high) / whole, np.expm1(low - at) / whole


def _combined(cells: Cells, joined: Bools, spacing: float) -> Cells:
    """Cells that are joined with the next one are merged, and so are those on the same point."""
    points, p, d, turned = cells
    group = np.concatenate([[0], np.cumsum(~joined)])
    start = np.flatnonzero(np.diff(group, prepend=-1))
    highest = np.maximum.reduceat(points, start)  # from where no loss below is lost
    rise = highest[group] - points
    if rise.max() * spacing > EXP_LIMIT:
        return Cells(points[:0], p[:0], d[:0], turned[:0])
    d = np.add.reduceat(moved(p, d, rise, spacing), start)
    p = np.add.reduceat(p, start)
    turned = np.logical_or.reduceat(turned, start)
    merged = np.diff(np.append(start, len(group))) > 1
    steps = np.rint(-np.log1p(np.where(merged, -d / p, 0.0)) / spacing).astype(np.int64)
    points, (p, d) = together(highest + steps, p, moved(p, d, steps, spacing))
    order = np.argsort(highest + steps, kind="stable")
    first = np.searchsorted((highest + steps)[order], points)
    return Cells(points, p, d, np.logical_or.reduceat(turned[order], first))
