"""Epsilon of many releases by several theorems: what promises add up to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from dprisk._numeric.logspace import Floats
from dprisk.errors import refused
from dprisk.explain.rounding import at_most
from dprisk.plots.behind import attach
from dprisk.plots.frame import name_line, quietly
from dprisk.plots.look import axes_for, stroke
from dprisk.sources import Theorem
from dprisk.text import fill

__all__ = ["draw_totals"]


@quietly
def draw_totals(
    releases: Sequence[int],
    totals: dict[str, Floats],
    delta: float,
    theorems: Sequence[Theorem] = (),
    *,
    ax: Axes | None = None,
) -> Axes:
    """Total epsilon against the number of releases, a line for each theorem.

    Parameters
    ----------
    releases : sequence of int
        Numbers of releases, rising. [1, 10^9]
    totals : dict of str to ndarray
        For each theorem epsilon at most, one for each number. [0, inf], nats
    delta : float
        At which they are stated. [0, 1)
    theorems : sequence of Theorem
        Where they come from.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        The lowest line is the bound that counts.

    Raises
    ------
    InvalidInput
        If there is nothing to draw.

    References
    ----------
    .. [1] P0, Figure 2.

    Examples
    --------
    >>> import numpy as np
    >>> from dprisk.plots import alt_text
    >>> from dprisk.plots.totals import draw_totals
    >>> print(alt_text(draw_totals([1, 2], {"basic": np.array([0.05, 0.1])}, 0.0)))
    Line chart of epsilon at most against the number of releases, 1 to 2, at a delta of 0. After \
2 releases, epsilon is at most 0.1 (basic).
    """
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
