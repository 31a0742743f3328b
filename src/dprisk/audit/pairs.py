"""Two rows of a finite mechanism: what each definition says of them, exactly, and floats that rule
out the pairs that are not the worst."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cmp_to_key, lru_cache, partial
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.envelope import majorant, whole_numbers
from dprisk._numeric.logspace import Floats, log
from dprisk.audit.finite import FiniteMechanism, Row
from dprisk.audit.growth import Growth
from dprisk.audit.relation import NeighborRelation
from dprisk.losses.base import ULP

Indices = npt.NDArray[np.intp]


class Pair(NamedTuple):
    """Two rows in whole numbers, outputs by falling P / Q; what neither leads to is left out.

    Running sums begin with 0 and end with what stands for a probability of one.
    """

    order: tuple[int, ...]
    p: tuple[int, ...]
    q: tuple[int, ...]
    power: tuple[int, ...]
    level: tuple[int, ...]

    @classmethod
    def of(cls, p: Sequence[int], q: Sequence[int]) -> Pair:
        """Two rows over one denominator, sorted; outputs of one ratio stay in their order."""

        def by_ratio(m: int, n: int) -> int:
            return p[n] * q[m] - p[m] * q[n]

        some = [n for n, (a, b) in enumerate(zip(p, q, strict=True)) if a or b]
        some.sort(key=lambda n: -p[n] / (p[n] + q[n]))  # nearly: then few comparisons are left
        some.sort(key=cmp_to_key(by_ratio))
        one, other = tuple(p[n] for n in some), tuple(q[n] for n in some)
        power, level = (tuple(itertools.accumulate(row, initial=0)) for row in (one, other))
        return cls(tuple(some), one, other, power, level)

    @property
    def one(self) -> int:
        """Integer that stands for a probability of one."""
        return self.power[-1]

    def beyond(self, growth: Growth) -> int:
        """How many outputs have a loss above epsilon: the first ones."""
        return _last(len(self.p), lambda n: growth.exceeded(self.p[n], self.q[n]))

    def below(self, growth: Growth) -> int:
        """The first output with a loss below -epsilon: all after it have, too."""
        return _last(len(self.p), lambda n: not growth.exceeded(self.q[n], self.p[n]))

    def merged(self, growth: Growth) -> int:
        """How many outputs can be merged into one with a loss of epsilon or more."""
        if not self.p or not growth.exceeded(self.p[0], self.q[0]):
            return 0
        return _last(len(self.p), lambda n: growth.sign(self.power[n + 1], -self.level[n + 1]) >= 0)


@lru_cache(maxsize=4096)
def pair_of(p: tuple[tuple[int, ...], int], q: tuple[tuple[int, ...], int]) -> Pair:
    """Two rows, each in whole numbers with its denominator, over one denominator."""
    (one, under), (other, beside) = p, q
    common = math.lcm(under, beside)
    return Pair.of([a * (common // under) for a in one], [b * (common // beside) for b in other])


def pair_of_rows(p: Row, q: Row) -> Pair:
    """Two rows of fractions."""
    both, _ = whole_numbers((*p, *q))
    return Pair.of(both[: len(p)], both[len(p) :])


def _last(count: int, true: Callable[[int], bool]) -> int:
    """How many of the first numbers something is true of; of the others it is not."""
    return bisect_left(range(count), True, key=lambda n: not true(n))


# --- what a claim asks ---------------------------------------------------------------------------


def tail(p: Row, q: Row, growth: Growth, *, both: bool = False) -> Fraction:
    """P[Z > epsilon], or P[abs(Z) > epsilon]."""
    some = (
        a
        for a, b in zip(p, q, strict=True)
        if growth.exceeded(a, b) or (both and growth.exceeded(b, a))
    )
    return sum(some, Fraction(0))


def approximate(p: Row, q: Row, growth: Growth, delta: Fraction) -> bool:
    """Whether P(S) <= e^epsilon Q(S) + delta for every set S."""
    bad = [(a, b) for a, b in zip(p, q, strict=True) if growth.exceeded(a, b)]
    return growth.sign(delta - sum(a for a, _ in bad), sum(b for _, b in bad)) >= 0


def pointwise(p: Row, q: Row, growth: Growth, delta: Fraction) -> bool:
    """Whether P(y) <= e^epsilon Q(y) + delta for every single output y: no definition."""
    return all(growth.sign(delta - a, b) >= 0 for a, b in zip(p, q, strict=True))


def bounded(p: Row, q: Row, growth: Growth, delta: Fraction) -> bool:
    """Whether the loss exceeds epsilon with at most delta, after any post-processing."""
    pair = pair_of_rows(p, q)
    limit, count = delta * pair.one, pair.merged(growth)
    power, level = pair.power[count], pair.level[count]
    if count in (0, len(pair.p)):
        return power <= limit
    a, b = pair.p[count], pair.q[count]
    return growth.sign(limit * a, -(level * a + (limit - power) * b)) <= 0


# --- which pairs may be the worst ----------------------------------------------------------------

SHARE: Final = 1e-9  # floats rule out nothing nearer: more than the rounding of a million outputs
FEW: Final = 20_000  # entries of pairs, up to which no pair is ruled out in advance
SMALLEST: Final = 280  # probabilities below 10^-280 lose digits as floats
BLOCK: Final = 1 << 18

Measure = Callable[[Floats, Floats, float], Floats]
"""Function from probabilities on first and second datasets and a limit to a number per pair."""


def excess(p: Floats, q: Floats, growth: float) -> Floats:
    """P(S) - e^epsilon Q(S), at most."""
    return np.asarray(np.maximum(p - growth * q, 0.0).sum(axis=1))


def single(p: Floats, q: Floats, growth: float) -> Floats:
    """P(y) - e^epsilon Q(y), at most."""
    return np.asarray(np.maximum(p - growth * q, 0.0).max(axis=1))


def beyond(p: Floats, q: Floats, growth: float) -> Floats:
    """P[Z > epsilon]."""
    return np.asarray(np.where(p > growth * q, p, 0.0).sum(axis=1))


def outside(p: Floats, q: Floats, growth: float) -> Floats:
    """P[abs(Z) > epsilon]."""
    return np.asarray(np.where((p > growth * q) | (q > growth * p), p, 0.0).sum(axis=1))


def merged(p: Floats, q: Floats, growth: float) -> Floats:
    """P[Z > epsilon] after the worst post-processing: where a ray leaves the power curve."""
    power, level = sums(p, q)
    ahead = power - growth * level
    size, rows = p.shape[1], np.arange(len(p))
    last = size - np.argmax((ahead > 0.0)[:, ::-1], axis=1)
    last = np.where((ahead > 0.0).any(axis=1), last, 0)
    after = np.minimum(last + 1, size)
    gain = power[rows, after] - power[rows, last]
    lost = ahead[rows, last] - ahead[rows, after]
    share = np.divide(ahead[rows, last], lost, out=np.zeros(len(p)), where=lost > 0.0)
    return np.asarray(power[rows, last] + np.minimum(share, 1.0) * gain)


def ratio(p: Floats, q: Floats, _: float) -> Floats:
    """P(y) / Q(y), at most."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(p > 0.0, p / q, 0.0).max(axis=1))


def growth_at(p: Floats, q: Floats, delta: float) -> Floats:
    """The e^epsilon that a delta needs."""
    power, level = sums(p, q)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(power > delta, (power - delta) / level, 0.0)
    return np.asarray(found.max(axis=1))


def ratio_at(p: Floats, q: Floats, wanted: float) -> Floats:
    """Power over level of the best tests with a power."""
    power, level = sums(p, q)
    rows, wanted_here = np.arange(len(p)), np.minimum(wanted, power[:, -1])
    after = np.maximum(np.argmax(power >= wanted_here[:, None], axis=1), 1)
    before = after - 1
    gain = power[rows, after] - power[rows, before]
    share = np.divide(wanted_here - power[rows, before], gain, out=np.ones(len(p)), where=gain > 0)
    lost = level[rows, before] + share * (level[rows, after] - level[rows, before])
    with np.errstate(divide="ignore"):
        return np.asarray(wanted_here / lost)


def sums(p: Floats, q: Floats) -> tuple[Floats, Floats]:
    """Running sums of both, from 0 on, by falling P / Q."""
    with np.errstate(invalid="ignore"):
        rising = q / (p + q)  # undefined, and last, where neither leads
    order = np.argsort(rising, axis=1)
    found = []
    for each in (p, q):
        total = np.zeros((len(p), p.shape[1] + 1))
        np.cumsum(np.take_along_axis(each, order, axis=1), axis=1, out=total[:, 1:])
        found.append(total)
    return found[0], found[1]


def at_most(
    table: Floats, first: Indices, second: Indices, measure: Measure, limit: float
) -> Floats:
    """A measure of each ordered pair, which falls with its limit, rounded upwards."""
    high = np.empty(len(first))
    step = max(1, BLOCK // table.shape[1])
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        high[part] = measure(table[first[part]], table[second[part]], limit * (1.0 - SHARE))
    return high * (1.0 + SHARE)


def highest(table: Floats, first: Indices, second: Indices) -> tuple[Floats, Floats]:
    """Levels and powers of the least concave curve above the power curves of all pairs, nearly."""
    hull = np.array([[0.0, 0.0], [1.0, 1.0]])
    for _, power, level in _curves(table, first, second):
        x, y = level.ravel(), power.ravel()
        while x.size:  # add what lies furthest above each side
            above = y - np.interp(x, *hull.T) - SHARE / 100 * y
            some = above > 0.0
            x, y, above = x[some], y[some], above[some]
            side = np.searchsorted(hull[:, 0], x)
            order = np.lexsort((above, side))
            order = order[np.diff(side[order], append=-1) != 0]
            points = sorted(
                [*hull.tolist(), *zip(x[order].tolist(), y[order].tolist(), strict=True)], key=tuple
            )
            hull = np.array([points[n] for n in majorant(points)])
    return hull[:, 0], hull[:, 1]


def reaching(
    table: Floats, first: Indices, second: Indices, x: Floats, y: Floats
) -> npt.NDArray[np.bool_]:
    """Which pairs have a test on that curve, up to rounding."""
    found = np.zeros(len(first), dtype=bool)
    for part, power, level in _curves(table, first, second):
        inner = slice(1, -1)  # without the ends that all curves have
        found[part] = reaches(level[:, inner], power[:, inner], x, y).any(axis=1)
    return found


def reaches(level: Any, power: Any, x: Floats, y: Floats) -> npt.NDArray[np.bool_]:
    """Whether tests lie on a curve, up to rounding."""
    return np.asarray(power * (1.0 + SHARE) >= np.interp(level * (1.0 - SHARE), x, y))


def _curves(
    table: Floats, first: Indices, second: Indices
) -> Iterator[tuple[slice, Floats, Floats]]:
    """A block of pairs at a time, and the running sums of both."""
    step = max(1, BLOCK // table.shape[1])
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        yield part, *sums(table[first[part]], table[second[part]])


TOLERANCE: Final = 1e-10  # relatively: how near to rho the search comes
Ends = tuple[Floats, Floats]
"""A number of each pair, and how far off it can be."""


def divergences(mechanism: FiniteMechanism, first: Indices, second: Indices, order: float) -> Ends:
    """D_order(P || Q) of each pair."""
    if order in (1.0, np.inf):
        ask = _mean if order == 1.0 else _top
        return _of_blocks(mechanism, first, second, [ask])[0]
    ((moment, error),) = cumulants(mechanism, first, second, [order - 1.0])
    return moment / (order - 1.0), error / (order - 1.0)


def cumulants(
    mechanism: FiniteMechanism, first: Indices, second: Indices, orders: Sequence[float]
) -> list[Ends]:
    """K(s) = log E_P[e^(s Z)] of each pair, for each s; accurate also where it is small."""
    return _of_blocks(mechanism, first, second, [partial(_cumulant, s) for s in orders])


def _cumulant(s: float, p: Floats, q: Floats, loss: Floats, reach: float) -> Ends:
    top = np.maximum(s * loss.max(axis=1), 0.0)
    far, small = top[:, None], top < 1.0
    found = np.where(np.isinf(top), np.inf, top)
    # a sum has a rounding for each output, an exponent three of its size, twice each
    rough = 2 * ULP * (p.shape[1] + 8) + 8 * ULP * (1.0 + s) * (1.0 + reach)
    error = np.where(np.isinf(top), 0.0, rough)
    for rows in (np.flatnonzero(~small & np.isfinite(top)), np.flatnonzero(small)):
        a, b, z = (each if len(rows) == len(p) else each[rows] for each in (p, q, loss))
        if len(rows) and not small[rows[0]]:
            found[rows] += np.log((a * np.exp(s * z - far[rows])).sum(axis=1))
        elif len(rows):
            z = np.where(a > 0.0, z, 0.0)
            gain = a * np.expm1(s * z)  # the sum of p - q is 0
            found[rows] = np.log1p((gain - s * (a - b)).sum(axis=1))
            wobble = (a * np.abs(s * z) + s * np.abs(a - b)).sum(axis=1)
            # with expm1 five roundings of each term, and those of the loss
            error[rows] = 24 * ULP * (1.0 + reach) * wobble
    return np.maximum(found, 0.0), error


def least_rho(
    mechanism: FiniteMechanism, relation: NeighborRelation
) -> tuple[float, float, int, float]:
    """Supremum of D_alpha / alpha over alpha > 1 and all pairs, at least and at most, which ordered
    pair has it, and at which order.

    K(s) = s D_(1 + s) is convex and starts at 0: between two orders it lies below its chord, and
    D_alpha is at most the largest loss. Intervals between orders are halved until none can hold
    more.
    """
    first, second = relation.directed
    (most, _), (mean, error) = _of_blocks(mechanism, first, second, [_top, _mean])
    if np.isinf(most).any():
        at = int(np.argmax(most))
        return np.inf, np.inf, at, np.inf
    at = int(np.argmax(mean - error))
    low, peak = max(float((mean - error)[at]), 0.0), (at, 1.0)
    # the square of the largest loss and a half: one rounding (Bun 2016, Proposition 3.3)
    cap = most**2 / 2.0 * (1.0 + 8 * ULP)
    left = np.flatnonzero(cap >= low)
    lost, orders = 0.0, [0.05, 0.25, 0.75, 1.5, 3.0, 7.0, 15.0, 31.0, 63.0]
    known: dict[float, Ends] = {0.0: (np.zeros(len(left)), np.zeros(len(left)))}
    for turn in range(70):
        found = cumulants(mechanism, first[left], second[left], orders)
        for s, (moment, error) in zip(orders, found, strict=True):
            known[s] = moment, error
            ratio = (moment - error) / (s * (1.0 + s))
            if ratio.max() > low:
                low, peak = float(ratio.max()), (int(left[np.argmax(ratio)]), 1.0 + s)
        points = sorted(known)
        chords = [
            _chord(a, b, known[a][0] + known[a][1], known[b][0] + known[b][1])
            for a, b in pairwise(points)
        ]
        after = most[left] / (1.0 + points[-1])
        orders = [] if turn == 69 else _next(points, known, chords, after, low)
        high = np.minimum(np.max([*chords, after], axis=0), cap[left])
        if not orders:
            break
        keep = high > low * (1.0 + TOLERANCE)
        lost = max(lost, float(high[~keep].max(initial=0.0)))
        left = left[keep]
        known = {s: (moment[keep], error[keep]) for s, (moment, error) in known.items()}
    return low, max(lost, float(high.max(initial=0.0)), low), *peak


def _next(
    points: list[float], known: dict[float, Ends], chords: list[Floats], after: Floats, low: float
) -> list[float]:
    """Points to look at next: inside each interval that may hold a larger ratio than the best."""
    enough, new = low * (1.0 + TOLERANCE), []
    for (a, b), chord in zip(pairwise(points), chords, strict=True):
        # how much of the chord is rounding
        blur = 2.0 * float((known[a][1] + known[b][1]).max()) / (a * (1.0 + a) if a else b)
        if chord.max() > enough + blur and b - a > 1e-12 * b and b > 1e-12:
            new.append((a + b) / 2.0 if a else b / 16.0)
    if after.max() > enough and points[-1] < 1e9:
        new.append(2.0 * points[-1] + 1.0)
    return new


def _chord(a: float, b: float, low: Floats, high: Floats) -> Floats:
    """Largest k(s) / (s (1 + s)) on [a, b] of the line k through (a, low) and (b, high)."""
    slope = (high - low) / (b - a)
    if a == 0.0:
        return np.maximum(slope, 0.0)
    start = np.maximum(a * slope - low, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        top = (start + np.sqrt(start * (start + slope))) / slope
    s = np.clip(np.where(np.isfinite(top), top, a), a, b)
    line = np.maximum(np.maximum(high - slope * (b - s), low + slope * (s - a)), 0.0)
    # twelve roundings at most, from the slope on
    return np.asarray(line / (s * (1.0 + s)) * (1.0 + 8 * ULP))


def _of_blocks(
    mechanism: FiniteMechanism,
    first: Indices,
    second: Indices,
    measures: Sequence[Callable[[Floats, Floats, Floats, float], Ends]],
) -> list[Ends]:
    """Measures of the probabilities and losses of pairs, a block at a time."""
    table, logs = mechanism.probabilities, log(mechanism.probabilities)
    reach = -float(logs[np.isfinite(logs)].min(initial=0.0))
    found = np.empty((len(measures), 2, len(first)))
    step = max(1, BLOCK // table.shape[1])
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        p, q = table[first[part]], table[second[part]]
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            near = (p < 2.0 * q) & (q < 2.0 * p)  # where p - q is exact
            loss = np.where(near, np.log1p((p - q) / q), logs[first[part]] - logs[second[part]])
        loss = np.where(p > 0.0, loss, -np.inf)
        for n, measure in enumerate(measures):
            found[n, :, part] = measure(p, q, loss, reach)
    return [(value, error) for value, error in found]


def _top(p: Floats, q: Floats, loss: Floats, reach: float) -> Ends:
    """The largest loss: a quotient and its logarithm, three roundings."""
    found = np.maximum(loss.max(axis=1), 0.0)
    error = np.where(np.isfinite(found), 4 * ULP * (1.0 + reach), 0.0)
    return found + error, error


def _mean(p: Floats, q: Floats, loss: Floats, reach: float) -> Ends:
    """E_P[Z]."""
    with np.errstate(invalid="ignore"):
        terms = np.where(p > 0.0, p * loss + (q - p), q)  # none is negative
        size = np.where(p > 0.0, p * np.abs(loss), 0.0) + np.abs(q - p)
    found = terms.sum(axis=1)
    # of a loss, a product and a difference; numpy adds up in pairs: 19 + log2 n roundings
    error = ULP * (28.0 + np.log2(p.shape[1]) + 8.0 * reach) * size.sum(axis=1)
    return np.maximum(found, 0.0), np.where(np.isfinite(found), error, 0.0)
