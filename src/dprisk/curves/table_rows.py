"""How many rows of a table are at which risk, and how many are above a limit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dprisk._checks import one_of
from dprisk.curves.figure import attach, figure
from dprisk.curves.look import BLUE, FAINT, GREY, INK, REFERENCE, SMALL, VERMILION, WIDTH, axes_for
from dprisk.tables.inputs import NO_BOUND, REASONS
from dprisk.tables.question import OUTPUTS, TESTS
from dprisk.tables.summary import EDGES
from dprisk.text import count, fill
from dprisk.text.rounding import hundredths

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from dprisk.tables.summary import TableSummary


COLUMNS: Final = ("in 100", "rows", "above the limit")
HIGH: Final = 0.7  # of a bar
LINE: Final = 0.9  # for the limit, in bars
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
    return attach(ax, title, said, fill("plots.rows.seen", things=things), COLUMNS, rows)


def _bars(summary: TableSummary, output: str, limit: float | None) -> list[_Bar]:
    """Bars from the lowest tenth to the highest; on top what has no number."""
    unbounded = 0 if output in TESTS else summary.reasons.get(REASONS[NO_BOUND], 0)
    bars = list[_Bar]()
    for low, high, rows, over in _tenths(summary, output, limit, unbounded):
        name = "–".join(dict.fromkeys(map(hundredths, (low, high))))
        color, up = (VERMILION, LINE) if over else (BLUE, 0.0)
        bars.append(_Bar(name, rows, over, len(bars) + up, color))
    up = 0.4 if limit is None else 0.4 + LINE
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
