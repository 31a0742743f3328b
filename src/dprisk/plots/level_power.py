"""Pictures of what tests can do: power against level, and the two errors against each other."""

from __future__ import annotations

from typing import Final

from matplotlib.axes import Axes

from dprisk.curves.lines import attack_line
from dprisk.explain.rounding import at_most
from dprisk.plots.labels import margin_note, unit_square
from dprisk.plots.look import GREY, axes_for, quietly
from dprisk.plots.saying import Drawable, joined, missed, power
from dprisk.plots.tracing import Picture, some, trace
from dprisk.risk.attack_curve import AttackCurve
from dprisk.text import fill

__all__ = ["draw_power", "draw_trade_off"]

POWER: Final = Picture(
    "level: probability of a false alarm",
    "power at most:\nprobability of a true alarm",
    "level",
    "power",
    "steps-pre",  # between two levels the power at the upper one is a bound
)
TRADE_OFF: Final = Picture(
    "level: probability of a false alarm",
    "probability at least\nof a missed alarm",
    "level",
    "error",
    "steps-pre",
)


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
    some(lines)
    ax = axes_for(ax)
    unit_square(ax, "guessing", rising=True)
    if len(curves) == 1 and isinstance(curves[0], AttackCurve):
        _advantage(ax, curves[0])
    said = fill("plots.power.seen")
    return trace(ax, lines, POWER, said, fill("plots.power.said", joined=joined(lines, power)))


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
    some(lines)
    ax = axes_for(ax)
    unit_square(ax, "guessing", rising=False)
    said = fill("plots.power.seen-missed")
    words = fill("plots.power.said-missed", joined=joined(lines, missed))
    return trace(ax, lines, TRADE_OFF, said, words)


def _advantage(ax: Axes, curve: AttackCurve) -> None:
    """The largest distance from guessing, where it is known at which level."""
    gain = float(curve.advantage)
    low, high = curve.best_level.bracket
    if low is None or high is None or high - low > 0.01 or gain <= 0.0:
        return
    at = float(curve.best_level)
    ax.plot([at, at], [at, min(at + gain, 1.0)], color=GREY, linewidth=0.8, label="_advantage")
    margin_note(ax, (at, min(at + gain, 1.0)), fill("plots.power.advantage", most=at_most(gain)))
