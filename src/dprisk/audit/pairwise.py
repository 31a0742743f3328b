"""All ordered pairs of neighbors, in blocks of floating-point numbers, each sorted once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats, exp_capped
from dprisk.audit.curve import Corners, beyond, no_corners, upper_hull
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.relation import NeighborRelation, Whole
from dprisk.progress import report

BLOCK: Final = 1 << 17  # losses in a block: its arrays stay in the cache
WORKERS: Final = 2
STRIDE: Final = 16
Bools = npt.NDArray[np.bool_]


class Oriented(NamedTuple):
    """One direction of a block of pairs."""

    first: Whole
    second: Whole
    losses: Floats
    p: Floats
    q: Floats


Gauge = Callable[[Oriented, Oriented], Floats]
"""From a direction and its reverse to a value for each pair and question."""


class Largest(NamedTuple):
    """For each question the largest value, and the ordered pair that has it."""

    values: Floats
    first: Whole
    second: Whole

    def part(self, at: slice) -> Largest:
        return Largest(self.values[at], self.first[at], self.second[at])


Part = tuple[list[Largest], Corners, int]
"""The largest values of a block, its new corners, and how many pairs it has."""


class Scanned(NamedTuple):
    """What one pass over all pairs found."""

    largest: list[Largest]
    corners: Corners


def scan(
    mechanism: FiniteMechanism,
    relation: NeighborRelation,
    gauges: Sequence[Gauge] = (),
    *,
    curve: bool = False,
) -> Scanned:
    """Measure all ordered pairs of neighbors, and gather the corners of their power curves."""
    blocks = parts(len(relation), len(mechanism.outputs), BLOCK)
    hull = no_corners()
    largest: list[Largest] = []

    def measured(part: slice) -> Part:
        first, second = relation.first[part], relation.second[part]
        ways = oriented(mechanism, first, second)
        sides = (ways, ways[::-1]) if relation.symmetric else (ways,)
        found = [_better([_most(gauge, *side) for side in sides]) for gauge in gauges]
        new = no_corners()
        if curve:
            new = Corners.joined([_outside(side[0], hull, relation.symmetric) for side in sides])
        return found, new, len(first)

    done = 0
    report("pairs of datasets", done, len(relation))
    for found, new, count in _each(measured, blocks):
        largest = [_better(pair) for pair in zip(largest, found, strict=True)] if largest else found
        if new.x.size:
            hull = upper_hull(Corners.joined([hull, new]))
        done += count
        report("pairs of datasets", done, len(relation))
    return Scanned(largest, hull)


def parts(count: int, width: int, block: int) -> list[slice]:
    """Consecutive rows of so many numbers, a block at a time."""
    step = max(1, block // width)
    return [slice(start, start + step) for start in range(0, count, step)]


def losses(logs: Floats, others: Floats) -> Floats:
    """Log(P / Q) from the logarithms of both; 0 where an output is impossible under both."""
    with np.errstate(invalid="ignore"):
        loss = logs - others
    return np.where(np.isnan(loss), 0.0, loss)


def _each(work: Callable[[slice], Part], blocks: Sequence[slice]) -> Iterator[Part]:
    """Results in order, by a few threads: numpy sorts and sums without holding the interpreter."""
    workers = max(1, min(cpu_count() or 1, WORKERS, len(blocks)))
    if workers == 1:
        yield from map(work, blocks)
        return
    with ThreadPoolExecutor(workers) as pool:
        ahead = [pool.submit(work, block) for block in blocks[: 2 * workers]]
        for n in range(len(blocks)):
            yield ahead[n % (2 * workers)].result()
            if n + 2 * workers < len(blocks):
                ahead[n % (2 * workers)] = pool.submit(work, blocks[n + 2 * workers])


def oriented(mechanism: FiniteMechanism, first: Whole, second: Whole) -> tuple[Oriented, Oriented]:
    """A block of pairs, sorted, in both directions."""
    logs, table = mechanism.logs, mechanism.probabilities
    with np.errstate(invalid="ignore"):
        rising = logs[second] - logs[first]
    if mechanism.has_zeros:
        rising[np.isnan(rising)] = 0.0  # impossible under both: of no weight wherever it stands
    order = np.argsort(rising, axis=1)
    falling = -np.take_along_axis(rising, order, axis=1)
    p, q = (np.take_along_axis(table[rows], order, axis=1) for rows in (first, second))
    ahead = Oriented(first, second, falling, _running(p), _running(q))
    back = Oriented(second, first, -falling[:, ::-1], _running(q[:, ::-1]), _running(p[:, ::-1]))
    return ahead, back


def _running(values: Floats) -> Floats:
    sums = np.zeros((values.shape[0], values.shape[1] + 1))
    np.cumsum(values, axis=1, out=sums[:, 1:])
    return sums


def _most(gauge: Gauge, side: Oriented, other: Oriented) -> Largest:
    values = gauge(side, other)
    at = np.argmax(values, axis=0)
    return Largest(values[at, np.arange(values.shape[1])], side.first[at], side.second[at])


def _better(found: Sequence[Largest]) -> Largest:
    best = found[0]
    for other in found[1:]:
        more = other.values > best.values
        best = Largest(*(np.where(more, b, a) for a, b in zip(best, other, strict=True)))
    return best


def _outside(side: Oriented, hull: Corners, symmetric: bool) -> Corners:
    """Corners that lie above the hull so far: losses above 0, the rest is the other's mirror."""
    rows = np.flatnonzero(_may_be_beyond(side, hull))
    losses, p, q = side.losses[rows], side.p[rows, 1:], side.q[rows, 1:]
    steep = (losses > 0.0) & (p > 0.0) if symmetric else p > 0.0
    steep[steep] = beyond(hull, q[steep], p[steep])
    row = rows[np.nonzero(steep)[0]]
    return upper_hull(Corners(q[steep], p[steep], side.first[row], side.second[row]))


def _may_be_beyond(side: Oriented, hull: Corners) -> Bools:
    """Rows with a corner above the hull, if any; from a few of their corners."""
    size = side.losses.shape[1]
    if not hull.x.size or size < 4 * STRIDE:
        return np.ones(len(side.p), dtype=bool)
    at = np.unique(np.append(np.arange(0, size, STRIDE), size))
    x, y = side.q[:, at], side.p[:, at]
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        steep = np.exp(side.losses[:, at[:-1]])  # the slope of the curve after a corner
        gentle = np.exp(side.losses[:, at[1:] - 1])  # and before the next one
        run, rise = np.diff(x, axis=1), np.diff(y, axis=1)
        ahead = (rise - gentle * run) / (steep - gentle)
        height = y[:, :-1] + steep * ahead
    sharp = (steep > gentle * (1.0 + 1e-6)) & np.isfinite(height) & (ahead >= 0.0) & (ahead <= run)
    met = np.where(sharp, ahead, 0.0) + x[:, :-1]
    top = np.where(sharp, np.minimum(height, y[:, 1:]), y[:, 1:])
    return np.asarray(beyond(hull, met.ravel(), top.ravel()).reshape(met.shape).any(axis=1))


# --- gauges --------------------------------------------------------------------------------------


def count_beyond(falling: Floats, limits: Floats) -> Whole:
    """How many numbers of each falling row are above each limit."""
    rows, size = falling.shape
    steps = int(size).bit_length()
    width = 1 << steps
    padded = np.full((rows, width), -np.inf)
    padded[:, :size] = falling
    flat = padded.ravel()
    found = np.repeat((np.arange(rows, dtype=np.int32) * width)[:, None], limits.size, axis=1)
    for step in reversed(range(steps)):
        found += (flat.take(found + ((1 << step) - 1)) > limits).astype(np.int32) << step
    return found & (width - 1)


def tails(limits: Floats, kinds: Sequence[str]) -> Gauge:
    """P[Z > limit], P[abs(Z) > limit] or the former after the worst post-processing, one by one."""

    def gauge(side: Oriented, other: Oriented) -> Floats:
        count = count_beyond(side.losses, limits)
        found = []
        for kind in kinds:
            if kind == "pbdp":
                found.append(_merged(side, count, limits))
                continue
            found.append(_at(side.p, count))
            if kind == "pdp-both":
                found[-1] = found[-1] + _at(other.q, count_beyond(other.losses, limits))
        return np.concatenate(found, axis=1)

    return gauge


def _merged(side: Oriented, start: Whole, limits: Floats) -> Floats:
    """Largest power of a set whose own loss is above the limit: where a ray leaves the curve."""
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.log(side.p[:, 1:]) - np.log(side.q[:, 1:])  # of the first k outputs; it falls
    mean[np.isnan(mean)] = np.inf
    kept = np.maximum(count_beyond(mean, limits), start)
    p, q = _at(side.p, kept), _at(side.q, kept)
    more = np.minimum(kept + 1, side.p.shape[1] - 1)
    gain = _at(side.p, more) - p
    rest = np.maximum(p - scaled(q, limits), 0.0)
    lost = scaled(_at(side.q, more) - q, limits) - gain
    share = np.divide(rest, lost, out=np.ones_like(rest), where=lost > 0.0)
    return np.where(start > 0, p + np.clip(share, 0.0, 1.0) * gain, 0.0)


def reached(powers: Floats) -> Gauge:
    """log(power / level) of the best test with each power: pbdp, read the other way."""

    def gauge(side: Oriented, other: Oriented) -> Floats:
        count = count_beyond(-side.p, -powers)  # running sums below the power
        count = np.clip(count, 1, side.p.shape[1] - 1)
        low, high = _at(side.p, count - 1), _at(side.p, count)
        share = np.divide(powers - low, high - low, out=np.ones_like(low), where=high > low)
        x = _at(side.q, count - 1)
        level = x + np.clip(share, 0.0, 1.0) * (_at(side.q, count) - x)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(powers) - np.log(level))

    return gauge


def _at(sums: Floats, count: Whole) -> Floats:
    base = np.arange(len(sums), dtype=count.dtype)[:, None] * sums.shape[1]
    return np.asarray(sums.ravel().take(base + count))


def scaled(q: Floats, limits: Floats) -> Floats:
    """e^limit q; 0 where q is, however large the limit."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        grown = q * (1.0 / exp_capped(-limits))
    return np.where(q > 0.0, grown, 0.0)
