"""One randomized response again and again: the optimal composition theorem, segment by segment."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple, final

import numpy as np

from dprisk._checks import LIMITED, scalar
from dprisk._numeric.binomial import (
    MOST_TOSSES,
    NOTHING,
    ONE,
    Logarithm,
    Sum,
    falling,
    log_weight,
    mode,
    offset,
    scaled,
)
from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import UNIT
from dprisk.accountant.loss_sum import MOST_CORNERS, Bracket, ExactTail, LossSum, Parts, Spread
from dprisk.errors import OutOfRange
from dprisk.losses.base import ULP
from dprisk.losses.normal import ResponseLoss
from dprisk.text import fill
from dprisk.theorems import OPTIMAL_COMPOSITION, Theorem

Ends = tuple[float, float]


class Segment(NamedTuple):
    """delta from a value of Z, `end`, down to t below it: near + (1 - e^-t) far, times e^log."""

    end: Ends
    log: Logarithm
    near: Sum
    far: Sum

    def at(self, t: float) -> Ends:
        """delta of the finite loss at least and at most, t >= 0."""
        share = -math.expm1(-t)
        value = self.near.value + share * self.far.value
        error = self.near.error + share * self.far.error + 8.0 * UNIT * value
        return scaled(value, error, self.log)

    def above(self, x: float) -> float:
        """The distance from x up to the end, with one rounding."""
        return math.fsum((*self.end, -x))

    def log_at(self, t: float) -> float:
        """The logarithm of delta, roughly."""
        value = self.near.value - math.expm1(-t) * self.far.value
        return self.log.near + (math.log(value) if value > 0.0 else -math.inf)

    def reached(self, part: float, side: float) -> float:
        """The x at which delta is `part`, with all errors on one side, and rounded to that side."""
        near = self.near.value + side * self.near.error
        far = self.far.value + side * self.far.error
        half = math.exp(self.log.near / 2.0)
        t = 0.0
        if far > 0.0 and half > 0.0:
            part *= 1.0 - self.log.rest - side * (40.0 * UNIT + 1.01 * self.log.error)
            share = (part / half / half - near) / far
            t = -math.log1p(-min(max(share, 0.0), 1.0 - UNIT))
        value = self.above(t)
        off = math.fsum((*self.end, -t, -value)) * side
        return math.nextafter(value, side * math.inf) if off > 0.0 else value


@final
@dataclass(frozen=True)
class ByBinomial(LossSum):
    """`count` times the same randomized response: Z = (count - 2 m) epsilon where m are wrong."""

    theorem: ClassVar[Theorem] = OPTIMAL_COMPOSITION

    loss: ResponseLoss
    count: int

    def __post_init__(self) -> None:
        is_whole = isinstance(self.count, int | np.integer) and not isinstance(self.count, bool)
        if not is_whole or not 1 <= self.count <= MOST_TOSSES:
            what = fill("errors.whole", least=1, most=f"{MOST_TOSSES:g}")
            raise OutOfRange("k", self.count, what)
        scalar("epsilon0", self.loss.epsilon, LIMITED)

    @property
    def mass_at_infinity(self) -> float:
        """Probability that any of the losses is infinite."""
        return self._with_revealed((0.0, 0.0))[1]

    @property
    def support(self) -> tuple[float, float]:
        """All wrong to all right."""
        most = self.count * self.loss.epsilon
        if offset(self.count, self.loss.epsilon, most) > 0.0:
            most = math.nextafter(most, math.inf)
        return -most, most

    @property
    def has_few_values(self) -> bool:
        """One term for each."""
        return True

    @property
    def has_closed_form(self) -> bool:
        """A sum."""
        return True

    def delta(self, x: Floats) -> Bracket:
        """Kairouz 2015, Theorem 3.3, between the points of its lattice as well."""
        return _elementwise(self._delta, x)

    def epsilon(self, delta: Floats) -> Bracket:
        """epsilon, in closed form between two points of the lattice."""
        return _elementwise(self._epsilon, delta)

    def tail(self, x: Floats, other: bool = False) -> Bracket:
        """Binomial tails; a value that equals x up to rounding is not beyond it."""
        # a value is rounded twice, x once
        return self.exact_tail(x + 4 * ULP * (np.abs(x) + self.support[1]), other)

    @property
    def exact_tail(self) -> ExactTail:
        """Binomial tails; a value that is larger than x by any amount is beyond it."""
        return lambda x, other: _elementwise(
            lambda one: self._tail(self._last_above(one), other), x
        )

    def _tail(self, last: int, other: bool) -> Ends:
        """Probability of at most `last` wrong, less than half of them, under P or Q."""
        if last < 0:
            return (0.0, 0.0) if other else self._with_revealed((0.0, 0.0))
        k, epsilon = self.count, self.loss.epsilon
        if other:
            total = falling(k, last, -epsilon).total()
            low, high = scaled(*total, Logarithm.of(log_weight(k, k - last, epsilon)))
            return _around(low * self._kept[0], 2.0)[0], min(
                _around(high * self._kept[1], 2.0)[1], 1.0
            )
        _, log, near, far = self._segment(last)
        value = near.value + far.value
        return self._with_revealed(scaled(value, near.error + far.error + 2.0 * UNIT * value, log))

    @property
    def corners(self) -> Floats | None:
        """The points of the lattice."""
        if self.loss.epsilon == 0.0:
            return np.zeros(0)
        if self.count > 2 * MOST_CORNERS:
            return None
        found = self.loss.epsilon * np.arange(self.count % 2, self.count + 1.0, 2.0)
        return found[found > 0.0]

    def coarse(self) -> LossSum:
        """Itself."""
        return self

    @property
    def spread(self) -> Spread:
        """Those of a binomial distribution, scaled."""
        half, root = np.tanh(self.loss.epsilon / 2.0), np.sqrt(float(self.count))
        deviation = root * self.loss.epsilon * np.sqrt(max(1.0 - half**2, 0.0))
        mean = self.count * self.loss.epsilon * half
        reach = min(float(mean + 40.0 * deviation), self.support[1])
        return Spread(float(mean), float(deviation), reach)

    def lattice_index(self, delta: float) -> int:
        """Largest l at which delta((count - 2 l) epsilon) is known to be small enough; or -1."""
        if delta < self.mass_at_infinity:
            return -1
        last, step = self._last_within(delta), 1
        index = self.count // 2 if last < 0 else min(last + 1, self.count // 2)
        while index > 0 and self._with_revealed(self._segment(index).at(0.0))[1] > delta:
            index, step = max(index - step, 0), 2 * step
        return index

    def _delta(self, x: float) -> Ends:
        last = self._last_above(x)
        if last < 0:
            return self._with_revealed((0.0, 0.0))
        segment = self._segment(last)
        return self._with_revealed(segment.at(segment.above(x)))

    def _epsilon(self, delta: float) -> Ends:
        least, most = self._with_revealed((0.0, 0.0))
        if delta < least:
            return math.inf, math.inf
        if delta == 1.0:
            return 0.0, 0.0
        last = self._last_within(delta)
        return self._end(delta, last, -1), self._end(delta, last, 1) if delta >= most else math.inf

    def _end(self, delta: float, last: int, side: int) -> float:
        """Nearly the least epsilon at which delta is kept, or the largest at which it is not."""
        if last < 0:
            return 0.0
        part = delta
        if self.loss.revealed:
            part = (delta - self._revealed[side > 0]) / (self._kept[side > 0] or 1.0)
        value = max(self._segment(last).reached(part, float(side)), 0.0)
        step = max(math.ulp(value), self.loss.epsilon * UNIT)
        while value > 0.0 or side > 0:
            low, high = self._delta(value)
            if (high <= delta) if side > 0 else (low >= delta):
                break
            value, step = max(value + side * step, 0.0), 2.0 * step
        return value

    def _last_within(self, delta: float) -> int:
        """The segment in which delta is reached; -1 if it starts below."""
        first = (self.count - 1) // 2 if self.loss.epsilon else -1
        part = delta if not self.loss.revealed else (delta - self._revealed[0]) / self._kept[0]
        if part <= 0.0 or first < 0:
            return min(first, 0)
        low, high, goal = 0, first + 1, math.log(part)
        mean, deviation, _ = self.spread
        near = mean + deviation * math.sqrt(max(-2.0 * goal, 0.0))  # of a normal loss, at most
        at, rounds = math.floor((self.count - near / self.loss.epsilon) / 2.0), 0
        while low < high:
            at = min(max(at, low), high - 1) if rounds < 8 else (low + high) // 2
            segment = self._segment(at)
            start = segment.log_at(0.0)
            end = segment.log_at(self.loss.epsilon * min(2, self.count - 2 * at))
            if start <= goal < end:
                return at
            low, high = (low, at) if goal < start else (at + 1, high)
            rate, rounds = end - start, rounds + 1
            if not 0.0 < rate < math.inf:
                at = (low + high) // 2
            else:  # along the tangent of the logarithm
                at += math.floor(min(max((goal - start) / rate, low - at), high - at))
        return low if low <= first else -1

    def _last_above(self, x: float) -> int:
        """The last m at which Z > x; -1 if there is none."""
        k, epsilon = self.count, self.loss.epsilon
        if epsilon == 0.0 or abs(x) > 1.01 * k * epsilon:
            return k if x < 0.0 else -1
        m = (k - x / epsilon) / 2.0
        last, unsure = math.floor(m), 8.0 * UNIT * k
        if unsure < m - last < 1.0 - unsure:
            return min(max(last, -1), k)
        last = min(max(last + 1, 0), k)
        while last >= 0 and not offset(k - 2 * last, epsilon, x) > 0.0:
            last -= 1
        return last

    def _segment(self, last: int) -> Segment:
        return _segment(self.count, self.loss.epsilon, last)

    @property
    def _revealed(self) -> Ends:
        """1 - (1 - delta0)^k, at least and at most."""
        if self.loss.revealed in (0.0, 1.0):
            return self.loss.revealed, self.loss.revealed
        return _around(-math.expm1(self.count * math.log1p(-self.loss.revealed)), 6.0)

    @property
    def _kept(self) -> Ends:
        """(1 - delta0)^k, at least and at most."""
        if self.loss.revealed in (0.0, 1.0):
            return 1.0 - self.loss.revealed, 1.0 - self.loss.revealed
        exponent = self.count * math.log1p(-self.loss.revealed)
        return _around(math.exp(exponent), 4.0 - 4.0 * exponent)

    def _with_revealed(self, finite: Ends) -> Ends:
        """Add what is revealed to what the finite loss gives."""
        low, high = (min(end, 1.0) for end in finite)
        if self.loss.revealed in (0.0, 1.0):
            return max(low, self.loss.revealed), max(high, self.loss.revealed)
        lower = self._revealed[0] + self._kept[0] * low
        upper = self._revealed[1] + self._kept[1] * high
        return min(_around(lower, 3.0)[0], 1.0), min(_around(upper, 3.0)[1], 1.0)


@lru_cache(maxsize=4096)
def _segment(k: int, epsilon: float, last: int) -> Segment:
    """The segment that ends at Z(last) > 0."""
    end = (k - 2 * last) * epsilon
    ends = end, offset(k - 2 * last, epsilon, end)
    if last > mode(k, epsilon):
        return Segment(ends, *_across(k, epsilon, last))
    log = Logarithm.of(log_weight(k, last, epsilon))
    if last == 0:
        return Segment(ends, log, NOTHING, ONE)
    weights = falling(k, last, epsilon)  # below the mode they fall from the last one on
    share = -np.expm1(-2.0 * epsilon * weights.step)
    near, whole = weights.weighted(share, *_beyond(epsilon, len(share))), weights.total()
    return Segment(ends, log, near, Sum(whole.value - near.value, whole.error + near.error))


def _across(k: int, epsilon: float, last: int) -> tuple[Logarithm, Sum, Sum]:
    """Above the mode weights fall from there, in both directions; seen from Q, from the last."""
    top = mode(k, epsilon)
    log = log_weight(k, top, epsilon)
    below, away = falling(k, top, epsilon), last - top
    share = -np.expm1(-2.0 * epsilon * (away + below.step))
    near = below.weighted(share, *_beyond(epsilon, away + len(share)))
    above = falling(k, k - top, -epsilon)
    share = -np.expm1(-2.0 * epsilon * np.maximum(away - above.step, 0.0))
    share[0] = 0.0  # counted below
    more = above.weighted(share, float(share[-1]) if len(share) > 1 else 1.0)
    value = near.value + more.value
    near = Sum(value, near.error + more.error + 2.0 * UNIT * value)
    far = falling(k, last, -epsilon).total()
    low, high = scaled(*far, Logarithm.of(log_weight(k, last, epsilon) - log))
    return Logarithm.of(log), near, Sum((low + high) / 2.0, (high - low) / 2.0 + high * UNIT)


def _beyond(epsilon: float, steps: int) -> Ends:
    """1 - w^n is at most this at n = steps, and after that grows by at most that a step."""
    end = -math.expm1(-2.0 * epsilon * steps)
    return end, end / steps


def _around(value: float, roundings: float) -> Ends:
    """A value that is known to so many roundings."""
    off = roundings * UNIT * value
    return math.nextafter(value - off, 0.0), math.nextafter(value + off, math.inf)


def _elementwise(ask: Callable[[float], Ends], x: Floats) -> Bracket:
    found = np.array([ask(one) for one in x.ravel().tolist()], dtype=float).reshape(-1, 2)
    return Bracket(found[:, 0].reshape(x.shape), found[:, 1].reshape(x.shape))


def as_binomial(parts: Parts) -> ByBinomial | None:
    """One randomized response, if that is all there is."""
    loss, count = parts[0]
    if len(parts) > 1 or not isinstance(loss, ResponseLoss):
        return None
    return ByBinomial(loss, count)
