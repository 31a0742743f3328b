"""Picture of two outputs: delta as the area by which one sticks out above the other, scaled up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from dprisk._numeric.logspace import Floats
from dprisk.curves.outputs import TwoOutputs
from dprisk.plots.behind import attach
from dprisk.plots.frame import name_line, quietly, remark
from dprisk.plots.look import BLUE, GREEN, INK, VERMILION, Stroke, axes_for
from dprisk.text import fill
from dprisk.text.rounding import at_most

FIRST: Final = Stroke(BLUE, "-")
SECOND: Final = Stroke(GREEN, (0, (1.2, 1.4)))
SCALED: Final = Stroke(GREEN, (0, (5.0, 1.8)))
SHADED: Final[Any] = {
    "facecolor": (*to_rgb(VERMILION), 0.35),
    "linewidth": 0.0,
    "label": "_delta",
}
REST: Final = 2e-3  # of the height: where both are lower, nothing is to be seen
SEEN: Final = 1e-3  # what is less is no area to the eye
TALL: Final = 3.0  # times the highest of the two distributions: what is higher is cut off
COLUMNS: Final = ("output", "with one record", "with the other", "the other, scaled up")


@quietly
def draw_delta_area(
    outputs: TwoOutputs, *, beside: Sequence[TwoOutputs] = (), ax: Axes | None = None
) -> Axes:
    """Two distributions of an output, one of them scaled up by e^epsilon, and delta as an area.

    Parameters
    ----------
    outputs : TwoOutputs
        Both distributions and delta.
    beside : sequence of TwoOutputs
        Those of the pictures that this one is compared with: they share their scales.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        Curves for densities, steps for probabilities. The shaded area, of the first distribution
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
    The shaded area is δ: at most 0.222 at ε = 0.5.
    """
    ax = axes_for(ax)
    x, first, second = outputs.x, outputs.first, outputs.second
    high = float(outputs.delta.bracket[1])
    top = max(_top(each) for each in (outputs, *beside))
    finite = np.where(np.isfinite(outputs.scaled), outputs.scaled, top * 1e3)
    ax.set_xlim(*_ends(outputs))
    ax.set_ylim(0.0, top)
    drawn = [_steps(x, y) if outputs.discrete else (x, y) for y in (first, second, finite)]
    if high > SEEN:
        (wide, above), scaled = drawn[0], drawn[2][1]
        ax.fill_between(wide, np.minimum(above, scaled), above, **SHADED)
    epsilon = f"{outputs.epsilon:.3g}"
    cut = float(np.max(finite)) > top
    off = {"epsilon": epsilon, "peak": f"{np.nanmax(outputs.scaled):.2g}"}
    names = (
        fill("plots.area.one"),
        fill("plots.area.neighbor"),
        fill("plots.area.scaled.off" if cut else "plots.area.scaled", **off),
    )
    for name, (across, y), one in zip(names, drawn, (FIRST, SECOND, SCALED), strict=True):
        (line,) = ax.plot(across, y, label=f"_{name}", **one.kwargs())
        name_line(ax, name, line, one)
    if high > SEEN:
        _name_area(ax, *drawn[0], drawn[2][1])
    ax.set_xlabel(fill("plots.axis.output"))
    ax.set_ylabel(fill("plots.axis.probability" if outputs.discrete else "plots.axis.density"))
    said = fill("plots.area.seen-steps" if outputs.discrete else "plots.area.seen-lines")
    values = {"epsilon": epsilon, "delta": at_most(high)}
    words, title = "plots.area.most" if high > SEEN else "plots.area.unseen", "plots.area.title"
    if outputs.delta.bracket[0] is not None and high == 0.0:
        words, title = "plots.area.none", "plots.area.title.none"
    columns = (x, outputs.first, outputs.second, outputs.scaled)
    rows = zip(*(y.tolist() for y in columns), strict=True)
    theorems = [outputs.delta.theorem]
    return attach(ax, fill(title, **values), fill(words, **values), said, COLUMNS, rows, theorems)


def _top(outputs: TwoOutputs) -> float:
    """The height of a picture: of all three, or of the two where the third is much higher."""
    peak = float(max(outputs.first.max(), outputs.second.max()))
    return min(1.06 * float(np.nanmax(outputs.scaled)), TALL * peak)


def _ends(outputs: TwoOutputs) -> tuple[float, float]:
    """From where one of the two distributions begins to where both have ended."""
    x = outputs.x
    both = np.maximum(outputs.first, outputs.second)
    seen = np.flatnonzero(both > REST * both.max())
    low, high = max(int(seen[0]) - 1, 0), min(int(seen[-1]) + 1, x.size - 1)
    side = 0.5 if outputs.discrete else 0.0
    return float(x[low]) - side, float(x[high]) + side


def _steps(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """A flat piece for each whole number."""
    edges = np.append(x - 0.5, x[-1] + 0.5)
    return np.repeat(edges, 2)[1:-1], np.repeat(y, 2)


def _name_area(ax: Axes, x: Floats, above: Floats, below: Floats) -> None:
    """Names the area where it is widest."""
    at = int(np.argmax(above - np.minimum(above, below)))
    middle = (min(above[at], below[at]) + above[at]) / 2.0
    (point,) = ax.plot(x[at], middle, linestyle="none", label="_area")
    remark(ax, fill("plots.area.delta"), point, INK)
