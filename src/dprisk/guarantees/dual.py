"""The profile of Rényi bounds: read off lines above their power curve (dprisk Proposition 21)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk._numeric.meeting import EXTRA, AllOrders, SomeOrders, middle
from dprisk._numeric.rounding import FORMULA, UNIT, up
from dprisk._numeric.tangents import (
    Aim,
    ByIntercept,
    BySlope,
    Tangent,
    along,
    rising,
    tilted,
    touching,
)

Indices = npt.NDArray[np.intp]
UNCERTIFIED = np.errstate(all="ignore")  # what comes of a search may overflow; no number is lost
UNDERFLOW = 750.0
FLAT = 1e-11  # by less an intercept changes, as a share, from one order to e times as much
FIRST = 1e-6  # orders so close to 1 give lines that are as good as that of 1, to their square
ROUNDS, BISECTIONS, NOTICED = 8, 24, 1e-6
SHARES = -np.concatenate([[0.0], np.geomspace(1e-2, 700.0, 48)])  # logarithms of b / a


class Curve(NamedTuple):
    """The power curve left of the antidiagonal: smooth between corners, from the middle
    outwards."""

    gentle: Tangent
    steep: Tangent
    outwards: Callable[[Aim, Indices], Tangent]
    """The lines that touch beyond the corners of these numbers and are as asked."""

    end: float
    """A loss where delta is below the smallest double."""


@UNCERTIFIED
def delta(curve: Curve, epsilon: Floats) -> Floats:
    """Most power minus e^epsilon times the level, at least."""
    place = _places(curve.gentle.log_slope(), curve.steep.log_slope(), epsilon)
    number, smooth = place // 2, place % 2 == 1
    value = np.ones_like(epsilon)
    if smooth.any():
        aim = BySlope(epsilon[smooth])
        found = aim.settled(curve.outwards(aim, number[smooth]))
        value[smooth] = _above(found, aim.log_slope)
    if not smooth.all():
        at = _taken(curve.steep, number[~smooth])
        value[~smooth] = _above(at, epsilon[~smooth])
    corner = ~smooth & (number > 0)
    if corner.any():
        gentle, steep = (_taken(each, number[corner]) for each in (curve.gentle, curve.steep))
        value[corner] = np.fmin(value[corner], _between(gentle, steep, epsilon[corner]))
    return np.asarray(np.fmin(value, 1.0))


def epsilon(curve: Curve, delta: Floats) -> Floats:
    """About its inverse, for delta > 0."""
    return _inverse(curve, delta)[0]


@UNCERTIFIED
def points(curve: Curve, chances: Floats) -> tuple[Floats, Floats]:
    """Epsilons at which delta is about as large as these, above 0; and delta there, at least."""
    found, line = _inverse(curve, chances)
    value, rest = line.intercept(), ~(line.log_slope() <= found)
    if rest.any():
        value[rest] = delta(curve, found[rest])
    return found, value


@UNCERTIFIED
def _inverse(curve: Curve, delta: Floats) -> tuple[Floats, Tangent]:
    """About the inverse, and the lines from which it is read, where there are such."""
    line = Tangent(*(np.full_like(delta, np.nan) for _ in Tangent._fields))
    log_delta = np.log(delta)
    place = _places(-curve.gentle.log_intercept(), -curve.steep.log_intercept(), -log_delta)
    number, smooth = place // 2, place % 2 == 1
    value = np.zeros_like(delta)
    if smooth.any():
        found = curve.outwards(ByIntercept(log_delta[smooth]), number[smooth])
        value[smooth] = found.log_slope()
        for part, new in zip(line, found, strict=True):
            part[smooth] = new
    middle = place == 0
    if middle.any():
        steep = _taken(curve.steep, number[middle])
        c, slope = steep.intercept(), steep.log_slope()
        share = (delta[middle] - c) * (1.0 + np.exp(-slope)) / (1.0 - c)
        value[middle] = np.maximum(slope + np.log1p(-np.minimum(share, 1.0 - UNIT)), 0.0)
    corner = ~smooth & ~middle
    if corner.any():
        gentle, steep = (_taken(each, number[corner]) for each in (curve.gentle, curve.steep))
        near, far = gentle.log_slope(), steep.log_slope()
        high, low = gentle.intercept(), steep.intercept()
        share = np.clip((high - delta[corner]) / (high - low), 0.0, 1.0)
        value[corner] = near + np.log1p(share * np.expm1(far - near))
    value = np.where(delta < np.finfo(float).tiny, curve.end, value)
    return np.asarray(np.fmin(value, curve.end)), line


def _places(inner: Floats, outer: Floats, value: Floats) -> Indices:
    """2k at corner k, 2k + 1 beyond it."""
    edges = np.ravel(np.column_stack([inner, outer]))[1:]
    return np.asarray(np.searchsorted(np.maximum.accumulate(edges), value))


def _taken(t: Tangent, number: Any) -> Tangent:
    return Tangent(*(part[number] for part in t))


def _above(t: Tangent, epsilon: Floats) -> Floats:
    """What a line and its mirror image say of delta."""
    c, slope = t.intercept(), t.log_slope()
    share = -np.expm1(np.minimum(epsilon - slope, 0.0)) / (1.0 + np.exp(-slope))
    return np.minimum(up(c + (1.0 - c) * share, share == 0.0), 1.0)


def _between(gentle: Tangent, steep: Tangent, epsilon: Floats) -> Floats:
    """What two lines say of delta, for a slope between theirs."""
    near, far = gentle.log_slope(), steep.log_slope()
    lost = FORMULA * UNIT * (1.0 + far)
    share = np.expm1(epsilon - near - lost) / np.expm1(far - near + lost)
    share = np.clip(share, 0.0, 1.0) * (1.0 - FORMULA * UNIT)
    return up(share * steep.intercept() + (1.0 - share) * gentle.intercept())


@UNCERTIFIED
def of_all_orders(allowed: AllOrders) -> Curve:
    """Of limits at every order."""
    rho, xi, limit, steep = *allowed, allowed.limit, middle(allowed)

    def off(log_extra: Floats, t: Tangent, aim: Aim) -> tuple[Floats, Tangent]:
        """0 where the limits of the orders around grow as fast as what is limited."""
        extra = np.exp(log_extra)
        t, met = touching(extra, limit(extra), aim, t)
        gap = 1.0 - tilted(t) / (xi + rho * (1.0 + 2.0 * extra))
        gap = np.where(np.abs(gap) < FLAT, 0.0, gap * (1.0 + 1.0 / extra))
        touches = np.isfinite(gap) & (met > -1e-4)
        return np.where(touches, gap, 1.0), t._replace(b=np.where(touches, t.b, np.nan))

    def outwards(aim: Aim, number: Indices) -> Tangent:
        reach = np.log(FIRST / 2.0), EXTRA[1]
        start = np.clip(aim.log_extra(rho, xi), *reach)
        unknown = Tangent(*(4 * [np.full_like(start, np.nan)]))
        found, _ = rising(off, start, unknown, aim, reach, order=True)
        first = found.extra < FIRST  # the gap says no more: it is the least order
        if first.any():
            least = np.full(int(first.sum()), np.exp(EXTRA[0]))
            some = type(aim)(*(part[first] for part in aim))
            there, _ = touching(least, limit(least), some)
            for part, new in zip(found, there, strict=True):
                part[first] = new
        return found

    end = xi + rho + 2.0 * np.sqrt(rho * UNDERFLOW)
    return Curve(steep, steep, outwards, float(end))


@UNCERTIFIED
def of_some_orders(allowed: SomeOrders) -> Curve:
    """Of limits at some orders."""
    extra, limit = allowed
    inner, outer, share = _crossings(extra, limit)
    gentle, steep = (along(extra[each], limit[each], share) for each in (inner, outer))

    def outwards(aim: Aim, number: Indices) -> Tangent:
        return touching(extra[outer[number]], limit[outer[number]], aim)[0]

    return Curve(gentle, steep, outwards, float((limit + UNDERFLOW / extra).min()))


def _crossings(extra: Floats, limit: Floats) -> tuple[Indices, Indices, Floats]:
    """From the middle outwards: which order, until then the first to forbid, which one, where."""

    def ratios(share: Floats) -> Floats:
        count = len(share)
        found = along(np.repeat(extra, count), np.repeat(limit, count), np.tile(share, len(extra)))
        return np.log(found.a).reshape(len(extra), count)

    share = SHARES if len(extra) > 1 else SHARES[:1]
    height = ratios(share)
    for _ in range(ROUNDS):  # an order that rules between two others is found at their crossing
        first = np.argmin(height, axis=0)
        turn = np.flatnonzero(np.diff(first))
        inner, outer = first[turn], first[turn + 1]
        pairs = np.concatenate([inner, outer])

        def apart(at: Floats, pairs: Indices = pairs) -> Floats:
            here, there = np.split(along(extra[pairs], limit[pairs], np.tile(at, 2)).a, 2)
            return np.log(here) - np.log(there)

        ends = [height[inner, k] - height[outer, k] for k in (turn, turn + 1)]
        at = _crossed(apart, share[turn], share[turn + 1], *ends) if len(turn) else share[:0]
        there = ratios(at) if len(turn) else height[:, :0]
        columns = np.arange(len(turn))
        hidden = there.min(axis=0) < there[inner, columns] - NOTICED
        if not hidden.any():
            break
        place = np.argsort(-np.concatenate([share, at[hidden]]))
        share = np.concatenate([share, at[hidden]])[place]
        height = np.concatenate([height, there[:, hidden]], axis=1)[:, place]
    middle = np.concatenate([first[:1], inner]), np.concatenate([first[:1], outer])
    return *middle, np.concatenate([[0.0], at])


def _crossed(
    rising: Callable[[Floats], Floats], low: Floats, high: Floats, below: Floats, above: Floats
) -> Floats:
    """Where it turns from negative to positive, by secants that keep both sides (Illinois)."""
    close, at = 2.0**-BISECTIONS * np.abs(high - low), 0.5 * (low + high)
    side = np.zeros_like(low)
    for _ in range(BISECTIONS):
        last, at = at, low - (high - low) * below / (above - below)
        at = np.where(np.isfinite(at), at, 0.5 * (low + high))
        if (np.abs(at - last) <= close).all():
            break
        value = rising(at)
        left = value < 0.0
        above = np.where(left, above * np.where(side < 0.0, 0.5, 1.0), value)
        below = np.where(left, value, below * np.where(side > 0.0, 0.5, 1.0))
        low, high, side = (
            np.where(left, at, low),
            np.where(left, high, at),
            np.where(left, -1.0, 1.0),
        )
    return np.asarray(at)
