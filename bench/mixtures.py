"""Sums in which atoms matter: few Laplace losses, different promises, both; seconds and widths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import numpy as np

from bench.timing import Figure, Result, moving
from dprisk import ApproxDP, ProbabilisticDP, PureDP, ZeroConcentratedDP
from dprisk.answer import Answer
from dprisk.composition import compose
from dprisk.mechanisms import DiscreteGaussian, Laplace, RandomizedResponse

ADD: Any = {"neighbors": "add-remove"}
TIMES = 3  # each is measured so often
ODD = np.sort(10.0 ** np.random.default_rng(1).uniform(-12.0, -1.0, 20))
LEVELS = np.linspace(0.0, 1.0, 1001)[1:-1]
DIFFERENT = range(50)


def mixtures(other: object, repetitions: int, budget: float) -> Iterator[Result]:
    """From the construction of the promises or mechanisms to the answer."""
    for name, goal, ask in QUESTIONS:
        timed = moving(ask)
        taken = median(timed() for _ in range(TIMES))
        low, high = np.asarray(ask(1.0).bracket)
        widest = float(np.max((high - low) / high))
        note = f"widest bracket {widest:.1e} of its upper end"
        yield Figure(name, "s", taken, "at most", goal, bool(np.all(low <= high)), note)


def _laplace(scale: float, count: int) -> Any:
    return compose([Laplace(scale, 1.0, **ADD).loss()], [count]).guarantee


def _four(factor: float) -> Any:
    parts = [
        ProbabilisticDP(0.5 * factor, 1e-6, **ADD),
        ZeroConcentratedDP(0.1, **ADD),
        ApproxDP(0.3, 1e-7, **ADD),
        PureDP(0.7, **ADD),
    ]
    return compose(parts).guarantee


def _with_laplace(factor: float) -> Any:
    promises = [PureDP(0.5 * factor, **ADD), ApproxDP(0.3, 1e-6, **ADD)]
    return compose([*promises, Laplace(1.0, 1.0, **ADD).loss()]).guarantee


def _discrete(factor: float) -> Any:
    loss = DiscreteGaussian(5.0 * factor, 1, **ADD).loss()
    return compose([loss, ZeroConcentratedDP(0.1, **ADD)]).guarantee


def _responses(factor: float) -> Any:
    each = (0.1 + 0.013 * i for i in DIFFERENT)
    return compose([RandomizedResponse(e * factor, **ADD).loss() for e in each]).guarantee


def _promises(factor: float) -> Any:
    each = ((0.1 + 0.013 * i, 1e-10 * (1 + i)) for i in DIFFERENT)
    return compose([ApproxDP(e * factor, d, **ADD) for e, d in each]).guarantee


def _scales(factor: float) -> Any:
    each = (5.0 + 0.37 * i for i in DIFFERENT)
    return compose([Laplace(b * factor, 1.0, **ADD).loss() for b in each]).guarantee


def _six(factor: float) -> Any:
    each = (1.0 + 0.37 * i for i in range(6))
    return compose([Laplace(b * factor, 1.0, **ADD).loss() for b in each]).guarantee


QUESTIONS: tuple[tuple[str, float, Callable[[float], Answer]], ...] = (
    ("12 Laplace, 999 powers", 0.3, lambda f: _laplace(f, 12).power(LEVELS)),
    ("10 Laplace, epsilon", 0.008, lambda f: _laplace(10.0 * f, 10).epsilon(1e-10)),
    ("1,000 Laplace(1), 20 epsilons", 1.0, lambda f: _laplace(f, 1000).epsilon(ODD)),
    ("1,000 Laplace(100), 20 epsilons", 1.0, lambda f: _laplace(100.0 * f, 1000).epsilon(ODD)),
    ("1,000 Laplace(100), 20 powers", 1.0, lambda f: _laplace(100.0 * f, 1000).power(ODD)),
    ("PDP, zCDP, ADP and pure, power", 1.0, lambda f: _four(f).power(0.05)),
    ("2 promises and Laplace, power", 1.0, lambda f: _with_laplace(f).power(0.05)),
    ("discrete Gaussian and zCDP, power", 1.0, lambda f: _discrete(f).power(0.05)),
    ("50 responses, epsilon", 0.5, lambda f: _responses(f).epsilon(1e-6)),
    ("50 promises, epsilon", 0.5, lambda f: _promises(f).epsilon(1e-6)),
    ("50 Laplace scales, epsilon", 0.5, lambda f: _scales(f).epsilon(1e-6)),
    ("6 Laplace scales, 20 powers", 1.0, lambda f: _six(f).power(ODD)),
    (
        "10 Laplace, two steps",
        1.0,
        lambda f: _laplace(f, 10).for_neighbors("replace-one").tail(1.0),
    ),
)
