"""Counts in pictures: chances as icons, rows of a table by risk, and what an account has spent."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from itertools import accumulate, pairwise
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from dprisk._checks import PROBABILITY, scalar
from dprisk._values import DIGITS
from dprisk.answer import Answer
from dprisk.curves.figure import attach, figure
from dprisk.curves.look import BLUE, FAINT, GREY, INK, REFERENCE, SMALL, VERMILION, WIDTH, axes_for
from dprisk.errors import InvalidInput, one_of
from dprisk.ledger.words import bar_in_words, status_in_words
from dprisk.tables.inputs import NO_BOUND, REASONS
from dprisk.tables.question import OUTPUTS, TESTS
from dprisk.tables.summary import EDGES
from dprisk.text import count, decimal, fill
from dprisk.text.rounding import Scale, at_most, bounded, hundredths
from dprisk.theorems import Theorem

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from dprisk.ledger.state import AccountStatus
    from dprisk.tables.summary import TableSummary

COLUMNS: Final = ("case", "at least", "at most", "icons filled", "icons in all", "in words")
ACROSS: Final = {100: 10, 1000: 25}
SIDES: Final = ("at most", "at least")
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


TABLE_ROWS_COLUMNS: Final = ("in 100", "rows", "above the limit")
HIGH: Final = 0.7  # of a bar
TABLE_ROWS_LINE: Final = 0.9  # for the limit, in bars
MOST: Final = 0.9  # of all rows that were read: the title says where they are
ROOM = 1.3  # for the number beside a bar, in the longest


class _Bar(NamedTuple):
    """Rows between two edges, or without a number, and where they are drawn."""

    name: str
    rows: int
    over: bool
    at: float
    color: str


@figure
def draw_rows(summary: TableSummary, output: str, *, ax: Axes | None = None) -> Axes:
    """How many rows of a table are at which risk.

    Parameters
    ----------
    summary : TableSummary
        What `dprisk.tables.run` returned.
    output : str
        A column of it that is a probability, such as ``posterior_at_most``.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        A bar for each tenth, the highest at the top. A limit is a line between two bars; those
        above it have another colour. Rows without a bound stand on top: they count as above.

    Raises
    ------
    InvalidInput
        If the summary has no histogram of that column.

    Examples
    --------
    >>> from dprisk.tables.summary import TableSummary
    >>> from dprisk.curves import draw_rows, takeaway
    >>> counts = (0, 70, 20, 0, 0, 5, 5, 0, 0, 0)
    >>> made = TableSummary(100, histograms={"posterior_at_most": counts})
    >>> print(takeaway(draw_rows(made, "posterior_at_most")))
    For 90 of 100 rows, the chance after the release is at most 30 in 100.
    """
    one_of("output", output, tuple(summary.histograms))
    limit = summary.limits.get(output)
    bars = _bars(summary, output, limit)
    ax = axes_for(ax, WIDTH, 1.2 + 0.18 * bars[-1].at)
    longest = max(1, *(bar.rows for bar in bars))
    columns = zip(*((bar.at, bar.rows, bar.color) for bar in bars), strict=True)
    at, lengths, colors = map(list, columns)
    drawn = ax.barh(at, lengths, height=HIGH, color=colors)
    numbers = [count(bar.rows) if bar.rows else "" for bar in bars]
    ax.bar_label(drawn, numbers, fontsize=SMALL, color=INK, padding=2.5)
    ax.set_xlim(0.0, ROOM * longest)
    ax.set_ylim(-0.6, bars[-1].at + 0.6)
    ax.set_yticks([bar.at for bar in bars], [bar.name for bar in bars])
    ax.tick_params(axis="y", length=0.0)
    ax.set_xticks([])
    things = summary.say("plots.rows.rows")
    ax.set_xlabel(things)
    ax.spines[["bottom", "left"]].set_visible(False)
    ax.set_ylabel(fill(f"plots.rows.axis.{output}"))
    if limit is not None and 0.0 <= limit <= 1.0:
        between = sum(bar.color == BLUE for bar in bars) - 0.4
        ax.axhline(between, linestyle=(0, (4.0, 2.0)), **REFERENCE)
        words: dict[str, Any] = {"size": SMALL, "color": GREY, "ha": "right", "va": "bottom"}
        said = fill("plots.rows.limit", limit=hundredths(limit))
        ax.text(ROOM * longest, between + 0.1, said, **words)
    title = _point(summary, output, limit)
    said = f"{title}."
    if summary.invalid:
        said = fill("plots.rows.unread", said=said, rows=count(summary.invalid))
    rows = [(bar.name, bar.rows, fill("plots.rows.over") if bar.over else "") for bar in bars]
    return attach(ax, title, said, fill("plots.rows.seen", things=things), TABLE_ROWS_COLUMNS, rows)


def _bars(summary: TableSummary, output: str, limit: float | None) -> list[_Bar]:
    """Bars from the lowest tenth to the highest; on top what has no number."""
    unbounded = 0 if output in TESTS else summary.reasons.get(REASONS[NO_BOUND], 0)
    bars = list[_Bar]()
    for low, high, rows, over in _tenths(summary, output, limit, unbounded):
        name = "–".join(dict.fromkeys(map(hundredths, (low, high))))
        color, up = (VERMILION, TABLE_ROWS_LINE) if over else (BLUE, 0.0)
        bars.append(_Bar(name, rows, over, len(bars) + up, color))
    up = 0.4 if limit is None else 0.4 + TABLE_ROWS_LINE
    if unbounded:
        over = limit is not None
        color = VERMILION if over else BLUE
        bars.append(_Bar(fill("plots.rows.no-bound"), unbounded, over, len(bars) + up, color))
    if summary.invalid:
        name = fill("plots.rows.not-read")
        bars.append(_Bar(name, summary.invalid, False, len(bars) + up, FAINT))
    return bars


def _tenths(
    summary: TableSummary, output: str, limit: float | None, unbounded: int
) -> Iterator[tuple[float, float, int, bool]]:
    """Edges, rows between them, and whether they exceed the limit, which is an edge as well."""
    counts = summary.histograms[output]
    for at, ((low, high), rows) in enumerate(zip(pairwise(EDGES), counts, strict=True)):
        if limit is None or not low <= limit < high:
            yield low, high, rows, limit is not None and low > limit
            continue
        over = summary.above[output] - unbounded - sum(counts[at + 1 :])
        if limit > low or rows > over:
            yield low, limit, rows - over, False
        yield limit, high, over, True


def _point(summary: TableSummary, output: str, limit: float | None) -> str:
    """Say how many are above the limit, or at which risk nearly all rows are."""
    read = summary.rows - summary.invalid
    what = fill(f"plots.rows.what.{output}")
    said = {"rows": count(read), "what": what, "things": summary.say("plots.rows.rows")}
    side = "least" if OUTPUTS[output].direction == "at least" else "most"
    if limit is not None:
        found = summary.above[output]
        key = f"plots.rows.limit.{side if found else 'none'}"
        return fill(key, number=count(found), limit=hundredths(limit), **said)
    counts = summary.histograms[output]
    if side == "least":
        counts = counts[::-1]
    held = [*accumulate(counts)]
    at = next((n for n, so_far in enumerate(held) if so_far >= MOST * read), len(held) - 1)
    if at < len(held) - 1:
        edge, number = 10 * (at + 1), held[at]
        key = f"plots.rows.{side}"
    else:
        edge, number = 10 * at, read - held[at - 1]
        key = f"plots.rows.{side}.all"
    edge = 100 - edge if side == "least" else edge
    return fill(key, number=count(number), edge=edge, **said)


NEARLY: Final = 0.9


class Bar(NamedTuple):
    """One limit, and how much of it is reached."""

    said: str
    now: float
    most: float
    theorem: Theorem | None

    @property
    def share(self) -> float:
        """The share of the limit that is reached. [0, 1]"""
        return min(self.now / self.most, 1.0) if 0.0 < self.most < math.inf else 0.0


@figure
def draw_spent(status: AccountStatus, *, ax: Axes | None = None) -> Axes:
    """How far an account has come to each of its limits, and to the end of its budget.

    Parameters
    ----------
    status : AccountStatus
        What `dprisk.ledger.Ledger.status` returned.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        A bar for each limit: full where it is reached.

    Examples
    --------
    >>> import tempfile
    >>> from dprisk import PureDP
    >>> from dprisk.budget import EpsilonLimit
    >>> from dprisk.ledger import Account, Ledger
    >>> from dprisk.curves import alt_text, draw_spent
    >>> limits = (EpsilonLimit(1.0, delta=0.0),)
    >>> town = Account("town", "residents", "person", "add-remove", "2026", "pure", limits)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Ledger.create(f"{folder}/a.ledger", origin="Office", by="ann") as ledger:
    ...         opened = ledger.account(town, by="ann")
    ...         charge = ledger.charge(PureDP(0.25, neighbors="add-remove"), "town", by="ann")
    ...         said = alt_text(draw_spent(ledger.status("town")))
    >>> print(said)
    A bar for each limit of the account town; a full bar has reached its limit. All results so \
far (releases: 1) have an epsilon of at most 0.25, at a delta of 0. The limit is 1.
    """
    bars = _spent_bars(status)
    ax = axes_for(ax, WIDTH, 0.8 + 0.5 * len(bars))
    for place, bar in enumerate(bars):
        ax.barh(place, 1.0, height=0.34, color=FAINT)
        ax.barh(place, bar.share, height=0.34, color=VERMILION if bar.share > NEARLY else BLUE)
        number = fill("plots.spent.of", now=at_most(bar.now, 3), most=at_most(bar.most, 3))
        ax.text(0.0, place - 0.24, bar.said, size=SMALL, color=INK, va="bottom")
        ax.text(1.0, place - 0.24, number, size=SMALL, color=INK, ha="right", va="bottom")
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(len(bars) - 0.4, -0.8)
    ax.axis("off")
    said = status_in_words(status)
    title = fill("plots.spent.title", name=status.account.name, left=_left(status))
    rows = [(bar.said, bar.now, bar.most) for bar in bars]
    seen = fill("plots.spent.seen", name=status.account.name)
    columns = ("limit", "at most", "limit at")
    theorems = [bar.theorem for bar in bars if bar.theorem is not None]
    return attach(ax, title, said[0], seen, columns, rows, theorems)


def _spent_bars(status: AccountStatus) -> list[Bar]:
    """The budget of a filter, and each limit with what is so far."""
    standing = status.standing
    found = [
        Bar(bar_in_words(each), float(each.now), float(each.most), each.now.theorem)
        for each in standing.readings
        if each.now is not None and each.scope != "process"
    ]
    if standing.share is not None:
        said = fill("ledger.bar.budget")
        found.insert(0, Bar(said, float(standing.share), 1.0, standing.theorem))
    return found


def _left(status: AccountStatus) -> str:
    left = status.left
    if left is None:
        return fill("plots.spent.nothing")
    return fill("plots.spent.left" if left < 10**9 else "plots.spent.any", number=left)
