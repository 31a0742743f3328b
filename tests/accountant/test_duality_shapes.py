"""Tails far out, and the shape that is least where they are."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
import pytest

from dprisk import PureDP, compose
from dprisk.accountant.duality import ray
from dprisk.losses.base import ULP
from dprisk.mechanisms import DiscreteGaussian

A: Any = {"neighbors": "add-remove"}
SIGMA, PROMISE = 10, 0.3


def test_ray_to_its_last_digits():
    """Both factors, where most of epsilon - t is rounded away and where nothing is."""
    random = np.random.default_rng(3)
    epsilon = np.exp(random.uniform(-20.0, 8.0, 3000))
    t = epsilon - np.exp(random.uniform(-30.0, 6.5, 3000))
    t[::3] = random.normal(size=1000) * 10.0
    epsilon, t = epsilon[t < epsilon], t[t < epsilon]
    form = ray(t, epsilon)
    with mp.workdps(60):
        for at, end, a, z in zip(t, epsilon, form.a, form.z, strict=True):
            left = mp.mpf(float(end)) - mp.mpf(float(at))
            assert abs(float(a) * -mp.expm1(-left) - 1) <= 2 * ULP
            if left < 700:
                assert abs(float(z) * mp.expm1(left) - 1) <= 2.5 * ULP


def test_ray_at_and_beyond_epsilon_is_no_minimum():
    form = ray(np.array([1.0, 2.0, 700.0, -800.0]), np.array([1.0, 1.0, np.inf, 0.0]))
    low, high = form.values(np.full(4, 0.25), np.full(4, 0.5))
    assert np.all(low[:2] > 1e299)
    assert np.all(np.isfinite(form.z))
    assert low[2:].tolist() == pytest.approx([0.25, 0.25], abs=1e-15)
    assert high[2:].tolist() == pytest.approx([0.5, 0.5], abs=1e-15)


def test_tails_far_out_have_two_useful_ends():
    """Discrete Gaussian noise and a promise: the least is at a corner of delta in e^t."""
    made = compose([DiscreteGaussian(SIGMA, 1, **A), PureDP(PROMISE, **A)])
    epsilon = np.array([0.6, 0.9, 1.2, 1.5, 1.8, 2.5])
    low, high = made.tail(epsilon, sides="one").bracket
    with mp.workdps(50):
        truth = [_tail(mp.mpf(float(end))) for end in epsilon]
    for below, least, above in zip(low, truth, high, strict=True):
        assert below <= least <= above
        assert above - below <= 1e-9 * above
    assert truth[-1] < 1e-60


def _tail(epsilon):
    """The least delta(t) / (1 - e^(t - epsilon)), from sums over all integers that count."""
    variance, half = mp.mpf(SIGMA) ** 2, mp.exp(mp.mpf(PROMISE))
    weights = {k: mp.exp(-(mp.mpf(k) ** 2) / (2 * variance)) for k in range(-500, 501)}
    total = mp.fsum(weights.values())
    losses = {
        (2 * k + 1) / (2 * variance) + sign * mp.mpf(PROMISE): weight / total * share
        for k, weight in weights.items()
        for sign, share in ((1, half / (1 + half)), (-1, 1 / (1 + half)))
    }
    found, more, less = mp.inf, mp.mpf(0), mp.mpf(0)  # P[Z > t] and E[e^-Z; Z > t]
    for t in sorted(losses, reverse=True):
        if 0 <= t < epsilon:
            found = min(found, (more - mp.exp(t) * less) / -mp.expm1(t - epsilon))
        more, less = more + losses[t], less + losses[t] * mp.exp(-t)
    return found
