"""P3: Theorem 1, its corollary, and the comparison of Wood et al."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from dprisk import PureDP, disclosure
from dprisk.risk import independent_posterior, independent_ratio, with_participation


@pytest.mark.parametrize("e", [0.1, 1.0, 3.0])
def test_theorem_1_by_bayes_over_the_worst_mechanisms(e):
    """Likelihoods within e^+-epsilon of the one without the record, at their worst."""
    g = PureDP(e, neighbors="add-remove")
    grid = np.exp(e * np.array([-1.0, -0.5, 0.0, 0.5, 1.0]))
    for p, q in itertools.product((0.05, 0.5, 0.9), (0.1, 0.5, 0.99)):
        bound = independent_ratio(g, p, q)
        ratios = []
        for inside, other in itertools.product(
            grid, grid
        ):  # over the likelihood without the record
            total = p * q * inside + p * (1 - q) * other + (1 - p)
            ratios.append(inside / total)
        assert max(ratios) == pytest.approx(bound.upper.value, rel=1e-12)
        assert min(ratios) == pytest.approx(bound.lower.value, rel=1e-12)
        assert bound.upper.value <= math.exp(2 * e)


def test_the_ends_of_theorem_1():
    """q = 1 is the informed adversary's bound on membership, p = 1 that of Wood et al."""
    g = PureDP(1.3, neighbors="add-remove")
    p = np.array([0.0, 1e-12, 0.1, 0.5, 1.0])
    assert np.allclose(independent_ratio(g, p, 1.0).upper.value, disclosure(g).ratio(p).upper.value)
    whole = independent_posterior(g, 1.0, p)
    assert np.allclose(whole.upper.value, with_participation(g, p).upper.value, rtol=1e-12)
    assert np.allclose(whole.lower.value, with_participation(g, p).lower.value, rtol=1e-12)


def test_wood_bound():
    """a / (a + e^(-2 epsilon) (1 - a))."""
    for e, a in itertools.product((0.0, 0.5, 40.0), (0.0, 0.1, 0.9, 1.0)):
        exact = a / (a + math.exp(-2 * e) * (1 - a)) if a else 0.0
        found = with_participation(PureDP(e, neighbors="add-remove"), a).upper.value
        assert found == pytest.approx(exact, rel=1e-13)


def test_equation_83_lacks_a_term():
    """With e^(-2 epsilon) (1 - p) the corollary follows: less than 1 / p."""
    e, p = 1.0, 0.9
    with_term = 1 / (p + math.exp(-2 * e) * (1 - p))
    assert with_term < 1 / p
