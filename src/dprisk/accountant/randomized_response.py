"""Randomized response repeated: its profile, segment by segment, one number at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, final

import numpy as np

from dprisk._checks import LIMITED, PROBABILITY, scalar
from dprisk._numeric.binomial import MOST_TOSSES, NOTHING, ONE, Sum, falling, mode, offset, scaled
from dprisk._numeric.logspace import Floats
from dprisk._numeric.quick import quick_log_weight, quick_totals
from dprisk._numeric.weights import UNIT, Logarithm, log_weight
from dprisk.accountant.binomial_saddlepoint import onward, start
from dprisk.accountant.bracket import Bracket
from dprisk.errors import OutOfRange
from dprisk.text import fill

MOST_SEGMENTS = 4096  # that stay in memory
WHOLE = (int, np.integer)
NARROW_BRACKET = 1e-13  # relative width of a bracket that is narrow enough

Ends = tuple[float, float]


class Segment(NamedTuple):
    """delta from one value of Z down to the next, t below it: near + (1 - e^-t) far, times
    e^log."""

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
        """z - x, with one rounding."""
        return math.fsum((*self.end, -x))

    def below(self, t: float, side: float) -> float:
        """z - t, rounded to that side."""
        value = self.above(t)
        off = math.fsum((*self.end, -t, -value)) * side
        return math.nextafter(value, side * math.inf) if off > 0.0 else value

    def down(self, part: float, side: float) -> float:
        """t at which delta is `part`, with all errors on one side."""
        near = self.near.value + side * self.near.error
        far = self.far.value + side * self.far.error
        half = math.exp(self.log.near / 2.0)
        if far <= 0.0 or half == 0.0:
            return 0.0
        part *= 1.0 - self.log.rest - side * (40.0 * UNIT + 1.01 * self.log.error)
        share = (part / half / half - near) / far
        return -math.log1p(-min(max(share, 0.0), 1.0 - UNIT))


@final
@dataclass(frozen=True, eq=False)
class Responses:
    """k-fold randomized response, and the segments of its profile that were looked at."""

    k: int
    epsilon0: float
    delta0: float
    _segments: dict[tuple[int, bool], Segment] = field(default_factory=dict, repr=False)

    def delta(self, epsilon: float) -> Ends:
        """At least and at most."""
        return self._profile(epsilon, True)

    def epsilon(self, delta: float) -> Ends:
        """At least and at most, quickly; or to nearly the last digit, where that is too wide."""
        least, most = self._with_revealed((0.0, 0.0))
        if delta < least:
            return math.inf, math.inf
        if delta == 1.0:
            return 0.0, 0.0
        last = self._last_within(delta)
        for exact in (False, True):
            upper = self._upper(delta, last, exact) if delta >= most else math.inf
            lower = self._lower(delta, last, exact)
            if upper - lower <= NARROW_BRACKET * upper:
                break
        return lower, upper

    def lattice_index(self, delta: float) -> int:
        """Largest l at which delta is at most that."""
        if delta < self._with_revealed((0.0, 0.0))[1]:
            return -1
        last, step = self._last_within(delta), 1
        index = self.k // 2 if last < 0 else min(last + 1, self.k // 2)
        while index > 0 and self._with_revealed(self._segment(index, True).at(0.0))[1] > delta:
            index, step = max(index - step, 0), 2 * step
        return index

    def last_above(self, epsilon: float, strict: bool = True) -> int:
        """The last m at which Z > epsilon, or Z >= epsilon; -1 if there is none."""
        if math.isinf(epsilon):
            return -1 if epsilon > 0 else self.k
        if self.epsilon0 == 0.0 or abs(epsilon) > 1.01 * self.k * self.epsilon0:
            return self.k if epsilon < 0.0 or (epsilon == 0.0 and not strict) else -1
        m = (self.k - epsilon / self.epsilon0) / 2.0
        last, unsure = math.floor(m), 8.0 * UNIT * self.k
        if unsure < m - last < 1.0 - unsure:
            return min(max(last, -1), self.k)
        last = min(max(last + 1, 0), self.k)
        while last >= 0 and not self._is_beyond(last, epsilon, strict):
            last -= 1
        return last

    def at_most(self, m: int) -> Ends:
        """P of at most m wrong."""
        if m < 0 or m >= self.k:
            return _certain(m >= 0)
        if m <= mode(self.k, self.epsilon0):
            return self._tail(m, falling(self.k, m, self.epsilon0).total())
        return _complement(self.at_least(m + 1))

    def at_least(self, m: int) -> Ends:
        """P of at least m wrong, which is Q of at most k - m."""
        if m <= 0 or m > self.k:
            return _certain(m <= 0)
        if m > mode(self.k, self.epsilon0):
            return self._tail(m, falling(self.k, self.k - m, -self.epsilon0).total())
        return _complement(self.at_most(m - 1))

    def _profile(self, epsilon: float, exact: bool, last: int = -1) -> Ends:
        """Delta at least and at most; if not `exact`, a wider bracket than that at less cost."""
        if last >= 0:
            segment = self._segment(last, exact)
            t = segment.above(epsilon)
            if 0.0 < t <= 2.0 * self.epsilon0:
                return self._with_revealed(segment.at(t))
        last = self.last_above(epsilon)
        if last < 0:
            return self._with_revealed((0.0, 0.0))
        segment = self._segment(last, exact)
        return self._with_revealed(segment.at(segment.above(epsilon)))

    def _segment(self, last: int, exact: bool) -> Segment:
        """The segment that ends at Z(last) > 0."""
        found = self._segments.get((last, exact))
        if found is None:
            beside = last <= mode(self.k, self.epsilon0)
            log, near, far = self._beside(last, exact) if beside else self._across(last)
            end = (self.k - 2 * last) * self.epsilon0
            found = Segment((end, self._above(last, end)), log, near, far)
            if len(self._segments) >= MOST_SEGMENTS:
                self._segments.clear()
            self._segments[last, exact] = found
        return found

    def _beside(self, last: int, exact: bool) -> tuple[Logarithm, Sum, Sum]:
        """Below the mode weights fall from the last one on."""
        if not exact:
            log, sums = quick_log_weight(self.k, last, self.epsilon0), self._quick_sums(last)
            return log, *(sums or self._sums(last))
        return Logarithm.of(log_weight(self.k, last, self.epsilon0)), *self._sums(last)

    def _sums(self, last: int) -> tuple[Sum, Sum]:
        """The sums of a segment, to nearly the last digit."""
        if last == 0:
            return NOTHING, ONE
        weights = falling(self.k, last, self.epsilon0)
        share = -np.expm1(-2.0 * self.epsilon0 * weights.step)
        near, whole = weights.weighted(share, *self._end(len(share))), weights.total()
        return near, Sum(whole.value - near.value, whole.error + near.error)

    def _quick_sums(self, last: int) -> tuple[Sum, Sum] | None:
        """The same from two continued fractions; None where these are too long, or too close."""
        found = quick_totals(self.k, last, self.epsilon0) if last else None
        if found is None:
            return None
        (low, high), (less, more) = found
        near, far = (low + high - less - more) / 2.0, (less + more) / 2.0
        off, blur = (high - low) / 2.0, (more - less) / 2.0
        off += blur + UNIT * near * (130.0 + 13.0 * high)
        blur += UNIT * high * (260.0 + 20.0 * high)
        return (Sum(near, off), Sum(far, blur)) if off < near else None

    def _across(self, last: int) -> tuple[Logarithm, Sum, Sum]:
        """Above the mode they fall from there, in both directions; seen from Q, from the last."""
        top, log_odds = mode(self.k, self.epsilon0), self.epsilon0
        log = log_weight(self.k, top, log_odds)
        below, away = falling(self.k, top, log_odds), last - top
        share = -np.expm1(-2.0 * log_odds * (away + below.step))
        near = below.weighted(share, *self._end(away + len(share)))
        above = falling(self.k, self.k - top, -log_odds)
        share = -np.expm1(-2.0 * log_odds * np.maximum(away - above.step, 0.0))
        share[0] = 0.0  # counted below
        near = _plus(near, above.weighted(share, float(share[-1]) if len(share) > 1 else 1.0))
        far = falling(self.k, last, -log_odds).total()
        log_far = log_weight(self.k, last, log_odds)
        low, high = scaled(*far, Logarithm.of(log_far - log))
        far = Sum((low + high) / 2.0, (high - low) / 2.0 + high * UNIT)
        return Logarithm.of(log), near, far

    def _end(self, steps: int) -> Ends:
        """1 - w^n is at most this at n = steps, and after that grows by at most that a step."""
        end = -math.expm1(-2.0 * self.epsilon0 * steps)
        return end, end / steps

    def _tail(self, m: int, total: Sum) -> Ends:
        low, high = scaled(*total, Logarithm.of(log_weight(self.k, m, self.epsilon0)))
        return min(low, 1.0), min(high, 1.0)

    @property
    def _revealed(self) -> Ends:
        """1 - (1 - delta0)^k, at least and at most."""
        if self.delta0 in (0.0, 1.0):
            return self.delta0, self.delta0
        return _around(-math.expm1(self.k * math.log1p(-self.delta0)), 6.0)

    @property
    def _kept(self) -> Ends:
        """(1 - delta0)^k, at least and at most."""
        if self.delta0 in (0.0, 1.0):
            return 1.0 - self.delta0, 1.0 - self.delta0
        exponent = self.k * math.log1p(-self.delta0)
        return _around(math.exp(exponent), 4.0 - 4.0 * exponent)

    def _with_revealed(self, finite: Ends) -> Ends:
        """Add what is revealed to what the finite loss gives."""
        if self.delta0 == 0.0:
            return min(finite[0], 1.0), min(finite[1], 1.0)
        if self.delta0 == 1.0:
            return 1.0, 1.0
        (less, more), (low, high) = self._revealed, self._kept
        lower = _around(less + low * min(finite[0], 1.0), 3.0)[0]
        upper = _around(more + high * min(finite[1], 1.0), 3.0)[1]
        return lower, min(upper, 1.0)

    def _part(self, delta: float, end: int) -> float:
        """What the finite loss has to give, with all errors on one side."""
        if self.delta0 == 0.0:
            return delta
        return (delta - self._revealed[end]) / (self._kept[end] or 1.0)

    def _is_beyond(self, m: int, epsilon: float, strict: bool) -> bool:
        """Whether Z(m) is beyond epsilon."""
        above = self._above(m, epsilon)
        return above > 0.0 or (above == 0.0 and not strict)

    def _above(self, m: int, epsilon: float) -> float:
        """Z(m) - epsilon."""
        return offset(self.k - 2 * m, self.epsilon0, epsilon)

    def _upper(self, delta: float, last: int, exact: bool) -> float:
        """Least epsilon, nearly, at which delta is at most that as computed."""
        value = self._down(last, self._part(delta, 1), 1.0, exact) if last >= 0 else 0.0
        step = max(math.ulp(value), self.epsilon0 * UNIT)
        while self._profile(value, exact, last)[1] > delta:
            value, step = value + step, 2.0 * step
        return value

    def _lower(self, delta: float, last: int, exact: bool) -> float:
        """Largest epsilon, nearly, at which delta is at least that as computed."""
        if last < 0:
            return 0.0
        value = self._down(last, self._part(delta, 0), -1.0, exact)
        step = max(math.ulp(value), self.epsilon0 * UNIT)
        while value > 0.0 and self._profile(value, exact, last)[0] < delta:
            value, step = value - step, 2.0 * step
        return max(value, 0.0)

    def _down(self, last: int, part: float, side: float, exact: bool) -> float:
        """Where the segment comes to `part`, epsilon >= 0, rounded to one side."""
        segment = self._segment(last, exact)
        value = segment.below(min(segment.down(part, side), 2.0 * self.epsilon0), side)
        return max(value, 0.0)

    def _last_within(self, delta: float) -> int:
        """The segment in which the profile comes to delta; -1 if it starts below."""
        first = (self.k - 1) // 2 if self.epsilon0 else -1
        part = self._part(delta, 0)
        if part <= 0.0 or first < 0:
            return min(first, 0)
        low, high, goal = 0, first + 1, math.log(part)
        drop = -math.expm1(-self.epsilon0 * min(2, self.k))
        if goal < math.log(drop) - self.k * math.log1p(math.exp(-self.epsilon0)):
            return 0  # where it goes down to nothing
        at, rounds = start(self.k, self.epsilon0, goal), 0
        while low < high:
            at = min(max(at, low), high - 1) if rounds < 8 else (low + high) // 2
            near, end = self._ends(at)
            if near <= goal < end:
                return at
            low, high = (low, at) if goal < near else (at + 1, high)
            at, rounds = onward(at, goal, near, end, low, high), rounds + 1
        return low if low <= first else -1

    def _ends(self, last: int) -> Ends:
        """log of delta at both ends of a segment, roughly."""
        segment = self._segment(last, False)
        share = -math.expm1(-self.epsilon0 * min(2, self.k - 2 * last))
        near, log = segment.near.value, segment.log.near
        end = near + share * segment.far.value
        return log + _log(near), log + _log(end)


def _log(x: float) -> float:
    return math.log(x) if x > 0.0 else -math.inf


def _certain(holds: bool) -> Ends:
    return (1.0, 1.0) if holds else (0.0, 0.0)


def _plus(one: Sum, other: Sum) -> Sum:
    value = one.value + other.value
    return Sum(value, one.error + other.error + 2.0 * UNIT * value)


def _complement(bracket: Ends) -> Ends:
    low, high = 1.0 - bracket[1], 1.0 - bracket[0]
    return max(math.nextafter(low, 0.0), 0.0), min(math.nextafter(high, 2.0), 1.0)


def _around(value: float, roundings: float) -> Ends:
    """value, known to so many roundings."""
    off = roundings * UNIT * value
    return math.nextafter(value - off, 0.0), math.nextafter(value + off, math.inf)


def elementwise(ask: Callable[[float], Ends], x: Floats) -> Bracket:
    """A bracket for each number."""
    found = [ask(one) for one in x.ravel().tolist()]
    low = np.array([ends[0] for ends in found], dtype=float)
    high = np.array([ends[1] for ends in found], dtype=float)
    return Bracket(low.reshape(x.shape), high.reshape(x.shape))


def checked(k: int, epsilon0: float, delta0: float) -> tuple[int, float, float]:
    """The same, if they are numbers that the sums can take."""
    if isinstance(k, bool) or not isinstance(k, WHOLE) or not 1 <= k <= MOST_TOSSES:
        raise OutOfRange("k", k, fill("errors.whole", least=1, most=f"{MOST_TOSSES:g}"))
    return int(k), scalar("epsilon0", epsilon0, LIMITED), scalar("delta0", delta0, PROBABILITY)
