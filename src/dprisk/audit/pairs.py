"""The exact kernel: what each definition says of two rows of a finite mechanism."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cmp_to_key
from typing import Final, NamedTuple

from dprisk.audit.exp_epsilon import Growth
from dprisk.errors import refused
from dprisk.text import fill

Row = tuple[Fraction, ...]
Predicate = Callable[[Row, Row], bool]
MOST_OUTPUTS: Final = 12  # outputs of which all subsets are looked at
TOLERANCE: Final = 1e-9  # a Rényi divergence is beyond its bound by more than rounding


class Pair(NamedTuple):
    """Two rows in whole numbers, outputs by falling P / Q; what neither leads to is left out."""

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
        some.sort(key=cmp_to_key(by_ratio))
        one, other = tuple(p[n] for n in some), tuple(q[n] for n in some)
        return cls(tuple(some), one, other, _running(one), _running(other))

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


def in_integers(rows: Sequence[Row]) -> tuple[list[list[int]], int]:
    """Rows over their common denominator, which comes last."""
    scale = math.lcm(*(value.denominator for row in rows for value in row))
    return [[v.numerator * (scale // v.denominator) for v in row] for row in rows], scale


def tail(p: Row, q: Row, growth: Growth, *, both: bool = False) -> Fraction:
    """P[Z > epsilon], or P[abs(Z) > epsilon]."""
    return sum(
        (
            a
            for a, b in zip(p, q, strict=True)
            if growth.exceeded(a, b) or (both and growth.exceeded(b, a))
        ),
        Fraction(0),
    )


def approximate(p: Row, q: Row, growth: Growth, delta: Fraction) -> bool:
    """Whether P(S) <= e^epsilon Q(S) + delta for every set S."""
    bad = [(a, b) for a, b in zip(p, q, strict=True) if growth.exceeded(a, b)]
    return growth.sign(delta - sum(a for a, _ in bad), sum(b for _, b in bad)) >= 0


def probabilistic(p: Row, q: Row, growth: Growth, delta: Fraction, *, both: bool = False) -> bool:
    """Whether the loss of the raw output exceeds epsilon with probability delta at most."""
    return tail(p, q, growth, both=both) <= delta


def pointwise(p: Row, q: Row, growth: Growth, delta: Fraction) -> bool:
    """Whether P(y) <= e^epsilon Q(y) + delta for every single output y: no definition."""
    return all(growth.sign(delta - a, b) >= 0 for a, b in zip(p, q, strict=True))


def bounded(p: Row, q: Row, growth: Growth, delta: Fraction) -> bool:
    """Whether the loss exceeds epsilon with probability delta at most, after any
    post-processing."""
    rows, scale = in_integers((p, q))
    pair, limit = Pair.of(*rows), delta * scale
    count = pair.merged(growth)
    power, level = pair.power[count], pair.level[count]
    if count in (0, len(pair.p)):
        return power <= limit
    a, b = pair.p[count], pair.q[count]
    return growth.sign(limit * a, -(level * a + (limit - power) * b)) <= 0


def concentrated(p: Row, q: Row, rho: float, xi: float, delta: Fraction) -> bool:
    """Whether some set of outputs holds all but delta of both, and is (xi, rho)-zCDP by itself."""
    some = [n for n, (a, b) in enumerate(zip(p, q, strict=True)) if a and b]
    _few(len(some))
    for size in range(len(some), 0, -1):
        for kept in itertools.combinations(some, size):
            a, b = (tuple(row[n] for n in kept) for row in (p, q))
            if min(sum(a), sum(b)) >= 1 - delta and all(
                _within(*way, rho, xi) for way in ((a, b), (b, a))
            ):
                return True
        if not delta:
            return False
    return False


def excepting(delta: Fraction, predicate: Predicate) -> Predicate:
    """P4, Definition 5: all sets of outputs keep the predicate, but for a bad one of mass delta."""
    known: dict[tuple[Row, Row], bool] = {}

    def asked(p: Row, q: Row) -> bool:
        if (p, q) not in known:
            known[p, q] = bool(predicate(p, q))
        return known[p, q]

    def holds(p: Row, q: Row) -> bool:
        some = [(a, b) for a, b in zip(p, q, strict=True) if a or b]
        _few(len(some))
        sets = [
            each
            for size in range(len(some) + 1)
            for each in itertools.combinations(range(len(some)), size)
        ]
        failing = [
            frozenset(each)
            for each in sets[1:]
            if not asked(tuple(some[n][0] for n in each), tuple(some[n][1] for n in each))
        ]
        return not failing or any(
            sum(some[n][0] for n in bad) <= delta
            and all(not each.isdisjoint(bad) for each in failing)
            for bad in sets
        )

    return holds


def _running(values: Iterable[int]) -> tuple[int, ...]:
    return tuple(itertools.accumulate(values, initial=0))


def _last(count: int, true: Callable[[int], bool]) -> int:
    """How many of the first numbers something is true of; of the others it is not."""
    return bisect_left(range(count), True, key=lambda n: not true(n))


def _few(count: int) -> None:
    if count > MOST_OUTPUTS:
        raise refused("audit.outputs", fill("audit.outputs.the"), count, most=MOST_OUTPUTS)


def _within(p: Row, q: Row, rho: float, xi: float) -> bool:
    """Whether D_alpha <= xi + rho alpha for all alpha, up to the tolerance."""
    whole = [float(a / sum(p)) for a in p], [float(b / sum(q)) for b in q]
    losses = [_log(a / sum(p)) - _log(b / sum(q)) for a, b in zip(p, q, strict=True)]
    weights = whole[0]
    if math.fsum(w * z for w, z in zip(weights, losses, strict=True)) > xi + rho + TOLERANCE:
        return False
    top = max(losses)
    if top <= xi + TOLERANCE:
        return True
    if rho == 0.0:
        return False
    last = (top - xi) / rho  # from this order on the largest loss is within the bound

    def moment(s: float) -> float:
        return s * top + math.log(
            math.fsum(w * math.exp(s * (z - top)) for w, z in zip(weights, losses, strict=True))
        )

    def excess(s: float) -> float:
        return moment(s) - s * (xi + rho * (1.0 + s))

    left = [(0.0, last)] if last > 0.0 else []
    while left:
        a, b = left.pop()
        middle = (a + b) / 2.0
        if excess(middle) > TOLERANCE * middle:
            return False
        slope = (moment(b) - (moment(a) if a else 0.0)) / (b - a)
        peak = min(max((slope - xi - rho) / (2.0 * rho), a), b)
        above = (moment(a) if a else 0.0) + slope * (peak - a) - peak * (xi + rho * (1.0 + peak))
        if above > TOLERANCE * peak and b - a > 1e-7 * b and b > 1e-6:
            left += [(a, middle), (middle, b)]
    return True


def _log(value: Fraction) -> float:
    """The logarithm of a fraction that may be too small for a float."""
    return math.log(value.numerator) - math.log(value.denominator)
