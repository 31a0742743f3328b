"""What is least over a privacy profile: functions a delta + c, convex in their own variable
z(t)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.accountant.bracket import Bracket
from dprisk.losses.base import ULP

AWAY, AFAR = 2.0**60, 2.0**120
SCALE = 2.0**900
SHORTEST_PIECE = 1e-290  # nats: over less than that a quotient overflows
FARTHEST = 1e300  # nats: e^-s is 0, as it is at infinity
FAINT_PRODUCT = 1e-290  # a smaller one has fewer digits
PRODUCT_UNDERFLOW = 8 * 5e-324  # by which a product may be off that has fewer digits


class Form(NamedTuple):
    """A function a delta + c, convex in z; and what its own rounding comes to."""

    a: Floats
    c: Floats
    z: Floats
    blur: Floats

    def values(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """The function at least and at most, where delta is; its own rounding included."""
        blur = self.blur + 4 * ULP * (self.a * high + np.abs(self.c))
        return self.a * low + self.c - blur, self.a * high + self.c + blur


Shape = Callable[[Floats, Floats], Form]


def line(t: Floats, level: Floats) -> Form:
    """Power at a level: delta(t) + e^t x."""
    half = np.exp(np.minimum(t, 1400.0) / 2.0)
    with np.errstate(over="ignore"):
        z = np.minimum((level * AFAR) * half * (half / AWAY), 1e300)  # no digits get lost
    c = z / AWAY
    return Form(np.ones_like(c), c, z, np.full_like(c, PRODUCT_UNDERFLOW))


def inverse(t: Floats, power: Floats) -> Form:
    """Minus the level of a power: e^-t (delta(t) - m), times `SCALE`, so that no digits get lost
    below the range of normal floats."""
    half = np.exp(-t / 2.0)
    down = (half * SCALE) * half
    return Form(down, -down * power, down, np.zeros_like(down))


def ray(t: Floats, epsilon: Floats) -> Form:
    """Power where level = e^-epsilon power: delta(t) / (1 - e^-s), over the s = epsilon - t
    left."""
    left, rest = _difference(np.minimum(epsilon, FARTHEST), t)
    inside = left > SHORTEST_PIECE
    left = np.where(inside, left, 1.0)
    a = 1.0 / -np.expm1(-left)
    with np.errstate(over="ignore"):
        z = (1.0 - a * np.where(inside, rest, 0.0)) / np.expm1(left)
    over = np.where(inside, 0.0, 1e300)
    return Form(a, over, np.where(inside, z, 1e300), np.full_like(a, PRODUCT_UNDERFLOW))


def _difference(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """one - other, and what its rounding leaves out, without an error (Knuth 1997, 4.2.2)."""
    found = one - other
    back = found - one
    return found, (one - (found - back)) - (other + back)


def cut(t: Floats, total: Floats) -> Form:
    """Minus the level where both add up to m: (delta(t) - m) / (1 + e^t)."""
    small = np.exp(-np.abs(t))
    a = np.where(t >= 0.0, small, 1.0) / (1.0 + small)
    return Form(a, -total * a, a, np.zeros_like(a))


def negative(found: Bracket) -> Bracket:
    """The level, from what is least of minus it."""
    low, high = np.maximum(-found.upper, 0.0), np.maximum(-found.lower, 0.0)
    low = np.where(low < FAINT_PRODUCT, np.maximum(low - PRODUCT_UNDERFLOW, 0.0), low)
    return Bracket(low, np.where(high < FAINT_PRODUCT, high + PRODUCT_UNDERFLOW, high))
