"""Moments of single losses against sixty digits, and what they state about themselves."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

from dprisk import ZeroConcentratedDP
from dprisk.composition.composing import dominating
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import Lattice
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.losses.laplace import LaplaceLoss
from dprisk.losses.normal import NormalLoss
from tests.losses.typed import LISTS, loss_of

SAFETY = 4.0  # how far the stated rounding must stay above what is seen


@pytest.fixture(autouse=True)
def many_digits():
    with mp.workdps(60):
        yield


def normal(loss, s):
    return mp.mpf(loss.mu) ** 2 * s * (s + 1) / 2


def laplace(loss, s):
    """From the two atoms and the density between them."""
    c = mp.mpf(loss.ratio)
    u = s + mp.mpf(1) / 2
    between = mp.sinh(u * c) / (2 * u) if u else c / 2
    return mp.log(mp.exp(-c / 2) * (mp.cosh(u * c) + between))


def discrete_gaussian(loss, s):
    """From the probabilities themselves, around the largest term."""
    variance, step = mp.mpf(loss.sigma) ** 2, loss.sensitivity
    reach = int(12 * loss.sigma) + 25
    middle = int(mp.nint(step * mp.re(s)))
    terms = [
        mp.exp(s * (2 * step * k + step * step) / (2 * variance) - k * k / (2 * variance))
        for k in range(middle - reach, middle + reach + 1)
    ]
    total = mp.fsum(mp.exp(-k * k / (2 * variance)) for k in range(-reach, reach + 1))
    return mp.log(mp.fsum(terms) / total)


def wide_discrete_gaussian(loss, s):
    """From Poisson's summation, where the probabilities are too many."""
    variance, step = mp.mpf(loss.sigma) ** 2, loss.sensitivity
    middle = int(mp.nint(-step * mp.im(s) / (2 * mp.pi * variance)))
    exponents = [
        2j * mp.pi * m * step * s - 2 * mp.pi**2 * variance * m * m
        for m in range(middle - 1, middle + 2)
    ]
    largest = max(mp.re(e) for e in exponents)
    total = mp.fsum(mp.exp(e - largest) for e in exponents if mp.re(e) > largest - 500)
    return step**2 * s * (s + 1) / (2 * variance) + largest + mp.log(total)


def points(exact):
    return lambda loss, s: mp.log(mp.fsum(p * mp.exp(s * value) for value, p in exact))


def response(epsilon, categories):
    """Randomized response: as computed, and exactly."""
    e, others = mp.mpf(epsilon), categories - 1
    weight = mp.exp(e) + others
    exact = [(e, mp.exp(e) / weight), (mp.mpf(0), (others - 1) / weight), (-e, 1 / weight)]
    return AtomicLoss.part(*floats(exact)), points(exact)


def geometric(scale, sensitivity):
    scale = mp.mpf(scale)
    a = mp.exp(-1 / scale)
    exact = [(sensitivity / scale, 1 / (1 + a)), (-sensitivity / scale, a**sensitivity / (1 + a))]
    for j in range(1, sensitivity):
        exact.append(((sensitivity - 2 * j) / scale, (1 - a) / (1 + a) * a**j))
    return AtomicLoss.part(*floats(exact)), points(exact)


def leaking():
    """Some outputs are impossible under one of the two."""
    exact = [(mp.log(mp.mpf(9) / 8), mp.mpf("0.9")), (mp.mpf(0), mp.mpf("0.05"))]
    loss = AtomicLoss.part(*floats(exact), infinite=0.05, reverse_infinite=0.15)
    return loss, points(exact)


def floats(exact):
    return [float(value) for value, _ in exact], [float(p) for _, p in exact]


with mp.workdps(60):
    CASES = [
        *((NormalLoss(mu), normal) for mu in (1e-6, 1.0, 30.0)),
        *((LaplaceLoss(c), laplace) for c in (1e-8, 1e-3, 0.3, 1.0, 4.9, 5.1, 40.0, 700.0)),
        *(
            (DiscreteGaussianLoss(sigma, step), discrete_gaussian)
            for sigma in (0.1, 0.2, 0.44, 0.46, 1.0, 3.0)
            for step in (1, 2, 7)
        ),
        *(
            (DiscreteGaussianLoss(sigma, step), wide_discrete_gaussian)
            for sigma in (30.0, 1e3, 1e6)
            for step in (1, 1000, 10**6)
        ),
        *(response(e, k) for e in (1e-8, 1e-3, 0.5, 40.0, 600.0) for k in (2, 3, 10**9)),
        *(geometric(b, d) for b, d in ((1.0, 1), (2.0, 5), (1e6, 7), (0.1, 3), (50.0, 40))),
        leaking(),
    ]
NAMES = [f"{type(loss).__name__}-{i}" for i, (loss, _) in enumerate(CASES)]


def width(loss):
    """How far out s is of interest: a loss of one, or its period."""
    low, high = loss.support
    if np.isfinite(high):
        return 1.0 / max(abs(low), abs(high))
    return 1.0 / loss.mu if isinstance(loss, NormalLoss) else loss.sigma / loss.sensitivity


def abscissas(loss, rng, count=16):
    return width(loss) * 10.0 ** rng.uniform(-10, 2, count)


def nodes(loss, rng):
    real, imaginary = abscissas(loss, rng), abscissas(loss, rng)
    if isinstance(loss, DiscreteGaussianLoss):
        period = min(loss.period, 1e5 * width(loss))
        turns = period * rng.uniform(0.0, 3.0, 10)
        imaginary = np.concatenate([imaginary, turns, loss.period * np.array([0.5, 0.499])])
    return np.concatenate(
        [
            real,
            -1.0 - real,
            1j * imaginary,
            -0.5 + 1j * imaginary,
            rng.choice(real, 16) + 1j * rng.choice(imaginary, 16),
            [0.0, -1.0, -0.5],
        ]
    ).astype(complex)


@pytest.mark.parametrize(("loss", "exact"), CASES, ids=NAMES)
def test_moments_are_within_their_rounding(loss, exact):
    s = nodes(loss, np.random.default_rng(1))
    computed, rounding = loss.measured(s)
    assert np.isfinite(computed).all()
    assert np.isfinite(rounding).all()
    for where, value, bound in zip(s.tolist(), computed.tolist(), rounding.tolist(), strict=True):
        true = exact(loss, mp.mpc(where))
        seen = float(abs(mp.expm1(true - mp.mpc(value))))
        assert SAFETY * seen <= np.expm1(min(bound, 700.0)) + 1e-50, where


@pytest.mark.parametrize("name", ["discrete Gaussian", "geometric", "clusters"])
@pytest.mark.parametrize("theta", [0.0, 0.7, -1.6, 9.0])
def test_many_nodes_on_a_line_are_within_their_rounding(name, theta):
    """So many that they share the turns of the points."""
    p, q = LISTS[name]
    loss = loss_of(p, q)
    s = theta + 1j * np.linspace(0.0, 12.0 / loss.support[1], 600)
    computed, rounding = loss.measured(s)
    both = [(mp.mpf(a), mp.mpf(b)) for a, b in zip(p, q, strict=True) if min(a, b) > 0.0]
    exact = points([(mp.log(a / b), a) for a, b in both])
    for i in range(0, 600, 83):
        seen = float(abs(mp.expm1(exact(loss, mp.mpc(s[i])) - mp.mpc(computed[i]))))
        assert SAFETY * (seen - 1e-15) <= np.expm1(min(rounding[i], 700.0))


def test_line_axis_and_series_meet():
    """Three ways to one number: along a line, on the axis, and around zero."""
    loss = loss_of(*LISTS["discrete Gaussian"])
    for theta in (1e-3, 0.2, 3.0):
        on_axis, error = loss.measured(np.array([theta + 0j, theta + 0.0j]))
        on_line, off = loss.measured(theta + 1j * np.linspace(0.0, 6.0, 300))
        assert abs(on_axis[0] - on_line[0]) <= error[0] + off[0] + 1e-15


@pytest.mark.parametrize("theta", [0.4, 7.0, 60.0])
def test_points_without_weight_are_counted(theta):
    """Of those that dominate zCDP a quarter or more has none on a line."""
    pairs, _ = dominating(ZeroConcentratedDP(0.3, neighbors="add-remove"))
    loss = pairs[0][0].forward[1]
    weights = np.exp(np.log(loss.masses) + theta * (loss.losses - loss.losses[-1]))
    assert np.mean(weights < 1e-20 * weights.sum()) > 0.25
    t = np.array([0.01, 0.7, 3.0, 11.0, 50.0, 1234.5, 1e5])
    found, off = loss.measured(theta + 1j * t)
    for value, error, at in zip(found.tolist(), off.tolist(), t.tolist(), strict=True):
        pairs = zip(loss.masses.tolist(), loss.losses.tolist(), strict=True)
        truth = mp.log(mp.fsum(mp.mpf(p) * mp.exp(mp.mpc(theta, at) * mp.mpf(z)) for p, z in pairs))
        assert abs(mp.exp(mp.mpc(value) - truth) - 1) <= mp.expm1(error) / SAFETY


@pytest.mark.parametrize(("loss", "exact"), CASES, ids=NAMES)
def test_small_divergences_do_not_cancel(loss, exact):
    s = abscissas(loss, np.random.default_rng(2))
    s = s[s <= width(loss)]
    for where, value in zip(s.tolist(), loss.log_moment(s.astype(complex)).tolist(), strict=True):
        true = float(mp.re(exact(loss, mp.mpc(where))))
        assert value.imag == 0.0
        assert value.real == pytest.approx(true, rel=1e-13)


@pytest.mark.parametrize(("loss", "exact"), CASES, ids=NAMES)
def test_decay_is_never_too_fast(loss, exact):
    rng = np.random.default_rng(3)
    for _ in range(12):
        theta = float(rng.choice([0.0, -0.5, rng.uniform(-3, 3), *abscissas(loss, rng, 2)]))
        start = float(rng.choice(abscissas(loss, rng))) * rng.choice([1.0, 1e3])
        stop = start * float(rng.choice([1.0, 1.2, 3.0, 50.0, np.inf]))
        claimed = loss.decay(theta, start, stop)
        assert claimed >= 0.0
        real = mp.re(exact(loss, mp.mpc(theta)))
        for t in [start, *rng.uniform(start, min(stop, 100 * start), 3).tolist()]:
            seen = real - mp.re(exact(loss, mp.mpc(theta, t)))
            assert claimed <= seen * (1 + 1e-12) + 1e-40, (theta, t)


@pytest.mark.parametrize("sigma", [0.1, 0.3, 0.5, 1.0, 4.0])
@pytest.mark.parametrize("step", [1, 3])
def test_discrete_gaussian_falls_at_its_rate(sigma, step):
    loss = DiscreteGaussianLoss(sigma, step)
    rng = np.random.default_rng(4)
    assert float(loss.period) == pytest.approx(2 * np.pi * sigma**2 / step)
    for _ in range(20):
        theta, turns = rng.uniform(-2.0, 2.0), rng.uniform(0.0, 2.0)
        away = min(abs(turns - round(turns)), 0.25) * loss.period
        real = discrete_gaussian(loss, mp.mpc(theta))
        seen = real - mp.re(discrete_gaussian(loss, mp.mpc(theta, turns * loss.period)))
        assert loss.rate * away**2 * (1 - 1e-12) - loss.slack <= mp.re(seen)


@pytest.mark.parametrize("theta", [-3.3, 0.5, 0.7, 40.0])
def test_what_a_discrete_gaussian_has_lost_at_any_node(theta):
    """Over several periods, between abscissas that are whole and ones that are not."""
    for loss in (DiscreteGaussianLoss(0.6, 1), DiscreteGaussianLoss(10.0, 3)):
        t = np.linspace(0.0, 3.3 * loss.period, 4001)
        value, rounding = loss.measured(theta + 1j * t)
        fallen = value[0].real - value.real
        off = rounding + 1e-12 * (1.0 + np.abs(value[0]))
        assert np.all(loss.lost(t) <= fallen + off)
        assert loss.lost(t).max() > 0.8 * loss.rate * (loss.period / 4.0) ** 2 - loss.slack


def test_a_loss_is_its_own_reverse_or_mirrored():
    for loss, _ in CASES:
        s = np.array([0.3 + 0.2j, 2.0])
        back = loss.reverse()
        (own, off), (mirrored, blur) = back.measured(s), loss.measured(-1.0 - s)
        assert (np.abs(np.expm1(own - mirrored)) <= off + blur + 1e-15).all()


def test_points_are_sorted_merged_and_compared_by_value():
    lattice = Lattice(0.0, 1.0)
    loss = AtomicLoss.part([1.0, -1.0, 1.0, 3.0], [0.25, 0.25, 0.25, 0.0], 0.25, lattice)
    assert loss.losses.tolist() == [-1.0, 1.0]
    assert loss.masses.tolist() == [0.25, 0.5]
    assert loss.support == (-1.0, 1.0)
    assert loss.lattice == Lattice(-1.0, 1.0)
    assert loss == AtomicLoss.part([-1.0, 1.0], [0.25, 0.5], 0.25, lattice)
    assert hash(loss) == hash(AtomicLoss.part([-1.0, 1.0], [0.25, 0.5], 0.25, lattice))
    assert loss != AtomicLoss.part([-1.0, 1.0], [0.25, 0.5], 0.25)
    assert loss != 1.0
    with pytest.raises(ValueError, match="read-only"):
        loss.masses[0] = 0.5


def test_points_in_reverse():
    loss = AtomicLoss.part([-1.0, 0.0, 1.0], [0.1, 0.2, 0.7], reverse_masses=[0.7, 0.2, 0.1])
    assert loss.reverse() == loss.reverse().reverse().reverse()
    symmetric = AtomicLoss.part([-1.0, 0.0, 1.0], [0.1, 0.2, 0.7], reverse_masses=[0.7, 0.2, 0.1])
    assert symmetric.reverse() == symmetric
    leaky = leaking()[0]
    assert (leaky.reverse().infinite, leaky.infinite) == (0.15, 0.05)


def test_points_too_rare_for_a_float_stay_on_the_other_side():
    loss = AtomicLoss.part([-800.0, 800.0], [0.0, 1.0], reverse_masses=[1.0, 0.0])
    assert loss.reverse() == loss
    s = np.array([-1.0, 0.0, 1.0, -2.0, -0.5], dtype=complex)
    assert loss.log_moment(s).real.tolist() == pytest.approx([0.0, 0.0, 800.0, 800.0, -400.0])


def test_all_of_it_on_the_other_side():
    loss = AtomicLoss.part([-800.0], [0.0], 1.0, reverse_masses=[1.0])
    s = np.array([0.5, -1.0, 0.5 + 1j])
    assert loss.log_moment(s).real.tolist() == [-np.inf, 0.0, -np.inf]
    assert not np.isnan(loss.measured(s)[1]).any()


def test_nothing_finite():
    loss = AtomicLoss.part([], [], infinite=1.0, reverse_infinite=1.0)
    assert loss.support == (0.0, 0.0)
    assert loss.lattice is None
    assert loss.reverse() == loss


@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
def test_shapes(shape):
    for loss, _ in CASES:
        s = np.full(shape, 0.3 + 0.1j)
        assert [np.shape(found) for found in loss.measured(s)] == [shape, shape]


@pytest.mark.parametrize("c", [0.1, 0.3, 5.0])
def test_laplace_moments_where_the_two_ends_cancel(c):
    """Next to the zeros of cosh(i t c) the moment is far below its terms."""
    loss = LaplaceLoss(c)
    t = (np.array([0.0, 7.0, 400.0, 1600.0]) + 0.5) * np.pi / c
    s = np.concatenate([-0.5 + 1j * t, -0.4999 + 1j * t])
    found, stated = loss.measured(s)
    for i, at in enumerate(s):
        ratio = mp.exp(mp.mpc(found[i])) / mp.exp(laplace(loss, mp.mpc(at)))
        assert SAFETY * float(abs(ratio - 1)) <= np.expm1(stated[i])
