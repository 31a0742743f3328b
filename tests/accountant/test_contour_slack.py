"""Every slack of a line earns its place: without it, one of these brackets misses the truth."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dprisk.accountant.contour import Chernoff, Contour, penalty
from dprisk.losses.base import ULP, Lattice

NO_ALIASES = Chernoff(np.array([0.0, 1e3]), np.array([-1e6, -1e6]))
COIN = Fraction(3, 4)  # odds 3 : 1 under P, 1 : 3 under Q; a loss of +-log 3 each
COUNT = 12


def coins(s):
    """Moment of twelve coins."""
    z = mpmath.log(3)
    return (COIN.numerator * mpmath.exp(s * z) / 4 + mpmath.exp(-s * z) / 4) ** COUNT


def chernoff(moment):
    """From the moment itself, rounded upwards."""
    theta = np.concatenate([[0.0], np.geomspace(1e-2, 50.0, 60)])
    bound = [0.0]
    for t in map(mpmath.mpf, theta[1:]):
        entropy = t * mpmath.log(t) - (1 + t) * mpmath.log1p(t)
        bound.append(float(mpmath.log(moment(t)) + entropy) + 1e-9)
    return Chernoff(theta, np.array(bound))


def round_circle(theta, nodes, lattice, moment):
    """All nodes of a circle, whose terms are rounded once."""
    n = np.arange(nodes // 2 + 1)
    s = theta + 2j * np.pi * n / (nodes * lattice.spacing)
    scale = mpmath.log(moment(mpmath.mpf(theta)))
    exact = [mpmath.mpc(theta, 2 * mpmath.pi * int(i) / (nodes * lattice.spacing)) for i in n]
    terms = np.array([complex(moment(t) * mpmath.exp(-scale)) for t in exact]) / nodes
    terms[(n > 0) & (2 * n < nodes)] *= 2.0
    error = np.full(len(n), 4 * ULP)
    return Contour(
        theta, nodes * lattice.spacing, float(scale), s, terms, error, 0.0, lattice=lattice
    )


@pytest.mark.parametrize("nodes", [4, 6, 8])
@pytest.mark.parametrize("x", [0.5, 2.0, 4.0])
def test_aliases_on_a_lattice(nodes, x):
    """Fewer nodes than values: the sum is too large by what Chernoff's inequality bounds."""
    with mpmath.workdps(40):
        z = mpmath.log(3)
        truth = mpmath.fsum(
            mpmath.binomial(COUNT, j)
            * mpmath.mpf(3) ** (COUNT - j)
            / mpmath.mpf(4) ** COUNT
            * -mpmath.expm1(min(x - (COUNT - 2 * j) * z, 0))
            for j in range(COUNT + 1)
        )
        lattice = Lattice(-COUNT * math.log(3.0), 2.0 * math.log(3.0))
        line = round_circle(0.2, nodes, lattice, coins)
        found = line.delta(np.array([x]), chernoff(coins))
    assert found.lower[0] <= truth <= found.upper[0]
    assert found.upper[0] > truth * (1 + mpmath.mpf("1e-9"))  # there are aliases


@pytest.mark.parametrize("period", [3.0, 4.0, 6.0])
@pytest.mark.parametrize("x", [0.0, 0.7, 2.0])
def test_aliases_of_a_smooth_loss(period, x):
    """Gaussian noise on a line with nodes far apart."""
    mu, theta = 1.0, 0.8

    def moment(s):
        return mpmath.exp(mu * mu * s * (s + 1) / 2)

    with mpmath.workdps(40):
        truth = mpmath.ncdf(mu / 2 - x / mu) - mpmath.exp(x) * mpmath.ncdf(-mu / 2 - x / mu)
        n = np.arange(int(12 * period / 6.28) + 2)
        s = theta + 2j * np.pi * n / period
        scale = mpmath.log(moment(mpmath.mpf(theta)))
        exact = [mpmath.mpc(theta, 2 * mpmath.pi * int(i) / period) for i in n]
        terms = np.array([complex(moment(t) * mpmath.exp(-scale)) for t in exact]) / period
        terms[1:] *= 2.0
        error = np.full(len(n), 4 * ULP)
        line = Contour(theta, period, float(scale), s, terms, error, 1e-25)
        found = line.delta(np.array([x]), chernoff(moment))
    assert found.lower[0] <= truth <= found.upper[0]
    assert found.upper[0] > truth * (1 + mpmath.mpf("1e-9"))


def summed(line, x):
    """The sum itself, from the nodes and terms as they are."""
    with mpmath.workdps(50):
        total = mpmath.mpf(0)
        for node, weight in zip(line.s.tolist(), line.terms.tolist(), strict=True):
            s, term = mpmath.mpc(node), mpmath.mpc(weight)
            phase = mpmath.mpc(0, -1) * s.imag * mpmath.mpf(float(x))
            total += (term / (s * (s + 1)) * mpmath.exp(phase)).real
        return total * mpmath.exp(mpmath.mpf(line.log_scale) - line.theta * mpmath.mpf(float(x)))


def line_of(s, terms, log_scale=0.0):
    """Nothing is wrong with it but the arithmetic to come."""
    return Contour(float(s[0].real), 1.0, log_scale, s, terms, np.zeros(len(s)), 0.0)


@pytest.mark.parametrize("size", [1e3, 1e6, 1e9])
def test_phases_of_large_losses(size):
    """s x is rounded: by 1e-7 where x is 1e9."""
    rng = np.random.default_rng(7)
    s = 0.5 + 1j * np.arange(6.0) * 0.3
    terms = rng.normal(size=6) + 1j * rng.normal(size=6)
    line = line_of(s, terms + np.abs(terms).sum() * 8.0 * (np.arange(6) == 0), 0.5 * size)
    x = size * (1.0 + 1e-9 * rng.random(100) / size) + rng.random(100)
    found = line.delta(x, NO_ALIASES)
    for low, high, one in zip(*found, x, strict=True):
        assert low <= summed(line, one) <= high


def test_roundings_where_terms_cancel():
    """Next to the sum its terms are large, and each is rounded a few times."""
    rng = np.random.default_rng(11)
    for _ in range(300):
        s = 0.4 + 1j * np.array([0.0, 1.0]) * rng.uniform(0.5, 2.0)
        weights = 1.0 / (s * (s + 1.0))
        angle = rng.uniform(0.0, 6.28)
        other = np.exp(1j * angle) * rng.uniform(1.0, 2.0)
        first = -(other * weights[1]).real / weights[0].real * (1.0 + 1e-13)
        line = line_of(s, np.array([first, other], dtype=complex))
        x = np.zeros(1)
        found = line.delta(x, NO_ALIASES)
        for low, high, one in zip(*found, x, strict=True):
            truth = summed(line, one)
            assert low <= max(truth, 0) <= high


@pytest.mark.parametrize("log_scale", [-600.3, 600.3, -50.7])
def test_scales_that_are_far_from_one(log_scale):
    """An exponent of 600 is rounded by 256 ulp of what it is the logarithm of."""
    line = line_of(np.array([1e-3 + 0j]), np.array([1.0 + 0j]), log_scale)
    x = np.random.default_rng(3).uniform(0.0, 1.0, 400)
    found = line.delta(x, NO_ALIASES)
    for low, high, one in zip(*found, x, strict=True):
        assert low <= summed(line, one) <= high


@pytest.mark.parametrize("beyond", [1e-3, 1e-9])
def test_what_is_left_out(beyond):
    """A node that is not there counts with its absolute value."""
    s = 0.5 + 1j * np.array([0.0, 3.0])
    terms = np.array([1.0, beyond * abs(s[1]) ** 2], dtype=complex)
    both = line_of(s, terms)
    x = np.linspace(0.0, 3.0, 50)
    one = Contour(0.5, 1.0, 0.0, s[:1], terms[:1], np.zeros(1), beyond)
    found = one.delta(x, NO_ALIASES)
    for low, high, at in zip(*found, x, strict=True):
        assert low <= summed(both, at) <= high


@pytest.mark.parametrize("variance", [1e-4, 1e-2, 0.3])
def test_smoothing_is_taken_off_again(variance):
    """Two answers, composed with normal noise: delta without it is less by the penalty at most."""
    with mpmath.workdps(30):
        for x in (0.2, 0.9, 0.99, 1.0, 1.2):
            sd = mpmath.sqrt(variance)
            weights = [(1, 1 / (1 + mpmath.exp(-1))), (-1, 1 / (1 + mpmath.exp(1)))]
            truth = mpmath.fsum(p * max(-mpmath.expm1(x - z), 0) for z, p in weights)
            smooth, density = mpmath.mpf(0), mpmath.mpf(0)
            for z, p in weights:
                y = x - z
                own = mpmath.ncdf(sd / 2 - y / sd)
                other = mpmath.ncdf(-sd / 2 - y / sd)
                smooth += p * (own - mpmath.exp(y) * other)
                density += p * mpmath.npdf(y, mpmath.mpf(variance) / 2, sd)
            off = penalty(variance, np.array([float(density)]))[0]
            assert smooth - off <= truth <= smooth
            if x == 1.0:
                assert smooth - truth > 1e-6


@pytest.mark.parametrize("variance", [1e-3, 0.1])
def test_the_penalty_counts_what_is_left_out(variance):
    """A node that is not there counts in what smoothing is taken off for, where it is largest."""
    s = 1.0 + 1j * np.array([0.0, 30.0])
    terms = np.array([1.0, 2.0], dtype=complex)
    x = 2.0 * np.pi / 30.0 * np.arange(1.0, 9.0)  # crests of the second node
    beyond = 2.0 / abs(s[1]) ** 2
    line = Contour(1.0, 1.0, 0.0, s[:1], terms[:1], np.zeros(1), beyond, 2.0, smoothing=variance)
    both = line_of(s, terms)
    for one, low in zip(x, line.delta(x, NO_ALIASES).lower, strict=True):
        density = 3.0 * math.exp(-one)
        truth = summed(both, one) - variance * math.exp(variance / 8.0) * density
        assert low <= truth
