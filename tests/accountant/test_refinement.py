"""An accuracy that is asked for is kept, or refused with a reason; one that is not never fails."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dprisk import GaussianDP, PrivacyLoss
from dprisk.accountant.refinement import MEMORY
from dprisk.composition import compose
from dprisk.errors import InvalidInput, OutOfRange, TooWide
from dprisk.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Laplace,
    PairOfDensities,
    RandomizedResponse,
    SampleRelease,
)

A: Any = {"neighbors": "add-remove"}
DELTAS = np.array([1e-3, 1e-9])
SMALL = 1e8


def normal(x):
    """Logarithm of the standard normal density."""
    return -x * x / 2.0 - math.log(2.0 * math.pi) / 2.0


def shifted(spacing):
    """Normal noise of one standard deviation, by its densities."""
    breaks = [-math.inf, 0.5, math.inf]
    return PairOfDensities(lambda x: normal(x - 1.0), normal, breaks, spacing, **A)


def mixed(rate):
    """Normal noise of two standard deviations on a part of the records, by its densities."""

    def log_p(x):
        return np.logaddexp(math.log1p(-rate) + normal(x), math.log(rate) + normal(x - 0.5))

    return PairOfDensities(log_p, normal, [-math.inf, 0.25, math.inf], 2.0**-12, **A)


KEPT = [
    ("few nodes", [(Laplace(3.0, 1.0, **A), 10), (Laplace(7.3, 1.0, **A), 10)], 1e-8),
    (
        "no lattice",
        [(DiscreteGaussian(1.0, 1, **A), 300), (DiscreteGaussian(2.25, 1, **A), 300)],
        1e-5,
    ),
    ("few cells", [(mixed(0.1), 10)], 1e-7),
    ("densities", [(shifted(0.05), 5)], 1e-7),
]


@pytest.mark.parametrize(
    ("parts", "accuracy"), [case[1:] for case in KEPT], ids=[c[0] for c in KEPT]
)
def test_it_is_kept(parts, accuracy):
    """What is too wide at first becomes narrow enough, and stays inside what was known before."""
    losses, counts = [one.loss() for one, _ in parts], [count for _, count in parts]
    rough = compose(losses, counts).guarantee
    fine = compose(losses, counts, accuracy=accuracy).guarantee
    (low, high), (least, most) = rough.epsilon(DELTAS).bracket, fine.epsilon(DELTAS).bracket
    assert np.any(high - low > accuracy)
    assert np.all(most - least <= accuracy)
    assert np.all((least <= high) & (low <= most))


def test_the_truth_is_inside():
    """Densities of normal noise, against the formula."""
    exact = np.asarray(GaussianDP(math.sqrt(5.0), **A).epsilon(DELTAS).value)
    low, high = (
        PrivacyLoss([shifted(0.05).losses()], [5], accuracy=1e-7, **A).epsilon(DELTAS).bracket
    )
    assert np.all((low <= exact) & (exact <= high))


def test_delta_is_kept_relative_to_itself():
    """Or in nats, if that is wider."""
    loss = compose([shifted(0.05).loss()], [5]).guarantee
    fine = compose([shifted(0.05).loss()], [5], accuracy=1e-6).guarantee
    x = np.array([0.0, 1.0, 8.0])
    (low, high), (least, most) = loss.delta(x).bracket, fine.delta(x).bracket
    slope = (np.asarray(loss.delta(x).value) - np.asarray(loss.delta(x + 1e-3).value)) / 1e-3
    limit = 1e-6 * np.maximum(most, slope)
    assert np.any(high - low > limit)
    assert np.all(most - least <= limit)
    exact = np.asarray(GaussianDP(math.sqrt(5.0), **A).delta(x).value)
    assert np.all((least <= exact * (1 + 1e-12)) & (exact * (1 - 1e-12) <= most))


@pytest.mark.parametrize("accuracy", [1e-5, 1e-7])
def test_epsilon_keeps_delta_as_computed(accuracy):
    """With no tolerance, whichever grids the two answers used."""
    loss = compose([shifted(0.05).loss()], [5], accuracy=accuracy).guarantee
    epsilon = np.asarray(loss.epsilon(DELTAS).value)
    assert np.all(np.asarray(loss.delta(epsilon).value) <= DELTAS)


def test_rounding_is_refused():
    """Ten thousand nats with sixteen digits: a finer grid is of no use."""
    loss = compose([Laplace(1.0, 1.0, **A).loss()], [10**5], accuracy=1e-13).guarantee
    with pytest.raises(TooWide, match=r"epsilon\(0.001\) lies in .* Ask for accuracy=") as refused:
        loss.epsilon(1e-3)
    low, high = refused.value.bracket
    assert high - low > refused.value.accuracy
    assert "hardly helps" in refused.value.why
    suggested = float(refused.value.fix.split("=")[1].split()[0])
    wide = compose([Laplace(1.0, 1.0, **A).loss()], [10**5], accuracy=suggested).guarantee
    assert wide.epsilon(1e-3).value == pytest.approx(high, rel=1e-9)


def test_memory_is_refused_and_more_of_it_helps():
    """The error says how much; with that it is kept."""
    parts = [shifted(0.05).loss()]
    short = compose(parts, [5], accuracy=4e-7, memory=SMALL).guarantee
    with pytest.raises(TooWide, match="takes more than memory=") as refused:
        short.epsilon(1e-3)
    enough = float(refused.value.fix.split("memory=")[1].rstrip("."))
    assert SMALL < enough <= MEMORY
    low, high = compose(parts, [5], accuracy=4e-7, memory=enough).guarantee.epsilon(1e-3).bracket
    assert high - low <= 4e-7


def test_digits_of_probabilities_are_refused_at_once():
    """Integrated densities have 13 digits, and a million of them lose six."""
    loss = compose([mixed(0.1).loss()], [10**5], accuracy=1e-9).guarantee
    with pytest.raises(TooWide, match="13 digits"):
        loss.epsilon(1e-6)


def test_an_end_that_is_not_known_is_refused():
    """Next to the probability of an infinite loss, epsilon is anything; exactly there it is not."""
    loss, before = SampleRelease(1, 1000, **A).loss(accuracy=1e-3), math.nextafter(1e-3, 0.0)
    with pytest.raises(TooWide, match="Leave accuracy out"):
        loss.epsilon(before)
    assert math.isinf(SampleRelease(1, 1000, **A).loss().epsilon(before).value)
    assert loss.epsilon(1e-3).value == pytest.approx(0.0, abs=1e-14)
    assert loss.delta(1.0).value == pytest.approx(1e-3)
    assert math.isinf(loss.epsilon(1e-6).value)


def test_a_tail_that_is_cut_off_is_refused():
    """Below what is cut off, epsilon is anything as well."""
    loss = shifted(0.5).loss(accuracy=1e-6)
    for ask, at in ((loss.epsilon, 1e-150), (loss.delta, 60.0)):
        with pytest.raises(TooWide, match=r"Tails of a probability of .* are cut off"):
            ask(at)


def test_without_it_nothing_fails():
    """However wide."""
    for parts in ([DiscreteGaussian(1.0, 1, **A), DiscreteGaussian(2.25, 1, **A)],):
        wide = compose([part.loss() for part in parts], [10**5] * 2).guarantee
        low, high = wide.epsilon(1e-6).bracket
        assert 1e-9 < high - low < 1.0


def test_one_release_can_be_asked_for_more():
    """compose with an accuracy, of one loss that was made without."""
    loss = shifted(0.05).loss()
    done = compose([loss], accuracy=1e-5).guarantee
    assert compose([loss]).guarantee is loss
    low, high = done.epsilon(1e-6).bracket
    assert high - low <= 1e-5


def test_a_finer_pair_is_turned_with_the_pair():
    """Under replace-one either may lie either way."""
    pair = mixed(0.3).losses()
    assert pair.turned.finer(2.0) == pair.finer(2.0).turned
    found = [
        PrivacyLoss([one], [2], neighbors="replace-one", accuracy=accuracy).epsilon(1e-4).bracket
        for one in (pair, pair.turned)
        for accuracy in (None, 1e-7)
    ]
    lows, highs = zip(*found, strict=True)
    assert max(lows) <= min(highs)


def test_corners_do_not_trap_the_search():
    """On a lattice with wide steps delta is nearly flat between two of its points."""
    loss = compose([DiscreteGaussian(0.4, 1, **A).loss()], [1000]).guarantee
    low, high = loss.epsilon(np.geomspace(1e-12, 1e-2, 7)).bracket
    assert np.all(high - low < 1e-9)


def test_closed_forms_need_no_grid():
    """Normal noise is known to fifteen digits."""
    low, high = Gaussian(1.0, 1.0, **A).loss(accuracy=1e-12).epsilon(DELTAS).bracket
    assert np.all(high - low <= 1e-12)
    low, high = RandomizedResponse(1.0, **A).loss(accuracy=1e-12).epsilon(DELTAS).bracket
    assert np.all(high - low <= 1e-12)


@pytest.mark.parametrize(
    ("name", "value"), [("accuracy", 1e-14), ("accuracy", 2.0), ("memory", 1.0)]
)
def test_bad_input(name, value):
    with pytest.raises(OutOfRange, match=name):
        Laplace(1.0, 1.0, **A).loss(**{name: value})
    with pytest.raises(InvalidInput, match=name):
        compose([Laplace(1.0, 1.0, **A).loss()], [3], **{name: value})
