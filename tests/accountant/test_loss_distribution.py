"""Logarithms of tails are rounded by their own size, not by that of their difference."""

from __future__ import annotations

import numpy as np

from dprisk.accountant.loss_distribution import _against
from dprisk.accountant.loss_sum import Bracket
from sweep.truth.balls import exact


def test_ratios_of_what_is_small():
    """To a probability near one, and to one that is as small."""
    rng = np.random.default_rng(6)
    found = 10.0 ** rng.uniform(-300.0, 0.0, 400)
    other = np.concatenate([rng.uniform(0.5, 1.0, 200), found[200:] * rng.uniform(0.5, 2.0, 200)])
    low, high = _against(Bracket(found, found), other, other)
    for p, q, least, most in zip(found.tolist(), other.tolist(), low, high, strict=True):
        assert exact(float(least)) <= (exact(p) / exact(q)).log() <= exact(float(most))
