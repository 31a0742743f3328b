"""Rényi divergences of privacy losses and their sums, and the rho of zCDP, against 40 digits."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import pytest

from dprisk import ApproxDP, compose, convert
from dprisk.errors import NoConversion
from dprisk.mechanisms import (
    Gaussian,
    Laplace,
    RandomizedResponse,
    SubsampledGaussian,
    SubsampledLaplace,
)

A: Any = {"neighbors": "add-remove"}
ORDERS = (1.001, 1.5, 2.0, 3.0, 10.0, 64.0)


def _laplace(c: float, alpha: Any) -> Any:
    """Mironov 2017, Proposition 6."""
    s = alpha - 1
    share = alpha / (2 * alpha - 1)
    return mp.log(share * mp.exp(s * c) + (1 - share) * mp.exp(-alpha * c)) / s


def _response(epsilon: float, k: int, alpha: Any) -> Any:
    e, s = mp.mpf(epsilon), alpha - 1
    total = mp.exp(alpha * e) + mp.exp(-s * e) + k - 2
    return mp.log(total / (mp.exp(e) + k - 1)) / s


def _sampled(mu: float, rate: float, order: int) -> Any:
    """Mironov, Talwar and Zhang 2019, Section 3.3, for whole orders."""
    q, m = mp.mpf(rate), mp.mpf(mu)
    terms = (
        mp.binomial(order, k) * (1 - q) ** (order - k) * q**k * mp.exp(m**2 * k * (k - 1) / 2)
        for k in range(order + 1)
    )
    return mp.log(mp.fsum(terms)) / (order - 1)


def _gamma(known: Any, alpha: float) -> float:
    return float(convert(known, "renyi", alpha=alpha).guarantee.parameters["gamma"])


def _rho(known: Any) -> float:
    return float(convert(known, "concentrated").guarantee.parameters["rho"])


def _just_above(found: float, truth: Any, within: float = 1e-10) -> bool:
    return bool(truth <= found <= truth * (1 + mp.mpf(within)))


@pytest.mark.parametrize("alpha", ORDERS)
@pytest.mark.parametrize("size", [1e-3, 0.3, 1.0, 8.0])
def test_bounded_losses_have_their_own_divergence(alpha, size):
    with mp.workdps(40):
        a = mp.mpf(alpha)
        assert _just_above(_gamma(Laplace(1.0, size, **A).loss(), alpha), _laplace(mp.mpf(size), a))
        loss = RandomizedResponse(size, 5, **A).loss()
        assert _just_above(_gamma(loss, alpha), _response(size, 5, a))


def test_divergences_of_a_sum_add_up():
    parts = [
        Laplace(1.0, 1.0, **A),
        Gaussian(2.0, 1.0, **A),
        RandomizedResponse(0.5, 3, **A),
        SubsampledGaussian(1.0, 1.0, 0.01, **A),
    ]
    found = compose(parts, [10, 3, 2, 100]).guarantee
    with mp.workdps(40):
        for alpha in (2, 5, 40):
            a = mp.mpf(alpha)
            truth = 10 * _laplace(1, a) + 3 * a / 8 + 2 * _response(0.5, 3, a)
            truth += 100 * _sampled(1.0, 0.01, alpha)
            assert _just_above(_gamma(found, float(alpha)), truth)


def test_the_divergence_of_sampled_noise():
    loss = SubsampledGaussian(1.0, 1.0, 0.01, **A).loss()
    with mp.workdps(40):
        for alpha in (2, 10, 100):
            assert _just_above(_gamma(loss, float(alpha)), _sampled(1.0, 0.01, alpha))
    strong = SubsampledGaussian(0.05, 1.0, 0.01, **A).loss()
    with mp.workdps(40):
        assert _just_above(_gamma(strong, 2.0), _sampled(20.0, 0.01, 2))


def _largest(divergence: Any) -> Any:
    """Of D_alpha / alpha, at many orders: nearly the supremum, and never more."""
    orders = [1 + mp.mpf(10) ** (mp.mpf(i) / 200) for i in range(-1600, 1600)]
    return max(divergence(alpha) / alpha for alpha in orders)


@pytest.mark.parametrize("size", [1e-3, 0.3, 1.0, 8.0, 30.0])
def test_the_rho_of_bounded_losses(size):
    with mp.workdps(40):
        for loss, divergence in (
            (Laplace(1.0, size, **A).loss(), lambda a: _laplace(mp.mpf(size), a)),
            (RandomizedResponse(size, 7, **A).loss(), lambda a: _response(size, 7, a)),
        ):
            assert _just_above(_rho(loss), _largest(divergence), 2e-5)


def test_the_rho_of_sums():
    together = [Laplace(1.0, 2.0, **A), RandomizedResponse(1.0, 2, **A), Gaussian(2.0, 1.0, **A)]
    found = _rho(compose(together, [3, 5, 7]).guarantee)
    with mp.workdps(40):
        truth = _largest(lambda a: 3 * _laplace(2, a) + 5 * _response(1.0, 2, a) + 7 * a / 8)
        assert _just_above(found, truth, 2e-5)
    assert _rho(SubsampledGaussian(2.0, 1.0, 0.1, **A).loss()) == pytest.approx(0.125, rel=1e-12)


def test_the_divergences_of_sampled_laplace_noise():
    """Both ends of the ladder: between that of a part, and that of everything."""
    loss = SubsampledLaplace(1.0, 1.0, 0.1, **A).loss()
    with mp.workdps(30):
        q = mp.mpf("0.1")

        def moment(x: Any) -> Any:
            r = 1 - q + q * mp.exp(abs(x) - abs(x - 1))
            return r**3 * mp.exp(-abs(x)) / 2

        truth = mp.log(mp.quad(moment, [-mp.inf, 0, 1, mp.inf])) / 2
        assert _just_above(_gamma(loss, 3.0), truth, 1e-9)


def test_what_may_be_revealed_has_no_divergence():
    parts = [Laplace(1.0, 1.0, **A), ApproxDP(0.1, 1e-9, **A)]
    for to, more in (("renyi", {"alpha": 2.0}), ("concentrated", {})):
        with pytest.raises(NoConversion):
            convert(compose(parts).guarantee, to, **more)


@pytest.mark.parametrize("epsilon", [1e-9, 1e-6, 1e-3, 0.1])
def test_the_rho_of_tiny_losses_is_half_their_square_at_most(epsilon):
    """Bun, Steinke 2016, Proposition 3.3: where roundings weigh more than the loss."""
    found = _rho(RandomizedResponse(epsilon, 2, neighbors="replace-one").loss())
    with mp.workdps(80):
        half = mp.mpf(epsilon) ** 2 / 2
        truth = _largest(lambda alpha: _response(epsilon, 2, alpha))
        assert truth <= found <= half * (1 + mp.mpf("1e-13"))
