"""Beliefs whose odds move by at most a factor e^e, each end rounded to its own side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats, shrinking
from dprisk._numeric.rounding import FORMULA, UNIT, down, unless, up

FUNCTION = 10  # units for one exponential or hyperbolic tangent
STEPS = 8  # for what follows

Ends = tuple[Floats, Floats]


class Stay(NamedTuple):
    """At most e^-e, e >= 0, as the product of two factors: small beliefs can make up for one."""

    near: Floats
    far: Floats

    def raised(self, numbers: Floats) -> Floats:
        """Numbers over `far`."""
        return numbers / self.far if self.far.ndim or self.far != 1.0 else numbers


def stay(e: Floats) -> Stay:
    """The factor by which the odds can fall."""
    near, far = shrinking(e)
    return Stay(down(near, e == 0.0, FUNCTION), far)


def odds(e: Floats) -> Ends:
    """At most e^-e and at least e^e: inf beyond the range of a float."""
    with np.errstate(over="ignore"):
        return down(np.exp(-e), e == 0.0, FUNCTION), up(np.exp(e), e == 0.0, FUNCTION)


def posteriors(p: Floats, s: Stay) -> Ends:
    """Posterior at least and at most."""
    still = (s.near == 1.0) | (p == 0.0) | (p == 1.0)
    some = unless(still, p, 0.5)
    q, scaled = 1.0 - some, s.raised(some)
    low = some * (s.near / (some * s.near + s.raised(q)))
    high = np.minimum(up(scaled / (scaled + q * s.near), False, STEPS), 1.0)
    kept = p + 0.0  # -0 is 0
    return unless(still, down(low, False, STEPS), kept), unless(still, high, kept)


def least_ratios(p: Floats, q: Floats, s: Stay) -> Floats:
    """Posterior over prior at least, given the belief and one minus it; at p = 0 the limit."""
    still = (s.near == 1.0) | (q == 0.0)
    low = down(s.near / unless(still, p * s.near + s.raised(q), 1.0), False, STEPS)
    return unless(still, np.minimum(low, 1.0), 1.0)


def largest_ratios(p: Floats, q: Floats, s: Stay) -> Floats:
    """Posterior over prior at most, likewise."""
    still = (s.near == 1.0) | (q == 0.0)
    with np.errstate(divide="ignore", over="ignore"):
        high = s.raised(np.ones(())) / (s.raised(p) + q * s.near)
    return unless(still, up(high, False, STEPS), 1.0)


def differences(p: Floats, e: Floats) -> Ends:
    """Posterior minus prior at least (a fall is negative) and at most."""
    still = (e == 0.0) | (p == 0.0) | (p == 1.0)
    some = np.where(still, 0.5, p)
    q, s, moved = 1.0 - some, stay(e), -np.expm1(-e)
    rest, scaled = s.raised(q), s.raised(some)
    fall = some * (rest / (some * s.near + rest)) * moved
    rise = q * (scaled / (scaled + q * s.near)) * moved
    low, high = (np.minimum(up(end, False, FUNCTION + STEPS), 1.0) for end in (fall, rise))
    return np.where(still, 0.0, -low), np.where(still, 0.0, high)


def steepest(e: Floats) -> Floats:
    """Difference at most, over every belief: tanh(e / 4)."""
    return np.minimum(up(np.tanh(e / 4.0), e == 0.0, FUNCTION), 1.0)


def furthest(e: Floats) -> Ends:
    """Beliefs that fall and rise most."""
    s = np.exp(-e / 2.0)
    still = e == 0.0
    falls, rises = up(1.0 / (1.0 + s), still, 2 * FUNCTION), s / (1.0 + s)
    return np.minimum(falls, 1.0), down(rises, still, 2 * FUNCTION)


def weighed(p: Floats, q: Floats, least: Floats, most: Floats) -> Ends:
    """p / (p + q s) at least and at most, for s between two numbers in [0, 1]; q is 1 - p."""
    still = (p == 0.0) | (q == 0.0)
    some, rest = np.where(still, 0.5, p), np.where(still, 0.5, q)
    low, high = (some / (some + rest * end) for end in (most, least))
    low, high = down(low, False, STEPS), up(high, False, STEPS)
    exact = 1.0 - some == rest  # p was given, or its complement has no more digits
    low = np.where((most == 1.0) & exact, some, low)
    high = np.where((least == 1.0) & exact, some, np.minimum(high, 1.0))
    return np.where(still, p, low), np.where(still, p, high)


def in_both(p: Floats, q: Floats, low: Floats, high: Floats) -> Ends:
    """p q times ratios of at least and at most: at most 1."""
    more, less = np.maximum(p, q), np.minimum(p, q)  # in this order nothing is lost below 1e-308
    with np.errstate(invalid="ignore"):
        most = np.where(np.isinf(high), 1.0, up(more * (less * high), False, 4))
    return down(more * (less * low), False, 4), np.minimum(most, 1.0)


LEAST_FACTOR: Final = 1e-100  # units and products of such numbers are far from the smallest double
LARGEST_LOSS: Final = 200.0  # e^-LARGEST_LOSS likewise


def ordinary_bounds(p: Floats, e: Floats, d: Floats, f: Floats, out: Sequence[Floats]) -> bool:
    """Posterior at least and at most, ratio and difference at most; False if a row is special."""
    if not (p.min() > LEAST_FACTOR and p.max() < 1.0 and d.min() > LEAST_FACTOR and e.min() >= 0.0):
        return False
    low, high, ratio, loss = out
    np.subtract(f, d, out=high)
    if not high.min() > 0.0:
        return False
    np.exp(np.negative(e, out=loss), out=loss)
    loss += 1.0
    with np.errstate(over="ignore"):
        np.divide(d, high, out=high)
        loss *= high
    np.log1p(loss, out=loss)
    loss += e
    loss *= _up(FORMULA)
    if not loss.max() < LARGEST_LOSS:
        return False
    s, rest = low, np.empty_like(low)
    np.exp(np.negative(loss, out=s), out=s)
    s *= _down(FUNCTION)
    loss /= 4.0
    np.minimum(_raised(np.tanh(loss, out=loss), FUNCTION), 1.0, out=loss)
    q = np.subtract(1.0, p, out=ratio)
    np.multiply(p, s, out=rest)
    rest += q
    whole = np.multiply(q, s, out=ratio)
    whole += p
    low /= rest
    low *= p
    low *= _down(STEPS)
    np.minimum(_raised(np.divide(p, whole, out=high), STEPS), 1.0, out=high)
    _raised(np.divide(1.0, whole, out=ratio), STEPS)
    return True


def _raised(values: Floats, units: int) -> Floats:
    values *= _up(units)
    return values


def _up(units: int) -> float:
    return 1.0 + (units + 2.0) * UNIT


def _down(units: int) -> float:
    return 1.0 - (units + 2.0) * UNIT
