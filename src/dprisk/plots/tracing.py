"""Lines of bounds: each with its bracket, its name and its rows of the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.transforms import Bbox, TransformedBbox

from dprisk._numeric.logspace import Floats
from dprisk.errors import refused
from dprisk.plots.behind import attach
from dprisk.plots.frame import name_line
from dprisk.plots.look import Stroke, stroke
from dprisk.plots.saying import Drawable, certain, named
from dprisk.text import fill

SEEN: Final = 0.004  # of the height of the axes: a bracket that is narrower is a line


FEW: Final = 25  # points: then each is marked
ROOM: Final = Bbox([[0.0, -0.02], [1.001, 1.02]])  # of the axes: lines at their edges are whole


class LineWords(NamedTuple):
    """What a kind of line means: keys of the words at its axes, and columns of its table."""

    across: str
    up: str
    x: str
    y: str
    steps: bool = False


def some(lines: Sequence[Any]) -> None:
    """Refuses to draw nothing."""
    if not lines:
        raise refused("errors.plots.none", "lines", None, example="guarantee_line(...)")


def trace(
    ax: Axes, lines: Sequence[Drawable], picture: LineWords, title: str, said: str, words: str
) -> Axes:
    """Draws the lines and their names; keeps the table."""
    for number, line in enumerate(lines):
        one = stroke(number)
        drawn = _draw(ax, line, one, picture)
        if len(lines) > 1:
            name_line(ax, named(line), drawn, one)
    ax.set_xlabel(fill(picture.across))
    ax.set_ylabel(fill(picture.up))
    rows = [row for line in lines for row in _rows(line)]
    columns = ("line", picture.x, "at least", "at most")
    return attach(ax, title, words, said, columns, rows, [line.theorem for line in lines])


def bracket(ax: Axes, x: Floats, value: Floats, other: Floats, color: str) -> None:
    """The band in which the truth lies, if it is wide enough to be seen."""
    both = np.isfinite(value) & np.isfinite(other)
    if not both.any():
        return
    heights = [
        ax.transData.transform(np.column_stack([x[both], y[both]]))[:, 1] for y in (value, other)
    ]
    lower, upper = (np.nan_to_num(height, neginf=-1e9) for height in heights)
    seen = np.abs(upper - lower) > SEEN * ax.bbox.height
    if seen.any():  # a single wide point, at an atom, says nothing of its neighbors
        ends = (x[both], other[both], value[both])
        ax.fill_between(*ends, where=seen, color=color, alpha=0.3, lw=0.0, label="_bracket")


def _draw(ax: Axes, line: Drawable, one: Stroke, picture: LineWords) -> Line2D:
    order = np.argsort(line.x, kind="stable")
    x, y = line.x[order], certain(line)[order]
    y = np.where(np.isfinite(y), y, np.nan)
    few = x.size <= FEW
    marker: dict[str, Any] = {"marker": "o", "markersize": 3.0} if few else {}
    (drawn,) = ax.plot(
        x,
        y,
        label=f"_{line.name}",
        drawstyle="steps-pre" if few and picture.steps else "default",
        **one.kwargs(),
        **marker,
    )
    drawn.set_clip_box(TransformedBbox(ROOM, ax.transAxes))
    if line.lower is not None and line.upper is not None:
        both = [np.where(np.isfinite(end), end, np.nan)[order] for end in (line.lower, line.upper)]
        bracket(ax, x, both[1], both[0], one.color)
    return drawn


def _rows(line: Drawable) -> list[tuple[Any, ...]]:
    nothing: list[float | None] = [None] * line.x.size
    lower = nothing if line.lower is None else line.lower.tolist()
    upper = nothing if line.upper is None else line.upper.tolist()
    columns = (line.x.tolist(), lower, upper)
    return [(line.name, *row) for row in zip(*columns, strict=True)]
