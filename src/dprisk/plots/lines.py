"""Pictures of what a guarantee is as a curve, for one guarantee or several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from dprisk._checks import one_of
from dprisk.curves.lines import attack_line
from dprisk.errors import InvalidInput
from dprisk.explain.rounding import at_most
from dprisk.plots.behind import attach
from dprisk.plots.beliefs import bracket
from dprisk.plots.labels import label_lines, margin_note, plain_log, say_inside, tag_of, unit_square
from dprisk.plots.look import GREY, Stroke, axes_for, quietly, stroke
from dprisk.plots.saying import Drawable, certain, joined, loss, missed, power, two_ends
from dprisk.risk.attack_curve import AttackCurve

__all__ = [
    "draw_counterfactual",
    "draw_loss_bound",
    "draw_power",
    "draw_profile",
    "draw_tail",
    "draw_trade_off",
]

Scale = Literal["log", "linear"]
SCALES: Final[tuple[Scale, ...]] = ("log", "linear")
LOWEST: Final = 1e-12  # of a logarithmic axis


class _Picture(NamedTuple):
    """What a kind of line means, in words."""

    across: str
    up: str
    x: str
    y: str
    step: Literal["steps-pre", "default"] = "default"


PROFILE: Final = _Picture("ε (nats)", "δ at most", "epsilon", "delta")
TAIL: Final = _Picture(
    "ε (nats)", "probability at most\nthat the loss exceeds ε", "epsilon", "probability"
)
COUNTERFACTUAL: Final = _Picture(
    "ε: logarithm of the ratio (nats)",
    "probability at most that the\nratio exceeds exp(ε)",
    "epsilon",
    "probability",
)
LOSS: Final = _Picture(
    "probability that the bound fails (δ′)",
    "ε′: log-odds move\nby at most (nats)",
    "failure",
    "epsilon",
)
POWER: Final = _Picture(
    "level: probability of a false alarm",
    "power at most:\nprobability of a true alarm",
    "level",
    "power",
    "steps-pre",  # between two levels the power at the upper one is a bound
)
TRADE_OFF: Final = _Picture(
    "level: probability of a false alarm",
    "probability at least\nof a missed alarm",
    "level",
    "error",
    "steps-pre",
)


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
    ax = axes_for(ax)
    _falling(ax, lines, PROFILE, scale)
    said = f"Line chart of delta against epsilon, {_range(lines)}{_scaled(scale)}."
    return _finish(ax, lines, PROFILE, said, two_ends("Delta", lines))


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
    ax = axes_for(ax)
    _falling(ax, lines, TAIL, scale)
    said = (
        "Line chart of the probability that the privacy loss exceeds epsilon, against epsilon, "
        f"{_range(lines)}{_scaled(scale)}."
    )
    words = two_ends("The probability of a larger loss", lines)
    return _finish(ax, lines, TAIL, said, words)


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
(true-record).
    """
    ax = axes_for(ax)
    _falling(ax, lines, COUNTERFACTUAL, scale)
    said = (
        "Line chart of the probability that the belief with a person's record is more than "
        f"e^epsilon times the belief without it, against epsilon, {_range(lines)}{_scaled(scale)}."
    )
    words = two_ends("The probability of a larger ratio", lines)
    return _finish(ax, lines, COUNTERFACTUAL, said, words)


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
    The move of the log-odds is at most 1.15 nats but for a probability of 0.00001 and 1.01 but \
for 0.05 (promise).
    """
    _some(lines)
    ax = axes_for(ax)
    ax.set_xscale("log")
    positive = np.concatenate([line.x[line.x > 0.0] for line in lines])
    ax.set_xlim(*_apart(positive.min(initial=1.0), positive.max(initial=LOWEST)))
    tops = np.concatenate([certain(line)[np.isfinite(certain(line))] for line in lines])
    if not tops.size:
        say_inside(ax, "no bound holds")
    ax.set_ylim(0.0, max(float(tops.max(initial=0.0)) * 1.1, 0.1))
    plain_log(ax.xaxis)
    said = (
        "Line chart of the largest move of the log-odds against the probability that this bound "
        f"fails, {_range(lines)} on a logarithmic scale."
    )
    return _finish(ax, lines, LOSS, said, f"The move of the log-odds is {joined(lines, loss)}.")


@quietly
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
        Steps: between two levels the power at the upper one is the bound, so few levels show as
        stairs. Guessing is on the diagonal. One attack alone has its advantage marked.

    Raises
    ------
    InvalidInput
        If there is nothing to draw.

    References
    ----------
    .. [1] P1, Section 6 and Figure 2.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.plots import draw_power, takeaway
    >>> from dprisk.risk import attack
    >>> curve = attack(PureDP(1.0, neighbors="add-remove")).curve()
    >>> takeaway(draw_power(curve))
    'The power of a test is at most 0.129 at a level of 0.0474 (membership).'
    """
    lines = [attack_line(each) if isinstance(each, AttackCurve) else each for each in curves]
    _some(lines)
    ax = axes_for(ax)
    unit_square(ax, "guessing", rising=True)
    if len(curves) == 1 and isinstance(curves[0], AttackCurve):
        _advantage(ax, curves[0])
    said = "Line chart of the power of a test against its level, 0 to 1."
    return _finish(ax, lines, POWER, said, f"The power of a test is {joined(lines, power)}.")


@quietly
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
        Steps on the safe side; guessing is on the diagonal. Lower lines reveal more.

    Raises
    ------
    InvalidInput
        If there is nothing to draw.

    References
    ----------
    .. [1] P1, Definition 5.7.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.curves import guarantee_line
    >>> from dprisk.plots import draw_trade_off, takeaway
    >>> promised = PureDP(1.0, neighbors="add-remove")
    >>> line = guarantee_line(promised, "trade-off", [0.05, 0.5], name="pure")
    >>> takeaway(draw_trade_off(line))
    'The probability of a missed alarm is at least 0.864 where that of a false one is 0.05 (pure).'
    """
    _some(lines)
    ax = axes_for(ax)
    unit_square(ax, "guessing", rising=False)
    said = "Line chart of the probability of a missed alarm against that of a false alarm, 0 to 1."
    words = f"The probability of a missed alarm is {joined(lines, missed)}."
    return _finish(ax, lines, TRADE_OFF, said, words)


def _some(lines: Sequence[Any]) -> None:
    if not lines:
        raise InvalidInput("lines", None, "at least one, such as guarantee_line(...)")


def _falling(ax: Axes, lines: Sequence[Drawable], picture: _Picture, scale: Scale) -> None:
    """Limits of a probability against epsilon."""
    _some(lines)
    one_of("scale", scale, SCALES)
    right = max(float(line.x.max(initial=0.0)) for line in lines)
    ax.set_xlim(0.0, right or 1.0)
    values = np.concatenate([certain(line) for line in lines])
    if scale == "linear":
        ax.set_ylim(0.0, 1.02 if values.max(initial=0.0) > 0.5 else max(values.max(), 1e-9) * 1.05)
        return
    seen = values[values >= LOWEST]
    if not seen.size:
        ax.set_ylim(0.0, 0.1)
        say_inside(ax, "zero everywhere" if not values.any() else f"below {LOWEST:g} everywhere")
        return
    ax.set_yscale("log")
    ax.set_ylim(*_apart(float(seen.min(initial=1.0)) / 1.5, float(seen.max(initial=LOWEST)) * 1.5))
    plain_log(ax.yaxis)


def _apart(low: float, high: float) -> tuple[float, float]:
    """Limits of a logarithmic axis that do not coincide."""
    if low >= high:
        return min(low, high) / 10.0, min(max(low, high), 1.0)
    return max(low, high * 1e-30), high


def _finish(ax: Axes, lines: Sequence[Drawable], picture: _Picture, said: str, words: str) -> Axes:
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


def _draw(ax: Axes, line: Drawable, one: Stroke, picture: _Picture) -> Any:
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


def _advantage(ax: Axes, curve: AttackCurve) -> None:
    """The largest distance from guessing, where it is known at which level."""
    gain = float(curve.advantage)
    low, high = curve.best_level.bracket
    if low is None or high is None or high - low > 0.01 or gain <= 0.0:
        return
    at = float(curve.best_level)
    ax.plot([at, at], [at, min(at + gain, 1.0)], color=GREY, linewidth=0.8, label="_advantage")
    margin_note(ax, (at, min(at + gain, 1.0)), f"advantage\n{at_most(gain)} at most")


def _range(lines: Sequence[Drawable]) -> str:
    xs = np.concatenate([line.x for line in lines])
    return f"{xs.min():.3g} to {xs.max():.3g}"


def _scaled(scale: Scale) -> str:
    return ", on a logarithmic scale" if scale == "log" else ""
