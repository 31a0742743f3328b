"""PrivacyLoss as a guarantee: brackets, both readings, both relations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dprisk import GaussianDP, PrivacyLoss, PureDP
from dprisk.composition import compose
from dprisk.errors import InvalidInput, Meaningless
from dprisk.losses.base import LossPair
from dprisk.losses.normal import NormalLoss
from dprisk.mechanisms import Gaussian, Laplace, PairOfDistributions, RandomizedResponse

A: Any = {"neighbors": "add-remove"}
CHANCES = np.array([0.0, 1e-12, 1e-3, 0.05, 0.3, 0.5, 0.9, 1.0])
EPSILONS = np.array([0.0, 1e-9, 0.4, 1.0, 3.0, 20.0, np.inf])
ASKED = [
    ("delta", EPSILONS),
    ("epsilon", CHANCES),
    ("power", CHANCES),
    ("level", CHANCES),
    ("tail", EPSILONS),
    ("loss_bound", CHANCES),
]


@pytest.mark.parametrize(("name", "where"), ASKED)
@pytest.mark.parametrize("mu", [0.01, 1.0, 7.0])
def test_gaussian_noise_is_gaussian_dp(name, where, mu):
    """Every answer of the closed form lies in the bracket, or next to it by its own rounding."""
    exact = np.asarray(getattr(GaussianDP(mu, **A), name)(where).value)
    low, high = getattr(Gaussian(1.0, mu, **A).loss(), name)(where).bracket
    blur = 1e-9 * np.where(np.isfinite(exact), np.abs(exact), 0.0) + 1e-13
    assert np.all((low - blur <= exact) & (exact <= high + blur))
    if name in ("delta", "power", "tail"):
        assert np.all(high - low <= 1e-7)


@pytest.mark.parametrize(("name", "where"), ASKED)
def test_randomized_response_is_the_worst_case_of_pure_dp(name, where):
    """Dominating losses of a promise give its own closed forms."""
    exact = np.asarray(getattr(PureDP(1.0, **A), name)(where).value)
    loss = RandomizedResponse(1.0, 2, **A).loss()
    low, high = getattr(loss, name)(where).bracket
    assert np.all(low <= exact + 1e-12)
    assert np.all(exact <= high + 1e-12)


def test_type_two_error_of_randomized_response():
    """ln 3, level 0.05: power 0.15, so the error is 0.85."""
    loss = RandomizedResponse(math.log(3.0), 2, **A).loss()
    low, high = loss.power(0.05).bracket
    assert 1 - high <= 0.85 <= 1 - low
    assert high - low < 1e-12


@pytest.mark.parametrize("delta", [1e-2, 1e-5, 1e-10, 1e-12, 1e-13, 1e-15, 1e-30, 1e-100, 1e-300])
def test_ten_thousand_gaussians_are_one(delta):
    """sigma = 100, ten thousand times: GDP with mu = 1, at any delta."""
    whole = compose([Gaussian(100.0, 1.0, **A).loss()], [10_000]).guarantee
    low, high = whole.epsilon(delta).bracket
    exact = GaussianDP(1.0, **A).epsilon(delta).value
    assert low - 1e-11 <= exact <= high + 1e-11
    assert high - low < 1e-9
    assert whole.delta(high).value <= delta


@pytest.mark.parametrize("count", [9, 60])
def test_an_array_of_epsilons_keeps_every_delta(count):
    """Asked about together again: where delta rounds, other lines may suit an array."""
    whole = compose([Gaussian(2500.0, 3.7, **A).loss()], [145_559_741]).guarantee
    for seed in range(20):
        delta = 1.0 - 10.0 ** np.random.default_rng(seed).uniform(-16.0, -9.0, count)
        assert np.all(whole.delta(whole.epsilon(delta).value).value <= delta)


def test_ten_laplace_noises():
    """A value that another accountant gets negative."""
    low, high = compose([Laplace(1.0, 1.0, **A).loss()], [10]).guarantee.epsilon(1e-5).bracket
    assert low <= 9.98996 + 5e-6
    assert high >= 9.98996 - 5e-6
    assert high - low < 1e-9


def test_raw_output_is_for_own_losses_only():
    """What merely dominates says nothing about the raw tail."""
    own = Laplace(2.0, 1.0, **A).loss()
    raw, any_ = own.tail(0.3, post_processing=False), own.tail(0.3)
    assert raw.value <= any_.value
    promised = compose([PureDP(0.5, **A)], [3]).guarantee
    for ask in (promised.tail, promised.loss_bound):
        with pytest.raises(Meaningless, match="post_processing"):
            ask(0.3, post_processing=False)


def test_raw_tail_of_laplace_noise():
    """P[abs(Z) > e] in closed form, for one release."""
    c, e = 0.5, 0.3
    low, high = Laplace(2.0, 1.0, **A).loss().tail(e, post_processing=False).bracket
    body = (1 - math.exp((e - c) / 2)) / 2 + (math.exp((-e - c) / 2) - math.exp(-c)) / 2
    exact = 0.5 + math.exp(-c) / 2 + body
    assert low <= exact <= high
    assert high - low < 1e-5


def test_two_steps_are_never_stronger():
    """Replacing a record is two steps of adding and removing."""
    loss = Gaussian(1.0, 1.0, **A).loss()
    twice = loss.for_neighbors("replace-one")
    exact = GaussianDP(2.0, neighbors="replace-one")
    assert np.all(twice.delta(EPSILONS).value >= exact.delta(EPSILONS).value - 1e-12)
    assert twice.delta(1.0).value <= exact.delta(1.0).value * 1.01


def test_a_wider_accuracy_is_a_wider_bracket():
    """And never a wrong one."""
    parts = [Laplace(3.0, 1.0, **A).loss(), RandomizedResponse(0.777, 2, **A).loss()]
    fine, rough = (compose(parts, [40, 3], accuracy=a).guarantee for a in (1e-7, 1e-3))
    inner, outer = fine.epsilon(1e-6).bracket, rough.epsilon(1e-6).bracket
    assert outer[0] <= inner[1]
    assert inner[0] <= outer[1]


def test_scalars_and_arrays_agree():
    """The same numbers, one by one and together."""
    loss = compose([Laplace(3.0, 1.0, **A).loss()], [40]).guarantee
    for name, where in (("delta", EPSILONS), ("epsilon", CHANCES)):
        together = getattr(loss, name)(where).value
        assert [getattr(loss, name)(x).value for x in where] == pytest.approx(together, rel=1e-12)


@pytest.mark.parametrize(
    ("pairs", "counts", "more", "name"),
    [
        ([], None, {}, "pairs"),
        ([LossPair.known(NormalLoss(1.0))], [1, 2], {}, "pairs"),
        ([LossPair.known(NormalLoss(1.0))], None, {"accuracy": math.nan}, "accuracy"),
        ([LossPair.known(NormalLoss(1.0))], None, {"neighbors": "both"}, "neighbors"),
    ],
)
def test_bad_input(pairs, counts, more, name):
    """Named, with what would be allowed."""
    with pytest.raises(InvalidInput, match=name):
        PrivacyLoss(pairs, counts, **({"neighbors": "add-remove"} | more))


def excess(p, q, epsilon):
    """Sum of (p - e^epsilon q)+."""
    return np.maximum(p - math.exp(epsilon) * q, 0.0).sum()


@pytest.mark.parametrize("neighbors", ["add-remove", "replace-one"])
def test_replacing_has_no_direction(neighbors):
    """Two mechanisms that are no mirror images: either may lie either way, unless one is added."""
    p = np.array([[0.5, 0.3, 0.2], [0.7, 0.29, 0.01]])
    q = np.array([[0.1, 0.3, 0.6], [0.3, 0.3, 0.4]])
    pairs = [PairOfDistributions(*both, neighbors=neighbors) for both in zip(p, q, strict=True)]
    whole = compose([pair.loss() for pair in pairs], [2, 1]).guarantee
    ways = [(p, q), (q, p)]
    if neighbors == "replace-one":
        ways += [(np.array([p[0], q[1]]), np.array([q[0], p[1]]))]
        ways += [(np.array([q[0], p[1]]), np.array([p[0], q[1]]))]
    for epsilon in (0.0, 0.4, 1.0, 2.0, 3.0):
        truth = max(
            excess(*(np.multiply.outer(np.outer(one[0], one[0]), one[1]) for one in way), epsilon)
            for way in ways
        )
        low, high = whole.delta(epsilon).bracket
        assert low - 1e-15 <= truth <= high + 1e-15
        assert high - low < 1e-12


def test_too_many_directions_are_refused():
    """Under replace-one, the ways for them to lie double with each."""
    losses = [
        PairOfDistributions([x, 1 - x], [0.6 + x / 9, 0.4 - x / 9], neighbors="replace-one").loss()
        for x in np.linspace(0.1, 0.3, 9)
    ]
    with pytest.raises(InvalidInput, match="differ by direction"):
        compose(losses)
