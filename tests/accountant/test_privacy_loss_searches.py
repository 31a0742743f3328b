"""Searches go on while they gain anything, however little at a time."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk import ZeroConcentratedDP
from dprisk._numeric import convex
from dprisk.composition import compose
from dprisk.mechanisms import Laplace


def test_power_of_six_scales_is_as_close_as_sixty_rounds_make_it(monkeypatch):
    """Far out the interval is halved again and again before its ends say more."""
    levels = np.geomspace(1e-12, 0.1, 12)

    def widths():
        each = (Laplace(1.0 + 0.37 * i, 1.0, neighbors="add-remove").loss() for i in range(6))
        low, high = compose(list(each)).guarantee.power(levels).bracket
        return (high - low) / high

    found = widths()
    monkeypatch.setattr(convex, "IDLE", convex.ROUNDS)
    assert found == pytest.approx(widths(), rel=0.01, abs=1e-12)


def test_quick_brackets_are_wider_and_hold_the_same():
    """Of a sum of many parts; where none is cheaper, it is the loss itself."""
    one = Laplace(1.0, 1.0, neighbors="add-remove").loss()
    many = [Laplace(1.0 + 0.37 * i, 1.0, neighbors="add-remove").loss() for i in range(6)]
    whole = compose([*many, ZeroConcentratedDP(0.3, neighbors="add-remove")]).guarantee
    assert one.coarse is one
    assert whole.coarse.coarse is whole.coarse is not whole
    for ask in (
        lambda loss: loss.loss_bound(0.01),
        lambda loss: loss.delta(0.5),
        lambda loss: loss.power(0.05),
    ):
        (low, high), (lower, upper) = ask(whole).bracket, ask(whole.coarse).bracket
        assert lower <= high and low <= upper
        assert upper - lower >= 0.99 * (high - low)
        assert upper - lower < 0.02 * upper


def test_a_loss_of_guaranteed_accuracy_is_quick_without_it():
    """What is asked of it may then be wider."""
    made = (Laplace(1.0 + 0.37 * i, 1.0, neighbors="add-remove").loss() for i in range(6))
    whole = compose(list(made), accuracy=1e-4).guarantee
    assert whole.coarse.accuracy is None
