"""The drawings of a report: each with its caption, what is seen, and the numbers behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from dprisk.documents.blocks import Figure, Table
from dprisk.text import count, decimal, fill, has
from dprisk.text.rounding import rounded

if TYPE_CHECKING:
    from dprisk.allocation.finding import Findings
    from dprisk.answer import Answer
    from dprisk.curves.rungs import Ladder
    from dprisk.documents.assessing import Attacked, Compared
    from dprisk.documents.findings import Assessment
    from dprisk.tables.summary import TableSummary

ROWS = 24  # of the numbers behind a figure, on paper; the rest is in the drawing
DIGITS = 4
SMALL_ICONS = (3.0, 1.9)  # inches
TINY, SMALL = 1e-5, 1e-2  # beside a tiny number small ones are written as powers, too
POINTS = 61  # of a curve
LEVELS = np.unique(
    np.concatenate(
        [np.linspace(0.0, 1.0, 101), np.geomspace(1e-5, 0.2, 61), 1.0 - np.geomspace(1e-5, 0.2, 61)]
    )
)


def icons(
    before: float, after: Answer, of: int, confidence: float | None, *, small: bool = False
) -> Figure:
    """The belief before and after the release, in the same hundred or thousand."""
    from dprisk.curves import draw_icons
    from dprisk.curves.look import axes_for

    cases: dict[str, Answer | float] = {
        fill("report.figure.before"): before,
        fill("report.figure.after"): after,
    }
    ax = axes_for(None, *SMALL_ICONS) if small else None
    drawn = draw_icons(cases, of=100 if of == 100 else 1000, confidence=confidence, ax=ax)
    return _figure("before-and-after", drawn)


def ratios(made: Compared) -> Figure:
    """How likely conclusions differ by more than a factor, for every reader."""
    from dprisk.curves import counterfactual_line, draw_lines
    from dprisk.curves.lines import last_seen

    far = 1.2 * max(last_seen(each.guarantee) for each in made.found)
    epsilons = np.union1d(
        np.linspace(0.0, far, POINTS), [x for x in np.log(made.ratios) if x < far]
    )
    lines = [
        counterfactual_line(each, epsilons, name=fill(f"report.line.{each.adversary}"))
        for each in made.found
    ]
    drawn = _figure("ratio", draw_lines(*lines))
    return replace(drawn, caption=fill("report.figure.ratios"))


def difference(assessments: Sequence[Assessment]) -> Figure:
    """How far a belief can move from every prior, for each question."""
    from dprisk.curves import beliefs, draw_beliefs
    from dprisk.risk.posterior import Disclosure

    known = [each for each in assessments if each.statements]
    curves = []
    for each in known:
        best = each.basis
        moved = Disclosure(best.loss, each.adversary.sides, best.loss.assumptions, best.confidence)
        curves.append(beliefs(moved, name=fill(f"report.question.{each.adversary.secret}")))
    drawn = _figure(
        "change", draw_beliefs(*curves, metric="difference"), lambda row: _on_grid(row[1])
    )
    return replace(drawn, caption=fill("report.figure.change"))


def powers(made: Attacked) -> Figure:
    """The power of a test against its level."""
    from dprisk.curves import draw_lines, guarantee_line
    from dprisk.risk.adversary import between_hypotheses

    whole = between_hypotheses(made.composed.guarantee, made.curve.secret)
    line = guarantee_line(whole, "power", LEVELS, name=fill("report.figure.together"))
    drawn = _figure("power", draw_lines(line), lambda row: _on_grid(row[1]))
    return replace(drawn, caption=fill("report.figure.power"))


def going_on(climbed: Ladder, names: Sequence[str], limit: float | None) -> Figure:
    """A figure of what is learned as releases go on."""
    from dprisk.curves import draw_ladder

    drawn = _figure("releases", draw_ladder(climbed, rungs=list(names), limit=limit))
    return replace(drawn, caption=fill("report.figure.releases"))


def concerned(found: Sequence[Findings], names: Sequence[str]) -> Figure:
    """The power of a test, for one concern beside the other."""
    from dprisk.curves import draw_lines, guarantee_line

    lines = [
        guarantee_line(one.guarantee, "power", LEVELS, name=name)
        for one, name in zip(found, names, strict=True)
    ]
    return _figure("concerns", draw_lines(*lines), lambda row: _on_grid(row[1], 0.1))


def of_rows(made: TableSummary, output: str) -> Figure:
    """How many rows of a table are at which risk."""
    from dprisk.curves import draw_rows

    return _figure(output.replace("_", "-"), draw_rows(made, output))


def _figure(name: str, ax: Any, wanted: Callable[[Any], bool] | None = None) -> Figure:
    from dprisk.curves import alt_text, render, tables, takeaway

    (table,) = tables(ax)
    rows = [row for row in table.rows if wanted is None or wanted(row)]
    if wanted is None and len(rows) > ROWS:
        rows = rows[:: -(-len(rows) // ROWS)]
    columns = [
        at for at in range(len(table.columns)) if any(row[at] not in (None, "") for row in rows)
    ]
    cells = [_cells([row[at] for row in rows], table.columns[at]) for at in columns]
    shown = tuple(zip(*cells, strict=True))
    numbers = Table(
        fill("report.figure.numbers"), tuple(_column(table.columns[at]) for at in columns), shown
    )
    return Figure(name, takeaway(ax), alt_text(ax), render(ax, "svg", name=f"fig-{name}"), numbers)


def _column(name: str) -> str:
    """The heading over a column of the data behind a figure."""
    known = f"report.column.{name.replace(' ', '-')}"
    return fill(known) if has(known) else name


def _on_grid(value: Any, step: float = 0.05) -> bool:
    """Whether a point is one that people would ask about."""
    steps = float(value) / step
    return abs(steps - round(steps)) < 1e-9


def _cells(values: Sequence[Any], column: str) -> list[str]:
    """The cells of a column, small numbers in one notation."""
    numbers = [abs(value) for value in values if isinstance(value, float)]
    tiny = any(0.0 < number < TINY for number in numbers)
    return [
        _cell(value, column, tiny and isinstance(value, float) and abs(value) < SMALL)
        for value in values
    ]


def _cell(value: Any, column: str, as_power: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return count(value)
    if column in ("at least", "at most"):
        shown = rounded(float(value), DIGITS, upper=column == "at most")
    else:
        shown = f"{value:.10g}"
    return decimal(f"{Decimal(shown):e}" if as_power and value else shown)
