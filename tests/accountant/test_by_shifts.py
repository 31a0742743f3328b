"""Promises together with a Laplace mechanism: against finite sums of truncated powers."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from mpmath import mp

from dprisk import ApproxDP, GaussianDP, PureDP
from dprisk.accountant.methods.by_atoms import as_atoms
from dprisk.accountant.methods.by_shifts import ByShifts
from dprisk.accountant.profiles import add_up
from dprisk.composition import compose
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.laplace import LaplaceLoss
from dprisk.losses.normal import ResponseLoss
from dprisk.mechanisms import Laplace, SubsampledGaussian
from tests.oracles import laplace_sums

PROMISES = ((0.5, 0.0), (0.3, 1e-6))
SUMS = [
    (PROMISES, (1.0,)),
    (PROMISES, (0.4,) * 5),
    (((2.0, 0.1),), (3.0,)),
    (((0.7, 0.0),), (9.0,)),
]


def values(promises):
    """(value, probability under P) of responses that may reveal, and what is revealed."""
    with mp.workdps(60):
        return _values(promises)


def _values(promises):
    hidden = mp.fprod(1 - mp.mpf(delta) for _, delta in promises)
    found = []
    for signs in product((1, -1), repeat=len(promises)):
        turns = [sign * mp.mpf(epsilon) for sign, (epsilon, _) in zip(signs, promises, strict=True)]
        found.append((mp.fsum(turns), hidden * mp.fprod(1 / (1 + mp.exp(-turn)) for turn in turns)))
    return found, 1 - hidden


def delta(promises, ratios, x):
    with mp.workdps(60):
        few, revealed = values(promises)
        shifted = ((p, laplace_sums.delta(ratios, mp.mpf(x) - a)) for a, p in few)
        return revealed + mp.fsum(p * there for p, there in shifted)


def under_q(promises, ratios, t):
    with mp.workdps(60):
        few, _ = values(promises)
        shifted = ((p * mp.exp(-a), laplace_sums.tails(ratios, t - a)[1]) for a, p in few)
        return mp.fsum(q * there for q, there in shifted)


def made(promises, ratios):
    parts = [(ResponseLoss(*promise), 1) for promise in promises]
    whole = add_up((*parts, (LaplaceLoss(ratios[0]), len(ratios))), 1e-9)
    assert isinstance(whole, ByShifts)
    return whole


@pytest.mark.parametrize(("promises", "ratios"), SUMS)
def test_delta(promises, ratios):
    """Inside, and narrow; beyond the largest loss what is revealed."""
    whole = made(promises, ratios)
    top = sum(e for e, _ in promises) + sum(ratios)
    x = np.array([0.0, 1e-6, *np.random.default_rng(4).uniform(0.0, top, 8), 0.999999 * top])
    low, high = whole.delta(x)
    for one, a, b in zip(x.tolist(), low.tolist(), high.tolist(), strict=True):
        assert a <= delta(promises, ratios, one) <= b
    assert np.all((high - low)[:-1] <= 1e-10 * high[:-1])
    beyond = whole.delta(np.array([top * 1.01]))
    revealed = values(promises)[1]
    assert beyond.lower[0] <= revealed <= beyond.upper[0] <= float(revealed) * (1.0 + 1e-12)


@pytest.mark.parametrize(("promises", "ratios"), SUMS)
def test_epsilon_and_tails(promises, ratios):
    """Both ends by the true delta; tails by the true tails."""
    whole, revealed = made(promises, ratios), values(promises)[1]
    top = sum(e for e, _ in promises) + sum(ratios)
    goal = float(revealed) + float(delta(promises, ratios, 0.0) - revealed) * np.array([0.7, 1e-3])
    low, high = whole.epsilon(goal)
    for one, a, b in zip(goal.tolist(), low.tolist(), high.tolist(), strict=True):
        assert delta(promises, ratios, a) >= one >= delta(promises, ratios, b)
    for nothing in (0.0, float(revealed) / 2.0):
        expected = np.inf if revealed > nothing else top
        assert whole.epsilon(np.array([nothing])).upper[0] == pytest.approx(expected)
    x = np.random.default_rng(5).uniform(0.0, top, 5)
    for other in (False, True):
        low, high = whole.tail(x, other)
        for one, a, b in zip(x.tolist(), low.tolist(), high.tolist(), strict=True):
            q = under_q(promises, ratios, mp.mpf(one))
            truth = q if other else delta(promises, ratios, one) + mp.exp(mp.mpf(one)) * q
            assert a <= truth <= b


def test_power_of_two_promises_and_one_mechanism():
    """The least delta + e^t x, found where Q's tail passes the level."""
    who = {"neighbors": "add-remove"}
    parts = [PureDP(0.5, **who), ApproxDP(0.3, 1e-6, **who), Laplace(1.0, 1.0, **who).loss()]
    level = np.array([1e-9, 1e-3, 0.05, 0.4, 0.9])
    low, high = (
        np.asarray(end) for end in np.asarray(compose(parts).guarantee.power(level).bracket)
    )
    top = mp.mpf("1.8")
    for x, a, b in zip(level.tolist(), low.tolist(), high.tolist(), strict=True):
        left, right = -top - 1, top + 1
        for _ in range(60):
            t = (left + right) / 2
            left, right = (t, right) if under_q(PROMISES, (1.0,), t) > x else (left, t)
        truth = delta(PROMISES, (1.0,), right) + mp.exp(right) * mp.mpf(x)
        assert a <= truth * (1 + mp.mpf(10) ** -14) and truth * (1 - mp.mpf(10) ** -14) <= b
    assert np.all(high - low <= 1e-3 * high)


def test_too_many_values_go_another_way():
    """Eleven different responses have more values than that is worth."""
    parts = tuple((ResponseLoss(float(np.sqrt(i + 2.0))), 1) for i in range(11))
    assert not isinstance(add_up((*parts, (LaplaceLoss(0.3), 1)), 1e-9), ByShifts)


@pytest.mark.parametrize("side", [-0.9, 0.9])
def test_few_values_that_are_off(side):
    """By as much as is said; or their probabilities, of very many terms."""
    whole, x = made(PROMISES, (0.4,) * 5), np.array([0.0, 0.3, 1.0, 2.0])
    truth = sum(whole.delta(x)) / 2.0
    few = replace(whole.few, off=1e-6, losses=whole.few.losses + side * 1e-6)
    low, high = replace(whole, few=few).delta(x)
    assert np.all(low <= truth) and np.all(truth <= high)
    few = replace(whole.few, terms=10**7)
    few = replace(few, masses=few.masses * (1.0 + side * few._relative))
    low, high = replace(whole, few=few).delta(x)
    assert np.all(low <= truth) and np.all(truth <= high)


def atoms(seed, number):
    """Probabilities of so many outcomes, and of a pair that differs by direction."""
    random = np.random.default_rng(seed)
    q = random.dirichlet(np.full(number, 3.0))
    p = q * np.exp(random.normal(0.0, 0.3, number))
    return p / p.sum(), q / q.sum()


def exactly(p, q, x):
    """delta(x) of two lists, with 50 digits."""
    with mp.workdps(50):
        factor = mp.exp(mp.mpf(x))
        return mp.fsum(max(mp.mpf(a) - factor * mp.mpf(b), 0) for a, b in zip(p, q, strict=True))


def beside(promise, times, p, q):
    """The same lists, once more for each outcome of a response."""
    epsilon, delta = promise
    for _ in range(times):
        with mp.workdps(50):
            right = (1 - mp.mpf(delta)) / (1 + mp.exp(-mp.mpf(epsilon)))
            wrong = 1 - mp.mpf(delta) - right
            one, other = [right, wrong, mp.mpf(delta), 0], [wrong, right, 0, mp.mpf(delta)]
            p = [a * b for a in p for b in map(mp.mpf, one)]
            q = [a * b for a in q for b in map(mp.mpf, other)]
    return p, q


@pytest.mark.parametrize(("promise", "times"), [((2.5, 0.01), 1), ((0.3, 0.0), 2)])
def test_beside_what_is_remembered(promise, times):
    """Two mechanisms that differ by direction, and a promise: as all of them in one sum."""
    who = {"neighbors": "add-remove"}
    drawn = [SubsampledGaussian(sigma, 1.0, 0.02, **who) for sigma in (1.0, 2.0)]
    parts, counts = [*drawn, ApproxDP(*promise, **who)], [60, 40, times]
    whole, plain = compose(parts, counts, shared=2).guarantee, compose(parts, counts).guarantee
    assert all(isinstance(each.forward[1], ByShifts) for each in whole._profiles)
    assert not any(isinstance(each.forward[1], ByShifts) for each in plain._profiles)
    x = np.array([0.0, 0.5, 3.0, 9.0])
    for asked in (lambda g: g.delta(x), lambda g: g.epsilon(np.array([0.1]))):
        (low, high), (other, most) = (asked(g).bracket for g in (whole, plain))
        assert np.all(low <= most) and np.all(other <= high)
        assert np.all(high - low <= 1e-8 * np.maximum(high, 1.0))
    ends, others = (sorted(map(float, g.loss_bound(0.1).bracket)) for g in (whole, plain))
    assert ends[0] <= others[1] * (1 + 1e-12) and others[0] <= ends[1] * (1 + 1e-12)


@pytest.mark.parametrize("promise", [(0.4, 0.0), (2.5, 0.01)])
def test_shifts_of_a_pair_that_differs_by_direction(promise):
    """Below 0 the reverse pair counts: against all outcomes."""
    p, q = atoms(5, 12)
    first, second = (AtomicLoss.of(np.log(a / b), a) for a, b in ((p, q), (q, p)))
    few = as_atoms(((ResponseLoss(*promise), 2),))
    there = [as_atoms(((loss, 1),)) for loss in (first, second)]
    x = np.array([0.0, 0.1, 0.7, 1.5, 3.0])
    for lists, both in (((p, q), there), ((q, p), there[::-1])):
        low, high = ByShifts(few, *both).delta(x)
        mine = beside(promise, 2, *lists)
        for one, a, b in zip(x.tolist(), low.tolist(), high.tolist(), strict=True):
            assert a <= exactly(*mine, one) * (1 + mp.mpf("1e-13")) and exactly(*mine, one) <= b * (
                1 + 1e-13
            )
            assert b - a <= 1e-12 * b


def test_a_normal_loss_beside_a_promise():
    """Where the many have no largest loss: delta in closed form, and epsilon from it."""
    mu, (epsilon, delta) = 0.8, (1.3, 1e-3)
    who = {"neighbors": "add-remove"}
    parts = [GaussianDP(mu / 2.0, **who), ApproxDP(epsilon, delta, **who)]
    whole = compose(parts, [4, 1], shared=1).guarantee
    assert isinstance(whole._profiles[0].forward[1], ByShifts)

    def normal(x):
        upper, lower = (mp.ncdf((s * mu * mu / 2 - x) / mu) for s in (mp.mpf(1), mp.mpf(-1)))
        return upper - mp.exp(x) * lower

    def truth(x):
        with mp.workdps(40):
            right = 1 / (1 + mp.exp(-mp.mpf(epsilon)))
            both = ((right, x - epsilon), (1 - right, x + epsilon))
            return delta + (1 - mp.mpf(delta)) * mp.fsum(w * normal(mp.mpf(y)) for w, y in both)

    x = np.array([0.0, 0.4, 1.3, 2.0, 5.0, 9.0])
    low, high = whole.delta(x).bracket
    for one, a, b in zip(x.tolist(), low.tolist(), high.tolist(), strict=True):
        assert a <= truth(one) <= b and b - a <= 1e-11 * b
    for goal in (0.4, 0.05, 2e-3, 1.0001e-3):
        a, b = map(float, whole.epsilon(goal).bracket)
        assert truth(a) >= goal >= truth(b) and b - a <= 1e-6
    assert float(whole.epsilon(delta / 2.0)) == np.inf
