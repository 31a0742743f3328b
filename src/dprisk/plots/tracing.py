"""Lines of bounds as ink: each with its bracket, its label and its rows of the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from dprisk._numeric.logspace import Floats
from dprisk.errors import InvalidInput
from dprisk.plots.behind import attach
from dprisk.plots.labels import label_lines, tag_of
from dprisk.plots.look import Stroke, stroke
from dprisk.plots.saying import Drawable, certain

__all__ = ["Picture", "bracket", "some", "trace"]

SEEN: Final = 0.004  # of the height of the axes: a bracket that is narrower is a line


class Picture(NamedTuple):
    """What a kind of line means, in words."""

    across: str
    up: str
    x: str
    y: str
    step: Literal["steps-pre", "default"] = "default"


def some(lines: Sequence[Any]) -> None:
    """Refuses to draw nothing."""
    if not lines:
        raise InvalidInput("lines", None, "at least one, such as guarantee_line(...)")


def trace(ax: Axes, lines: Sequence[Drawable], picture: Picture, said: str, words: str) -> Axes:
    """Draws the lines and their labels; keeps the table."""
    tags, rows = [], []
    for number, line in enumerate(lines):
        one = stroke(number)
        tags.append(_draw(ax, line, one, picture))
        rows += _rows(line)
    if len(lines) > 1:
        label_lines(ax, tags)
    ax.set_xlabel(picture.across)
    ax.set_ylabel(picture.up)
    columns = ("line", picture.x, "at least", "at most")
    return attach(ax, words, said, columns, rows)


def bracket(ax: Axes, x: Floats, value: Floats, other: Floats, color: str) -> None:
    """The band in which the truth lies, if it is wide enough to be seen."""
    both = np.isfinite(value) & np.isfinite(other)
    if not both.any():
        return
    ends = [
        ax.transData.transform(np.column_stack([x[both], y[both]]))[:, 1] for y in (value, other)
    ]
    ends = [np.nan_to_num(end, neginf=-1e9) for end in ends]
    if np.max(np.abs(ends[0] - ends[1])) > SEEN * ax.bbox.height:
        ax.fill_between(x, other, value, color=color, alpha=0.3, lw=0.0, label="_bracket")


def _draw(ax: Axes, line: Drawable, one: Stroke, picture: Picture) -> Any:
    order = np.argsort(line.x, kind="stable")
    x, y = line.x[order], certain(line)[order]
    y = np.where(np.isfinite(y), y, np.nan)
    marker: dict[str, Any] = {"marker": "o", "markersize": 3.0} if x.size <= 12 else {}
    ax.plot(
        x,
        y,
        label=f"_{line.name}",
        drawstyle=picture.step,
        clip_on=ax.get_yscale() == "log",
        **one.kwargs(),
        **marker,
    )
    if line.lower is not None and line.upper is not None:
        both = [np.where(np.isfinite(end), end, np.nan)[order] for end in (line.lower, line.upper)]
        bracket(ax, x, both[1], both[0], one.color)
    return tag_of(ax, line.name, one, x, y)


def _rows(line: Drawable) -> list[tuple[Any, ...]]:
    nothing: list[float | None] = [None] * line.x.size
    lower = nothing if line.lower is None else line.lower.tolist()
    upper = nothing if line.upper is None else line.upper.tolist()
    columns = (line.x.tolist(), lower, upper)
    return [(line.name, *row) for row in zip(*columns, strict=True)]
