"""Epsilon of many releases by several theorems: what promises add up to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from dprisk._numeric.logspace import Floats
from dprisk.errors import refused
from dprisk.plots.behind import attach
from dprisk.plots.frame import name_line, quietly
from dprisk.plots.look import axes_for, stroke
from dprisk.text import fill
from dprisk.text.rounding import at_most
from dprisk.theorems import Theorem


@quietly
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
        raise refused("errors.plots.totals", "totals", len(totals))
    ax = axes_for(ax)
    x = np.asarray(releases, dtype=float)
    ax.set_xlim(float(x[0]), float(x[-1]) if x.size > 1 else float(x[0]) + 1.0)
    ax.set_ylim(0.0, 1.05 * max(float(np.max(values)) for values in totals.values()))
    for number, (name, values) in enumerate(totals.items()):
        (line,) = ax.plot(x, values, label=f"_{name}", **stroke(number).kwargs())
        name_line(ax, name, line, stroke(number))
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
