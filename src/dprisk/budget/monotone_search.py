"""The largest budget that keeps a limit, as computed: a search that ends on the safe side."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, NamedTuple

from dprisk.errors import NotConverged

__all__ = ["Nearest", "last_kept", "nearest"]

FAR = 700.0  # in logarithms
TRIES = 400
FIRST = 3.0  # the longest first step, in logarithms
CAP = 1e3
STEEP, FLAT, STEEPEST = 3.0, 0.2, 30.0  # a first slope, and those that are believed
FURTHER = 0.02  # than a straight line would go, at first
SLOW = 3


class Nearest(NamedTuple):
    """A parameter at which the limit is kept, and one just beyond at which it is not.

    `kept` is 0 (or infinite, for noise) where nothing that was tried keeps it, and `broken`
    infinite (or 0) where nothing breaks it.
    """

    kept: float
    broken: float


def nearest(
    measure: Callable[[float], float],
    most: float,
    start: float,
    *,
    rising: bool = True,
    base: float = 0.0,
    curvature: Literal["probability", "number"] = "probability",
    tolerance: float = 1e-12,
    ends: tuple[float, float] = (1e-300, 1e300),
) -> Nearest:
    """Where a monotone measure comes up to a limit, between two parameters very close together.

    Parameters
    ----------
    measure : callable
        Of a positive parameter, never falling with it (never rising if `rising` is false).
    most : float
        The limit.
    start : float
        Where to begin; a good one saves most of the calls.
    rising : bool
        Whether larger parameters measure more: budgets do, noise does not.
    base : float
        What is measured where nothing is released.
    curvature : {"probability", "number"}
        Whether the measure ends at 1: it is compared on a scale on which it is nearly straight.
    tolerance : float
        How far apart the two may be, relative. (1e-15, 1)
    ends : tuple of float
        The least and the largest parameter that may be tried. (0, inf)
    """
    search = _Search(measure, most, min(max(start, ends[0]), ends[1]), rising, base, curvature)
    low, high = (math.log(end / search.start) for end in ends)
    if not rising:
        low, high = -high, -low
    left, right = _bracketed(search.at, low, high, tolerance)
    if left is not None and right is not None:
        left, right = _closed(search.at, left, right, tolerance)
    none, all_ = (0.0, math.inf) if rising else (math.inf, 0.0)
    kept = none if left is None else search.parameter(left[0])
    return Nearest(kept, all_ if right is None else search.parameter(right[0]))


def last_kept(
    measure: Callable[[int], float],
    most: float,
    start: int,
    last: int,
    *,
    base: float = 0.0,
    curvature: Literal["probability", "number"] = "probability",
) -> int:
    """The largest whole number that keeps a limit, given that 0 does.

    Parameters
    ----------
    measure : callable
        Of a whole number, never falling with it.
    most, base, curvature
        As for `nearest`.
    start : int
        Where to begin. [1, last]
    last : int
        The largest that is tried.
    """
    search = _Search(lambda x: measure(round(x)), most, 1.0, True, base, curvature)
    low, high, number, slope, slow = 0, last + 1, start, STEEP, 0
    seen: list[Seen] = []
    for _ in range(TRIES):
        here, width = search.at(math.log(number)), high - low
        low, high = (number, high) if here[1] <= 0.0 else (low, number)
        if low + 1 >= high or low == last:
            return low
        seen = sorted([*seen, here], key=lambda one: abs(one[1]))[:2]  # the closest
        (w, over), *others = seen
        for other, was in others:
            slope = min(max((over - was) / (w - other), FLAT), STEEPEST)
        slow = max(slow - 1, 0) if high - low < width / 2.0 else slow + 1
        if low == 0 or high > last or slow < SLOW:
            further = 1.0 if low and high <= last else 1.0 + FURTHER * 2.0**slow
            guess = math.exp(w - min(max(over / slope, -FIRST), FIRST) * further)
        else:
            guess = math.sqrt(low * high)
        number = int(min(max(guess, low + 1), high - 1, last))
    raise NotConverged("a number of releases", (low, high))


Seen = tuple[float, float]
"""A logarithm, and how far the measure is over the limit there: at most 0 where it is kept."""


class _Search(NamedTuple):
    measure: Callable[[float], float]
    most: float
    start: float
    rising: bool
    base: float
    curvature: str

    def parameter(self, w: float) -> float:
        return self.start * math.exp(min(max(w if self.rising else -w, -FAR), FAR))

    def at(self, w: float) -> Seen:
        found = self.measure(self.parameter(w))
        over = self._straight(found) - self._straight(self.most)
        over = 0.0 if math.isnan(over) else min(max(over, -CAP), CAP)  # NaN is inf - inf
        if found <= self.most:
            return w, min(over, 0.0)
        return w, max(over, 1e-300)

    def _straight(self, value: float) -> float:
        """On a scale on which it rises about as the logarithm of the parameter."""
        gain = value - self.base
        if gain <= 0.0:
            return -math.inf
        if self.curvature == "number":
            return math.log(gain) if math.isfinite(gain) else math.inf
        return math.log(gain) - math.log1p(-value) if value < 1.0 else math.inf


At = Callable[[float], Seen]


def _bracketed(
    at: At, low: float, high: float, tolerance: float
) -> tuple[Seen | None, Seen | None]:
    """The last that keeps the limit and the first that does not, stepping out from 0."""
    here = at(0.0)
    up = here[1] <= 0.0
    step = min(max(abs(here[1]), tolerance / 2.0), FIRST)
    for _ in range(TRIES):
        end = high if up else low
        if here[0] == end:
            return (here, None) if up else (None, here)
        w = min(here[0] + step, end) if up else max(here[0] - step, end)
        there = at(w)
        if (there[1] <= 0.0) != up:
            return (here, there) if up else (there, here)
        moved = abs(there[1] - here[1])
        wanted = 1.25 * abs(there[1]) * step / moved if moved > 0.0 else 8.0 * step
        step = min(max(wanted, 2.0 * step if step < 1e-6 else step, tolerance / 2.0), 8.0 * step)
        here = there
    raise NotConverged("a budget", (low, high))


def _closed(at: At, left: Seen, right: Seen, tolerance: float) -> tuple[Seen, Seen]:
    """Secants that keep both sides (Illinois), and halving where they do not get on."""
    f_left, f_right = left[1], right[1]
    slow = 0
    for _ in range(TRIES):
        width = right[0] - left[0]
        if width <= tolerance:
            return left, right
        share = f_left / (f_left - f_right)
        w = left[0] + width * (share if slow < 3 else 0.5)
        edge = min(tolerance, width) / 2.0
        w = min(max(w, left[0] + edge), right[0] - edge)
        if not left[0] < w < right[0]:
            return left, right
        seen = at(w)
        if seen[1] <= 0.0:
            left, f_left, f_right = seen, seen[1], f_right / (1.0 if slow == 0 else 2.0)
        else:
            right, f_right, f_left = seen, seen[1], f_left / (1.0 if slow == 0 else 2.0)
        slow = 0 if right[0] - left[0] < width / 2.0 else slow + 1
    raise NotConverged("a budget", (left[0], right[0]))
