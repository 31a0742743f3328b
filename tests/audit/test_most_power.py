"""Limits that are read off corners of small probabilities."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk.audit.curve import Corners
from dprisk.audit.most_power import _slopes
from sweep.truth.balls import exact

NONE = np.zeros(1, dtype=np.intp)


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_the_limit_of_a_rare_output(share):
    """Of logarithms around 500 the difference is rounded by as much as they are."""
    rng = np.random.default_rng(8)
    for _ in range(300):
        x = float(10.0 ** rng.uniform(-290.0, -1.0))
        y = x * float(np.exp(rng.uniform(0.1, 2.0)))
        wanted = share * (y - x)
        corner = Corners(np.array([x]), np.array([y]), NONE, NONE)
        (low,), (high,) = (
            _slopes(corner, np.array([wanted]), slack)[0] for slack in (-1e-300, 1e-300)
        )
        truth = ((exact(y) - exact(wanted)) / exact(x)).log()
        assert exact(float(low)) <= truth <= exact(float(high))
