"""Search for the place where a monotone measure reaches a limit, from the side that keeps it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, NamedTuple

from dprisk.errors import NotConverged

TRIES: Final = 400  # steps; halving 1400 down to an ulp takes 63

Closeness = tuple[float, bool]
"""A relative tolerance, and whether both ends have to be that close, or the kept one only."""
Seen = tuple[float, float]
"""A logarithm, and how far the measure is over the limit there: at most 0 where it is kept."""


def odds(probability: float) -> float:
    """Strength of a measure that ends at 1."""
    return probability / (1.0 - probability) if probability < 1.0 else math.inf


def nearest(
    measure: Callable[[float], float],
    most: float,
    start: float,
    *,
    rising: bool = True,
    whole: bool = False,
    strength: Callable[[float], float] = odds,
    degree: float = 1.0,
    closeness: Callable[[float], Closeness] = lambda _: (1e-12, True),
    ends: tuple[float, float] = (1e-300, 1e300),
) -> tuple[float, float]:
    """The number nearest to the limit that keeps it, and one just beyond that does not.

    A search in logarithms: it steps outwards from `start`, and then narrows the interval with
    secants through what adds up (`strength`), which grows about as the number to the `degree`.
    """
    start = min(max(start, ends[0]), ends[1])
    line = _Line(measure, most, start, rising, whole, strength, closeness)
    low, high = (math.log(end / line.start) for end in ends)
    if not rising:
        low, high = -high, -low
    left, right = _bracket(line, low, high, degree)
    if left is not None and right is not None:
        left, right = _narrow(line, left, right)
    none, all_ = (0.0, math.inf) if rising else (math.inf, 0.0)
    kept = none if left is None else line.number(left[0])
    return kept, all_ if right is None else line.number(right[0])


class _Line(NamedTuple):
    measure: Callable[[float], float]
    most: float
    start: float
    rising: bool
    whole: bool
    strength: Callable[[float], float]
    close: Callable[[float], Closeness]

    def closeness(self, w: float) -> Closeness:
        return self.close(self.number(w))

    def number(self, w: float) -> float:
        up = w if self.rising else -w
        x = self.start * math.exp(min(max(up, -700.0), 700.0))  # still finite
        return float(round(x)) if self.whole else x

    def between(self, w: float, low: float = -math.inf, high: float = math.inf) -> float:
        """The place itself; or that of the nearest whole number strictly between both."""
        if not self.whole:
            return w
        least = 1.0 if low == -math.inf else self.number(low) + 1.0
        most = math.inf if high == math.inf else self.number(high) - 1.0
        if least > most:
            return low
        return math.log(min(max(self.number(w), least), most) / self.start)

    def at(self, w: float) -> Seen:
        found = self.measure(self.number(w))
        over = self._straight(found) - self._straight(self.most)
        # NaN is inf - inf; more than e^1000, such as infinity, tells no secant more
        over = 0.0 if math.isnan(over) else min(max(over, -1e3), 1e3)
        return w, min(over, 0.0) if found <= self.most else max(over, 1e-300)

    def _straight(self, value: float) -> float:
        found = self.strength(value)
        return math.log(found) if 0.0 < found < math.inf else math.copysign(math.inf, found - 1.0)


def _bracket(
    line: _Line, low: float, high: float, degree: float
) -> tuple[Seen | None, Seen | None]:
    """The last that keeps the limit and the first that does not, stepping out from 0."""
    here = line.at(0.0)
    up, tolerance = here[1] <= 0.0, line.closeness(0.0)[0]
    step = min(max(abs(here[1]) / degree, tolerance / 2.0), 3.0)
    for _ in range(TRIES):
        end = high if up else low
        if here[0] == end:
            return (here, None) if up else (None, here)
        if up:
            w = min(line.between(here[0] + step, low=here[0]), end)
        else:
            w = max(line.between(here[0] - step, high=here[0]), end)
        there = line.at(w)
        if (there[1] <= 0.0) != up:
            return (here, there) if up else (there, here)
        moved = abs(there[1] - here[1])
        further = 1.0 if line.whole else 1.1  # than a straight line would go
        wanted = further * abs(there[1]) * step / moved if moved > 0.0 else 8.0 * step
        least = 2.0 * step if step < 1e-6 else 0.01 * step
        step = min(max(wanted, least, tolerance / 2.0), 8.0 * step)
        here = there
    raise NotConverged("a budget", (low, high))


def _narrow(line: _Line, left: Seen, right: Seen) -> tuple[Seen, Seen]:
    """Secants through the two places nearest to the limit, halving where they do not get on."""
    near, far = sorted((left, right), key=_distance)
    slow = 0
    for _ in range(TRIES):
        (tolerance, both), width = line.closeness(near[0]), right[0] - left[0]
        root = _root(near, far, left, right)
        if width <= tolerance or (not both and root - left[0] <= tolerance):
            return left, right
        edge = min(tolerance, width) / 2.0
        aim = root - (0.0 if both else edge) if slow < 3 else (left[0] + right[0]) / 2.0
        w = min(max(aim, left[0] + edge), right[0] - edge)
        w = line.between(w, left[0], right[0])
        if not left[0] < w < right[0]:
            return left, right
        seen = line.at(w)
        near, far = sorted((near, far, seen), key=_distance)[:2]
        left, right = (seen, right) if seen[1] <= 0.0 else (left, seen)
        slow = 0 if right[0] - left[0] < width / 2.0 else slow + 1
    raise NotConverged("a budget", (left[0], right[0]))


def _root(near: Seen, far: Seen, left: Seen, right: Seen) -> float:
    """Place where the line through two places meets the limit; always between the ends."""
    for one, other in ((near, far), (left, right)):
        rise = (other[1] - one[1]) / (other[0] - one[0])
        found = one[0] - one[1] / rise if rise > 0.0 else math.inf
        if left[0] <= found <= right[0]:
            return found
    return (left[0] + right[0]) / 2.0


def _distance(seen: Seen) -> float:
    return abs(seen[1])
