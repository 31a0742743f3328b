"""Noise on samples that are taken at a tiny rate, beside a promise whose delta has corners."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import pytest

from dprisk import PureDP, compose
from dprisk.mechanisms import SubsampledGaussian

A: Any = {"neighbors": "add-remove"}
PROMISE = 0.1


def _added(rate: Any, t: Any) -> Any:
    """delta(t) of (1 - rate) N(0, 1) + rate N(1, 1) against N(0, 1), for any t."""
    share = mp.expm1(t) / rate
    if share <= -1:
        return 1 - mp.exp(t)
    plain = mp.log1p(share)
    return rate * (mp.ncdf(mp.mpf(1) / 2 - plain) - mp.exp(plain) * mp.ncdf(-mp.mpf(1) / 2 - plain))


def _beside(rate: float, epsilon: float) -> Any:
    """Both directions of the sample, beside randomized response: the larger one."""
    q, more = mp.mpf(rate), mp.mpf(PROMISE)
    shares = {more: 1 / (1 + mp.exp(-more)), -more: 1 / (1 + mp.exp(more))}

    def removed(t: Any) -> Any:
        return 1 - mp.exp(t) + mp.exp(t) * _added(q, -t)

    return max(
        mp.fsum(p * profile(mp.mpf(epsilon) - z) for z, p in shares.items())
        for profile in (lambda t: _added(q, t), removed)
    )


@pytest.mark.parametrize("rate", [1e-15, 1e-12, 1e-10, 1e-8])
def test_one_sample(rate):
    made = compose([SubsampledGaussian(1.0, 1.0, rate, **A), PureDP(PROMISE, **A)]).guarantee
    with mp.workdps(60):
        for epsilon in (0.05, 0.1, 0.1 + rate, 0.1 + 20.0 * rate, 0.1 + 1e4 * rate):
            low, high = made.delta(epsilon).bracket
            assert low <= _beside(rate, epsilon) <= high


@pytest.mark.parametrize("rate", [1e-12, 1e-10, 1e-9])
@pytest.mark.parametrize("delta", [1e-14, 1e-12, 1e-8])
def test_many_samples_move_epsilon_by_little(rate, delta):
    parts = [SubsampledGaussian(1.0, 1.0, rate, **A), PureDP(PROMISE, **A)]
    low, high = compose(parts, [100, 1]).guarantee.epsilon(delta).bracket
    assert PROMISE - 3.0 * delta <= low <= high <= PROMISE + 1e6 * rate
