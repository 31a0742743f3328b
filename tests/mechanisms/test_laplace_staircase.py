"""Staircase noise against its density, step by step, in fractions of e^-epsilon."""

from __future__ import annotations

import itertools
from typing import Any

import mpmath
import numpy as np
import pytest

from dprisk.composition import compose
from dprisk.errors import InvalidInput
from dprisk.mechanisms import RandomizedResponse, Staircase

A: Any = {"neighbors": "add-remove"}
STEPS = 400  # sensitivities on either side


def density(x, epsilon, gamma):
    """Of noise with the sensitivity one, as it is defined."""
    fall = mpmath.exp(-mpmath.mpf(epsilon))
    high = (1 - fall) / (2 * (gamma + fall * (1 - gamma)))
    away = abs(x)
    steps = int(mpmath.floor(away))
    return high * fall ** (steps + (away - steps >= gamma))


def truth(epsilon, gamma, at, moved):
    """Delta of two answers so far apart: both densities are constant between their steps."""
    with mpmath.workdps(30):
        gamma, moved = mpmath.mpf(gamma), mpmath.mpf(moved)
        one = [sign * (j + part) for j in range(STEPS) for part in (0, gamma) for sign in (1, -1)]
        edges = sorted({*one, *(each + moved for each in one)})
        grown, total = mpmath.exp(mpmath.mpf(at)), mpmath.mpf(0)
        for low, high in itertools.pairwise(edges):
            x = (low + high) / 2
            gain = density(x - moved, epsilon, gamma) - grown * density(x, epsilon, gamma)
            total += max(gain, 0) * (high - low)
        return total


@pytest.mark.parametrize("epsilon", [0.3, 2.0])
@pytest.mark.parametrize("gamma", [0.0, 0.2, 0.5, 0.8, 1.0])
def test_the_whole_sensitivity_is_the_worst_and_as_computed(epsilon, gamma):
    loss = Staircase(epsilon, 1.0, gamma, **A).loss()
    for at in (0.0, 0.6 * epsilon):
        known = truth(epsilon, gamma, at, 1)
        low, high = loss.delta(at).bracket
        with mpmath.workdps(30):
            assert low * (1 - mpmath.mpf(1e-13)) <= known <= high * (1 + mpmath.mpf(1e-13)) + 1e-40
        for moved in (0.1, 0.5, 0.9):
            assert truth(epsilon, gamma, at, moved) <= known * (1 + mpmath.mpf(1e-12))
    assert loss.epsilon(0.0).value == pytest.approx(epsilon, rel=1e-12)


def test_half_a_step_is_randomized_response():
    stairs, response = Staircase(1.3, 2.0, 0.5, **A), RandomizedResponse(1.3, **A)
    points = np.array([0.0, 0.5, 1.0])
    assert stairs.loss().delta(points).value == pytest.approx(response.loss().delta(points).value)
    many = [compose([each], [20]).guarantee.epsilon(1e-6).value for each in (stairs, response)]
    assert many[0] == pytest.approx(many[1], rel=1e-9)


@pytest.mark.parametrize(("epsilon", "gamma"), [(0.5, None), (2.0, 0.1), (4.0, 1.0), (0.01, 0.5)])
def test_the_deviation_of_the_noise(epsilon, gamma):
    stairs = Staircase(epsilon, 3.0, gamma, **A)
    with mpmath.workdps(30):
        share, fall = mpmath.mpf(stairs.gamma), mpmath.exp(-mpmath.mpf(epsilon))
        high = (1 - fall) / (2 * (share + fall * (1 - share)))
        total = mpmath.nsum(
            lambda j: (
                fall**j * ((j + share) ** 3 - j**3 + fall * ((j + 1) ** 3 - (j + share) ** 3))
            ),
            [0, mpmath.inf],
        )
        assert stairs.noise_sd == pytest.approx(float(3 * mpmath.sqrt(2 * high * total / 3)))
    x = stairs.outputs.x
    assert np.all(stairs.outputs.second(x) > 0.0)


def test_renyi_of_three_values():
    stairs = Staircase(1.0, 1.0, 0.2, **A)
    with mpmath.workdps(40):
        fall, share = mpmath.exp(-1), mpmath.mpf(0.2)
        whole = 2 * (share + fall * (1 - share))
        most = (2 * share + (1 - 2 * share) * fall) / whole
        same = fall * (1 - fall) * (1 - 2 * share) / whole
        for order in (1.5, 2.0, 10.0):
            s = mpmath.mpf(order) - 1
            moment = most * mpmath.exp(s) + same + fall * most * mpmath.exp(-s)
            known, stated = mpmath.log(moment) / s, stairs.renyi(order)
            assert known <= stated <= known * (1 + mpmath.mpf(1e-12))


@pytest.mark.parametrize(
    "wrong", [{"epsilon": 0.0}, {"sensitivity": -1.0}, {"gamma": 1.5}, {"gamma": np.nan}]
)
def test_wrong_parameters_are_named(wrong):
    with pytest.raises(InvalidInput, match=next(iter(wrong))):
        Staircase(**{"epsilon": 1.0, "sensitivity": 1.0, **wrong}, **A)
