"""Promises together with a Laplace mechanism: against finite sums of truncated powers."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from mpmath import mp

from dprisk import ApproxDP, PureDP
from dprisk.accountant.by_atoms_and_splines import ByAtomsAndSplines
from dprisk.accountant.composed import composed
from dprisk.composition import compose
from dprisk.losses.laplace import LaplaceLoss
from dprisk.losses.response import ResponseLoss
from dprisk.mechanisms import Laplace
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
    whole = composed((*parts, (LaplaceLoss(ratios[0]), len(ratios))), 1e-9)
    assert isinstance(whole, ByAtomsAndSplines)
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
    """Ten different responses have more values than that is worth."""
    parts = tuple((ResponseLoss(float(np.sqrt(i + 2.0))), 1) for i in range(10))
    assert not isinstance(composed((*parts, (LaplaceLoss(0.3), 1)), 1e-9), ByAtomsAndSplines)


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
