"""Picture of two outputs: delta as the area by which one sticks out above the other, scaled up."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from dprisk.curves.outputs import TwoOutputs
from dprisk.explain.rounding import at_most
from dprisk.plots.behind import attach
from dprisk.plots.labels import label_lines, margin, tag_of, write_beside
from dprisk.plots.look import BLUE, GREEN, VERMILION, Stroke, axes_for, quietly
from dprisk.text import fill

__all__ = ["draw_delta_area"]

FIRST: Final = Stroke(BLUE, "-")
SECOND: Final = Stroke(GREEN, (0, (1.2, 1.4)))
SCALED: Final = Stroke(GREEN, (0, (5.0, 1.8)))
COLUMNS: Final = ("output", "with one record", "with the other", "the other, scaled up")


@quietly
def draw_delta_area(outputs: TwoOutputs, *, ax: Axes | None = None) -> Axes:
    """Two distributions of an output, one of them scaled up by e^epsilon, and delta as an area.

    Parameters
    ----------
    outputs : TwoOutputs
        Both distributions and delta.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        Curves for densities, steps for probabilities. The hatched area, of the first distribution
        above the scaled second, is delta.

    References
    ----------
    .. [1] P4, Figure 1.

    Examples
    --------
    >>> from dprisk.curves import two_outputs
    >>> from dprisk.mechanisms import Laplace
    >>> from dprisk.plots import draw_delta_area, takeaway
    >>> outputs = two_outputs(Laplace(1.0, 1.0, neighbors="add-remove"), 0.5)
    >>> print(takeaway(draw_delta_area(outputs)))
    What sticks out above the other distribution times e^0.5 is delta: at most 0.222 in all.
    """
    ax = axes_for(ax)
    x, first, second, scaled = outputs.x, outputs.first, outputs.second, outputs.scaled
    finite = np.where(np.isfinite(scaled), scaled, np.nanmax(first) * 1e3)
    top = float(max(first.max(), second.max())) * 1.25
    drawstyle: Any = "steps-mid" if outputs.discrete else "default"
    wide = x
    if outputs.discrete:
        wide = np.concatenate([[x[0] - 0.5], x, [x[-1] + 0.5]])
        first, second, finite = (
            np.concatenate([y[:1], y, y[-1:]]) for y in (first, second, finite)
        )
    ax.set_xlim(wide[0], wide[-1])
    ax.set_ylim(0.0, top)
    over: dict[str, Any] = {
        "facecolor": "#f3c5a5",
        "edgecolor": VERMILION,
        "hatch": "////",
        "linewidth": 0.0,
    }
    step: Any = {"step": "mid"} if outputs.discrete else {}
    ax.fill_between(
        wide,
        np.minimum(first, finite),
        first,
        where=first > finite,
        interpolate=not outputs.discrete,
        label="_delta",
        **over,
        **step,
    ) if False else None
    ax.fill_between(wide, np.minimum(first, finite), first, label="_delta", **over, **step)
    off = "" if finite.min() <= top else fill("plots.area.off")
    tags = []
    for text, y, one in (
        (fill("plots.area.one"), first, FIRST),
        (fill("plots.area.neighbor"), second, SECOND),
        (fill("plots.area.scaled", epsilon=f"{outputs.epsilon:g}", off=off), finite, SCALED),
    ):
        ax.plot(wide, y, drawstyle=drawstyle, label=f"_{text}", **one.kwargs())
        tags.append(tag_of(ax, text, one, wide, np.minimum(y, top)))
    low, high = outputs.delta.bracket
    label_lines(ax, [tag._replace(end=None, rank=0.92 - 0.26 * n) for n, tag in enumerate(tags)])
    hatched = Rectangle((5.0, 0.1), 18.0, 0.07, transform=margin(ax), clip_on=False, **over)
    ax.add_patch(hatched)
    write_beside(ax, 0.135, fill("plots.area.delta", delta=at_most(float(high))))
    ax.set_xlabel(fill("plots.axis.output"))
    ax.set_ylabel(fill("plots.axis.probability" if outputs.discrete else "plots.axis.density"))
    said = fill("plots.area.seen-steps" if outputs.discrete else "plots.area.seen-lines")
    words = fill("plots.area.most", epsilon=f"{outputs.epsilon:g}", delta=at_most(float(high)))
    if low is not None and high == 0.0:
        words = fill("plots.area.none", epsilon=f"{outputs.epsilon:g}")
    rows = zip(*(y.tolist() for y in (x, outputs.first, outputs.second, scaled)), strict=True)
    return attach(ax, words, said, COLUMNS, rows)
