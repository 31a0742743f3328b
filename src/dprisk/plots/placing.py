"""Words beside what they name, where nothing runs through them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.contour import ContourSet
from matplotlib.lines import Line2D
from matplotlib.transforms import Bbox

from dprisk._numeric.logspace import Floats
from dprisk.plots.look import GREY, INK, SMALL, Stroke

AROUND: Final = [(np.cos(turn), np.sin(turn)) for turn in np.arange(16) * np.pi / 8.0]
CLOSE: Final = (3.0,)  # points from a line to its name
FAR: Final = (4.0, 9.0, 16.0, 26.0, 38.0, 52.0, 70.0, 95.0)  # to a remark, with a leader
LEADER: Final = 5.0  # points: what is nearer needs none
AIR: Final = 2.2  # points around words
SAMPLE: Final = 16.0  # points: a piece of the line before its name
HALF: Final = 0.5
STEP: Final = 2.0  # pixels between the points that stand for a line
SAME: Final = 1.0  # pixel: what is closer is one line to the eye
ANCHORS: Final = 40
MOST: Final = 4000  # points of a path


class Wanted(NamedTuple):
    """Words that are to stand beside a line, or beside a point with a leader."""

    text: str
    line: Line2D
    stroke: Stroke | None = None
    color: str = INK
    paper: bool = False  # under the words, where they stand on colours


class Spot(NamedTuple):
    """Where words can stand, in pixels, and the point of the line that they belong to."""

    box: Bbox
    anchor: Floats
    gap: float


def spots(ax: Axes, wanted: Sequence[Wanted]) -> list[Spot | None]:
    """For each of the words a clear place inside the axes, if there is one."""
    lines = {id(line): points for line, points in _lines(ax)}
    others, contours = (
        [points_of(each) for each in ax.collections if isinstance(each, kind)]
        for kind in (LineCollection, ContourSet)
    )
    taken = [text.get_window_extent() for text in ax.texts if text.get_text()]
    found: list[Spot | None] = []
    for one in wanted:
        spot = _best(ax, one, lines, [*others, *contours], taken)
        if spot is None and one.paper:
            spot = _best(ax, one, lines, others, taken)
        found.append(spot)
        if spot is not None:
            taken.append(spot.box)
            if _led(one, spot):
                others.append(_leader(spot))
    return found


def coincide(first: Line2D, second: Line2D) -> bool:
    """Whether the one line hides the other."""
    ends = [line.get_transform().transform(line.get_xydata()) for line in (first, second)]
    ends = [end[np.isfinite(end).all(axis=1)] for end in ends]
    if min(map(len, ends)) < 2:
        return False
    spans = [(end[:, 0].min(), end[:, 0].max()) for end in ends]
    if max(abs(a - b) for a, b in zip(*spans, strict=True)) > SAME:
        return False
    x = np.linspace(*spans[0], 400)
    one, other = (np.interp(x, end[:, 0], end[:, 1]) for end in ends)
    return bool(np.max(np.abs(one - other)) < SAME)


def points_of(drawn: Line2D | LineCollection | ContourSet) -> Floats:
    """Points in pixels that stand for what is drawn, a few pixels apart. shape (n, 2)"""
    paths = [drawn.get_path()] if isinstance(drawn, Line2D) else drawn.get_paths()
    ends = [drawn.get_transform().transform(path.vertices) for path in paths]
    return np.concatenate([np.zeros((0, 2)), *map(_densely, ends)])


def _densely(ends: Floats) -> Floats:
    """A path that is broken where it is not finite."""
    known = np.isfinite(ends).all(axis=1)
    pieces = np.split(ends, np.flatnonzero(np.diff(known)) + 1)
    found = [np.zeros((0, 2))]
    for piece in pieces:
        if not np.isfinite(piece).all():
            continue
        along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(piece, axis=0).T))])
        at = np.linspace(0.0, along[-1], min(int(along[-1] / STEP) + 2, MOST))
        found.append(np.column_stack([np.interp(at, along, piece[:, n]) for n in (0, 1)]))
    return np.concatenate(found)


def _lines(ax: Axes) -> Iterator[tuple[Line2D, Floats]]:
    for line in ax.lines:
        points = points_of(line)
        inside = ax.bbox.padded(4.0)
        x, y = points[:, 0], points[:, 1]
        seen = (x >= inside.x0) & (x <= inside.x1) & (y >= inside.y0) & (y <= inside.y1)
        yield line, points[seen]


def _best(
    ax: Axes, one: Wanted, lines: dict[int, Floats], others: list[Floats], taken: list[Bbox]
) -> Spot | None:
    """The clear place that is nearest to its own line, and far from the others."""
    own = lines.get(id(one.line), np.zeros((0, 2)))
    if not len(own):
        return None
    rest = [points for key, points in lines.items() if key != id(one.line)] + others
    strangers = np.concatenate([*rest, np.full((1, 2), -1e6)])
    width, height = _size(ax, one)
    unit = ax.figure.dpi / 72.0
    best, score = None, -np.inf
    chosen = own[np.linspace(0, len(own) - 1, min(ANCHORS, len(own))).astype(int)]
    for gap in CLOSE if one.stroke else FAR:
        for anchor, (dx, dy) in product(chosen, AROUND):
            x, y = anchor + gap * unit * np.array([dx, dy])
            left = x - width * (0.5 - 0.5 * np.sign(round(dx, 6)))
            below = y - height * (0.5 - 0.5 * np.sign(round(dy, 6)))
            box = Bbox.from_bounds(left, below, width, height)
            if not _inside(ax.bbox, box) or any(box.overlaps(each) for each in taken):
                continue
            spot = Spot(box, anchor, gap)
            if _led(one, spot) and _crossed(_leader(spot), taken):
                continue
            near, nearest = _distance(box, own), _distance(box, strangers)
            if min(near, nearest) < AIR * unit:
                continue
            if one.stroke and nearest < 1.3 * near + 1.0 * unit:
                continue
            clear = min(nearest, 24.0 * unit) - 1.5 * near + 0.02 * (anchor[0] - ax.bbox.x0)
            clear -= 4.0 * unit * (abs(dx) < HALF and one.stroke is not None)
            if clear > score:
                best, score = spot, clear
        if best is not None:  # further away it is no better
            break
    return best


def _led(one: Wanted, spot: Spot) -> bool:
    """Whether words are so far from their point that a line leads to it."""
    return one.stroke is None and (spot.gap > LEADER or one.paper)


def _leader(spot: Spot) -> Floats:
    box = spot.box.padded(2.0)  # it ends before the words
    near = np.clip(spot.anchor, [box.x0, box.y0], [box.x1, box.y1])
    return np.linspace(spot.anchor, near, 40)


def _crossed(points: Floats, boxes: Sequence[Bbox]) -> bool:
    return any(_distance(box, points) == 0.0 for box in boxes)


def _inside(axes: Bbox, box: Bbox) -> bool:
    return bool(
        box.x0 > axes.x0 + 2.0
        and box.x1 < axes.x1 + 1.0
        and box.y0 > axes.y0 + 2.0
        and box.y1 < axes.y1 + 1.0
    )


def _distance(box: Bbox, points: Floats) -> float:
    """From a box to the nearest of some points; 0 inside."""
    x, y = points[:, 0], points[:, 1]
    across = np.maximum(np.maximum(box.x0 - x, x - box.x1), 0.0)
    up = np.maximum(np.maximum(box.y0 - y, y - box.y1), 0.0)
    return float(np.min(np.hypot(across, up)))


def _size(ax: Axes, one: Wanted) -> tuple[float, float]:
    drawn = ax.text(0.0, 0.0, one.text, fontsize=SMALL, linespacing=1.05)
    box = drawn.get_window_extent()
    drawn.remove()
    sample = SAMPLE * ax.figure.dpi / 72.0 if one.stroke else 0.0
    return box.width + sample, box.height


def write(ax: Axes, one: Wanted, spot: Spot) -> None:
    """The words, with a piece of their line before them or a leader to their point."""
    unit = ax.figure.dpi / 72.0
    share = ax.transAxes.inverted()
    middle = (spot.box.y0 + spot.box.y1) / 2.0
    left, up = share.transform((spot.box.x0, middle))
    words: dict[str, Any] = {
        "xycoords": "axes fraction",
        "fontsize": SMALL,
        "linespacing": 1.05,
        "va": "center",
        "ha": "left",
        "color": one.color,
    }
    if one.stroke is not None:
        ends = share.transform([(spot.box.x0 + at * unit, middle) for at in (0.0, SAMPLE - 3.0)])
        sample = Line2D(*ends.T, transform=ax.transAxes, **one.stroke.kwargs())
        sample.set_label("_label")
        ax.add_artist(sample)
        left = share.transform((spot.box.x0 + SAMPLE * unit, middle))[0]
    elif _led(one, spot):
        ends = share.transform(_leader(spot)[[0, -1]])
        leader = Line2D(*ends.T, transform=ax.transAxes, color="white" if one.paper else GREY)
        leader.set_linewidth(0.5)
        leader.set_label("_leader")
        ax.add_artist(leader)
    if one.paper:
        words["bbox"] = {"facecolor": "white", "edgecolor": "none", "alpha": 0.9, "pad": 1.2}
        words["color"] = "black"
    ax.annotate(one.text, (left, up), **words)
