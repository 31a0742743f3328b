"""epsilon for many deltas at once, against one root search after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import erfc, exp, sqrt

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from bench.timing import Case, Goal, by_turns, compared, seconds
from dprisk import GaussianDP, Guarantee, ZeroConcentratedDP

TARGETS = np.logspace(-12, -1, 1940)


def inversion(repetitions: int) -> Iterator[Case]:
    """A closed profile, a numeric one, and a formula in plain Python that promises nothing."""
    gaussian = GaussianDP(1.0, neighbors="add-remove")
    concentrated = ZeroConcentratedDP(0.5, neighbors="add-remove")
    loop = "brentq on the same function, in a loop"
    for guarantee in (gaussian, concentrated):
        yield _inverted(guarantee, loop, _profile(guarantee), repetitions, "at least", 10.0)
    by_hand = "brentq on a formula in plain Python, in a loop"
    yield _inverted(gaussian, by_hand, _formula, repetitions, "", None)


def _inverted(
    guarantee: Guarantee,
    theirs: str,
    profile: Callable[[float], float],
    repetitions: int,
    goal: Goal,
    bar: float | None,
) -> Case:
    def one(delta: float) -> float:
        return float(brentq(lambda e: profile(e) - delta, 0.0, 60.0, xtol=1e-12))

    def one_by_one() -> npt.NDArray[np.float64]:
        return np.array([one(delta) for delta in TARGETS.tolist()])

    same = np.allclose(guarantee.epsilon(TARGETS).value, one_by_one(), rtol=1e-9, atol=0.0)
    pairs = by_turns(
        lambda: seconds(lambda: guarantee.epsilon(TARGETS)),
        lambda: seconds(one_by_one),
        repetitions,
    )
    name = f"{TARGETS.size} epsilons, {guarantee.definition}"
    return compared(name, ("epsilon(deltas)", theirs), pairs, goal, bar, same=bool(same))


def _profile(guarantee: Guarantee) -> Callable[[float], float]:
    return lambda epsilon: float(guarantee.delta(epsilon))


def _formula(epsilon: float) -> float:
    """delta of Gaussian DP with mu = 1."""
    far, farther = (epsilon - 0.5) / sqrt(2.0), (epsilon + 0.5) / sqrt(2.0)
    return 0.5 * (erfc(far) - exp(epsilon) * erfc(farther))
