"""One quiet look: colors that everybody can tell apart, lines that differ in gray, plain axes."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from dprisk._numeric.logspace import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

INK: Final = "#1a1a1a"
GREY: Final = "#666666"
FAINT: Final = "#d4d4d4"
BLUE: Final = "#0072B2"  # these four: M. Okabe, K. Ito, Color universal design, 2008
VERMILION: Final = "#D55E00"
GREEN: Final = "#009E73"
PURPLE: Final = "#CC79A7"

WIDTH: Final = 3.5  # inches: one column
HEIGHT: Final = 3.0
SQUARE: Final = 3.6  # high, where both axes are probabilities
SMALL: Final = 7.5  # points: nothing is smaller, so that it is read on a telephone
POWERS: Final = 4.5  # decades: from there on marks are powers of ten
RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
DOTTED: Final = (0, (1.2, 1.4))

LOOK: Final[dict[str, Any]] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that figures are the same everywhere
    "font.size": 8.0,
    "axes.labelsize": 8.0,
    "axes.labelcolor": INK,
    "axes.edgecolor": GREY,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "text.color": INK,
    "lines.linewidth": 1.5,
    "lines.solid_capstyle": "butt",
    "hatch.linewidth": 0.5,
    "legend.fontsize": SMALL,
    "legend.frameon": False,
    "legend.handlelength": 2.6,
    "legend.borderpad": 0.0,
    "legend.borderaxespad": 0.0,
    "legend.labelspacing": 0.35,
    "legend.columnspacing": 1.4,
    "figure.dpi": 150.0,
    "savefig.dpi": 200.0,
    "svg.fonttype": "none",  # letters stay letters, to be selected and searched
    "pdf.fonttype": 42,
    "text.parse_math": False,
    "svg.hashsalt": "dprisk",
}


class Stroke(NamedTuple):
    """How one line is told from the others: by its color, and without it by its dashes."""

    color: str
    dashes: Any
    width: float = 1.5

    def kwargs(self) -> dict[str, Any]:
        """Arguments for a line of matplotlib."""
        return {"color": self.color, "linestyle": self.dashes, "linewidth": self.width}


STYLES: Final = (
    Stroke(BLUE, "-"),
    Stroke(VERMILION, (0, (5.0, 1.8))),
    Stroke(GREEN, (0, (6.0, 1.6, 1.2, 1.6))),
    Stroke(INK, DOTTED),
    Stroke(PURPLE, (0, (9.0, 1.6, 1.2, 1.6, 1.2, 1.6))),
    Stroke(GREY, (0, (3.0, 3.0))),
    Stroke(BLUE, (0, (2.4, 1.0)), 1.0),
    Stroke(VERMILION, "-", 0.8),
    Stroke(GREEN, (0, (1.0, 2.6)), 1.0),
    Stroke(INK, "-", 0.8),
)
REFERENCE: Final[dict[str, Any]] = {"color": GREY, "linewidth": 0.8}
"""A line that bounds are compared with."""
DOT: Final[dict[str, Any]] = {
    "marker": "o",
    "markersize": 4.5,
    "markeredgewidth": 0.0,
    "linestyle": "none",
    "clip_on": False,
    "zorder": 4.0,
}


def stroke(number: int) -> Stroke:
    """The style of a line by its place; after the last one they come again."""
    return STYLES[number % len(STYLES)]


@contextmanager
def in_the_look() -> Iterator[None]:
    """The look of the house; letters that the font lacks are left to the fonts of the reader."""
    from matplotlib import style

    with style.context(["default", LOOK]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        yield


def axes_for(ax: Axes | None, width: float = WIDTH, height: float = HEIGHT) -> Axes:
    """The axes given, or those of a new figure that no window knows about."""
    from matplotlib.figure import Figure

    if ax is None:
        return Figure(figsize=(width, height), layout="constrained").subplots()
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def plain_log(axis: Axis) -> None:
    """Marks on a logarithmic axis as ordinary numbers, few enough to be read."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

    low, high = sorted(axis.get_view_interval())
    decades = math.log10(high / low)
    subs = (1.0,) if decades > 2.5 else (1.0, 2.0, 5.0)
    axis.set_major_locator(LogLocator(subs=subs, numticks=7))
    axis.set_major_formatter(FuncFormatter(lambda value, _: _written(value, decades > POWERS)))
    axis.set_minor_formatter(NullFormatter())
    if decades < 0.6:
        axis.set_major_locator(MaxNLocator(5))
        axis.set_minor_locator(NullLocator())


def _written(value: float, as_power: bool) -> str:
    if not as_power or value in (0.0, 1.0):
        return f"{value:g}"
    return power_of_ten(value)


def power_of_ten(value: float) -> str:
    """The nearest power of ten, as one."""
    return "10" + str(round(math.log10(value))).translate(RAISED)


def hundreds(axis: Axis) -> None:
    """Probabilities on an axis as so many in 100."""
    from matplotlib.ticker import FuncFormatter

    written = FuncFormatter(lambda value, _: f"{100.0 * value:.3g}".replace("-", "−"))
    axis.set_major_formatter(written)


def unit_square(ax: Axes, label: str, *, rising: bool) -> None:
    """Both axes from 0 to 1, and the diagonal with its name."""
    ax.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0))
    ax.set_xticks([n / 5 for n in range(6)])
    ax.set_yticks([n / 5 for n in range(6)])
    ax.plot([0.0, 1.0], [0.0, 1.0] if rising else [1.0, 0.0], label=label, **REFERENCE)


def say_inside(ax: Axes, text: str) -> None:
    """Words in the middle of axes in which there is nothing to see."""
    ax.text(0.5, 0.5, text, ha="center", va="center", transform=ax.transAxes)


def bracket(ax: Axes, x: Floats, value: Floats, other: Floats, color: str) -> None:
    """The band in which the truth lies, if it is wide enough to be seen."""
    both = np.isfinite(value) & np.isfinite(other)
    if not both.any():
        return
    heights = [
        ax.transData.transform(np.column_stack([x[both], y[both]]))[:, 1] for y in (value, other)
    ]
    lower, upper = (np.nan_to_num(height, neginf=-1e9) for height in heights)
    seen = np.abs(upper - lower) > 0.004 * ax.bbox.height
    if seen.any():  # a single wide point, at an atom, says nothing of its neighbors
        ends = (x[both], other[both], value[both])
        ax.fill_between(*ends, where=seen, color=color, alpha=0.3, lw=0.0, label="_bracket")
