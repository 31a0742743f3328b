"""Selection against its outcomes, counted one by one, and against integrals of its noise."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad

from dprisk.composition import compose
from dprisk.errors import InvalidInput
from dprisk.mechanisms import AboveThreshold, ExponentialMechanism, Gaussian, Laplace

A: Any = {"neighbors": "add-remove"}
EPSILONS = np.array([0.0, 0.1, 0.4, 0.9, 1.7])


def drawn(scores, epsilon):
    """Probabilities of the outcomes, with sensitivity 1."""
    weights = np.exp(epsilon * (scores - scores.max()) / 2.0)
    return weights / weights.sum()


def delta(p, q, epsilon):
    return np.array([np.maximum(p - np.exp(e) * q, 0.0).sum() for e in epsilon])


def neighbors(random, outcomes):
    """Scores on two neighbors, some of them as far apart as they can be."""
    scores = random.normal(0.0, random.choice([0.1, 1.0, 5.0]), outcomes)
    moved = random.choice([random.uniform(-1, 1, outcomes), random.choice([-1.0, 1.0], outcomes)])
    return scores, scores + moved


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 6.0])
def test_no_choice_tells_more(epsilon):
    random = np.random.default_rng(7)
    loss = ExponentialMechanism(epsilon, **A).loss()
    above = np.asarray(loss.delta(EPSILONS).value)
    for _ in range(300):
        p, q = (drawn(each, epsilon) for each in neighbors(random, random.integers(2, 6)))
        assert np.all(delta(p, q, EPSILONS) <= above + 1e-12)


@pytest.mark.parametrize("epsilon", [1e-5, 0.05, 1.0, 6.0, 200.0])
def test_two_outcomes_tell_as_much(epsilon):
    """The worst start for each epsilon: log-odds move by the whole range."""
    loss = ExponentialMechanism(epsilon, **A).loss()
    for x in np.array([0.0, 0.2, 0.5, 0.9]) * epsilon:
        with mpmath.workdps(40):
            t = (mpmath.mpf(x) + epsilon) / 2
            p = (1 - mpmath.exp(t - epsilon)) / (1 - mpmath.exp(-mpmath.mpf(epsilon)))
            truth = p - mpmath.exp(mpmath.mpf(x) - t) * p
        low, high = loss.delta(x).bracket
        assert low <= truth * (1 + mpmath.mpf(1e-12)) and truth <= high
        assert high - low <= 1e-5 * high + 1e-13


def test_two_choices_the_second_after_the_first():
    random = np.random.default_rng(11)
    whole = compose([ExponentialMechanism(1.0, **A)], [2]).guarantee
    low, above = (np.asarray(end) for end in whole.delta(EPSILONS).bracket)
    best = np.zeros(len(EPSILONS))
    for _ in range(2000):
        first = np.array([0.0, random.normal(0.0, 2.0)])
        p, q = drawn(first, 1.0), drawn(first + np.array([-1.0, 1.0]), 1.0)
        both = []
        for i in range(2):  # what is asked next depends on the outcome
            then = np.array([0.0, random.normal(0.0, 2.0)])
            side = random.choice([-1.0, 1.0])
            after = drawn(then, 1.0), drawn(then + np.array([-side, side]), 1.0)
            both.append((p[i] * after[0], q[i] * after[1]))
        one, two = (np.concatenate([each[i] for each in both]) for i in (0, 1))
        best = np.maximum(best, delta(one, two, EPSILONS))
    assert np.all(best <= above) and np.all(low <= above)
    assert best[0] > 0.97 * above[0]


def test_two_kinds_and_noise_between_them():
    """An outcome, a number with noise, an outcome: in whichever order."""
    parts = [ExponentialMechanism(1.0, **A), Laplace(1.0, 1.0, **A), ExponentialMechanism(0.5, **A)]
    whole = compose(parts).guarantee
    other = compose([parts[1], parts[2], parts[0]]).guarantee
    assert whole.delta(0.3).bracket == other.delta(0.3).bracket
    random = np.random.default_rng(3)
    x = np.linspace(-25.0, 26.0, 40_001)
    noise = np.exp(-np.abs(x)) / 2.0, np.exp(-np.abs(x - 1.0)) / 2.0
    for _ in range(20):
        p, q = (drawn(each, 1.0) for each in neighbors(random, 2))
        r, s = (drawn(each, 0.5) for each in neighbors(random, 2))
        one = np.multiply.outer(np.multiply.outer(p, r).ravel(), noise[1])
        two = np.multiply.outer(np.multiply.outer(q, s).ravel(), noise[0])
        found = np.trapezoid(np.maximum(one - np.exp(0.3) * two, 0.0), x, axis=1).sum()
        assert found <= whole.delta(0.3).value + 1e-5


def test_brackets_of_many_uses_are_narrow_and_below_those_of_pure_dp():
    for uses, epsilon in ((10, 1.0), (100, 0.1), (300, 0.05)):
        choice = ExponentialMechanism(epsilon, **A)
        low, high = compose([choice], [uses]).guarantee.epsilon(1e-6).bracket
        pure = compose([choice.guarantee()], [uses]).guarantee.epsilon(1e-6).value
        assert low <= high <= low * 1.03 and high < 0.8 * pure


@pytest.mark.parametrize("epsilon", [1e-4, 0.3, 2.0, 30.0])
def test_renyi_is_the_largest_over_all_windows(epsilon):
    orders = [1.001, 1.5, 2.0, 10.0, 500.0]
    for order, stated in zip(orders, ExponentialMechanism(epsilon, **A).renyi(orders), strict=True):
        with mpmath.workdps(50):
            length, s = mpmath.mpf(epsilon), mpmath.mpf(order) - 1

            def divergence(t, length=length, s=s):
                p = mpmath.expm1(t - length) / mpmath.expm1(-length)
                return (
                    mpmath.log(p * mpmath.exp(s * t) + (1 - p) * mpmath.exp(s * (t - length))) / s
                )

            near, width = length / 2, length / 2
            for _ in range(6):
                places = [near + width * i / 10 for i in range(-10, 11)]
                near = max((t for t in places if 0 <= t <= length), key=divergence)
                width /= 8
            truth = divergence(near)
            assert truth <= stated * (1 + mpmath.mpf(1e-15))
            assert stated <= truth * mpmath.mpf(1.0001) + mpmath.mpf(1e-11)


def test_ends():
    nothing = ExponentialMechanism(0.0, **A).loss()
    assert nothing.delta(0.0).value == 0.0 and nothing.epsilon(0.0).value == 0.0
    faint = ExponentialMechanism(1e-9, **A).loss()
    assert 0.0 < faint.delta(0.0).bracket[0] <= 2.5e-10 <= faint.delta(0.0).value
    whole = compose([ExponentialMechanism(0.5, **A)], [4]).guarantee
    assert whole.epsilon(0.0).value == 2.0
    assert whole.delta(np.array([0.0, 2.0, 3.0])).value[1:].tolist() == [0.0, 0.0]
    assert whole.delta(np.array([[0.1, 0.2]])).value.shape == (1, 2)
    for wrong in (-1.0, np.nan, np.inf, "much"):
        with pytest.raises(InvalidInput, match="epsilon"):
            ExponentialMechanism(wrong, **A)


def test_brackets_can_be_made_narrower():
    loss = ExponentialMechanism(1.0, **A).loss(accuracy=1e-8)
    low, high = loss.epsilon(1e-3).bracket
    assert high - low <= 1e-8


def test_permute_and_flip_has_a_wider_range():
    """Two outcomes, one score up and the other down: the range is nearly twice as long."""
    epsilon = 1.0
    worse = np.exp(-epsilon / 2.0) / 2.0  # of scores that differ by the sensitivity
    losses = np.log([(1.0 - worse) / worse, worse / (1.0 - worse)])
    assert losses.max() < epsilon < 1.6 < losses.max() - losses.min()


def answers(threshold, alarm, queries, outcome):
    """Probability that the answers are below, ..., below, and above if the outcome says so."""
    below = outcome if outcome is not None else len(queries)

    def given(noise):
        found = np.exp(-abs(noise) / threshold) / (2.0 * threshold)
        for each in queries[:below]:
            found *= 1.0 - beyond(noise - each, alarm)
        return found * (beyond(noise - queries[below], alarm) if below < len(queries) else 1.0)

    points = sorted({0.0, *queries})
    return quad(given, -60.0, 60.0, points=points, limit=400)[0]


def beyond(x, scale):
    return np.exp(-x / scale) / 2.0 if x > 0.0 else 1.0 - np.exp(x / scale) / 2.0


@pytest.mark.parametrize(("threshold", "alarm"), [(1.0, 2.0), (2.0, 2.0), (3.0, 1.0)])
def test_answers_are_within_their_bracket(threshold, alarm):
    loss = AboveThreshold(threshold, alarm, 1.0, **A).loss()
    low, high = (np.asarray(end) for end in loss.delta(EPSILONS).bracket)
    random = np.random.default_rng(5)
    for number in (1, 2, 4):
        for _ in range(3):
            queries = random.normal(0.0, 2.0, number)
            moved = queries + random.choice([-1.0, 1.0], number)
            each = [*range(number), None]
            p, q = (
                np.array([answers(threshold, alarm, some.tolist(), one) for one in each])
                for some in (queries, moved)
            )
            assert p.sum() == pytest.approx(1.0, abs=1e-7)
            assert np.all(delta(p, q, EPSILONS) <= high + 1e-7)
    p = np.array([answers(threshold, alarm, [0.5], one) for one in (0, None)])
    assert np.all(low <= delta(p, p[::-1], EPSILONS) + 1e-9)
    assert low[0] == pytest.approx(delta(p, p[::-1], EPSILONS)[0], rel=1e-3)


def test_many_answers_below_and_one_above_come_near_the_promise():
    """Below as often as it takes the threshold's noise to be large, then above: both shares."""
    alarm = AboveThreshold(1.0, 2.0, 1.0, **A)
    queries, moved = [0.0] * 4000 + [1.0], [1.0] * 4000 + [0.0]
    p, q = (answers(1.0, 2.0, each, 4000) for each in (queries, moved))
    assert 1.7 < np.log(p / q) < alarm.guarantee().epsilon(0.0).value == 2.0


def test_more_answers_above_cost_more():
    assert AboveThreshold(1.0, 2.0, 1.0, positives=3, **A).guarantee().parameters == {
        "epsilon": 4.0
    }
    assert AboveThreshold(0.1, 0.3, 1.0, **A).guarantee().epsilon(0.0).value >= 10.0 + 2.0 / 0.3
    for wrong in ({"positives": 0}, {"positives": 1.5}, {"sensitivity": 0.0}):
        given = {"threshold_scale": 1.0, "answer_scale": 1.0, "sensitivity": 1.0, **wrong}
        with pytest.raises(InvalidInput, match=next(iter(wrong))):
            AboveThreshold(**given, **A)
    noise = compose([AboveThreshold(2.0, 4.0, 1.0, **A), Gaussian(2.0, 1.0, **A)]).guarantee
    low, high = noise.delta(0.5).bracket
    assert 0.0 < low < high < 1.0
