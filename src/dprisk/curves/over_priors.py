"""Bounds on what somebody may come to believe, for every prior: as data, and drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import PROBABILITY, numbers
from dprisk._numeric.logspace import Floats, expit
from dprisk._values import ends, members, result
from dprisk.answer import Answer
from dprisk.curves.figure import attach, figure, up_to
from dprisk.curves.look import (
    DOT,
    INK,
    REFERENCE,
    SQUARE,
    Stroke,
    axes_for,
    bracket,
    hundreds,
    plain_log,
    stroke,
    unit_square,
)
from dprisk.errors import InvalidInput, one_of
from dprisk.risk.adversary import Metric
from dprisk.risk.posterior import Disclosure, Interval
from dprisk.text import fill
from dprisk.text.rounding import at_most, out_of, scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PRIORS: Final = np.unique(
    np.concatenate([np.linspace(0.0, 1.0, 101), expit(np.linspace(-12.0, 12.0, 97))])
)
COLUMNS: Final = ("release", "prior", "at least", "at most")
METRICS: Final = ("posterior", "ratio", "difference")
VACUOUS: Final = 0.01  # from both ends: then nearly anything can be concluded
HALF: Final = 0.5
ALIKE: Final = 1e-9  # a rise that nobody sees


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Beliefs:
    """Bounds on a belief after the release, prior by prior.

    `posterior`, `ratio`, `ratio_not` and `difference` are at least and at most at each prior, each
    with the other end of its bracket where the log-odds have one. `ratio` is the limit at prior 0,
    `ratio_not` at prior 1.
    """

    name: str
    disclosure: Disclosure
    priors: Floats
    posterior: Interval
    ratio: Interval
    ratio_not: Interval
    difference: Interval
    worst: Interval  # the priors at which the belief can fall and rise most
    most: Interval  # by how much it can fall and rise there

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON and for the table behind a figure; infinite ratios are None."""
        bounds: dict[str, Interval] = {
            name: getattr(self, name) for name in ("posterior", "ratio", "ratio_not", "difference")
        }
        return {
            "name": self.name,
            "log_odds": float(self.disclosure.loss),
            "priors": self.priors.tolist(),
            **{name: ends((each.lower.value, each.upper.value)) for name, each in bounds.items()},
            "worst_prior": float(self.worst.upper),
            "most": float(self.most.upper),
            **members(self, "disclosure.loss.theorem", "disclosure.assumptions"),
        }


def beliefs(
    disclosure: Disclosure, priors: npt.ArrayLike | None = None, *, name: str = ""
) -> Beliefs:
    """Posterior, ratio and difference for many priors.

    Parameters
    ----------
    disclosure : Disclosure
        How far the release can move beliefs, at one confidence.
    priors : array_like of float, optional
        Beliefs before the release. [0, 1], shape (n,). Left out, from 0 to 1, closer together near
        both.
    name : str
        What is released; left out, how far the log-odds move.

    Returns
    -------
    Beliefs
        Bounds at each prior, and the worst one.

    Raises
    ------
    OutOfRange
        If a prior is outside [0, 1] or NaN.
    InvalidInput
        If `priors` is no list, or `disclosure` was made for several confidences.

    References
    ----------
    .. [1] P0, Theorems 3.2 to 3.5, Figures 6 and 7.

    Examples
    --------
    >>> from dprisk import ApproxDP, disclosure
    >>> from dprisk.curves import beliefs
    >>> moved = disclosure(ApproxDP(1.8, 1e-5, neighbors="add-remove"), confidence=0.95)
    >>> found = beliefs(moved, [0.1, 0.5])
    >>> found.posterior.upper.value.round(3).tolist()
    [0.402, 0.858]
    >>> round(found.worst.upper.value, 3), round(found.most.upper.value, 3)
    (0.289, 0.422)
    """
    if np.ndim(disclosure.loss.value):
        raise InvalidInput("disclosure", disclosure.loss.value, "one for a single confidence")
    p = PRIORS if priors is None else np.array(numbers("prior", priors, PROBABILITY))
    if p.ndim != 1 or p.size == 0:
        raise InvalidInput("priors", priors, "a list of at least one number")
    p.flags.writeable = False
    least = disclosure.loss.bracket[0]
    other = disclosure
    if least is not None:
        other = replace(disclosure, loss=replace(disclosure.loss, value=least))

    def asked(metric: Metric, prior: Floats | None) -> Interval:
        found, inner = (getattr(each, metric)(prior) for each in (disclosure, other))
        known = least is not None and disclosure.loss.bound != "exact"
        return Interval(
            _with(found.lower, inner.lower, known), _with(found.upper, inner.upper, known)
        )

    return Beliefs(
        name or f"log-odds moved by {float(disclosure.loss):.3g} at most",
        disclosure,
        p,
        asked("posterior", p),
        asked("ratio", p),
        asked("ratio_not", p),
        asked("difference", p),
        disclosure.worst_prior("difference"),
        asked("difference", None),
    )


def _with(answer: Answer, inner: Answer, known: bool) -> Answer:
    return replace(answer, other_end=inner.value) if known else answer


@figure
def draw_beliefs(
    *curves: Beliefs,
    metric: Metric = "posterior",
    prior: float = HALF,
    opposite: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Belief after the release against belief before it, or how the two differ.

    Parameters
    ----------
    *curves : Beliefs
        One for each release; at least one.
    metric : {"posterior", "ratio", "difference"}
        The belief after the release; that divided by the belief before it; or that minus it.
    prior : float
        For ``posterior``: the belief before the release that the title is about. [0, 1]
    opposite : bool
        For ``ratio``: whether the ratio of the beliefs that the secret is *not* so is drawn as
        well, thinner.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        Bounds above and below the line on which nothing is learned, for ``ratio`` on a
        logarithmic scale. Of one release, what becomes of the prior, or the largest rise, is
        marked.

    References
    ----------
    .. [1] P0, Theorems 3.2, 3.3 and 3.5, Figures 6 and 7.

    Examples
    --------
    >>> from dprisk import PureDP, disclosure
    >>> from dprisk.curves import beliefs, draw_beliefs, takeaway
    >>> known = beliefs(disclosure(PureDP(1.0, neighbors="add-remove")), name="one release")
    >>> print(takeaway(draw_beliefs(known)))
    A chance of 50 in 100 can become at most 74 in 100. A chance can rise by at most 25 in 100. \
The largest rise is from about 38 in 100 (one release).
    """
    if not curves:
        raise InvalidInput("curves", None, "at least one, such as beliefs(disclosure(...))")
    one_of("metric", metric, METRICS)
    if metric == "ratio":
        return _draw_ratio(axes_for(ax), curves, opposite)
    if metric == "difference":
        return _draw_difference(axes_for(ax), curves)
    return _draw_posterior(axes_for(ax, height=SQUARE), curves, prior)


def _draw_posterior(ax: Axes, curves: Sequence[Beliefs], prior: float) -> Axes:
    found = [curve.posterior for curve in curves]
    _draw(ax, curves, found)
    after = [float(curve.disclosure.posterior(prior).upper) for curve in curves]
    if len(curves) == 1 and after[0] > prior + ALIKE:
        ax.plot([prior, prior], [prior, after[0]], color=INK, linewidth=1.0, label="_rise")
        ax.plot(prior, after[0], color=INK, label=up_to(after[0], scale(prior, after[0])), **DOT)
    unit_square(ax, fill("plots.nothing-learned"), rising=True)
    _in_hundreds(ax, "plots.axis.posterior")
    words = _each(curves, lambda curve: _posterior_in_words(curve, prior))
    title = _title(curves, prior, after)
    return _attach(ax, title, words, fill("plots.beliefs.seen"), curves, found)


def _draw_ratio(ax: Axes, curves: Sequence[Beliefs], opposite: bool) -> Axes:
    """Ratios, on a logarithmic scale around the ratio 1."""
    ax.set_xlim(0.0, 1.0)
    ax.set_yscale("log")
    found = [curve.ratio for curve in curves]
    thinner = [curve.ratio_not for curve in curves] if opposite else []
    uppers = [np.asarray(each.upper.value) for each in (*found, *thinner)]
    tops = [each[np.isfinite(each)].max(initial=1.5) for each in uppers]
    top = min(max(tops), 1e12) ** 1.25
    ax.set_ylim(1.0 / top, top)
    single = len(curves) == 1
    bounds = fill("plots.beliefs.secret" if opposite else "plots.beliefs.bounds")
    for number, curve in enumerate(curves):
        one = stroke(number)
        _between(ax, curve, curve.ratio, one, bounds if single else curve.name)
        if opposite:
            thin = one._replace(width=0.8)
            label = fill("plots.beliefs.secret-not") if single else f"_{curve.name}, opposite"
            _between(ax, curve, curve.ratio_not, thin, label, thin=True)
    limits = [float(curve.disclosure.ratio().upper) for curve in curves]
    if single and 1.0 < limits[0] <= top:
        near = fill("plots.beliefs.towards", at_most=at_most(limits[0]))
        ax.plot(0.0, limits[0], color=INK, label=near, **DOT)
    ax.axhline(1.0, label=fill("plots.nothing-learned"), **REFERENCE)
    plain_log(ax.yaxis)
    hundreds(ax.xaxis)
    ax.set_xlabel(fill("plots.axis.prior"))
    ax.set_ylabel(fill("plots.axis.ratio"))
    said = fill("plots.beliefs.seen-ratio")
    names = [curve.name for curve in curves]
    if opposite:
        said += fill("plots.beliefs.seen-opposite")
        names += [fill("plots.beliefs.opposite", name=curve.name) for curve in curves]
    most = max(limits)
    title = fill("plots.beliefs.title.none")
    if most > 1.0:
        title = fill("plots.beliefs.title-ratio", most=_at_most_or_endless(most))
    words = _each(curves, _ratio_in_words)
    return _attach(ax, title, words, said, curves, [*found, *thinner], names)


def _draw_difference(ax: Axes, curves: Sequence[Beliefs]) -> Axes:
    """Differences, around 0, with the prior at which the belief can rise most."""
    tallest = max(float(curve.most.upper) for curve in curves)
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(*(sign * 1.18 * max(0.02, tallest) for sign in (-1.0, 1.0)))
    found = [curve.difference for curve in curves]
    _draw(ax, curves, found)
    if len(curves) == 1 and tallest > ALIKE:
        at = float(curves[0].worst.upper)
        words = {"at": _about(at), "most": _change(tallest)}
        ax.plot(at, tallest, color=INK, label=fill("plots.beliefs.worst-change", **words), **DOT)
    ax.axhline(0.0, label=fill("plots.nothing-learned"), **REFERENCE)
    _in_hundreds(ax, "plots.axis.difference")
    said = fill("plots.beliefs.seen-difference")
    return _attach(ax, _title_difference(curves), _each(curves, _rise), said, curves, found)


def _title_difference(curves: Sequence[Beliefs]) -> str:
    """The largest change, and the least of several releases or questions."""
    mild, strong = (pick(curves, key=lambda each: float(each.most.upper)) for pick in (min, max))
    least, most = (_change(float(each.most.upper)) for each in (mild, strong))
    if float(strong.most.upper) == 0.0:
        return fill("plots.beliefs.title.none")
    if least == most:
        return fill("plots.beliefs.title-difference", most=most)
    names = {"mild": mild.name, "strong": strong.name}
    return fill("plots.beliefs.title-difference.several", least=least, most=most, **names)


def _in_hundreds(ax: Axes, up: str) -> None:
    """Both axes count chances as the words do."""
    hundreds(ax.xaxis)
    hundreds(ax.yaxis)
    ax.set_xlabel(fill("plots.axis.prior"))
    ax.set_ylabel(fill(up))


def _draw(ax: Axes, curves: Sequence[Beliefs], found: Sequence[Interval]) -> None:
    for number, (curve, interval) in enumerate(zip(curves, found, strict=True)):
        label = curve.name if len(curves) > 1 else fill("plots.beliefs.bounds")
        _between(ax, curve, interval, stroke(number), label)


def _between(
    ax: Axes, curve: Beliefs, interval: Interval, line: Stroke, label: str, *, thin: bool = False
) -> None:
    """Both bounds, what lies between them, and brackets where they can be seen."""
    x, clipped = curve.priors, ax.get_yscale() == "log"
    lower, upper = (np.asarray(end.value, dtype=float) for end in (interval.lower, interval.upper))
    if not thin and float(curve.most.upper) > ALIKE:
        between = (np.clip(end, -1e300, 1e300) for end in (lower, upper))
        ax.fill_between(x, *between, color=line.color, alpha=0.07, lw=0.0)
    for name, values, answer in (
        (label, upper, interval.upper),
        (f"_{label}: at least", lower, interval.lower),
    ):
        y = np.where(np.isfinite(values), values, np.nan)  # infinity has no place on paper
        ax.plot(x, y, label=name, clip_on=clipped, **line.kwargs())
        if answer.other_end is not None:
            bracket(ax, x, y, np.asarray(answer.other_end, dtype=float), line.color)


def _attach(
    ax: Axes,
    title: str,
    words: str,
    said: str,
    curves: Sequence[Beliefs],
    found: Sequence[Interval],
    names: Sequence[str] | None = None,
) -> Axes:
    rows: list[tuple[Any, ...]] = []
    for number, interval in enumerate(found):
        curve = curves[number % len(curves)]
        name = curve.name if names is None else names[number]
        lower, upper = (np.asarray(end.value).tolist() for end in (interval.lower, interval.upper))
        rows += [(name, *row) for row in zip(curve.priors.tolist(), lower, upper, strict=True)]
    known = [curve.disclosure.confidence for curve in curves]
    confidence = min((each for each in known if each is not None), default=None)
    theorems = [interval.upper.theorem for interval in found[: len(curves)]]
    return attach(ax, title, words, said, COLUMNS, rows, theorems, confidence)


def _about(prior: float) -> str:
    """A prior that tells where, rounded to the nearest."""
    of = scale(prior)
    return out_of(round(prior * of) / of, of)


def _change(rise: float) -> str:
    return up_to(rise, scale(HALF, HALF + rise))


def _title(curves: Sequence[Beliefs], prior: float, ends: Sequence[float]) -> str:
    of = scale(prior, *ends)
    least, most = int(np.argmin(ends)), int(np.argmax(ends))
    before = out_of(prior, of)
    if ends[most] <= prior:
        return fill("plots.beliefs.title.none")
    after = [up_to(ends[at], of) for at in (least, most)]
    if len(curves) == 1 or after[0] == after[1]:
        low = min(float(curve.disclosure.posterior(prior).lower) for curve in curves)
        vacuous = min(low, 1.0 - ends[most]) > 0.0 and max(low, 1.0 - ends[most]) < VACUOUS
        key = "plots.beliefs.title.vacuous" if vacuous else "plots.beliefs.title"
        return fill(key, before=before, after=after[1])
    names = {"mild": curves[least].name, "strong": curves[most].name}
    return fill(
        "plots.beliefs.title.several", before=before, least=after[0], most=after[1], **names
    )


def _each(curves: Sequence[Beliefs], words: Callable[[Beliefs], str]) -> str:
    """Words about each release, with its name."""
    still = fill("plots.beliefs.still")
    return " ".join(
        f"{words(curve) if float(curve.most.upper) > 0.0 else still} ({curve.name})."
        for curve in curves
    )


def _posterior_in_words(curve: Beliefs, prior: float) -> str:
    after = float(curve.disclosure.posterior(prior).upper)
    of = scale(prior, after)
    words = {"before": out_of(prior, of), "after": up_to(after, of)}
    return fill("plots.beliefs.half", **words, rise=_rise(curve))


def _ratio_in_words(curve: Beliefs) -> str:
    ratio = curve.disclosure.ratio
    half = at_most(float(ratio(HALF).upper))
    every = _at_most_or_endless(float(ratio().upper))
    return fill("plots.beliefs.ratio", half=half, every=every)


def _at_most_or_endless(limit: float) -> str:
    if np.isfinite(limit):
        return fill("plots.at-most", value=at_most(limit))
    return fill("plots.beliefs.endless")


def _rise(curve: Beliefs) -> str:
    most, at = float(curve.most.upper), float(curve.worst.upper)
    return fill("plots.beliefs.rise", most=_change(most), at=_about(at))
