"""delta and power by polynomials: against closed forms, and against the loss itself."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

from dprisk.accountant.by_contour import ByContour
from dprisk.accountant.duality import Duality
from dprisk.accountant.duality_guesses import by_other, by_own, by_ratio, by_sum
from dprisk.accountant.duality_shapes import line
from dprisk.accountant.taylor_profile import TaylorProfile
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.discrete_gaussian import DiscreteGaussianLoss
from dprisk.losses.laplace import LaplaceLoss
from dprisk.losses.normal import NormalLoss

LEAKY = AtomicLoss.of(
    np.log([0.42 / 0.55, 0.57 / 0.44]), [0.42, 0.57], infinite=0.01, reverse_infinite=0.01
)
SUMS = {
    "normal": ByContour(((NormalLoss(0.3), 4),)),
    "a large loss": ByContour(((NormalLoss(30.0), 1),)),
    "a tiny loss": ByContour(((NormalLoss(1e-6), 3),)),
    "discrete Gaussians": ByContour(
        tuple((DiscreteGaussianLoss(sigma, 1), 2) for sigma in np.geomspace(0.8, 30.0, 25).tolist())
    ),
    "Laplace, often": ByContour(((LaplaceLoss(0.1), 4000),)),
    "sometimes infinite": ByContour(((LEAKY, 3), (NormalLoss(0.4), 2))),
}


def pieces(name):
    found = SUMS[name].cheap()
    assert isinstance(found, TaylorProfile)
    return found


def ends(found):
    mean, deviation, _ = found.mean_sd_range()
    return mean + 8.5 * deviation


def normal_delta(mu, x):
    """By 40 digits."""
    mu, x = mp.mpf(mu), mp.mpf(x)
    return mp.ncdf(mu / 2 - x / mu) - mp.exp(x) * mp.ncdf(-mu / 2 - x / mu)


@pytest.mark.parametrize("name", SUMS)
def test_they_agree_with_the_loss(name):
    """The brackets meet everywhere, and are no wider than by the error that is allowed."""
    found = pieces(name)
    random = np.random.default_rng(71)
    x = random.uniform(0.0, ends(found), 400)
    quick, slow = found.delta(x), SUMS[name].delta(x)
    assert np.all(quick.lower <= slow.upper) and np.all(slow.lower <= quick.upper)
    wider = (quick.upper - quick.lower) - (slow.upper - slow.lower)
    assert np.all(wider <= 1e-9 * slow.upper)
    assert np.mean(~found._asked[found._placed(x)[1]]) > 0.9  # most are polynomials indeed


@pytest.mark.parametrize(("name", "mu"), [("normal", 0.6), ("a large loss", 30.0)])
def test_the_truth_of_a_normal_loss_is_inside(name, mu):
    """Also at the joints of the pieces, where the polynomials change."""
    found = pieces(name)
    width = found.laid.width
    joints = width * np.arange(1.0, len(found.laid.below))
    random = np.random.default_rng(72)
    x = np.concatenate([random.uniform(0.0, ends(found), 60), joints, np.nextafter(joints, 0.0)])
    x = x[:: max(1, len(x) // 300)]
    low, high = found.delta(x)
    with mp.workdps(40):
        truth = [normal_delta(mp.mpf(0.3) * 2 if mu < 1 else mu, each) for each in x.tolist()]
        assert all(mp.mpf(a) <= t <= mp.mpf(b) for a, t, b in zip(low, truth, high, strict=True))


def test_beyond_the_pieces_the_loss_is_asked_itself():
    """Whatever the company."""
    found = pieces("normal")
    x = np.array([0.1, 5.0, 7.0, 20.0, 1e3])
    far = x > found.laid.width * len(found.laid.below)
    assert far.any() and not far.all()
    quick, slow = found.delta(x), SUMS["normal"].delta(x[far])
    assert np.array_equal(quick.lower[far], slow.lower)
    assert np.array_equal(quick.upper[far], slow.upper)


@pytest.mark.parametrize("name", SUMS)
def test_slopes(name):
    """Those of the loss, nearly."""
    found = pieces(name)
    random = np.random.default_rng(73)
    x = random.uniform(0.0, ends(found) / 2.0, 50)
    np.testing.assert_allclose(found.slope(x), SUMS[name].slope(x), rtol=1e-7, atol=1e-15)


def test_what_is_not_smooth_has_no_pieces():
    """Rough moments, and lattices, are asked themselves."""
    rough = ByContour(((LaplaceLoss(1.0), 2),), 1e-5)
    x = np.array([0.2, 0.4, 0.9])
    quick = rough.cheap()
    found = quick.delta(x)
    assert isinstance(quick, TaylorProfile) and quick._asked.all()
    assert np.array_equal(found.upper, quick.loss.delta(x).upper)
    steps = ByContour(((DiscreteGaussianLoss(2.0, 1), 40),))
    assert not isinstance(steps.cheap(), TaylorProfile)


# --- least values --------------------------------------------------------------------------------


def profile(name):
    return Duality((SUMS[name], SUMS[name]), (SUMS[name], SUMS[name]))


def test_power_of_a_normal_loss():
    """At levels from 1e-300 to nearly 1: the truth is inside, and the bracket is as narrow."""
    one = profile("normal")
    random = np.random.default_rng(74)
    level = np.concatenate(
        [10.0 ** -random.uniform(0.0, 12.0, 60), 1.0 - 10.0 ** -random.uniform(0.0, 10.0, 20)]
    )
    level = np.concatenate([level, [1e-300, 1e-100, 0.5, 0.05]])
    low, high = one.power(level)
    with mp.workdps(40):
        for x, a, b in zip(level.tolist(), low.tolist(), high.tolist(), strict=True):
            z = _quantile(mp.mpf(x))
            truth = mp.ncdf(z + mp.mpf(0.3) * 2)
            assert mp.mpf(a) <= truth <= mp.mpf(b)
    assert np.all(high - low <= 2e-9 * high)


def _quantile(x):
    """By halving."""
    low, high = mp.mpf(-40), mp.mpf(10)
    for _ in range(130):
        middle = (low + high) / 2
        low, high = (middle, high) if mp.ncdf(middle) < x else (low, middle)
    return high


@pytest.mark.parametrize("name", SUMS)
def test_power_by_polynomials_and_by_searching(name):
    """The brackets meet at all levels, whether both directions are alike or not."""
    loss = SUMS[name]
    back = ByContour(tuple((part.reverse(), count) for part, count in loss.parts))
    one = Duality((loss, loss), (back, back))
    random = np.random.default_rng(76)
    level = np.concatenate([random.uniform(0.0, 1.0, 150), 10.0 ** -random.uniform(0.0, 14.0, 150)])
    low, high, unsure = one._curve.at(level, one.tolerance)
    assert unsure.mean() < 0.2 or name == "a large loss"  # whose power is nearly 1 at all of these
    assert np.all((high - low <= one.tolerance * high)[~unsure])
    found = one._least(line, level, np.log(level), by_other)
    assert np.all((low <= found.upper)[~unsure]) and np.all((found.lower <= high)[~unsure])
    whole = one.power(level)
    assert np.all(whole.lower <= found.upper) and np.all(found.lower <= whole.upper)


@pytest.mark.parametrize("name", ["normal", "discrete Gaussians", "Laplace, often"])
def test_nearly_all_least_values_lie_where_they_are_guessed(name):
    """Three or six values of delta are enough; and the long way finds the same."""
    one = profile(name)
    level = np.geomspace(1e-9, 0.9, 300)
    low, high, left = one._close(line, level, np.log(level), by_other)
    assert len(left) <= 6
    sure = np.setdiff1d(np.arange(len(level)), left)
    t, _ = one._table(False).guess(by_other, np.log(level[sure]))
    for aside in (0.0, 1e-3, -1e-3):  # no point of the profile is below a least value
        above = one.delta(t + aside).upper + np.exp(t + aside) * level[sure]
        assert np.all(above >= low[sure] * (1.0 - 1e-15))
    assert np.all(high[sure] - low[sure] <= one.tolerance * high[sure])


@pytest.mark.parametrize("falling", [by_own, by_other, by_ratio, by_sum])
def test_guesses(falling):
    """Between two points of the table, to a small part of their distance."""
    one = profile("normal")
    table = one._table(False)
    t = (table.t[5:-5] + table.t[6:-4]) / 2.0
    fall = -one._slope(t)
    own, other = one.delta(t).upper + fall, fall * np.exp(-t)
    guess, aside = table.guess(falling, falling(own, other))
    apart = np.diff(table.t[5:-4])
    assert np.median(np.abs(guess - t) / apart) < 1e-4
    assert np.all(aside > 0.0) and np.all(aside <= apart / 2.0)
