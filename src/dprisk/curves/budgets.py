"""Pictures of risk profiles: what is tolerated, coloured by the epsilon that it allows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.budget.noise import NoiseCost
from dprisk.budget.solving import Budget, BudgetCurve, BudgetMap
from dprisk.curves.figure import attach, figure
from dprisk.curves.look import (
    DOT,
    DOTTED,
    GREY,
    INK,
    SMALL,
    SQUARE,
    axes_for,
    plain_log,
    say_inside,
)
from dprisk.curves.mechanisms import draw_noise, noise_curve
from dprisk.text import fill
from dprisk.text.rounding import at_least

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Normalize


MAP: Final = "cividis"  # one order for all eyes, and in grey
SPAN: Final = 10.0  # of a logarithmic scale of colours
STEPS: Final = np.array([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0])
LEAST: Final = 1e-3  # of a logarithmic axis of ratios
PAPER: Final = "white"  # under words on colours, in the dark as well
OTHERS: Final = {"membership_prior": "value_prior", "value_prior": "membership_prior"}


@figure
def draw_risk_profile(
    curve: BudgetCurve, *, beside: Sequence[BudgetCurve] = (), ax: Axes | None = None
) -> Axes:
    """The ratio tolerated along one prior, coloured by the epsilon that it allows there.

    Parameters
    ----------
    curve : BudgetCurve
        A profile along one prior.
    beside : sequence of BudgetCurve
        The profiles of the pictures that this one is compared with: they share their scales.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        Ratios on a logarithmic scale; dotted where nothing is limited, because the ratio lets the
        posterior reach 1. The place where the whole profile binds is marked if it is on this
        curve.

    References
    ----------
    .. [1] P3, Figures 1 to 3.

    Examples
    --------
    >>> from dprisk.budget import budget_curve, ratio_or_posterior
    >>> from dprisk.curves import draw_risk_profile, takeaway
    >>> clinic = ratio_or_posterior(3.0, 0.25, value_prior=1.0)
    >>> print(takeaway(draw_risk_profile(budget_curve(clinic, "membership_prior"))))
    The largest epsilon that keeps every limit is 1.29. The strictest limit is at membership prior \
0.0833333 and value prior 1.
    """
    ax = axes_for(ax)
    order = np.argsort(curve.priors)
    x, ratios, epsilons = (y[order] for y in (curve.priors, curve.ratios, curve.epsilons))
    every = [curve, *beside]
    ax.set_xlim(0.0, _right(every))
    ax.set_yscale("log")
    ax.set_ylim(*_heights(np.concatenate([each.ratios for each in every])))
    plain_log(ax.yaxis)
    _coloured(ax, x, ratios, epsilons, np.concatenate([each.epsilons for each in every]))
    other = OTHERS[curve.along]
    names = {"along": fill(f"plots.axis.{curve.along}"), "other": fill(f"plots.axis.{other}")}
    ax.set_xlabel(fill("plots.axis.at-other", **names, value=f"{curve.other_prior:g}"))
    ax.set_ylabel(fill("plots.axis.tolerated"))
    _mark_on_curve(ax, curve)
    said = fill("plots.budgets.seen-profile", along=curve.along.replace("_", " "))
    columns = (curve.along.replace("_", " "), "ratio at most", "largest epsilon")
    rows = zip(x.tolist(), ratios.tolist(), epsilons.tolist(), strict=True)
    budget = curve.budget
    theorems = [budget.epsilon.theorem]
    return attach(ax, _title(budget), _in_words(budget), said, columns, rows, theorems)


@figure
def draw_budget_map(area: BudgetMap, *, ax: Axes | None = None) -> Axes:
    """The largest epsilon at every pair of priors, and where the profile binds.

    Parameters
    ----------
    area : BudgetMap
        A profile over both priors.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        Colours with labelled contours; hatched where nothing is limited.

    References
    ----------
    .. [1] P3, Section 3.

    Examples
    --------
    >>> from dprisk.budget import budget_map, ratio_or_posterior
    >>> from dprisk.curves import draw_budget_map, takeaway
    >>> print(takeaway(draw_budget_map(budget_map(ratio_or_posterior(3.0, 0.25)))))
    The largest epsilon that keeps every limit is 0.649. The strictest limit is at membership \
prior 1 and value prior 0.0833333.
    """
    ax = axes_for(ax, height=SQUARE)
    p, q, epsilons = area.membership_priors, area.value_priors, area.epsilons.T
    shown = np.ma.masked_invalid(epsilons)
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(0.0, 1.0)
    hatched: dict[str, Any] = {"facecolor": "none", "edgecolor": GREY, "hatch": "///", "lw": 0.0}
    unlimited = fill("plots.budgets.no-limit") if np.ma.is_masked(shown) else None
    ax.fill_between([0.0, 1.0], 1.0, zorder=0, label=unlimited, **hatched)
    if shown.count():
        norm = _norm(np.asarray(shown.compressed()))
        mesh = ax.pcolormesh(p, q, shown, cmap=MAP, norm=norm, shading="nearest", rasterized=True)
        _contours(ax, p, q, shown)
        _bar(ax, mesh)
    else:
        say_inside(ax, fill("plots.budgets.unlimited"))
    ax.set_xlabel(fill("plots.axis.membership_prior"))
    ax.set_ylabel(fill("plots.axis.value_prior"))
    if area.budget.binding is not None:
        at = (area.budget.binding.membership_prior, area.budget.binding.value_prior)
        _mark(ax, at, area.budget)
    said = fill("plots.budgets.seen-map")
    columns = ("membership prior", "value prior", "ratio at most", "largest epsilon")
    rows = [
        (a, b, float(area.ratios[i, j]), float(area.epsilons[i, j]))
        for i, a in enumerate(p.tolist())
        for j, b in enumerate(q.tolist())
    ]
    budget = area.budget
    theorems = [budget.epsilon.theorem]
    return attach(ax, _title(budget), _in_words(budget), said, columns, rows, theorems)


def draw_error(
    costs: Iterable[NoiseCost],
    *,
    prior: float,
    confidence: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Risk against error: a belief with a quarter of each noise, and with up to four times it.

    Parameters
    ----------
    costs : iterable of NoiseCost
        Noise that keeps a promise, one for each kind.
    prior : float
        Belief before the release. [0, 1]
    confidence : float, optional
        Probability with which the bounds hold. (0, 1). Left out: with certainty, which normal noise
        does not allow.
    ax : Axes, optional
        Where; left out, a new figure of one column.

    Returns
    -------
    Axes
        As `draw_noise` draws it.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.budget import noise_for
    >>> from dprisk.curves import draw_error, takeaway
    >>> costs = noise_for(PureDP(1.0, neighbors="add-remove"))[:1]
    >>> print(takeaway(draw_error(costs, prior=0.1)))
    With noise of standard deviation 0.195, a chance of 10 in 100 can become at most 86 in 100; \
with 5.65, at most 13 in 100 (Geometric).
    """
    curves = []
    for cost in costs:
        widths = (np.geomspace(0.25, 4.0, 25) * cost.width).tolist()
        run: Any = cost.mechanism
        ran = [replace(run, **{cost.parameter: width}) for width in widths]
        curves.append(noise_curve(ran, prior=prior, confidence=confidence))
    return draw_noise(*curves, ax=ax)


def _right(curves: Sequence[BudgetCurve]) -> float:
    """The right end of the axis: not far beyond the last prior that needs a limit."""
    last = [float(c.priors[np.isfinite(c.epsilons)].max(initial=0.0)) for c in curves]
    return min(1.0, 1.6 * max(last) or 1.0)


def _heights(ratios: Floats) -> tuple[float, float]:
    """Limits of a logarithmic axis of ratios."""
    finite = ratios[np.isfinite(ratios) & (ratios > LEAST)]
    return float(finite.min(initial=1.0)) / 1.2, float(finite.max(initial=2.0)) * 1.2


def _coloured(ax: Axes, x: Floats, ratios: Floats, epsilons: Floats, scale: Floats) -> None:
    """Pieces of the line, each in the colour of the smaller epsilon at its ends."""
    from matplotlib.collections import LineCollection

    limited = np.isfinite(epsilons)
    y = np.where(np.isfinite(ratios) & (ratios > 0.0), ratios, np.nan)
    free = np.where(limited, np.nan, y)
    no_limit = fill("plots.budgets.no-limit") if np.isfinite(free).any() else "_open"
    ax.plot(x, free, color=GREY, lw=1.2, ls=DOTTED, label=no_limit)
    under: dict[str, Any] = {"color": INK, "linewidth": 4.2, "solid_capstyle": "butt"}
    ax.plot(x, np.where(limited, y, np.nan), label="_profile", **under)
    if not limited.any():
        return
    points = np.column_stack([x, y])
    pieces = np.stack([points[:-1], points[1:]], axis=1)
    both = limited[:-1] & limited[1:] & np.isfinite(pieces).all(axis=(1, 2))
    least = np.minimum(epsilons[:-1], epsilons[1:])[both]
    norm = _norm(scale[np.isfinite(scale)])
    drawn = LineCollection(list(pieces[both]), cmap=MAP, norm=norm, zorder=2.5)
    drawn.set_array(least)
    drawn.set_linewidth(3.2)
    drawn.set_capstyle("round")  # no gaps between pieces
    ax.add_collection(drawn, autolim=False)
    _bar(ax, drawn)


def _norm(epsilons: Floats) -> Normalize:
    """Colours for epsilons: by their logarithms where they differ by more than a factor of ten."""
    from matplotlib.colors import LogNorm, Normalize

    positive = epsilons[epsilons > 0.0]
    low, high = float(positive.min(initial=np.inf)), float(epsilons.max(initial=0.0))
    if not positive.size:
        return Normalize(0.0, 1.0)
    if high / low > SPAN and positive.size == epsilons.size:
        return LogNorm(low, low * SPAN)  # what is larger is all the same for whoever sets a limit
    least = float(epsilons.min())
    half = max(0.02 * max(high, 0.1) - (high - least), 0.0) / 2.0
    return Normalize(least - half, high + half)


def _bar(ax: Axes, drawn: Any) -> None:
    page: Any = ax.get_figure()
    logarithmic = drawn.norm.vmax > SPAN * drawn.norm.vmin * 0.999 > 0.0
    bar = page.colorbar(drawn, ax=ax, extend="max" if logarithmic else "neither")
    if logarithmic:
        inside = (drawn.norm.vmin * 0.999 <= STEPS) & (drawn.norm.vmax * 1.001 >= STEPS)
        bar.set_ticks(STEPS[inside].tolist())
        bar.ax.minorticks_off()
    bar.outline.set_linewidth(0.4)
    bar.set_label(fill("plots.axis.largest"), fontsize=SMALL)
    bar.ax.yaxis.set_major_formatter("{x:.3g}")
    bar.ax.tick_params(labelsize=SMALL)


def _contours(ax: Axes, p: Floats, q: Floats, shown: Any) -> None:
    """Lines of equal epsilon, so that the map is read without colours."""
    if min(shown.shape) < 2:
        return
    low, high = float(shown.min()), float(shown.max())
    levels = STEPS[(low < STEPS) & (high > STEPS) & (high / 50.0 < STEPS)][:5]
    if not levels.size:
        return
    lines = ax.contour(p, q, shown, levels=levels, colors="white", linewidths=0.8)
    kept: list[Any] = []
    for label in ax.clabel(lines, fmt="%g", fontsize=SMALL, colors="black"):
        box = label.get_window_extent().padded(8.0)
        if any(box.overlaps(other) for other in kept):
            label.remove()
            continue
        kept.append(box)
        label.set_rotation(0.0)
        label.set_bbox({"facecolor": PAPER, "edgecolor": "none", "alpha": 0.85, "pad": 0.8})


def _mark_on_curve(ax: Axes, curve: BudgetCurve) -> None:
    binding = curve.budget.binding
    if binding is None or not 0.0 < binding.ratio < np.inf:
        return
    if getattr(binding, OTHERS[curve.along]) == curve.other_prior:
        _mark(ax, (getattr(binding, curve.along), binding.ratio), curve.budget)


def _mark(ax: Axes, at: tuple[float, float], budget: Budget) -> None:
    words = fill("plots.budgets.binds", allowed=_allowed(budget))
    ax.plot(*at, color="black", label=words, **DOT)


def _title(budget: Budget) -> str:
    if budget.status == "no limit":
        return fill("plots.budgets.title.every")
    if budget.status == "infeasible":
        return fill("plots.budgets.title.no-epsilon")
    return fill("plots.budgets.title", value=at_least(float(budget.epsilon)))


def _allowed(budget: Budget) -> str:
    if budget.status == "infeasible":
        return fill("plots.budgets.none")
    return fill("plots.budgets.largest", value=at_least(float(budget.epsilon)))


def _in_words(budget: Budget) -> str:
    if budget.status == "no limit":
        return fill("plots.budgets.every", reason=budget.reason)
    if budget.status == "infeasible":
        return fill("plots.budgets.no-epsilon", reason=budget.reason)
    epsilon = at_least(float(budget.epsilon))
    where = (
        fill("plots.budgets.alike")
        if budget.binding is None
        else fill("plots.budgets.at", binding=budget.binding)
    )
    return fill("plots.budgets.keeps", epsilon=epsilon, where=where)
