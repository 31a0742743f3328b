"""Outcomes whose losses lie on no lattice: against all multinomial sums, and against lattices."""

from __future__ import annotations

from math import lgamma

import numpy as np
import pytest

from dprisk.accountant import PrivacyLoss
from dprisk.accountant.composed_decay import ComposedDecay
from dprisk.accountant.methods.by_atoms import as_atoms
from dprisk.accountant.methods.by_contour import ByContour
from dprisk.accountant.mgf import ComposedMGF
from dprisk.accountant.profiles import add_up
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import Lattice
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.losses.mgf_decay import MGFDecay
from dprisk.losses.normal import NormalLoss
from dprisk.mechanisms import PairOfDistributions
from tests.losses.finite import pair_on_lattice

X = np.array([0.0, 0.2, 0.7, 1.5, 3.0])


def outcomes(seed, count, spread):
    rng = np.random.default_rng(seed)
    q = rng.dirichlet(np.full(count, 3.0))
    p = q * np.exp(rng.normal(0.0, spread, count))
    return p / p.sum(), q


def loss_of(*pair):
    return PairOfDistributions(*pair, neighbors="add-remove").losses()


def multinomial(loss, times):
    """All values of the sum of so many, and their probabilities."""
    parts = [()]
    for left in range(len(loss.losses), 1, -1):
        parts = [(*c, n) for c in parts for n in range(times - sum(c) + 1)]
        if left == 2:
            break
    counts = np.array([(*c, times - sum(c)) for c in parts], dtype=float)
    factorials = np.array([lgamma(n + 1.0) for n in range(times + 1)])
    ways = factorials[times] - factorials[counts.astype(int)].sum(axis=1)
    return counts @ loss.losses, np.exp(ways + counts @ np.log(loss.masses))


@pytest.mark.parametrize(
    ("count", "times", "spread", "width"),
    [(3, 150, 0.3, 1e-7), (4, 40, 0.2, 1e-6), (2, 3000, 0.1, 1e-8), (5, 25, 0.4, 1e-4)],
)
def test_all_sums(count, times, spread, width):
    loss = loss_of(*outcomes(count, count, spread)).forward[1]
    values, chances = multinomial(loss, times)
    assert chances.sum() == pytest.approx(1.0, abs=1e-11)
    true = [(chances * np.maximum(-np.expm1(x - values), 0.0)).sum() for x in X]
    low, high = ByContour(((loss, times),)).delta(X)
    blur = 2e-11 * np.abs(true)  # of the logarithms of factorials
    assert np.all(low <= true + blur) and np.all(true - blur <= high)
    assert np.all(high - low <= width)


@pytest.mark.parametrize(("count", "times", "spread"), [(400, 200, 0.1), (60, 3000, 0.02)])
def test_far_narrower_than_on_a_lattice_and_inside(count, times, spread):
    pair = outcomes(7, count, spread)
    chances = np.array([1e-3, 1e-10])
    found = [
        PrivacyLoss([made], [times], neighbors="add-remove").epsilon(chances).bracket
        for made in (loss_of(*pair), pair_on_lattice(*pair, spacing=1e-4))
    ]
    (low, high), (below, above) = found
    assert np.all(below <= low) and np.all(high <= above)
    assert np.all(high - low <= 1e-8) and np.all(above - below >= 100.0 * (high - low))


def test_with_others():
    """Half of the runs on a lattice of its own, and a normal loss."""
    loss, coin = (
        loss_of(*outcomes(1, 50, 0.2)).forward[1],
        AtomicLoss.part([-0.1, 0.1], [0.475, 0.525]),
    )
    many = ByContour(((loss, 60), (coin, 40), (NormalLoss(0.05), 1)))
    low, high = many.delta(X)
    fewer, _ = ByContour(((loss, 60), (coin, 40))).delta(X)
    assert np.all(high - low <= 1e-7) and np.all(fewer <= high)


def test_as_many_as_there_have_to_be_are_not_listed():
    """Sums of a and of b numbers take at least a + b - 1 values."""
    loss = loss_of(*outcomes(3, 400, 0.1)).forward[1]
    assert as_atoms(((loss, 200),)) is None
    assert len(as_atoms(((loss, 1),)).losses) == 400
    assert isinstance(add_up(((loss, 200),), 1e-9), ByContour)


@pytest.mark.parametrize("theta", [0.0, 3.0, -1.5])
@pytest.mark.parametrize("count", [3, 40])
def test_what_is_said_to_fade_has_faded(count, theta):
    loss = loss_of(*outcomes(2, count, 0.3)).forward[1]
    stop = loss.horizon(theta, 4096)
    fading = loss.fading(theta, stop, 4096)
    assert isinstance(fading, MGFDecay) and fading.period >= 2.0 * stop
    t = np.random.default_rng(0).uniform(0.0, stop, 3000)
    t = np.concatenate([t, np.linspace(0.0, 5.0 / 0.3, 500)])
    power, masses = (theta, loss.masses) if theta > -0.5 else (theta + 1.0, loss.reverse_masses)
    weights = masses * np.exp(power * loss.losses)
    true = np.abs(np.exp(1j * np.outer(t, loss.losses)) @ (weights / weights.sum()))
    claimed = np.interp(t, np.linspace(0.0, fading.period / 2.0, len(fading.known)), fading.known)
    assert np.all(true <= np.exp(-claimed) + 1e-12)
    near = t[t <= fading.reach]
    a, b, c = fading.terms
    d = near**2 * (a + near**2 * (b + near**2 * c)) - fading.slack
    assert np.all(true[t <= fading.reach] <= np.exp(-d) + 1e-12)


def test_too_far_to_follow():
    loss = loss_of(*outcomes(2, 40, 0.3)).forward[1]
    assert loss.fading(0.0, 2.0 * loss.horizon(0.0, 64), 64) is None
    single = AtomicLoss.part([0.3], [0.5], 0.5, None, 0.6, [0.4])
    assert single.horizon(0.0, 64) == np.inf and single.fading(0.0, 1e3, 64) is None


def test_many_points_beside_a_lattice_of_another_spacing():
    """By one transform, at nodes that go round their own lattice several times, or one by one."""
    places = np.arange(-200.0, 400.0)
    masses = np.exp(-((places / 90.0 - 1.0) ** 2))
    points = AtomicLoss.part(places * 0.01, masses / masses.sum(), lattice=Lattice(0.0, 0.01))
    moments = ComposedMGF(((DiscreteGaussianLoss(1.3, 1), 1), (points, 2)))
    assert moments.lattice is None and moments.spacing == 0.01
    t = 2.0 * np.pi / (720 * 0.01) * np.arange(2000)
    s = 0.8 + 1j * t[ComposedDecay(moments.parts, 2**16).lost(t) < 30.0]
    scale = float(moments.real(np.array([0.8]))[0])
    quick, slow = moments.sampled(s, scale, 720), moments.sampled(s, scale)
    off = np.abs(quick[0]) * quick[1] + np.abs(slow[0]) * slow[1]
    assert np.all(np.abs(quick[0] - slow[0]) <= off + 1e-28) and off.max() < 1e-9
    sums = ByContour(moments.parts)
    low, high = sums.delta(X)
    assert np.all((high - low <= 1e-6 * high) & (low > 0.0))
