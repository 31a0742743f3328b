"""Figures of what a guarantee is as a curve, for one guarantee or several side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol, get_args

import numpy as np

from dprisk._checks import one_of
from dprisk._numeric.logspace import Floats
from dprisk.curves.figure import attach, bracket, figure, some
from dprisk.curves.lines import Line, attack_line
from dprisk.curves.look import (
    INK,
    SQUARE,
    Stroke,
    axes_for,
    plain_log,
    power_of_ten,
    say_inside,
    stroke,
    unit_square,
)
from dprisk.risk.tests import AttackCurve
from dprisk.text import fill, has
from dprisk.text.rounding import at_least, at_most
from dprisk.theorems import Theorem

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

AxisScale = Literal["log", "linear"]
SCALES: Final[tuple[AxisScale, ...]] = get_args(AxisScale)
EXAMPLE: Final = "guarantee_line(...)"
LOWEST: Final = 1e-12  # of a logarithmic axis
REST: Final = 0.004  # of the height: where every line is lower, nothing is to be seen
LEVEL: Final = 0.05
FEW_POINTS: Final = 25  # points: then each is marked
TARGETS: Final = {"profile": 1e-5, "tail": 0.05, "counterfactual": 0.05}

MARKS: Final = ((1.0, 1.5, 2.0, 3.0, 5.0), (1.0, 2.0, 5.0), (1.0, 3.0))
MOST: Final = 6  # marks of ratios
NARROW: Final = 1.1  # nats: there equal steps are plainer
LARGE: Final = 99_999.0
FEW: Final = 4  # marks, where they are long
LONG: Final = 1e4


class Drawable(Protocol):
    """A `Line`, or anything else with its name and its numbers."""

    @property
    def name(self) -> str:
        """The name of the line."""

    @property
    def theorem(self) -> Theorem:
        """The theorem behind the line."""

    @property
    def x(self) -> Floats:
        """Points across."""

    @property
    def lower(self) -> Floats | None:
        """Lower ends, where they are known."""

    @property
    def upper(self) -> Floats | None:
        """Upper ends, where they are known."""


class LineWords(NamedTuple):
    """The meaning of a kind of line: keys of the words at its axes, and columns of its table."""

    across: str
    up: str
    x: str
    y: str


PROFILE: Final = LineWords("plots.axis.nats", "plots.axis.delta", "epsilon", "delta")
TAIL: Final = LineWords("plots.axis.nats", "plots.axis.tail", "epsilon", "probability")
COUNTERFACTUAL: Final = LineWords(
    "plots.axis.log-ratio", "plots.axis.ratio-above", "epsilon", "probability"
)
LOSS: Final = LineWords("plots.axis.failure", "plots.axis.move", "failure", "epsilon")
POWER: Final = LineWords("plots.axis.level", "plots.axis.power", "level", "power")
TRADE_OFF: Final = LineWords("plots.axis.level", "plots.axis.missed", "level", "error")


@figure
def draw_profile(*lines: Drawable, scale: AxisScale = "log", ax: Axes | None = None) -> Axes:
    """The (epsilon, delta) curve of guarantees.

    Parameters
    ----------
    *lines : Line
        Of kind ``profile``; at least one.
    scale : {"log", "linear"}
        Of delta.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        A line that leaves the axes at the bottom has come to zero, or below what is shown.

    References
    ----------
    .. [1] P1, Figure 1.

    Examples
    --------
    >>> from dprisk import GaussianDP
    >>> from dprisk.curves import guarantee_line
    >>> from dprisk.curves import draw_profile, takeaway
    >>> line = guarantee_line(GaussianDP(1.0, neighbors="add-remove"), "profile", name="normal")
    >>> print(takeaway(draw_profile(line)))
    Delta is at most 0.383 at an epsilon of 0 and 6.1e-9 at 5.87 (normal).
    """
    seen = fill("plots.lines.profile")
    return _falling(ax, lines, scale, "profile", PROFILE, (seen, "Delta"))


@figure
def draw_tail(*lines: Drawable, scale: AxisScale = "log", ax: Axes | None = None) -> Axes:
    """How likely the privacy loss is larger than epsilon: pbdp, or the raw tail.

    Parameters
    ----------
    *lines : Line
        Of kind ``tail`` or ``raw tail``; at least one.
    scale : {"log", "linear"}
        Of the probability.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        One falling line for each.

    References
    ----------
    .. [1] P1, Definition 5.2 and Figure 1.

    Examples
    --------
    >>> from dprisk import GaussianDP
    >>> from dprisk.curves import guarantee_line
    >>> from dprisk.curves import draw_tail, takeaway
    >>> line = guarantee_line(GaussianDP(1.0, neighbors="add-remove"), "tail", [1.0, 4.0], name="N")
    >>> print(takeaway(draw_tail(line)))
    The probability of a larger loss is at most 0.583 at an epsilon of 1 and 0.000554 at 4 (N).
    """
    words = fill("plots.lines.tail"), fill("plots.lines.larger-loss")
    return _falling(ax, lines, scale, "tail", TAIL, words)


@figure
def draw_counterfactual(
    *lines: Drawable, scale: AxisScale = "linear", ax: Axes | None = None
) -> Axes:
    """How likely the posterior with a record is more than e^epsilon times that without it.

    Parameters
    ----------
    *lines : Line
        Of kind ``counterfactual``, or those of a figure of the Census; at least one.
    scale : {"log", "linear"}
        Of the probability.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        One falling line for each.

    References
    ----------
    .. [1] P1, Figures 3 to 5.

    Examples
    --------
    >>> from dprisk import ZeroConcentratedDP, counterfactual
    >>> from dprisk.curves import counterfactual_line
    >>> from dprisk.curves import draw_counterfactual, takeaway
    >>> census = ZeroConcentratedDP(2.63, neighbors="replace-one")
    >>> learned = counterfactual(census, adversary="true-record")
    >>> print(takeaway(draw_counterfactual(counterfactual_line(learned, [0.0, 5.0, 10.0]))))
    The probability of a larger ratio is at most 1 at an epsilon of 0 and 0.00573 at 10 \
(asks about your true record).
    """
    words = fill("plots.lines.ratio"), fill("plots.lines.larger-ratio")
    drawn = _falling(ax, lines, scale, "counterfactual", COUNTERFACTUAL, words)
    named_in_title = _plain_ratio(lines, _reached(lines, TARGETS["counterfactual"])[0])
    drawn.set_xlim(right=max(float(drawn.get_xlim()[1]), named_in_title * 1.02))
    _as_ratios(drawn.xaxis)
    return drawn


@figure
def draw_loss_bound(*lines: Drawable, ax: Axes | None = None) -> Axes:
    """By how much the log-odds move, against the probability that the bound fails.

    Parameters
    ----------
    *lines : Line
        Of kind ``loss``; at least one.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        One falling line for each, on a logarithmic scale of probabilities. Where the line is
        missing, no bound holds.

    References
    ----------
    .. [1] P0, Theorem 3.9 and Figure 1.

    Examples
    --------
    >>> from dprisk import ApproxDP
    >>> from dprisk.curves import guarantee_line
    >>> from dprisk.curves import draw_loss_bound, takeaway
    >>> promised = ApproxDP(1.0, 1e-6, neighbors="add-remove")
    >>> line = guarantee_line(promised, "loss", [1e-7, 1e-5, 0.05], name="promise")
    >>> print(takeaway(draw_loss_bound(line)))
    The move of the log-odds is at most 1.15 nats except with probability 0.00001 and 1.01 except \
with probability 0.05 (promise).
    """
    some(lines, EXAMPLE, "lines")
    ax = axes_for(ax)
    ax.set_xscale("log")
    bounded = [(line, np.isfinite(certain(line))) for line in lines]
    positive = np.concatenate([line.x[(line.x > 0.0) & known] for line, known in bounded])
    ax.set_xlim(*_apart(positive.min(initial=1.0), positive.max(initial=LOWEST)))
    tops = np.concatenate([certain(line)[known] for line, known in bounded])
    if not tops.size:
        say_inside(ax, fill("plots.lines.no-bound"))
    ax.set_ylim(0.0, max(float(tops.max(initial=0.0)) * 1.1, 0.1))
    plain_log(ax.xaxis)
    said = fill("plots.lines.seen-loss", range=_range(lines))
    words = fill("plots.lines.loss", joined=_joined(lines, _loss_in_words))
    return _trace(ax, lines, LOSS, _title_loss(lines), said, words)


@figure
def draw_power(*curves: Drawable | AttackCurve, ax: Axes | None = None) -> Axes:
    """The power of tests against their level.

    Parameters
    ----------
    *curves : Line or AttackCurve
        Lines of kind ``power``, or what `Attack.curve` returned; at least one.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        Concave curves above the diagonal of guessing. A few levels are marked and joined by steps:
        between two levels the power at the upper one is the bound. One attack alone has its
        advantage marked.

    References
    ----------
    .. [1] P1, Section 6 and Figure 2.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.curves import draw_power, takeaway
    >>> from dprisk.risk import attack
    >>> curve = attack(PureDP(1.0, neighbors="add-remove")).curve()
    >>> takeaway(draw_power(curve))
    'The power of a test is at most 0.129 at a level of 0.0474 (membership).'
    """
    lines = [attack_line(each) if isinstance(each, AttackCurve) else each for each in curves]
    some(lines, EXAMPLE, "lines")
    ax = axes_for(ax, height=SQUARE)
    if len(curves) == 1 and isinstance(curves[0], AttackCurve):
        _advantage(ax, curves[0])
    words = fill("plots.power.said", joined=_joined(lines, _power_in_words))
    title = _title_at_level("title", lines, at_most, "mild", "strong")
    _trace(ax, lines, POWER, title, fill("plots.power.seen"), words, steps=True)
    unit_square(ax, fill("plots.guessing"), rising=True)
    return ax


@figure
def draw_trade_off(*lines: Drawable, ax: Axes | None = None) -> Axes:
    """The two errors of tests against each other: f-DP.

    Parameters
    ----------
    *lines : Line
        Of kind ``trade-off``; at least one.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        Convex curves below the diagonal of guessing; lower lines reveal more. A few levels are
        joined by steps, on the side that holds.

    References
    ----------
    .. [1] P1, Definition 5.7.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.curves import guarantee_line
    >>> from dprisk.curves import draw_trade_off, takeaway
    >>> promised = PureDP(1.0, neighbors="add-remove")
    >>> line = guarantee_line(promised, "trade-off", [0.05, 0.5], name="pure")
    >>> takeaway(draw_trade_off(line))
    'The false negative rate of a test is at least 0.864 at a level of 0.05 (pure).'
    """
    some(lines, EXAMPLE, "lines")
    ax = axes_for(ax, height=SQUARE)
    words = fill("plots.power.said-missed", joined=_joined(lines, _missed_in_words))
    title = _title_at_level("title-missed", lines, at_least, "strong", "mild")
    _trace(ax, lines, TRADE_OFF, title, fill("plots.power.seen-missed"), words, steps=True)
    unit_square(ax, fill("plots.guessing"), rising=False)
    return ax


def certain(line: Drawable) -> Floats:
    """The end of the bracket that is the promise."""
    if isinstance(line, Line):
        return line.value
    return line.upper if line.upper is not None else np.asarray(line.lower)


def _falling(
    ax: Axes | None,
    lines: Sequence[Drawable],
    scale: AxisScale,
    kind: str,
    picture: LineWords,
    words: tuple[str, str],
) -> Axes:
    """A probability against epsilon."""
    ax = axes_for(ax)
    some(lines, EXAMPLE, "lines")
    one_of("scale", scale, SCALES)
    _limits(ax, lines, scale)
    seen, what = words
    scaled = fill("plots.lines.scaled") if scale == "log" else ""
    said = fill("plots.lines.seen", seen=seen, range=_range(lines), scaled=scaled)
    takeaway = fill("plots.said.two-ends", what=what, joined=_joined(lines, _ends_in_words))
    return _trace(ax, lines, picture, _title(lines, kind), said, takeaway)


def _trace(
    ax: Axes,
    lines: Sequence[Drawable],
    picture: LineWords,
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
    ax.set_xlabel(fill(picture.across))
    ax.set_ylabel(fill(picture.up))
    columns = ("line", picture.x, "at least", "at most")
    return attach(ax, title, words, said, columns, rows, [line.theorem for line in lines])


def _draw(ax: Axes, line: Drawable, one: Stroke, label: str, steps: bool) -> None:
    from matplotlib.transforms import Bbox, TransformedBbox

    order = np.argsort(line.x, kind="stable")
    x, y = line.x[order], certain(line)[order]
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


def _named(line: Drawable) -> str:
    """The name of a line, in words where it is that of an adversary."""
    known = f"plots.adversary.{line.name}"
    return fill(known) if has(known) else line.name


def _joined(lines: Sequence[Drawable], words: Callable[[Drawable], str]) -> str:
    """Words about each line, with its name, in one sentence."""
    return "; ".join(
        fill("plots.said.named", words=words(line), name=_named(line)) for line in lines
    )


def _ends_in_words(line: Drawable) -> str:
    """A falling quantity at both ends."""
    y, first, last = certain(line), int(np.argmin(line.x)), int(np.argmax(line.x))
    values, where = ([at_most(float(of[at])) for at in (first, last)] for of in (y, line.x))
    start = fill("plots.said.falls", at_most=values[0], where=where[0])
    if first == last:
        return start
    return fill("plots.said.falls-to", start=start, at_most=values[1], where=where[1])


def _loss_in_words(line: Drawable) -> str:
    y = certain(line)
    known = np.flatnonzero(np.isfinite(y))
    if not known.size:
        return fill("plots.said.endless")
    first, last = (int(known[pick(line.x[known])]) for pick in (np.argmin, np.argmax))
    start, rest = (
        fill(key, loss=at_most(float(y[at])), failure=at_most(float(line.x[at])))
        for key, at in (("plots.said.loss", first), ("plots.said.loss-to", last))
    )
    return start if first == last else fill("plots.said.and", start=start, rest=rest)


def _power_in_words(line: Drawable) -> str:
    at = _at_level(line)
    value, level = at_most(float(certain(line)[at])), at_least(float(line.x[at]))
    return fill("plots.said.power", at_most=value, at_least=level)


def _missed_in_words(line: Drawable) -> str:
    at = _at_level(line)
    value, level = at_least(float(certain(line)[at])), at_least(float(line.x[at]))
    return fill("plots.said.missed", value=value, level=level)


def _at_level(line: Drawable) -> int:
    """The place of a level of 0.05, or the nearest."""
    return int(np.argmin(np.abs(line.x - LEVEL)))


def _range(lines: Sequence[Drawable]) -> str:
    xs = np.concatenate([line.x for line in lines])
    return fill("plots.lines.range", min=f"{xs.min():.3g}", max=f"{xs.max():.3g}")


def _title(lines: Sequence[Drawable], kind: str) -> str:
    """The title: from where on every line is low, with the lowest and the highest there."""
    x, value = _reached(lines, TARGETS[kind])
    if kind == "counterfactual":
        x = _plain_ratio(lines, x)
    where = at_most(float(np.exp(min(x, 700.0))) if kind == "counterfactual" else x)
    here = [(float(_upper_at(line, x)), line) for line in lines]
    said = _several(here)
    if said is None:
        return fill(f"plots.lines.title-{kind}", value=at_most(value), x=where)
    return fill(f"plots.lines.title-{kind}.several", x=where, **said)


def _plain_ratio(lines: Sequence[Drawable], x: float) -> float:
    """The first shared point from `x` on at a ratio of 1, 2 or 5 times a power of ten, else `x`."""
    shared = set.intersection(*({*line.x.tolist()} for line in lines))
    ratios = ((at, f"{math.exp(at):.12g}") for at in sorted(shared) if x <= at < 700.0)
    return next((at for at, said in ratios if said.rstrip("0") in {"1", "2", "5"}), x)


def _upper_at(line: Drawable, x: float) -> float:
    """A falling line at a place: what it is at the last point before bounds it."""
    return float(certain(line)[line.x <= x].min(initial=1.0))


def _several(here: Sequence[tuple[float, Drawable]]) -> dict[str, str] | None:
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


def _title_loss(lines: Sequence[Drawable]) -> str:
    """The title: the loss that is kept but for one case in twenty."""
    found = [(_at_level(line), line) for line in lines]
    failure = max(float(line.x[at]) for at, line in found)
    here = [(float(certain(line)[at]), line) for at, line in found]
    if not np.isfinite([move for move, _ in here]).all():
        return fill("plots.lines.title-loss.none")
    said = _several(here)
    if said is None:
        most = at_most(max(move for move, _ in here))
        return fill("plots.lines.title-loss", value=most, x=at_most(failure))
    return fill("plots.lines.title-loss.several", x=at_most(failure), **said)


def _title_at_level(
    key: str, lines: Sequence[Drawable], rounded: Callable[[float], str], *who: str
) -> str:
    """The title: values of the lines near a level of 0.05, at the lowest of their levels there."""
    at = [_at_level(line) for line in lines]
    level = at_least(min(float(line.x[n]) for line, n in zip(lines, at, strict=True)))
    values = [float(certain(line)[n]) for line, n in zip(lines, at, strict=True)]
    ends = [values.index(end(values)) for end in (min, max)]
    least, most = (rounded(values[n]) for n in ends)
    if least == most:
        return fill(f"plots.power.{key}", level=level, value=least)
    names = {name: _named(lines[n]) for name, n in zip(who, ends, strict=True)}
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


def _reached(lines: Sequence[Drawable], target: float) -> tuple[float, float]:
    """Lines fall, so that each is at most the target from its first such point on."""
    firsts, ends = [], []
    for line in lines:
        low = line.x[certain(line) <= target]
        firsts.append(float(low.min(initial=np.inf)))
        last = int(np.argmax(line.x))
        ends.append((float(line.x[last]), float(certain(line)[last])))
    if max(firsts) < np.inf:
        return max(firsts), target
    return max(x for x, _ in ends), max(y for _, y in ends)


def _limits(ax: Axes, lines: Sequence[Drawable], scale: AxisScale) -> None:
    """Limits of a probability against epsilon."""
    values = np.concatenate([certain(line) for line in lines])
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


def _right(lines: Sequence[Drawable], lowest: float) -> float:
    """The right end of the axis, where the last line has come to rest."""
    ends = [float(line.x[certain(line) <= lowest].min(initial=np.inf)) for line in lines]
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
        if last > NARROW
        else (MaxNLocator(MOST - 1, steps=[1, 2, 5, 10]).tick_values(1.0, math.exp(last)),)
    )
    for steps in (*marks, (1.0,)):
        powers = range(0, decades, every if len(steps) == 1 else 1)
        ratios = [float(step) * 10.0**power for power in powers for step in steps if step >= 1.0]
        shown = [ratio for ratio in ratios if math.log(ratio) <= last]
        if len(shown) <= MOST:
            break
    if len(shown) > FEW and shown[-1] >= LONG:  # long numbers need room
        shown = shown[::2]
    axis.set_major_locator(FixedLocator([math.log(ratio) for ratio in shown]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: _ratio_text(math.exp(value))))


def _ratio_text(ratio: float) -> str:
    """A ratio at an axis; a power of ten where it is large."""
    if ratio < LARGE:
        return f"{ratio:.4g}" if ratio < 999.5 else f"{ratio:,.0f}"
    return power_of_ten(ratio)
