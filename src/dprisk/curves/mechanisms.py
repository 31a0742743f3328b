"""How much noise of a mechanism buys how little risk, and its outputs, with delta as an area."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import FINITE, PROBABILITY, REAL, fixed, numbers, scalar
from dprisk._numeric.logspace import Floats, log
from dprisk._values import ends, members, plain, result
from dprisk.answer import Answer
from dprisk.curves.figure import attach, figure, up_to
from dprisk.curves.look import (
    BLUE,
    DOTTED,
    GREEN,
    REFERENCE,
    VERMILION,
    Stroke,
    axes_for,
    hundreds,
    plain_log,
    stroke,
)
from dprisk.errors import InvalidInput
from dprisk.mechanisms import Mechanism
from dprisk.risk.adversary import Secret
from dprisk.risk.posterior import disclosure
from dprisk.text import fill
from dprisk.text.rounding import at_most, out_of, scale
from dprisk.theorems import Theorem

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class NoiseCurve:
    """The noise of mechanisms, from the least to the most, and what can be learned at most."""

    name: str
    mechanisms: tuple[Mechanism, ...]
    noise_sd: Floats  # in the units of the answer
    exact_probability: Floats  # of the true value coming out unchanged
    prior: float
    confidence: float | None
    log_odds: Floats  # they move by at most this, in nats
    posterior: Floats  # belief after the release, at most
    theorem: Theorem

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON and for the table behind a figure."""
        return {
            "name": self.name,
            "mechanisms": [repr(each) for each in self.mechanisms],
            **members(self, "noise_sd", "exact_probability", "prior", "confidence", "log_odds"),
            "posterior_at_most": plain(self.posterior),
            **members(self, "theorem", "theorem.citation"),
        }


def noise_curve(
    mechanisms: Sequence[Mechanism],
    *,
    prior: float = 0.5,
    confidence: float | None = None,
    own: bool = False,
    name: str = "",
) -> NoiseCurve:
    """Noise beside risk, for the same mechanism with more and more noise.

    Parameters
    ----------
    mechanisms : sequence of Mechanism
        Each adds noise to a number; all for the same neighbors.
    prior : float
        Belief before the release. [0, 1]
    confidence : float, optional
        Probability with which the bounds hold. (0, 1). Left out: with certainty, which normal noise
        does not allow.
    own : bool
        Whether the mechanism's own privacy loss is read, or the promise that it keeps.
    name : str
        What is run; left out, the kind of mechanism.

    Returns
    -------
    NoiseCurve
        Sorted by noise. The secret is membership under add-remove neighbors, an attribute under
        replace-one; bounds on both sides.

    Raises
    ------
    InvalidInput
        If there is no mechanism, one of them adds no noise, or their neighbors differ.
    OutOfRange
        If a number is outside its range, or no bound holds with that confidence.

    Examples
    --------
    >>> from dprisk.curves import noise_curve
    >>> from dprisk.mechanisms import Laplace
    >>> ran = [Laplace(scale, 1.0, neighbors="add-remove") for scale in (1.0, 2.0, 4.0)]
    >>> noise_curve(ran, prior=0.1).posterior.round(3).tolist()
    [0.232, 0.155, 0.125]
    """
    belief = scalar("prior", prior, PROBABILITY)
    ran = list(mechanisms)
    if not ran or len({each.neighbors for each in ran}) > 1:
        raise InvalidInput("mechanisms", mechanisms, "some, all for the same neighbors")
    silent = [each for each in ran if each.noise_sd is None]
    if silent:
        raise InvalidInput("mechanisms", silent[0], "ones that add noise to a number")
    ran.sort(key=lambda each: each.noise_sd or 0.0)
    secret: Secret = "membership" if ran[0].neighbors == "add-remove" else "attribute"
    found = [
        disclosure(each.loss() if own else each.guarantee(), confidence=confidence, secret=secret)
        for each in ran
    ]
    columns = (
        [each.noise_sd for each in ran],
        [each.exact_probability or 0.0 for each in ran],
        [float(each.loss) for each in found],
        [float(each.posterior(belief).upper) for each in found],
    )
    noise, exact, log_odds, posterior = map(fixed, columns)
    label = name or type(ran[0]).__name__
    theorem = found[0].loss.theorem
    return NoiseCurve(
        label, tuple(ran), noise, exact, belief, confidence, log_odds, posterior, theorem
    )


COLUMNS: Final = (
    "mechanism",
    "standard deviation of the noise",
    "probability of the exact value",
    "log-odds move by at most",
    "belief after at most",
)
WIDE: Final = 20.0  # from the least to the most noise: then the axis is logarithmic
FEW: Final = 12


@figure
def draw_noise(*curves: NoiseCurve, ax: Axes | None = None) -> Axes:
    """Draw what can be learned at most, against the noise that is added.

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

    Examples
    --------
    >>> from dprisk.curves import noise_curve
    >>> from dprisk.mechanisms import Laplace
    >>> from dprisk.curves import draw_noise, takeaway
    >>> ran = [Laplace(scale, 1.0, neighbors="add-remove") for scale in (1.0, 2.0, 4.0)]
    >>> print(takeaway(draw_noise(noise_curve(ran, prior=0.1))))
    With noise of standard deviation 1.42, a chance of 10 in 100 can become at most 24 in 100; \
with 5.66, at most 13 in 100 (Laplace).
    """
    if len({(curve.prior, curve.confidence) for curve in curves}) != 1:
        found = [(c.prior, c.confidence) for c in curves]
        allowed = "at least one, all for the same prior and confidence"
        raise InvalidInput("curves", found, allowed)
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
        marker: Any = {"marker": "o", "markersize": 3.0} if curve.noise_sd.size <= FEW else {}
        label = curve.name if len(curves) > 1 else f"_{curve.name}"
        look = {**stroke(number).kwargs(), **marker, "clip_on": len(curves) > 1, "label": label}
        ax.plot(curve.noise_sd, curve.posterior, **look)
    ax.axhline(prior, label=fill("plots.noise.nothing", prior=out_of(prior)), **REFERENCE)
    hundreds(ax.yaxis)
    ax.set_xlabel(fill("plots.axis.noise"))
    ax.set_ylabel(fill("plots.axis.belief-held"))
    said = fill("plots.noise.seen", prior=out_of(prior), low=f"{low:.3g}", high=f"{high:.3g}")
    rows = [row for curve in curves for row in _rows(curve)]
    words = " ".join(map(_in_words, curves))
    theorems, sure = [curve.theorem for curve in curves], curves[0].confidence
    return attach(ax, _title(curves), words, said, COLUMNS, rows, theorems, sure)


def _shared(noise: Sequence[Floats]) -> tuple[float, float]:
    """The range where all curves are known; where no place is shared, all that is known."""
    lows, highs = [float(sd.min()) for sd in noise], [float(sd.max()) for sd in noise]
    if max(lows) < min(highs):
        return max(lows), min(highs)
    return min(lows), max(highs)


def _title(curves: Sequence[NoiseCurve]) -> str:
    """The title: the belief with the most noise, whatever the mechanism."""
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
    """The belief with the least noise and with the most, in words."""
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


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class TwoOutputs:
    """Two distributions of an output, and delta as an area."""

    name: str
    discrete: bool  # whether outputs have probabilities; otherwise densities
    x: Floats  # outputs; categories are 0, 1, 2 and so on
    first: Floats
    second: Floats
    epsilon: float
    scaled: Floats  # the second times e^epsilon; no distribution
    delta: Answer  # what of the first is above it: the largest over both orders of the two

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON and the table behind a figure; None where `scaled` is infinite."""
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
OUTPUTS_COLUMNS: Final = ("output", "with one record", "with the other", "the other, scaled up")


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
    return attach(
        ax, fill(title, **values), fill(words, **values), said, OUTPUTS_COLUMNS, rows, theorems
    )


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
