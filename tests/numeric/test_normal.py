"""Normal tails, far out."""

from __future__ import annotations

import numpy as np
import pytest
from mpmath import mp

from dprisk._numeric.normal import ndtr


@pytest.mark.parametrize("x", np.linspace(34.0, 38.5, 10).tolist())
def test_tails_that_are_hardly_floats(x):
    """Where scipy's function says zero, there is still something."""
    with mp.workdps(40):
        truth, found = mp.ncdf(-mp.mpf(x)), mp.mpf(float(ndtr(np.float64(-x))))
        assert abs(found - truth) <= 1e-14 * x * x * truth + 2 * mp.mpf(5e-324)


def test_tails_that_are_no_floats():
    far = ndtr(np.array([-np.inf, -1e300, -40.0, -39.0]))
    assert np.array_equal(far, np.zeros(4))
