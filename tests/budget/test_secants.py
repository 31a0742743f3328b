"""The last number that keeps a limit: on curves of every shape, whole numbers, and at the ends."""

from __future__ import annotations

import math

import pytest

from dprisk.budget.secants import CLOSE, Secants

ENDS = (-30.0, 30.0)


def seen(curve, most, start, *, whole=False, ends=ENDS):
    """What is found, and how often the curve was asked; places are logarithms of numbers."""
    asked = []

    def measure(x):
        asked.append(x)
        return curve(x)

    def number(u):
        return float(round(math.exp(u))) if whole else math.exp(u)

    found = Secants(
        measure, most, number, math.log, lambda value: math.log(max(value, 1e-300)), ends, whole
    ).last(start)
    return found, len(asked)


CURVES = {
    "a power": lambda x: x**1.3,
    "bent": lambda x: x + x**3,
    "flat far out": math.tanh,
    "exponential": lambda x: math.expm1(min(x, 700.0)),
    "a corner": lambda x: x if x < 0.7 else 0.7 + 5.0 * (x - 0.7),
    "a jump": lambda x: x if x < 0.7 else x + 3.0,
    "slow": lambda x: math.log1p(math.log1p(x)),
}


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("most", [1e-3, 0.5, 0.8])
@pytest.mark.parametrize("start", [-29.0, -1.0, 0.0, 2.0, 30.0])
def test_both_sides_of_the_limit(name, most, start):
    curve = CURVES[name]
    (kept, broken), _ = seen(curve, most, start)
    assert curve(kept) <= most < curve(broken)
    assert 0.0 < math.log(broken / kept) <= CLOSE * (1.0 + 1e-9)


@pytest.mark.parametrize("most", [1e-3, 0.5, 3.0])
def test_a_smooth_curve_takes_few_questions(most):
    _, asked = seen(lambda x: x * (1.0 + 0.2 * x), most, math.log(most) + 0.1)
    assert asked <= 6


@pytest.mark.parametrize("last", [1, 2, 3, 10, 421, 99_999, 10**9 - 1])
@pytest.mark.parametrize("start", [0.0, 3.0, 20.0])
def test_whole_numbers(last, start):
    """To the last one, or as close as a millionth."""
    most = math.sqrt(last + 0.5)
    (kept, broken), asked = seen(math.sqrt, most, start, whole=True, ends=(0.0, math.log(10**9)))
    assert kept <= last < broken
    assert broken - kept <= max(1.0, 1.1 * CLOSE * broken)
    assert asked < 40


def test_the_ends():
    assert seen(lambda x: x, 1e-20, 0.0)[0] == (None, math.exp(-30.0))
    assert seen(lambda x: x, 1e20, 0.0)[0] == (math.exp(30.0), None)
    assert seen(lambda x: 0.0, 0.5, 0.0)[0] == (math.exp(30.0), None)
    assert seen(lambda x: math.inf, 0.5, 0.0)[0] == (None, math.exp(-30.0))


def test_infinite_values_are_above():
    curve = CURVES["a power"]
    (kept, broken), _ = seen(lambda x: curve(x) if x < 5.0 else math.inf, 1.0, 10.0)
    assert curve(kept) <= 1.0 < curve(broken)
