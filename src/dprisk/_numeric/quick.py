"""Binomial weights and their sums below the mode in few operations, however many tosses."""

from __future__ import annotations

import math

from dprisk._numeric.weights import STIRLING, UNIT, Logarithm

STIRLING_FROM = 16  # from here on Stirling's series has the digits of a double
SERIES_UP_TO = 0.3
ARTANH = tuple(1.0 / (2 * j + 3) for j in reversed(range(10)))
TURN = 2.0 * math.pi
MOST_LEVELS = 128.0  # levels of a continued fraction
LESS, MORE = 1.0 - 16.0 * UNIT, 1.0 + 16.0 * UNIT

Ends = tuple[float, float]


def quick_log_weight(count: int, least: int, log_odds: float) -> Logarithm:
    """Logarithm of a weight below the mode and below the middle, in doubles."""
    if least == 0:
        value = -count * math.log1p(math.exp(-log_odds))
        return Logarithm(value, 0.0, UNIT * (64.0 - 8.0 * value))
    others = count - least
    own = math.log1p((others - least) / least)
    beyond = own - log_odds
    rise = math.expm1(beyond)
    whole = count + least * rise
    x, y = others * rise / whole, -least * rise / whole
    excess = least * _minus_log1p(x) + others * _minus_log1p(y)
    size = 0.5 * math.log(count / (TURN * least * others))
    value = size - excess + _stirling(count) - _stirling(least) - _stirling(others)
    moved = least * abs(x) * (abs(beyond) + 3.0 * own)
    return Logarithm(value, 0.0, UNIT * (96.0 + 56.0 * excess + 1.1 * moved - 8.0 * size))


def _minus_log1p(x: float) -> float:
    """x - log(1 + x) within 22 roundings, x > -1/2 and not far from it or above."""
    if abs(x) > SERIES_UP_TO:
        return x - math.log1p(x)
    r = x / (2.0 + x)  # log(1 + x) = 2 artanh(r)
    square, series = r * r, 0.0
    for coefficient in ARTANH:
        series = series * square + coefficient
    return r * (x - 2.0 * square * series)


def _stirling(n: int) -> float:
    """log(n!) beyond n log n - n + log(2 pi n) / 2, within ten roundings of 1 (DLMF 5.11.1)."""
    if n < STIRLING_FROM:
        return math.log(math.factorial(n) * math.exp(n) / (n**n * math.sqrt(TURN * n)))
    inverse, series = 1.0 / n, 0.0
    square = inverse * inverse
    for coefficient in reversed(STIRLING):
        series = series * square + coefficient
    return series * inverse


def quick_totals(count: int, first: int, log_odds: float) -> tuple[Ends, Ends] | None:
    """Sums of the weights of first, first - 1, ... over that of first, each at least and at
    most."""
    others, odds = float(count - first), math.exp(log_odds)
    size = _levels(first, others, odds)
    if size > MOST_LEVELS:
        return None
    short = _levels(first, others, 1.0 / odds)
    return _total(first, others, odds, size), _total(first, others, 1.0 / odds, short)


def _total(first: int, others: float, odds: float, size: float) -> Ends:
    """F(-first, 1; others + 1; -odds) by Gauss's continued fraction."""
    low, high = 0.0, 1.0
    left, right, whole = first - size, others + size, first + others + size
    double = right + size
    while size > 0.0:
        share = odds / (double - 1.0)
        b = share * size * whole / double
        left, right, double = left + 1.0, right - 1.0, double - 2.0
        a = share * left * right / double
        low, high = LESS - a * high / (high + b), MORE - a * low / (low + b)
        size, whole = size - 1.0, whole - 1.0
    return 1.0 / high, 1.0 / low if low > 0.0 else math.inf


def _levels(first: int, others: float, odds: float) -> float:
    """How many levels settle a sum: few where its first weight is far from the largest."""
    far = (others - first * odds) / math.sqrt(others * (1.0 + odds))
    return min(5.0 + (60.0 + 90.0 / far) // far, first + 1.0) if far > 0.0 else math.inf
