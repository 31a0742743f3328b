"""The least value of a convex function that is known in brackets only."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk._numeric.convex import Sample, least


@pytest.mark.parametrize("noise", [0.0, 1e-9, 1e-5, 1e-3])
@pytest.mark.parametrize("lowest", [0.03, 0.5, 1.7])
def test_stops_where_nothing_is_gained(noise, lowest):
    """Brackets that are wide at every point say so much and no more: sixty rounds say it too."""
    asked = []

    def f(points, which):
        asked.append(len(points))
        value = 1.0 + (points - lowest) ** 2
        return points, value * (1.0 - noise), value * (1.0 + noise)

    t = np.array([[0.0], [1.0], [2.0]])
    around = Sample(t, *(each.reshape(3, 1) for each in f(t.ravel(), np.zeros(3, dtype=int))))
    low, high, _ = least(f, around, 1e-12)
    assert low[0] <= 1.0 <= high[0]
    assert high[0] - low[0] <= max(20.0 * noise, 1e-9)
    assert len(asked) <= 30


@pytest.mark.parametrize("lowest", [0.03, 0.5, 1.7])
def test_nothing_is_asked_a_third_time(lowest):
    """Once around the vertex and once across; what these leave unmoved, no other round moves."""
    asked = []

    def f(points, which):
        asked.append(tuple(points.tolist()))
        value = 1.0 + (points - lowest) ** 2
        return points, value * (1.0 - 1e-4), value * (1.0 + 1e-4)

    t = np.array([[0.0], [1.0], [2.0]])
    around = Sample(t, *(each.reshape(3, 1) for each in f(t.ravel(), np.zeros(3, dtype=int))))
    least(f, around, 1e-12)
    assert max(asked.count(points) for points in asked) <= 2
