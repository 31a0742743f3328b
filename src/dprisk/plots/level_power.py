"""Pictures of what tests can do: power against level, and the two errors against each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from matplotlib.axes import Axes

from dprisk.curves.lines import attack_line
from dprisk.plots.frame import quietly, remark
from dprisk.plots.labels import unit_square
from dprisk.plots.look import INK, SQUARE, axes_for
from dprisk.plots.saying import Drawable, at_level, certain, joined, missed, named, power
from dprisk.plots.tracing import LineWords, some, trace
from dprisk.risk.tests import AttackCurve
from dprisk.text import fill
from dprisk.text.rounding import at_least, at_most

POWER: Final = LineWords("plots.axis.level", "plots.axis.power", "level", "power", steps=True)
TRADE_OFF: Final = LineWords("plots.axis.level", "plots.axis.missed", "level", "error", steps=True)


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
        Concave curves above the diagonal of guessing. A few levels are marked and joined by steps:
        between two levels the power at the upper one is the bound. One attack alone has its
        advantage marked.

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
    some(lines)
    ax = axes_for(ax, height=SQUARE)
    diagonal = unit_square(ax, rising=True)
    if len(curves) == 1 and isinstance(curves[0], AttackCurve):
        _advantage(ax, curves[0])
    words = fill("plots.power.said", joined=joined(lines, power))
    title = _title("title", lines, at_most, "mild", "strong")
    drawn = trace(ax, lines, POWER, title, fill("plots.power.seen"), words)
    remark(ax, fill("plots.guessing"), diagonal)
    return drawn


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
        Convex curves below the diagonal of guessing; lower lines reveal more. A few levels are
        joined by steps, on the side that holds.

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
    'The false negative rate of a test is at least 0.864 at a level of 0.05 (pure).'
    """
    some(lines)
    ax = axes_for(ax, height=SQUARE)
    diagonal = unit_square(ax, rising=False)
    words = fill("plots.power.said-missed", joined=joined(lines, missed))
    said = fill("plots.power.seen-missed")
    title = _title("title-missed", lines, at_least, "strong", "mild")
    drawn = trace(ax, lines, TRADE_OFF, title, said, words)
    remark(ax, fill("plots.guessing"), diagonal)
    return drawn


def _values(lines: Sequence[Drawable]) -> tuple[list[float], str]:
    """What each line says near a level of 0.05, and that level: the lowest of them."""
    at = [at_level(line) for line in lines]
    level = min(float(line.x[n]) for line, n in zip(lines, at, strict=True))
    values = [float(certain(line)[n]) for line, n in zip(lines, at, strict=True)]
    return values, at_least(level)


def _title(key: str, lines: Sequence[Drawable], rounded: Callable[[float], str], *who: str) -> str:
    """With the lines of the least and of the largest value, under the names that the text has."""
    values, level = _values(lines)
    ends = [values.index(end(values)) for end in (min, max)]
    least, most = (rounded(values[at]) for at in ends)
    if least == most:
        return fill(f"plots.power.{key}", level=level, value=least)
    names = {name: named(lines[at]) for name, at in zip(who, ends, strict=True)}
    return fill(f"plots.power.{key}.several", level=level, least=least, most=most, **names)


def _advantage(ax: Axes, curve: AttackCurve) -> None:
    """The largest distance from guessing, where it is known at which level."""
    gain = float(curve.advantage)
    low, high = curve.best_level.bracket
    if low is None or high is None or high - low > 0.01 or gain <= 0.0:
        return
    at = float(curve.best_level)
    end = min(at + gain, 1.0)
    (line,) = ax.plot([at, at], [at, end], color=INK, linewidth=1.0, label="_advantage")
    remark(ax, fill("plots.power.advantage", most=at_most(gain)), line, INK)
