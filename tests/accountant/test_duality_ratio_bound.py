"""The logarithm of power / level, where both are known to the last bit."""

from __future__ import annotations

from types import SimpleNamespace

import mpmath
import numpy as np

from dprisk.accountant.duality import ratio_bound
from dprisk.accountant.loss_sum import Bracket


def test_the_logarithm_is_between_its_ends():
    draw = np.random.default_rng(3)
    power = draw.uniform(0.001, 1.0, 2000)
    level = power * np.exp(-draw.uniform(1e-6, 3.0, 2000))
    known = SimpleNamespace(level=lambda _: Bracket(level, level), forward=(None, None))
    low, high = ratio_bound(known, power, False)
    with mpmath.workdps(40):
        pairs = zip(power.tolist(), level.tolist(), strict=True)
        truth = [mpmath.log(mpmath.mpf(a) / mpmath.mpf(b)) for a, b in pairs]
    assert all(a <= t <= b for a, t, b in zip(low.tolist(), truth, high.tolist(), strict=True))
    assert (high - low).max() < 1e-14
