"""Guarantees of every class, ordinary and extreme, for Hypothesis and for tables."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from dprisk import (
    FDP,
    ApproxDP,
    ApproxDPCurve,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from dprisk.guarantees import LaplaceDP

A: Any = {"neighbors": "add-remove"}


def spread(low, high, *extremes):
    """Numbers spread over orders of magnitude, and some special ones."""
    powers = st.floats(np.log(low), np.log(high)).map(lambda u: float(np.exp(u)))
    return st.one_of(powers, st.sampled_from(extremes)) if extremes else powers


epsilons = spread(1e-8, 700, 0.0, 1e-8, 1.0, 700.0, 1e-300)
chances = st.one_of(
    spread(1e-300, 1.0, 0.0, 1e-300, 0.5, 1.0),
    st.floats(0.0, 1.0),
    spread(1e-12, 0.5).map(lambda x: 1.0 - x),
)
orders = spread(1e-2, 1e4).map(lambda x: 1.0 + x)
limits = spread(1e-3, 50)  # tiny ones drown in the rounding of a divergence


@st.composite
def curves(draw):
    size = draw(st.integers(1, 5))
    e = draw(st.lists(epsilons, min_size=size, max_size=size))
    d = draw(st.lists(chances, min_size=size, max_size=size))
    return ApproxDPCurve(e, d, **A)


@st.composite
def tradeoffs(draw):
    size = draw(st.integers(1, 6))
    x = draw(st.lists(chances, min_size=size, max_size=size))
    y = draw(st.lists(chances, min_size=size, max_size=size))
    return FDP.hull(x, y, **A)


@st.composite
def renyi_curves(draw):
    size = draw(st.integers(1, 3))
    a = draw(st.lists(orders, min_size=size, max_size=size))
    g = draw(st.lists(limits, min_size=size, max_size=size))
    return RenyiDP(a, g, **A)


POLYGONS = {
    "pure": epsilons.map(lambda e: PureDP(e, **A)),
    "approximate": st.builds(lambda e, d: ApproxDP(e, d, **A), epsilons, chances),
    "approximate-curve": curves(),
    "tradeoff": tradeoffs(),
}
QUICK = POLYGONS | {
    "probabilistic": st.builds(
        lambda e, d, s: ProbabilisticDP(e, d, sides=s, **A),
        epsilons,
        chances,
        st.sampled_from(("both", "one")),
    ),
    "bounded": st.builds(
        lambda e, d: ProbabilisticallyBoundedDP(e, d, **A),
        epsilons.filter(lambda e: 0 < e < np.inf),
        chances,
    ),
    "laplace": spread(1e-8, 700, 0.0).map(lambda mu: LaplaceDP(mu, **A)),
    "gaussian": spread(1e-8, 40, 0.0).map(lambda mu: GaussianDP(mu, **A)),
}
SLOW = {
    "renyi": renyi_curves(),
    "concentrated": st.builds(
        lambda r, x: ZeroConcentratedDP(r, xi=x, **A), spread(1e-4, 100), limits
    ),
    "concentrated-approximate": st.builds(
        lambda r, d: ZeroConcentratedDP(r, delta=d, **A), spread(1e-4, 100), chances
    ),
}
EVERY = QUICK | SLOW

EXAMPLES = [
    PureDP(0.0, **A),
    PureDP(1.0, **A),
    PureDP(700.0, **A),
    PureDP(np.inf, **A),
    ApproxDP(1.0, 1e-6, **A),
    ApproxDP(0.0, 0.0, **A),
    ApproxDP(1.0, 1.0, **A),
    ApproxDP(np.inf, 0.1, **A),
    ApproxDPCurve([0.5, 1.0, 4.0], [0.1, 1e-3, 1e-9], **A),
    FDP([0, 0.25, 1], [1, 0.25, 0], **A),
    FDP([0, 1], [0.5, 0], **A),
    ProbabilisticDP(1.0, 1e-3, **A),
    ProbabilisticDP(1.0, 1e-3, sides="one", **A),
    ProbabilisticDP(1.0, 0.0, **A),
    ProbabilisticDP(1.0, 1.0, **A),
    ProbabilisticDP(np.inf, 0.1, **A),
    ProbabilisticallyBoundedDP(1.0, 1e-3, **A),
    ProbabilisticallyBoundedDP(1.0, 0.9, **A),
    ProbabilisticallyBoundedDP(1.0, 0.0, **A),
    ProbabilisticallyBoundedDP(1.0, 1.0, **A),
    GaussianDP(0.0, **A),
    GaussianDP(1e-8, **A),
    GaussianDP(1.0, **A),
    GaussianDP(40.0, **A),
    LaplaceDP(0.0, **A),
    LaplaceDP(1e-8, **A),
    LaplaceDP(1.0, **A),
    LaplaceDP(700.0, **A),
    RenyiDP(2.0, 0.5, **A),
    RenyiDP([1.5, 8.0], [0.1, 0.6], **A),
    RenyiDP(2.0, 0.0, **A),
    ZeroConcentratedDP(0.0, **A),
    ZeroConcentratedDP(1e-8, **A),
    ZeroConcentratedDP(2.63, **A),
    ZeroConcentratedDP(0.5, xi=0.2, **A),
    ZeroConcentratedDP(0.5, delta=1e-3, **A),
    ZeroConcentratedDP(0.5, delta=1.0, **A),
]

QUESTIONS = {
    "delta": lambda g, x: g.delta(x),
    "epsilon": lambda g, x: g.epsilon(x),
    "power": lambda g, x: g.power(x),
    "level": lambda g, x: g.level(x),
    "tail, both": lambda g, x: g.tail(x),
    "tail, one": lambda g, x: g.tail(x, sides="one"),
    "tail, both, raw": lambda g, x: g.tail(x, post_processing=False),
    "tail, one, raw": lambda g, x: g.tail(x, sides="one", post_processing=False),
    "loss, both": lambda g, x: g.loss_bound(x),
    "loss, one": lambda g, x: g.loss_bound(x, sides="one"),
    "loss, both, raw": lambda g, x: g.loss_bound(x, post_processing=False),
    "loss, one, raw": lambda g, x: g.loss_bound(x, sides="one", post_processing=False),
}
OF_LOSS = [name for name in QUESTIONS if name == "delta" or name.startswith("tail")]
OF_CHANCE = [name for name in QUESTIONS if name not in OF_LOSS]
LOSSES = np.array([0.0, 1e-300, 1e-8, 0.1, 0.5, 1.0, 1.7, 12.0, 40.0, 700.0, 1e5, 1e305, np.inf])
CHANCES = np.array(
    [
        0.0,
        1e-300,
        1e-100,
        1e-20,
        1e-12,
        1e-6,
        1e-3,
        0.05,
        0.3,
        0.5,
        0.7,
        0.95,
        1 - 1e-6,
        1 - 1e-12,
        1.0,
    ]
)


def arguments(question, guarantee=None):
    """Everything that may be asked, with the ends; less where an answer takes a search."""
    every = LOSSES if question in OF_LOSS else CHANCES
    slow = isinstance(guarantee, ZeroConcentratedDP) and guarantee.stated_delta
    return every[[0, 3, 5, 8, -1]] if slow else every
