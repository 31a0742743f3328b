"""Around a picture: its point as a title, what is measured, where it is from, and its labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from textwrap import wrap
from typing import Any, Final, ParamSpec

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.textpath import text_to_path
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from dprisk.errors import WrongCall
from dprisk.guarantees.base import Guarantee
from dprisk.mechanisms.base import Mechanism
from dprisk.plots.behind import behind
from dprisk.plots.labels import Tag, label_lines, tag_of
from dprisk.plots.look import GREY, SMALL, Stroke, in_the_look
from dprisk.plots.placing import Wanted, coincide, spots, write
from dprisk.text import fill

WANTED: Final = "_dprisk_wanted"
TITLE: Final = 9.5  # points
SIDE: Final = 7.5
BAR: Final = 44.0  # points, for a bar of colours and its numbers
PAD: Final = 4.0  # points around everything
GAP: Final = 5.0  # points between the parts
LEADING: Final = 1.2
LETTERS: Final = 20  # in a line of a name
TOGETHER: Final = re.compile(r"(?<=\d) (?=in \d)|(?<=\d in) (?=\d)|(?<=[εδρ]) (?==)|(?<==) ")
ROUNDS: Final = 2  # of fitting: then nothing moves any more

Parameters = ParamSpec("Parameters")


def name_line(ax: Axes, text: str, line: Line2D, stroke: Stroke) -> None:
    """Asks for the name of a line beside it; it is written when everything else is there."""
    _wanted(ax).append(Wanted("\n".join(wrap(text, LETTERS)), line, stroke))


def remark(ax: Axes, text: str, line: Line2D, color: str = GREY, *, paper: bool = False) -> None:
    """Asks for words beside a line of reference, or beside a dot."""
    _wanted(ax).append(Wanted(text, line, None, color, paper))


def quietly(draw: Callable[Parameters, Axes]) -> Callable[Parameters, Axes]:
    """Draws in the look of the house, and leaves matplotlib's settings as they were."""

    @wraps(draw)
    def drawn(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Axes:
        _only_curves(draw.__name__, args)
        with in_the_look():
            ax = draw(*args, **kwargs)
            figure = ax.get_figure(root=True)
            if figure is None:
                return ax
            if kwargs.get("ax") is None:
                _alone(ax, figure)
            else:
                _among_others(ax, figure)
            return ax

    return drawn


def wrapped(text: str, points: float, size: float, weight: str = "normal") -> str:
    """A text in as few lines of so many points as it needs, all about as long."""
    if "\n" in text:
        return "\n".join(wrapped(line, points, size, weight) for line in text.splitlines())
    text = TOGETHER.sub("\N{NO-BREAK SPACE}", text)
    best = _lines(text, points, size, weight)
    for share in np.arange(0.96, 0.5, -0.04):
        shorter = _lines(text, share * points, size, weight)
        if len(shorter) > len(best):
            break
        best = shorter
    return "\n".join(best)


def _lines(text: str, points: float, size: float, weight: str) -> list[str]:
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _width(longer, size, weight) <= points:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


@lru_cache(2**12)
def _width(text: str, size: float, weight: str) -> float:
    """Of a line, in points: asked again for every length that is tried."""
    face = FontProperties(family="DejaVu Sans", size=size, weight=weight)
    return float(text_to_path.get_text_width_height_descent(text, face, ismath=False)[0])


def _wanted(ax: Axes) -> list[Wanted]:
    if not hasattr(ax, WANTED):
        setattr(ax, WANTED, [])
    found: list[Wanted] = getattr(ax, WANTED)
    return found


def _only_curves(name: str, given: Sequence[Any]) -> None:
    if name in CURVES and any(isinstance(each, Guarantee | Mechanism) for each in given):
        raise WrongCall(fill("errors.plots.promise", name=name, curve=CURVES[name]))


def _alone(ax: Axes, figure: Figure) -> None:
    """A new figure gets its title, its source and its layout once and for all."""
    one, across = behind(ax)[-1], _points(figure.bbox.width, figure) - 2.0 * PAD
    edge, down = (PAD / _points(size, figure) for size in (figure.bbox.width, figure.bbox.height))
    title = wrapped(one.title, across, TITLE, "bold")
    source = wrapped(one.source, across, SMALL)
    words: dict[str, Any] = {"ha": "left", "linespacing": LEADING}
    figure.text(edge, 1.0 - down, title, va="top", fontsize=TITLE, weight="bold", **words)
    figure.text(edge, down, source, va="bottom", fontsize=SMALL, color=GREY, **words)
    above = PAD + GAP + _height(title, TITLE)
    below = PAD + GAP + _height(source, SMALL)
    ax.set_anchor("NW")
    above += _label_up(ax, figure, edge, across, figure.transFigure)

    def fit() -> None:
        for _ in range(ROUNDS):
            _place(ax, figure, above, below)

    fit()
    _label(ax, fit)
    whole = ax.get_tightbbox()
    spare = 0.0 if whole is None else _points(whole.y0, figure) - below
    if spare > GAP:  # square axes do not fill what is high
        figure.set_figheight(figure.get_figheight() - spare / 72.0)
        for text, at in zip(figure.texts, (1.0, 0.0), strict=True):
            text.set_y(abs(at - PAD / _points(figure.bbox.height, figure)))
        fit()


def _among_others(ax: Axes, figure: Figure) -> None:
    """In a figure of someone's own there is a title for each of the axes, and no source."""
    figure.draw_without_rendering()
    across = _points(ax.bbox.width, figure)
    label = _label_up(ax, figure, 0.0, across, ax.transAxes)
    title = wrapped(behind(ax)[-1].title, across, TITLE, "bold")
    ax.set_title(title, loc="left", fontsize=TITLE, weight="bold", pad=GAP + label)
    figure.draw_without_rendering()
    _label(ax, figure.draw_without_rendering)


def _points(pixels: float, figure: Figure) -> float:
    return pixels / figure.dpi * 72.0


def _height(text: str, size: float) -> float:
    """Of a text in lines, in points."""
    return LEADING * size * (text.count("\n") + 1) if text else 0.0


def _label_up(ax: Axes, figure: Figure, edge: float, across: float, sideways: Any) -> float:
    """What is measured up the side stands above it, where no head is turned; returns its height."""
    label = ax.yaxis.label
    if not ax.axison or not label.get_text():
        return 0.0
    text = wrapped(label.get_text(), across, SIDE)
    label.set(text=text, rotation=0.0, ha="left", va="bottom", fontsize=SIDE, color=GREY)
    above = ScaledTranslation(0.0, GAP / 72.0, figure.dpi_scale_trans)
    ax.yaxis.set_label_coords(
        edge, 1.0, transform=blended_transform_factory(sideways, ax.transAxes + above)
    )
    return GAP + _height(text, SIDE)


def _place(ax: Axes, figure: Figure, above: float, below: float) -> None:
    """Moves the axes so that all that belongs to them is between the title and the source."""
    unit = figure.dpi / 72.0
    bars = [other for other in figure.axes if other is not ax]
    ax.yaxis.label.set_visible(False)  # it has its place already
    ax.apply_aspect()
    whole, box = ax.get_tightbbox(), ax.get_window_extent()
    ax.yaxis.label.set_visible(True)
    if whole is None:
        return
    left, down = box.x0 - whole.x0 + PAD * unit, box.y0 - whole.y0 + below * unit
    right = max(whole.x1 - box.x1, BAR * unit if bars else 0.0) + PAD * unit
    up = max(whole.y1 - box.y1, 0.0) + above * unit
    width, height = figure.bbox.width, figure.bbox.height
    across = max(width - left - right, 0.2 * width)
    tall = max(height - down - up, 0.2 * height)
    ax.set_position((left / width, 1.0 - (up + tall) / height, across / width, tall / height))
    ax.apply_aspect()
    for bar in bars:
        at = ax.get_position()
        bar.set_position((at.x1 + 8.0 * unit / width, at.y0, 8.0 * unit / width, at.height))


def _label(ax: Axes, fit: Callable[[], None]) -> None:
    """Names and remarks where nothing runs through them; at the right where there is no room."""
    wanted = _merged(_wanted(ax))
    found = spots(ax, wanted)
    missing = [one for one, spot in zip(wanted, found, strict=True) if spot is None]
    if any(one.stroke for one in missing):  # half of the names elsewhere would look like a group
        missing += [one for one in wanted if one.stroke and one not in missing]
    missing = [one for one in missing if np.size(one.line.get_xdata()) > 1]
    if missing:
        label_lines(ax, [_tag(ax, one) for one in missing])
        fit()
        wanted = [one for one in wanted if one not in missing]
        found = spots(ax, wanted)
    for one, spot in zip(wanted, found, strict=True):
        if spot is not None:
            write(ax, one, spot)
    _wanted(ax).clear()


def _tag(ax: Axes, one: Wanted) -> Tag:
    x, y = np.asarray(one.line.get_xydata()).T
    reference = Stroke(GREY, one.line.get_linestyle(), one.line.get_linewidth())
    return tag_of(ax, one.text, one.stroke or reference, x, y)


def _merged(wanted: Sequence[Wanted]) -> list[Wanted]:
    """Of lines that hide each other the last is left, and its name is those of all."""
    groups: list[list[Wanted]] = []
    for one in wanted:
        hidden = [each for each in groups if _hides(one, each[-1])]
        if hidden:
            hidden[0][-1].line.remove()
            hidden[0].append(one)
        else:
            groups.append([one])
    return [_named_together(group) for group in groups]


def _hides(one: Wanted, other: Wanted) -> bool:
    return bool(one.stroke and other.stroke) and coincide(one.line, other.line)


def _named_together(group: Sequence[Wanted]) -> Wanted:
    if len(group) == 1:
        return group[0]
    names = " / ".join(" ".join(one.text.split()) for one in group)
    return group[-1]._replace(text="\n".join(wrap(fill("plots.same", names=names), LETTERS)))


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
