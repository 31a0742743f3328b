"""How likely a loss is over two steps of a numeric guarantee, read where that is decided."""

from __future__ import annotations

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import times_exp
from dprisk.guarantees.approximate import ApproxDPCurve
from dprisk.guarantees.base import Guarantee, Sides

SPREAD = np.geomspace(0.25, 2.83, 8)  # of the loss of one step: where points begin
FURTHER = 4.0  # times as far, where the last line is met
ROUNDS, FINER = 6, 10  # how often at most, and with how many more points where a line is met
ENOUGH = 1e-4  # of the loss: by how much the last round of points lowered it, at most


def two_steps_at(guarantee: Guarantee, failure: float, sides: Sides = "both") -> Guarantee:
    """Two steps of add-remove, from points of the profile that decide the loss at one failure."""
    shift = float(guarantee.loss_bound(failure, sides=sides))
    if not 0.0 < shift < np.inf:
        return guarantee.for_neighbors("replace-one")
    ends = [0.0, float(guarantee.loss_bound(0.0)), np.inf]
    epsilon = np.unique(np.concatenate([ends, shift * SPREAD]))
    rough = guarantee.quick  # its brackets are narrower than what points leave between them
    delta = np.asarray(rough.delta(epsilon).value)
    twice, loss = _twice(epsilon, delta), np.inf
    for _ in range(ROUNDS):
        before, loss = loss, float(twice.loss_bound(failure, sides=sides))
        if loss > before * (1.0 - ENOUGH):
            break
        level = failure / (np.exp(min(loss, 700.0)) + (sides == "both"))
        more = _between(epsilon, delta, level)
        epsilon = np.append(epsilon, more)
        delta = np.append(delta, rough.delta(more).value)
        twice = _twice(epsilon, delta)
    return twice


def _twice(epsilon: Floats, delta: Floats) -> Guarantee:
    return ApproxDPCurve(epsilon, delta, neighbors="add-remove").for_neighbors("replace-one")


def _between(epsilon: Floats, delta: Floats, start: float) -> Floats:
    """More points about the lines that are met on the way from the first world to the third."""
    curve = ApproxDPCurve(epsilon, delta, neighbors="add-remove")
    middle = float(curve.power(start))
    order = np.argsort(epsilon)[:-1]  # but infinity
    t, height, last = epsilon[order], delta[order], len(order) - 1
    found = []
    for level in (start, middle, 1.0 - float(curve.power(middle))):
        at = int(np.argmin(height + times_exp(np.full_like(t, level), t)))
        end = t[at + 1] if at < last else FURTHER * t[at]
        found.append(np.linspace(t[max(at - 1, 0)], end, FINER + 2)[1:])
    return np.setdiff1d(np.concatenate(found), epsilon)
