"""The outputs of a mechanism on two neighbors, and how much of one sticks out: data, and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import FINITE, REAL, fixed, numbers, scalar
from dprisk._numeric.logspace import Floats, log
from dprisk._values import ends, members, result
from dprisk.answer import Answer
from dprisk.curves.figure import attach, figure
from dprisk.curves.look import BLUE, DOTTED, GREEN, VERMILION, Stroke, axes_for
from dprisk.errors import InvalidInput
from dprisk.mechanisms import Mechanism
from dprisk.text import fill
from dprisk.text.rounding import at_most

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class TwoOutputs:
    """Two distributions of an output, and delta as an area. Made by `two_outputs`.

    Parameters
    ----------
    name : str
        The mechanism.
    discrete : bool
        Whether outputs have probabilities; otherwise densities.
    x : ndarray
        Outputs; for categories 0, 1, 2 and so on. (-inf, inf), shape (n,)
    first, second : ndarray
        Probability or density of each on the one dataset and on the other. [0, inf], shape (n,)
    epsilon : float
        By how much the second is scaled up. [0, inf), nats
    scaled : ndarray
        The second times e^epsilon; no distribution. [0, inf], shape (n,)
    delta : Answer
        What of the first lies above `scaled` in all: the largest over both orders of the two.
    """

    name: str
    discrete: bool
    x: Floats
    first: Floats
    second: Floats
    epsilon: float
    scaled: Floats
    delta: Answer

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, and for the table behind a figure.

        Returns
        -------
        dict
            With `first`, `second` and `scaled` at each `x`; None where `scaled` is infinite.
        """
        shown = members(self, "name", "discrete", "x", "first", "second", "epsilon", "scaled")
        return {**shown, "delta": ends(self.delta.bracket)}


def two_outputs(
    mechanism: Mechanism, epsilon: float, at: npt.ArrayLike | None = None, *, name: str = ""
) -> TwoOutputs:
    """The outputs of a mechanism on its two most different neighbors, and delta as an area.

    Parameters
    ----------
    mechanism : Mechanism
        One number with noise, a response, or a pair of distributions.
    epsilon : float
        The privacy loss limit at which delta is read. [0, inf), nats
    at : array_like of float, optional
        Where to look at densities, rising. (-inf, inf), shape (n,). Left out, where they are not
        too small. Discrete outputs are looked at everywhere.
    name : str
        What it is about; left out, the mechanism.

    Returns
    -------
    TwoOutputs
        Both distributions, the scaled one, and delta in a bracket.

    Raises
    ------
    InvalidInput
        If the mechanism has no output that could be drawn, or `at` is no list.
    OutOfRange
        If `epsilon` is outside its range.

    References
    ----------
    .. [1] P4, Figure 1.

    Examples
    --------
    >>> from dprisk.curves import two_outputs
    >>> from dprisk.mechanisms import Laplace
    >>> drawn = two_outputs(Laplace(1.0, 1.0, neighbors="add-remove"), 0.5)
    >>> round(drawn.delta.value, 4), drawn.first.size
    (0.2212, 801)
    """
    e = scalar("epsilon", epsilon, FINITE)
    known = mechanism.outputs if isinstance(mechanism, Mechanism) else None
    if known is None:
        raise InvalidInput(
            "mechanism",
            mechanism,
            "one whose outputs lie on a line, such as Gaussian, Laplace or PairOfDensities",
            "Others have no output on a line.",
        )
    discrete = known.discrete
    x = known.x if at is None or discrete else _given(at)
    p, q = known.first(x), known.second(x)
    if _beyond(discrete, x, q, p, e) > _beyond(discrete, x, p, q, e):
        p, q = q, p
    with np.errstate(over="ignore"):
        scaled = np.exp(log(q) + e)
    x, p, q, scaled = map(fixed, (x, p, q, scaled))
    found = mechanism.loss().delta(e)
    return TwoOutputs(name or repr(mechanism), discrete, x, p, q, e, scaled, found)


def _given(at: npt.ArrayLike) -> Floats:
    x = np.array(numbers("at", at, REAL))
    if x.ndim != 1 or x.size < 2 or np.any(np.diff(x) <= 0.0):
        raise InvalidInput("at", at, "a rising list of at least 2")
    return x


def _beyond(discrete: bool, x: Floats, p: Floats, q: Floats, epsilon: float) -> float:
    """About how much of p lies above e^epsilon q: which of two orders to draw, no more."""
    with np.errstate(over="ignore"):
        above = np.maximum(p - np.exp(log(q) + epsilon), 0.0)
    return float(above.sum() if discrete else np.trapezoid(above, x))


FIRST: Final = Stroke(BLUE, "-")
SECOND: Final = Stroke(GREEN, DOTTED)
SCALED: Final = Stroke(GREEN, (0, (5.0, 1.8)))
REST: Final = 2e-3  # of the height: where both are lower, nothing is to be seen
SEEN: Final = 1e-3  # what is less is no area to the eye
TALL: Final = 3.0  # times the highest of the two distributions: what is higher is cut off
COLUMNS: Final = ("output", "with one record", "with the other", "the other, scaled up")


@figure
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
    >>> from dprisk.curves import draw_delta_area, takeaway
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
        area: dict[str, Any] = {"facecolor": VERMILION, "alpha": 0.35, "lw": 0.0}
        below = np.minimum(above, scaled)
        ax.fill_between(wide, below, above, label=fill("plots.area.delta"), **area)
    epsilon = f"{outputs.epsilon:.3g}"
    cut = float(np.max(finite)) > top
    off = {"epsilon": epsilon, "peak": f"{np.nanmax(outputs.scaled):.2g}"}
    names = (
        fill("plots.area.one"),
        fill("plots.area.neighbor"),
        fill("plots.area.scaled.off" if cut else "plots.area.scaled", **off),
    )
    for name, (across, y), one in zip(names, drawn, (FIRST, SECOND, SCALED), strict=True):
        ax.plot(across, y, label=name, **one.kwargs())
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
    """The range from where one of the two distributions begins to where both have ended."""
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
