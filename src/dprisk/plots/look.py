"""One quiet look: colours that everybody can tell apart, and lines that differ in grey as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Final, NamedTuple, ParamSpec

from matplotlib import patheffects, style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dprisk.errors import WrongCall
from dprisk.guarantees.base import Guarantee
from dprisk.mechanisms.base import Mechanism

__all__ = ["FAINT", "GREY", "INK", "LOOK", "STYLES", "Stroke", "axes_for", "halo", "quietly"]

INK: Final = "#1a1a1a"
GREY: Final = "#666666"
FAINT: Final = "#d4d4d4"

BLUE: Final = "#0072B2"  # these four: M. Okabe, K. Ito, Color universal design, 2008
VERMILION: Final = "#D55E00"
GREEN: Final = "#009E73"
PURPLE: Final = "#CC79A7"

WIDTH: Final = 3.5  # inches: one column
HEIGHT: Final = 2.5

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
    "xtick.labelsize": 7.0,
    "ytick.labelsize": 7.0,
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
    "svg.fonttype": "path",
    "svg.hashsalt": "dprisk",
}

PAD: Final = 3.0  # points around everything
ROUNDS: Final = 2  # of fitting: then nothing moves any more

Parameters = ParamSpec("Parameters")


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


def quietly(draw: Callable[Parameters, Axes]) -> Callable[Parameters, Axes]:
    """Draws in the look of the house, and leaves matplotlib's settings as they were."""

    @wraps(draw)
    def drawn(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Axes:
        _only_curves(draw.__name__, args)
        with style.context(["default", LOOK]):
            ax = draw(*args, **kwargs)
            if kwargs.get("ax") is None:
                _fit(ax)
            return ax

    return drawn


def _only_curves(name: str, given: Sequence[Any]) -> None:
    if name in CURVES and any(isinstance(each, Guarantee | Mechanism) for each in given):
        raise WrongCall(
            f"{name} draws curves, not promises. Write {name}({CURVES[name]}), with the functions "
            "from dprisk and dprisk.curves."
        )


def _fit(ax: Axes) -> None:
    """Gives a new figure its layout once and for all, so that it is the same each time."""
    figure = ax.get_figure(root=True)
    if figure is None:
        return
    if len(figure.axes) > 1:  # with a bar of colours
        for _ in range(ROUNDS):
            figure.draw_without_rendering()
        figure.set_layout_engine("none")
        return
    figure.set_layout_engine("none")
    for _ in range(ROUNDS):
        _place(ax, figure)


def _place(ax: Axes, figure: Figure) -> None:
    """Moves the axes so that all that belongs to them is inside the figure."""
    whole, box = ax.get_tightbbox(), ax.get_window_extent()
    if whole is None:
        return
    pad = PAD * figure.dpi / 72.0
    left, below = box.x0 - whole.x0 + pad, box.y0 - whole.y0 + pad
    right, above = whole.x1 - box.x1 + pad, whole.y1 - box.y1 + pad
    width, height = figure.bbox.width, figure.bbox.height
    across, up = max(width - left - right, 0.2 * width), max(height - below - above, 0.2 * height)
    ax.set_position((left / width, below / height, across / width, up / height))


def axes_for(ax: Axes | None, width: float = WIDTH, height: float = HEIGHT) -> Axes:
    """The axes given, or those of a new figure that no window knows about."""
    if ax is not None:
        ax.spines[["top", "right"]].set_visible(False)
        return ax
    return Figure(figsize=(width, height), layout="constrained").subplots()


def halo(width: float = 2.0) -> list[Any]:
    """Keeps letters apart from the lines that they stand on."""
    return [patheffects.withStroke(linewidth=width, foreground="white")]


BELIEFS: Final = "beliefs(disclosure(guarantee))"
CURVES: Final = {
    "draw_counterfactual": 'counterfactual_line(counterfactual(guarantee, adversary="rest-known"))',
    "draw_difference": BELIEFS,
    "draw_ladder": "ladder(guarantee, [1, 12, 52])",
    "draw_loss_bound": 'guarantee_line(guarantee, "loss")',
    "draw_posterior": BELIEFS,
    "draw_power": 'guarantee_line(guarantee, "power")',
    "draw_profile": 'guarantee_line(guarantee, "profile")',
    "draw_ratio": BELIEFS,
    "draw_tail": 'guarantee_line(guarantee, "tail")',
    "draw_trade_off": 'guarantee_line(guarantee, "trade-off")',
}
"""For each picture what makes its curve of a promise."""
