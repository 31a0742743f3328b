"""Pictures of beliefs: after the release against before it, as posterior, ratio and difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes

from dprisk._numeric.logspace import Floats
from dprisk.answer import Answer
from dprisk.curves.over_priors import Beliefs
from dprisk.errors import InvalidInput
from dprisk.explain.rounding import at_most
from dprisk.plots.behind import attach
from dprisk.plots.labels import label_lines, margin_note, note, plain_log, tag_of, unit_square
from dprisk.plots.look import GREY, Stroke, axes_for, quietly, stroke
from dprisk.plots.tracing import bracket
from dprisk.risk.prior_to_posterior import Interval
from dprisk.text import fill

__all__ = ["draw_difference", "draw_posterior", "draw_ratio"]

COLUMNS: Final = ("release", "prior", "at least", "at most")
THIN: Final = 0.8


@quietly
def draw_posterior(*curves: Beliefs, ax: Axes | None = None) -> Axes:
    """Belief after the release against belief before it.

    Parameters
    ----------
    *curves : Beliefs
        One for each release; at least one.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        Bounds above and below the diagonal on which nothing is learned, with the prior at which
        the belief can rise most.

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
    A belief of 0.5 becomes at most 0.732, and no belief rises by more than 0.245, from a worst \
prior of about 0.38 (one release).
    """
    _some(curves)
    ax = axes_for(ax)
    unit_square(ax, fill("plots.nothing-learned"), rising=True)
    found = [curve.posterior for curve in curves]
    _draw(ax, curves, found)
    ax.set_xlabel(fill("plots.axis.prior"))
    ax.set_ylabel(fill("plots.axis.posterior"))
    if len(curves) == 1:
        _worst_posterior(ax, curves[0])
    _label(ax, curves, found)
    said = fill("plots.beliefs.seen")
    rows = _rows(curves, found)
    return attach(ax, _each(curves, _posterior_in_words), said, COLUMNS, rows)


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
    Belief after over belief before is at most 1.47 at a prior of 0.5 and at most 2.72 over every \
prior, towards which it grows as the prior goes to 0 (one release).
    """
    _some(curves)
    ax = axes_for(ax)
    ax.set_xlim(0.0, 1.0)
    ax.set_yscale("log")
    found = [curve.ratio for curve in curves]
    thinner = [curve.ratio_not for curve in curves] if opposite else []
    ax.set_ylim(*_ratio_limits([np.asarray(each.upper.value) for each in (*found, *thinner)]))
    ax.axhline(1.0, color=GREY, linewidth=THIN, label="_nothing learned")
    for number, curve in enumerate(curves):
        _between(ax, curve, curve.ratio, stroke(number))
        if opposite:
            _between(ax, curve, curve.ratio_not, stroke(number), width=THIN)
    plain_log(ax.yaxis)
    ax.set_xlabel(fill("plots.axis.prior"))
    ax.set_ylabel(fill("plots.axis.ratio"))
    limit = float(curves[0].disclosure.ratio().upper)
    if len(curves) == 1 and 1.0 < limit <= ax.get_ylim()[1]:
        words = fill("plots.beliefs.towards", at_most=at_most(limit))
        note(ax, (0.0, limit), words, (16.0, -1.0), va="center")
    _label(ax, curves, found)
    said = fill("plots.beliefs.seen-ratio")
    if opposite:
        said += fill("plots.beliefs.seen-opposite")
    rows = _rows(curves, found)
    if opposite:
        names = [fill("plots.beliefs.opposite", name=curve.name) for curve in curves]
        rows += _rows(curves, thinner, names)
    return attach(ax, _each(curves, _ratio_in_words), said, COLUMNS, rows)


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
    No belief rises by more than 0.245, from a worst prior of about 0.38 (one release).
    """
    _some(curves)
    ax = axes_for(ax)
    most = max(0.02, *(float(curve.most.upper) for curve in curves)) * 1.18
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(-most, most)
    ax.axhline(0.0, color=GREY, linewidth=THIN, label="_nothing learned")
    found = [curve.difference for curve in curves]
    _draw(ax, curves, found)
    ax.set_xlabel(fill("plots.axis.prior"))
    ax.set_ylabel(fill("plots.axis.difference"))
    if len(curves) == 1:
        _worst_difference(ax, curves[0])
    _label(ax, curves, found)
    said = fill("plots.beliefs.seen-difference")
    rows = _rows(curves, found)
    return attach(ax, _each(curves, _rise), said, COLUMNS, rows)


def _some(curves: Sequence[Any]) -> None:
    if not curves:
        raise InvalidInput("curves", None, "at least one, such as beliefs(disclosure(...))")


def _draw(ax: Axes, curves: Sequence[Beliefs], found: Sequence[Interval]) -> None:
    for number, (curve, interval) in enumerate(zip(curves, found, strict=True)):
        _between(ax, curve, interval, stroke(number))


def _between(
    ax: Axes, curve: Beliefs, interval: Interval, line: Stroke, width: float | None = None
) -> None:
    """Both bounds, what lies between them, and brackets where they can be seen."""
    lower, upper = interval.lower, interval.upper
    x, clipped = curve.priors, ax.get_yscale() == "log"
    if width is None:
        ax.fill_between(x, _finite(lower), _finite(upper), color=line.color, alpha=0.07, lw=0.0)
    for side, answer in (("at most", upper), ("at least", lower)):
        name = f"_{curve.name}: {side}{'' if width is None else ', not so'}"
        ax.plot(x, _drawable(answer.value), label=name, clip_on=clipped, **line.kwargs(width))
        if answer.other_end is not None:
            bracket(ax, x, _drawable(answer.value), _drawable(answer.other_end), line.color)


def _drawable(values: Any) -> Floats:
    """Infinite numbers have no place on paper."""
    array = np.asarray(values, dtype=float)
    return np.where(np.isfinite(array), array, np.nan)


def _finite(answer: Answer) -> Floats:
    return np.asarray(np.clip(np.asarray(answer.value, dtype=float), -1e300, 1e300))


def _ratio_limits(values: Sequence[Floats]) -> tuple[float, float]:
    tops = [each[np.isfinite(each)].max(initial=1.0) for each in values]
    top = min(max(*tops, 1.5), 1e12) ** 1.1
    return 1.0 / top, top


def _label(ax: Axes, curves: Sequence[Beliefs], found: Sequence[Interval]) -> None:
    """Names at the right, the release that reveals most on top; none where there is only one."""
    if len(curves) == 1:
        return
    tags = []
    for number, (curve, interval) in enumerate(zip(curves, found, strict=True)):
        y = _drawable(interval.upper.value)
        tag = tag_of(ax, curve.name, stroke(number), curve.priors, y)
        tags.append(tag._replace(end=None, rank=0.3 + 0.6 * float(curve.most.upper)))
    label_lines(ax, tags)


def _worst_posterior(ax: Axes, curve: Beliefs) -> None:
    at, rise = float(curve.worst.upper), float(curve.most.upper)
    reached = min(at + rise, 1.0)
    if rise > 0.0:
        words = fill("plots.beliefs.worst", at=f"{at:.2g}", most=at_most(reached))
        margin_note(ax, (at, reached), words)


def _worst_difference(ax: Axes, curve: Beliefs) -> None:
    """Under the hump, where it is wide enough for words."""
    at, rise = float(curve.worst.upper), float(curve.most.upper)
    if rise > 0.0:
        words = fill("plots.beliefs.worst-change", at=f"{at:.2g}", most=at_most(rise))
        place = ((at + 0.5) / 2.0, 0.5 + 0.5 * 0.36 * rise / ax.get_ylim()[1])
        note(ax, (at, rise), words, place, ha="center", corner=True)


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
    """What is said of each release, with its name, in one sentence."""
    said = "; ".join(
        f"{words(curve) if float(curve.most.upper) > 0.0 else 'no belief moves'} ({curve.name})"
        for curve in curves
    )
    return f"{said[0].upper()}{said[1:]}."


def _posterior_in_words(curve: Beliefs) -> str:
    half = at_most(float(curve.disclosure.posterior(0.5).upper))
    return fill("plots.beliefs.half", half=half, rise=_rise(curve))


def _ratio_in_words(curve: Beliefs) -> str:
    ratio = curve.disclosure.ratio
    limit, half = float(ratio().upper), at_most(float(ratio(0.5).upper))
    every = (
        fill("plots.at-most", value=at_most(limit))
        if np.isfinite(limit)
        else fill("plots.beliefs.endless")
    )
    return fill("plots.beliefs.ratio", half=half, every=every)


def _rise(curve: Beliefs) -> str:
    most, at = float(curve.most.upper), float(curve.worst.upper)
    return fill("plots.beliefs.rise", most=at_most(most), at=f"{at:.2g}")
