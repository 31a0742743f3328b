"""One of each picture, and what was drawn in it."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from matplotlib.lines import Line2D

from dprisk import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP, counterfactual, disclosure
from dprisk.budget import budget_curve, budget_map, noise_for, ratio_or_posterior
from dprisk.curves import (
    beliefs,
    counterfactual_line,
    draw_beliefs,
    draw_budget_map,
    draw_concerns,
    draw_delta_area,
    draw_error,
    draw_icons,
    draw_ladder,
    draw_lines,
    draw_noise,
    draw_risk_profile,
    draw_rows,
    guarantee_line,
    ladder,
    noise_curve,
    two_outputs,
)
from dprisk.mechanisms import DiscreteGaussian, Laplace
from dprisk.risk import attack
from dprisk.tables.summary import TableSummary
from tests.allocation.tables import single, town

A: Any = {"neighbors": "add-remove"}
FEW = [0.0, 0.5, 1.0, 2.0]
LEVELS = [0.0, 0.05, 0.5, 1.0]


@cache
def moved(epsilon=1.0, name="a release"):
    return beliefs(disclosure(PureDP(epsilon, **A)), name=name)


@cache
def lines(kind):
    at = FEW if kind in ("profile", "tail") else [0.001, 0.05, 0.5] if kind == "loss" else LEVELS
    promises = {"normal": GaussianDP(1.0, **A), "approximate": ApproxDP(1.0, 1e-5, **A)}
    return tuple(guarantee_line(each, kind, at, name=name) for name, each in promises.items())


@cache
def learned():
    census = ZeroConcentratedDP(2.63, neighbors="replace-one")
    kinds = ("true-record", "rest-known")
    return tuple(counterfactual_line(counterfactual(census, adversary=k), FEW) for k in kinds)


@cache
def climbed():
    return ladder(PureDP(0.05, **A), [1, 20, 60], confidence=0.95)


@cache
def clinic():
    return budget_curve(ratio_or_posterior(3.0, 0.25, value_prior=1.0), "membership_prior")


@cache
def area():
    priors = np.linspace(0.05, 1.0, 20)
    return budget_map(ratio_or_posterior(3.0, 0.25), priors, priors)


@cache
def outputs(discrete=False):
    kind = DiscreteGaussian(2.0, 1, **A) if discrete else Laplace(1.0, 1.0, **A)
    return two_outputs(kind, 0.3)


@cache
def after():
    return disclosure(PureDP(1.0, **A)).posterior(0.1).upper


@cache
def noises():
    return noise_curve([Laplace(scale, 1.0, **A) for scale in (1.0, 2.0, 4.0)], prior=0.1)


def answered():
    """A table of which some rows are above a limit, and some have no number."""
    reasons = {"no-bound": 12, "missing": 345}
    counts = (1_234_567, 8_900_000, 70, 0, 12, 0, 50_000, 5, 210_000, 3_456_789)
    rows = sum(counts) + sum(reasons.values())
    name = "posterior_at_most"
    return TableSummary(rows, reasons, {name: 3_000_012}, {name: 0.95}, {name: counts})


PICTURES = {
    "posterior": lambda ax=None: draw_beliefs(moved(), ax=ax),
    "posteriors": lambda ax=None: draw_beliefs(moved(), moved(3.0, "another"), ax=ax),
    "ratio": lambda ax=None: draw_beliefs(moved(), opposite=True, ax=ax, metric="ratio"),
    "difference": lambda ax=None: draw_beliefs(moved(), ax=ax, metric="difference"),
    "ladder": lambda ax=None: draw_ladder(climbed(), limit=0.8, ax=ax),
    "profile": lambda ax=None: draw_lines(*lines("profile"), ax=ax),
    "tail": lambda ax=None: draw_lines(*lines("tail"), ax=ax),
    "loss": lambda ax=None: draw_lines(*lines("loss"), ax=ax),
    "power": lambda ax=None: draw_lines(*lines("power"), ax=ax),
    "attack": lambda ax=None: draw_lines(attack(PureDP(1.0, **A)).curve(LEVELS), ax=ax),
    "trade-off": lambda ax=None: draw_lines(*lines("trade-off"), ax=ax),
    "counterfactual": lambda ax=None: draw_lines(*learned(), ax=ax),
    "risk profile": lambda ax=None: draw_risk_profile(clinic(), ax=ax),
    "budget map": lambda ax=None: draw_budget_map(area(), ax=ax),
    "icons": lambda ax=None: draw_icons({"before": 0.1, "after": after()}, ax=ax),
    "delta": lambda ax=None: draw_delta_area(outputs(), ax=ax),
    "delta, discrete": lambda ax=None: draw_delta_area(outputs(discrete=True), ax=ax),
    "rows": lambda ax=None: draw_rows(answered(), "posterior_at_most", ax=ax),
    "concerns": lambda ax=None: draw_concerns(
        {"survey": town(), "clinic": single("rho", "1/20", name="clinic")}, ["income", "a"], ax=ax
    ),
    "noise": lambda ax=None: draw_noise(noises(), ax=ax),
    "error": lambda ax=None: draw_error(noise_for(PureDP(1.0, **A))[:1], prior=0.1, ax=ax),
}


@cache
def picture_of(name):
    """A picture that is only looked at."""
    return PICTURES[name]()


def drawn(ax, name):
    """The numbers of the line of that name."""
    named = [line for line in ax.lines if line.get_label().lstrip("_") == name]
    (line,) = named
    return np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)


def in_legend(ax):
    """The texts of the legend."""
    return [] if ax.get_legend() is None else ax.get_legend().get_texts()


def seen(ax):
    """All words in the picture and its legend."""
    return [" ".join(text.get_text().split()) for text in (*ax.texts, *in_legend(ax))]


def touching(ax):
    """Pairs of words whose letters share some of the paper."""
    texts = [*ax.texts, *ax.figure.texts, *in_legend(ax)]
    texts = [text for text in texts if text.get_text().strip()]
    texts += [t for t in (ax.title, ax.xaxis.label, ax.yaxis.label) if t.get_text() and ax.axison]
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        marks = [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
        texts += [mark for mark in marks if mark.get_text() and ax.axison]
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    return [
        (one, other)
        for (one, first), (other, second) in combinations(boxes, 2)
        if first.padded(-1.0).overlaps(second.padded(-1.0))
    ]


def struck(ax):
    """Words, and the line that runs through them."""
    paths = [
        (artist.get_label(), artist.get_transform().transform_path(artist.get_path()))
        for artist in ax.get_children()
        if isinstance(artist, Line2D) and artist.get_visible()
    ]
    return [
        (text.get_text(), label)
        for text in (*ax.texts, *in_legend(ax))
        if text.get_text().strip()
        for label, path in paths
        if path.intersects_bbox(text.get_window_extent(), filled=False)
    ]
