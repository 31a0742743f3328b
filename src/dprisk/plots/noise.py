"""Picture of noise against risk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from matplotlib.axes import Axes

from dprisk._numeric.logspace import Floats
from dprisk.curves.noise import NoiseCurve
from dprisk.errors import refused
from dprisk.plots.behind import attach
from dprisk.plots.frame import name_line, quietly, remark
from dprisk.plots.labels import hundreds, plain_log
from dprisk.plots.look import GREY, axes_for, stroke
from dprisk.plots.saying import up_to
from dprisk.text import fill
from dprisk.text.rounding import at_most, out_of, scale

COLUMNS: Final = (
    "mechanism",
    "standard deviation of the noise",
    "probability of the exact value",
    "log-odds move by at most",
    "belief after at most",
)
WIDE: Final = 20.0  # from the least to the most noise: then the axis is logarithmic
FEW: Final = 12


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
    With noise of standard deviation 1.42, a chance of 10 in 100 can become at most 24 in 100; \
with 5.66, at most 13 in 100 (Laplace).
    """
    if len({(curve.prior, curve.confidence) for curve in curves}) != 1:
        found = [(c.prior, c.confidence) for c in curves]
        raise refused("errors.plots.noise", "curves", found)
    ax = axes_for(ax)
    prior = curves[0].prior
    low, high = _shared([curve.noise_sd for curve in curves])
    if low > 0.0 and high / low > WIDE:
        ax.set_xscale("log")
        ax.set_xlim(low, high)
        plain_log(ax.xaxis)
    else:
        ax.set_xlim(low if high > low else 0.0, high if high > 0.0 else 1.0)
    ax.set_ylim(max(0.0, prior - 0.05), 1.0)
    for number, curve in enumerate(curves):
        one = stroke(number)
        marker: Any = {"marker": "o", "markersize": 3.0} if curve.noise_sd.size <= FEW else {}
        (line,) = ax.plot(
            curve.noise_sd,
            curve.posterior,
            label=f"_{curve.name}",
            clip_on=len(curves) > 1,
            **one.kwargs(),
            **marker,
        )
        if len(curves) > 1:
            name_line(ax, curve.name, line, one)
    still = ax.axhline(prior, color=GREY, linewidth=0.8, label="_prior")
    remark(ax, fill("plots.noise.nothing", prior=out_of(prior)), still)
    hundreds(ax.yaxis)
    ax.set_xlabel(fill("plots.axis.noise"))
    ax.set_ylabel(fill("plots.axis.belief-held"))
    said = fill("plots.noise.seen", prior=out_of(prior), low=f"{low:.3g}", high=f"{high:.3g}")
    rows = [row for curve in curves for row in _rows(curve)]
    words = " ".join(map(_in_words, curves))
    theorems, sure = [curve.theorem for curve in curves], curves[0].confidence
    return attach(ax, _title(curves), words, said, COLUMNS, rows, theorems, sure)


def _shared(noise: Sequence[Floats]) -> tuple[float, float]:
    """Where all curves are known; where no place is shared, all that is known."""
    lows, highs = [float(sd.min()) for sd in noise], [float(sd.max()) for sd in noise]
    if max(lows) < min(highs):
        return max(lows), min(highs)
    return min(lows), max(highs)


def _title(curves: Sequence[NoiseCurve]) -> str:
    """With the most noise, whatever the mechanism."""
    prior = curves[0].prior
    last = max(float(curve.posterior[-1]) for curve in curves)
    of, several = scale(prior, last), max(len(curve.mechanisms) for curve in curves) > 1
    words = {"prior": out_of(prior, of), "last": up_to(last, of)}
    return fill("plots.noise.title" if several else "plots.noise.title.one", **words)


def _rows(curve: NoiseCurve) -> list[tuple[Any, ...]]:
    numbers = (curve.noise_sd, curve.exact_probability, curve.log_odds, curve.posterior)
    columns = ([repr(each) for each in curve.mechanisms], *(each.tolist() for each in numbers))
    return list(zip(*columns, strict=True))


def _in_words(curve: NoiseCurve) -> str:
    """With more noise it is no more."""
    if curve.prior in (0.0, 1.0):
        return fill("plots.noise.certain", prior=out_of(curve.prior), name=curve.name)
    ends = curve.posterior[[0, -1]].tolist()
    of = scale(curve.prior, *ends)
    sd, last_sd = (at_most(float(curve.noise_sd[at])) for at in (0, -1))
    most, last = (up_to(end, of) for end in ends)
    said = {"sd": sd, "prior": out_of(curve.prior, of), "most": most, "name": curve.name}
    if len(curve.mechanisms) == 1:
        return fill("plots.noise.one", **said)
    return fill("plots.noise.several", last_sd=last_sd, last=last, **said)
