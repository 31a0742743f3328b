"""Binomial weights and their sums to nearly the last digit, and how far off they can be.

The weight of `least` heads in `count` tosses is C(count, least) e^(-least x) / (1 + e^-x)^count,
x the log-odds of tails. Its logarithm is a sum of huge numbers that cancel, so it is taken with 32
digits. Sums run from one weight outwards over ratios, in the direction in which weights fall.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal, localcontext
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats

__all__ = ["MANY", "UNIT", "Falling", "Sum", "falling", "log_weight", "mode", "offset", "scaled"]

UNIT = 2.0**-53  # one rounding
MANY = 10**10  # tosses for which the window of weights that count still fits in memory
PRECISE = Context(prec=32)
NEGLIGIBLE = 43.0  # nats below the largest term
SMALLEST = 5e-324
STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
HALF = Decimal("0.5")
HALF_LOG_2PI = Decimal("0.9189385332046727417803297364056176398614")


class Sum(NamedTuple):
    """A sum of terms that are not negative, and how far off it can be."""

    value: float
    error: float


class Falling(NamedTuple):
    """Weights from one downwards, over the first; `step` is 0, 1, 2, ...

    `drift` is the relative error of the odds as a double; `rest` and `rest_steps` are at most the
    sums of the terms that were left out, and of these times how far beyond the end they lie.
    """

    terms: Floats
    step: Floats
    drift: float
    rest: float
    rest_steps: float

    def weighted(self, weight: Floats | float, end: float, slope: float = 0.0) -> Sum:
        """Sum of terms times weights in [0, 1].

        Left out are weights of at most ``end + slope * n``, n = 0, 1, ... Each step takes three
        roundings; numpy adds pairwise, within 30, and a weight is within 10.
        """
        product = self.terms * weight
        value, moment = float(product.sum()), float((product * self.step).sum())
        rest = 1.01 * (end * self.rest + slope * self.rest_steps)
        error = UNIT * (64.0 * value + 3.01 * moment) + len(product) * SMALLEST + rest
        return Sum(value + self.drift * moment, error)


def mode(count: int, log_odds: float) -> int:
    """Where the weights are largest (or next to it), log_odds >= 0."""
    return int((count + 1) * math.exp(-log_odds) / (1.0 + math.exp(-log_odds)))


def falling(count: int, first: int, log_odds: float) -> Falling:
    """Weights of first, first - 1, ... over that of first, which must lie below the mode.

    Parameters
    ----------
    count, first : int
        Tosses; 0 <= first <= (count + 1) / (1 + e^log_odds), or little more.
    log_odds : float
        Log-odds of tails; its negative sums the other tail, counted from the other end.
    """
    odds, drift = _odds(log_odds)
    size = _length(count, first, odds)
    step = np.arange(size, dtype=float)
    ratios = (first - step) / (count - first + 1.0 + step) * odds
    terms = np.empty(size)
    terms[0] = 1.0
    np.cumprod(ratios[:-1], out=terms[1:])
    last = float(ratios[-1])  # zero after the last weight of all
    if last >= 1.0:
        return Falling(terms, step, drift, math.inf, math.inf)
    omitted = float(terms[-1]) * last / (1.0 - last)
    return Falling(terms, step, drift, omitted, omitted * last / (1.0 - last))


def log_weight(count: int, least: int, log_odds: float) -> Decimal:
    """Logarithm of a weight, within 1e-17."""
    with localcontext(PRECISE):
        ways = _log_factorial(count) - _log_factorial(least) - _log_factorial(count - least)
        return ways - least * Decimal(log_odds) - count * _log1p_exp_minus(log_odds)


def scaled(
    value: float, error: float, log_scale: Decimal, log_unit: Decimal = Decimal()
) -> tuple[float, float]:
    """``value * exp(log_scale - log_unit)`` at least and at most, however small."""
    exponent = PRECISE.subtract(log_scale, log_unit)
    nearest = float(exponent)
    half = math.exp(nearest / 2.0)
    value *= 1.0 + float(PRECISE.subtract(exponent, Decimal(nearest)))
    error += 16.0 * UNIT * value
    low, high = max(value - error, 0.0) * half * half, (value + error) * half * half
    return math.nextafter(low, 0.0), math.nextafter(high, math.inf)


def offset(number: int, spacing: float, x: float) -> float:
    """``number * spacing - x`` with one rounding."""
    return float(PRECISE.fma(Decimal(number), Decimal(spacing), Decimal(-x)))


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
    """log(x), x >= 1, from a double and one exponential: faster than Decimal's own.

    In a precise context.
    """
    near = math.log(x)
    off = float(x * PRECISE.exp(Decimal(-near)) - 1)
    return Decimal(near) + Decimal(off * (1.0 - off / 2.0))
