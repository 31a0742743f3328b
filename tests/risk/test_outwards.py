"""Every end of an answer lies on its own side of the truth, and close to it: against 400 digits.

The doubles that are put in are taken as they are. Below 1e-300 only the side is asked for.
"""

from __future__ import annotations

import itertools
import math

import pytest
from mpmath import mp, mpf

from dprisk import ApproxDP, PureDP, counterfactual, disclosure
from dprisk.risk import attack
from dprisk.risk.closed_forms import (
    implied_by_difference,
    implied_by_posterior,
    implied_by_ratio,
    independent_posterior,
    independent_ratio,
    with_participation,
)

A = {"neighbors": "add-remove"}
EPSILONS = (0.0, 5e-324, 1e-17, 1.1e-9, 0.1, math.log(3.0), 5.0, 36.7, 700.0, 720.5, 745.2, 1.3e3)
PRIORS = (0.0, 5e-324, 1e-310, 1e-200, 1e-17, 0.1, 0.5, 1 / 3, 0.97, 1.0 - 2.0**-53, 1.0)
SOME = (0.0, 1e-310, 1e-17, 0.3, 1.0 - 2.0**-53, 1.0)
CLOSE = mpf("2e-14")


@pytest.fixture(autouse=True)
def digits():
    with mp.workdps(400):
        yield


def holds(answer, truth, side, close=CLOSE):
    """On the right side; exact where the truth is 0, 1 or nothing moves; else close by."""
    value = mpf(float(answer)) if math.isfinite(float(answer)) else mp.inf
    if mp.isinf(truth) or value == truth:
        assert value == truth or side == "lower", (answer, truth)
        return
    assert value >= truth if side == "upper" else value <= truth, (answer, mp.nstr(truth, 25))
    if close is not None and abs(truth) > 1e-300 and not (mp.isinf(value) and truth > 1.7e308):
        assert abs(value - truth) <= close * abs(truth), (answer, mp.nstr(truth, 25))


def shifted(p, factor):
    """Posterior for a factor on the odds, and its complement's."""
    return p * factor / (p * factor + (1 - p))


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_beliefs(epsilon):
    """Posterior, ratios, difference and odds under pure DP (P0, Theorems 3.2 to 3.5)."""
    moved, grow = disclosure(PureDP(epsilon, **A)), mp.exp(mpf(epsilon))
    holds(moved.odds().upper, grow, "upper")
    holds(moved.odds().lower, 1 / grow, "lower")
    holds(moved.difference().upper, mp.tanh(mpf(epsilon) / 4), "upper")
    for prior in PRIORS:
        p = mpf(prior)
        for factor, end in ((grow, "upper"), (1 / grow, "lower")):
            posterior = shifted(p, factor)
            holds(getattr(moved.posterior(prior), end), posterior, end)
            holds(getattr(moved.difference(prior), end), posterior - p, end)
            holds(getattr(moved.ratio(prior), end), factor / (p * factor + (1 - p)), end)
            other = "lower" if end == "upper" else "upper"
            holds(getattr(moved.ratio_not(prior), other), 1 / (p * factor + (1 - p)), other)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_nothing_moves(epsilon):
    """Certainties, and a release that says nothing: no rounding at all."""
    moved, still = disclosure(PureDP(epsilon, **A)), disclosure(PureDP(0.0, **A))
    for prior in PRIORS:
        ends = still.posterior(prior)
        assert ends.lower.value == ends.upper.value == prior
        assert still.difference(prior).upper.value == still.difference(prior).lower.value == 0.0
        assert still.ratio(prior).upper.value == still.ratio_not(prior).lower.value == 1.0
    for prior in (0.0, 1.0):
        assert moved.posterior(prior).lower.value == moved.posterior(prior).upper.value == prior
    assert moved.ratio(1.0).upper.value == moved.ratio_not(0.0).upper.value == 1.0


@pytest.mark.parametrize("epsilon", [e for e in EPSILONS if e <= 700.0])
def test_independent_records(epsilon):
    """P3, Theorem 1 and Equation 45."""
    known, grow = PureDP(epsilon, **A), mp.exp(mpf(epsilon))
    for first, second in itertools.product(SOME, SOME):
        p, q = mpf(first), mpf(second)
        ratio = independent_ratio(known, first, second)
        belief = independent_posterior(known, first, second)
        for factor, end in ((1 / grow, "upper"), (grow, "lower")):
            truth = 1 / (q * p + factor**2 * (1 - q) * p + factor * (1 - p))
            if epsilon <= 350.0:
                holds(getattr(ratio, end), truth, end)
                holds(getattr(belief, end), p * q * truth, end)
    for prior in PRIORS:
        ends = with_participation(known, prior)
        holds(ends.upper, shifted(mpf(prior), grow**2), "upper")
        holds(ends.lower, shifted(mpf(prior), grow**-2), "lower")


@pytest.mark.parametrize("prior", [p for p in PRIORS if 0.0 < p < 1.0])
def test_converses(prior):
    """The guarantee that is implied is never too strong."""
    p = mpf(prior)
    for posterior in (prior, math.nextafter(prior, 1.0), prior + 0.4 * (1 - prior)):
        if prior <= posterior < 1.0:
            x = mpf(posterior)
            truth = mp.log(x / (1 - x)) - mp.log(p / (1 - p))
            found = implied_by_posterior(prior, posterior, **A)
            holds(found.parameters["epsilon"], truth, "upper")
    if prior > 1e-300:
        ratio = implied_by_ratio(1.0 / prior, **A)
        holds(ratio.parameters["epsilon"], mp.log(mpf(1.0 / prior)), "upper")
    found = [each.parameters["epsilon"] for each in implied_by_difference(prior, **A)]
    truths = [2 * mp.log((1 + p) / (1 - p))]
    truths += [mp.log((1 + 2 * p) / (1 - 2 * p))] if prior < 0.5 else []
    for ours, truth in zip(found, truths, strict=True):
        holds(ours, truth, "upper")


@pytest.mark.parametrize("delta", [0.0, 1e-12, 0.2])
@pytest.mark.parametrize("epsilon", [0.0, 1e-17, 1e-6, 0.3, 4.0, 40.0])
def test_beliefs_after_an_alarm(epsilon, delta):
    """Bayes' rule on the power of P1, Theorem 6.2."""
    tested, grow, d = attack(ApproxDP(epsilon, delta, **A)), mp.exp(mpf(epsilon)), mpf(delta)
    levels = (5e-324, 1e-200, 1e-17, 0.01, 0.6, 1.0 - 2.0**-53, 1.0)
    for level, prior in itertools.product(levels, (1e-17, 0.1, 0.5, 1.0 - 2.0**-53)):
        x, p = mpf(level), mpf(prior)
        power = min(grow * x + d, 1 - (1 - d - x) / grow, 1) if x < 1 - d else mpf(1)
        close = None if level < 1e-300 else CLOSE * 4
        holds(
            tested.predictive_value(level, prior),
            p * power / (p * power + (1 - p) * x),
            "upper",
            close,
        )
        if level < 1.0:
            silent = (1 - p) * (1 - x)
            truth = silent / (silent + p * (1 - power))
            holds(tested.negative_predictive_value(level, prior), truth, "upper", close)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_with_and_without_a_record(epsilon):
    """The largest ratio, and beliefs with the rest known and for any prior at all."""
    promise, grow = PureDP(epsilon, neighbors="replace-one"), mp.exp(mpf(epsilon))
    known = counterfactual(promise, adversary="true-record")
    wrong = counterfactual(promise, adversary="wrong-prior")
    holds(known.ratio(), grow, "upper")
    for prior in PRIORS:
        b = mpf(prior)
        holds(known.belief(prior), shifted(b, grow), "upper")
        close = CLOSE if epsilon < 709.0 else None  # a ratio beyond the range of a float
        holds(wrong.belief(prior), min(b * grow, 1 - (1 - b) / grow), "upper", close)


@pytest.mark.parametrize("epsilon", [0.0, 1e-9, 0.3, 5.0, 20.0, 36.0, 50.0])
def test_where_the_advantage_is_reached(epsilon):
    """1 / (1 + e^epsilon) lies in the bracket, also where the advantage is nearly 1."""
    low, high = attack(PureDP(epsilon, **A)).best_level().bracket
    assert mpf(low) <= 1 / (1 + mp.exp(mpf(epsilon))) <= mpf(high)
    assert high - low < 1e-13
