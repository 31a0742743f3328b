"""Searches go on while they gain anything, however little at a time."""

from __future__ import annotations

import numpy as np
import pytest

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
