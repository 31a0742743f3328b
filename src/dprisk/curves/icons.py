"""Pictures of chances: so many icons in a hundred, rounded to the safe side."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from dprisk._checks import PROBABILITY, one_of, scalar
from dprisk.answer import Answer
from dprisk.curves.figure import attach, figure
from dprisk.curves.look import BLUE, FAINT, GREY, WIDTH, axes_for
from dprisk.errors import InvalidInput
from dprisk.text import count, decimal, fill
from dprisk.text.rounding import Scale, bounded

if TYPE_CHECKING:
    from matplotlib.axes import Axes


COLUMNS: Final = ("case", "at least", "at most", "icons filled", "icons in all", "in words")
ACROSS: Final = {100: 10, 1000: 25}
SIDES: Final = ("at most", "at least")
DIGITS: Final = 6  # of a number that was given
GAP: Final = 0.18  # between arrays, in their widths
RADIUS: Final = 0.4
LINE: Final = 0.075  # of the height of an array, for a line of words
LETTERS: Final = 20  # in a line


class _Case(NamedTuple):
    """One array of icons."""

    name: str
    lower: float | None
    upper: float | None
    whole: int
    part: bool
    words: str


@figure
def draw_icons(
    cases: Mapping[str, Answer | float],
    *,
    of: Literal[100, 1000] = 100,
    side: Literal["at most", "at least"] = "at most",
    confidence: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Probabilities as icons, side by side, in one order and with one denominator.

    Parameters
    ----------
    cases : mapping of str to Answer or float
        What each array says, and its probability [0, 1]: a bound, or a number that was given.
    of : {100, 1000}
        How many icons there are in each array.
    side : {"at most", "at least"}
        Which end of an interval exact answers are: they are the worst case itself, and do not say.
    confidence : float, optional
        Probability with which the bounds hold, to be said below; left out, certainty. (0, 1)
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        Filled from the top left, row by row. Upper bounds are rounded up, lower ones down; none or
        all are filled only where that is exact, otherwise a part of one icon is.
    OutOfRange
        If a probability is outside [0, 1].

    Examples
    --------
    >>> from dprisk import PureDP, disclosure
    >>> from dprisk.curves import draw_icons, takeaway
    >>> after = disclosure(PureDP(1.0, neighbors="add-remove")).posterior(0.1).upper
    >>> print(takeaway(draw_icons({"without your data": 0.1, "with your data": after})))
    Without your data: 10 in 100. With your data: at most 24 in 100.
    """
    if not cases:
        raise InvalidInput("cases", None, "at least one, such as {'with your data': 0.1}")
    if of not in ACROSS:
        raise InvalidInput("of", of, f"one of {', '.join(map(str, ACROSS))}")
    one_of("side", side, SIDES)
    counts = [_case(name, value, of, side) for name, value in cases.items()]
    across, down = ACROSS[of], of // ACROSS[of]
    width = min(max(1.75 * len(counts), WIDTH), 7.0)
    ax = axes_for(ax, width=width, height=2.7 if of == 100 else 3.6)
    ax.set_axis_off()
    ax.set_aspect("equal")
    step = across * (1.0 + GAP)
    names, said = [_folded(c.name) for c in counts], [_folded(c.words) for c in counts]
    above, below = (
        down * (0.04 + LINE * max(text.count("\n") + 1 for text in texts))
        for texts in (names, said)
    )
    ax.set_xlim(-0.04 * across, step * (len(counts) - 1) + 1.04 * across)
    ax.set_ylim(down + below, -above)
    for number, case in enumerate(counts):
        _array(ax, number * step, across, of, case)
        middle = number * step + across / 2.0
        words: dict[str, Any] = {"ha": "center", "linespacing": 1.1, "fontsize": 7.5}
        ax.text(middle, -0.03 * down, names[number], va="bottom", **words)
        ax.text(middle, down * 1.02, said[number], va="top", weight="bold", **words)
    arrays = "plots.icons.one" if len(counts) == 1 else "plots.icons.several"
    seen = fill(arrays, number=len(counts), of=of)
    cases_said = (fill("plots.icons.case", name=_upper(c.name), words=c.words) for c in counts)
    takeaway = " ".join(cases_said)
    rows = [
        (case.name, case.lower, case.upper, case.whole + 0.5 * case.part, of, case.words)
        for case in counts
    ]
    title = takeaway.rstrip(".")
    if len(counts) == 2:
        title = fill("plots.icons.title", before=counts[0].words, after=counts[1].words)
    sources = [each.theorem for each in cases.values() if isinstance(each, Answer)]
    return attach(ax, title, takeaway, seen, COLUMNS, rows, sources, confidence)


def counted(probability: float, *, upper: bool, of: int) -> tuple[int, bool]:
    """Whole icons, and whether a part of one more: as `dprisk.text.rounding.chances` rounds."""
    share = of * Decimal(repr(float(probability)))
    if share in (0, of):
        return int(share), False
    if share < 1:
        return 0, True
    if share > of - 1:
        return of - 1, True
    return int(share.to_integral_value(ROUND_CEILING if upper else ROUND_FLOOR)), False


def _case(name: str, value: Answer | float, of: Scale, side: str) -> _Case:
    if not isinstance(value, Answer):
        p = scalar(name, value, PROBABILITY)
        whole, part = counted(p, upper=True, of=of)
        share = (of * Decimal(repr(p))).normalize()
        short = len(share.as_tuple().digits) <= DIGITS and share.adjusted() > -DIGITS
        words = bounded(p, upper=True, of=of)
        if short:
            words = fill("of", count=decimal(f"{share:f}"), of=count(of))
        return _Case(name, p, p, whole, part, words)
    if value.bound == "exact" and float(value) in (0.0, 1.0):
        return _case(name, float(value), of, side)
    up = value.bound == "upper" or (value.bound == "exact" and side == "at most")
    p = scalar(name, float(value), PROBABILITY)
    whole, part = counted(p, upper=up, of=of)
    if p == up:  # a bound of 0 or 1 excludes nothing
        whole, part = (of - 1 if up else 0), True
    return _Case(name, *value.bracket, whole, part, bounded(p, upper=up, of=of))


def _folded(text: str) -> str:
    return "\n".join(wrap(text, LETTERS))


def _array(ax: Axes, left: float, across: int, of: int, case: _Case) -> None:
    """Full, empty and perhaps one half-filled circle."""
    from matplotlib.patches import Wedge

    centers = [(left + n % across + 0.5, n // across + 0.5) for n in range(of)]
    light: Any = {"facecolors": "none", "edgecolors": GREY, "linewidths": 0.4}
    if of > 100:  # so many outlines would be dark
        light = {"facecolors": FAINT, "edgecolors": "none"}
    dark: Any = {"facecolors": BLUE, "edgecolors": BLUE, "linewidths": 0.4}
    _circles(ax, centers[: case.whole], "_filled", dark)
    _circles(ax, centers[case.whole :], "_empty", light)
    if case.part:
        half = Wedge(centers[case.whole], RADIUS, 90.0, 270.0, facecolor=BLUE, edgecolor="none")
        ax.add_patch(half)


def _circles(ax: Axes, centers: list[tuple[float, float]], label: str, look: Any) -> None:
    """All of one kind; a file holds their shape once."""
    from matplotlib.collections import EllipseCollection

    if centers:
        size: Any = {"widths": 2.0 * RADIUS, "heights": 2.0 * RADIUS, "angles": 0.0, "units": "xy"}
        drawn = EllipseCollection(**size, offsets=centers, offset_transform=ax.transData, **look)
        drawn.set_label(label)
        ax.add_collection(drawn, autolim=False)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
