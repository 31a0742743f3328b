"""The least concave curve above the power curves of all ordered pairs, by its corners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats

SLOPES = 64  # directions in which the outermost of many points are looked for first
MOST_AT_ONCE = 4096
CLOSE = 1e-14  # relatively: less than the rounding of a running sum, which audits allow for
Whole = npt.NDArray[np.intp]


class Corners(NamedTuple):
    """Tests with level x and power y, and the ordered pair of datasets that each tells apart."""

    x: Floats
    y: Floats
    first: Whole
    second: Whole

    @classmethod
    def joined(cls, parts: Sequence[Corners]) -> Corners:
        x, y, first, second = (np.concatenate(each) for each in zip(*parts, strict=True))
        return cls(x, y, first, second)

    def take(self, at: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> Corners:
        return Corners(self.x[at], self.y[at], self.first[at], self.second[at])


def no_corners() -> Corners:
    none = np.zeros(0, dtype=np.intp)
    return Corners(np.zeros(0), np.zeros(0), none, none)


def beyond(hull: Corners, x: Floats, y: Floats) -> npt.NDArray[np.bool_]:
    """Which points lie above the hull from (0, 0) to (1, 1), by more than rounding."""
    if not hull.x.size:
        return np.ones(x.shape, dtype=bool)
    start = [] if hull.x[0] == 0.0 else [0.0]
    ends_x = np.concatenate([start, hull.x, [max(1.0, float(hull.x[-1]))]])
    ends_y = np.concatenate([start, hull.y, [1.0]])
    return np.asarray(y > np.interp(x, ends_x, ends_y) * (1.0 + CLOSE))


def upper_hull(points: Corners) -> Corners:
    """Those of the points that are corners of the least concave curve above (0, 0), (1, 1), all."""
    if points.x.size > MOST_AT_ONCE:
        points = _outermost(points)
    order = np.lexsort((-points.y, points.x))
    points = points.take(order)
    x, y = points.x.tolist(), points.y.tolist()
    kept: list[int] = []
    for n, (level, power) in enumerate(zip(x, y, strict=True)):
        if kept and (level == x[kept[-1]] or power <= y[kept[-1]]):
            continue
        while kept and _slope(x, y, kept, level, power) >= _before(x, y, kept):
            kept.pop()
        kept.append(n)
    while kept and _slope(x, y, kept, 1.0, 1.0) > _before(x, y, kept):
        kept.pop()
    return points.take(np.array(kept, dtype=np.intp))


def _slope(x: list[float], y: list[float], kept: list[int], level: float, power: float) -> float:
    """From the last corner to a point."""
    run = level - x[kept[-1]]
    return (power - y[kept[-1]]) / run if run > 0.0 else -np.inf


def _before(x: list[float], y: list[float], kept: list[int]) -> float:
    """From the corner before to the last one; the first starts from (0, 0)."""
    before = (x[kept[-2]], y[kept[-2]]) if len(kept) > 1 else (0.0, 0.0)
    run = x[kept[-1]] - before[0]
    return (y[kept[-1]] - before[1]) / run if run > 0.0 else np.inf


def _outermost(points: Corners) -> Corners:
    """Without the points below the polygon of those that are outermost in some directions."""
    found = [
        int(np.argmax(points.y - slope * points.x))
        for slope in np.tan(np.linspace(0, 1.57, SLOPES))
    ]
    some = upper_hull(points.take(np.unique(found)))
    above = beyond(some, points.x, points.y)
    return Corners.joined([some, points.take(np.asarray(above))])
