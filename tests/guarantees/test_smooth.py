"""f-DP by a smooth curve: closed forms, and the same found numerically, around exact truths."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, ClassVar, final

import numpy as np
import pytest
from flint import arb
from scipy.special import ndtr, ndtri

from dprisk.answer import Answer
from dprisk.composition import compose
from dprisk.guarantees import GaussianDP, LaplaceDP, PureDP
from dprisk.guarantees.base import Guarantee, Neighbors
from dprisk.guarantees.smooth import SmoothTradeoff, TradeoffCurve
from dprisk.mechanisms import Laplace
from sweep.truth.balls import exact
from sweep.truth.curves import judge
from sweep.truth.promises import Doubled

A: Any = {"neighbors": "add-remove"}
CHANCES = np.array([0.0, 1e-300, 1e-12, 1e-3, 0.05, 0.3, 0.5, 0.6, 0.7, 0.95, 1 - 1e-6, 1.0])
SHARES = np.array([0.0, 1e-9, 0.1, 0.3, 0.5, 0.7, 0.9, 1 - 1e-6, 1.0, 1.1, math.inf])
ASKED = {
    "delta": lambda g, x: g.delta(x),
    "epsilon": lambda g, x: g.epsilon(x),
    "power": lambda g, x: g.power(x),
    "level": lambda g, x: g.level(x),
    "tail, one": lambda g, x: g.tail(x, sides="one"),
    "tail, both": lambda g, x: g.tail(x),
    "loss, one": lambda g, x: g.loss_bound(x, sides="one"),
    "loss, both": lambda g, x: g.loss_bound(x),
}
MUS = (1e-8, 0.1, 1.0, 5.0, 40.0, 300.0, 1e4)


@final
@dataclass(frozen=True)
class Found(SmoothTradeoff):
    """A curve with nothing but its power and its slope."""

    known: TradeoffCurve
    neighbors: Neighbors = "add-remove"

    definition: ClassVar[str] = "found"

    @property
    def parameters(self) -> dict[str, Any]:
        return {}

    @property
    def _curve(self) -> TradeoffCurve:
        return self.known

    def _group_of_two(self) -> Guarantee:
        return self


def alone(curve: TradeoffCurve) -> Found:
    return Found(TradeoffCurve(curve.power, curve.touching, curve.largest))


def normal(mu: float) -> Found:
    return Found(
        TradeoffCurve(lambda x: ndtr(ndtri(x) + mu), lambda e: ndtr(-e / mu - mu / 2.0), math.inf)
    )


def arguments(question: str, size: float) -> np.ndarray:
    return SHARES * size if question.startswith(("delta", "tail")) else CHANCES


def wrong(question: str, x: np.ndarray, answer: Answer, truth: Any) -> list[Any]:
    """Answers on the wrong side of the truth."""
    found = []
    for at, value in zip(x.tolist(), np.ravel(answer.value).tolist(), strict=True):
        known = judge(truth, question, exact(at))
        assert known is not None
        missed = known.below if question == "level" else known.above
        if missed(exact(value)):
            found.append((at, value))
    return found


@pytest.mark.parametrize(("mu", "question"), [*product(MUS, ASKED)])
def test_closed_forms_are_outwards_and_close(mu, question):
    """Never beyond the truth, and the truth not 4e-12 of them away: from both directions."""
    x = arguments(question, mu)
    answer = ASKED[question](LaplaceDP(mu, **A), x)
    truth = Doubled(exact(mu))
    assert answer.bound == "exact"
    assert wrong(question, x, answer, truth) == []
    nearer = answer.value * (1.0 + 4e-12 if question == "level" else 1.0 - 4e-12)
    steep = (answer.value < 1e-300) | (x == mu) | (question == "delta") & (x > 0.99 * mu)
    steep |= (question == "level") & (answer.value == x)
    steep |= (question == "epsilon") & (x > 1.0 - np.exp(-mu / 2.0) - 1e-3 * mu)  # no epsilon left
    steep |= (answer.value == 1.0) & (question != "epsilon")
    steep |= (mu > 500.0) & (x == 1.0)  # e^-5000 beside 1: the balls do not tell
    moved = replace(answer, value=np.where(steep, 0.0, nearer)[~steep])
    assert len(wrong(question, x[~steep], moved, truth)) == np.count_nonzero(~steep)


@pytest.mark.parametrize(("mu", "question"), [*product(MUS, ASKED)])
def test_what_is_found_is_never_on_the_wrong_side(mu, question):
    """Of a Laplace curve without its closed forms."""
    x = arguments(question, mu)
    answer = ASKED[question](alone(LaplaceDP(mu, **A)._curve), x)
    assert wrong(question, x, answer, Doubled(exact(mu))) == []


class Logistic:
    """Two logistic distributions that are c apart: true alarms have e^c the odds of false ones."""

    def __init__(self, c: arb) -> None:
        self.c = c

    def power(self, x: arb) -> arb:
        return x * self.c.exp() / (1 + x * self.c.expm1())

    def delta(self, e: arb) -> arb:
        """At the level where the slope e^c / (1 + (e^c - 1) x)^2 is e^epsilon."""
        if not e < self.c:
            return arb(0)
        x = ((self.c - e) / 2).expm1() / self.c.expm1()
        return (self.power(x) - e.exp() * x).nonnegative_part()

    def top(self) -> arb:
        return self.c


def logistic(c: float) -> Found:
    return Found(
        TradeoffCurve(
            lambda x: 1.0 / (1.0 + np.exp(-c) * (1.0 - x) / x),
            lambda e: np.expm1((c - e) / 2.0) / np.expm1(c),
            c,
        )
    )


@pytest.mark.parametrize(("c", "question"), [*product((1e-6, 0.1, 1.0, 8.0, 60.0), ASKED)])
def test_two_logistic_distributions(c, question):
    """A curve that no class here has."""
    x = arguments(question, c)
    answer = ASKED[question](logistic(c), x)
    assert wrong(question, x, answer, Logistic(exact(c))) == []


@pytest.mark.parametrize("question", ASKED)
def test_what_is_found_is_close(question):
    """To a few digits of rounding, where T(x) - e^epsilon x and 1 - T(x) have not cancelled."""
    x = np.array([0.05, 0.3, 0.6]) if question not in ("delta", "tail") else np.array([0.1, 0.5])
    for curve, known in (
        (alone(LaplaceDP(1.0, **A)._curve), LaplaceDP(1.0, **A)),
        (normal(1.0), GaussianDP(1.0, **A)),
    ):
        ours, truth = (np.asarray(ASKED[question](g, x).value) for g in (curve, known))
        assert np.allclose(ours, truth, rtol=1e-11, atol=1e-13), (ours, truth)


def test_a_wrong_side_is_seen():
    """What is taken from an answer is missed, and what is added to a level."""
    truth, g, x = Doubled(exact(1.0)), LaplaceDP(1.0, **A), np.array([0.2, 0.3])
    for question, ask in ASKED.items():
        answer = ask(g, x)
        off = answer.value * (1.0 + 1e-9 if question == "level" else 1.0 - 1e-9)
        assert len(wrong(question, x, replace(answer, value=off), truth)) == 2, question


@pytest.mark.parametrize("mu", MUS)
def test_ends(mu):
    g = LaplaceDP(mu, **A)
    assert g.delta([mu, math.inf]).value.tolist() == [0.0, 0.0]
    assert g.epsilon([0.0, 1.0]).value.tolist() == [mu, 0.0]
    assert g.power([0.0, 1.0]).value.tolist() == g.level([0.0, 1.0]).value.tolist() == [0.0, 1.0]
    assert g.tail([0.0, mu], sides="one").value.tolist() == [1.0, 0.0]
    assert g.loss_bound([0.0, 1.0], sides="one").value.tolist() == [mu, 0.0]


def test_it_is_the_curve_of_the_mechanism():
    """Of one run the mechanism's own bracket; of ten the same losses."""
    mechanism, promise = Laplace(2.0, 1.0, **A), LaplaceDP(0.5, **A)
    low, high = mechanism.loss().delta([0.0, 0.2, 0.4]).bracket
    found = promise.delta([0.0, 0.2, 0.4]).value
    assert np.all((low <= found) & (found <= np.asarray(high) * (1.0 + 1e-12)))
    ten = compose([promise], [10])
    assert ten.lossy == ()
    assert ten.epsilon(1e-6).value == compose([mechanism], [10]).epsilon(1e-6).value
    assert found[0] < PureDP(0.5, **A).delta(0.0).value


def test_two_steps_are_twice_as_far():
    """The curve applied twice is that of twice the distance: P[X > t] at 0, mu and 2 mu."""
    x = np.array([1e-6, 0.01, 0.2, 0.5, 0.8, 0.999])
    once, twice = LaplaceDP(0.7, **A), LaplaceDP(0.7, **A).for_neighbors("replace-one")
    assert twice == LaplaceDP(1.4, neighbors="replace-one")
    assert np.allclose(once.power(once.power(x).value).value, twice.power(x).value, rtol=1e-13)


@pytest.mark.parametrize("mu", [720.0, 1480.0, 1e4])
def test_laplace_curves_whose_slopes_are_beyond_all_floats(mu):
    """Level + power = 1 where level = e^(-mu / 2) / 2, so there the loss is mu / 2 + log 2."""
    g = LaplaceDP(mu, neighbors="replace-one")
    assert np.all(g.tail([710.0, 0.999 * mu], sides="one").value >= [1.0 - 1e-2, 0.5])
    assert g.tail(np.inf).value == 0.0
    found = g.loss_bound(1.0).value
    assert mu / 2.0 + np.log(2.0) <= found <= (mu / 2.0 + np.log(2.0)) * (1.0 + 1e-13)


@pytest.mark.parametrize("mu", [711.0, 740.0, 744.8, 745.0, 760.0])
@pytest.mark.parametrize("level", [5e-324, 1e-322, 3e-318, 2e-308, 1e-300])
def test_laplace_power_at_the_smallest_levels(mu, level):
    """1 - e^-mu / (4 x) where e^mu x is beyond 1/2, in as many digits as one has."""
    steep = arb(mu).exp() * arb(level)
    truth = steep if steep < 0.5 else 1 - 1 / (4 * steep)
    found = arb(LaplaceDP(mu, **A).power(level).value)
    assert truth <= found <= truth + (1 - truth).min(truth) * arb(4e-12) + 40 * arb(2) ** -53
