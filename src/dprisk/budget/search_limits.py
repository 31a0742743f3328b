"""What all searches for a budget share: whether to search at all, how closely, and what breaks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from dprisk.answer import Answer
from dprisk.budget.monotone_search import Nearest
from dprisk.budget.tolerances import EpsilonLimit, ProfileLimit, Tolerance
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import Neighbors
from dprisk.guarantees.pure import PureDP

__all__ = [
    "BY_ORDERS",
    "ROUNDED",
    "Ended",
    "Status",
    "certainly_broken",
    "closeness",
    "ended_early",
]

Status = Literal["limited", "no limit", "infeasible"]

EXACT, BRACKETED = 1e-12, 2e-10  # relative: how closely a budget is found
COARSEST: Final = 1e-6  # relative: how closely it is found where brackets are wide
ROUNDED, BY_ORDERS = 1e-11, 2e-8  # relative: how far an exact answer is above the truth, at most
WIDEST: Final = 1e-3  # of a bracket that is still worth mentioning, relative


class Ended(NamedTuple):
    """Why there is nothing to search for."""

    status: Status
    reason: str


def ended_early(limit: Tolerance, neighbors: Neighbors) -> Ended | None:
    """What needs no search: nothing keeps the limit, or everything does."""
    silent = float(limit.measured(PureDP(0.0, neighbors=neighbors)))
    if silent > limit.most:
        return Ended("infeasible", _above(limit, silent))
    if silent == limit.most and not isinstance(limit, EpsilonLimit):
        return Ended("infeasible", "Only a release that says nothing keeps it: no budget does.")
    if limit.most == math.inf:
        said = limit.budget.reason if isinstance(limit, ProfileLimit) else ""
        return Ended("no limit", said or "The limit is infinite: every budget keeps it.")
    if float(limit.measured(ApproxDP(math.inf, 1.0, neighbors=neighbors))) <= limit.most:
        return Ended("no limit", "Even certainty would keep it: every budget does.")
    return None


def closeness(seen: Answer, base: float) -> float:
    """How closely to search: no closer than is known what is limited."""
    low, high = seen.bracket
    if seen.bound == "exact":
        return EXACT
    gain = float(high) - base
    if low is None or not gain > 0.0 or not math.isfinite(gain):
        return BRACKETED
    return min(max(BRACKETED, 0.1 * (float(high) - float(low)) / gain), COARSEST)


def certainly_broken(
    measure: Callable[[float], float],
    seen: dict[float, Answer],
    most: float,
    base: float,
    found: Nearest,
    rounded: float = ROUNDED,
) -> float | None:
    """A value that certainly breaks the limit: where even the lower end is above it.

    An exact answer has one number for both ends, which is rounded upwards: by `rounded` at most.
    """
    x, step = found.broken, 1.0 if found.broken > found.kept else -1.0
    if not 0.0 < x < math.inf:
        return None
    width = abs(x / found.kept - 1.0)
    for _ in range(4):
        measure(x)
        end = seen[x].bracket[0]
        if end is None:
            return None
        low = float(end) * (1.0 - (rounded if seen[x].bound == "exact" else 0.0))
        if low > most:
            return x
        width = max(4.0 * width, 2.0 * (most - low) / (most - base))
        if not width <= WIDEST:
            return None
        x = found.kept * (1.0 + step * width)
    return None


def _above(limit: Tolerance, silent: float) -> str:
    if isinstance(limit, ProfileLimit):
        return limit.budget.reason
    return (
        f"A release that says nothing is at {silent:.6g} already, above the {limit.most:.6g} "
        "tolerated: no budget keeps it."
    )
