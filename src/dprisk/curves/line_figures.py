"""Figures of what a guarantee is as a curve, for one guarantee or several side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, get_args

import numpy as np

from dprisk.curves.figure import attach, figure
from dprisk.curves.lines import Line, attack_line
from dprisk.curves.look import (
    INK,
    SQUARE,
    Stroke,
    axes_for,
    bracket,
    plain_log,
    power_of_ten,
    say_inside,
    stroke,
    unit_square,
)
from dprisk.errors import InvalidInput, one_of
from dprisk.risk.tests import AttackCurve
from dprisk.text import fill, has
from dprisk.text.rounding import at_least, at_most

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

AxisScale = Literal["log", "linear"]
SCALES: Final[tuple[AxisScale, ...]] = get_args(AxisScale)
LOWEST: Final = 1e-12  # of a logarithmic axis
REST: Final = 0.004  # of the height: where every line is lower, nothing is to be seen
LEVEL: Final = 0.05
FEW_POINTS: Final = 25  # points: then each is marked
MARKS: Final = ((1.0, 1.5, 2.0, 3.0, 5.0), (1.0, 2.0, 5.0), (1.0, 3.0))
MOST: Final = 6  # marks of ratios


class _Words(NamedTuple):
    """How lines of one kind are spoken of: keys of the texts of both axes, a column, a subject."""

    across: str
    up: str
    x: str
    what: str = ""
    target: float = 0.0  # a title says from where on a falling line is at most this


WORDS: Final[dict[str, _Words]] = {
    "profile": _Words("nats", "delta", "epsilon", "Delta", 1e-5),
    "tail": _Words("nats", "tail", "epsilon", "larger-loss", 0.05),
    "counterfactual": _Words("log-ratio", "ratio-above", "epsilon", "larger-ratio", 0.05),
    "loss": _Words("failure", "move", "failure"),
    "power": _Words("level", "power", "level"),
    "trade-off": _Words("level", "missed", "level"),
}


@figure
def draw_lines(
    *lines: Line | AttackCurve, scale: AxisScale | None = None, ax: Axes | None = None
) -> Axes:
    """Curves that a guarantee is, for one guarantee or several side by side.

    Parameters
    ----------
    *lines : Line or AttackCurve
        Lines of one kind, or what `Attack.curve` returned; at least one.
    scale : {"log", "linear"}, optional
        Of the probability, where it is against epsilon; left out, ``linear`` for ``counterfactual``
        and ``log`` for ``profile`` and ``tail``.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        A line that leaves the axes at the bottom has come to zero, or below what is shown. In a
        figure of errors or powers of tests, a few levels are joined by steps, on the side that
        holds, and one attack alone has its advantage marked. Where the line of a loss bound is
        missing, no bound holds.

    References
    ----------
    .. [1] P0, Theorem 3.9 and Figure 1 (``loss``).
    .. [2] P1, Definitions 5.2 and 5.7, Figures 1 to 5.

    Examples
    --------
    >>> from dprisk import GaussianDP
    >>> from dprisk.curves import draw_lines, guarantee_line, takeaway
    >>> normal = GaussianDP(1.0, neighbors="add-remove")
    >>> print(takeaway(draw_lines(guarantee_line(normal, "profile", name="normal"))))
    Delta is at most 0.383 at an epsilon of 0 and 6.1e-9 at 5.87 (normal).
    """
    drawn = [attack_line(each) if isinstance(each, AttackCurve) else each for each in lines]
    if not drawn:
        raise InvalidInput("lines", None, "at least one, such as guarantee_line(...)")
    kind = drawn[0].kind if drawn[0].kind != "raw tail" else "tail"
    if scale is not None:
        one_of("scale", scale, SCALES)
        if not WORDS[kind].target:
            raise InvalidInput("scale", scale, f"left out: a figure of kind {kind} has one scale")
    if kind == "loss":
        return _draw_loss(axes_for(ax), drawn)
    if kind in ("power", "trade-off"):
        ax = axes_for(ax, height=SQUARE)
        if len(lines) == 1 and isinstance(lines[0], AttackCurve):
            _advantage(ax, lines[0])
        return _draw_tests(ax, drawn, kind)
    return _draw_falling(
        axes_for(ax), drawn, kind, scale or ("linear" if kind == "counterfactual" else "log")
    )


def _draw_falling(ax: Axes, lines: Sequence[Line], kind: str, scale: AxisScale) -> Axes:
    """A probability against epsilon."""
    words = WORDS[kind]
    _limits(ax, lines, scale)
    scaled = fill("plots.lines.scaled") if scale == "log" else ""
    seen = fill(f"plots.lines.{'ratio' if kind == 'counterfactual' else kind}")
    said = fill("plots.lines.seen", seen=seen, range=_range(lines), scaled=scaled)
    what = fill(f"plots.lines.{words.what}") if kind != "profile" else words.what
    takeaway = fill("plots.said.two-ends", what=what, joined=_joined(lines, _ends_in_words))
    _trace(ax, lines, kind, _title(lines, kind), said, takeaway)
    if kind == "counterfactual":
        named = _plain_ratio(lines, _reached(lines, words.target)[0])
        ax.set_xlim(right=max(float(ax.get_xlim()[1]), named * 1.02))
        _as_ratios(ax.xaxis)
    return ax


def _draw_loss(ax: Axes, lines: Sequence[Line]) -> Axes:
    """By how much the log-odds move, against the probability that the bound fails."""
    ax.set_xscale("log")
    bounded = [(line, np.isfinite(line.value)) for line in lines]
    positive = np.concatenate([line.x[(line.x > 0.0) & known] for line, known in bounded])
    ax.set_xlim(*_apart(positive.min(initial=1.0), positive.max(initial=LOWEST)))
    tops = np.concatenate([line.value[known] for line, known in bounded])
    if not tops.size:
        say_inside(ax, fill("plots.lines.no-bound"))
    ax.set_ylim(0.0, max(float(tops.max(initial=0.0)) * 1.1, 0.1))
    plain_log(ax.xaxis)
    said = fill("plots.lines.seen-loss", range=_range(lines))
    words = fill("plots.lines.loss", joined=_joined(lines, _loss_in_words))
    return _trace(ax, lines, "loss", _title_loss(lines), said, words)


def _draw_tests(ax: Axes, lines: Sequence[Line], kind: str) -> Axes:
    """Powers of tests, or their two errors against each other, in the unit square."""
    rising = kind == "power"
    end = "" if rising else "-missed"
    in_words = _power_in_words if rising else _missed_in_words
    words = fill(f"plots.power.said{end}", joined=_joined(lines, in_words))
    title = _title_at_level(lines, rising=rising)
    _trace(ax, lines, kind, title, fill(f"plots.power.seen{end}"), words, steps=True)
    unit_square(ax, fill("plots.guessing"), rising=rising)
    return ax


def _trace(
    ax: Axes,
    lines: Sequence[Line],
    kind: str,
    title: str,
    said: str,
    words: str,
    *,
    steps: bool = False,
) -> Axes:
    """Draw the lines; keep the table."""
    rows: list[tuple[Any, ...]] = []
    for number, line in enumerate(lines):
        _draw(ax, line, stroke(number), _named(line) if len(lines) > 1 else f"_{line.name}", steps)
        ends = ([None] * line.x.size if y is None else y.tolist() for y in (line.lower, line.upper))
        rows += [(line.name, *row) for row in zip(line.x.tolist(), *ends, strict=True)]
    picture = WORDS[kind]
    ax.set_xlabel(fill(f"plots.axis.{picture.across}"))
    ax.set_ylabel(fill(f"plots.axis.{picture.up}"))
    columns = ("line", picture.x, "at least", "at most")
    return attach(ax, title, words, said, columns, rows, [line.theorem for line in lines])


def _draw(ax: Axes, line: Line, one: Stroke, label: str, steps: bool) -> None:
    from matplotlib.transforms import Bbox, TransformedBbox

    order = np.argsort(line.x, kind="stable")
    x, y = line.x[order], line.value[order]
    few = x.size <= FEW_POINTS
    marker: dict[str, Any] = {"marker": "o", "markersize": 3.0} if few else {}
    style = "steps-pre" if few and steps else "default"
    y = np.where(np.isfinite(y), y, np.nan)
    (drawn,) = ax.plot(x, y, label=label, drawstyle=style, **one.kwargs(), **marker)
    room = Bbox([[0.0, -0.02], [1.001, 1.02]])  # of the axes: lines at their edges are whole
    drawn.set_clip_box(TransformedBbox(room, ax.transAxes))
    if line.lower is not None and line.upper is not None:
        low, high = (np.where(np.isfinite(y), y, np.nan)[order] for y in (line.lower, line.upper))
        bracket(ax, x, high, low, one.color)


# --- what lines say ------------------------------------------------------------------------------


def _named(line: Line) -> str:
    """The name of a line, in words where it is that of an adversary."""
    known = f"plots.adversary.{line.name}"
    return fill(known) if has(known) else line.name


def _joined(lines: Sequence[Line], words: Callable[[Line], str]) -> str:
    """Words about each line, with its name, in one sentence."""
    return "; ".join(
        fill("plots.said.named", words=words(line), name=_named(line)) for line in lines
    )


def _ends_in_words(line: Line) -> str:
    """A falling quantity at both ends."""
    y, first, last = line.value, int(np.argmin(line.x)), int(np.argmax(line.x))
    values, where = ([at_most(float(of[at])) for at in (first, last)] for of in (y, line.x))
    start = fill("plots.said.falls", at_most=values[0], where=where[0])
    if first == last:
        return start
    return fill("plots.said.falls-to", start=start, at_most=values[1], where=where[1])


def _loss_in_words(line: Line) -> str:
    y = line.value
    known = np.flatnonzero(np.isfinite(y))
    if not known.size:
        return fill("plots.said.endless")
    first, last = (int(known[pick(line.x[known])]) for pick in (np.argmin, np.argmax))
    start, rest = (
        fill(key, loss=at_most(float(y[at])), failure=at_most(float(line.x[at])))
        for key, at in (("plots.said.loss", first), ("plots.said.loss-to", last))
    )
    return start if first == last else fill("plots.said.and", start=start, rest=rest)


def _power_in_words(line: Line) -> str:
    at = _at_level(line)
    value, level = at_most(float(line.value[at])), at_least(float(line.x[at]))
    return fill("plots.said.power", at_most=value, at_least=level)


def _missed_in_words(line: Line) -> str:
    at = _at_level(line)
    value, level = at_least(float(line.value[at])), at_least(float(line.x[at]))
    return fill("plots.said.missed", value=value, level=level)


def _at_level(line: Line) -> int:
    """The place of a level of 0.05, or the nearest."""
    return int(np.argmin(np.abs(line.x - LEVEL)))


def _range(lines: Sequence[Line]) -> str:
    xs = np.concatenate([line.x for line in lines])
    return fill("plots.lines.range", min=f"{xs.min():.3g}", max=f"{xs.max():.3g}")


def _title(lines: Sequence[Line], kind: str) -> str:
    """The title: from where on every line is low, with the lowest and the highest there."""
    x, value = _reached(lines, WORDS[kind].target)
    if kind == "counterfactual":
        x = _plain_ratio(lines, x)
    where = at_most(float(np.exp(min(x, 700.0))) if kind == "counterfactual" else x)
    here = [(float(_upper_at(line, x)), line) for line in lines]
    said = _several(here)
    if said is None:
        return fill(f"plots.lines.title-{kind}", value=at_most(value), x=where)
    return fill(f"plots.lines.title-{kind}.several", x=where, **said)


def _plain_ratio(lines: Sequence[Line], x: float) -> float:
    """The first shared point from `x` on at a ratio of 1, 2 or 5 times a power of ten, else `x`."""
    shared = set.intersection(*({*line.x.tolist()} for line in lines))
    ratios = ((at, f"{math.exp(at):.12g}") for at in sorted(shared) if x <= at < 700.0)
    return next((at for at, said in ratios if said.rstrip("0") in {"1", "2", "5"}), x)


def _upper_at(line: Line, x: float) -> float:
    """A falling line at a place: what it is at the last point before bounds it."""
    return float(line.value[line.x <= x].min(initial=1.0))


def _several(here: Sequence[tuple[float, Line]]) -> dict[str, str] | None:
    """The least and the largest of several values with the names of their lines."""
    mild, strong = (pick(here, key=lambda pair: pair[0]) for pick in (min, max))
    if at_most(mild[0]) == at_most(strong[0]):
        return None
    return {
        "least": at_most(mild[0]),
        "mild": _named(mild[1]),
        "most": at_most(strong[0]),
        "strong": _named(strong[1]),
    }


def _title_loss(lines: Sequence[Line]) -> str:
    """The title: the loss that is kept but for one case in twenty."""
    found = [(_at_level(line), line) for line in lines]
    failure = max(float(line.x[at]) for at, line in found)
    here = [(float(line.value[at]), line) for at, line in found]
    if not np.isfinite([move for move, _ in here]).all():
        return fill("plots.lines.title-loss.none")
    said = _several(here)
    if said is None:
        most = at_most(max(move for move, _ in here))
        return fill("plots.lines.title-loss", value=most, x=at_most(failure))
    return fill("plots.lines.title-loss.several", x=at_most(failure), **said)


def _title_at_level(lines: Sequence[Line], *, rising: bool) -> str:
    """The title: values of the lines near a level of 0.05, at the lowest of their levels there."""
    key, rounded = ("title", at_most) if rising else ("title-missed", at_least)
    at = [_at_level(line) for line in lines]
    level = at_least(min(float(line.x[n]) for line, n in zip(lines, at, strict=True)))
    found = [(float(line.value[n]), line) for line, n in zip(lines, at, strict=True)]
    low, high = (pick(found, key=lambda pair: pair[0]) for pick in (min, max))
    least, most = rounded(low[0]), rounded(high[0])
    if least == most:
        return fill(f"plots.power.{key}", level=level, value=least)
    mild, strong = (low, high) if rising else (high, low)
    names = {"mild": _named(mild[1]), "strong": _named(strong[1])}
    return fill(f"plots.power.{key}.several", level=level, least=least, most=most, **names)


def _advantage(ax: Axes, curve: AttackCurve) -> None:
    """The largest distance from guessing, where it is known at which level."""
    gain = float(curve.advantage)
    low, high = curve.best_level.bracket
    if low is None or high is None or high - low > 0.01 or gain <= 0.0:
        return
    at = float(curve.best_level)
    said = fill("plots.power.advantage", most=at_most(gain))
    ax.plot([at, at], [at, min(at + gain, 1.0)], color=INK, linewidth=1.0, label=said)


# --- axes ----------------------------------------------------------------------------------------


def _reached(lines: Sequence[Line], target: float) -> tuple[float, float]:
    """Lines fall, so that each is at most the target from its first such point on."""
    firsts, ends = [], []
    for line in lines:
        low = line.x[line.value <= target]
        firsts.append(float(low.min(initial=np.inf)))
        last = int(np.argmax(line.x))
        ends.append((float(line.x[last]), float(line.value[last])))
    if max(firsts) < np.inf:
        return max(firsts), target
    return max(x for x, _ in ends), max(y for _, y in ends)


def _limits(ax: Axes, lines: Sequence[Line], scale: AxisScale) -> None:
    """Limits of a probability against epsilon."""
    values = np.concatenate([line.value for line in lines])
    lowest = REST * float(values.max(initial=0.0)) if scale == "linear" else LOWEST
    ax.set_xlim(0.0, _right(lines, lowest) or 1.0)
    if scale == "linear":
        ax.set_ylim(0.0, 1.02 if values.max(initial=0.0) > 0.5 else max(values.max(), 1e-9) * 1.05)
        if values.max(initial=0.0) > 0.5:
            ax.set_yticks(np.linspace(0.0, 1.0, 6))
        return
    seen = values[values >= LOWEST]
    if not seen.size:
        ax.set_ylim(0.0, 0.1)
        say_inside(
            ax,
            fill("plots.lines.zero")
            if not values.any()
            else fill("plots.lines.below", lowest=f"{LOWEST:g}"),
        )
        return
    ax.set_yscale("log")
    ax.set_ylim(*_apart(float(seen.min(initial=1.0)) / 1.5, float(seen.max(initial=LOWEST)) * 1.5))
    plain_log(ax.yaxis)


def _right(lines: Sequence[Line], lowest: float) -> float:
    """The right end of the axis, where the last line has come to rest."""
    ends = [float(line.x[line.value <= lowest].min(initial=np.inf)) for line in lines]
    whole = max(float(line.x.max(initial=0.0)) for line in lines)
    return min(1.05 * max(ends), whole)


def _apart(low: float, high: float) -> tuple[float, float]:
    """Limits of a logarithmic axis that do not coincide."""
    if low >= high:
        return min(low, high) / 10.0, min(max(low, high), 1.0)
    return max(low, high * 1e-30), high


def _as_ratios(axis: Axis) -> None:
    """Marks where the ratio itself is a plain number, a few of them."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

    last = float(axis.get_view_interval()[1])
    decades = int(last / math.log(10.0)) + 1
    every = -(-decades // MOST)
    marks = (
        MARKS
        if last > 1.1  # nats: below, equal steps are plainer
        else (MaxNLocator(MOST - 1, steps=[1, 2, 5, 10]).tick_values(1.0, math.exp(last)),)
    )
    for steps in (*marks, (1.0,)):
        powers = range(0, decades, every if len(steps) == 1 else 1)
        ratios = [float(step) * 10.0**power for power in powers for step in steps if step >= 1.0]
        shown = [ratio for ratio in ratios if math.log(ratio) <= last]
        if len(shown) <= MOST:
            break
    if len(shown) > 4 and shown[-1] >= 1e4:  # long numbers need room
        shown = shown[::2]
    axis.set_major_locator(FixedLocator([math.log(ratio) for ratio in shown]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: _ratio_text(math.exp(value))))


def _ratio_text(ratio: float) -> str:
    """A ratio at an axis; a power of ten where it is large."""
    if ratio < 99_999.0:
        return f"{ratio:.4g}" if ratio < 999.5 else f"{ratio:,.0f}"
    return power_of_ten(ratio)
