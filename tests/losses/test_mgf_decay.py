"""How moments fade and return on a vertical line: never faster than they do."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.losses.mgf_decay import MGFDecay, Periodic, Steps, noise
from tests.losses.typed import LISTS, discrete_gaussian, loss_of

FAR = 3e6


def fallen(loss, theta, t):
    """-log abs(M(theta + i t) / M(theta)), with digits to spare."""
    wide = np.longdouble
    masses, power = (loss.masses, theta) if theta >= -0.5 else (loss.reverse_masses, theta + 1.0)
    exponent = wide(power) * loss.losses.astype(wide) + np.log(masses.astype(wide))
    weights = np.exp(exponent - exponent.max())
    weights /= weights.sum()
    phase = np.outer(t.astype(wide), loss.losses.astype(wide))
    size = np.hypot((np.cos(phase) * weights).sum(1), (np.sin(phase) * weights).sum(1))
    return -np.log(np.maximum(size, 1e-30))


def places(loss, rng, count=300):
    """t near to and far from multiples of the period, early and late."""
    period = 2.0 * np.pi / loss.steps.spacing
    turns = rng.integers(0, int(FAR / period), count) * rng.integers(0, 2, count)
    near = 10.0 ** rng.uniform(-4.0, -0.302, count) * rng.choice([-1.0, 1.0], count)
    return np.abs(turns + near) * period


def periodic(loss, theta):
    return Periodic.of([(loss.fading(theta, FAR * 1.1, 1), 1.0)])


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("theta", [0.0, 0.4, 2.0, -1.7])
def test_what_is_said_to_be_lost_is_lost(name, theta):
    """At points, and from one end of an interval to the other."""
    loss, rng = loss_of(*LISTS[name]), np.random.default_rng(1)
    parts, t = periodic(loss, theta), places(loss, rng)
    claimed = parts.decay(t, t)
    assert np.all(claimed <= fallen(loss, theta, t) + 1e-12)
    stop = t + rng.uniform(0.0, 0.3, t.shape) * 2.0 * np.pi / loss.steps.spacing
    claimed = parts.decay(t, stop)
    for share in (0.0, 0.2, 0.5, 0.8, 1.0):
        inside = t + share * (stop - t)
        assert np.all(claimed <= fallen(loss, theta, inside) + 1e-12)


@pytest.mark.parametrize("name", ["discrete Gaussian", "wide discrete Gaussian, two steps"])
def test_most_of_what_is_lost_is_known(name):
    """Of a bell, to a few percent."""
    loss, rng = loss_of(*LISTS[name]), np.random.default_rng(2)
    t = places(loss, rng)
    lost = fallen(loss, 0.7, t)
    some = (lost > 0.001) & (lost < 4.0)
    assert np.all(periodic(loss, 0.7).decay(t, t)[some] > 0.9 * lost[some])


def test_the_loss_of_a_class_and_of_its_probabilities_fade_alike():
    """Both are the discrete Gaussian: they return at the same places."""
    own, typed = DiscreteGaussianLoss(6.0, 1), loss_of(*discrete_gaussian(6.0, reach=13.0))
    assert 2.0 * np.pi / typed.steps.spacing == pytest.approx(own.period, rel=1e-12)
    near = np.linspace(0.1, 2.0, 9) / own.sigma * own.sigma**2 / 4.0
    found = periodic(typed, 1.0).decay(near, near)
    assert np.all(found >= 0.9 * (own.rate * near**2 - own.slack))


def test_steps_are_found_in_spite_of_rounding_and_repetition():
    losses = np.array([-0.3, -0.1, -0.1 + 1e-17, 0.1 * (1 + 1e-15), 0.5])
    steps = Steps.of(np.unique(losses), np.ones(len(np.unique(losses))))
    assert steps.spacing == pytest.approx(0.2, rel=1e-13)
    assert np.unique(steps.multiples).tolist() == [0, 1, 2, 4]
    exact = steps.origin + steps.spacing * steps.multiples
    assert np.all(np.abs(np.unique(losses) - exact) <= steps.off)
    assert np.all(steps.off < 1e-14)


def test_a_common_part_of_all_gaps_is_the_spacing():
    assert Steps.of(np.array([0.0, 0.2, 0.5]), np.ones(3)).spacing == pytest.approx(0.1)


@pytest.mark.parametrize("losses", [[0.0], [0.0, 1.0, 1.0 + np.sqrt(2.0)], [0.0, 1e-9, 1.0]])
def test_no_lattice_is_seen_where_there_is_none(losses):
    """One point alone, gaps without a common part, or one that is far too fine."""
    assert Steps.of(np.array(losses), np.ones(len(losses))) is None


def test_too_far_from_the_lattice_nothing_is_certain():
    loss = AtomicLoss.part([-0.1, 0.1 + 1e-6, 0.3], [0.3, 0.3, 0.4])
    assert loss.fading(0.0, 1e2, 1) is not None
    assert loss.fading(0.0, 1e9, 1) is None


def test_noise_is_where_the_decays_do_not_add_up():
    """Two periods that meet at 6: quiet before, not around it."""
    none = np.zeros(1)
    parts = Periodic.of(
        [(MGFDecay(p, p / 4.0, (40.0, 0.0, 0.0), 0.0, none), 1.0) for p in (2.0, 3.0)]
    )
    assert noise(parts, 2.6, 3.4, 1.0) is None
    found = noise(parts, 2.6, 8.0, 1.0)
    assert found is not None and abs(found - 6.0) < 0.5
    assert noise(parts, 2.6, 8.0, 1.0, smooth=1.0) is None
    assert noise(parts, 3.0, 3.0, 1e9) is None


def test_quiet_stretches_are_quiet():
    """What `noise` finds nothing in has lost enough on any grid."""
    sigmas = (2.0, 3.1, 4.1, 5.3, 6.7, 8.9, 11.1, 14.3)
    losses = [loss_of(*discrete_gaussian(sigma)) for sigma in sigmas]
    parts = Periodic.of([(loss.fading(1.0, 1e5, 1), 4.0) for loss in losses])
    start = next(t for t in 5.0 * 1.1 ** np.arange(60) if noise(parts, t, 1e5, 20.0) is None)
    t = np.concatenate([np.linspace(start, 1e3, 1000), np.geomspace(start, 1e5, 500)])
    assert np.all(sum(4.0 * fallen(loss, 1.0, t) for loss in losses) >= 20.0)
