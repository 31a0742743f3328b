"""Labels at the lines themselves, moved apart where they would touch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.lines import Line2D
from matplotlib.text import Annotation
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator
from matplotlib.transforms import (
    Affine2D,
    ScaledTranslation,
    Transform,
    blended_transform_factory,
)

from dprisk._numeric.logspace import Floats
from dprisk.plots.look import GREY, INK, SMALL, Stroke

LEADING: Final = 1.25
POWERS: Final = 4.5  # decades: from there on marks are powers of ten
MEET: Final = 0.015  # of the height: a label so far from the end of its line gets a leader


class Tag(NamedTuple):
    """A label of one line: where the line leaves the axes, and how high it is on the whole."""

    text: str
    stroke: Stroke
    end: float | None
    rank: float


def tag_of(ax: Axes, text: str, stroke: Stroke, x: Floats, y: Floats) -> Tag:
    """The tag of a line, once the limits of the axes are final."""
    seen = np.isfinite(x) & np.isfinite(y)
    if ax.get_yscale() == "log":
        seen &= y > 0.0
    if not seen.any():
        return Tag(text, stroke, None, 0.0)
    points = np.column_stack([x[seen], y[seen]])
    share = ax.transAxes.inverted().transform(ax.transData.transform(points))
    inside = (share[:, 0] > -0.01) & (share[:, 0] < 1.01)
    if not inside.any():
        return Tag(text, stroke, None, 0.0)
    across, up = share[inside, 0], share[inside, 1]
    last = int(np.argmax(across))
    reaches = across[last] > 0.98 and -0.005 <= up[last] <= 1.005
    mean = float(np.mean(np.interp(np.linspace(0.0, 1.0, 101), across, np.clip(up, 0.0, 1.0))))
    end = float(np.clip(up[last], 0.0, 1.0))
    return Tag(text, stroke, end if reaches else None, (end if reaches else 0.0) + 0.01 * mean)


def label_lines(ax: Axes, tags: Sequence[Tag]) -> None:
    """Writes the labels to the right of the axes, each beside the end of its line."""
    ordered = sorted(tags, key=lambda tag: -tag.rank)
    height = ax.bbox.height / ax.figure.dpi * 72.0
    heights = [SMALL * LEADING * (tag.text.count("\n") + 1.2) / height for tag in ordered]
    wanted = [tag.end if tag.end is not None else tag.rank for tag in ordered]
    places = _apart(wanted, heights)
    beside = _margin(ax)
    for tag, place in zip(ordered, places, strict=True):
        sample = Line2D([5.0, 23.0], [place] * 2, transform=beside, clip_on=False)
        sample.set(label="_label", **tag.stroke.kwargs())
        ax.add_artist(sample)
        if tag.end is not None and abs(tag.end - place) > MEET:
            leader = Line2D([0.0, 5.0], [tag.end, place], transform=beside, clip_on=False)
            leader.set(label="_leader", color=GREY, linewidth=0.5)
            ax.add_artist(leader)
        _write_beside(ax, place, tag.text)


def _margin(ax: Axes) -> Transform:
    """To the right of the axes: points across, shares of the height up."""
    points = Affine2D().scale(1.0 / 72.0) + ax.figure.dpi_scale_trans
    right: Any = ax.transAxes
    across = points + ScaledTranslation(1.0, 0.0, right)
    return blended_transform_factory(across, ax.transAxes)


def _write_beside(ax: Axes, place: float, text: str) -> Annotation:
    """A label to the right of the axes, with room for a sample before it."""
    return ax.annotate(
        text,
        (1.0, place),
        (26.0, 0.0),
        xycoords="axes fraction",
        textcoords="offset points",
        va="center",
        ha="left",
        fontsize=SMALL,
        linespacing=1.0,
        annotation_clip=False,
    )


def _apart(wanted: Sequence[float], heights: Sequence[float]) -> list[float]:
    """Places from the top down, near the wanted ones, that leave each label its height."""
    places: list[float] = []
    before = 0.0
    for at, height in zip(wanted, heights, strict=True):
        most = 1.02 if not places else places[-1] - (height + before) / 2.0
        places.append(min(at, most))
        before = height
    floor = -0.02
    for i in range(len(places) - 1, -1, -1):
        places[i] = max(places[i], floor)
        above = heights[i - 1] if i else heights[0]
        floor = places[i] + (heights[i] + above) / 2.0
    return places


def say_inside(ax: Axes, text: str) -> None:
    """Words in the middle of axes in which there is nothing to see."""
    ax.text(0.5, 0.5, text, ha="center", va="center", transform=ax.transAxes)


def plain_log(axis: Axis) -> None:
    """Marks on a logarithmic axis as ordinary numbers, few enough to be read."""
    low, high = sorted(axis.get_view_interval())
    decades = math.log10(high / low)
    wide = decades > 2.5
    axis.set_major_locator(LogLocator(subs=(1.0,) if wide else (1.0, 2.0, 5.0), numticks=7))
    as_power = decades > POWERS
    axis.set_major_formatter(FuncFormatter(lambda value, _: _written(value, as_power)))
    axis.set_minor_formatter(NullFormatter())
    if decades < 0.6:
        axis.set_major_locator(MaxNLocator(5))
        axis.set_minor_locator(NullLocator())


def _written(value: float, as_power: bool) -> str:
    """A power of ten as a power where others would have many zeros."""
    if not as_power or value in (0.0, 1.0):
        return f"{value:g}"
    return "10" + str(round(math.log10(value))).translate(RAISED)


RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def hundreds(axis: Axis) -> None:
    """Probabilities on an axis as so many in 100."""
    axis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{100.0 * value:.3g}".replace("-", "−"))
    )


def unit_square(ax: Axes, *, rising: bool) -> Line2D:
    """Both axes from 0 to 1, and the diagonal."""
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(0.0, 1.0)
    ax.set_aspect("equal")
    ax.set_xticks(np.linspace(0.0, 1.0, 6))
    ax.set_yticks(np.linspace(0.0, 1.0, 6))
    ends = [0.0, 1.0] if rising else [1.0, 0.0]
    (line,) = ax.plot([0.0, 1.0], ends, color=GREY, linewidth=0.8, label="_diagonal")
    return line


def dot(ax: Axes, at: tuple[float, float], color: str = INK) -> Line2D:
    """A mark at a point."""
    mark: Any = {"marker": "o", "markersize": 4.5, "markeredgewidth": 0.0, "zorder": 4.0}
    (line,) = ax.plot(*at, color=color, label="_mark", clip_on=False, linestyle="none", **mark)
    return line
