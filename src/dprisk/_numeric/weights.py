"""Logarithms of binomial weights, with 32 digits."""

from __future__ import annotations

import math
from decimal import Context, Decimal, localcontext
from functools import lru_cache
from typing import NamedTuple

UNIT = 2.0**-53  # one rounding
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
