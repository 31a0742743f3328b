"""Tails next to a corner of delta, where each digit of its place counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from dprisk import ApproxDP, PureDP, compose
from dprisk.mechanisms import DiscreteGaussian, Geometric

R: Any = {"neighbors": "replace-one"}
Outcomes = list[tuple[Any, Any]]  # probabilities under P and under Q


def _response(epsilon: float, delta: float = 0.0) -> Outcomes:
    grown, rest = mp.exp(mp.mpf(epsilon)), 1 - mp.mpf(delta)
    more, less = rest * grown / (1 + grown), rest / (1 + grown)
    return [(more, less), (less, more), (mp.mpf(delta), mp.mpf(0)), (mp.mpf(0), mp.mpf(delta))]


def _geometric(scale: float, sensitivity: int) -> Outcomes:
    a = mp.exp(-1 / mp.mpf(scale))
    ends = (0, sensitivity)

    def mass(j: int, distance: int) -> Any:
        return a**distance / (1 + a) * (1 if j in ends else 1 - a)

    return [(mass(j, j), mass(j, sensitivity - j)) for j in range(sensitivity + 1)]


def _discrete_gaussian(sigma: float, shift: int) -> Outcomes:
    weights = {k: mp.exp(-(mp.mpf(k) ** 2) / (2 * mp.mpf(sigma) ** 2)) for k in range(-80, 81)}
    total = mp.fsum(weights.values())
    return [(weights[k] / total, weights[k + shift] / total) for k in range(-60, 61)]


def _together(parts: Iterable[Outcomes]) -> Outcomes:
    found = [(mp.mpf(1), mp.mpf(1))]
    for part in parts:
        found = [(p * x, q * y) for p, q in found for x, y in part]
    return found


def _tail(outcomes: Outcomes, epsilon: float) -> Any:
    """How high the ray y = e^epsilon x leaves the power curve."""
    with_losses = sorted(
        ((mp.log(p / q) if q else mp.inf, p, q) for p, q in outcomes if p), reverse=True
    )
    grown, power, level = mp.exp(mp.mpf(epsilon)), mp.mpf(0), mp.mpf(0)
    for _, p, q in with_losses:
        if power + p < grown * (level + q):
            return power + p * (power - grown * level) / (grown * q - p)
        power, level = power + p, level + q
    return power


PURE, APPROX, SLIGHT = 0.7462006872604723, (2.2792540680114066, 6.890117791960699e-09), (1.4, 7e-10)
STEEP, WIDE = (0.8269121454961164, 4), (0.8779469895497862, 1)


@pytest.mark.parametrize(
    ("made", "truth", "epsilon"),
    [
        pytest.param(
            [*[PureDP(PURE, **R)] * 3, ApproxDP(*APPROX, **R)],
            lambda: _together([*[_response(PURE)] * 3, _response(*APPROX)]),
            (4.518060354130558, 4.5180603, 4.6),
            id="promises that may be broken",
        ),
        pytest.param(
            [ApproxDP(*SLIGHT, **R), Geometric(4.0, 2, **R)],
            lambda: _together([_response(*SLIGHT), _geometric(4.0, 2)]),
            (1.9000000001, 1.90001, 1.91),
            id="a promise and geometric noise",
        ),
        pytest.param(
            [DiscreteGaussian(*STEEP, **R)],
            lambda: _discrete_gaussian(*STEEP),
            (157.94468422326207, 157.94468430420397, 76.0474406517395),
            id="little noise and a shift of several units",
        ),
        pytest.param(
            [DiscreteGaussian(*WIDE, **R)],
            lambda: _discrete_gaussian(*WIDE),
            (20.109214799763393,),
            id="little noise",
        ),
    ],
)
@pytest.mark.parametrize("sides", ["one", "both"])
def test_tails_right_after_a_value(made, truth, epsilon, sides):
    with mp.workdps(60):
        outcomes = truth()
        found = [
            _tail(outcomes, end) * (1 if sides == "one" else 1 + mp.exp(-end)) for end in epsilon
        ]
    guarantee = compose(made).guarantee
    many = guarantee.tail(np.array(epsilon), sides=sides).bracket
    for i, end in enumerate(epsilon):
        for low, high in (guarantee.tail(end, sides=sides).bracket, [ends[i] for ends in many]):
            assert low <= found[i] <= high
            assert high - low <= 0.1 * high
