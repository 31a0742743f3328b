"""What needs no sorting: disclosure sets, single outputs, the largest loss."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats, exp_capped
from dprisk.answer import Answer
from dprisk.audit import tails, witnesses
from dprisk.audit.definitions import LATER, POINTWISE, RAW, SOURCES
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.relation import NeighborRelation, Whole
from dprisk.audit.values import Finding
from dprisk.losses.base import ULP

__all__ = ["disclosure", "largest_loss", "pointwise", "spreads"]

BLOCK = 1 << 20


def disclosure(mechanism: FiniteMechanism, widest: Floats, limits: Floats) -> Finding:
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
    answer = Answer(high, "upper", SOURCES["disclosure"], (RAW,), np.minimum(low, high))
    return Finding("disclosure", answer, tuple(worst))


def pointwise(mechanism: FiniteMechanism, relation: NeighborRelation, limits: Floats) -> Finding:
    """The largest excess at a single output, at each limit."""
    found = []
    for limit in limits:
        with np.errstate(divide="ignore"):
            growth = float(1.0 / exp_capped(-limit))
        found.append(_single_outputs(mechanism, relation, growth))
    value = np.array([max(each[0], 0.0) for each in found])
    blur = np.array([16 * ULP * mechanism.probabilities[a, y] for _, a, _, y in found])
    high, low = np.where(value > 0, value + blur, 0.0), np.maximum(value - blur, 0.0)
    worst = tuple(
        witnesses.of_set(mechanism, a, b, np.array([y] if excess > 0.0 else [], dtype=int))
        for excess, a, b, y in found
    )
    answer = Answer(high, "upper", SOURCES["pointwise"], (POINTWISE,), low)
    return Finding("pointwise", answer, worst, POINTWISE)


def largest_loss(mechanism: FiniteMechanism, relation: NeighborRelation) -> Finding:
    """The largest privacy loss, and the output that shows it."""
    value, a, b, y = _largest_losses(mechanism, relation)
    blur = tails.blur(mechanism, value) if 0.0 < value < np.inf else 0.0
    low = max(value - blur, 0.0)
    answer = Answer(value + blur, "upper", SOURCES["largest_loss"], (LATER,), low)
    return Finding("largest_loss", answer, (witnesses.of_set(mechanism, a, b, np.array([y])),))


def spreads(mechanism: FiniteMechanism, relation: NeighborRelation) -> Floats:
    """For each dataset x and output, the largest loss between two that are x or its neighbors.

    The two have to be neighbors of each other (P4, Definition 8), in either direction; x counts
    as its own neighbor, as in the paper's example with two datasets only.
    """
    logs = mechanism.logs
    if relation.complete:
        return np.broadcast_to(_spread(logs), logs.shape)
    found = np.empty(logs.shape)
    for x in range(mechanism.size):
        near = relation.adjacency[x].copy()
        near[x] = True
        members = np.flatnonzero(near)
        inside = relation.adjacency[np.ix_(members, members)]
        if inside.sum() == members.size * (members.size - 1):
            found[x] = _spread(logs[members])
            continue
        first, second = np.nonzero(np.triu(inside))
        widest = np.zeros(logs.shape[1])
        for loss, _ in _blocks(mechanism, members[first], members[second]):
            widest = np.maximum(widest, np.abs(loss).max(axis=0))
        found[x] = widest
    return found


def _largest_losses(
    mechanism: FiniteMechanism, relation: NeighborRelation
) -> tuple[float, int, int, int]:
    """The largest loss of all, its ordered pair and its output."""
    logs = mechanism.logs
    if relation.complete:
        widest = _spread(logs)
        y = int(np.argmax(widest))
        return float(widest[y]), int(np.argmax(logs[:, y])), int(np.argmin(logs[:, y])), y
    best = (-np.inf, 0, 0, 0)
    for loss, pairs in _blocks(mechanism, relation.first, relation.second):
        ways = ((loss, pairs), (-loss, pairs[::-1]))
        for values, (a, b) in ways if relation.symmetric else ways[:1]:
            row, y = divmod(int(np.argmax(values)), values.shape[1])
            if values[row, y] > best[0]:
                best = (float(values[row, y]), int(a[row]), int(b[row]), y)
    return best


def _single_outputs(
    mechanism: FiniteMechanism, relation: NeighborRelation, growth: float
) -> tuple[float, int, int, int]:
    """Largest P(y) - growth Q(y) over single outputs y, its ordered pair and its output."""
    table = mechanism.probabilities
    if relation.complete:
        excess = table.max(axis=0) - _times(growth, table.min(axis=0))
        y = int(np.argmax(excess))
        return float(excess[y]), int(np.argmax(table[:, y])), int(np.argmin(table[:, y])), y
    best = (-np.inf, 0, 0, 0)
    for part in _parts(len(relation), table.shape[1]):
        a, b = relation.first[part], relation.second[part]
        for one, other in ((a, b), (b, a)) if relation.symmetric else ((a, b),):
            excess = table[one] - _times(growth, table[other])
            row, y = divmod(int(np.argmax(excess)), excess.shape[1])
            if excess[row, y] > best[0]:
                best = (float(excess[row, y]), int(one[row]), int(other[row]), y)
    return best


def _likeliest(mechanism: FiniteMechanism, inside: npt.NDArray[np.bool_]) -> tuple[int, float]:
    """The dataset on which its own set of outputs is most likely, and how likely."""
    sums = (mechanism.probabilities * inside).sum(axis=1)
    at = int(np.argmax(sums))
    return at, float(sums[at])


def _times(growth: float, q: Floats) -> Floats:
    with np.errstate(invalid="ignore", over="ignore"):
        return np.where(q > 0.0, growth * q, 0.0)


def _spread(logs: Floats) -> Floats:
    """Largest difference in each column; 0 where every output is impossible."""
    high, low = logs.max(axis=0), logs.min(axis=0)
    possible = np.isfinite(high)
    return np.where(possible, high - np.where(possible, low, 0.0), 0.0)


def _parts(count: int, width: int) -> Iterator[slice]:
    step = max(1, BLOCK // width)
    return (slice(start, start + step) for start in range(0, count, step))


def _blocks(
    mechanism: FiniteMechanism, first: Whole, second: Whole
) -> Iterator[tuple[Floats, tuple[Whole, Whole]]]:
    """Losses of pairs, block by block; 0 where an output is impossible under both."""
    logs = mechanism.logs
    for part in _parts(len(first), logs.shape[1]):
        with np.errstate(invalid="ignore"):
            loss = logs[first[part]] - logs[second[part]]
        yield np.where(np.isnan(loss), 0.0, loss), (first[part], second[part])
