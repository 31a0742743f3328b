"""Witnesses: the set of outputs of one ordered pair that shows a number."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk.audit import pairwise
from dprisk.audit.findings import Witness
from dprisk.audit.finite import FiniteMechanism


def of_set(
    mechanism: FiniteMechanism,
    first: int,
    second: int,
    outputs: npt.NDArray[Any],
    share: tuple[int, float] | None = None,
) -> Witness:
    """A set of outputs, by their numbers, and how likely it is under either dataset."""
    table, names = mechanism.probabilities, mechanism.outputs
    chances = []
    for row in (first, second):
        whole = table[row, outputs].tolist()
        if share is not None:
            whole.append(share[1] * float(table[row, share[0]]))
        chances.append(math.fsum(whole))
    return Witness(
        mechanism.datasets[first],
        mechanism.datasets[second],
        tuple(names[int(y)] for y in outputs),
        chances[0],
        chances[1],
        share=None if share is None else (names[share[0]], share[1]),
    )


def beyond(mechanism: FiniteMechanism, first: int, second: int, limit: float) -> Witness:
    """The outputs with a loss above the limit."""
    return of_set(mechanism, first, second, np.flatnonzero(_loss(mechanism, first, second) > limit))


def outside(mechanism: FiniteMechanism, first: int, second: int, limit: float) -> Witness:
    """The same, or the outputs with a loss above it in either direction."""
    loss = np.abs(_loss(mechanism, first, second))
    return of_set(mechanism, first, second, np.flatnonzero(loss > limit))


def merged(mechanism: FiniteMechanism, first: int, second: int, limit: float) -> Witness:
    """What the worst post-processing reports as one output whose loss is just the limit."""
    order, side = _sorted(mechanism, first, second)
    start = int(pairwise.count_beyond(side.losses, np.array([limit]))[0, 0])
    if start == 0:
        return of_set(mechanism, first, second, order[:0])
    rest = side.p[0] - pairwise.scaled(side.q[0], np.array(limit))
    ahead = np.flatnonzero(rest[start:] > 0.0)
    count = start + (int(ahead[-1]) if ahead.size else 0)
    if count == len(order):
        return of_set(mechanism, first, second, order)
    lost = rest[count] - rest[count + 1]
    share = float(np.clip(rest[count] / lost, 0.0, 1.0)) if lost > 0.0 else 0.0
    return _cut(mechanism, first, second, order, count, share)


TAILS: Final[dict[str, Callable[[FiniteMechanism, int, int, float], Witness]]] = {
    "pdp": beyond,
    "pdp-both": outside,
    "pbdp": merged,
}
"""What shows each kind of tail."""


def powerful(mechanism: FiniteMechanism, first: int, second: int, power: float) -> Witness:
    """The best test with that power."""
    order, side = _sorted(mechanism, first, second)
    sums = side.p[0]
    enough = int(np.searchsorted(sums, power * (1.0 - 1e-12)))
    if enough > len(order) or enough == 0:
        return of_set(mechanism, first, second, order[: len(order) if enough else 0])
    share = float((power - sums[enough - 1]) / (sums[enough] - sums[enough - 1]))
    return _cut(mechanism, first, second, order, enough - 1, min(share, 1.0))


def disclosed(mechanism: FiniteMechanism, dataset: int, inside: npt.NDArray[np.bool_]) -> Witness:
    """A disclosure set; it is about no second dataset in particular."""
    outputs = np.flatnonzero(inside)
    chance = math.fsum(mechanism.probabilities[dataset, outputs].tolist())
    names = tuple(mechanism.outputs[int(y)] for y in outputs)
    return Witness(mechanism.datasets[dataset], "", names, chance, chance)


def at_order(mechanism: FiniteMechanism, first: int, second: int, order: float | None) -> Witness:
    """The two datasets alone, and at which order they are furthest apart."""
    return Witness(mechanism.datasets[first], mechanism.datasets[second], order=order)


def _cut(
    mechanism: FiniteMechanism,
    first: int,
    second: int,
    order: npt.NDArray[np.intp],
    count: int,
    share: float,
) -> Witness:
    """The first outputs in order, and the next one with some probability."""
    if share > 1.0 - 1e-9:
        count, share = count + 1, 0.0
    part = (int(order[count]), share) if share > 1e-9 else None
    return of_set(mechanism, first, second, np.sort(order[:count]), part)


def _loss(mechanism: FiniteMechanism, first: int, second: int) -> Floats:
    return pairwise.losses(mechanism.logs[first], mechanism.logs[second])


def _sorted(
    mechanism: FiniteMechanism, first: int, second: int
) -> tuple[npt.NDArray[np.intp], pairwise.Oriented]:
    order = np.argsort(-_loss(mechanism, first, second), kind="stable")
    pair = np.array([first]), np.array([second])
    return order, pairwise.oriented(mechanism, *pair)[0]
