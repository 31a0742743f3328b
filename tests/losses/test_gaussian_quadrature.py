"""Quadrature for powers of a ratio that is a little off, as far as it may be: with 30 digits."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import mpmath as mp
import numpy as np
import pytest

from dprisk.losses.base import ULP
from dprisk.losses.gaussian_quadrature import SPLIT_OFF, Bounds, Mixture, Rule
from dprisk.losses.subsampled_normal import LARGEST_MU, SubsampledNormalLoss

USUAL, WIDE, SMALL = Mixture(1.0, 0.3), Mixture(8.0, 0.3), Mixture(0.05, 0.3)


@cache
def exact(mixture, a, last):
    """log E[min(r, largest r)^a]."""
    mu, rate = mp.mpf(mixture.mu), mp.mpf(mixture.rate)

    def ratio(x):
        return 1 + rate * mp.expm1(mu * x - mu**2 / 2)

    with mp.workdps(30):
        a, last = mp.mpmathify(a), mp.mpf(last)
        ends = [*np.arange(-22.0, last, 1.0).tolist(), last]
        body = mp.quad(lambda x: mp.npdf(x) * ratio(x) ** a, ends)
        return mp.log(body + mp.ncdf(-last) * ratio(last) ** a)


@cache
def split(mixture, last):
    """1 - E[min(r, largest r)]."""
    with mp.workdps(30):
        return float(-mp.expm1(exact(mixture, 1, last)))


def rule(mixture, last, width, *, turn=0.0, w=0.0, weights=0.0, by=0.0):
    """With values and weights that are off by so much of what is allowed, or so many units."""
    edges = np.append(np.arange(-13.5, last, width), last)
    made = Rule.of(mixture, Bounds.of(mixture, edges, turn), last, split(mixture, last))
    z, logs = made.z + w * ULP * made.shaky, made.logs + weights * ULP
    less, more = np.expm1(np.minimum(z, 1.0)) * np.exp(logs), np.exp(logs + z) - np.exp(logs)
    made = replace(made, z=z, w=np.expm1(np.minimum(z, 700.0)), logs=logs)
    return replace(made, grown=np.where(z < 1.0, less, more), split=made.split * (1.0 + by))


OFF = [
    (USUAL, 22.0, 0.5, {}),
    (USUAL, 22.0, 12.0, {}),
    (USUAL, 1.0, 0.5, {}),
    *((USUAL, 1.0, 0.5, {"by": side * 0.9 * SPLIT_OFF}) for side in (-1, 1)),
    *((SMALL, 16.0, 0.5, {"weights": side * 20.0}) for side in (-1, 1)),
    *((WIDE, 16.0, 0.5, {"w": side * 0.9}) for side in (-1, 1)),
]


@pytest.mark.parametrize(("mixture", "last", "width", "off"), OFF, ids=str)
@pytest.mark.parametrize("a", [-3.0, 1.02, 2.0])
def test_means(mixture, last, width, off, a):
    """Of powers near 1 by the difference from 1."""
    value, error = rule(mixture, last, width, **off).mean(a)
    assert abs(exact(mixture, a, last) - value) <= error


@pytest.mark.parametrize(
    ("mixture", "last", "width", "off", "a"),
    [
        (USUAL, 90.0, 0.5, {}, 4.0),
        (USUAL, 90.0, 14.0, {}, 4.0),
        (WIDE, 60.0, 0.5, {"w": 0.9}, 4.0),
        (WIDE, 60.0, 0.5, {"w": -0.9}, 4.0),
        (USUAL, 90.0, 0.25, {"w": 0.9}, 30.0),
        (USUAL, 90.0, 0.25, {"w": -0.9}, 30.0),
    ],
    ids=str,
)
def test_means_of_large_powers(mixture, last, width, off, a):
    """By logarithms."""
    value, error = rule(mixture, last, width, **off).mean(a)
    assert abs(exact(mixture, a, last) - value) <= error


@pytest.mark.parametrize(("mixture", "last", "width", "off"), OFF, ids=str)
@pytest.mark.parametrize("a", [1.5 + 2.0j, 1.02 + 40.0j])
def test_means_along_a_line(mixture, last, width, off, a):
    """The difference from the real axis, and what the latter is off."""
    value, error = rule(mixture, last, width, turn=60.0, **off).line(a.real, np.array([a.imag]))
    found = mp.mpmathify(complex(value[0])) - exact(mixture, a, last)
    assert abs(mp.exp(found) - 1) <= mp.expm1(min(error[0], 600.0))


@pytest.mark.parametrize("added", [False, True])
@pytest.mark.parametrize("power", [-0.9, 1.0, 5.0, 30.0])
def test_little_noise_overflows_nowhere(power, added):
    """Odds of e^500 and more: a warning would be an error."""
    loss = SubsampledNormalLoss(LARGEST_MU, 0.3, added)
    value, error = loss.measured(np.array([power + 1j, power + 100j]))
    assert np.isfinite(value).all() and np.isfinite(error).all()
    assert loss.decay(power, 1.0, np.inf) >= 0.0
