"""Rényi divergences of all ordered pairs, and the least rho for zCDP in a certified bracket."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.audit import witnesses
from dprisk.audit.findings import FloatFinding, between
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.pairwise import parts
from dprisk.audit.relation import NeighborRelation, Whole
from dprisk.losses.base import ULP

BLOCK: Final = 1 << 18
GRID: Final = (0.05, 0.25, 0.75, 1.5, 3.0, 7.0, 15.0, 31.0, 63.0)
ROUNDS: Final = 70
TOLERANCE: Final = 1e-10
MOST_TERMS: Final = 10**8  # terms that are added up again, more carefully
SAFE: Final = 600.0  # exponents that neither overflow nor vanish


class Peak(NamedTuple):
    """Least rho at least and at most, the ordered pair and the order at which it is reached."""

    low: float
    high: float
    first: int
    second: int
    order: float


def of_orders(
    mechanism: FiniteMechanism, relation: NeighborRelation, orders: Floats
) -> FloatFinding:
    """The largest divergence of each order."""
    first, second = relation.directed
    found = [_largest_of(mechanism, first, second, order) for order in orders.tolist()]
    worst = tuple(
        witnesses.at_order(mechanism, int(first[at]), int(second[at]), order)
        for order, (_, _, at) in zip(orders.tolist(), found, strict=True)
    )
    low, high = (np.array([each[n] for each in found]) for n in (0, 1))
    return between("rdp", low, high, worst)


def concentrated(mechanism: FiniteMechanism, relation: NeighborRelation) -> FloatFinding:
    """The least rho for zCDP, and the order at which it is needed."""
    peak = _largest_ratio(mechanism, relation)
    worst = witnesses.at_order(mechanism, peak.first, peak.second, peak.order)
    return between("zcdp", peak.low, peak.high, (worst,))


def divergences(
    mechanism: FiniteMechanism, first: Whole, second: Whole, order: float
) -> tuple[Floats, Floats]:
    """D_order(P || Q) of each pair, and how far off it can be."""
    if order == 1.0:
        return _kullback_leibler(mechanism, first, second)
    if np.isinf(order):
        return _largest(mechanism, first, second)
    moment, error = _moments(mechanism, first, second, order - 1.0)
    scale = order - 1.0
    return np.maximum(moment / scale, 0.0), error / scale


def _largest_of(
    mechanism: FiniteMechanism, first: Whole, second: Whole, order: float
) -> tuple[float, float, int]:
    """The largest divergence, at least and at most, and which pair has it."""
    value, error = divergences(mechanism, first, second, order)
    near = np.flatnonzero(value + error >= (value - error).max())
    if 1.0 < order < np.inf and near.size * len(mechanism.outputs) < MOST_TERMS:
        moment, blur = _accurate(mechanism, first[near], second[near], order - 1.0)
        value[near], error[near] = moment / (order - 1.0), blur / (order - 1.0)
    at = int(np.argmax(value))
    return max(float(value[at] - error[at]), 0.0), float((value + error).max()), at


def _largest_ratio(mechanism: FiniteMechanism, relation: NeighborRelation) -> Peak:
    """Supremum of D_alpha / alpha over alpha > 1 and all ordered pairs."""
    first, second = relation.directed
    most, _ = _largest(mechanism, first, second)
    if np.isinf(most).any():
        at = int(np.argmax(most))
        return Peak(np.inf, np.inf, int(first[at]), int(second[at]), np.inf)
    start, slack = _kullback_leibler(mechanism, first, second)
    at = int(np.argmax(start - slack))
    peak = Peak(max(float((start - slack)[at]), 0.0), 0.0, int(first[at]), int(second[at]), 1.0)
    none = np.zeros(len(first))
    values = {0.0: (none, none)}
    new = list(GRID)
    lost, left = 0.0, np.arange(len(first))
    for turn in range(ROUNDS):
        for s in new:
            moment, error = _moments(mechanism, first[left], second[left], s)
            values[s] = moment, error
            ratio = (moment - error) / (s * (1.0 + s))
            at = int(np.argmax(ratio))
            if ratio[at] > peak.low:
                pair = left[at]
                peak = Peak(float(ratio[at]), 0.0, int(first[pair]), int(second[pair]), 1.0 + s)
        points = sorted(values)
        bounds, above = _between(points, values, most[left])
        new = [] if turn == ROUNDS - 1 else _next(points, values, bounds, above, peak.low)
        if not new:
            break
        high = np.max([*bounds, above], axis=0)
        keep = high > peak.low * (1.0 + TOLERANCE)
        lost = max(lost, float(high[~keep].max(initial=0.0)))
        left = left[keep]
        values = {s: (moment[keep], error[keep]) for s, (moment, error) in values.items()}
    found = max(lost, float(np.max([*bounds, above])))
    # a square and a half: one rounding; 8 ulps, as of all bounds here
    half = float(most.max()) ** 2 / 2.0 * (1.0 + 8 * ULP)  # Bun 2016, Proposition 3.3
    return peak._replace(high=max(min(found, half), peak.low))


Values = dict[float, tuple[Floats, Floats]]


def _between(points: list[float], values: Values, most: Floats) -> tuple[list[Floats], Floats]:
    """For each pair D_alpha / alpha at most, between any two orders, and beyond the last."""
    sums = [moment + error for moment, error in (values[s] for s in points)]
    bounds = [
        _chord(a, b, low, high)
        for a, b, low, high in zip(points[:-1], points[1:], sums[:-1], sums[1:], strict=True)
    ]
    return bounds, most / (1.0 + points[-1])


def _next(
    points: list[float], values: Values, bounds: list[Floats], above: Floats, low: float
) -> list[float]:
    """Where to look next: in each interval that may hold a larger value than the best so far."""
    enough = low * (1.0 + TOLERANCE)
    new = []
    for a, b, bound in zip(points[:-1], points[1:], bounds, strict=True):
        blur = 2.0 * _blur(a, b, values[a][1], values[b][1])
        if bound.max() > enough + blur and b - a > 1e-12 * b and b > 1e-12:
            new.append((a + b) / 2.0 if a else b / 16.0)
    if above.max() > enough and points[-1] < 1e9:
        new.append(2.0 * points[-1] + 1.0)
    return new


def _blur(a: float, b: float, low: Floats, high: Floats) -> float:
    """How much of the bound between two orders is rounding."""
    return float((low + high).max()) / (a * (1.0 + a) if a else b)


def _chord(a: float, b: float, low: Floats, high: Floats) -> Floats:
    """Largest k(s) / (s (1 + s)) on [a, b] of the line k through (a, low) and (b, high)."""
    slope = (high - low) / (b - a)
    start = np.maximum(a * slope - low, 0.0) if a else np.zeros_like(slope)
    if a == 0.0:
        return np.maximum(slope, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        top = (start + np.sqrt(start * (start + slope))) / slope
    s = np.clip(np.where(np.isfinite(top), top, a), a, b)
    line = np.maximum(np.maximum(high - slope * (b - s), low + slope * (s - a)), 0.0)
    # twelve roundings at most, from the slope on
    return np.asarray(line / (s * (1.0 + s)) * (1.0 + 8 * ULP))


def _kullback_leibler(
    mechanism: FiniteMechanism, first: Whole, second: Whole
) -> tuple[Floats, Floats]:
    """E_P[Z], and how far off."""
    table = mechanism.probabilities
    found, error = np.empty(len(first)), np.empty(len(first))
    for part in parts(len(first), table.shape[1], BLOCK):
        p, q = table[first[part]], table[second[part]]
        loss = _losses(mechanism, first[part], second[part])
        with np.errstate(invalid="ignore"):
            terms = np.where(p > 0.0, p * loss + (q - p), q)  # none is negative
            size = np.where(p > 0.0, p * np.abs(loss), 0.0) + np.abs(q - p)
        found[part] = terms.sum(axis=1)
        # of a loss, a product and a difference; numpy adds up in pairs: 19 + log2 n roundings
        steps = 28.0 + np.log2(table.shape[1]) + 8.0 * mechanism.reach
        error[part] = ULP * steps * size.sum(axis=1)  # an ulp for each rounding
    return np.maximum(found, 0.0), np.where(np.isfinite(found), error, 0.0)


def _largest(mechanism: FiniteMechanism, first: Whole, second: Whole) -> tuple[Floats, Floats]:
    found = np.empty(len(first))
    for part in parts(len(first), len(mechanism.outputs), BLOCK):
        found[part] = _losses(mechanism, first[part], second[part]).max(axis=1)
    # a quotient and its logarithm: three roundings
    error = np.where(np.isfinite(found), 4 * ULP * (1.0 + mechanism.reach), 0.0)
    return np.maximum(found, 0.0) + error, error


def _moments(
    mechanism: FiniteMechanism, first: Whole, second: Whole, s: float
) -> tuple[Floats, Floats]:
    """K(s) of many pairs, and how far off: by one product of matrices where that is safe."""
    logs = mechanism.logs[:, mechanism.probabilities.max(axis=0) > 0.0]
    size, outputs = logs.shape
    # a sum has a rounding for each output, an exponent three of its size
    error = 2 * ULP * ((outputs + 8) + 8.0 * (1.0 + s) * (1.0 + mechanism.reach))
    centre = (logs.max(axis=0) + logs.min(axis=0)) / 2.0
    half = float((logs.max(axis=0) - logs.min(axis=0)).max()) / 2.0
    dense = len(first) * 8 > size * size
    if not dense or not np.isfinite(half) or (1.0 + s) * half > SAFE or -centre.min() > SAFE:
        return _accurate(mechanism, first, second, s)
    ahead = np.exp((1.0 + s) * (logs - centre))
    back = np.exp(-s * (logs - centre) + centre)
    moments = np.log(ahead @ back.T)[first, second]
    return np.maximum(moments, 0.0), np.full(len(first), error)


def _accurate(
    mechanism: FiniteMechanism, first: Whole, second: Whole, s: float
) -> tuple[Floats, Floats]:
    """K(s), accurate also where it is small, and how far off."""
    table, logs = mechanism.probabilities, mechanism.logs
    found, error = np.empty(len(first)), np.empty(len(first))
    outputs = logs.shape[1]
    for part in parts(len(first), outputs, BLOCK):
        p, q = table[first[part]], table[second[part]]
        loss = np.where(p > 0.0, _losses(mechanism, first[part], second[part]), 0.0)
        top = np.maximum(s * loss.max(axis=1), 0.0)
        small = top < 1.0
        with np.errstate(over="ignore", invalid="ignore"):
            gain = p * np.expm1(s * loss)
            near = np.log1p((gain - s * (p - q)).sum(axis=1))  # the sum of p - q is 0
            far = top + np.log((p * np.exp(s * loss - top[:, None])).sum(axis=1))
            wobble = (p * np.abs(s * loss) + s * np.abs(p - q)).sum(axis=1)
        found[part] = np.where(np.isinf(top), np.inf, np.where(small, near, far))
        # as above; and with expm1 five roundings of each term, and those of the loss
        rough = 2 * ULP * (outputs + 8) + 8 * ULP * (1.0 + s) * (1.0 + mechanism.reach)
        fine = 24 * ULP * (1.0 + mechanism.reach) * wobble
        error[part] = np.where(np.isinf(top), 0.0, np.where(small, fine, rough))
    return np.maximum(found, 0.0), error


def _losses(mechanism: FiniteMechanism, first: Whole, second: Whole) -> Floats:
    """log(p / q), accurate also near 0; -inf where the first cannot lead to the output."""
    table, logs = mechanism.probabilities, mechanism.logs
    p, q = table[first], table[second]
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        near = (p < 2.0 * q) & (q < 2.0 * p)  # where p - q is exact
        loss = np.where(near, np.log1p((p - q) / q), logs[first] - logs[second])
    return np.where(p > 0.0, loss, -np.inf)
