"""Pictures of beliefs: after the release against before it, as posterior, ratio and difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from dprisk._numeric.logspace import Floats
from dprisk.answer import Answer
from dprisk.curves.over_priors import Beliefs
from dprisk.errors import refused
from dprisk.plots.behind import attach
from dprisk.plots.frame import name_line, quietly, remark
from dprisk.plots.labels import dot, hundreds, plain_log, unit_square
from dprisk.plots.look import GREY, INK, SQUARE, Stroke, axes_for, stroke
from dprisk.plots.saying import up_to
from dprisk.plots.tracing import bracket
from dprisk.risk.posterior import Interval
from dprisk.text import fill
from dprisk.text.rounding import at_most, out_of, scale
from dprisk.theorems import Theorem

COLUMNS: Final = ("release", "prior", "at least", "at most")
THIN: Final = 0.8
VACUOUS: Final = 0.01  # from both ends: then nearly anything can be concluded
HALF: Final = 0.5
ALIKE: Final = 1e-9  # a rise that nobody sees


@quietly
def draw_posterior(*curves: Beliefs, prior: float = HALF, ax: Axes | None = None) -> Axes:
    """Belief after the release against belief before it.

    Parameters
    ----------
    *curves : Beliefs
        One for each release; at least one.
    prior : float
        The belief before the release that the title is about. [0, 1]
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        Bounds above and below the diagonal on which nothing is learned, with what becomes of one
        prior.

    Raises
    ------
    InvalidInput
        If there is nothing to draw.

    References
    ----------
    .. [1] P0, Theorem 3.2.

    Examples
    --------
    >>> from dprisk import PureDP, disclosure
    >>> from dprisk.curves import beliefs
    >>> from dprisk.plots import draw_posterior, takeaway
    >>> known = beliefs(disclosure(PureDP(1.0, neighbors="add-remove")), name="one release")
    >>> print(takeaway(draw_posterior(known)))
    A chance of 50 in 100 can become at most 74 in 100. A chance can rise by at most 25 in 100. \
The largest rise is from about 38 in 100 (one release).
    """
    _some(curves)
    ax = axes_for(ax, height=SQUARE)
    diagonal = unit_square(ax, rising=True)
    found = [curve.posterior for curve in curves]
    lines = _draw(ax, curves, found)
    _in_hundreds(ax, "plots.axis.posterior")
    ends = [float(curve.disclosure.posterior(prior).upper) for curve in curves]
    if len(curves) == 1 and ends[0] > prior + ALIKE:
        _arrow(ax, prior, ends[0])
    _label(ax, curves, lines)
    remark(ax, fill("plots.nothing-learned").replace(" ", "\n"), diagonal)
    said = fill("plots.beliefs.seen")
    rows = _rows(curves, found)
    words = _each(curves, lambda curve: _posterior_in_words(curve, prior))
    title = _title(curves, prior, ends)
    return attach(ax, title, words, said, COLUMNS, rows, _theorems(found), _sure(curves))


@quietly
def draw_ratio(*curves: Beliefs, ax: Axes | None = None, opposite: bool = False) -> Axes:
    """Belief after the release over belief before it, against the latter.

    Parameters
    ----------
    *curves : Beliefs
        One for each release; at least one.
    ax : Axes, optional
        Where; left out, a new figure of one column.
    opposite : bool
        Whether the ratio of the beliefs that the secret is *not* so is drawn as well, thinner.

    Returns
    -------
    Axes
        Bounds on a logarithmic scale, around the ratio 1 at which nothing is learned.

    Raises
    ------
    InvalidInput
        If there is nothing to draw.

    References
    ----------
    .. [1] P0, Theorem 3.3, Figure 6.

    Examples
    --------
    >>> from dprisk import PureDP, disclosure
    >>> from dprisk.curves import beliefs
    >>> from dprisk.plots import draw_ratio, takeaway
    >>> known = beliefs(disclosure(PureDP(1.0, neighbors="add-remove")), name="one release")
    >>> print(takeaway(draw_ratio(known)))
    Chance after over chance before is at most 1.47 at a prior of 0.5. It is at most 2.72 at any \
prior, and grows as the prior goes to 0 (one release).
    """
    _some(curves)
    ax = axes_for(ax)
    ax.set_xlim(0.0, 1.0)
    ax.set_yscale("log")
    found = [curve.ratio for curve in curves]
    thinner = [curve.ratio_not for curve in curves] if opposite else []
    ax.set_ylim(*_ratio_limits([np.asarray(each.upper.value) for each in (*found, *thinner)]))
    still = ax.axhline(1.0, color=GREY, linewidth=THIN, label="_nothing learned")
    lines = [
        _between(ax, curve, curve.ratio, stroke(number)) for number, curve in enumerate(curves)
    ]
    if opposite:
        _opposites(ax, curves, lines[0][0])
    plain_log(ax.yaxis)
    hundreds(ax.xaxis)
    ax.set_xlabel(fill("plots.axis.prior"))
    ax.set_ylabel(fill("plots.axis.ratio"))
    limits = [float(curve.disclosure.ratio().upper) for curve in curves]
    if len(curves) == 1 and 1.0 < limits[0] <= ax.get_ylim()[1]:
        mark = dot(ax, (0.0, limits[0]))
        remark(ax, fill("plots.beliefs.towards", at_most=at_most(limits[0])), mark, INK)
    if not opposite:
        _label(ax, curves, lines)
    remark(ax, fill("plots.nothing-learned"), still)
    said = fill("plots.beliefs.seen-ratio")
    if opposite:
        said += fill("plots.beliefs.seen-opposite")
    rows = _rows(curves, found)
    if opposite:
        names = [fill("plots.beliefs.opposite", name=curve.name) for curve in curves]
        rows += _rows(curves, thinner, names)
    most = max(limits)
    every = _limited(most, fill("plots.at-most", value=at_most(most)))
    title = fill("plots.beliefs.title-ratio", most=every)
    if most <= 1.0:
        title = fill("plots.beliefs.title.none")
    words = _each(curves, _ratio_in_words)
    return attach(ax, title, words, said, COLUMNS, rows, _theorems(found), _sure(curves))


def _opposites(ax: Axes, curves: Sequence[Beliefs], first: Any) -> None:
    """The same for the opposite of the secret, thinner; named where there is one release."""
    for number, curve in enumerate(curves):
        thin = stroke(number)._replace(width=THIN)
        (other, _) = _between(ax, curve, curve.ratio_not, thin, shaded=False)
        if len(curves) == 1:
            name_line(ax, fill("plots.beliefs.secret"), first, stroke(number))
            name_line(ax, fill("plots.beliefs.secret-not"), other, thin)


@quietly
def draw_difference(*curves: Beliefs, ax: Axes | None = None) -> Axes:
    """Belief after the release minus belief before it, against the latter.

    Parameters
    ----------
    *curves : Beliefs
        One for each release; at least one.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        Bounds around 0, where nothing is learned, with the prior at which the belief can rise most.

    Raises
    ------
    InvalidInput
        If there is nothing to draw.

    References
    ----------
    .. [1] P0, Theorem 3.5, Figure 7.

    Examples
    --------
    >>> from dprisk import PureDP, disclosure
    >>> from dprisk.curves import beliefs
    >>> from dprisk.plots import draw_difference, takeaway
    >>> known = beliefs(disclosure(PureDP(1.0, neighbors="add-remove")), name="one release")
    >>> print(takeaway(draw_difference(known)))
    A chance can rise by at most 25 in 100. The largest rise is from about 38 in 100 (one \
release).
    """
    _some(curves)
    ax = axes_for(ax)
    tallest = max(float(curve.most.upper) for curve in curves)
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(*(sign * 1.18 * max(0.02, tallest) for sign in (-1.0, 1.0)))
    still = ax.axhline(0.0, color=GREY, linewidth=THIN, label="_nothing learned")
    found = [curve.difference for curve in curves]
    lines = _draw(ax, curves, found)
    _in_hundreds(ax, "plots.axis.difference")
    if len(curves) == 1 and tallest > ALIKE:
        _worst(ax, curves[0])
    _label(ax, curves, lines)
    remark(ax, fill("plots.nothing-learned"), still)
    said = fill("plots.beliefs.seen-difference")
    title = _title_difference(curves)
    rows = _rows(curves, found)
    return attach(
        ax, title, _each(curves, _rise), said, COLUMNS, rows, _theorems(found), _sure(curves)
    )


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


def _some(curves: Sequence[Any]) -> None:
    if not curves:
        raise refused("errors.plots.none", "curves", None, example="beliefs(disclosure(...))")


def _theorems(found: Sequence[Interval]) -> list[Theorem]:
    return [interval.upper.theorem for interval in found]


def _sure(curves: Sequence[Beliefs]) -> float | None:
    """The least of their confidences; none is needed where all are certain."""
    known = [curve.disclosure.confidence for curve in curves]
    return min((each for each in known if each is not None), default=None)


def _in_hundreds(ax: Axes, up: str) -> None:
    """Both axes count chances as the words do."""
    hundreds(ax.xaxis)
    hundreds(ax.yaxis)
    ax.set_xlabel(fill("plots.axis.prior"))
    ax.set_ylabel(fill(up))


def _draw(
    ax: Axes, curves: Sequence[Beliefs], found: Sequence[Interval]
) -> list[tuple[Line2D, Line2D]]:
    pairs = enumerate(zip(curves, found, strict=True))
    return [_between(ax, curve, interval, stroke(n)) for n, (curve, interval) in pairs]


def _between(
    ax: Axes, curve: Beliefs, interval: Interval, line: Stroke, *, shaded: bool = True
) -> tuple[Line2D, Line2D]:
    """Both bounds, what lies between them, and brackets where they can be seen."""
    lower, upper = interval.lower, interval.upper
    x, clipped = curve.priors, ax.get_yscale() == "log"
    if shaded:
        ax.fill_between(x, _finite(lower), _finite(upper), color=line.color, alpha=0.07, lw=0.0)
    drawn = []
    for side, answer in (("at most", upper), ("at least", lower)):
        name = f"_{curve.name}: {side}{'' if shaded else ', not so'}"
        drawn += ax.plot(x, _drawable(answer.value), label=name, clip_on=clipped, **line.kwargs())
        if answer.other_end is not None:
            bracket(ax, x, _drawable(answer.value), _drawable(answer.other_end), line.color)
    return drawn[0], drawn[1]


def _drawable(values: Any) -> Floats:
    """Infinite numbers have no place on paper."""
    array = np.asarray(values, dtype=float)
    return np.where(np.isfinite(array), array, np.nan)


def _finite(answer: Answer) -> Floats:
    return np.asarray(np.clip(np.asarray(answer.value, dtype=float), -1e300, 1e300))


def _ratio_limits(values: Sequence[Floats]) -> tuple[float, float]:
    tops = [each[np.isfinite(each)].max(initial=1.0) for each in values]
    top = min(max(*tops, 1.5), 1e12) ** 1.25
    return 1.0 / top, top


def _label(ax: Axes, curves: Sequence[Beliefs], lines: Sequence[tuple[Line2D, Line2D]]) -> None:
    """Of one release which line is which bound; of several which is whose."""
    if len(curves) == 1:
        if float(curves[0].most.upper) > ALIKE:
            remark(ax, fill("plots.beliefs.least"), lines[0][1], INK)
            if not any(line.get_label() == "_mark" for line in ax.lines):  # it says so already
                remark(ax, fill("plots.beliefs.most"), lines[0][0], INK)
        return
    for number, (curve, (upper, _)) in enumerate(zip(curves, lines, strict=True)):
        name_line(ax, curve.name, upper, stroke(number))


def _arrow(ax: Axes, prior: float, after: float) -> None:
    """From a prior on the diagonal to what it can become."""
    ax.plot([prior, prior], [prior, after], color=INK, linewidth=1.0, label="_rise")
    remark(ax, up_to(after, scale(prior, after)), dot(ax, (prior, after)), INK)


def _worst(ax: Axes, curve: Beliefs) -> None:
    """The largest rise, at its prior."""
    at, rise = float(curve.worst.upper), float(curve.most.upper)
    mark = dot(ax, (at, rise))
    words = {"at": _about(at), "most": _change(rise)}
    remark(ax, fill("plots.beliefs.worst-change", **words), mark, INK)


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


def _rows(
    curves: Sequence[Beliefs], found: Sequence[Interval], names: Sequence[str] | None = None
) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    for number, (curve, interval) in enumerate(zip(curves, found, strict=True)):
        name = curve.name if names is None else names[number]
        lower, upper = (np.asarray(end.value).tolist() for end in (interval.lower, interval.upper))
        rows += [(name, *row) for row in zip(curve.priors.tolist(), lower, upper, strict=True)]
    return rows


def _each(curves: Sequence[Beliefs], words: Callable[[Beliefs], str]) -> str:
    """What is said of each release, with its name."""
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
    limit, half = float(ratio().upper), at_most(float(ratio(HALF).upper))
    every = _limited(limit, fill("plots.at-most", value=at_most(limit)))
    return fill("plots.beliefs.ratio", half=half, every=every)


def _limited(limit: float, words: str) -> str:
    return words if np.isfinite(limit) else fill("plots.beliefs.endless")


def _rise(curve: Beliefs) -> str:
    most, at = float(curve.most.upper), float(curve.worst.upper)
    return fill("plots.beliefs.rise", most=_change(most), at=_about(at))
