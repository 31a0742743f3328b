"""Figures: a point as title, a legend, a source; behind them a table, a caption and an alt text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final, ParamSpec, final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.curves.look import GREY, SMALL, in_the_look
from dprisk.errors import InvalidInput, WrongCall
from dprisk.guarantees.base import Guarantee
from dprisk.mechanisms.base import Mechanism
from dprisk.table import NumberTable
from dprisk.text import fill
from dprisk.text.rounding import Scale, bounded, hundredths, out_of
from dprisk.theorems import NAMES, Theorem

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

Parameters = ParamSpec("Parameters")

CARRIED: Final = "_dprisk_behind"
TITLE: Final = 9.5  # points
PAD: Final = 4.0  # points around everything
LEADING: Final = 1.2
LETTERS: Final = 44  # in a line of a legend
SAMPLE: Final = 32.0  # points: a piece of line before a name, and the gaps around it
BELOW: Final = 22.0  # points: the marks of an axis
TOGETHER: Final = re.compile(
    r"(?<=\d) (?=in \d)|(?<=\d in) (?=\d)|(?<=[εδρμ]) (?==)|(?<==) |(?<=\(\d,) "
)
SAME: Final = 1.0  # pixel: lines that are closer are one to the eye
SEEN: Final = 0.004  # of the height of the axes: a bracket that is narrower is a line

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
"""The call that makes the curve of each figure from a promise."""


@final
@dataclass(frozen=True)
class Behind:
    """The words, the table and the source behind one picture."""

    title: str
    takeaway: str
    alt: str
    table: NumberTable
    source: str


def attach(
    ax: Axes,
    title: str,
    takeaway: str,
    seen: str,
    columns: Sequence[str],
    rows: Iterable[Any],
    theorems: Iterable[Theorem] = (),
    confidence: float | None = None,
) -> Axes:
    """Let axes carry what stands behind them; the alt text ends with the takeaway."""
    table = NumberTable(tuple(columns), tuple(tuple(row) for row in rows))
    held = "" if confidence is None else fill("plots.held", share=hundredths(confidence)) + "\n"
    new = Behind(title, takeaway, f"{seen} {takeaway}", table, held + _source(theorems))
    setattr(ax, CARRIED, (*getattr(ax, CARRIED, ()), new))
    return ax


def _source(theorems: Iterable[Theorem]) -> str:
    """The works behind the numbers, each once, with the place where there is one work only."""
    found = list(dict.fromkeys(theorems))
    works = list(dict.fromkeys(NAMES.get(each.work, each.work) for each in found))
    if not works:
        return fill("plots.source.none")
    if len(found) == 1:
        return fill("plots.source.place", work=works[0], place=found[0].place)
    return fill("plots.source", works="; ".join(works))


def behind(drawn: Axes | Figure) -> tuple[Behind, ...]:
    """All that stands behind axes, or behind all axes of a figure; refused if there is nothing."""
    panels = getattr(drawn, "axes", None)
    panels = panels if isinstance(panels, list) else [drawn]
    found = tuple(each for ax in panels for each in getattr(ax, CARRIED, ()))
    if not found:
        allowed = "axes that dprisk.curves drew, or a figure with some"
        raise InvalidInput("drawn", drawn, allowed)
    return found


def alt_text(drawn: Axes | Figure) -> str:
    """Describe a figure in words, with numbers rounded to the side on which they are true.

    Parameters
    ----------
    drawn : Axes or Figure
        What `dprisk.curves` drew.

    Returns
    -------
    str
        One or two sentences for each picture.

    Raises
    ------
    InvalidInput
        If nothing was drawn there.

    Examples
    --------
    >>> from dprisk import GaussianDP
    >>> from dprisk.curves import guarantee_line
    >>> from dprisk.curves import alt_text, draw_power
    >>> normal = guarantee_line(GaussianDP(1.0, neighbors="add-remove"), "power", name="normal")
    >>> print(alt_text(draw_power(normal)))
    Line chart of the power of a test against its level, both from 0 to 1. The power of a \
test is at most 0.26 at a level of 0.05 (normal).
    """
    return " ".join(each.alt for each in behind(drawn))


def takeaway(drawn: Axes | Figure) -> str:
    """Sum a figure up in a sentence: its caption.

    Parameters
    ----------
    drawn : Axes or Figure
        What `dprisk.curves` drew.

    Returns
    -------
    str
        One sentence for each picture.

    Raises
    ------
    InvalidInput
        If nothing was drawn there.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.curves import guarantee_line
    >>> from dprisk.curves import draw_power, takeaway
    >>> line = guarantee_line(PureDP(1.0, neighbors="add-remove"), "power", name="pure")
    >>> takeaway(draw_power(line))
    'The power of a test is at most 0.136 at a level of 0.05 (pure).'
    """
    return " ".join(each.takeaway for each in behind(drawn))


def tables(drawn: Axes | Figure) -> tuple[NumberTable, ...]:
    """The numbers behind a figure.

    Parameters
    ----------
    drawn : Axes or Figure
        What `dprisk.curves` drew.

    Returns
    -------
    tuple of Table
        One for each picture.

    Raises
    ------
    InvalidInput
        If nothing was drawn there.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.curves import guarantee_line
    >>> from dprisk.curves import draw_profile, tables
    >>> line = guarantee_line(PureDP(1.0, neighbors="add-remove"), "profile", [0.0, 1.0])
    >>> tables(draw_profile(line))[0].columns
    ('line', 'epsilon', 'at least', 'at most')
    """
    return tuple(each.table for each in behind(drawn))


def figure(draw: Callable[Parameters, Axes]) -> Callable[Parameters, Axes]:
    """Draws in the look of the house, and leaves matplotlib's settings as they were."""

    @wraps(draw)
    def drawn(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Axes:
        name = draw.__name__
        if name in CURVES and any(isinstance(each, Guarantee | Mechanism) for each in args):
            raise WrongCall(
                f"{name} draws curves, not promises. Write {name}({CURVES[name]}), with the "
                "functions from dprisk and dprisk.curves."
            )
        with in_the_look():
            ax = draw(*args, **kwargs)
            _finish(ax, alone=kwargs.get("ax") is None)
        return ax

    return drawn


def _finish(ax: Axes, *, alone: bool) -> None:
    """Title, legend and the label of what is measured up the side; alone, the source as well.

    In a figure of somebody's own each of the axes has a title, and the layout is theirs.
    """
    from matplotlib.transforms import ScaledTranslation

    page: Any = ax.get_figure(root=True)
    across = (page.bbox if alone else ax.bbox).width / page.dpi * 72.0 - 2.0 * PAD
    one = behind(ax)[-1]
    up = ax.yaxis.label  # above the axis, where no head is turned
    if ax.axison and up.get_text():
        text = wrapped(up.get_text(), across - 36.0, SMALL)
        up.set(text=text, rotation=0.0, ha="left", va="bottom", fontsize=SMALL, color=GREY)
        above = ScaledTranslation(0.0, PAD / 72.0, page.dpi_scale_trans)
        ax.yaxis.set_label_coords(0.0, 1.0, transform=ax.transAxes + above)
    rows = _legend(ax, across - 36.0)
    title = wrapped(one.title, across, TITLE, "bold")
    words: dict[str, Any] = {"ha": "left", "linespacing": LEADING}
    if not alone:
        pad = 2.0 * PAD + LEADING * SMALL * (up.get_text().count("\n") + 1)
        ax.set_title(title, loc="left", fontsize=TITLE, weight="bold", pad=pad)
        return
    edge = PAD / 72.0 / page.get_figwidth()
    page.suptitle(title, x=edge, fontsize=TITLE, weight="bold", **words)
    page.supxlabel(wrapped(one.source, across, SMALL), x=edge, fontsize=SMALL, color=GREY, **words)
    page.set_figheight(page.get_figheight() + rows * 1.35 * SMALL / 72.0)
    page.get_layout_engine().set(w_pad=PAD / 72.0, h_pad=PAD / 72.0)
    page.draw_without_rendering()
    page.set_layout_engine("none")  # settled: looking at it again changes nothing


def _legend(ax: Axes, across: float) -> int:
    """The names of lines below the axes, where nothing runs through them; how many rows."""
    from matplotlib.lines import Line2D
    from matplotlib.transforms import ScaledTranslation

    named: list[tuple[Any, list[str]]] = []
    for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
        same = (
            pair
            for pair in named
            if isinstance(handle, Line2D)
            and isinstance(pair[0], Line2D)
            and _coincide(handle, pair[0])
        )
        if (twin := next(same, None)) is not None:  # of lines that hide each other the last is left
            twin[0].remove()
            named[named.index(twin)] = handle, [*twin[1], label]
        else:
            named.append((handle, [label]))
    if not named:
        return 0
    labels = [
        names[0] if len(names) == 1 else fill("plots.same", names=" / ".join(names))
        for _, names in named
    ]
    labels = ["\n".join(wrap(label, LETTERS)) for label in labels]
    widest = max(_width(line, SMALL) for label in labels for line in label.splitlines())
    columns = max(1, min(3, int(across // (widest + SAMPLE))))
    page: Any = ax.get_figure(root=True)
    down = BELOW + LEADING * 8.0 * (ax.get_xlabel().count("\n") + 1)
    below = ScaledTranslation(0.0, -down / 72.0, page.dpi_scale_trans)
    ax.legend(
        [handle for handle, _ in named],
        labels,
        loc="upper left",
        ncols=columns,
        bbox_to_anchor=(0.0, 0.0),
        bbox_transform=ax.transAxes + below,
    )
    tallest = max(label.count("\n") + 1 for label in labels)
    return -(-len(labels) // columns) * tallest


def _coincide(first: Line2D, second: Line2D) -> bool:
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


def wrapped(text: str, points: float, size: float, weight: str = "normal") -> str:
    """A text in as few lines of so many points as it needs, all about as long."""
    paragraphs = [TOGETHER.sub("\N{NO-BREAK SPACE}", each) for each in text.splitlines()]
    return "\n".join(_folded(each, points, size, weight) for each in paragraphs)


def _folded(text: str, points: float, size: float, weight: str) -> str:
    found = [""]
    for share in (1.0, 0.9, 0.8, 0.7, 0.6):
        lines = [""]
        for word in text.split(" "):
            longer = f"{lines[-1]} {word}".lstrip()
            if lines[-1] and _width(longer, size, weight) > share * points:
                lines.append(word)
            else:
                lines[-1] = longer
        if share < 1.0 and len(lines) > len(found):
            break
        found = lines
    return "\n".join(found)


@lru_cache(2**12)
def _width(text: str, size: float, weight: str = "normal") -> float:
    """Width of a line in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    face = FontProperties(family="DejaVu Sans", size=size, weight=weight)
    return float(text_to_path.get_text_width_height_descent(text, face, ismath=False)[0])


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


def up_to(probability: float, of: Scale, prior: float = 0.0) -> str:
    """An upper bound as so many in a hundred, thousand or million, with its direction."""
    if prior == 1.0:
        return out_of(prior, of)
    return bounded(probability, upper=True, of=of)


def some(curves: Sequence[Any], example: str, name: str = "curves") -> None:
    """Refuse to draw nothing."""
    if not curves:
        raise InvalidInput(name, None, f"at least one, such as {example}")
