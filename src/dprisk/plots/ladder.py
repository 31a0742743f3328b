"""Picture of a ladder: what can be learned as releases go on, by ever better theorems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from dprisk._checks import one_of
from dprisk.curves.rungs import Ladder, Rung, read
from dprisk.errors import refused
from dprisk.plots.behind import attach
from dprisk.plots.frame import name_line, quietly, remark
from dprisk.plots.labels import dot, hundreds, plain_log
from dprisk.plots.look import (
    BLUE,
    GREEN,
    GREY,
    INK,
    PURPLE,
    VERMILION,
    Stroke,
    axes_for,
    stroke,
)
from dprisk.plots.saying import up_to
from dprisk.plots.tracing import bracket
from dprisk.text import fill
from dprisk.text.rounding import out_of, scale

COLUMNS: Final = ("theorem", "releases", "at least", "at most")
DASHED: Final = (0, (4.0, 1.8))
DOTTED: Final = (0, (1.2, 1.4))
FEW: Final = 25  # numbers of releases: then each is marked
VACUOUS: Final = 0.99  # a belief that says no more than that nothing is impossible
HEADROOM: Final = 1.2  # above the tallest bound, where there is some
LEAST: Final = 0.02  # of an axis of chances
WIDE: Final = 60.0  # from the least to the largest: then the axis is logarithmic

FAMILIES: Final[dict[str, Stroke]] = {
    "basic": Stroke(VERMILION, DASHED, 1.1),
    "basic, best delta": Stroke(VERMILION, "-"),
    "advanced": Stroke(PURPLE, DASHED, 1.1),
    "advanced, best delta": Stroke(PURPLE, "-"),
    "optimal": Stroke(GREEN, DASHED, 1.1),
    "optimal, best delta": Stroke(GREEN, "-"),
    "exact curve": Stroke(BLUE, "-", 1.8),
    "simple conversion": Stroke(VERMILION, DASHED),
    "tight conversion": Stroke(GREEN, (0, (6.0, 1.6, 1.2, 1.6))),
    "zCDP curve": Stroke(BLUE, "-", 1.8),
    "Gaussian DP curve": Stroke(INK, DASHED),
    "Gaussian noise": Stroke(INK, DASHED),
    "Gaussian noise, raw output": Stroke(GREY, DOTTED),
    "promises composed": Stroke(BLUE, "-", 1.8),
    "mechanism": Stroke(INK, DASHED),
    "mechanism, raw output": Stroke(GREY, DOTTED),
}
"""One colour for each idea, one kind of dashes for each way to use it."""


@quietly
def draw_ladder(
    climbed: Ladder,
    *,
    limit: float | None = None,
    rungs: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """What can be learned at most, against the number of releases, theorem by theorem.

    Parameters
    ----------
    climbed : Ladder
        The bounds.
    limit : float, optional
        Largest value tolerated; where each bound first exceeds it is marked. [0, 1]
    rungs : sequence of str, optional
        Which to draw; left out, all.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        One line for each rung, labelled in the order in which they end. The numbers of releases
        are marked where there are few of them.

    Raises
    ------
    InvalidInput
        If there is no rung of such a name.
    OutOfRange
        If `limit` is outside [0, 1] or NaN.

    References
    ----------
    .. [1] P0, Figures 3 to 5.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.curves import ladder
    >>> from dprisk.plots import draw_ladder, takeaway
    >>> promise = PureDP(0.05, neighbors="add-remove")
    >>> climbed = ladder(promise, range(1, 201), confidence=0.95)
    >>> print(takeaway(draw_ladder(climbed, limit=0.8, rungs=["basic", "exact curve"])))
    After 200 releases, a chance of 50 in 100 can become at most 85 in 100 by the best bound \
shown (exact curve). Of the bounds shown, the first to exceed 80 in 100 does so at release \
28 (basic), the best at release 134 (exact curve).
    """
    drawn = _asked(climbed, rungs)
    first = None if limit is None else climbed.until(limit, [rung.name for rung in drawn])
    ax = axes_for(ax)
    x = np.array(climbed.releases, dtype=float)
    tallest = max(limit or 0.0, *(float(rung.values.max()) for rung in drawn))
    lowest = _limits(ax, climbed, x, tallest)
    if limit is not None:
        line = ax.axhline(limit, color=GREY, linewidth=0.8, linestyle=DOTTED, label="_limit")
        remark(ax, fill("plots.ladder.limit", limit=_hundreds(limit)), line)
    for number, rung in enumerate(drawn):
        passed = None if first is None else first[rung.name]
        _draw(ax, climbed, rung, FAMILIES.get(rung.name, stroke(number)), passed)
    words = {"first": min(climbed.releases), "last": max(climbed.releases), "number": len(drawn)}
    said = fill(
        "plots.ladder.seen" if len(drawn) > 1 else "plots.ladder.seen.one",
        what=_what(climbed),
        lowest=_hundreds(lowest),
        **words,
    )
    best = climbed.best(drawn)
    return attach(
        ax,
        _title(climbed, best, limit, first),
        _in_words(climbed, drawn, best, limit, first),
        said,
        COLUMNS,
        _rows(climbed, drawn),
        best.theorems,
        climbed.confidence,
    )


def _draw(ax: Axes, climbed: Ladder, rung: Rung, line: Stroke, passed: int | None) -> None:
    """A bound, with a dot where it first exceeds the limit."""
    x, y = np.array(climbed.releases, dtype=float), rung.values
    order = np.argsort(x)
    if rung.lower is not None:
        bracket(ax, x[order], y[order], rung.lower[order], line.color)
    if passed is not None:
        at = float(read(climbed.metric, climbed.prior, rung.shift(passed)[1]))
        dot(ax, (passed, at), line.color)
        if passed not in climbed.releases:
            x, y = np.append(x, float(passed)), np.append(y, at)
            order = np.argsort(x)
    marked: dict[str, Any] = {"marker": "o", "markersize": 2.5} if x.size < FEW else {}
    (drawn,) = ax.plot(
        x[order], y[order], label=f"_{rung.name}", clip_on=False, **marked, **line.kwargs()
    )
    name_line(ax, rung.name, drawn, line)


def _hundreds(share: float) -> str:
    return out_of(float(f"{share:.10g}"))


def _asked(climbed: Ladder, names: Sequence[str] | None) -> list[Rung]:
    if names is None:
        return list(climbed.rungs)
    known = [rung.name for rung in climbed.rungs]
    drawn = [climbed.rung(one_of("rungs", name, known)) for name in names]
    if not drawn:
        raise refused("errors.plots.some", "rungs", names, known=", ".join(map(repr, known)))
    return drawn


def _limits(ax: Axes, climbed: Ladder, x: Any, tallest: float) -> float:
    """Sets both axes: from near the prior, below which no bound is, to just above the last one."""
    low, high = float(x.min()), float(x.max())
    if high / low > WIDE and x.size < high - low:
        ax.set_xscale("log")
        ax.set_xlim(low, high)
        plain_log(ax.xaxis)
    else:
        ax.set_xlim(low if high > low else low - 0.5, high if high > low else high + 0.5)
        ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    lowest = 0.0
    if climbed.metric == "posterior":
        lowest = float(np.floor(climbed.prior * 20.0) / 20.0)
        lowest = min(lowest, 0.95)
    top = min(max(lowest + HEADROOM * (tallest - lowest), lowest + LEAST), 1.0)
    ax.set_ylim(lowest, top + 0.02 * (top - lowest))
    hundreds(ax.yaxis)
    ax.set_xlabel(fill("plots.axis.releases"))
    ax.set_ylabel(
        fill("plots.axis.belief") if climbed.metric == "posterior" else fill("plots.axis.change")
    )
    return lowest


def _what(climbed: Ladder) -> str:
    if climbed.metric == "posterior":
        return fill("plots.ladder.beliefs", prior=out_of(climbed.prior))
    return fill("plots.ladder.changes")


def _rows(climbed: Ladder, drawn: Sequence[Rung]) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    for rung in drawn:
        lower = [None] * rung.values.size if rung.lower is None else rung.lower.tolist()
        columns = (climbed.releases, lower, rung.values.tolist())
        rows += [(rung.name, *row) for row in zip(*columns, strict=True)]
    return rows


def _at_end(climbed: Ladder, best: Rung) -> tuple[str, int, str, str]:
    """What is said of the largest number of releases: before, how many, after, and the key."""
    number = max(climbed.releases)
    value = float(best.values[climbed.releases.index(number)])
    start = climbed.prior if climbed.metric == "posterior" else 0.5
    end = value if climbed.metric == "posterior" else 0.5 + value / 2.0
    of = scale(start, end)
    after = up_to(value, of, start)
    return out_of(climbed.prior, of), number, after, ".one" if number == 1 else ""


def _title(
    climbed: Ladder, best: Rung, limit: float | None, first: dict[str, int | None] | None
) -> str:
    before, number, after, one = _at_end(climbed, best)
    if limit is None or first is None:
        if climbed.prior < VACUOUS < float(best.values.min()):
            return fill("plots.ladder.title.vacuous", number=min(climbed.releases))
        kind = "title" if climbed.metric == "posterior" else "title-change"
        return fill(f"plots.ladder.{kind}{one}", before=before, after=after, number=number)
    passed = first[best.name]
    kept = number if passed is None else passed - 1
    if not kept:
        return fill("plots.ladder.title-limit.none", limit=_hundreds(limit))
    one = ".one" if kept == 1 else ""
    return fill(f"plots.ladder.title-limit{one}", limit=_hundreds(limit), number=kept)


def _in_words(
    climbed: Ladder,
    drawn: Sequence[Rung],
    best: Rung,
    limit: float | None,
    first: dict[str, int | None] | None,
) -> str:
    before, number, after, one = _at_end(climbed, best)
    kind = "belief" if climbed.metric == "posterior" else "change"
    said = fill(f"plots.ladder.{kind}{one}", number=number, prior=before, value=after)
    said += fill("plots.ladder.best", name=best.name)
    if limit is None or first is None:
        return said
    over = [(when, rung) for rung in drawn if (when := first[rung.name]) is not None]
    if not over:
        return fill("plots.ladder.none-exceeds", said=said, limit=_hundreds(limit))
    early, soonest = min(over, key=lambda found: found[0])
    said += fill("plots.ladder.first", limit=_hundreds(limit), early=early)
    last = first[best.name]
    if soonest is best:
        return fill("plots.ladder.alone", said=said, name=soonest.name)
    kept = fill("plots.ladder.never") if last is None else fill("plots.ladder.later", last=last)
    return fill("plots.ladder.both", said=said, name=soonest.name, kept=kept, name2=best.name)
