"""Composition: order does not matter, and the whole is never stronger than a part."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

from dprisk import (
    ApproxDP,
    ApproxDPCurve,
    GaussianDP,
    PrivacyLoss,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from dprisk.accountant.refinement import MEMORY
from dprisk.composition import compose
from dprisk.composition.composing import _with_orders_first, by_orders, dominating
from dprisk.errors import InvalidInput, Meaningless
from dprisk.mechanisms import DiscreteGaussian
from tests.oracles import finite

A: Any = {"neighbors": "add-remove"}
MIXTURES = [
    [PureDP(0.1, **A), PureDP(0.7, **A), PureDP(1e-9, **A)],
    [PureDP(0.1, **A), ApproxDP(0.3, 1e-6, **A), ApproxDP(1.1, 1e-9, **A)],
    [PureDP(0.1, **A), ProbabilisticDP(0.3, 1e-6, **A), ApproxDP(1.1, 1e-9, **A)],
    [GaussianDP(0.3, **A), GaussianDP(1.7, **A), GaussianDP(1e-6, **A)],
    [ZeroConcentratedDP(0.1, **A), GaussianDP(0.3, **A), PureDP(0.7, **A)],
    [ZeroConcentratedDP(0.1, xi=0.2, **A), ZeroConcentratedDP(0.3, delta=1e-6, **A)],
    [RenyiDP([2.0, 5.0], [0.1, 0.4], **A), RenyiDP([5.0, 9.0], [0.2, 0.6], **A)],
]
CHANCES = np.array([0.0, 1e-12, 1e-3, 0.2, 0.8, 1.0])


@pytest.mark.parametrize("parts", MIXTURES, ids=lambda parts: parts[0].definition)
def test_order_does_not_matter(parts):
    """The same numbers to the last bit."""
    first = compose(parts).guarantee.parameters
    for order in itertools.permutations(parts):
        assert compose(order).guarantee.parameters == first


@pytest.mark.parametrize("parts", MIXTURES, ids=lambda parts: parts[0].definition)
def test_the_whole_is_never_stronger_than_a_part(parts):
    """Power and profile of the composition lie above those of each release."""
    whole = compose(parts).guarantee
    for part in parts:
        if part.power(0.5).bound == "exact":
            assert np.all(whole.power(CHANCES).value >= part.power(CHANCES).value * (1 - 1e-9))
        if part.delta(1.0).bound == "exact":
            e = np.array([0.0, 0.5, 2.0])
            assert np.all(whole.delta(e).value >= part.delta(e).value * (1 - 1e-9))


@pytest.mark.parametrize("parts", MIXTURES, ids=lambda parts: parts[0].definition)
def test_counts_are_repetitions(parts):
    """Twice each is the list twice."""
    counted = compose(parts, [2] * len(parts)).guarantee
    listed = compose([*parts, *parts]).guarantee
    e = np.array([0.0, 0.5, 2.0])
    assert np.allclose(counted.delta(e).value, listed.delta(e).value, rtol=1e-9)
    if not isinstance(counted, PrivacyLoss):
        for name, value in counted.parameters.items():
            assert np.allclose(value, listed.parameters[name], rtol=1e-14)


def test_sums_are_not_below_the_exact_sum():
    """Many small parts: the total is rounded up, not away."""
    epsilons = [0.1, 0.7, 1e-3, 1e-9, 0.3] * 7
    parts = [PureDP(e, **A) for e in epsilons]
    total = compose(parts, rule="simple").guarantee.stated_epsilon
    assert Fraction(total) >= sum(map(Fraction, epsilons))
    assert total <= float(sum(map(Fraction, epsilons))) * (1 + 1e-13)


@pytest.mark.parametrize("count", [2, 3, 12, 46233536])
@pytest.mark.parametrize("value", [0.1, 0.23, 1.6e-6, 0.25, 0.0033837969877093888])
def test_parameters_are_added_without_rounding(value, count):
    """In rational arithmetic, of the floats as they are given; then to the next float above."""

    def simple(part):
        return compose([part], [count], rule="simple").guarantee

    exact = count * Fraction(value)
    for total in (
        simple(PureDP(value, **A)).stated_epsilon,
        simple(ApproxDP(value, 1e-9, **A)).stated_epsilon,
        simple(ZeroConcentratedDP(value, **A)).rho,
        simple(ZeroConcentratedDP(0.5, xi=value, **A)).xi,
        simple(RenyiDP(2.0, value, **A)).gamma[0],
    ):
        assert Fraction(math.nextafter(total, 0.0)) < exact <= Fraction(total) or total == exact
    delta = Fraction(simple(ApproxDP(1.0, value, **A)).stated_delta)
    assert delta == 1 if exact >= 1 else exact <= delta <= exact * (1 + Fraction(1, 2**52))
    mu = simple(GaussianDP(value, **A)).mu
    square = count * Fraction(value) ** 2
    assert Fraction(math.nextafter(mu, 0.0)) ** 2 < square <= Fraction(mu) ** 2
    mixed = compose([GaussianDP(value, **A), PureDP(value, **A)], [count, 1], rule="simple")
    assert square / 2 <= Fraction(mixed.guarantee.rho)


def test_sums_that_are_floats_are_kept():
    simple = [compose([PureDP(0.25, **A)], [40], rule="simple").guarantee.stated_epsilon]
    assert simple == [10.0] and compose([GaussianDP(0.75, **A)], [16]).guarantee.mu == 3.0
    endless = compose([PureDP(math.inf, **A), PureDP(1.0, **A)], rule="simple").guarantee
    assert endless.stated_epsilon == math.inf
    assert compose([PureDP(1e308, **A)], [9], rule="simple").guarantee.stated_epsilon == math.inf


def test_products_of_finite_mechanisms_keep_the_composition():
    """Two coins, released together: every outcome of the product, exactly."""
    first = finite.distribution((3, 1)), finite.distribution((1, 1))
    second = finite.distribution((2, 5)), finite.distribution((3, 4))
    both = tuple(tuple(x * y for x in a for y in b) for a, b in zip(first, second, strict=True))

    def pure(pair):
        e = max(finite.largest_log_ratio(pair), finite.largest_log_ratio(pair[::-1]))
        return PureDP(e, **A)

    whole = compose([pure(first), pure(second)]).guarantee
    for pair in (both, both[::-1]):
        for g in (Fraction(1), Fraction(3, 2), Fraction(3)):
            assert (
                float(finite.profile(pair, g)) <= whole.delta(float(np.log(float(g)))).value + 1e-15
            )
    for a in (1.5, 4.0):
        limits = [max(finite.renyi(p, a), finite.renyi(p[::-1], a)) for p in (first, second)]
        total = compose([RenyiDP(a, float(x), **A) for x in limits]).guarantee.gamma[0]
        assert max(finite.renyi(both, a), finite.renyi(both[::-1], a)) <= total * (1 + 1e-15)


def test_different_promises_are_all_answers_written_out():
    """Of 2, 1 and 3 mechanisms: every row of right, wrong and revealed answers, by itself."""
    parts, counts = [PureDP(0.05, **A), PureDP(1.1, **A), ApproxDP(0.4, 1e-3, **A)], [2, 1, 3]
    whole = compose(parts, counts).guarantee
    answers = []
    for part, count in zip(parts, counts, strict=True):
        revealed = part.parameters.get("delta", 0.0)
        right = (1.0 - revealed) / (1.0 + math.exp(-part.stated_epsilon))
        row = [(right, 1.0 - revealed - right), (1.0 - revealed - right, right), (revealed, 0.0)]
        answers.extend([row] * count)
    for epsilon in (0.0, 0.3, 1.0, 2.0):
        found, exact = whole.delta(epsilon).bracket, 0.0
        for row in itertools.product(*answers):
            p, q = (math.prod(each) for each in zip(*row, strict=True))
            exact += max(p - math.exp(epsilon) * q, 0.0)
        assert found == pytest.approx((exact, exact), rel=1e-12)
        low, high = whole.epsilon(found[1]).bracket
        assert low <= epsilon * (1.0 + 1e-12) and high == pytest.approx(epsilon, abs=1e-11)


def test_edges():
    """One release stays as it is; nothing, zero and unlike neighbors are refused."""
    assert compose([PureDP(1.0, **A)]).guarantee == PureDP(1.0, **A)
    assert compose([PureDP(0.0, **A)], [7]).guarantee.delta(0.0).value == 0.0
    assert compose([PureDP(0.0, **A)], [7], rule="simple").guarantee.stated_epsilon == 0.0
    assert compose([ApproxDP(1.0, 0.6, **A)], [3], rule="simple").guarantee.stated_delta == 1.0
    assert compose([ApproxDP(1.0, 0.6, **A)], [3]).guarantee.delta(9.0).value >= 1 - 0.4**3
    for parts, counts in (
        ([], None),
        ([PureDP(1.0, **A)], [0]),
        ([PureDP(1.0, **A)], [1.5]),
        ([PureDP(1.0, **A)], [True]),
        ([PureDP(1.0, **A)], [1, 2]),
    ):
        with pytest.raises(InvalidInput):
            compose(parts, counts)
    with pytest.raises(Meaningless):
        compose([PureDP(1.0, **A), PureDP(1.0, neighbors="replace-one")])


@pytest.mark.parametrize("rule", ["simple", "advanced", "optimal"])
def test_no_rule_beats_the_best(rule):
    """At any delta that leaves room for the slack."""
    parts, counts = [PureDP(0.05, **A), ApproxDP(0.1, 1e-9, **A)], [200, 30]
    best = compose(parts, counts).guarantee
    other = compose(parts, counts, rule=rule, slack=1e-6 if rule == "advanced" else None)
    for delta in (1e-3, 1e-5, 1.1e-6):
        assert best.epsilon(delta).value <= other.guarantee.epsilon(delta).value * (1 + 1e-9)


def test_lossy_parts_are_named():
    """Only what has no losses of its own is weakened."""
    done = compose([ZeroConcentratedDP(0.1, **A), PureDP(0.5, **A), GaussianDP(0.1, **A)])
    assert done.lossy
    assert not compose([PureDP(0.5, **A), GaussianDP(0.1, **A)]).lossy
    assert "approximate" in compose([ProbabilisticDP(0.5, 1e-6, **A), PureDP(1, **A)]).lossy[0]


def test_rules_refuse_what_they_are_not_for():
    """And say which rule is."""
    for rule in ("advanced", "optimal"):
        with pytest.raises(Meaningless, match="best"):
            compose([GaussianDP(1.0, **A)], [3], rule=rule, slack=1e-6)
    with pytest.raises(InvalidInput, match="slack"):
        compose([PureDP(1.0, **A)], [3], rule="advanced")
    with pytest.raises(InvalidInput, match="rule"):
        compose([PureDP(1.0, **A)], [3], rule="optimum")
    with pytest.raises(InvalidInput, match="accuracy"):
        compose([PureDP(1.0, **A)], [3], accuracy=0.0)


def test_many_promises_by_curves_where_replacing_has_no_direction():
    """The worst pair of each is its own reverse: all 4^9 outcomes, and those that reveal."""
    whole_p, whole_q, curves = np.ones(1), np.ones(1), []
    for a in np.linspace(0.05, 0.2, 9):
        steep, gentle = math.exp(2.0 * a), math.exp(a)
        much, little = 0.01 + a / 20.0, a / 50.0
        first = (much - little) / (steep - gentle)
        second = (1.0 - much) / (1.0 + gentle) - first
        p = np.array([steep * first, gentle * second, second, first])
        q = np.array([first, second, gentle * second, steep * first])
        assert p.sum() + little == pytest.approx(1.0, abs=1e-14)
        whole_p, whole_q = (np.outer(x, y).ravel() for x, y in ((whole_p, p), (whole_q, q)))
        curves.append(ApproxDPCurve([a, 2.0 * a], [much, little], neighbors="replace-one"))
    found = compose(curves).guarantee
    for epsilon in (0.0, 0.3, 1.0, 2.0):
        shown = 1.0 - whole_p.sum() + np.maximum(whole_p - math.exp(epsilon) * whole_q, 0.0).sum()
        low, high = found.delta(epsilon).bracket
        assert low * (1.0 - 1e-11) <= shown <= high * (1.0 + 1e-11)  # the sum has its own rounding
        assert high - low <= 1e-6


@pytest.mark.parametrize("rho", [1e-4, 0.01, 0.05, 0.1, 0.5, 0.5000000000000001, 3.0])
def test_promises_by_curves_are_their_own_reverse(rho):
    """To the last bit, a loss of zero included: only one direction is worked out."""
    ((pair, _),), _ = dominating(ZeroConcentratedDP(rho, neighbors="add-remove"))
    assert pair.symmetric


@pytest.mark.parametrize("rho", [150.0, 300.0, 450.0, 500.0, 540.0, 560.0, 1000.0, 5e7])
def test_promises_far_beyond_floats_dominate_normal_noise(rho):
    """Noise that keeps rho-zCDP: e^epsilon times a level is no float any more."""
    ((pair, _),), _ = dominating(ZeroConcentratedDP(rho, neighbors="add-remove"))
    whole = compose([PrivacyLoss([pair], neighbors="add-remove")], [1]).guarantee
    for epsilon in (700.0, 740.0, 760.0, 900.0, 1500.0):
        with mpmath.workdps(40):
            mu = mpmath.sqrt(2 * mpmath.mpf(rho))
            own = mpmath.ncdf(mu / 2 - epsilon / mu)
            shown = own - mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)
        assert float(whole.delta(epsilon)) >= shown
    log_delta = -40.0
    assert float(whole.epsilon(math.exp(log_delta))) >= rho
    if rho <= 1000.0:  # and not far above what zCDP allows: its first conversion
        loosest = rho + 2.0 * math.sqrt(-rho * log_delta)
        assert float(whole.epsilon(math.exp(log_delta))) <= loosest


def test_the_best_of_several_ways_is_found_by_few_tests():
    """Divergences are read only where they may be better; what comes of it is the same."""
    zcdp, curve = ZeroConcentratedDP(0.3, **A), RenyiDP([2.0, 8.0, 32.0], [0.1, 0.5, 2.0], **A)
    for parts in ([PureDP(1.0, **A), zcdp], [PureDP(0.1, **A), curve], [zcdp, curve]):
        assert float(compose(parts).guarantee.epsilon(1e-9)) <= min(
            float(done.guarantee.epsilon(1e-9))
            for done in (
                by_orders(parts, [1, 1]),
                _with_orders_first(parts, [1, 1], (None, MEMORY)),
            )
            if done is not None
        )


def test_divergences_that_promise_nothing_are_left_out():
    """Some orders of noise that tells nearly all are beyond 1e9; the others still count."""
    noise = DiscreteGaussian(1.5, 1000, **A)
    whole = compose([noise, ZeroConcentratedDP(0.3, **A)], [7, 1]).guarantee
    alone = compose([noise], [7]).guarantee
    assert float(whole.epsilon(1e-3)) >= float(alone.epsilon(1e-3)) * (1.0 - 1e-12)
    assert float(whole.delta(1.0)) == pytest.approx(1.0)
