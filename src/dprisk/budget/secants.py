"""The last number that keeps a limit on a smooth curve, in few evaluations.

Each evaluation may take as long as an answer. So the curve is bent until it is almost a straight
line of slope 1, by what normal noise would do; then three points tell where it meets the limit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, final

from dprisk.errors import NotConverged

CLOSE: Final = 1e-6  # relative: how far apart what keeps the limit and what breaks it may be
TRIES: Final = 120
SLOW: Final = 8  # evaluations, after which every other one halves
FURTHEST: Final = 3.0  # logarithms: the longest step into the unknown


Point = tuple[float, float]
"""A place, and how high its value is above the limit."""


class Ends(NamedTuple):
    """The last number seen to keep a limit, and the first beyond it seen to break it."""

    kept: float | None
    broken: float | None


@final
@dataclass(frozen=True, eq=False)
class Secants:
    """A limited quantity along a number, and both so that it is almost a straight line.

    The place u of a number rises with what is limited; so does the height of a value.
    """

    measure: Callable[[float], float]
    most: float
    number: Callable[[float], float]
    """Function from a place to a number; a whole one where only those count."""
    place: Callable[[float], float]
    height: Callable[[float], float]
    ends: tuple[float, float]
    """Places between which to look."""
    whole: bool = False

    def last(self, start: float) -> Ends:
        """The last number that keeps the limit, and the next that does not."""
        low, high = self.ends
        left: Point | None = None
        right: Point | None = None
        seen: list[Point] = []
        u = min(max(start, low), high)
        for _ in range(TRIES):
            x = self.number(u)
            u = self.place(x) if self.whole else u
            value = self.measure(x)
            over = self._over(value)
            seen.append((u, over))
            if value <= self.most:
                left = (u, over) if left is None or u > left[0] else left
                if u >= high:
                    return Ends(x, None)
            else:
                right = (u, over) if right is None or u < right[0] else right
                if u <= low:
                    return Ends(None, x)
            if left and right and self._is_close(left[0], right[0]):
                return Ends(self.number(left[0]), self.number(right[0]))
            u = self._next(seen, left, right)
        raise NotConverged("a number that keeps the limit", self.ends)

    def _over(self, value: float) -> float:
        """How high a value is above the limit; never 0 on the side that breaks it."""
        over = self.height(value) - self.height(self.most)
        over = 0.0 if math.isnan(over) else min(max(over, -1e3), 1e3)
        return min(over, 0.0) if value <= self.most else max(over, 1e-300)

    def _is_close(self, left: float, right: float) -> bool:
        if self.whole and abs(self.number(right) - self.number(left)) <= 1.0:
            return True
        return right - left <= CLOSE

    def _next(self, seen: list[Point], left: Point | None, right: Point | None) -> float:
        """Close beside where the curve meets the limit: first to keep it, then to break it."""
        root, beside = _root(seen[-3:]), 0.45 * CLOSE
        if left and right:
            inside = left[0] < root < right[0] and left[1] < 0.0  # 0 is a plateau
            if not inside or (len(seen) > SLOW and len(seen) % 2 == 0):
                return self._between((left[0] + right[0]) / 2.0, left[0], right[0])
            is_kept = root - left[0] <= CLOSE
            return self._between(root + (beside if is_kept else -beside), left[0], right[0])
        (u, _), sign = (left, 1.0) if left else (seen[-1], -1.0)
        step = max(sign * (root - u), 0.0) + beside
        if len(seen) > SLOW or (left and left[1] == 0.0):
            step = max(step, min(CLOSE * 4.0 ** (len(seen) + SLOW), FURTHEST))
        low, high = self.ends
        found = min(max(u + sign * min(step, FURTHEST), low), high)
        return self._beside(u, sign) if self.number(found) == self.number(u) else found

    def _between(self, u: float, left: float, right: float) -> float:
        if not self.whole:
            margin = 0.05 * min(CLOSE, right - left)
            return min(max(u, left + margin), right - margin)
        first, last = sorted((self.number(left), self.number(right)))
        return self.place(min(max(self.number(u), first + 1.0), last - 1.0))

    def _beside(self, u: float, sign: float) -> float:
        """The place of the next number on one side."""
        if not self.whole:
            return u + sign * CLOSE
        return self.place(self.number(u) + sign)


def _root(seen: list[Point]) -> float:
    """The root of the curve through the last points; of a line of slope 1 through a single one."""
    points = list(dict.fromkeys(seen))
    (u, y) = points[-1]
    if len(points) == 1:
        return u - y
    (u1, y1) = points[-2]
    if y == y1 or (y - y1) * (u - u1) <= 0.0:
        return u - y
    line = u - y * (u - u1) / (y - y1)
    if len(points) == 2:
        return line
    (u0, y0) = points[-3]
    if len({y, y0, y1}) < 3 or (y1 - y0) * (u1 - u0) <= 0.0:
        return line
    bent = (
        u0 * y * y1 / ((y0 - y) * (y0 - y1))
        + u1 * y * y0 / ((y1 - y) * (y1 - y0))
        + u * y0 * y1 / ((y - y0) * (y - y1))
    )
    return bent if abs(bent - line) < abs(u - u1) else line
