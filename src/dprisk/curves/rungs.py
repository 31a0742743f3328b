"""A ladder: one bound a rung, for any number of releases; as data, and drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, final, get_args

import numpy as np

from dprisk._checks import PROBABILITY, scalar
from dprisk._numeric.logspace import Floats
from dprisk._numeric.odds import posteriors, stay, steepest
from dprisk._values import brief, members, plain, result
from dprisk.curves.figure import attach, figure, up_to
from dprisk.curves.look import (
    BLUE,
    DOT,
    DOTTED,
    GREEN,
    GREY,
    INK,
    PURPLE,
    REFERENCE,
    VERMILION,
    Stroke,
    axes_for,
    bracket,
    hundreds,
    plain_log,
    stroke,
)
from dprisk.errors import InvalidInput, one_of
from dprisk.guarantees.base import Neighbors
from dprisk.text import fill
from dprisk.text.rounding import at_most, out_of, scale
from dprisk.theorems import Theorem

if TYPE_CHECKING:
    from matplotlib.axes import Axes


LADDER = "dprisk/ladder/1"

Metric = Literal["posterior", "difference"]
METRICS: Final[tuple[Metric, ...]] = get_args(Metric)
Scope = Literal["promise", "mechanism", "raw output"]
"""``promise``: every mechanism that keeps it, and whatever is computed from its output later.
``mechanism``: the mechanism named, and whatever is computed later. ``raw output``: that output."""
LossBracket = tuple[float | None, float]
Shift = Callable[[int], LossBracket]
"""The way from a number of releases to epsilon': at least, where that is known, and at most."""


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Rung:
    """One way to bound what can be learned, for growing numbers of releases."""

    name: str
    refines: tuple[str, ...]  # the rungs that it is never worse than
    holds_for: Scope
    given: bool  # False for Gaussian noise under a promise of zCDP, which does not say what is run
    theorems: tuple[Theorem, ...]  # composition first, then what leads to the log-odds
    losses: Floats  # the log-odds move by at most this, in nats
    values: Floats  # what is bounded, never below the truth
    lower: Floats | None  # the other end: no bound below it holds
    shift: Shift = field(repr=False, compare=False)
    period: int = field(repr=False)  # bounds never fall from k to k + period; 0: they may

    def __repr__(self) -> str:
        return f"<Rung {self.name!r}: {self.holds_for}; {brief(self.values, 'at most')}>"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; an infinite loss is None."""
        return {
            **members(self, "name", "refines", "holds_for", "given"),
            "bound": "upper",
            "theorems": plain(self.theorems),
            "citations": [theorem.citation for theorem in self.theorems],
            **members(self, "losses", "values", "lower"),
        }


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Ladder:
    """The same question by ever better theorems, for growing numbers of releases."""

    subject: str
    releases: tuple[int, ...]
    metric: Metric  # belief at the prior, or the largest change of belief over every prior
    prior: float
    confidence: float | None  # with which each bound holds; None: certainty
    delta: float | None  # at which composition theorems are stated; None: certainty needs none
    neighbors: Neighbors
    rungs: tuple[Rung, ...]

    def rung(self, name: str) -> Rung:
        """One of the rungs, by its name."""
        names = [rung.name for rung in self.rungs]
        return self.rungs[names.index(one_of("rung", name, names))]

    def best(self, among: Sequence[Rung] | None = None) -> Rung:
        """The rung with the least bound, at the most releases, on whatever is computed later."""
        at = self.releases.index(max(self.releases))
        rungs = among or self.rungs
        true = [rung for rung in rungs if rung.given and rung.holds_for != "raw output"]
        return min(reversed(true or rungs), key=lambda rung: float(rung.values[at]))

    def until(self, limit: float, rungs: Sequence[str] | None = None) -> dict[str, int | None]:
        """The first number of releases at which each bound exceeds a limit, by name of the rung.

        None where the bound keeps the limit up to the most releases that the ladder was made for.
        """
        most = scalar("limit", limit, PROBABILITY)
        wanted = [rung for rung in self.rungs if rungs is None or rung.name in rungs]
        found: dict[str, int | None] = {}
        for rung in wanted:
            coarser = [found[name] for name in rung.refines if name in found]
            found[rung.name] = self._first_over(rung, most, coarser)
        return found

    def to_dict(self, limit: float | None = None) -> dict[str, Any]:
        """Plain data for JSON; `limit` adds where each bound first exceeds it."""
        first = None if limit is None else self.until(limit)
        rungs = [rung.to_dict() for rung in self.rungs]
        for rung in rungs:
            rung["first_over"] = None if first is None else first[rung["name"]]
        return {
            "schema": LADDER,
            **members(self, "subject", "neighbors", "metric"),
            "prior": self.prior if self.metric == "posterior" else None,
            **members(self, "confidence", "delta"),
            "limit": limit,
            "releases": list(self.releases),
            "rungs": rungs,
        }

    def __repr__(self) -> str:
        size = f"{len(self.rungs)} rungs, up to {max(self.releases)}"
        return f"<Ladder of {brief(self.subject)}: {size}>"

    def _first_over(self, rung: Rung, limit: float, coarser: list[int | None]) -> int | None:
        """Nowhere before the bounds that it refines are over the limit as well."""
        known = dict(zip(self.releases, rung.values.tolist(), strict=True))

        def over(number: int) -> bool:
            if number not in known:
                known[number] = float(read(self.metric, self.prior, rung.shift(number)[1]))
            return bool(known[number] > limit)

        if None in coarser:
            return None
        least, most = max([1, *(first for first in coarser if first)]), max(self.releases)
        if not rung.period:
            return next((number for number in range(least, most + 1) if over(number)), None)
        firsts = [
            _first(over, start, rung.period, most, list(known))
            for start in range(least, min(least + rung.period - 1, most) + 1)
        ]
        return min((first for first in firsts if first is not None), default=None)


def read(metric: Metric, prior: float, losses: Any) -> Any:
    """The bound on a belief by one on the log-odds (P0, Theorem 3.2 and 3.5(1))."""
    if metric == "posterior":
        e = np.asarray(losses, dtype=float)
        return posteriors(np.full(e.shape, prior), stay(e))[1]
    return steepest(np.asarray(losses, dtype=float))


def _first(
    over: Callable[[int], bool], start: int, step: int, most: int, known: list[int]
) -> int | None:
    """First of start, start + step, ... up to `most` that is over, where the rest are as well."""
    low, high = -1, (most - start) // step  # in steps
    for number in sorted(known):
        if (number - start) % step == 0 and number >= start:
            at = (number - start) // step
            if over(number):
                high = min(high, at)
                break
            low = at
    if low >= high or not over(start + high * step):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if over(start + middle * step) else (middle, high)
    return start + high * step


COLUMNS: Final = ("theorem", "releases", "at least", "at most")
DASHED: Final = (0, (4.0, 1.8))
FEW: Final = 25  # numbers of releases: then each is marked
VACUOUS: Final = 0.99  # a belief that says no more than that nothing is impossible
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


@figure
def draw_ladder(
    climbed: Ladder,
    *,
    limit: float | None = None,
    rungs: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw what can be learned at most, against the number of releases, theorem by theorem.

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
        One line for each rung; few numbers of releases are marked.

    References
    ----------
    .. [1] P0, Figures 3 to 5.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.curves import draw_ladder, ladder, takeaway
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
        said = fill("plots.ladder.limit", limit=_hundreds(limit))
        ax.axhline(limit, linestyle=DOTTED, label=said, **REFERENCE)
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
        ax.plot(passed, at, color=line.color, label="_mark", **DOT)
        if passed not in climbed.releases:
            x, y = np.append(x, float(passed)), np.append(y, at)
            order = np.argsort(x)
    marked: dict[str, Any] = {"marker": "o", "markersize": 2.5} if x.size < FEW else {}
    ax.plot(x[order], y[order], label=rung.name, clip_on=False, **marked, **line.kwargs())


def _hundreds(share: float) -> str:
    return out_of(float(f"{share:.10g}"))


def _asked(climbed: Ladder, names: Sequence[str] | None) -> list[Rung]:
    if names is None:
        return list(climbed.rungs)
    known = [rung.name for rung in climbed.rungs]
    drawn = [climbed.rung(one_of("rungs", name, known)) for name in names]
    if not drawn:
        raise InvalidInput("rungs", names, f"some of {', '.join(map(repr, known))}")
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
        ax.locator_params(axis="x", nbins=5, integer=True)
    lowest = 0.0
    if climbed.metric == "posterior":
        lowest = float(np.floor(climbed.prior * 20.0) / 20.0)
        lowest = min(lowest, 0.95)
    top = min(max(lowest + 1.2 * (tallest - lowest), lowest + 0.02), 1.0)
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
    """Words on the largest number of releases: before, how many, after, and the key."""
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


@figure
def draw_totals(
    releases: Sequence[int],
    totals: dict[str, Floats],
    delta: float,
    theorems: Sequence[Theorem] = (),
    *,
    ax: Axes | None = None,
) -> Axes:
    """Total epsilon against the number of releases, a line for each theorem."""
    if not totals or not len(releases):
        raise InvalidInput("totals", len(totals), "at least one line, and one number of releases")
    ax = axes_for(ax)
    x = np.asarray(releases, dtype=float)
    ax.set_xlim(float(x[0]), float(x[-1]) if x.size > 1 else float(x[0]) + 1.0)
    ax.set_ylim(0.0, 1.05 * max(float(np.max(values)) for values in totals.values()))
    for number, (name, values) in enumerate(totals.items()):
        ax.plot(x, values, label=name, **stroke(number).kwargs())
    ax.set_xlabel(fill("plots.axis.releases"))
    ax.set_ylabel(fill("plots.axis.epsilon", at_most=at_most(delta)))
    words = [f"{at_most(float(values[-1]))} ({name})" for name, values in totals.items()]
    takeaway = fill("plots.totals.said", releases=releases[-1], values=", ".join(words))
    said = fill("plots.totals.seen", first=releases[0], last=releases[-1], delta=at_most(delta))
    rows = [
        (name, number, value)
        for name, values in totals.items()
        for number, value in zip(releases, values.tolist(), strict=True)
    ]
    least = min(reversed(totals), key=lambda name: float(totals[name][-1]))
    value = at_most(float(totals[least][-1]))
    title = fill("plots.totals.title", releases=releases[-1], value=value, name=least)
    columns = ("theorem", "releases", "epsilon at most")
    return attach(ax, title, takeaway, said, columns, rows, theorems)
