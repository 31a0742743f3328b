"""Subsampled Gaussians at any rate: against contour integrals and closed forms made elsewhere."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import flint
import mpmath as mp
import numpy as np
import pytest

from dprisk.accountant.methods.by_contour import ByContour
from dprisk.accountant.methods.by_discretization import ByDiscretization, as_discretization
from dprisk.accountant.methods.by_truncation import ByTruncation, as_truncation
from dprisk.accountant.profiles import add_up
from dprisk.composition import compose
from dprisk.losses.subsampled_normal import SubsampledNormalLoss
from dprisk.mechanisms import Gaussian, SampleRelease, SubsampledGaussian, SubsampledLaplace
from dprisk.progress import progress
from tests.oracles.reading import read

ADD: Any = {"neighbors": "add-remove"}
ROWS = read("subsampled")
LOSSES = [
    SubsampledNormalLoss(mu, rate, added, cut)
    for mu, rate, cut in ((1.0, 0.01, 0.3), (1.0, 1e-6, 1e-3), (2.0, 0.5, 10.0), (0.1, 0.1, 0.05))
    for added in (False, True)
]


@contextmanager
def bits(many):
    """Balls of that precision, for a while."""
    kept, flint.ctx.prec = flint.ctx.prec, many
    try:
        yield
    finally:
        flint.ctx.prec = kept


def sum_of(row):
    loss = SubsampledNormalLoss(
        1.0 / float(row["sigma"]), float(row["rate"]), row["world"] == "added"
    )
    return add_up(((loss, int(row["count"])),), 1e-9)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(list(row.values())[:5]))
def test_the_truth_is_in_a_narrow_bracket(row):
    """Both ends, in either direction."""
    low, high = sum_of(row).delta(np.array([float(row["epsilon"])]))
    exact = Fraction(row["delta"])
    slack = exact / 10**16
    assert Fraction(float(low[0])) <= exact + slack
    assert Fraction(float(high[0])) >= exact - slack
    assert high[0] - low[0] <= (1e-8 if exact > Fraction(1, 10**100) else 1e-6) * high[0]


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_moments(loss):
    """Against integrals in balls of 128 bits: within what is stated, and that is little."""
    unit = 1.0 / (10.0 * loss.rate * np.sqrt(np.expm1(loss.mu**2)))
    s = unit * np.array([1.0, 1.0 + 1j, 1.0 + 5j, 1.0 + 9j])
    value, off = loss.measured(s)
    with bits(128):
        for at, found, error in zip(s.tolist(), value.tolist(), off.tolist(), strict=True):
            ratio = flint.acb(found).exp() / mean_of_power(loss, at)
            assert float(abs(ratio - 1).upper()) <= np.expm1(error)
            assert error < 1e-9


FAR = [  # powers at which r^a is large where the normal density is less than any float
    (1.0, 0.1, False, (20.0, 24.277, 34.0)),
    (8.0, 0.01, False, (2.0, 3.0)),
    (16.0, 0.3, False, (0.5, 1.5)),
    (1.0, 1.0 - 2.0**-53, True, (20.0, 40.0, 100.0)),
]


def mean_of_power(loss, s):
    """F at that moment, r cut at its last x: balls of 128 bits."""
    mu, rate, last = (flint.arb(each) for each in (loss.mu, loss.rate, loss.last))
    a = -flint.acb(s) if loss.added else 1 + flint.acb(s)

    def log_ratio(x):
        return (rate * (mu * x - mu * mu / 2).expm1()).log1p()

    def integrand(x, analytic):
        ratio = 1 + rate * ((mu * x - mu * mu / 2).exp() - 1)
        return (a * ratio.log(analytic=analytic) - x * x / 2).exp()

    edges = [last - 100 + i for i in range(101)]
    largest = max(float((a.real * log_ratio(x) - x * x / 2).mid()) for x in edges)
    least = flint.arb(largest - 60.0).exp()
    parts = [flint.acb.integral(integrand, *ends, abs_tol=least) for ends in pairwise(edges)]
    beyond = (last / flint.arb(2).sqrt()).erfc() / 2
    return sum(parts) / (2 * flint.arb.pi()).sqrt() + beyond * (a * log_ratio(last)).exp()


@pytest.mark.parametrize(("mu", "rate", "added", "thetas"), FAR)
@pytest.mark.parametrize("turn", [0.0, 0.05, 0.2])
def test_moments_far_out(mu, rate, added, thetas, turn):
    """Nothing is lost where weights underflow, on the axis and beside it."""
    loss = SubsampledNormalLoss(mu, rate, added)
    with bits(128):
        for theta in thetas:
            s = complex(theta, turn * theta)
            value, off = loss.measured(np.array([s]))
            found = flint.acb(complex(value[0])).exp() / mean_of_power(loss, s)
            assert float(abs(found - 1).upper()) <= np.expm1(off[0])
            assert off[0] < (1e-10 if turn == 0.0 else 1e-4)


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_decay_is_a_bound(loss):
    """For all larger imaginary parts, as far as they can be seen."""
    theta = 1.0 / (10.0 * loss.rate * np.sqrt(np.expm1(loss.mu**2)))
    t = theta * np.arange(0.0, 30.0, 0.25)
    log_size = loss.log_moment(theta + 1j * t).real
    for start in (0.5, 3.0, 10.0):
        d = loss.decay(theta, start * theta, np.inf)
        later = log_size[t >= start * theta] - log_size[0]
        assert 0.0 <= d <= -later.max() + 1e-9


@pytest.mark.parametrize(("sigma", "rate", "count"), [(1.0, 1e-3, 1000), (0.8, 1e-3, 5000)])
def test_an_accuracy_is_kept(sigma, rate, count):
    """Where the lower end used to be worthless."""
    step = SubsampledGaussian(sigma, 1.0, rate, **ADD).loss()
    loss = compose([step], [count], accuracy=1e-6).guarantee
    low, high = loss.epsilon(1e-6).bracket
    assert high - low <= 1e-6


@pytest.mark.parametrize("cut", [np.inf, 30.0])
def test_a_single_loss_decays_as_far_as_it_is_known(cut):
    """Few losses have to decay by themselves."""
    loss, theta = SubsampledNormalLoss(1.0, 0.1, cut=cut), 10.0
    decays = [loss.decay(theta, t, np.inf) for t in (10.0, 30.0)]
    with bits(128):
        base = mean_of_power(loss, theta).real.log()
        for t, d in zip((10.0, 30.0), decays, strict=True):
            for beyond in (1.0, 1.3, 2.0):
                size = abs(mean_of_power(loss, theta + 1j * t * beyond)).log()
                assert size < base - d
    assert decays[0] > 10.0 and decays[1] > 25.0


@pytest.mark.parametrize(
    ("mu", "rate", "cut", "theta", "t"), [(2.0, 0.1, 1.0, 3.0, 1e3), (1.0, 0.01, 0.1, 20.0, 5e3)]
)
def test_a_cut_loss_decays_down_to_its_atom(mu, rate, cut, theta, t):
    """What is beyond the cut keeps its size on every line."""
    loss = SubsampledNormalLoss(mu, rate, cut=cut)
    decay = loss.decay(theta, t, np.inf)
    with bits(128):
        base = mean_of_power(loss, theta).real.log()
        sizes = [abs(mean_of_power(loss, theta + 1j * t * s)).log() for s in (1.0, 1.2, 1.5)]
    assert all(size < base - decay for size in sizes)
    assert max(float(size - base) for size in sizes) < -0.9 * decay


def test_far_out_lines_and_lattices_agree():
    """Few losses on lines, on which they decay at once far out."""
    loss = SubsampledNormalLoss(1.0, 0.1)
    sum_ = as_truncation(((loss, 2),), 1e-9, 2**18)
    low, high = sum_.delta(np.array([48.485]))
    assert low[0] <= 9.98929062468202867e-301 * (1.0 + 1e-15)
    assert 9.98929062468202867e-301 * (1.0 - 1e-15) <= high[0] < low[0] * (1.0 + 1e-7)


@pytest.mark.parametrize(
    ("mu", "rate", "count"),
    [(1.0, 1e-4, 4), (1.0, 1e-3, 25), (2.0, 1e-4, 2), (1.0, 1e-6, 8), (2.0, 1e-6, 8)],
)
def test_few_at_a_small_rate(mu, rate, count):
    """A bracket is useful at any delta: at least one release, at most their union."""
    sum_ = add_up(((SubsampledNormalLoss(mu, rate), count),), 1e-9)
    once = add_up(((SubsampledNormalLoss(mu, rate), 1),), 1e-9)
    delta = np.array([1e-12, 1e-20, 1e-50])
    low, high = sum_.epsilon(delta)
    assert np.all(high - low <= 1e-3 * high)
    assert np.all(high >= once.epsilon(delta).lower)


LESS = SubsampledNormalLoss(0.05, 1e-3)  # it ends where others are only cut


@pytest.mark.parametrize("beside", [(), ((LESS, 1000),)])
def test_cuts_agree(beside):
    """The same sum cut at different places: brackets that all hold the truth overlap."""
    sum_ = add_up(((SubsampledNormalLoss(1.0, 1e-3), 1000), *beside), 1e-9)
    assert isinstance(sum_, ByTruncation)
    x, found = np.array([0.0, 0.05, 0.18]), []
    for number in range(-8, 16, 4):
        level = sum_._cut_sum(number)
        low, high = level.loss.delta(x)
        found.append((low - level.error(x), high + level.off))
    lowest = np.max([low for low, _ in found], axis=0)
    highest = np.min([high for _, high in found], axis=0)
    assert np.all(lowest <= highest)
    assert lowest == pytest.approx(highest, rel=1e-9)


@pytest.mark.parametrize("beside", [(), ((LESS, 1000),)])
def test_a_cut_is_paid_for(beside):
    """Cut just above what is asked, delta is larger than it is: the lower end has to know."""
    parts, x = ((SubsampledNormalLoss(1.0, 1e-3), 1000), *beside), np.array([0.1])
    exact = add_up(parts, 1e-9).delta(x)
    short = ByTruncation(parts, 1e-9, 2**14)._cut_sum(-16)
    assert short.cuts.max() < 0.1
    low, _ = short.loss.delta(x)
    assert low[0] > 1.01 * exact.upper[0]
    assert low[0] - short.error(x)[0] <= exact.lower[0]


def test_a_part_that_has_ended_needs_no_further_cut():
    """It used to be cut again and again, to no effect, until nothing was cut any more."""
    parts = (SubsampledNormalLoss(1.0, 1e-3), 1000), (LESS, 1000)
    sum_, made = ByTruncation(parts, 1e-9, 2**14), {}
    find = sum_._cut_sum
    vars(sum_)["_cut_sum"] = lambda number: made.setdefault(number, find(number))
    low, high = sum_.epsilon(np.array([1e-6]))
    assert high[0] - low[0] < 1e-9
    assert len(made) <= 4
    assert all(each.reach < np.inf for each in made.values())


@pytest.mark.parametrize("added", [False, True])
@pytest.mark.parametrize("rate", [5e-324, 1e-200, 1e-18, 3.55e-5, 0.3, 1.0 - 2.0**-53])
@pytest.mark.parametrize("mu", [1e-6, 0.3, 1.6, 16.0])
def test_once_is_a_closed_form(mu, rate, added):
    """At 400 digits."""
    loss = add_up(((SubsampledNormalLoss(mu, rate, added), 1),), 1e-9)
    most = min(loss.spread.reach, 600.0)
    for t in (0.0, 1e-3 * most, 0.5 * most, 0.999 * most, most * (1.0 - 2.0**-51)):
        low, high = loss.delta(np.array([t]))
        with mp.workdps(400):
            q, e, m = mp.mpf(rate), mp.mpf(t), mp.mpf(mu)
            inside = 1 + mp.expm1(-e if added else e) / q
            true = mp.mpf(0)
            if inside > 0:
                x = mp.log(inside) / m + m / 2
                first, second = mp.ncdf(-x), mp.ncdf(m - x)
                mix = q * second + (1 - q) * first
                true = mix - mp.exp(e) * first
                if added:
                    mix = q * mp.ncdf(x - m) + (1 - q) * mp.ncdf(x)
                    true = mp.ncdf(x) - mp.exp(e) * mix
            assert float(low[0]) <= true <= float(high[0])
        if t < 0.9995 * most:  # next to the largest loss, t' has few digits of t
            assert high[0] - low[0] <= 1e-9 * high[0] + 1e-321


@pytest.mark.parametrize(("rate", "count"), [(5e-324, 1000), (1e-30, 10**9), (1e-18, 10**9)])
def test_tiny_rates(rate, count):
    """Between one release and basic composition, and no traceback."""
    loss = compose([SubsampledGaussian(1.0, 1.0, rate, **ADD).loss()], [count]).guarantee
    once = rate * 0.3829249225480262  # 2 Phi(1/2) - 1
    low, high = loss.delta(0.0).bracket
    assert low <= max(np.sqrt(count), 1.0) * once * 2.0 and once * 0.999 - 1e-322 <= high
    assert low <= high <= count * once * 1.001 + 1e-310
    assert loss.power(0.05).value == pytest.approx(0.05, abs=1e-8)
    assert loss.tail(5e-324).value <= 1.0


@pytest.mark.parametrize(("scale", "rate"), [(1.0, 1e-15), (1.0, 5e-324), (1e6, 5e-324)])
def test_laplace_at_tiny_rates(scale, rate):
    """The distance of 1000 runs is next to nothing, so the power is the level."""
    step = SubsampledLaplace(scale, 1.0, rate, **ADD).loss()
    loss = compose([step], [1000]).guarantee
    low, high = loss.power(0.05).bracket
    assert low <= 0.05 + 1000 * rate and 0.05 <= high < 0.05 + 1e-5


@pytest.mark.parametrize(("rate", "count"), [(1e-3, 25), (1e-6, 8)])
def test_few_losses_show_progress(rate, count):
    """On lattices and on lines."""
    steps = []
    with progress(steps.append):
        add_up(((SubsampledNormalLoss(2.0, rate), count),), 1e-9).epsilon(np.array([1e-20]))
    assert len(steps) > 2 and all(0 <= step.done <= step.total for step in steps)


def test_laplace_far_wider_than_its_noise():
    """Probabilities underflow: there is no warning, and nothing is lost."""
    step = SubsampledLaplace(1.0, 1000.0, 0.1, **ADD).loss()
    low, high = compose([step], [10]).guarantee.delta(1000.0).bracket
    several = 1.0 - 0.9**10 - 10 * 0.1 * 0.9**9  # drawn more than once: a loss near 2000
    assert low <= several <= high <= 1.0


def test_constant_losses():
    """A sample that reveals whom it holds: all finite losses are the same."""
    step = SampleRelease(34718, 42457, **ADD).loss()
    found = compose([step], [665]).guarantee
    low, high = found.delta(1.0).bracket
    assert low <= 1.0 and high >= 1.0 - 1e-15
    assert found.epsilon(1e-6).value == np.inf


def test_beside_others():
    """A normal loss and a subsampled one: at least the one alone, at most with all of the other."""
    plain, step = Gaussian(2.0, 1.0, **ADD), SubsampledGaussian(1.0, 1.0, 0.01, **ADD)
    both = compose([plain.loss(), step.loss()], [1, 100]).guarantee
    full = compose([plain.loss(), replace(step, rate=1.0).loss()], [1, 100]).guarantee
    alone = plain.loss()
    for epsilon in (0.1, 1.0, 2.0):
        low, high = both.delta(epsilon).bracket
        assert alone.delta(epsilon).value < low <= high < full.delta(epsilon).value
        assert high - low <= 1e-7 * high


def test_arrays_are_like_scalars():
    loss = compose([SubsampledGaussian(1.0, 1.0, 0.01, **ADD).loss()], [1000]).guarantee
    asked = np.array([0.0, 0.3, 1.0, 3.0, 20.0])
    together = loss.delta(asked).bracket
    for i, epsilon in enumerate(asked):
        low, high = loss.delta(epsilon).bracket
        assert low <= together[1][i] and together[0][i] <= high
        assert np.isclose(high, together[1][i], rtol=1e-8, atol=1e-300)


@pytest.mark.parametrize(("mu", "rate", "count"), [(1.0, 0.5, 3), (2.0, 0.05, 8), (1.0, 0.02, 9)])
def test_a_grid_agrees_with_lines(mu, rate, count):
    """By two methods: both brackets hold the truth."""
    for added in (False, True):
        parts = ((SubsampledNormalLoss(mu, rate, added), count),)
        x = np.array([0.0, 1e-3, 0.05, 0.5, 2.0]) * (0.1 if added else 1.0)
        coarse = ByDiscretization(parts, 1e-9, 1.0, ByContour(parts), add_up)._near.delta(x)
        fine = (ByContour(parts, nodes=2**12) if added else ByTruncation(parts, 1e-9, 2**12)).delta(
            x
        )
        assert np.all(coarse.lower <= fine.upper) and np.all(fine.lower <= coarse.upper)
        near = coarse.upper > 1e-30  # further out, lines are asked
        assert np.all((coarse.upper - coarse.lower <= 1e-3 * coarse.upper)[near])


def test_few_losses_far_out():
    """By lines; delta and epsilon are inverse."""
    loss = add_up(((SubsampledNormalLoss(1.0, 0.5), 2),), 1e-9)
    asked = np.array([1e-310, 1e-290, 1e-100, 1e-35, 1e-20])
    low, high = loss.epsilon(asked)
    assert np.all(low <= high) and np.all(high <= 1.1 * low)
    assert np.all(loss.delta(high).upper <= asked) and np.all(loss.delta(low).lower >= asked)
    assert np.all(high[1:] - low[1:] <= [0.3, 1e-2, 1e-2, 1e-4])


def test_few_losses_against_an_integral():
    """Two of them at 30 digits: one is integrated over the closed form of the other."""
    mu, q, e = mp.mpf(1), mp.mpf(0.5), mp.mpf(1)

    def once(t):
        inside = 1 + mp.expm1(t) / q
        if inside <= 0:
            return -mp.expm1(t)
        x = mp.log(inside) / mu + mu / 2
        return q * mp.ncdf(mu - x) + (1 - q) * mp.ncdf(-x) - mp.exp(t) * mp.ncdf(-x)

    def part(x):
        ratio = 1 - q + q * mp.exp(mu * x - mu**2 / 2)
        return mp.npdf(x) * ratio * once(e - mp.log(ratio))

    with mp.workdps(30):
        true = mp.quad(part, [-12, -6, -3, 0, 1, 2, 4, 8, 14])
    loss = add_up(((SubsampledNormalLoss(1.0, 0.5), 2),), 1e-9)
    low, high = loss.delta(np.array([1.0]))
    assert low[0] <= true <= high[0] and high[0] - low[0] <= 1e-4 * high[0]


def test_a_lattice_that_costs_too_much_is_not_made():
    """Of two kinds the finest spacing counts, over all that both reach."""
    parts = tuple((SubsampledNormalLoss(0.98, rate, False), n) for rate, n in FEW_OF_TWO)
    found = as_discretization(parts, 1e-9, 1.0, add_up)
    assert found is not None
    for asked in (0.1, 1.0, 12.6):
        low, high = found.delta(np.array([asked]))
        assert 0.0 < low[0] <= high[0] <= low[0] * 1.001
    assert found.epsilon(np.array([1e-5])).upper[0] < 0.3
    assert "_near" not in vars(found)


FEW_OF_TWO = (2.8e-4, 10), (6.4e-3, 8)


def test_a_loss_bound_next_to_underflow():
    """Both parts of the mixture count, also the one that is hardly a float; found by the sweep."""
    sigma, rate = 2.573307976052999, 0.2735934067204781
    loss = SubsampledGaussian(sigma, 1.0, rate, neighbors="add-remove").loss()
    low, high = loss.loss_bound(1e-308, post_processing=False).bracket
    with mp.workdps(40):
        mu, q = 1 / mp.mpf(sigma), mp.mpf(rate)
        x = mp.findroot(
            lambda y: mp.log((1 - q) * mp.ncdf(-y) + q * mp.ncdf(mu - y)) - mp.log(mp.mpf(1e-308)),
            (37, 38),
        )
        truth = mp.log(1 - q + q * mp.exp(mu * x - mu * mu / 2))
    assert low <= truth <= high and high - low < 1e-10
