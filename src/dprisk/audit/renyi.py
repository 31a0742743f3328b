"""Rényi divergences of all ordered pairs, and the least rho for zCDP, in certified brackets."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Final

import numpy as np

from dprisk._numeric.logspace import Floats, log
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.pairs import BLOCK, Indices
from dprisk.audit.relation import NeighborRelation
from dprisk.losses.base import ULP

TOLERANCE: Final = 1e-10  # relatively: how near to rho the search comes
Ends = tuple[Floats, Floats]
"""A number of each pair, and how far off it can be."""


def divergences(mechanism: FiniteMechanism, first: Indices, second: Indices, order: float) -> Ends:
    """D_order(P || Q) of each pair."""
    if order == 1.0:
        return _of_blocks(mechanism, first, second, _mean)
    if np.isinf(order):
        return _of_blocks(mechanism, first, second, _top)
    moment, error = cumulants(mechanism, first, second, order - 1.0)
    return moment / (order - 1.0), error / (order - 1.0)


def cumulants(mechanism: FiniteMechanism, first: Indices, second: Indices, s: float) -> Ends:
    """K(s) = log E_P[e^(s Z)] of each pair, accurate also where it is small."""

    def cumulant(p: Floats, q: Floats, loss: Floats, reach: float) -> Ends:
        loss = np.where(p > 0.0, loss, 0.0)
        top = np.maximum(s * loss.max(axis=1), 0.0)
        small = top < 1.0
        with np.errstate(over="ignore", invalid="ignore"):
            gain = p * np.expm1(s * loss)
            near = np.log1p((gain - s * (p - q)).sum(axis=1))  # the sum of p - q is 0
            far = top + np.log((p * np.exp(s * loss - top[:, None])).sum(axis=1))
            wobble = (p * np.abs(s * loss) + s * np.abs(p - q)).sum(axis=1)
        found = np.where(np.isinf(top), np.inf, np.where(small, near, far))
        # a sum has a rounding for each output, an exponent three of its size, twice each; with
        # expm1 five roundings of each term, and those of the loss
        rough = 2 * ULP * (p.shape[1] + 8) + 8 * ULP * (1.0 + s) * (1.0 + reach)
        fine = 24 * ULP * (1.0 + reach) * wobble
        return np.maximum(found, 0.0), np.where(np.isinf(top), 0.0, np.where(small, fine, rough))

    return _of_blocks(mechanism, first, second, cumulant)


def least_rho(
    mechanism: FiniteMechanism, relation: NeighborRelation
) -> tuple[float, float, int, float]:
    """Supremum of D_alpha / alpha over alpha > 1 and all pairs, at least and at most, which ordered
    pair has it, and at which order.

    K(s) = s D_(1 + s) is convex and starts at 0: between two orders it lies below its chord, and
    D_alpha is at most the largest loss. Intervals between orders are halved until none can hold
    more.
    """
    first, second = relation.directed
    most, _ = _of_blocks(mechanism, first, second, _top)
    if np.isinf(most).any():
        at = int(np.argmax(most))
        return np.inf, np.inf, at, np.inf
    mean, error = _of_blocks(mechanism, first, second, _mean)
    at = int(np.argmax(mean - error))
    low, peak = max(float((mean - error)[at]), 0.0), (at, 1.0)
    # the square of the largest loss and a half: one rounding (Bun 2016, Proposition 3.3)
    cap = most**2 / 2.0 * (1.0 + 8 * ULP)
    left = np.flatnonzero(cap >= low)
    lost, orders = 0.0, [0.05, 0.25, 0.75, 1.5, 3.0, 7.0, 15.0, 31.0, 63.0]
    known: dict[float, Ends] = {0.0: (np.zeros(len(left)), np.zeros(len(left)))}
    for turn in range(70):
        for s in orders:
            known[s] = moment, error = cumulants(mechanism, first[left], second[left], s)
            ratio = (moment - error) / (s * (1.0 + s))
            if ratio.max() > low:
                low, peak = float(ratio.max()), (int(left[np.argmax(ratio)]), 1.0 + s)
        points = sorted(known)
        chords = [
            _chord(a, b, known[a][0] + known[a][1], known[b][0] + known[b][1])
            for a, b in pairwise(points)
        ]
        after = most[left] / (1.0 + points[-1])
        orders = [] if turn == 69 else _next(points, known, chords, after, low)
        high = np.minimum(np.max([*chords, after], axis=0), cap[left])
        if not orders:
            break
        keep = high > low * (1.0 + TOLERANCE)
        lost = max(lost, float(high[~keep].max(initial=0.0)))
        left = left[keep]
        known = {s: (moment[keep], error[keep]) for s, (moment, error) in known.items()}
    return low, max(lost, float(high.max(initial=0.0)), low), *peak


def _next(
    points: list[float], known: dict[float, Ends], chords: list[Floats], after: Floats, low: float
) -> list[float]:
    """Points to look at next: inside each interval that may hold a larger ratio than the best."""
    enough, new = low * (1.0 + TOLERANCE), []
    for (a, b), chord in zip(pairwise(points), chords, strict=True):
        # how much of the chord is rounding
        blur = 2.0 * float((known[a][1] + known[b][1]).max()) / (a * (1.0 + a) if a else b)
        if chord.max() > enough + blur and b - a > 1e-12 * b and b > 1e-12:
            new.append((a + b) / 2.0 if a else b / 16.0)
    if after.max() > enough and points[-1] < 1e9:
        new.append(2.0 * points[-1] + 1.0)
    return new


def _chord(a: float, b: float, low: Floats, high: Floats) -> Floats:
    """Largest k(s) / (s (1 + s)) on [a, b] of the line k through (a, low) and (b, high)."""
    slope = (high - low) / (b - a)
    if a == 0.0:
        return np.maximum(slope, 0.0)
    start = np.maximum(a * slope - low, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        top = (start + np.sqrt(start * (start + slope))) / slope
    s = np.clip(np.where(np.isfinite(top), top, a), a, b)
    line = np.maximum(np.maximum(high - slope * (b - s), low + slope * (s - a)), 0.0)
    # twelve roundings at most, from the slope on
    return np.asarray(line / (s * (1.0 + s)) * (1.0 + 8 * ULP))


def _of_blocks(
    mechanism: FiniteMechanism,
    first: Indices,
    second: Indices,
    measure: Callable[[Floats, Floats, Floats, float], Ends],
) -> Ends:
    """A measure of the probabilities and losses of pairs, a block at a time."""
    table, logs = mechanism.probabilities, log(mechanism.probabilities)
    reach = -float(logs[np.isfinite(logs)].min(initial=0.0))
    found, error = np.empty(len(first)), np.empty(len(first))
    step = max(1, BLOCK // table.shape[1])
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        p, q = table[first[part]], table[second[part]]
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            near = (p < 2.0 * q) & (q < 2.0 * p)  # where p - q is exact
            loss = np.where(near, np.log1p((p - q) / q), logs[first[part]] - logs[second[part]])
        loss = np.where(p > 0.0, loss, -np.inf)
        found[part], error[part] = measure(p, q, loss, reach)
    return found, error


def _top(p: Floats, q: Floats, loss: Floats, reach: float) -> Ends:
    """The largest loss: a quotient and its logarithm, three roundings."""
    found = np.maximum(loss.max(axis=1), 0.0)
    error = np.where(np.isfinite(found), 4 * ULP * (1.0 + reach), 0.0)
    return found + error, error


def _mean(p: Floats, q: Floats, loss: Floats, reach: float) -> Ends:
    """E_P[Z]."""
    with np.errstate(invalid="ignore"):
        terms = np.where(p > 0.0, p * loss + (q - p), q)  # none is negative
        size = np.where(p > 0.0, p * np.abs(loss), 0.0) + np.abs(q - p)
    found = terms.sum(axis=1)
    # of a loss, a product and a difference; numpy adds up in pairs: 19 + log2 n roundings
    error = ULP * (28.0 + np.log2(p.shape[1]) + 8.0 * reach) * size.sum(axis=1)
    return np.maximum(found, 0.0), np.where(np.isfinite(found), error, 0.0)
