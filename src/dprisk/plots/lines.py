"""Pictures of what a guarantee is as a curve, for one guarantee or several side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal, get_args

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

from dprisk._checks import one_of
from dprisk.plots.frame import quietly
from dprisk.plots.labels import RAISED, plain_log, say_inside
from dprisk.plots.look import axes_for
from dprisk.plots.saying import Drawable, at_level, certain, joined, loss, named, two_ends
from dprisk.plots.tracing import LineWords, some, trace
from dprisk.text import fill
from dprisk.text.rounding import at_most

Scale = Literal["log", "linear"]
SCALES: Final[tuple[Scale, ...]] = get_args(Scale)
LOWEST: Final = 1e-12  # of a logarithmic axis

MARKS: Final = ((1.0, 1.5, 2.0, 3.0, 5.0), (1.0, 2.0, 5.0), (1.0, 3.0))
MOST: Final = 6  # marks of ratios
NARROW: Final = 1.1  # nats: there equal steps are plainer
LARGE: Final = 99_999.0
FEW: Final = 4  # marks, where they are long
LONG: Final = 1e4
REST: Final = 0.004  # of the height: where every line is lower, nothing is to be seen
TARGETS: Final = {"profile": 1e-5, "tail": 0.05, "counterfactual": 0.05}

PROFILE: Final = LineWords("plots.axis.nats", "plots.axis.delta", "epsilon", "delta")
TAIL: Final = LineWords("plots.axis.nats", "plots.axis.tail", "epsilon", "probability")
COUNTERFACTUAL: Final = LineWords(
    "plots.axis.log-ratio", "plots.axis.ratio-above", "epsilon", "probability"
)
LOSS: Final = LineWords("plots.axis.failure", "plots.axis.move", "failure", "epsilon")


@quietly
def draw_profile(*lines: Drawable, scale: Scale = "log", ax: Axes | None = None) -> Axes:
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

    Raises
    ------
    InvalidInput
        If there is nothing to draw, or `scale` is neither word.

    References
    ----------
    .. [1] P1, Figure 1.

    Examples
    --------
    >>> from dprisk import GaussianDP
    >>> from dprisk.curves import guarantee_line
    >>> from dprisk.plots import draw_profile, takeaway
    >>> line = guarantee_line(GaussianDP(1.0, neighbors="add-remove"), "profile", name="normal")
    >>> print(takeaway(draw_profile(line)))
    Delta is at most 0.383 at an epsilon of 0 and 6.1e-9 at 5.87 (normal).
    """
    return _falling(ax, lines, scale, "profile", PROFILE, fill("plots.lines.profile"), "Delta")


@quietly
def draw_tail(*lines: Drawable, scale: Scale = "log", ax: Axes | None = None) -> Axes:
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

    Raises
    ------
    InvalidInput
        If there is nothing to draw, or `scale` is neither word.

    References
    ----------
    .. [1] P1, Definition 5.2 and Figure 1.

    Examples
    --------
    >>> from dprisk import GaussianDP
    >>> from dprisk.curves import guarantee_line
    >>> from dprisk.plots import draw_tail, takeaway
    >>> line = guarantee_line(GaussianDP(1.0, neighbors="add-remove"), "tail", [1.0, 4.0], name="N")
    >>> print(takeaway(draw_tail(line)))
    The probability of a larger loss is at most 0.583 at an epsilon of 1 and 0.000554 at 4 (N).
    """
    seen = fill("plots.lines.tail")
    return _falling(ax, lines, scale, "tail", TAIL, seen, fill("plots.lines.larger-loss"))


@quietly
def draw_counterfactual(*lines: Drawable, scale: Scale = "linear", ax: Axes | None = None) -> Axes:
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

    Raises
    ------
    InvalidInput
        If there is nothing to draw, or `scale` is neither word.

    References
    ----------
    .. [1] P1, Figures 3 to 5.

    Examples
    --------
    >>> from dprisk import ZeroConcentratedDP, counterfactual
    >>> from dprisk.curves import counterfactual_line
    >>> from dprisk.plots import draw_counterfactual, takeaway
    >>> census = ZeroConcentratedDP(2.63, neighbors="replace-one")
    >>> learned = counterfactual(census, adversary="true-record")
    >>> print(takeaway(draw_counterfactual(counterfactual_line(learned, [0.0, 5.0, 10.0]))))
    The probability of a larger ratio is at most 1 at an epsilon of 0 and 0.00573 at 10 \
(asks about your true record).
    """
    seen = fill("plots.lines.ratio")
    what = fill("plots.lines.larger-ratio")
    drawn = _falling(ax, lines, scale, "counterfactual", COUNTERFACTUAL, seen, what)
    named_in_title = _plain_ratio(lines, _reached(lines, TARGETS["counterfactual"])[0])
    drawn.set_xlim(right=max(float(drawn.get_xlim()[1]), named_in_title * 1.02))
    _as_ratios(drawn.xaxis)
    return drawn


@quietly
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

    Raises
    ------
    InvalidInput
        If there is nothing to draw.

    References
    ----------
    .. [1] P0, Theorem 3.9 and Figure 1.

    Examples
    --------
    >>> from dprisk import ApproxDP
    >>> from dprisk.curves import guarantee_line
    >>> from dprisk.plots import draw_loss_bound, takeaway
    >>> promised = ApproxDP(1.0, 1e-6, neighbors="add-remove")
    >>> line = guarantee_line(promised, "loss", [1e-7, 1e-5, 0.05], name="promise")
    >>> print(takeaway(draw_loss_bound(line)))
    The move of the log-odds is at most 1.15 nats except with probability 0.00001 and 1.01 except \
with probability 0.05 (promise).
    """
    some(lines)
    ax = axes_for(ax)
    ax.set_xscale("log")
    bounded = [(line, np.isfinite(certain(line))) for line in lines]
    positive = np.concatenate([line.x[(line.x > 0.0) & known] for line, known in bounded])
    ax.set_xlim(*_apart(positive.min(initial=1.0), positive.max(initial=LOWEST)))
    tops = np.concatenate([certain(line)[np.isfinite(certain(line))] for line in lines])
    if not tops.size:
        say_inside(ax, fill("plots.lines.no-bound"))
    ax.set_ylim(0.0, max(float(tops.max(initial=0.0)) * 1.1, 0.1))
    plain_log(ax.xaxis)
    said = fill("plots.lines.seen-loss", range=_range(lines))
    words = fill("plots.lines.loss", joined=joined(lines, loss))
    return trace(ax, lines, LOSS, _title_loss(lines), said, words)


def _falling(
    ax: Axes | None,
    lines: Sequence[Drawable],
    scale: Scale,
    kind: str,
    picture: LineWords,
    seen: str,
    what: str,
) -> Axes:
    """A probability against epsilon."""
    ax = axes_for(ax)
    some(lines)
    one_of("scale", scale, SCALES)
    _limits(ax, lines, scale)
    scaled = fill("plots.lines.scaled") if scale == "log" else ""
    said = fill("plots.lines.seen", seen=seen, range=_range(lines), scaled=scaled)
    return trace(ax, lines, picture, _title(lines, kind), said, two_ends(what, lines))


def _title(lines: Sequence[Drawable], kind: str) -> str:
    """From where on every line is low, with the lowest and the highest of them there."""
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
    """From there on the first point of every line at a ratio of 1, 2 or 5 times a power of ten."""
    shared = set.intersection(*({*line.x.tolist()} for line in lines))
    ratios = ((at, f"{math.exp(at):.12g}") for at in sorted(shared) if x <= at < 700.0)
    return next((at for at, said in ratios if said.rstrip("0") in {"1", "2", "5"}), x)


def _upper_at(line: Drawable, x: float) -> float:
    """A falling line at a place: what it is at the last point before bounds it."""
    before = line.x <= x
    return float(certain(line)[before].min(initial=1.0))


def _several(here: Sequence[tuple[float, Drawable]]) -> dict[str, str] | None:
    """The least and the largest of several values with the names of their lines."""
    mild, strong = (pick(here, key=lambda pair: pair[0]) for pick in (min, max))
    if at_most(mild[0]) == at_most(strong[0]):
        return None
    return {
        "least": at_most(mild[0]),
        "mild": named(mild[1]),
        "most": at_most(strong[0]),
        "strong": named(strong[1]),
    }


def _as_ratios(axis: Axis) -> None:
    """Marks where the ratio itself is a plain number, a few of them."""
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
    return "10" + str(round(math.log10(ratio))).translate(RAISED)


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


def _title_loss(lines: Sequence[Drawable]) -> str:
    """What holds but for one case in twenty."""
    found = [(at_level(line), line) for line in lines]
    failure = max(float(line.x[at]) for at, line in found)
    here = [(float(certain(line)[at]), line) for at, line in found]
    if not np.isfinite([move for move, _ in here]).all():
        return fill("plots.lines.title-loss.none")
    said = _several(here)
    if said is None:
        most = at_most(max(move for move, _ in here))
        return fill("plots.lines.title-loss", value=most, x=at_most(failure))
    return fill("plots.lines.title-loss.several", x=at_most(failure), **said)


def _limits(ax: Axes, lines: Sequence[Drawable], scale: Scale) -> None:
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
    """Where the last line has come to rest."""
    ends = [float(line.x[certain(line) <= lowest].min(initial=np.inf)) for line in lines]
    whole = max(float(line.x.max(initial=0.0)) for line in lines)
    return min(1.05 * max(ends), whole)


def _apart(low: float, high: float) -> tuple[float, float]:
    """Limits of a logarithmic axis that do not coincide."""
    if low >= high:
        return min(low, high) / 10.0, min(max(low, high), 1.0)
    return max(low, high * 1e-30), high


def _range(lines: Sequence[Drawable]) -> str:
    xs = np.concatenate([line.x for line in lines])
    return fill("plots.lines.range", min=f"{xs.min():.3g}", max=f"{xs.max():.3g}")
