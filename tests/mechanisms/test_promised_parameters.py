"""Each promised parameter against its formula: not below it, and a few units above at most."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from mpmath import mp

from dprisk.budget import noise_for
from dprisk.guarantees import GaussianDP, PureDP, ZeroConcentratedDP
from dprisk.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    SampleRelease,
    SubsampledGaussian,
    SubsampledLaplace,
    TruncatedLaplace,
    VectorGaussian,
)

A = {"neighbors": "add-remove"}
FEW = mp.mpf(2) ** -51
UNITS = mp.mpf(2) ** -47  # of an expression with exponentials


def number(value):
    value = Fraction(value)
    return mp.mpf(value.numerator) / value.denominator


def cases(rng):
    """Each mechanism at random parameters, its promise by formula, and how close it has to be."""
    width, moved = 10.0 ** rng.uniform(-1.0, 5.0), 10.0 ** rng.uniform(-3.0, 2.0)
    steps, rate = rng.randint(1, 30), 10.0 ** rng.uniform(-9.0, 0.0)
    w, d = number(width), number(moved)
    yield Laplace(width, moved, **A), {"epsilon": d / w}, FEW
    yield Geometric(width, steps, **A), {"epsilon": steps / w}, FEW
    yield Gaussian(width, moved, **A), {"mu": d / w}, FEW
    yield SubsampledGaussian(width, moved, 1.0, **A), {"mu": d / w}, FEW
    yield DiscreteGaussian(width, steps, **A), {"rho": (steps / w) ** 2 / 2}, FEW
    yield SampleRelease(steps, 97, **A), {"delta": mp.mpf(steps) / 97}, FEW
    sampled = mp.log1p(number(rate) * mp.expm1(d / w))
    yield SubsampledLaplace(width, moved, rate, **A), {"epsilon": sampled}, FEW
    yield SubsampledLaplace(width, moved, 1.0, **A), {"epsilon": d / w}, FEW
    cut = min(moved * 10.0 ** rng.uniform(0.0, 2.0), 600.0 * width)
    if cut >= moved:
        top = min(d, 2 * number(cut) - d) / w
        delta = mp.expm1(d / w) / mp.expm1(number(cut) / w) / 2
        told = {"epsilon": top, "delta": min(delta, mp.mpf(1))}
        yield TruncatedLaplace(width, moved, cut, **A), told, UNITS


@pytest.mark.parametrize("seed", range(40))
def test_parameters(seed):
    with mp.workdps(60):
        for mechanism, told, off in cases(Random(f"promised {seed}")):
            found = mechanism.guarantee().parameters
            for name, truth in told.items():
                assert truth <= number(found[name]) <= truth * (1 + off), mechanism


@pytest.mark.parametrize(
    ("ratio", "rate"), [(1e-300, 1e-3), (1e-20, 0.5), (30.0, 1e-13), (1e4, 1e-9), (1e300, 1e-300)]
)
def test_subsampled_laplace_at_its_ends(ratio, rate):
    """Small losses, large ones, and those where e^epsilon times the rate is about one."""
    with mp.workdps(400):
        c, share = number(ratio), number(rate)
        truth = c + mp.log(share + (1 - share) * mp.exp(-c))
        found = number(SubsampledLaplace(1.0, ratio, rate, **A).guarantee().parameters["epsilon"])
        assert truth <= found <= truth * (1 + FEW)


def square(covariance, difference):
    """d' C^-1 d by elimination, of the symmetric part."""
    size = len(difference)
    rows = [
        [(Fraction(covariance[i][j]) + Fraction(covariance[j][i])) / 2 for j in range(size)]
        + [Fraction(difference[i])]
        for i in range(size)
    ]
    found = Fraction(0)
    for i, row in enumerate(rows):
        found += row[-1] ** 2 / row[i]
        for k in range(i + 1, size):
            share = rows[k][i] / row[i]
            rows[k] = [a - share * b for a, b in zip(rows[k], row, strict=True)]
    return found


@pytest.mark.parametrize("seed", range(40))
def test_correlated_noise(seed):
    """Whatever the condition of the covariance."""
    rng = Random(f"correlated {seed}")
    size = rng.randint(1, 6)
    root = [[rng.gauss(0.0, 1.0) for _ in range(size)] for _ in range(size)]
    if size > 1:
        close = 10.0 ** rng.uniform(-2.5, 0.0)
        root[0] = [a * close + b for a, b in zip(root[0], root[1], strict=True)]
    widths = [10.0 ** rng.uniform(-4.0, 4.0) for _ in range(size)]
    covariance = [
        [
            sum(x * y for x, y in zip(a, b, strict=True)) * v * w
            for b, w in zip(root, widths, strict=True)
        ]
        for a, v in zip(root, widths, strict=True)
    ]
    difference = [rng.gauss(0.0, 1.0) * w for w in widths]
    truth = square(covariance, difference)
    found = Fraction(VectorGaussian(covariance, difference, **A).mu) ** 2
    assert truth <= found <= truth * (1 + Fraction(2) ** -50)


def test_noise_that_is_almost_common():
    """Correlation 1 - 1e-9: mu^2 = 2 / (1 - c), where c is that float."""
    c = 1.0 - 1e-9
    noise = VectorGaussian([[1.0, c], [c, 1.0]], [1.0, -1.0], **A)
    truth = 2 / (1 - Fraction(c))
    assert truth <= Fraction(noise.mu) ** 2 <= truth * (1 + Fraction(2) ** -50)
    with mp.workdps(40):
        mu = mp.sqrt(number(truth))
        half = mp.ncdf(mu / 2) - mp.ncdf(-mu / 2)
        low, high = (number(each) for each in noise.loss().delta(0.0).bracket)
        assert low <= half <= high


def test_exact_lengths_stay_exact():
    assert VectorGaussian([[9.0, 0.0], [0.0, 16.0]], [9.0, 16.0], **A).mu == 5.0
    assert VectorGaussian([[2.0, 1.0], [1.0, 2.0]], [0.0, 0.0], **A).mu == 0.0


@pytest.mark.parametrize("seed", range(30))
def test_noise_that_is_found_keeps_its_promise(seed):
    """The promise that follows from the noise is not above the one that was asked for."""
    rng = Random(f"found {seed}")
    size = 10.0 ** rng.uniform(-3.0, 1.0)
    for promise in (PureDP(size, **A), GaussianDP(size, **A), ZeroConcentratedDP(size, **A)):
        (name, most), *_ = promise.parameters.items()
        for cost in noise_for(promise, sensitivity=3.0):
            assert cost.mechanism.guarantee().parameters.get(name, 0.0) <= most
