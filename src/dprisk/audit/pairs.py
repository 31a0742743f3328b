"""Two rows of a finite mechanism: what each definition says of them, exactly, and floats that rule
out the pairs that are not the worst."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cmp_to_key, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats, log
from dprisk._numeric.majorant import majorant, whole_numbers
from dprisk.audit.finite import Row
from dprisk.audit.growth import Growth

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
        rising = log(q) - log(p)
    rising[np.isnan(rising)] = np.inf  # neither leads there
    order = np.argsort(rising, axis=1)
    both = (np.take_along_axis(each, order, axis=1).cumsum(axis=1) for each in (p, q))
    power, level = (np.pad(each, ((0, 0), (1, 0))) for each in both)
    return power, level


def candidates(
    table: Floats, first: Indices, second: Indices, measure: Measure, limit: float
) -> Indices:
    """The ordered pairs among which the largest measure is, which falls with its limit."""
    low, high = np.empty(len(first)), np.empty(len(first))
    step = max(1, BLOCK // table.shape[1])
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        p, q = table[first[part]], table[second[part]]
        high[part] = measure(p, q, limit * (1.0 - SHARE)) * (1.0 + SHARE)
        low[part] = measure(p, q, limit * (1.0 + SHARE)) * (1.0 - SHARE)
    return np.flatnonzero(high >= low.max()) if high.any() else np.zeros(1, dtype=np.intp)


def highest(table: Floats, first: Indices, second: Indices) -> tuple[Floats, Floats]:
    """Levels and powers of the least concave curve above the power curves of all pairs, nearly."""
    hull: list[tuple[float, float]] = [(0.0, 0.0), (1.0, 1.0)]
    for _, power, level in _curves(table, first, second):
        x, y = level.ravel(), power.ravel()
        outermost = [np.argmax(y - slope * x) for slope in np.tan(np.linspace(0.0, 1.57, 64))]
        for some in (outermost, slice(None)):
            x, y = x[some], y[some]
            above = y > np.interp(x, *np.array(hull).T)
            hull = sorted([*hull, *zip(x[above].tolist(), y[above].tolist(), strict=True)])
            hull = [hull[n] for n in majorant(hull)]
            x, y = level.ravel(), power.ravel()
    x, y = np.array(hull).T
    return x, y


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
