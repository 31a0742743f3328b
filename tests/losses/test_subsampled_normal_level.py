"""Where the mass of a power of the ratio is looked for, of noise that hides nearly everything."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import logsumexp

from dprisk.losses.subsampled_normal import SubsampledNormalLoss


@pytest.mark.parametrize("mu", [1e-3, 0.01, 0.3, 2.0])
@pytest.mark.parametrize("rate", [1e-4, 0.01, 0.5])
def test_the_level_of_a_power_is_near_its_mean(mu, rate):
    loss = SubsampledNormalLoss(mu, rate)
    powers = np.geomspace(1.5, 8000.0 / loss.largest, 40)
    x, step = np.linspace(-14.0, loss.last, 200_001, retstep=True)
    ratio = np.logaddexp(np.log1p(-rate), np.log(rate) + mu * x - mu**2 / 2)
    logs = powers[:, None] * ratio - x * x / 2 - np.log(2 * np.pi) / 2
    truth = logsumexp(logs, axis=1) + np.log(step)
    assert np.abs(loss._level(powers) - truth).max() < 6.0
