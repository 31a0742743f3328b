"""Ball arithmetic: numbers with an error that is known."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from flint import arb, ctx

__all__ = [
    "HALF",
    "ONE",
    "ZERO",
    "Judge",
    "Unknown",
    "between",
    "exact",
    "expm1_neg",
    "largest",
    "least",
    "phi",
    "phi_inverse",
    "sharp",
]

BITS = 256

ctx.prec = BITS
ZERO, ONE, HALF = arb(0), arb(1), arb(0.5)


class Judge(NamedTuple):
    """Of one question: whether the truth is certainly more than a number, or certainly less."""

    above: Callable[[arb], bool]
    """The truth certainly exceeds it."""

    below: Callable[[arb], bool]
    """The truth certainly falls short of it."""


def between(low: arb, high: arb | None = None) -> Judge:
    """Of a truth that is known to lie between two balls, or within one."""
    high = low if high is None else high
    return Judge(lambda value: low > value, lambda value: high < value)


class Unknown(ArithmeticError):
    """A truth that could not be computed."""


def exact(value: float | arb) -> arb:
    """A float as it is, infinite ones too; a ball as it is."""
    if isinstance(value, arb):
        return value
    return (
        arb.pos_inf() if value == math.inf else arb.neg_inf() if value == -math.inf else arb(value)
    )


def largest(balls: list[arb]) -> arb:
    """The largest of several."""
    found = balls[0]
    for ball in balls[1:]:
        found = found.max(ball)
    return found


def least(balls: list[arb]) -> arb:
    """The smallest of several."""
    return -largest([-ball for ball in balls])


def sharp(ball: arb) -> bool:
    """Whether a ball says anything: its error is far below its size."""
    return bool(ball.rel_accuracy_bits() > 60)


def expm1_neg(x: arb) -> arb:
    """1 - e^-x."""
    return -(-x).expm1()


def phi(x: arb) -> arb:
    """The normal distribution function."""
    return (-x / arb(2).sqrt()).erfc() / 2


def phi_inverse(p: arb) -> arb:
    """Where it has the value p, 0 < p < 1."""
    return -arb(2).sqrt() * (2 * p).erfcinv()
