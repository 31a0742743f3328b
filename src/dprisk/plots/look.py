"""One quiet look: colours that everybody can tell apart, and lines that differ in grey as well."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

INK: Final = "#1a1a1a"
GREY: Final = "#666666"
FAINT: Final = "#d4d4d4"

BLUE: Final = "#0072B2"  # these four: M. Okabe, K. Ito, Color universal design, 2008
VERMILION: Final = "#D55E00"
GREEN: Final = "#009E73"
PURPLE: Final = "#CC79A7"

WIDTH: Final = 3.5  # inches: one column
HEIGHT: Final = 3.0
SQUARE: Final = 3.3  # high, where both axes are probabilities
SMALL: Final = 7.5  # points: nothing is smaller, so that it is read on a telephone

LOOK: Final[dict[str, Any]] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that figures are the same everywhere
    "font.size": 8.0,
    "axes.labelsize": 8.0,
    "axes.titlesize": 8.0,
    "axes.labelcolor": INK,
    "axes.edgecolor": GREY,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
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
    "figure.dpi": 150.0,
    "savefig.dpi": 200.0,
    "svg.fonttype": "none",  # letters stay letters, to be selected and searched
    "pdf.fonttype": 42,
    "text.parse_math": False,
    "svg.hashsalt": "dprisk",
}


class Stroke(NamedTuple):
    """How one line is told from the others: by its colour, and without it by its dashes."""

    color: str
    dashes: Any
    width: float = 1.5

    def kwargs(self, width: float | None = None) -> dict[str, Any]:
        """For a line of matplotlib."""
        return {
            "color": self.color,
            "linestyle": self.dashes,
            "linewidth": self.width if width is None else width,
        }


STYLES: Final = (
    Stroke(BLUE, "-"),
    Stroke(VERMILION, (0, (5.0, 1.8))),
    Stroke(GREEN, (0, (6.0, 1.6, 1.2, 1.6))),
    Stroke(INK, (0, (1.2, 1.4))),
    Stroke(PURPLE, (0, (9.0, 1.6, 1.2, 1.6, 1.2, 1.6))),
    Stroke(GREY, (0, (3.0, 3.0))),
    Stroke(BLUE, (0, (2.4, 1.0)), 1.0),
    Stroke(VERMILION, "-", 0.8),
    Stroke(GREEN, (0, (1.0, 2.6)), 1.0),
    Stroke(INK, "-", 0.8),
)


def stroke(number: int) -> Stroke:
    """The style of a line by its place; after the last one they come again."""
    return STYLES[number % len(STYLES)]


@contextmanager
def in_the_look() -> Iterator[None]:
    """The look of the house; letters that the font lacks are left to the fonts of the reader."""
    with style.context(["default", LOOK]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        yield


def axes_alone(width: float, height: float) -> Axes:
    """Axes that fill a figure of so many inches, without a source below them."""
    return Figure(figsize=(width, height), layout="constrained").subplots()


def axes_for(ax: Axes | None, width: float = WIDTH, height: float = HEIGHT) -> Axes:
    """The axes given, or those of a new figure that no window knows about."""
    if ax is not None:
        ax.spines[["top", "right"]].set_visible(False)
        return ax
    return Figure(figsize=(width, height)).subplots()
