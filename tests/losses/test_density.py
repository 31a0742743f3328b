"""Lattice losses around any pair: exact rational arithmetic, mpmath, closed forms."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from math import prod

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp

from dprisk.errors import InvalidInput
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import Lattice, LossPair
from dprisk.losses.density import between
from dprisk.losses.lattice import RELATIVE_ERROR
from dprisk.mechanisms import SubsampledGaussian
from tests.losses.finite import pair_on_lattice


@pytest.fixture(autouse=True)
def fifty_digits():
    with mpmath.workdps(50):
        yield


# --- oracles -------------------------------------------------------------------------------------


def exact(p, q, y, slack=Fraction(0)):
    """Sum of (p - y q)+ in rational numbers, p and q changed by the factor 1 +- slack."""
    return sum(
        max(a * (1 + slack) - y * b * (1 - slack), Fraction(0)) for a, b in zip(p, q, strict=True)
    )


def of_points(loss, y):
    """delta of a point loss at e^x = y, to fifty digits."""
    terms = (
        mpmath.mpf(m) * max(0, 1 - y * mpmath.exp(-mpmath.mpf(v)))
        for v, m in zip(loss.losses.tolist(), loss.masses.tolist(), strict=True)
    )
    return mpmath.mpf(float(loss.infinite)) + mpmath.fsum(terms)


def inside(lower, upper, p, q, y, times=1):
    """Whether two losses enclose a pair at y, up to the error that they admit to."""
    slack = Fraction(2 * RELATIVE_ERROR * times)
    least, most = (exact(p, q, y, sign * slack) for sign in (-1, 1))
    y = mpmath.mpf(y.numerator) / y.denominator
    low, high = of_points(lower, y), of_points(upper, y)
    least, most = (mpmath.mpf(v.numerator) / v.denominator for v in (least, most))
    return low <= most + mpmath.mpf("1e-305") and least - mpmath.mpf("1e-305") <= high


def fractions(weights):
    """Probabilities as floats, and as the rational numbers that those are."""
    total = sum(weights)
    floats = [w / total for w in weights]
    exactly = [Fraction(f) for f in floats]
    whole = sum(exactly)
    return floats, [f / whole for f in exactly]


def places(p, q, lattices, most=24):
    """Slopes y at which something could go wrong: corners, and between them."""
    ratios = [float(a / b) for a, b in zip(p, q, strict=True) if a and b]
    corners = [*ratios, *(float(v) for loss in lattices for v in np.exp(loss.losses))]
    corners = sorted(c for c in corners if 1e-290 < c < 1e290)
    chosen = corners[:: max(1, len(corners) // most)]
    return [Fraction(y) for y in (*chosen, *(c * 1.003 for c in chosen), 1.0)]


def composed(loss, times):
    """The sum of so many independent copies, by direct convolution on the lattice."""
    h = loss.lattice.spacing
    j = np.rint(loss.losses / h).astype(int)
    single = np.zeros(j[-1] - j[0] + 1)
    single[j - j[0]] = loss.masses
    masses = np.ones(1)
    for _ in range(times):
        masses = np.convolve(masses, single)
    losses = (j[0] * times + np.arange(len(masses))) * h
    infinite = 1.0 - (1.0 - loss.infinite) ** times
    return AtomicLoss.part(losses, masses, infinite, Lattice(0.0, h))


# --- outcomes ------------------------------------------------------------------------------------

WEIGHT = st.one_of(st.just(0.0), st.floats(1e-9, 1.0), st.floats(-300.0, 0.0).map(np.exp))


@given(
    st.lists(st.tuples(WEIGHT, WEIGHT), min_size=1, max_size=9),
    st.sampled_from([1.0, 0.3, 0.1, 0.01, 1e-3, 1e-5, 1e-8]),
)
def test_outcomes_lie_between(pairs, spacing):
    if not all(sum(side) > 0 for side in zip(*pairs, strict=True)):
        return
    (p, exact_p), (q, exact_q) = (fractions(side) for side in zip(*pairs, strict=True))
    pair = pair_on_lattice(p, q, spacing=spacing)
    for (lower, upper), a, b in (
        (pair.forward, exact_p, exact_q),
        (pair.backward, exact_q, exact_p),
    ):
        for loss in (lower, upper):
            assert loss.masses.sum() + loss.infinite == pytest.approx(1.0, abs=1e-12)
            assert loss.reverse_masses.sum() + loss.reverse_infinite == pytest.approx(
                1.0, abs=1e-12
            )
            assert np.all(loss.masses > 0.0)
        assert all(inside(lower, upper, a, b, y) for y in places(a, b, (lower, upper)))


@pytest.mark.parametrize("spacing", [0.5, 0.1, 0.02])
@pytest.mark.parametrize(
    ("p", "q"),
    [
        ([3, 1, 1, 0], [1, 2, 1, 1]),
        ([5, 4, 3, 2, 1], [1, 2, 3, 4, 5]),
        ([1, 10, 100, 1000, 100, 10], [1, 1, 10, 100, 1000, 100]),
    ],
)
def test_compositions_lie_between(p, q, spacing):
    (floats_p, p), (floats_q, q) = fractions(p), fractions(q)
    pair = pair_on_lattice(floats_p, floats_q, spacing=spacing)
    for times in (1, 2, 3, 4):
        chosen = list(product(range(len(p)), repeat=times))
        a, b = merged(*([prod(side[i] for i in c) for c in chosen] for side in (p, q)))
        for direction, left, right in ((pair.forward, a, b), (pair.backward, b, a)):
            lower, upper = (composed(loss, times) for loss in direction)
            some = places(left, right, (lower, upper), 6)
            assert all(inside(lower, upper, left, right, y, times) for y in some)


def merged(p, q):
    """Outcomes of the same ratio together."""
    sums = {}
    for a, b in zip(p, q, strict=True):
        old = sums.get(a / b if b else None, (0, 0))
        sums[a / b if b else None] = (old[0] + a, old[1] + b)
    return zip(*sums.values(), strict=True)


def test_a_pair_on_the_lattice_is_kept():
    p, q = (
        np.array([np.e**0.5, 1.0]) / (1 + np.e**0.5),
        np.array([1.0, np.e**0.5]) / (1 + np.e**0.5),
    )
    lower, upper = pair_on_lattice(p, q, spacing=0.5 / 7).forward
    for loss in (lower, upper):
        np.testing.assert_allclose(loss.losses, [-0.5, 0.5], rtol=1e-15)
        np.testing.assert_allclose(loss.masses, p[::-1], rtol=1e-15)


@pytest.mark.parametrize(
    ("p", "q", "lower", "infinite"),
    [
        ([1.0, 0.0], [0.0, 1.0], [], 1.0),  # never confused
        ([0.5, 0.5], [0.5, 0.5], [0.0], 0.0),
        ([0.5, 0.5, 0.0], [0.0, 0.25, 0.75], [0.6], 0.5),
        ([0.1, 0.9], [0.0, 1.0], [-0.1], 1.0 - np.exp(-0.1)),
    ],
)
def test_what_only_one_can_produce(p, q, lower, infinite):
    loss = pair_on_lattice(p, q, spacing=0.1).forward[0]
    np.testing.assert_allclose(loss.losses, lower, atol=1e-12)
    assert loss.infinite == pytest.approx(infinite, abs=1e-12)


@pytest.mark.parametrize(
    ("p", "q"), [([1e-300, 1.0], [1.0, 1e-300]), ([1e-310, 1.0], [1.0, 1e-310])]
)
def test_hardly_floats(p, q):
    pair = pair_on_lattice(p, q, spacing=0.1)
    for lower, upper in (pair.forward, pair.backward):
        assert 1.0 - 1e-5 <= of_points(lower, mpmath.exp(600)) <= 1.0
        assert of_points(upper, mpmath.exp(650)) == pytest.approx(1.0, abs=1e-12)


def discrete_gaussian(sigma, shift=0):
    x = np.arange(-60, 61)
    mass = np.exp(-((x - shift) ** 2) / (2.0 * sigma * sigma))
    return mass / mass.sum()


def widths(make, spacings, times=1):
    """Largest difference of delta between the two sides, for each spacing."""
    found = []
    for h in spacings:
        lower, upper = (composed(loss, times) for loss in make(h).forward)
        x = np.linspace(0.0, 2.0, 9)
        found.append(max(deltas(upper, x) - deltas(lower, x)))
    return np.array(found)


def deltas(loss, x):
    gain = -np.expm1(np.minimum(x - loss.losses[:, None], 0.0))
    return (loss.masses[:, None] * gain).sum(axis=0) + loss.infinite


def test_second_order_for_outcomes_on_half_the_lattice():
    # losses (2 k + 1) / (2 sigma^2): multiples of every spacing here, or half-way between two
    p, q = discrete_gaussian(3.0), discrete_gaussian(3.0, 1)
    lower, upper = pair_on_lattice(p, q, spacing=1.0 / 18.0).forward
    np.testing.assert_allclose(deltas(lower, np.zeros(1)), deltas(upper, np.zeros(1)), rtol=1e-12)


# --- densities -----------------------------------------------------------------------------------


def normal(mean, sigma):
    return lambda x: -((x - mean) ** 2) / (2 * sigma**2) - np.log(sigma * np.sqrt(2 * np.pi))


def gaussian(mu, spacing, **more):
    ends = [-np.inf, mu / 2, np.inf]
    return between(normal(mu, 1.0), normal(0.0, 1.0), ends, spacing=spacing, **more)


def laplace(scale, spacing, **more):
    def log_density(mean):
        return lambda x: -np.abs(x - mean) / scale - np.log(2 * scale)

    ends = [-np.inf, 0.0, 1.0, np.inf]
    return between(log_density(1.0), log_density(0.0), ends, spacing=spacing, **more)


def subsampled(rate, sigma, spacing, **more):
    def loss(x):
        t = (2 * x - 1) / (2 * sigma * sigma)
        near = np.log1p(rate * np.expm1(np.minimum(t, 1.0)))
        return np.where(t > 1.0, np.logaddexp(np.log1p(-rate), t + np.log(rate)), near)

    base = normal(0.0, sigma)
    ends = [-np.inf, 0.5, np.inf]
    return between(lambda x: base(x) + loss(x), base, ends, spacing=spacing, loss=loss, **more)


def gaussian_delta(mu, x):
    mu, x = mpmath.mpf(mu), mpmath.mpf(x)
    return mpmath.ncdf(mu / 2 - x / mu) - mpmath.exp(x) * mpmath.ncdf(-mu / 2 - x / mu)


def summed(loss, x):
    """delta of a point loss at x, in long doubles: nothing cancels."""
    over = np.minimum(np.longdouble(x) - loss.losses.astype(np.longdouble), 0)
    return (loss.masses * -np.expm1(over)).sum() + np.longdouble(loss.infinite)


def encloses(direction, x, true, relative=1e-12):
    """Lower <= true <= upper at x, where x and delta may move by a relative error."""
    low, high = (mpmath.mpf(str(summed(loss, x))) for loss in direction)
    return low <= true * (1 + relative) + 1e-290 and true * (1 - relative) <= high + 1e-290


@pytest.mark.parametrize("mu", [0.02, 1.0, 6.0])
@pytest.mark.parametrize("spacing", [0.5, 0.01, 0.002])
def test_gaussian(mu, spacing):
    pair = gaussian(mu, spacing, negligible=1e-290)
    for x in (0.0, 0.003, 0.1, 1.0, 7.77, 30.0):
        true = gaussian_delta(mu, x)
        assert encloses(pair.forward, x, true, 1e-10)
        assert encloses(pair.backward, x, true, 1e-10)


@pytest.mark.parametrize("negligible", [1e-3, 1e-12])
def test_gaussian_with_ends_cut_off(negligible):
    pair = gaussian(1.0, 0.01, negligible=negligible)
    for x in (0.0, 0.1, 1.0, 7.77):
        assert encloses(pair.forward, x, gaussian_delta(1.0, x))
        assert encloses(pair.backward, x, gaussian_delta(1.0, x))
    assert 0.0 < pair.forward[1].infinite < 2 * negligible


@pytest.mark.parametrize("times", [2, 5])
def test_gaussian_composed(times):
    pair = gaussian(0.7, 0.01, negligible=1e-30)
    direction = [composed(loss, times) for loss in pair.forward]
    for x in (0.0, 0.5, 2.0, 5.0):
        assert encloses(direction, x, gaussian_delta(0.7 * times**0.5, x), 1e-10)


@pytest.mark.parametrize("parts", [1, 7, 100])
def test_laplace(parts):
    pair = laplace(2.0, 0.5 / parts)
    for x in (0.0, 0.1, 0.23, 0.4999):
        true = -mpmath.expm1((mpmath.mpf(x) - 0.5) / 2)
        assert encloses(pair.forward, x, true)
        assert encloses(pair.backward, x, true)
    lower, upper = pair.forward
    assert lower.support == upper.support == (-0.5, 0.5)
    assert lower.masses[-1] == pytest.approx(0.5, rel=1e-14)


def test_laplace_off_the_lattice():
    # the atoms at the ends cannot be kept; the sides still hold
    pair = laplace(2.0, 0.013)
    for x in (0.0, 0.1, 0.23, 0.4999):
        assert encloses(pair.forward, x, -mpmath.expm1((mpmath.mpf(x) - 0.5) / 2))


@pytest.mark.parametrize("spacing", [0.013, 0.00999, 0.5 / (50.0 - 1e-9), 0.5 / (50.0 + 1e-9)])
def test_off_the_lattice_the_lower_side_loses_no_more_than_the_spacing(spacing):
    lower, upper = laplace(2.0, spacing).forward
    for x in (0.0, 0.1, 0.23, 0.4):
        true = -np.expm1((x - 0.5) / 2)
        assert true - spacing <= summed(lower, x) <= summed(upper, x) <= true + spacing**2


def test_noise_that_is_the_same_both_ways_has_one_loss():
    for pair in (laplace(2.0, 0.01), gaussian(0.7, 0.01)):
        assert pair.symmetric and RELATIVE_ERROR <= pair.relative_error <= 1e-11
    assert not subsampled(0.1, 0.8, 0.02).symmetric


@pytest.mark.parametrize(("rate", "sigma"), [(0.01, 1.0), (0.5, 0.6), (1e-6, 2.0)])
@pytest.mark.parametrize("spacing", [0.1, 0.003])
def test_subsampled_gaussian(rate, sigma, spacing):
    pair = subsampled(rate, sigma, spacing)
    rate, sigma = mpmath.mpf(rate), mpmath.mpf(sigma)

    def tail(x):
        return mpmath.ncdf(-x)

    def where(loss):  # the outcome of that loss
        return sigma**2 * mpmath.log((mpmath.exp(loss) - 1 + rate) / rate) + mpmath.mpf(1) / 2

    for x in (0.0, 1e-7, 0.02, 0.7, 3.0):
        at, y = where(mpmath.mpf(x)), mpmath.exp(mpmath.mpf(x))
        p = (1 - rate) * tail(at / sigma) + rate * tail((at - 1) / sigma)
        assert encloses(pair.forward, x, p - y * tail(at / sigma), 1e-9)
        if mpmath.exp(-x) > 1 - rate:
            at = where(-mpmath.mpf(x))
            p = (1 - rate) * (1 - tail(at / sigma)) + rate * (1 - tail((at - 1) / sigma))
            assert encloses(pair.backward, x, 1 - tail(at / sigma) - y * p, 1e-9)
        else:
            assert encloses(pair.backward, x, mpmath.mpf(0), 1e-9)


def swapped(pair):
    return LossPair(pair.backward, pair.forward)


@pytest.mark.parametrize(
    "make",
    [
        lambda h: laplace(1.0, h),
        lambda h: gaussian(0.8, h, negligible=1e-40),
        lambda h: subsampled(0.2, 0.9, h, negligible=1e-40),
        lambda h: swapped(subsampled(0.2, 0.9, h, negligible=1e-40)),
    ],
    ids=["Laplace", "Gaussian", "subsampled", "subsampled, other way"],
)
@pytest.mark.parametrize("times", [1, 3])
def test_second_order(make, times):
    found = widths(make, (0.02, 0.01, 0.005), times)
    assert np.all(found > 0.0)
    np.testing.assert_allclose(found[:-1] / found[1:], 4.0, rtol=0.2)


def test_a_thousandfold_narrower_than_buckets():
    # dp_accounting 0.6, optimistic and pessimistic, epsilon at delta = 1e-5 of 1000 x Laplace(10)
    others = (17.421296165087448, 17.423652085648868)
    h, times, size = 1e-4, 1000, 2**20
    found = []
    for loss in laplace(10.0, h, negligible=1e-40).forward:
        j = np.rint(loss.losses / h).astype(int)
        spectrum = np.fft.rfft(np.bincount(j % size, loss.masses, size)) ** times
        masses = np.maximum(np.roll(np.fft.irfft(spectrum, size), size // 2), 0.0)
        losses = (np.arange(size) - size // 2) * h
        above = np.cumsum(masses[::-1])[::-1]
        under_q = np.cumsum((masses * np.exp(-np.maximum(losses, -50.0)))[::-1])[::-1]
        i = int(np.flatnonzero(above - np.exp(np.minimum(losses, 60.0)) * under_q <= 1e-5)[0])
        found.append(float(np.log((above[i] - 1e-5) / under_q[i])))
    lower, upper = found
    assert others[0] < lower < upper < others[1]
    assert 1000 * (upper - lower) < others[1] - others[0]


def test_equal_distributions():
    lower, upper = gaussian(0.0, 0.1).forward
    assert lower.losses.tolist() == upper.losses.tolist() == [0.0]
    assert upper.infinite < 1e-100


def test_far_apart():
    pair = gaussian(100.0, 0.1)
    assert pair.forward[0].infinite == pytest.approx(1.0)


def uniform(low, high):
    return lambda x: np.where((x > low) & (x < high), -np.log(high - low), -np.inf)


def test_impossible_pieces():
    ends = [0.0, 0.5, 1.0, 1.5]
    pair = between(uniform(0.0, 1.0), uniform(0.5, 1.5), ends, spacing=0.1)
    for loss in (*pair.forward, *pair.backward):
        assert loss.losses.tolist() == [0.0]
        assert loss.infinite == pytest.approx(0.5, rel=1e-14)
        assert loss.reverse_infinite == pytest.approx(0.5, rel=1e-14)


def test_unbounded_loss_at_a_finite_end():
    # densities 2 x and 2 (1 - x): delta(x) = (1 - t)^2 ... in closed form
    ends = [0.0, 0.5, 1.0]
    pair = between(lambda x: np.log(2 * x), lambda x: np.log(2 - 2 * x), ends, spacing=0.01)
    for x in (0.0, 1.0, 10.0):
        y = mpmath.exp(mpmath.mpf(x))
        at = y / (1 + y)
        true = 1 - at**2 - y * (1 - at) ** 2
        assert encloses(pair.forward, x, true, 1e-9)
        assert encloses(pair.backward, x, true, 1e-9)


# --- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        {"breaks": [0.0]},
        {"breaks": [1.0, 0.0]},
        {"breaks": [-np.inf, np.inf]},
        {"breaks": [-np.inf, 0.5, np.nan]},
        {"spacing": 0.0},
        {"spacing": 1e-9},  # too many points
        {"negligible": 0.0},
        {"log_density_p": lambda x: x * np.nan},
        {"log_density_p": lambda x: -np.abs(x)},  # does not integrate to one
        {"log_density_p": lambda x: -np.log(np.pi * (1 + x * x))},  # heavy tails
        {"log_density_p": normal(0.0, 2.0), "breaks": [-np.inf, 0.7, np.inf]},  # turns at 0
        {"log_density_p": lambda x: -np.abs(x - 1.3) - np.log(2)},  # not smooth
        {"loss": lambda x: np.full_like(x, np.inf)},
    ],
)
def test_refused(arguments):
    usual = {
        "log_density_p": normal(1.0, 1.0),
        "log_density_q": normal(0.0, 1.0),
        "breaks": [-np.inf, 0.5, np.inf],
        "spacing": 0.01,
    }
    given_ = usual | arguments
    with pytest.raises(InvalidInput):
        between(given_.pop("log_density_p"), given_.pop("log_density_q"), **given_)


STRONG = (  # the first two were found by the sweep: their lower ends were too large
    (0.079, 0.018021583181208084),
    (0.07173141631499487, 0.9999882347534491),
    (0.079, 0.3),
    (0.05, 0.01),
)


@pytest.mark.parametrize(("sigma", "rate"), STRONG)
def test_almost_no_noise_on_a_sample(sigma, rate):
    """Most of the loss is next to its least value, but not all of what is next to it is on it."""
    both = SubsampledGaussian(sigma, 1.0, rate, neighbors="add-remove").loss()._profiles
    top = -math.log1p(-rate)
    for t in (0.0, 1e-6, top / 2.0, top * 0.99, 2.0):
        with mp.workdps(50):
            mu, q, e = 1 / mp.mpf(sigma), mp.mpf(rate), mp.exp(mp.mpf(t))
            x = mp.log1p(mp.expm1(mp.mpf(t)) / q) / mu + mu / 2
            removed = (1 - q) * mp.ncdf(-x) + q * mp.ncdf(mu - x) - e * mp.ncdf(-x)
            added, share = mp.mpf(0), (1 / e - 1 + q) / q
            if share > 0:
                x = mp.log(share) / mu + mu / 2
                added = mp.ncdf(x) - e * ((1 - q) * mp.ncdf(x) + q * mp.ncdf(x - mu))
        for profile, truth in zip(both, (removed, added), strict=True):
            (low,), (high,) = profile.delta(np.array([t]))
            assert low <= truth <= high
            assert high - low <= 2e-11
