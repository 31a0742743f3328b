"""Normals that are as far apart as a shift of the log-odds allows."""

from __future__ import annotations

import pytest
from mpmath import mp, mpf

from dprisk.budget.limits import normals_apart


@pytest.mark.parametrize("shift", [0.2, 1.0, 5.0])
@pytest.mark.parametrize("failure", [0.3, 1e-3, 1e-9])
@pytest.mark.parametrize("sides", ["one", "both"])
def test_the_worst_test_of_normals(shift, failure, sides):
    """An output of probability e^-t p, and p with the record, has a loss of t; its mirror image, if
    that counts as well, one of -t: p (1 + e^-t) is the failure, and p the power at e^-t p.
    """
    p = mpf(failure) / (1 + mp.exp(-mpf(shift)) if sides == "both" else 1)
    mu = mpf(normals_apart(shift, failure, sides))
    level = p * mp.exp(-mpf(shift))
    z = mp.findroot(lambda z: mp.log(mp.ncdf(z)) - mp.log(level), -mp.sqrt(-2 * mp.log(level)))
    assert mp.almosteq(mp.ncdf(z + mu), p, rel_eps=mpf("1e-11"))
