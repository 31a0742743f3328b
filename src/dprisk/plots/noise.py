"""Picture of noise against risk."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes

from dprisk.curves.noise import NoiseCurve
from dprisk.errors import InvalidInput
from dprisk.explain.rounding import at_most
from dprisk.plots.behind import attach
from dprisk.plots.labels import label_lines, plain_log, tag_of
from dprisk.plots.look import GREY, axes_for, quietly, stroke
from dprisk.text import fill

__all__ = ["draw_noise"]

COLUMNS: Final = (
    "mechanism",
    "standard deviation of the noise",
    "probability of the exact value",
    "log-odds move by at most",
    "belief after at most",
)
WIDE: Final = 20.0


@quietly
def draw_noise(*curves: NoiseCurve, ax: Axes | None = None) -> Axes:
    """What can be learned at most, against the noise that is added.

    Parameters
    ----------
    *curves : NoiseCurve
        One for each kind of mechanism, all for the same prior; at least one.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        One falling line for each, towards the prior, at which nothing is learned.

    Raises
    ------
    InvalidInput
        If there is nothing to draw, or priors or confidences differ.

    Examples
    --------
    >>> from dprisk.curves import noise_curve
    >>> from dprisk.mechanisms import Laplace
    >>> from dprisk.plots import draw_noise, takeaway
    >>> ran = [Laplace(scale, 1.0, neighbors="add-remove") for scale in (1.0, 2.0, 4.0)]
    >>> print(takeaway(draw_noise(noise_curve(ran, prior=0.1))))
    With noise of standard deviation 1.42 a belief of 0.1 becomes at most 0.232; with 5.66, at \
most 0.125 (Laplace).
    """
    if len({(curve.prior, curve.confidence) for curve in curves}) != 1:
        allowed = "at least one, all for the same prior and confidence"
        raise InvalidInput("curves", [(c.prior, c.confidence) for c in curves], allowed)
    ax = axes_for(ax)
    prior = curves[0].prior
    noise = np.concatenate([curve.noise_sd for curve in curves])
    low, high = float(noise.min()), float(noise.max())
    if low > 0.0 and high / low > WIDE:
        ax.set_xscale("log")
        ax.set_xlim(low, high)
        plain_log(ax.xaxis)
    else:
        ax.set_xlim(low if high > low else 0.0, high if high > 0.0 else 1.0)
    ax.set_ylim(max(0.0, prior - 0.03), 1.0)
    ax.axhline(prior, color=GREY, linewidth=0.8, label="_prior")
    ax.annotate(
        fill("plots.noise.nothing", prior=f"{prior:g}"),
        (0.0, prior),
        (3.0, 2.0),
        fontsize=6.5,
        color=GREY,
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        va="bottom",
    )
    tags = []
    for number, curve in enumerate(curves):
        one = stroke(number)
        marker: Any = {"marker": "o", "markersize": 3.0} if curve.noise_sd.size <= 12 else {}
        x, y = curve.noise_sd, curve.posterior
        ax.plot(x, y, label=f"_{curve.name}", clip_on=False, **one.kwargs(), **marker)
        tags.append(tag_of(ax, curve.name, one, x, y))
    if len(curves) > 1:
        label_lines(ax, tags)
    sure = curves[0].confidence
    held = "" if sure is None else fill("plots.noise.confidence", sure=f"{sure:g}")
    ax.set_xlabel(fill("plots.axis.noise"))
    ax.set_ylabel(fill("plots.axis.belief-held", held=held))
    said = fill("plots.noise.seen", prior=f"{prior:g}", low=f"{low:.3g}", high=f"{high:.3g}")
    rows = [row for curve in curves for row in _rows(curve)]
    return attach(ax, " ".join(map(_in_words, curves)), said, COLUMNS, rows)


def _rows(curve: NoiseCurve) -> list[tuple[Any, ...]]:
    numbers = (curve.noise_sd, curve.exact_probability, curve.log_odds, curve.posterior)
    columns = ([repr(each) for each in curve.mechanisms], *(each.tolist() for each in numbers))
    return list(zip(*columns, strict=True))


def _in_words(curve: NoiseCurve) -> str:
    ends = [
        (at_most(float(curve.noise_sd[at])), at_most(float(curve.posterior[at]))) for at in (0, -1)
    ]  # with more noise it is no more
    (sd, most), (last_sd, last) = ends
    said = {"sd": sd, "prior": f"{curve.prior:g}", "most": most, "name": curve.name}
    if len(curve.mechanisms) == 1:
        return fill("plots.noise.one", **said)
    return fill("plots.noise.several", last_sd=last_sd, last=last, **said)
