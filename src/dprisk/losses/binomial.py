"""Randomized response repeated: the exact profile, between two doubles that bracket it.

Every (epsilon0, delta0)-DP mechanism is a post-processing of randomized response with parameter
epsilon0 that reveals the truth with probability delta0 (Kairouz 2015, Theorem 3.3). After k of
them, m the number of answers that speak for the wrong dataset,

    Z = (k - 2 m) epsilon0,   m ~ Binomial(k, 1 / (1 + e^epsilon0)),

with probability (1 - delta0)^k, and Z is infinite otherwise. With a the last m at which
Z > epsilon,

    delta(epsilon) = P[Z > epsilon] - e^epsilon Q[Z > epsilon]
                   = sum over m <= a of P(m) (1 - e^(epsilon - Z(m))),

a sum of positive terms, linear in e^epsilon from one value of Z to the next.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import LIMITED, NONNEGATIVE, PROBABILITY, Domain, numbers, scalar
from dprisk._numeric.binomial import (
    MANY,
    UNIT,
    Sum,
    falling,
    log_weight,
    mode,
    offset,
    scaled,
)
from dprisk.errors import OutOfRange
from dprisk.losses.line import Bracket

__all__ = ["Tails", "delta", "epsilon", "lattice_index", "log_atom", "tails"]

ANY = Domain(-math.inf, math.inf)
KEPT = 4096  # segments


class Tails(NamedTuple):
    """Probabilities of the same losses under P and under Q."""

    p: Bracket
    q: Bracket


def delta(k: int, epsilon0: float, delta0: float, epsilon: npt.ArrayLike) -> Bracket:
    """Privacy profile of k-fold randomized response.

    Parameters
    ----------
    k : int
        How often. [1, 1e10]
    epsilon0 : float
        Parameter of each. [0, 1e9], nats
    delta0 : float
        Probability with which each reveals everything. [0, 1]
    epsilon : array_like of float
        Privacy loss limit. [0, inf], nats

    Returns
    -------
    Bracket
        delta is at least `lower` and at most `upper`, same shape as `epsilon`.

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    Examples
    --------
    >>> from dprisk.losses.binomial import delta
    >>> round(float(delta(1000, 0.1, 0.0, 10.0).upper), 12)
    0.033313825692
    """
    responses = _responses(_count(k), *_each(epsilon0, delta0))
    return _elementwise(responses.delta, numbers("epsilon", epsilon, NONNEGATIVE))


def epsilon(k: int, epsilon0: float, delta0: float, delta: npt.ArrayLike) -> Bracket:
    """Inverse of the profile: the least epsilon at which delta is small enough.

    As computed, the upper `delta` at the upper epsilon is at most `delta`.

    Parameters
    ----------
    k : int
        How often. [1, 1e10]
    epsilon0 : float
        Parameter of each. [0, 1e9], nats
    delta0 : float
        Probability with which each reveals everything. [0, 1]
    delta : array_like of float
        Additive slack. [0, 1]

    Returns
    -------
    Bracket
        epsilon is at least `lower` and at most `upper`, same shape as `delta`; infinite where
        more than `delta` is revealed.

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    Examples
    --------
    >>> from dprisk.losses.binomial import epsilon
    >>> round(float(epsilon(1000, 0.1, 0.0, 1e-6).upper), 9)
    19.344671448
    """
    responses = _responses(_count(k), *_each(epsilon0, delta0))
    return _elementwise(responses.epsilon, numbers("delta", delta, PROBABILITY))


def tails(k: int, epsilon0: float, epsilon: npt.ArrayLike, *, strict: bool = True) -> Tails:
    """P[Z > epsilon] and Q[Z > epsilon] for k-fold randomized response that reveals nothing.

    Parameters
    ----------
    k : int
        How often. [1, 1e10]
    epsilon0 : float
        Parameter of each. [0, 1e9], nats
    epsilon : array_like of float
        Privacy loss limit. [-inf, inf], nats
    strict : bool
        Whether a loss of exactly `epsilon` is left out.

    Returns
    -------
    Tails
        A bracket for each, same shape as `epsilon`.

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    Examples
    --------
    >>> from dprisk.losses.binomial import tails
    >>> beyond = tails(2, 1.0, 0.0)
    >>> round(float(beyond.p.upper), 6), round(float(beyond.q.upper), 6)
    (0.534447, 0.072329)
    """
    responses = _responses(_count(k), *_each(epsilon0, 0.0))
    x = numbers("epsilon", epsilon, ANY)
    return Tails(
        _elementwise(lambda one: responses.at_most(responses.last_above(one, strict)), x),
        _elementwise(lambda one: responses.at_least(k - responses.last_above(one, strict)), x),
    )


def log_atom(k: int, epsilon0: float, wrong: int) -> float:
    """log P[Z = (k - 2 wrong) epsilon0] for k-fold randomized response, to the last digit or so.

    Parameters
    ----------
    k : int
        How often. [1, 1e10]
    epsilon0 : float
        Parameter of each. [0, 1e9], nats
    wrong : int
        How many speak for the wrong dataset. [0, k]

    Returns
    -------
    float
        The logarithm under P; under Q it is that of ``k - wrong``.

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    Examples
    --------
    >>> from dprisk.losses.binomial import log_atom
    >>> round(log_atom(2, 1.0, 0), 9)
    -0.626523375
    """
    count = _count(k)
    wrong = int(scalar("wrong", wrong, Domain(0, count)))
    return float(log_weight(count, wrong, _each(epsilon0, 0.0)[0]))


def lattice_index(k: int, epsilon0: float, delta0: float, delta: float) -> int:
    """The largest l for which (k - 2 l) epsilon0 is known to be enough, of 0, ..., floor(k / 2).

    Parameters
    ----------
    k : int
        How often. [1, 1e10]
    epsilon0 : float
        Parameter of each. [0, 1e9], nats
    delta0 : float
        Probability with which each reveals everything. [0, 1]
    delta : float
        Additive slack. [0, 1]

    Returns
    -------
    int
        The index in Kairouz 2015, Theorem 3.3; -1 if more than `delta` is revealed.

    Raises
    ------
    OutOfRange
        If a number is outside its range.

    Examples
    --------
    >>> from dprisk.losses.binomial import lattice_index
    >>> lattice_index(1000, 0.1, 0.0, 1e-6)
    403
    """
    responses = _responses(_count(k), *_each(epsilon0, delta0))
    return responses.lattice_index(scalar("delta", delta, PROBABILITY))


class _Segment(NamedTuple):
    """delta from one value of Z down to the next, t below it: near + (1 - e^-t) far, times e^log.

    `near` is the sum of P(m) (1 - e^(z - Z(m))) over m < a, `far` that of P(m) e^(z - Z(m)) over
    m <= a, where z = Z(a).
    """

    log: Decimal
    near: Sum
    far: Sum

    def at(self, t: float) -> tuple[float, float]:
        """delta of the finite loss at least and at most, t >= 0."""
        share = -math.expm1(-t)
        value = self.near.value + share * self.far.value
        error = self.near.error + share * self.far.error + 8.0 * UNIT * value
        return scaled(value, error, self.log)

    def down(self, part: float, side: float) -> float:
        """t at which delta is `part`, with all errors on one side."""
        near = self.near.value + side * self.near.error
        far = self.far.value + side * self.far.error
        half = math.exp(float(self.log) / 2.0)
        if far <= 0.0 or half == 0.0:
            return 0.0
        share = (part * (1.0 - side * 40.0 * UNIT) / half / half - near) / far
        return -math.log1p(-min(max(share, 0.0), 1.0 - UNIT))


@final
@dataclass(frozen=True)
class _Responses:
    """k-fold randomized response, and the segments of its profile that were looked at."""

    k: int
    epsilon0: float
    delta0: float
    _segments: dict[int, _Segment] = field(default_factory=dict, repr=False)

    def delta(self, epsilon: float) -> tuple[float, float]:
        """At least and at most."""
        last = self.last_above(epsilon)
        if last < 0:
            return self._with_revealed((0.0, 0.0))
        return self._with_revealed(self.segment(last).at(self._above(last, epsilon)))

    def epsilon(self, delta: float) -> tuple[float, float]:
        """At least and at most: first from the segment, then from the profile itself."""
        if delta < self._with_revealed((0.0, 0.0))[0]:
            return math.inf, math.inf
        if delta == 1.0:
            return 0.0, 0.0
        last = self._last_within(delta)
        return self._lower(delta, last), self._upper(delta, last)

    def lattice_index(self, delta: float) -> int:
        """Largest l at which delta is at most that."""
        if delta < self._with_revealed((0.0, 0.0))[1]:
            return -1
        last, step = self._last_within(delta), 1
        index = self.k // 2 if last < 0 else min(last + 1, self.k // 2)
        while index > 0 and self._with_revealed(self.segment(index).at(0.0))[1] > delta:
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

    def at_most(self, m: int) -> tuple[float, float]:
        """P of at most m wrong."""
        if m < 0 or m >= self.k:
            return _certain(m >= 0)
        if m <= mode(self.k, self.epsilon0):
            return self._tail(m, falling(self.k, m, self.epsilon0).weighted(1.0, 1.0))
        return _complement(self.at_least(m + 1))

    def at_least(self, m: int) -> tuple[float, float]:
        """P of at least m wrong, which is Q of at most k - m."""
        if m <= 0 or m > self.k:
            return _certain(m <= 0)
        if m > mode(self.k, self.epsilon0):
            return self._tail(m, falling(self.k, self.k - m, -self.epsilon0).weighted(1.0, 1.0))
        return _complement(self.at_most(m - 1))

    def segment(self, last: int) -> _Segment:
        """The segment that ends at Z(last) > 0."""
        found = self._segments.get(last)
        if found is None:
            beside = last <= mode(self.k, self.epsilon0)
            found = self._beside(last) if beside else self._across(last)
            if len(self._segments) >= KEPT:
                self._segments.clear()
            self._segments[last] = found
        return found

    def _beside(self, last: int) -> _Segment:
        """Below the mode weights fall from the last one on."""
        weights = falling(self.k, last, self.epsilon0)
        share = -np.expm1(-2.0 * self.epsilon0 * weights.step)
        end, slope = self._end(len(weights.step))
        near = weights.weighted(share, end, slope)
        far = weights.weighted(1.0 - share, 1.0 - end)
        lost = 4.0 * UNIT * float((weights.terms * share).sum())  # in 1 - share
        log = log_weight(self.k, last, self.epsilon0)
        return _Segment(log, near, Sum(far.value, far.error + lost))

    def _across(self, last: int) -> _Segment:
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
        far = falling(self.k, last, -log_odds).weighted(1.0, 1.0)
        log_far = log_weight(self.k, last, log_odds)
        low, high = scaled(*far, log_far, log)
        return _Segment(log, near, Sum((low + high) / 2.0, (high - low) / 2.0 + high * UNIT))

    def _end(self, steps: int) -> tuple[float, float]:
        """1 - w^n is at most this at n = steps, and after that grows by at most that a step."""
        end = -math.expm1(-2.0 * self.epsilon0 * steps)
        return end, end / steps

    def _tail(self, m: int, total: Sum) -> tuple[float, float]:
        low, high = scaled(*total, log_weight(self.k, m, self.epsilon0))
        return min(low, 1.0), min(high, 1.0)

    @property
    def _revealed(self) -> tuple[float, float]:
        """1 - (1 - delta0)^k, at least and at most."""
        if self.delta0 in (0.0, 1.0):
            return self.delta0, self.delta0
        return _around(-math.expm1(self.k * math.log1p(-self.delta0)), 6.0)

    @property
    def _kept(self) -> tuple[float, float]:
        """(1 - delta0)^k, at least and at most."""
        if self.delta0 in (0.0, 1.0):
            return 1.0 - self.delta0, 1.0 - self.delta0
        exponent = self.k * math.log1p(-self.delta0)
        return _around(math.exp(exponent), 4.0 - 4.0 * exponent)

    def _with_revealed(self, finite: tuple[float, float]) -> tuple[float, float]:
        """Add what is revealed to what the finite loss gives."""
        if self.delta0 == 0.0:
            return min(finite[0], 1.0), min(finite[1], 1.0)
        if self.delta0 == 1.0:
            return 1.0, 1.0
        (less, more), (low, high) = self._revealed, self._kept
        lower = _around(less + low * min(finite[0], 1.0), 3.0)[0]
        upper = _around(more + high * min(finite[1], 1.0), 3.0)[1]
        return lower, min(upper, 1.0)

    def _is_beyond(self, m: int, epsilon: float, strict: bool) -> bool:
        """Whether Z(m) is beyond epsilon."""
        above = self._above(m, epsilon)
        return above > 0.0 or (above == 0.0 and not strict)

    def _above(self, m: int, epsilon: float) -> float:
        """Z(m) - epsilon."""
        return offset(self.k - 2 * m, self.epsilon0, epsilon)

    def _upper(self, delta: float, last: int) -> float:
        """Least epsilon, nearly, at which delta is at most that as computed."""
        if delta < self._with_revealed((0.0, 0.0))[1]:
            return math.inf
        value = 0.0
        if last >= 0:
            part = (delta - self._revealed[1]) / (self._kept[1] or 1.0)
            value = self._down(last, part, 1.0)
        step = max(math.ulp(value), self.epsilon0 * UNIT)
        while self.delta(value)[1] > delta:
            value, step = value + step, 2.0 * step
        return value

    def _lower(self, delta: float, last: int) -> float:
        """Largest epsilon, nearly, at which delta is at least that as computed."""
        if last < 0:
            return 0.0
        part = (delta - self._revealed[0]) / (self._kept[0] or 1.0)
        value = self._down(last, part, -1.0)
        step = max(math.ulp(value), self.epsilon0 * UNIT)
        while value > 0.0 and self.delta(value)[0] < delta:
            value, step = value - step, 2.0 * step
        return max(value, 0.0)

    def _down(self, last: int, part: float, side: float) -> float:
        """Where the segment comes to `part`, epsilon >= 0."""
        t = min(self.segment(last).down(part, side), 2.0 * self.epsilon0)
        return max(self._above(last, t), 0.0)

    def _last_within(self, delta: float) -> int:
        """The segment in which the profile comes to delta; -1 if it starts below."""
        first = self.last_above(0.0)
        part = (delta - self._revealed[0]) / (self._kept[1] or 1.0)
        if part <= 0.0 or first < 0:
            return min(first, 0)
        low, high, goal = 0, first + 1, math.log(part)
        at, rounds = _start(self.k, self.epsilon0, goal), 0
        while low < high:
            at = min(max(at, low), high - 1) if rounds < 8 else (low + high) // 2
            near, end = self._ends(at)
            if near <= goal < end:
                return at
            low, high = (low, at) if goal < near else (at + 1, high)
            at, rounds = _onward(at, goal, near, end, low, high), rounds + 1
        return low if low <= first else -1

    def _ends(self, last: int) -> tuple[float, float]:
        """log of delta at both ends of a segment, roughly."""
        segment = self.segment(last)
        share = -math.expm1(-min(2.0 * self.epsilon0, self._above(last, 0.0)))
        near, log = segment.near.value, float(segment.log)
        end = near + share * segment.far.value
        return log + _log(near), log + _log(end)


@lru_cache(maxsize=16)
def _responses(k: int, epsilon0: float, delta0: float) -> _Responses:
    return _Responses(k, epsilon0, delta0)


def _onward(at: int, goal: float, near: float, end: float, low: int, high: int) -> int:
    """Where the tangent of log delta comes to the goal; halfway if there is none."""
    rate = end - near
    if not 0.0 < rate < math.inf:
        return (low + high) // 2
    jump = (goal - near) / rate
    return at + math.floor(min(max(jump, low - at), high - at))


def _start(k: int, epsilon0: float, goal: float) -> int:
    """Roughly the m at which log delta comes to the goal: a saddle-point approximation.

    With K the cumulant generating function of Z and s > 0, delta is nearly e^(K(s) - s epsilon) /
    (s (s + 1)) over the square root of 2 pi times the second derivative of the logarithm of that,
    at the epsilon at which the first vanishes.
    """
    spread = k * epsilon0**2 / math.cosh(min(epsilon0 / 2.0, 300.0)) ** 2
    u = math.log((math.sqrt(max(-2.0 * goal, 0.0)) + 0.1) / math.sqrt(spread + 1e-200))
    for _ in range(40):
        s = math.exp(u)
        tilt = epsilon0 * (1.0 + 2.0 * s)
        wrong = 1.0 / (1.0 + math.exp(min(tilt, 700.0)))
        moment = math.log1p(math.exp(-tilt)) - math.log1p(math.exp(-epsilon0))
        inner = 4.0 * k * (s * epsilon0) ** 2 * wrong * (1.0 - wrong)
        poles = s / (s + 1.0)
        second = inner + 1.0 + poles**2
        third = 2.0 * s * epsilon0 * (1.0 - 2.0 * wrong) * -inner - 2.0 - 2.0 * poles**3
        fourth = (2.0 * s * epsilon0) ** 2 * (1.0 - 6.0 * wrong * (1.0 - wrong)) * inner
        fourth += 6.0 + 6.0 * poles**4
        correction = fourth / (8.0 * second**2) - 5.0 * third**2 / (24.0 * second**3)
        value = k * (moment + 2.0 * s * epsilon0 * wrong) + 1.0 + poles
        value += -2.0 * u - math.log1p(1.0 / s) - 0.5 * math.log(2.0 * math.pi * second)
        value += u + math.log1p(max(correction, -0.5))
        if abs(value - goal) < 1e-3:
            break
        longest = 2.0 if inner > 1.0 else 100.0  # beyond the last bend it is a line
        u = min(max(u + min(max((value - goal) / (second - 0.9), -2.0), longest), -300.0), 300.0)
    return math.floor(min(k * wrong + (1.0 + poles) / (2.0 * s * epsilon0 + 1e-300), k))


def _log(x: float) -> float:
    return math.log(x) if x > 0.0 else -math.inf


def _certain(holds: bool) -> tuple[float, float]:
    return (1.0, 1.0) if holds else (0.0, 0.0)


def _plus(one: Sum, other: Sum) -> Sum:
    value = one.value + other.value
    return Sum(value, one.error + other.error + 2.0 * UNIT * value)


def _complement(bracket: tuple[float, float]) -> tuple[float, float]:
    low, high = 1.0 - bracket[1], 1.0 - bracket[0]
    return max(math.nextafter(low, 0.0), 0.0), min(math.nextafter(high, 2.0), 1.0)


def _around(value: float, roundings: float) -> tuple[float, float]:
    """value, known to so many roundings."""
    off = roundings * UNIT * value
    return math.nextafter(value - off, 0.0), math.nextafter(value + off, math.inf)


def _elementwise(f: Callable[[float], tuple[float, float]], x: npt.NDArray[np.float64]) -> Bracket:
    """A bracket for each number."""
    found = np.array([f(one) for one in x.ravel().tolist()], dtype=float).reshape(-1, 2)
    return Bracket(found[:, 0].reshape(x.shape), found[:, 1].reshape(x.shape))


def _count(k: int) -> int:
    """k, if it is a whole number that the sums can take."""
    whole = isinstance(k, int | np.integer) and not isinstance(k, bool)
    if not whole or not 1 <= k <= MANY:
        raise OutOfRange("k", k, f"a whole number in [1, {MANY:g}]")
    return int(k)


def _each(epsilon0: float, delta0: float) -> tuple[float, float]:
    return scalar("epsilon0", epsilon0, LIMITED), scalar("delta0", delta0, PROBABILITY)
