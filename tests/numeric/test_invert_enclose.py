"""The interval in which a function known in brackets only reaches zero."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dprisk._numeric.invert import enclose


def judged(function, blur):
    """The function between two others."""

    def judge(x, which):
        value = function(x)
        return value - blur, value + blur

    return judge


@given(st.floats(-5.0, 5.0), st.floats(0.5, 3.0), st.floats(1e-12, 0.1))
def test_smooth_functions(root, power, blur):
    """Never on the wrong side; about as wide as the brackets allow."""

    def function(x):
        return np.sign(x - root) * np.abs(x - root) ** power

    left, right = enclose(judged(function, blur), np.full(1, -9.0), np.full(1, 9.0))
    assert function(left)[0] + blur < 0.0 <= function(right)[0] - blur
    far = 40.0 * blur
    assert -far - 1e-7 <= function(left)[0] and function(right)[0] <= far + 1e-7


@given(st.floats(-5.0, 5.0).filter(lambda at: abs(at) > 1e-9))
def test_jumps(at):
    """Neighboring points on either side."""

    def judge(x, which):
        value = np.where(x >= at, 1.0, -1.0)
        return value, value

    left, right = enclose(judge, np.full(1, -9.0), np.full(1, 9.0))
    assert left[0] < at <= right[0]
    assert right[0] - left[0] <= 2e-19 + 4 * np.spacing(abs(at))


@pytest.mark.parametrize(
    ("shift", "expected"),
    [
        (20.0, (-np.inf, -np.inf)),  # there from the start
        (-20.0, (np.inf, np.inf)),  # never there
        (9.05, (-np.inf, -8.8)),  # perhaps there from the start
        (-9.05, (8.8, np.inf)),  # perhaps never
    ],
)
def test_roots_at_the_ends(shift, expected):
    found = enclose(judged(lambda x: x + shift, 0.1), np.full(1, -9.0), np.full(1, 9.0))
    for one, want in zip(found, expected, strict=True):
        assert one[0] == want if np.isinf(want) else abs(one[0] - want) < 0.2


def test_many_at_once():
    """Each has its own root and its own answer."""
    roots = np.linspace(-3.0, 3.0, 7)

    def judge(x, which):
        return x - roots[which] - 1e-9, x - roots[which] + 1e-9

    left, right = enclose(judge, np.full(7, -9.0), np.full(7, 9.0))
    assert np.all(left < roots) and np.all(roots < right) and np.all(right - left < 1e-8)
    nothing = enclose(judge, np.zeros(0), np.zeros(0))
    assert nothing[0].shape == nothing[1].shape == (0,)
