"""P3: the tables, the figures, Theorems 3 to 6 where they are right, and what they miss."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest

from dprisk.budget import (
    PosteriorLimit,
    RatioLimit,
    budget_curve,
    largest_epsilon,
    ratio_or_posterior,
    solve,
)
from dprisk.mechanisms import Geometric
from tests.papers.p3 import LEE_CLIFTON, SIMPLE, TABLE_3, TABLE_4


def row(epsilon):
    """A row of Tables 3 and 4, from Equations 2 and 3."""
    x = math.exp(-epsilon)
    exact = (1 - x) / (1 + x)
    return f"{epsilon:.2f}", f"{math.sqrt(2 * x) / (1 - x):.2f}", f"{100 * exact:.0f}%"


def eps(p, q, r):
    """Equation 35 in many digits, by the quadratic itself; None without a limit."""
    p, q, r = mpmath.mpf(p), mpmath.mpf(q), mpmath.mpf(r)
    a, b, c = p * (1 - q), 1 - p, 1 / r - p * q
    if c <= 0:
        return None
    return mpmath.log((mpmath.sqrt(b * b + 4 * a * c) + b) / (2 * c))


def infimum(ratio, p_span, q_span, count=400):
    """The least of Equation 36 by brute force, ends and their limits included."""
    spans = [np.unique(np.geomspace(max(a, 1e-14), b, count)) for a, b in (p_span, q_span)]
    spans = [np.union1d(s, np.linspace(s[0], s[-1], count)) for s in spans]
    p, q = np.meshgrid(*spans)
    return float(np.min(largest_epsilon(ratio(p, q), p, q).value))


@pytest.mark.parametrize("r", TABLE_3)
def test_table_3(r):
    budget = solve(ratio_or_posterior(r, 0.25, value_prior=1.0))
    assert row(budget.epsilon.value) == TABLE_3[r]
    assert str(budget.epsilon.theorem) == "P3 Theorem 6"


@pytest.mark.parametrize("a", TABLE_4)
def test_table_4(a):
    budget = solve(ratio_or_posterior(3.0, a, membership_prior=0.05))
    assert row(budget.epsilon.value) == TABLE_4[a]
    assert str(budget.epsilon.theorem) == "P3 Theorem 5"


def test_the_noise_is_that_of_the_geometric_mechanism():
    epsilon = solve(ratio_or_posterior(3.0, 0.25, value_prior=1.0)).epsilon.value
    noise = Geometric(scale=1.0 / epsilon, sensitivity=1, neighbors="add-remove")
    assert f"{noise.noise_sd:.2f}" == TABLE_3[3.0][1]


@pytest.mark.parametrize("r", SIMPLE)
def test_the_simple_profile_of_section_3_2(r):
    assert f"{solve(RatioLimit(r)).epsilon.value:.2f}" == SIMPLE[r]


def test_lee_and_clifton_in_section_5_1():
    printed, people, posterior = LEE_CLIFTON
    member = PosteriorLimit(posterior, membership_prior=1 / people, value_prior=1.0)
    assert f"{solve(member).epsilon.value:.2f}" == printed


def test_figure_1():
    """Both agencies: the lowest point of the curve is the budget, up to the step of the curve."""
    first = ratio_or_posterior(3.0, 0.1, membership_prior=0.05)
    second = ratio_or_posterior(3.0, 0.1, value_prior=1.0)
    for profile, along, other in ((first, "value_prior", 0.05), (second, "membership_prior", 1.0)):
        curve = budget_curve(profile, along, other)
        lowest = curve.priors[np.argmin(curve.epsilons)]
        assert abs(lowest - 0.1 / 3.0 / other) <= 0.005
        assert (
            curve.budget.epsilon.value
            <= np.min(curve.epsilons)
            <= 1.02 * float(curve.budget.epsilon)
        )
    assert np.isinf(curve.epsilons[-1])  # at p >= 1/3 the ratio of 3 limits nothing
    assert np.isfinite(curve.epsilons[curve.priors < 1 / 3]).all()


# --- Theorems 4 to 6, rederived ------------------------------------------------------------------


@pytest.mark.parametrize("r", [1.2, 3.0, 20.0])
@pytest.mark.parametrize(
    "box", [(0.0, 1.0, 0.0, 1.0), (0.2, 0.6, 0.05, 0.3), (0.0, 0.4, 0.5, 0.9), (0.3, 0.3, 1.0, 1.0)]
)
def test_theorem_4(r, box):
    """The least q, at the larger membership prior up to q = 1/(r + 1), else at the smaller."""
    p0, p1, q0, q1 = box
    p = p1 if q0 <= 1 / (r + 1) else p0
    known = eps(p, q0, r)
    found = solve(RatioLimit(r, (p0, p1), (q0, q1)))
    if known is None:
        return
    assert found.epsilon.value == pytest.approx(float(known), rel=1e-9)
    assert found.epsilon.value <= known
    brute = infimum(lambda p, q: np.full(p.shape, r), (p0, p1), (q0, q1))
    assert found.epsilon.value == pytest.approx(brute, rel=1e-3)


def test_theorem_4_has_no_value_where_nothing_is_limited():
    """At p q >= 1/r for all priors of the box the printed root is not above 1 - p."""
    p, q, r = 0.5, 0.8, 3.0
    under = (1 - p) ** 2 + 4 * p * (1 - q) * (1 / r - p * q)
    assert math.sqrt(under) - (1 - p) < 0.0
    budget = solve(RatioLimit(r, (p, 1.0), (q, 1.0)))
    assert budget.status == "no limit"


@pytest.mark.parametrize(("p", "a", "r"), [(0.05, 0.025, 3.0), (0.4, 0.7, 1.5), (0.9, 0.3, 2.0)])
def test_theorem_5(p, a, r):
    """The first case where a/p < r, at the kink q = a/(p r); otherwise the posterior as q -> 1."""
    found = solve(ratio_or_posterior(r, a, membership_prior=p)).epsilon.value
    if a / p < r:
        root = math.sqrt(r * r * (1 - p) ** 2 + 4 * (p * r - a) * (1 - a))
        printed = math.log(2 * (p * r - a) / (root - r * (1 - p)))
    else:
        printed = math.log(a * (1 - p) / (p * (1 - a)))
    assert found == pytest.approx(printed, rel=1e-9)
    brute = infimum(lambda p, q: np.maximum(a / (p * q), r), (p, p), (0.0, 1.0), 3000)
    assert found <= brute * (1 + 3e-10)
    assert found == pytest.approx(brute, rel=2e-3)


def test_the_second_agency_of_table_4_is_on_the_border_between_the_cases():
    """.15/.05 is below 3 in doubles; there the first case is 0/0, and the truth is the second."""
    p, a, r = 0.05, 0.15, 3.0
    assert a / p < r
    assert 2 * (p * r - a) == pytest.approx(0.0, abs=1e-15)
    truth = mpmath.log(
        mpmath.mpf("0.15") * mpmath.mpf("0.95") / (mpmath.mpf("0.05") * mpmath.mpf("0.85"))
    )
    found = solve(ratio_or_posterior(r, a, membership_prior=p)).epsilon.value
    assert found == pytest.approx(float(truth), rel=1e-9)


@pytest.mark.parametrize(
    ("q", "a", "r"), [(0.2, 0.1, 3.0), (0.5, 0.3, 3.0), (0.9, 0.1, 1.2), (1.0, 0.25, 6.0)]
)
def test_theorem_6_as_corrected(q, a, r):
    """First case: 1/r for r. Second: 4 a q (1 - q)(1 - a). Third as printed."""
    found = solve(ratio_or_posterior(r, a, value_prior=q)).epsilon.value
    if q <= 1 / (r + 1):
        known = 0.5 * math.log((1 - q) / (1 / r - q))
    elif q < 1:
        b = r * q - a
        root = math.sqrt(b * b + 4 * a * q * (1 - q) * (1 - a))
        known = math.log(2 * a * (1 - q) / (root - b))
    else:
        known = math.log((r - a) / (1 - a))
    assert found == pytest.approx(known, rel=1e-9)
    brute = infimum(lambda p, q: np.maximum(a / (p * q), r), (0.0, 1.0), (q, q), 3000)
    assert found <= brute * (1 + 3e-10)
    assert found == pytest.approx(brute, rel=2e-3)


def test_theorem_6_as_printed_is_another_number():
    """Equation 16, first case, and the middle case of 16 and 54."""
    q, a, r = 0.2, 0.1, 3.0
    truth = solve(ratio_or_posterior(r, a, value_prior=q)).epsilon.value
    assert (1 - q) / (r - q) < 1.0  # so that half its logarithm is negative
    assert 0.5 * math.log((1 - q) / (1 / r - q)) == pytest.approx(truth, rel=1e-9)
    for q, a, r in itertools.product((0.4, 0.5, 0.9), (0.1, 0.3), (3.0, 5.0)):
        b = r * q - a
        root = math.sqrt(b * b + 4 * q * (1 - q) * (1 - a))
        printed = math.log(2 * a * (1 - q) / (root - b))
        truth = solve(ratio_or_posterior(r, a, value_prior=q)).epsilon.value
        brute = infimum(lambda p, q: np.maximum(a / (p * q), r), (0.0, 1.0), (q, q), 1500)  # noqa: B023
        assert abs(printed - brute) > 0.1
        assert truth == pytest.approx(brute, rel=5e-3)


@pytest.mark.parametrize(("q", "a", "r"), [(0.1, 0.4, 3.0), (0.3, 0.95, 3.0)])
def test_theorem_6_where_the_kink_is_beyond_certain_membership(q, a, r):
    """With a > q r the posterior alone counts: half of log(a (1 - q) / (q (1 - a))) at p = 1."""
    assert a > q * r
    truth = 0.5 * math.log(a * (1 - q) / (q * (1 - a)))
    budget = solve(ratio_or_posterior(r, a, value_prior=q))
    assert budget.epsilon.value == pytest.approx(truth, rel=1e-9)
    assert budget.binding.membership_prior == 1.0
    brute = infimum(lambda p, q: np.maximum(a / (p * q), r), (0.0, 1.0), (q, q), 3000)
    assert budget.epsilon.value == pytest.approx(brute, rel=1e-6)
    first = 0.5 * math.log((1 - q) / (1 / r - q)) if 1 / r > q else math.inf
    assert first != pytest.approx(truth, rel=1e-3)


@pytest.mark.parametrize("q", [0.01, 0.1, 0.2])
def test_corollary_2(q):
    budget = solve(RatioLimit(3.0, membership_prior=1.0, value_prior=q))
    assert str(budget.epsilon.theorem) == "P3 Corollary 2"
    known = 0.5 * math.log((1 - q) / (1 / 3 - q))
    assert budget.epsilon.value == pytest.approx(known, rel=1e-9)


def test_lemma_3_and_lemma_4_by_differences():
    """A posterior binds more with either prior; a ratio less with q, with p depending on q."""
    step = 1e-6
    for p, q in itertools.product((0.05, 0.3, 0.7), (0.05, 0.2, 0.4)):
        a = p * q + 0.5 * (1 - p * q)
        at = eps(p, q, a / (p * q))
        assert eps(p + step, q, a / ((p + step) * q)) < at
        assert eps(p, q + step, a / (p * (q + step))) < at
        r = 2.0
        if p * q < 1 / r:
            at = eps(p, q, r)
            assert eps(p, q + step, r) > at
            along = eps(p + step, q, r) - at
            assert along < 0 if q < 1 / (1 + r) else along > 0
