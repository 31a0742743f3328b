"""Ends that are moved outwards until a profile says they are certain."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk.accountant.loss_sum import Bracket, enclosed


@pytest.mark.parametrize("most", [40.0, np.inf])
def test_what_is_never_certain_has_no_end(most):
    """A profile known to be at most 1e-9, and no more, says nothing about 1e-12."""

    def profile(x):
        return Bracket(np.zeros_like(x), np.full_like(x, 1e-9))

    x, goal = np.array([3.0, 3.0]), np.array([1e-12, 1e-6])
    low, high = enclosed(profile, x, x, goal, most)
    assert high.tolist() == [most, 3.0] and low.tolist() == [0.0, 0.0]


def test_ends_are_as_near_as_the_profile_tells():
    """Of e^-x, rounded: within a few steps that double."""

    def profile(x):
        found = np.exp(-x)
        return Bracket(found * (1.0 - 1e-12), found * (1.0 + 1e-12))

    goal = np.array([1e-3, 1e-300])
    low, high = enclosed(profile, -np.log(goal), -np.log(goal), goal, np.inf)
    assert np.all(low <= -np.log(goal)) and np.all(-np.log(goal) <= high)
    assert np.all(high - low <= 8e-12)
