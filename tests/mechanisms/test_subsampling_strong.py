"""Little noise on a small part of the records, and the largest loss of Laplace noise there."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import pytest

from dprisk import compose
from dprisk.errors import TooWide
from dprisk.mechanisms import SubsampledGaussian, SubsampledLaplace

A: Any = {"neighbors": "add-remove"}


def _mixed(rate: float, loss: Any) -> Any:
    return mp.log1p(mp.mpf(rate) * mp.expm1(loss))


def _laplace_once(rate: float, c: Any, t: Any) -> Any:
    """delta(t) of (1 - rate) L(0) + rate L(c) against L(0), for any t."""
    rate, low, high = mp.mpf(rate), _mixed(rate, -c), _mixed(rate, c)
    if t >= high:
        return mp.mpf(0)
    if t <= low:
        return 1 - mp.exp(t)
    plain = mp.log1p(mp.expm1(t) / rate)  # the loss of Laplace noise where that of the mixture is t
    return rate * (1 - mp.exp((plain - c) / 2))


def _laplace_twice(rate: float, c: Any, t: Any) -> Any:
    """The mean over the first loss, which has both its ends and a density between."""
    q = mp.mpf(rate)
    ends = [
        ((1 - q) / 2 + q * mp.exp(-c) / 2, _mixed(rate, -c)),
        ((1 - q) * mp.exp(-c) / 2 + q / 2, _mixed(rate, c)),
    ]

    def inside(x: Any) -> Any:
        density = ((1 - q) * mp.exp(-x) + q * mp.exp(x - c)) / 2
        return density * _laplace_once(rate, c, t - _mixed(rate, 2 * x - c))

    places = mp.linspace(0, c, 21)
    return mp.fsum(p * _laplace_once(rate, c, t - z) for p, z in ends) + mp.quad(inside, places)


def _where(profile: Any, delta: float, high: Any) -> Any:
    low = mp.mpf(0)
    for _ in range(90):
        middle = (low + high) / 2
        low, high = (middle, high) if profile(middle) > delta else (low, middle)
    return high


@pytest.mark.parametrize(("scale", "rate"), [(0.5, 0.2), (1.0, 0.01), (0.05, 1e-4), (7.0, 0.5)])
@pytest.mark.parametrize("count", [1, 3, 40])
def test_the_largest_loss_of_laplace_noise_is_known(scale, rate, count):
    loss = compose([SubsampledLaplace(scale, 1.0, rate, **A)], [count]).guarantee
    with mp.workdps(40):
        truth = count * _mixed(rate, 1 / mp.mpf(scale))
    low, high = loss.epsilon(0.0).bracket
    assert low <= truth <= high
    assert high - low <= 1e-9 * count


@pytest.mark.parametrize(
    ("scale", "rate", "delta"), [(0.1, 0.01, 1e-5), (0.05, 1e-4, 1e-6), (1 / 30, 0.01, 1e-4)]
)
def test_laplace_noise_once(scale, rate, delta):
    low, high = SubsampledLaplace(scale, 1.0, rate, **A).loss().epsilon(delta).bracket
    with mp.workdps(40):
        c = 1 / mp.mpf(scale)
        truth = _where(lambda t: _laplace_once(rate, c, t), delta, _mixed(rate, c))
    assert low <= truth <= high
    assert high - low <= 2e-3


def test_laplace_noise_twice():
    loss = compose([SubsampledLaplace(0.1, 1.0, 0.01, **A)], [2]).guarantee
    for epsilon in (1.0, 5.0, 9.0):
        low, high = loss.delta(epsilon).bracket
        with mp.workdps(25):
            truth = _laplace_twice(0.01, mp.mpf(10), mp.mpf(epsilon))
        assert low <= truth <= high
        assert low >= 0.4 * high


@pytest.mark.parametrize(("sigma", "rate"), [(0.08, 0.01), (0.08, 1e-4), (0.05, 0.001)])
def test_normal_noise_once(sigma, rate):
    delta = 1e-6
    low, high = SubsampledGaussian(sigma, 1.0, rate, **A).loss().epsilon(delta).bracket
    with mp.workdps(60):
        mu = 1 / mp.mpf(sigma)

        def profile(t: Any) -> Any:
            plain = mp.log1p(mp.expm1(t) / mp.mpf(rate))
            tail = mp.ncdf(mu / 2 - plain / mu) - mp.exp(plain) * mp.ncdf(-mu / 2 - plain / mu)
            return mp.mpf(rate) * tail

        truth = _where(profile, delta, mp.mpf(400))
    assert low <= truth <= high
    assert high - low <= 1e-2


def test_normal_noise_often():
    found = compose([SubsampledGaussian(0.05, 1.0, 0.01, **A)], [100]).guarantee.epsilon(1e-5)
    low, high = found.bracket
    assert 1462.0 < low < high < 1463.1
    assert high - low <= 0.05


def test_a_faint_sample_stays_faint_on_finer_grids():
    """log(1 + 1e-300 (e^700 - 1)) is 9.2245706936913914: no lower end is above it."""
    faint = SubsampledLaplace(rate=1e-300, scale=1 / 700, sensitivity=1.0, neighbors="add-remove")
    with pytest.raises(TooWide) as refused:
        faint.loss(accuracy=1e-3).epsilon(0.0)
    low, high = refused.value.bracket
    assert low <= 9.22457069369139 <= high


@pytest.mark.parametrize(
    ("sigma", "rate"),
    [(0.41519374822008914, 0.015058432477916998), (0.8954158093938303, 2.9809759560038103e-06),
     (0.5613, 0.1034), (0.13276575001116536, 2.2099138890110235e-05)],
)  # fmt: skip
def test_orders_at_which_a_ratio_nearly_overflows(sigma, rate):
    """Whole orders are sums over how many of the draws take part; nothing overflows."""
    noise = SubsampledGaussian(sigma, 1.0, rate, neighbors="add-remove")
    limits = noise.guarantee()
    whole = [(int(a), g) for a, g in zip(limits.alpha, limits.gamma, strict=True)
             if a == int(a) and 2 <= a <= 256]  # fmt: skip
    assert len(whole) > 20
    with mp.workdps(60):
        q, mu = mp.mpf(rate), 1 / mp.mpf(sigma)
        for order, found in whole:
            total = mp.fsum(
                mp.binomial(order, k) * (1 - q) ** (order - k) * q**k
                * mp.exp(k * (k - 1) * mu**2 / 2)
                for k in range(order + 1)
            )  # fmt: skip
            truth = mp.log(total) / (order - 1)
            assert truth <= found <= truth * (1 + 1e-9) + 1e-11
