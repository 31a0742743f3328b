"""What Rényi bounds say of tests: read off a line above the power curve, nearly the best one."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dprisk._numeric import straight_lines as lines
from dprisk._numeric.logspace import Floats, below_complement, expit, log
from dprisk._numeric.meeting import Orders, meeting
from dprisk._numeric.rounding import FORMULA, SMALLEST, UNIT, down, times_exp, up
from dprisk.guarantees.base import Sides
from dprisk.guarantees.piecewise import on_both_sides

BELOW_ONE = 1.0 - UNIT
VISIBLE = 600.0  # nats: e to minus that is a float with all its digits
FAINT = 1e-290
VANISHED = -750.0  # the exponential is below the smallest double

Bound = Callable[[Floats, Floats], Floats]
"""From orders and their limits, shape (n, m), to values of that shape."""


class Above(NamedTuple):
    """A line above the curve; all at least."""

    intercept: Floats
    log_slope: Floats
    log_intercept: Floats
    """Finite where the intercept is too small for a double."""


class Limits(NamedTuple):
    """Limits on divergences, except with a probability."""

    orders: Orders | None
    """None where no divergence is allowed."""

    corner: float
    """log(power / level) in the middle of the curve, where nothing is revealed."""

    revealed: float

    def meets(self, line: type, where: Floats, *more: float) -> Above:
        """A line above the curve."""
        if self.orders is None:
            flat, still = np.full_like(where, self.revealed), np.zeros_like(where)
            return Above(flat, still, log(flat))
        with np.errstate(all="ignore"):
            t = meeting(line(where, *more, self.corner), self.orders)
            intercept, log_slope, log_core = t.intercept(), t.log_slope(), t.log_intercept()
        known = np.isfinite(intercept) & np.isfinite(log_slope)
        intercept = self.with_revealed(np.where(known, intercept, 1.0))
        logarithm = np.where(known & (self.revealed == 0.0), log_core, log(intercept))
        log_slope = np.where(known, np.maximum(log_slope, 0.0), 0.0)
        return Above(np.minimum(intercept, 1.0), log_slope, logarithm)

    def with_revealed(self, core: Floats) -> Floats:
        """A chance under the limits, with the event of which nothing is known."""
        return up(self.revealed + (1.0 - self.revealed) * core, self.revealed == 0.0, 4)

    def inside(self, chance: Floats) -> Floats:
        """About a chance, as a share of what is limited."""
        return np.clip(chance / (1.0 - self.revealed), SMALLEST, BELOW_ONE)

    @property
    def lost(self) -> float:
        return self.revealed / (1.0 - self.revealed)


def canonne(least: Callable[[Bound, int], Floats], delta: Floats) -> Floats:
    """Epsilon at delta > 0 by the conversion of Canonne et al. (2020, Proposition 12)."""

    def bound(order: Floats, limit: Floats) -> Floats:
        extra = order - 1.0
        near, far = extra * np.log(extra) - order * np.log(order), order * np.log1p(-1.0 / order)
        constant = np.where(order < 2.0, near, far - np.log(extra))
        return limit + (constant - np.log(delta)[:, None]) / extra

    return np.maximum(least(bound, delta.size), 0.0)


def power(limits: Limits, level: Floats) -> Floats:
    """Most power at a level strictly between 0 and 1, at least."""
    value = np.ones_like(level)
    near = limits.inside(level) <= expit(-limits.corner)
    if near.any():
        x = level[near]
        intercept, log_slope, _ = limits.meets(lines.FixedLevel, limits.inside(x))
        value[near] = up(up(times_exp(x, log_slope)) + intercept, False, 1)
    if not near.all():
        rest = below_complement(level[~near])
        intercept, log_slope, _ = limits.meets(lines.FixedPower, _above(limits, rest))
        value[~near] = np.nextafter(1.0 - _below(rest, intercept, log_slope), 2.0)
    return np.minimum(value, 1.0)


def level(limits: Limits, power: Floats) -> Floats:
    """Least level at which a test can have a power strictly between 0 and 1, at most."""
    value = np.zeros_like(power)
    near = power <= limits.revealed + (1.0 - limits.revealed) * expit(limits.corner)
    if near.any():
        y = power[near]
        intercept, log_slope, _ = limits.meets(lines.FixedPower, _above(limits, y))
        value[near] = _below(y, intercept, log_slope)
    if not near.all():
        rest = 1.0 - power[~near]
        intercept, log_slope, _ = limits.meets(lines.FixedLevel, limits.inside(rest))
        most = up(up(times_exp(rest, log_slope)) + intercept, False, 1)
        value[~near] = below_complement(np.minimum(most, 1.0))
    return value


def _above(limits: Limits, power: Floats) -> Floats:
    """About a power, without what is revealed."""
    return limits.inside(np.maximum(power - limits.revealed, 0.0))


def _below(power: Floats, intercept: Floats, log_slope: Floats) -> Floats:
    """Level at which a line has a power, at most."""
    return down(times_exp(down(np.maximum(power - intercept, 0.0), False, 1), -log_slope))


def loss_bound(limits: Limits, failure: Floats, sides: Sides) -> Floats:
    """Loss that is exceeded with probability `failure`, in (0, 1]."""
    if sides == "both":  # level and power, which add up to it
        share = limits.inside(np.maximum(failure - limits.revealed, 0.0))
        intercept, log_slope, logarithm = limits.meets(lines.FixedSum, share)
        share = _share(failure, intercept, logarithm)
        return _loss_of(share, log_slope, np.exp(-log_slope))
    value = np.zeros_like(failure)
    near = failure <= limits.revealed + (1.0 - limits.revealed) * expit(limits.corner)
    if near.any():
        y = failure[near]
        intercept, log_slope, logarithm = limits.meets(lines.FixedPower, _above(limits, y))
        value[near] = _loss_of(_share(y, intercept, logarithm), log_slope, 0.0)
    if not near.all():
        y = failure[~near]
        intercept, log_slope, _ = limits.meets(lines.FixedLevel, limits.inside(1.0 - y))
        apart = up(intercept + np.expm1(np.minimum(log_slope, 700.0)) * (1.0 - y)) / y
        value[~near] = _loss_of(np.where(y < 1.0, up(apart, False, 1), limits.revealed), 0.0, 0.0)
    return value


def _share(total: Floats, intercept: Floats, log_intercept: Floats) -> Floats:
    """Intercept over a chance, at least."""
    none = intercept == 0.0
    size = np.minimum(np.abs(log_intercept), -2.0 * VANISHED)
    far = up(np.exp(log_intercept - np.log(total)), none, FORMULA + 8.0 * size)
    near = up(intercept / total, none, 1)
    return np.where(intercept < FAINT, far, near)


def _loss_of(share: Floats, log_slope: Floats | float, flat: Floats | float) -> Floats:
    """``log(slope (1 + flat share) / (1 - share))``, at least."""
    share = np.minimum(share, 1.0)
    with np.errstate(divide="ignore"):
        loss = log_slope + np.log1p(flat * share) - np.log1p(-share)
    return up(loss, loss == 0.0)


def _beyond(limits: Limits, epsilon: Floats, middle: float) -> Floats:
    """Most probability of a loss beyond epsilon, which is beyond the middle of the curve."""

    def at(loss: Floats) -> Floats:
        intercept, log_slope, logarithm = limits.meets(lines.FarRay, loss, limits.lost)
        gap = (loss - log_slope) - 2.0 * UNIT * loss
        total = np.maximum(-np.expm1(-np.maximum(gap, 0.0)), intercept)
        return np.minimum(_share(total, intercept, logarithm), 1.0)

    loss, found = epsilon.copy(), at(epsilon)
    while (unseen := (found == 1.0) & (loss > middle + VISIBLE)).any():
        loss[unseen] = middle + (loss[unseen] - middle) / 8.0
        found[unseen] = at(loss[unseen])
    return found


def tail(limits: Limits, epsilon: Floats, sides: Sides) -> Floats:
    """Most probability of a loss beyond a positive epsilon."""
    height = np.ones_like(epsilon)
    lost = limits.lost
    middle = limits.corner + np.log1p(lost * (1.0 + np.exp(-limits.corner)))
    far = epsilon > middle
    if far.any():
        height[far] = _beyond(limits, epsilon[far], middle)
    near = ~far & (np.expm1(np.minimum(epsilon, 700.0)) > lost)
    if near.any():
        t = epsilon[near]
        intercept, log_slope, _ = limits.meets(lines.NearRay, t, lost)
        over = intercept * np.exp(-log_slope) - np.expm1(-log_slope)
        height[near] = up(over / -np.expm1(-log_slope - t))
    height = np.minimum(height, 1.0)
    if limits.orders is not None and not lost:
        with np.errstate(over="ignore"):  # less than all logarithms
            vanished = limits.orders.markov(epsilon) < VANISHED
        height = np.where(vanished, SMALLEST, height)
    return height if sides == "one" else on_both_sides(height, epsilon)
