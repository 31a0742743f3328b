"""What the terms of the error budget of sampled losses are for: each taken as far as it may go."""

from __future__ import annotations

from functools import cache

import mpmath as mp
import numpy as np
import pytest

from dprisk.accountant.methods.by_atoms import ByAtoms
from dprisk.accountant.methods.by_discretization import Between
from dprisk.accountant.methods.by_truncation import ByTruncation
from dprisk.accountant.methods.subsampled_once import BesideRare
from dprisk.accountant.profiles import add_up
from dprisk.losses.gaussian_quadrature import SPLIT_OFF
from dprisk.losses.normal import NormalLoss
from dprisk.losses.subsampled_normal import SubsampledNormalLoss


def test_a_cut_below_what_is_asked_is_taken_off():
    """As if the cut were not felt there."""
    loss, x = SubsampledNormalLoss(1.0, 1e-3), np.array([0.1])
    exact = add_up(((loss, 1000),), 1e-9).delta(x)
    short = ByTruncation(((loss, 1000),), 1e-9, 2**14)
    level = short._cut_sum(-16)
    level.__dict__["reach"] = np.inf
    short.__dict__["_cut_sum"] = lambda number: level
    low, _ = short.delta(x)
    assert level.cuts.max() < 0.1 and low[0] <= exact.upper[0]


NEARLY_ALL = ((SubsampledNormalLoss(12.0, 1e-3), 10),)


@cache
def as_it_is():
    return ByTruncation(NEARLY_ALL, 1e-9, 2**15).delta(np.array([0.1, 1.0]))


@pytest.mark.parametrize("by", [-0.9 * SPLIT_OFF, 0.9 * SPLIT_OFF])
def test_what_is_split_off_may_be_off(monkeypatch, by):
    """Where nearly all of delta is split off, and next to nothing else widens the bracket."""
    parts, x = NEARLY_ALL, np.array([0.1, 1.0])
    right = as_it_is()
    plain = SubsampledNormalLoss.split.func
    monkeypatch.setattr(
        SubsampledNormalLoss, "split", property(lambda self: plain(self) * (1.0 + by))
    )
    low, high = ByTruncation(parts, 1e-9, 2**15).delta(x)
    middle = (right.lower + right.upper) / 2.0
    assert np.all(low <= middle) and np.all(middle <= high)


def once(loss, t):
    """delta of one sampled loss at any t."""
    q, m = mp.mpf(loss.rate), mp.mpf(loss.mu)
    inside = 1 + mp.expm1(t) / q
    if inside <= 0:
        return -mp.expm1(t)
    x = mp.log(inside) / m + m / 2
    return q * mp.ncdf(m - x) + (1 - q) * mp.ncdf(-x) - mp.exp(t) * mp.ncdf(-x)


@pytest.mark.parametrize("rate", [1e-10, 1e-11])
def test_next_to_nothing_is_still_something(rate):
    """Beside a normal loss: one integral at 30 digits."""
    loss, mu, x = SubsampledNormalLoss(12.0, rate), mp.mpf(0.5), mp.mpf(0.25)
    both = add_up(((NormalLoss(0.5), 1), (loss, 1)), 1e-9)
    assert isinstance(both, BesideRare)
    with mp.workdps(30):

        def part(z):
            return mp.npdf(z, mu * mu / 2, mu) * once(loss, x - z)

        truth = mp.quad(part, [-6, -3, -1, 0, 0.2, 0.24, 0.25, 0.26, 0.3, 0.5, 1, 2, 4, 7])
    low, high = both.delta(np.array([0.25]))
    assert low[0] <= truth <= high[0]


def test_two_that_each_say_half():
    """Both losses of more than x / 2 + 1: the sum is more than x + 2."""
    loss, x = SubsampledNormalLoss(8.0, 1e-10), 100.0
    both = add_up(((loss, 2),), 1e-9)
    assert isinstance(both, BesideRare)
    with mp.workdps(30):
        shifted = x / 2 + 1 - mp.log(mp.mpf(1e-10))
        least = mp.mpf(1e-10) * mp.ncdf(4 - shifted / 8)
        assert both.delta(np.array([x])).upper[0] >= least**2 * -mp.expm1(-2)


@pytest.mark.parametrize("by", [0.9, -0.9])
def test_two_sums_whose_probabilities_are_off(by):
    """Proposition 9: masses under P up to e^off larger or smaller."""
    losses, masses, off = np.array([-1.0, 0.5, 1.0]), np.array([0.2, 0.3, 0.5]), 1e-6
    right = ByAtoms(losses, masses, 0.0, 1)
    wrong = ByAtoms(losses, masses * (1.0 + by * off * np.array([-1.0, 1.0, 1.0])), 0.0, 1)
    x = np.array([0.0, 0.3, 0.7, 0.9])
    low, high = Between(wrong, wrong, off).delta(x)
    truth = right.delta(x).upper
    assert np.all(low <= truth) and np.all(truth <= high)


@pytest.mark.parametrize("share", [1e-6, 1e-9, 1e-11, 1e-13])
@pytest.mark.parametrize("rate", [0.3, 0.7])
def test_next_to_the_largest_loss_of_a_record_that_is_added(rate, share):
    """-log(1 - q): there the loss of the shifted normal has few digits of that of the mixture."""
    both = add_up(((SubsampledNormalLoss(4.0, rate, True), 1),), 1e-9)
    for step in (1.0, 1.37, 1.71, 2.3):
        t = -np.log1p(-rate) * (1.0 - step * share)
        low, high = both.delta(np.array([t]))
        with mp.workdps(60):
            q, e, m = mp.mpf(rate), mp.mpf(float(t)), mp.mpf(4)
            x = mp.log(1 + mp.expm1(-e) / q) / m + m / 2
            truth = mp.ncdf(x) - mp.exp(e) * (q * mp.ncdf(x - m) + (1 - q) * mp.ncdf(x))
        assert low[0] <= truth <= high[0]
