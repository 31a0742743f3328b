"""Sums of binomial weights to nearly the last digit, and how far off they can be."""

from __future__ import annotations

import math
from decimal import Context, Decimal, localcontext
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import SMALLEST, UNIT

PRECISE = Context(prec=32)
STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
HALF = Decimal("0.5")
HALF_LOG_2PI = Decimal("0.9189385332046727417803297364056176398614")


class Logarithm(NamedTuple):
    """A logarithm as a double and the rest, and at most how far off the two are together."""

    near: float
    rest: float
    error: float

    @classmethod
    def of(cls, exact: Decimal) -> Logarithm:
        """A logarithm that is known within 1e-17."""
        near = float(exact)
        return cls(near, float(PRECISE.subtract(exact, Decimal(near))), 1e-17)


def log_weight(count: int, least: int, log_odds: float) -> Decimal:
    """Logarithm of a weight, within 1e-17."""
    with localcontext(PRECISE):
        ways = _log_factorial(count) - _log_factorial(least) - _log_factorial(count - least)
        return ways - least * Decimal(log_odds) - count * _log1p_exp_minus(log_odds)


@lru_cache(maxsize=256)
def _log1p_exp_minus(log_odds: float) -> Decimal:
    with localcontext(PRECISE):
        return _log(1 + PRECISE.exp(Decimal(-log_odds)))


@lru_cache(maxsize=4096)
def _log_factorial(n: int) -> Decimal:
    """log(n!), exactly or by Stirling's series (DLMF 5.11.1), the error below 1e-19."""
    with localcontext(PRECISE):
        if n < 32:
            return _log(Decimal(math.factorial(n)))
        tail = sum(c * float(n) ** (-2 * j - 1) for j, c in enumerate(STIRLING))
        return (n + HALF) * _log(Decimal(n)) - n + HALF_LOG_2PI + Decimal(tail)


def _log(x: Decimal) -> Decimal:
    """log(x), x >= 1, from a double and one exponential: faster than Decimal's own."""
    near = math.log(x)
    off = float(x * PRECISE.exp(Decimal(-near)) - 1)
    return Decimal(near) + Decimal(off * (1.0 - off / 2.0))


MOST_TOSSES = 10**10  # tosses for which the window of weights that count still fits in memory
NEGLIGIBLE = 43.0  # nats below the largest term


class Sum(NamedTuple):
    """A sum of terms that are not negative, and how far off it can be."""

    value: float
    error: float


NOTHING, ONE = Sum(0.0, 0.0), Sum(1.0, 0.0)


class Falling(NamedTuple):
    """Weights from one downwards, over the first; `step` is 0, 1, 2, ..."""

    terms: Floats
    step: Floats
    drift: float
    rest: float
    rest_steps: float

    def total(self) -> Sum:
        """Sum of all terms."""
        return self._summed(self.terms, 1.0, 0.0)

    def weighted(self, weight: Floats, end: float, slope: float = 0.0) -> Sum:
        """Sum of terms times weights in [0, 1]."""
        return self._summed(self.terms * weight, end, slope)

    def _summed(self, product: Floats, end: float, slope: float) -> Sum:
        """A step takes three roundings; numpy adds pairwise, within 30; a weight is within 10."""
        value, moment = float(np.add.reduce(product)), float(product.dot(self.step))
        rest = 1.01 * (end * self.rest + slope * self.rest_steps)
        error = UNIT * (64.0 * value + 3.1 * moment) + rest
        return Sum(value + self.drift * moment, error + len(product) * SMALLEST)


def mode(count: int, log_odds: float) -> int:
    """The index of the largest weight (or one next to it), log_odds >= 0."""
    return int((count + 1) * math.exp(-log_odds) / (1.0 + math.exp(-log_odds)))


def falling(count: int, first: int, log_odds: float) -> Falling:
    """Weights of first, first - 1, ... over that of first, which must lie below the mode."""
    odds, drift = _odds(log_odds)
    size = _length(count, first, odds)
    step = np.arange(size, dtype=float)
    ratios = (first - step) / (count - first + 1.0 + step) * odds
    terms = np.empty(size)
    terms[0] = 1.0
    np.multiply.accumulate(ratios[:-1], out=terms[1:])
    last = float(ratios[-1])  # zero after the last weight of all
    if last >= 1.0:
        return Falling(terms, step, drift, math.inf, math.inf)
    omitted = float(terms[-1]) * last / (1.0 - last)
    return Falling(terms, step, drift, omitted, omitted * last / (1.0 - last))


def scaled(value: float, error: float, log: Logarithm) -> tuple[float, float]:
    """``value`` times what the logarithm is of, at least and at most, however small."""
    half = math.exp(log.near / 2.0)
    value *= 1.0 + log.rest
    error += (16.0 * UNIT + 1.01 * log.error) * value
    low, high = max(value - error, 0.0) * half * half, (value + error) * half * half
    return math.nextafter(low, 0.0), math.nextafter(high, math.inf)


def offset(number: int, spacing: float, x: float) -> float:
    """``number * spacing - x`` with one rounding."""
    top, bottom = spacing.as_integer_ratio()
    over, under = x.as_integer_ratio()
    return (number * top * under - over * bottom) / (bottom * under)


def _length(count: int, first: int, odds: float) -> int:
    """How many terms are not negligible beside the first and the second."""
    if first == 0 or odds == 0.0:
        return 1
    others = count - first + 1.0
    rate = max(-math.log(first / others * odds), 0.0)
    curvature = 1.0 / first + 1.0 / others
    steps = 2.0 * NEGLIGIBLE / (rate + math.sqrt(rate * rate + 2.0 * NEGLIGIBLE * curvature))
    while steps < first and _fall(steps, first, others, rate) < NEGLIGIBLE:
        steps = 1.1 * steps + 1.0
    return min(int(steps) + 3, first + 1)


def _fall(steps: float, first: int, others: float, rate: float) -> float:
    """Nats that weights fall in so many steps, at least; sums over the ratios as integrals."""
    slowing = (others + steps) * math.log1p(steps / others) - steps
    return steps * (rate + 0.5 * (steps - 1.0) / first) + slowing - math.log1p(steps / others)


@lru_cache(maxsize=256)
def _odds(log_odds: float) -> tuple[float, float]:
    """exp(log_odds), and the relative error of that double."""
    exact = PRECISE.exp(Decimal(min(log_odds, 700.0)))
    rounded = float(exact)
    if rounded < 1e-290:
        return 0.0, 0.0
    return rounded, float(PRECISE.subtract(exact, Decimal(rounded))) / rounded
