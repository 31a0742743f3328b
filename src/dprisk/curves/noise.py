"""How much noise buys how little risk: as data, and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

from dprisk._checks import PROBABILITY, fixed, scalar
from dprisk._numeric.logspace import Floats
from dprisk._values import members, plain, result
from dprisk.curves.figure import attach, figure, up_to
from dprisk.curves.look import REFERENCE, axes_for, hundreds, plain_log, stroke
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
    """The noise of mechanisms, and what can be learned at most. Made by `noise_curve`.

    Parameters
    ----------
    name : str
        What is run, as a figure says it.
    mechanisms : tuple of Mechanism
        From the least noise to the most.
    noise_sd : ndarray
        Standard deviation of the noise of each, in the units of the answer. [0, inf), shape (n,)
    exact_probability : ndarray
        Probability that the true value comes out unchanged. [0, 1], shape (n,)
    prior : float
        Belief before the release. [0, 1]
    confidence : float or None
        Probability with which the bounds hold; None for certainty. (0, 1)
    log_odds : ndarray
        The log-odds move by at most this. [0, inf], nats, shape (n,)
    posterior : ndarray
        Belief after the release, at most. [0, 1], shape (n,)
    theorem : Theorem
        Where it comes from.
    """

    name: str
    mechanisms: tuple[Mechanism, ...]
    noise_sd: Floats
    exact_probability: Floats
    prior: float
    confidence: float | None
    log_odds: Floats
    posterior: Floats
    theorem: Theorem

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, and for the table behind a figure.

        Returns
        -------
        dict
            One list for each quantity.
        """
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
