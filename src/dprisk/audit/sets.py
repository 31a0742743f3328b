"""Numbers that need no sorting: disclosure sets, single outputs, the largest privacy loss."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk.audit import tails, witnesses
from dprisk.audit.findings import FloatFinding, between
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.pairwise import losses, parts, scaled
from dprisk.audit.relation import NeighborRelation
from dprisk.losses.base import ULP

BLOCK = 1 << 20


def disclosure(mechanism: FiniteMechanism, widest: Floats, limits: Floats) -> FloatFinding:
    """How likely the output lies in a disclosure set at each limit; `widest` are the `spreads`."""
    high, low, worst = np.empty(limits.size), np.empty(limits.size), []
    slack = tails.slack(mechanism)
    for n, (limit, blur) in enumerate(
        zip(limits.tolist(), tails.blurs(mechanism, limits), strict=True)
    ):
        at, chance = _likeliest(mechanism, widest > limit - blur)
        high[n] = min(chance * (1.0 + slack), 1.0)
        low[n] = _likeliest(mechanism, widest > limit + blur)[1] * (1.0 - slack)
        worst.append(witnesses.disclosed(mechanism, at, widest[at] > limit))
    return between("disclosure", low, high, tuple(worst))


def pointwise(
    mechanism: FiniteMechanism, relation: NeighborRelation, limits: Floats
) -> FloatFinding:
    """The largest excess at a single output, at each limit."""
    table = mechanism.probabilities
    found = [_largest(relation, table, partial(_excess, limit)) for limit in limits]
    value = np.array([max(each[0], 0.0) for each in found])
    # p - e^z q has six roundings, both terms at most p
    blur = np.array([16 * ULP * mechanism.probabilities[a, y] for _, a, _, y in found])
    high, low = np.where(value > 0, value + blur, 0.0), np.maximum(value - blur, 0.0)
    worst = tuple(
        witnesses.of_set(mechanism, a, b, np.array([y] if excess > 0.0 else [], dtype=int))
        for excess, a, b, y in found
    )
    return between("pointwise", low, high, worst)


def largest_loss(mechanism: FiniteMechanism, relation: NeighborRelation) -> FloatFinding:
    """The largest privacy loss, and the output that shows it."""
    value, a, b, y = _largest(relation, mechanism.logs, losses)
    blur = tails.blur(mechanism, value) if 0.0 < value < np.inf else 0.0
    low = max(value - blur, 0.0)
    worst = (witnesses.of_set(mechanism, a, b, np.array([y])),)
    return between("pure", low, value + blur, worst)


def spreads(mechanism: FiniteMechanism, relation: NeighborRelation) -> Floats:
    """For each dataset x and output, the largest loss between two that are x or its neighbors."""
    logs = mechanism.logs
    if relation.complete:
        return np.broadcast_to(losses(logs.max(axis=0), logs.min(axis=0)), logs.shape)
    found = np.empty(logs.shape)
    for x in range(mechanism.size):
        near = relation.adjacency[x].copy()
        near[x] = True
        members = np.flatnonzero(near)
        inside = relation.adjacency[np.ix_(members, members)]
        if inside.sum() == members.size * (members.size - 1):
            some = logs[members]
            found[x] = losses(some.max(axis=0), some.min(axis=0))
            continue
        first, second = np.nonzero(np.triu(inside))
        widest = np.zeros(logs.shape[1])
        for part in parts(len(first), logs.shape[1], BLOCK):
            loss = losses(logs[members[first[part]]], logs[members[second[part]]])
            widest = np.maximum(widest, np.abs(loss).max(axis=0))
        found[x] = widest
    return found


def _largest(
    relation: NeighborRelation, table: Floats, measure: Callable[[Floats, Floats], Floats]
) -> tuple[float, int, int, int]:
    """The largest measure of two rows at one output, its ordered pair and that output."""
    if relation.complete:
        widest = measure(table.max(axis=0), table.min(axis=0))
        y = int(np.argmax(widest))
        return float(widest[y]), int(np.argmax(table[:, y])), int(np.argmin(table[:, y])), y
    best = (-np.inf, 0, 0, 0)
    for part in parts(len(relation), table.shape[1], BLOCK):
        a, b = relation.first[part], relation.second[part]
        for one, other in ((a, b), (b, a)) if relation.symmetric else ((a, b),):
            values = measure(table[one], table[other])
            row, y = divmod(int(np.argmax(values)), values.shape[1])
            if values[row, y] > best[0]:
                best = (float(values[row, y]), int(one[row]), int(other[row]), y)
    return best


def _likeliest(mechanism: FiniteMechanism, inside: npt.NDArray[np.bool_]) -> tuple[int, float]:
    """The dataset on which its own set of outputs is most likely, and how likely."""
    sums = (mechanism.probabilities * inside).sum(axis=1)
    at = int(np.argmax(sums))
    return at, float(sums[at])


def _excess(limit: float, p: Floats, q: Floats) -> Floats:
    return p - scaled(q, np.array(limit))
