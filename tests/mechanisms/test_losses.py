"""Losses, divergences and noise of the mechanisms against their own probabilities."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import mpmath as mp
import numpy as np
import pytest
from scipy import integrate, stats

from dprisk.accountant.profiles import add_up
from dprisk.errors import InvalidInput, OutOfRange
from dprisk.guarantees import GaussianDP, PureDP
from dprisk.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    PairOfDensities,
    PairOfDistributions,
    RandomizedResponse,
    SampleRelease,
    SubsampledGaussian,
    SubsampledLaplace,
    VectorGaussian,
)

ADD: Any = {"neighbors": "add-remove"}
REPLACE: Any = {"neighbors": "replace-one"}
EPSILONS = np.array([0.0, 0.01, 0.3, 0.7, 1.5, 4.0])
ORDERS = [1.001, 1.5, 2.0, 7.0, 40.0]


def response_table(epsilon, categories):
    truth = math.exp(epsilon) / (math.exp(epsilon) + categories - 1)
    other = (1.0 - truth) / (categories - 1)
    p = np.full(categories, other)
    q = p.copy()
    p[0] = q[1] = truth
    return p, q


def shifted_table(log_weight, shift, reach=400):
    """Probabilities of noise, and of noise on a count that is some steps away."""
    k = np.arange(-reach, reach + 1)
    p, q = np.exp(log_weight(k)), np.exp(log_weight(k - shift))
    return p / p.sum(), q / q.sum()


def gaussian_table(sigma, shift):
    return shifted_table(lambda k: -(k**2) / (2 * sigma**2), shift, int(12 * sigma) + 20 + shift)


TABLES = [
    (RandomizedResponse(0.8, **ADD), response_table(0.8, 2)),
    (RandomizedResponse(1.3, 5, **ADD), response_table(1.3, 5)),
    (Geometric(2.0, 1, **ADD), shifted_table(lambda k: -np.abs(k) / 2.0, 1)),
    (Geometric(3.0, 5, **ADD), shifted_table(lambda k: -np.abs(k) / 3.0, 5)),
    (DiscreteGaussian(0.3, 1, **ADD), gaussian_table(0.3, 1)),
    (DiscreteGaussian(1.7, 3, **ADD), gaussian_table(1.7, 3)),
    (DiscreteGaussian(9.0, 2, **ADD), gaussian_table(9.0, 2)),
    (
        PairOfDistributions([0.5, 0.3, 0.2], [0.1, 0.3, 0.6], **ADD),
        ([0.5, 0.3, 0.2], [0.1, 0.3, 0.6]),
    ),
]
NAMES = [f"{type(mechanism).__name__}-{i}" for i, (mechanism, _) in enumerate(TABLES)]


def log_moment(p, q, s):
    both = (p > 0) & (q > 0)
    return np.log(np.sum(np.exp((1 + s) * np.log(p[both]) - s * np.log(q[both]))))


def delta(p, q, epsilon):
    return np.maximum(p - np.exp(epsilon) * q, 0.0).sum()


def profile(loss, epsilon):
    """Of a loss with finitely many values."""
    above = loss.losses > epsilon
    gain = -np.expm1(epsilon - loss.losses[above])
    return float((loss.masses[above] * gain).sum()) + loss.infinite


@pytest.mark.parametrize(("mechanism", "table"), TABLES, ids=NAMES)
def test_losses_from_tables(mechanism, table):
    p, q = (np.array(column) for column in table)
    pair = mechanism.losses()
    assert pair.exact
    for s in (0.5, -0.3, 2.0, -1.0, 0.4 + 0.7j):
        for loss, (a, b) in ((pair.forward[0], (p, q)), (pair.backward[0], (q, p))):
            found = loss.log_moment(np.array([s], dtype=complex))[0]
            assert np.exp(found) == pytest.approx(np.exp(log_moment(a, b, s)), rel=1e-9)


@pytest.mark.parametrize(("mechanism", "table"), TABLES, ids=NAMES)
def test_divergences_from_tables(mechanism, table):
    p, q = (np.array(column) for column in table)
    found = mechanism.renyi(ORDERS[1:4])
    true = [max(log_moment(p, q, a - 1), log_moment(q, p, a - 1)) / (a - 1) for a in ORDERS[1:4]]
    assert found == pytest.approx(true, rel=1e-9)
    assert mechanism.renyi(2.0) == found[1]
    assert isinstance(mechanism.renyi(2.0), float)


@pytest.mark.parametrize(
    "mechanism", [Geometric(0.1, 1, **ADD), Geometric(2.0, 3, **ADD), Geometric(30.0, 1, **ADD)]
)
def test_noise_of_geometric(mechanism):
    k = np.arange(-3000, 3001)
    weights = np.exp(-np.abs(k) / mechanism.scale)
    check_noise(mechanism, k, weights)


@pytest.mark.parametrize("sigma", [1e-9, 0.05, 0.2, 0.449, 0.451, 0.8, 1.5, 2.99, 3.01, 40.0])
def test_noise_of_discrete_gaussian(sigma):
    k = np.arange(-1000, 1001)
    with np.errstate(over="ignore"):
        weights = np.exp(-((k / sigma) ** 2) / 2)
    check_noise(DiscreteGaussian(sigma, 1, **ADD), k, weights)


def check_noise(mechanism, k, weights):
    weights = weights / math.fsum(weights)
    variance = math.fsum(weights * k * k)
    assert mechanism.noise_sd == pytest.approx(math.sqrt(variance), rel=1e-12)
    assert mechanism.exact_probability == pytest.approx(weights[k == 0][0], rel=1e-12)


def test_noise_in_closed_form():
    assert Laplace(3.0, 1.0, **ADD).noise_sd == pytest.approx(math.sqrt(18.0))
    assert Gaussian(3.0, 1.0, **ADD).noise_sd == 3.0
    assert SubsampledGaussian(3.0, 1.0, 0.5, **ADD).noise_sd == 3.0
    assert SubsampledLaplace(3.0, 1.0, 0.5, **ADD).noise_sd == pytest.approx(math.sqrt(18.0))
    assert DiscreteGaussian(1e300, 1, **ADD).noise_sd == 1e300
    assert Geometric(5e-324, 1, **ADD).noise_sd == 0.0
    assert Geometric(5e-324, 1, **ADD).exact_probability == 1.0
    for continuous in (Laplace, Gaussian):
        assert continuous(1.0, 1.0, **ADD).exact_probability == 0.0
    response = RandomizedResponse(1.0, 4, **ADD)
    assert response.noise_sd is None
    assert response.exact_probability == pytest.approx(math.e / (math.e + 3))
    assert PairOfDistributions([1.0], [1.0], **ADD).noise_sd is None
    assert PairOfDistributions([1.0], [1.0], **ADD).exact_probability is None


@pytest.mark.parametrize("epsilon", [0.0, 1e-9, 1.0, 40.0, 800.0, 1e9])
@pytest.mark.parametrize("categories", [2, 3, 10**9])
def test_randomized_response_is_symmetric(epsilon, categories):
    pair = RandomizedResponse(epsilon, categories, **REPLACE).losses()
    assert pair.symmetric
    loss = getattr(pair.forward[0], "points", pair.forward[0])
    assert loss.masses.sum() == pytest.approx(1.0)
    assert loss.support[1] == epsilon
    if epsilon:
        steps = (loss.losses - loss.lattice.origin) / loss.lattice.spacing
        assert steps == pytest.approx(np.rint(steps))


def test_geometric_has_one_value_more_than_its_sensitivity():
    pair = Geometric(3.0, 5, **ADD).losses()
    assert pair.symmetric
    assert pair.forward[0].losses == pytest.approx(np.arange(-5, 6, 2) / 3.0)
    assert pair.forward[0].lattice.spacing == 2.0 / 3.0


def subsets(records, size):
    """Probability of every sample of a given size."""
    samples = list(itertools.combinations(records, size))
    return {sample: Fraction(1, len(samples)) for sample in samples}


@pytest.mark.parametrize(("sample", "population"), [(1, 2), (2, 5), (3, 4), (4, 4)])
@pytest.mark.parametrize("neighbors", ["add-remove", "replace-one"])
def test_sample_release_from_its_samples(sample, population, neighbors):
    mechanism = SampleRelease(sample, population, neighbors=neighbors)
    p = subsets(range(population), sample)
    other = range(1, population) if neighbors == "add-remove" else range(1, population + 1)
    q = subsets(other, sample)
    if not q:  # nothing is left to draw from
        q = {"nothing": Fraction(1)}
    outputs = sorted({*p, *q}, key=str)
    forward, backward = ([float(d.get(output, 0)) for output in outputs] for d in (p, q))
    pair = mechanism.losses()
    for epsilon in EPSILONS:
        there, back = np.array(forward), np.array(backward)
        assert profile(pair.forward[1], epsilon) == pytest.approx(delta(there, back, epsilon))
        assert profile(pair.backward[1], epsilon) == pytest.approx(delta(back, there, epsilon))
        stated = mechanism.guarantee().delta(epsilon).value
        assert stated >= max(delta(there, back, epsilon), delta(back, there, epsilon)) - 1e-15
    assert mechanism.exact_probability == sample / population
    assert mechanism.noise_sd is None
    assert mechanism.renyi(2.0) == math.inf


@pytest.mark.parametrize(
    ("p", "q"),
    [
        ([0.5, 0.3, 0.2], [0.1, 0.3, 0.6]),
        ([0.9, 0.1, 0.0], [0.8, 0.1, 0.1]),
        ([1.0, 0.0], [0.0, 1.0]),
        ([0.25] * 4, [0.25] * 4),
        ([0.7, 0.3], [0.7 - 1e-9, 0.3 + 1e-9]),
        ([1.0 - 1e-12, 1e-12, 0.0], [1.0 - 2e-12, 1e-12, 1e-12]),
    ],
)
def test_pair_of_distributions(p, q):
    mechanism = PairOfDistributions(p, q, **REPLACE)
    pair, stated = mechanism.losses(), mechanism.guarantee()
    p, q = np.array(p), np.array(q)
    for epsilon in EPSILONS:
        there, back = delta(p, q, epsilon), delta(q, p, epsilon)
        assert profile(pair.forward[0], epsilon) == pytest.approx(there, abs=1e-15)
        assert profile(pair.backward[0], epsilon) == pytest.approx(back, abs=1e-15)
        assert stated.delta(epsilon).value == pytest.approx(max(there, back), abs=1e-14)


def test_a_mirrored_pair_is_symmetric():
    """To the last bit, so that one direction is worked out, not two."""
    p = np.random.default_rng(3).dirichlet(np.full(300, 0.5))
    assert PairOfDistributions(p, p[::-1], **ADD).losses().symmetric


def test_ratios_of_small_probabilities_are_as_good_as_those_of_large_ones():
    p = np.array([1e-300, 3e-17, 1e-310, 1e-5])
    q = np.array([4e-300, 1e-17, 2.0, 1.5e-5])
    p[-1], q[2] = 1.0 - p[:3].sum(), 1.0 - q[:2].sum() - q[3]
    loss = PairOfDistributions(p, q, **ADD).losses().forward[1]
    exact = sorted(float(mp.log(mp.mpf(a) / mp.mpf(b))) for a, b in zip(p, q, strict=True))
    assert loss.losses.tolist() == pytest.approx(exact, rel=5e-16)


@pytest.mark.parametrize(
    ("p", "q", "name"),
    [
        ([0.5, 0.4], [0.5, 0.5], "p"),
        ([0.5, 0.5], [0.5, 0.5 + 1e-11], "q"),
        ([0.5, 0.5], [0.5, 0.25, 0.25], "q"),
        ([], [], "p"),
        ([[0.5, 0.5]], [0.5, 0.5], "p"),
        ([1.5, -0.5], [0.5, 0.5], "p"),
        ([0.5, 0.5], [math.nan, 0.5], "q"),
        ("half", [0.5, 0.5], "p"),
    ],
)
def test_bad_distributions_are_refused(p, q, name):
    with pytest.raises(InvalidInput, match=f"^{name} must be") as caught:
        PairOfDistributions(p, q, **ADD)
    assert caught.value.name == name


def test_vector_gaussian_is_the_gaussian_along_the_difference():
    rng = np.random.default_rng(5)
    for size in (1, 2, 6):
        root = rng.normal(size=(size, size + 2))
        covariance, difference = root @ root.T, rng.normal(size=size)
        mechanism = VectorGaussian(covariance, difference, **ADD)
        mu = math.sqrt(difference @ np.linalg.inv(covariance) @ difference)
        assert mechanism.mu == pytest.approx(mu, rel=1e-9)
        assert mechanism.guarantee() == GaussianDP(mechanism.mu, **ADD)
        assert mechanism.renyi(3.0) == pytest.approx(1.5 * mu * mu)
    independent = VectorGaussian([[4.0, 0.0], [0.0, 4.0]], [2.0, 0.0], **ADD)
    assert (independent.mu, independent.noise_sd) == (1.0, 2.0)
    assert independent.exact_probability == 0.0
    assert VectorGaussian([[4.0, 0.0], [0.0, 1.0]], [2.0, 0.0], **ADD).noise_sd is None
    assert VectorGaussian([[4.0]], [0.0], **ADD).losses().forward[0].support == (0.0, 0.0)
    scaled = VectorGaussian([[1e-300, 0.0], [0.0, 1e300]], [1e-150, 1e150], **ADD)
    assert scaled.mu == pytest.approx(math.sqrt(2.0))


@pytest.mark.parametrize(
    ("covariance", "difference", "name"),
    [
        ([[1.0, 0.5], [0.4, 1.0]], [1.0, 0.0], "covariance"),
        ([[1.0, 1.0], [1.0, 1.0]], [1.0, 0.0], "covariance"),
        ([[1.0, 2.0], [2.0, 1.0]], [1.0, 0.0], "covariance"),
        ([[0.0, 0.0], [0.0, 1.0]], [1.0, 0.0], "covariance"),
        ([[1.0]], [1.0, 0.0], "covariance"),
        ([[math.nan]], [1.0], "covariance"),
        ([[1.0]], [math.inf], "difference"),
        ([[1.0]], 1.0, "difference"),
        ([[1.0]], [], "difference"),
    ],
)
def test_bad_covariances_are_refused(covariance, difference, name):
    with pytest.raises(InvalidInput, match=f"^{name} must be"):
        VectorGaussian(covariance, difference, **ADD)


@pytest.mark.parametrize(
    ("mechanism", "name"),
    [
        (Laplace(1e-300, 1e300, **ADD), "sensitivity / scale"),
        (Geometric(1e-300, 1, **ADD), "sensitivity / scale"),
        (Geometric(1.0, 2 * 10**6, **ADD), "sensitivity"),
        (Gaussian(1e-300, 1e300, **ADD), "sensitivity / sigma"),
        (DiscreteGaussian(1e-200, 1, **ADD), "sensitivity / sigma"),
        (RandomizedResponse(1e10, **ADD), "epsilon"),
        (SubsampledGaussian(1e-300, 1e300, 0.1, **ADD), "sensitivity / sigma"),
        (SubsampledLaplace(1e-300, 1e300, 0.1, **ADD), "sensitivity / scale"),
    ],
)
def test_no_noise_to_speak_of_has_no_loss(mechanism, name):
    with pytest.raises(OutOfRange, match=f"^{name} must be") as caught:
        mechanism.losses()
    assert "\n" not in str(caught.value)
    with pytest.raises(OutOfRange, match=f"^{name} must be"):
        mechanism.renyi(2.0)


@pytest.mark.parametrize("cls", [SubsampledGaussian, SubsampledLaplace])
def test_too_many_lattice_points_are_refused(cls):
    with pytest.raises(OutOfRange, match=r"^sensitivity / .* must be a number in \[0, 10000\]"):
        cls(1.0, 2e4, 0.1, **ADD).losses()
    assert cls(1.0, 2e4, 0.1, **ADD).renyi(2.0) > 1e4


@pytest.mark.parametrize("alpha", [1.0, 0.5, -1.0, math.nan, math.inf, 1e10, "2", None])
def test_bad_orders_are_refused(alpha):
    with pytest.raises(OutOfRange, match=r"^alpha must be"):
        Gaussian(1.0, 1.0, **ADD).renyi(alpha)


@pytest.mark.parametrize("scale", [0.1, 1.0, 25.0])
def test_divergence_of_laplace(scale):
    """Mironov 2017, Proposition 6."""
    for a in ORDERS:
        inside = (a * mp.exp((a - 1) / mp.mpf(scale)) + (a - 1) * mp.exp(-a / mp.mpf(scale))) / (
            2 * mp.mpf(a) - 1
        )
        true = float(mp.log(inside) / (mp.mpf(a) - 1))
        assert Laplace(scale, 1.0, **ADD).renyi(a) == pytest.approx(true, rel=1e-9)


# --- a part of the records -----------------------------------------------------------------------


def mixture_divergence(mu, rate, order):
    """Mironov, Talwar, Zhang 2019, Section 3.3, in fifty digits."""
    with mp.workdps(50):
        mu, q = mp.mpf(mu), mp.mpf(rate)
        terms = [
            mp.binomial(order, k) * (1 - q) ** (order - k) * q**k * mp.exp((k * k - k) * mu**2 / 2)
            for k in range(order + 1)
        ]
        return float(mp.log(mp.fsum(terms)) / (order - 1))


@pytest.mark.parametrize("mu", [1e-3, 0.2, 1.0, 3.0, 10.0])
@pytest.mark.parametrize("rate", [1e-5, 0.01, 0.5, 0.99])
def test_divergence_of_subsampled_gaussian(mu, rate):
    mechanism = SubsampledGaussian(1.0, mu, rate, **ADD)
    for order in (2, 3, 10, 64, 200):
        true = mixture_divergence(mu, rate, order)
        assert mechanism.renyi(order) == pytest.approx(true, rel=1e-12)
    stated = mechanism.guarantee()
    assert stated.gamma[stated.alpha.index(10.0)] == mechanism.renyi(10.0)


def test_divergence_between_whole_orders():
    mechanism = SubsampledGaussian(1.0, 1.0, 0.01, **ADD)
    with mp.workdps(30):
        for order in (1.0001, 1.5, 3.7):
            mean = mp.quad(
                lambda x, a=order: mp.npdf(x) * (1 + (mp.exp(x - 0.5) - 1) / 100) ** a,
                list(range(-16, 21, 2)),
            )
            true = float(mp.log(mean) / (mp.mpf(order) - 1))
            assert mechanism.renyi(order) == pytest.approx(true, rel=1e-9)


@pytest.mark.parametrize("ratio", [1e-3, 0.2, 1.0, 20.0])
@pytest.mark.parametrize("rate", [1e-5, 0.01, 0.5])
def test_divergence_of_subsampled_laplace(ratio, rate):
    mechanism = SubsampledLaplace(1.0, ratio, rate, **ADD)
    with mp.workdps(30):
        c, q = mp.mpf(ratio), mp.mpf(rate)

        def mixed(y):
            return 1 - q + q * mp.exp(y)

        for order in (1.5, 2.0, 64.0):
            means = [
                mixed(-c) ** e / 2
                + mp.exp(-c) * mixed(c) ** e / 2
                + mp.quad(
                    lambda y, e=e: mp.exp(-(y + c) / 2) * mixed(y) ** e / 4, mp.linspace(-c, c, 21)
                )
                for e in (mp.mpf(order), 1 - mp.mpf(order))
            ]
            true = float(mp.log(max(means)) / (mp.mpf(order) - 1))
            assert mechanism.renyi(order) == pytest.approx(true, rel=1e-10)
    largest = mechanism.guarantee().parameters["epsilon"]
    assert largest == pytest.approx(math.log1p(rate * math.expm1(ratio)))
    assert mechanism.renyi(1e9) <= largest * (1 + 1e-9)


def test_divergences_far_out():
    strong = SubsampledLaplace(1.0, 1e9, 0.1, **ADD)
    assert strong.renyi(2.0) == pytest.approx(1e9, rel=1e-6)
    assert SubsampledGaussian(1.0, 1e9, 0.1, **ADD).renyi(1e9) == pytest.approx(5e26)
    assert SubsampledLaplace(1e8, 1.0, 0.1, **ADD).renyi(2.0) == pytest.approx(1e-18, rel=1e-6)
    assert SubsampledGaussian(1e8, 1.0, 0.1, **ADD).renyi(2.0) == pytest.approx(1e-18, rel=1e-6)


def mixture_delta(noise, shift, rate, epsilon, reverse):
    """Privacy profile of a mixture, by adaptive quadrature."""

    def excess(x):
        q, p = noise.pdf(x), (1 - rate) * noise.pdf(x) + rate * noise.pdf(x - shift)
        first, second = (q, p) if reverse else (p, q)
        return max(first - math.exp(epsilon) * second, 0.0)

    ends = [-40.0, 0.0, shift / 2, shift, shift + 40.0]
    return sum(
        integrate.quad(excess, a, b, limit=400, epsabs=1e-13)[0]
        for a, b in itertools.pairwise(ends)
    )


@pytest.mark.parametrize(
    ("mechanism", "noise", "shift"),
    [
        (SubsampledGaussian(1.0, 1.0, 0.1, **ADD), stats.norm, 1.0),
        (SubsampledGaussian(2.0, 1.0, 0.5, **ADD), stats.norm, 0.5),
        (SubsampledLaplace(1.0, 1.0, 0.1, **ADD), stats.laplace, 1.0),
        (SubsampledLaplace(1.0, 0.5, 0.9, **ADD), stats.laplace, 0.5),
    ],
)
def test_subsampled_losses_lie_around_the_profile(mechanism, noise, shift):
    pair = mechanism.losses()
    for reverse, (lower, upper) in enumerate((pair.forward, pair.backward)):
        for epsilon in (0.0, 0.02, 0.05, 0.2):
            true = mixture_delta(noise, shift, mechanism.rate, epsilon, bool(reverse))
            if noise is stats.norm:
                (low,), (high,) = add_up(((lower, 1),), 1e-9).delta(np.array([epsilon]))
            else:
                low, high = profile(lower, epsilon), profile(upper, epsilon)
            assert low - 1e-10 <= true <= high + 1e-10
            assert high - true <= 1e-4 * true + 1e-8
            if noise is stats.norm:  # the ends of the other have atoms
                assert true - low <= 1e-4 * true + 1e-8


@pytest.mark.parametrize(
    ("sigma", "rate"), [(1.0, 1e-4), (0.05, 0.1), (30.0, 0.01), (1.0, 0.999999), (0.3, 0.9)]
)
def test_subsampled_losses_exist(sigma, rate):
    for cls in (SubsampledGaussian, SubsampledLaplace):
        pair = cls(sigma, 1.0, rate, **ADD).losses()
        for loss in (*pair.forward, *pair.backward):
            finite = np.exp(loss.log_moment(np.zeros(1, dtype=complex)).real[0])
            assert finite + loss.infinite == pytest.approx(1.0)


def test_everybody_takes_part():
    gaussian, laplace = Gaussian(2.0, 1.0, **ADD), Laplace(2.0, 1.0, **ADD)
    assert SubsampledGaussian(2.0, 1.0, 1.0, **ADD).losses() == gaussian.losses()
    assert SubsampledLaplace(2.0, 1.0, 1.0, **ADD).losses() == laplace.losses()
    assert SubsampledGaussian(2.0, 1.0, 1.0, **ADD).renyi(3.0) == gaussian.renyi(3.0)
    assert SubsampledLaplace(2.0, 1.0, 1.0, **ADD).renyi(3.0) == laplace.renyi(3.0)


# --- any densities -------------------------------------------------------------------------------


def laplace_pair(spacing=0.005):
    def log_density(x):
        return -np.abs(x) - math.log(2.0)

    return PairOfDensities(
        lambda x: log_density(x - 1.0), log_density, [-np.inf, 0.0, 1.0, np.inf], spacing, **ADD
    )


def test_densities_of_laplace_noise():
    pair, exact = laplace_pair(), PureDP(1.0, **ADD)
    stated = pair.guarantee()
    for epsilon in (0.0, 0.3, 0.9, 0.99):
        true = max(0.0, -math.expm1((epsilon - 1.0) / 2.0))  # of Laplace noise
        assert true <= stated.delta(epsilon).value <= true + 1e-4
        assert stated.delta(epsilon).value <= exact.delta(epsilon).value + 1e-4
    assert pair.losses().forward[0].support == pytest.approx((-1.0, 1.0), abs=1e-9)
    assert pair.exact_probability == 0.0
    assert pair.noise_sd is None


def test_bad_densities_are_refused():
    with pytest.raises(OutOfRange, match=r"^spacing must be"):
        laplace_pair(0.0)
    half = PairOfDensities(
        lambda x: -np.abs(x), lambda x: -np.abs(x), [-np.inf, 0.0, np.inf], 0.01, **ADD
    )
    with pytest.raises(InvalidInput):
        half.losses()
