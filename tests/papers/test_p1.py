"""P1: Table 1, Table 2, the five curves of Figure 1, and Example 5.6."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

from dprisk import GaussianDP, ProbabilisticallyBoundedDP, PureDP, ZeroConcentratedDP
from dprisk.papers import verdict
from tests.oracles import finite
from tests.papers.p1 import EPSILONS, TABLE_1, TABLE_2

R: Any = {"neighbors": "replace-one"}
RHO = 2.63
SEARCH = 1 + 1e-7  # a search over orders ends a little above its infimum


def rounded(value: float, printed: str) -> str:
    digits = len(printed.partition(".")[2])
    return f"{value:.{digits}f}".removeprefix("0")


@pytest.mark.parametrize("level", TABLE_1)
@pytest.mark.parametrize("i", range(5))
def test_table_1(level, i):
    """min(e^epsilon l, 1 - e^-epsilon (1 - l)): two slips of the pen, one number rounded twice."""
    printed, e = TABLE_1[level][i], EPSILONS[i]
    formula = min(math.exp(e) * level, 1 - math.exp(-e) * (1 - level))
    wrong = {(0.05, 0.5): "erratum", (0.01, 4.0): "erratum", (0.05, 2.0): "rounding"}
    assert verdict(printed, formula) == wrong.get((level, e), "match") == printed.expected
    assert PureDP(e, **R).power(level).value == pytest.approx(formula, rel=1e-13)


@pytest.mark.parametrize("level", TABLE_2)
def test_table_2(level):
    """Gaussian noise with mu = sqrt(2 rho), and the bound for every rho-zCDP mechanism."""
    gaussian, _, bound = TABLE_2[level]
    assert rounded(GaussianDP(math.sqrt(2 * RHO), **R).power(level).value, gaussian) == gaussian
    assert rounded(ZeroConcentratedDP(RHO, **R).power(level).value, bound) == bound


def test_the_limit_of_order_one_binds_in_table_2():
    """At levels .05 and .10 the coins of the answer have a Kullback-Leibler divergence of rho."""
    for level in (0.05, 0.10):
        y = ZeroConcentratedDP(RHO, **R).power(level).value
        pair = (Fraction(level), 1 - Fraction(level)), (Fraction(y), 1 - Fraction(y))
        ways = [float(finite.renyi(way, 1)) for way in (pair, pair[::-1])]
        assert max(ways) == pytest.approx(RHO, rel=1e-8)


def test_five_curves_of_figure_1():
    """Gaussian noise of rho = 2.63: five different numbers, in this order, none of them swapped."""
    mu = math.sqrt(2 * RHO)
    normal, zcdp = GaussianDP(mu, **R), ZeroConcentratedDP(RHO, **R)
    for e in (6.0, 10.0, 14.0, 18.0):
        adp = normal.delta(e).value
        one = ndtr((mu * mu / 2 - e) / mu)  # the loss is N(mu^2 / 2, mu^2)
        both = one + ndtr((-e - mu * mu / 2) / mu)
        pbdp = normal.tail(e, sides="one").value
        markov = math.exp(-((e - RHO) ** 2) / (4 * RHO))
        assert adp < one < both < pbdp < zcdp.tail(e, sides="one").value <= markov * SEARCH
        assert adp == pytest.approx(one - math.exp(e) * ndtr((-e - mu * mu / 2) / mu), rel=1e-9)


def test_pbdp_of_gaussian_noise_is_the_formula_of_section_5_2():
    """epsilon = log(delta / Phi(Phi^-1(delta) - mu)), there and back."""
    from scipy.special import ndtri

    mu = math.sqrt(2 * RHO)
    for d in (1e-10, 1e-3, 0.2):
        e = math.log(d / ndtr(ndtri(d) - mu))
        assert GaussianDP(mu, **R).loss_bound(d, sides="one").value == pytest.approx(e, rel=1e-11)
        assert GaussianDP(mu, **R).tail(e, sides="one").value == pytest.approx(d, rel=1e-9)


def test_example_5_6_pbdp_is_not_convex():
    """A toss between two (1.01, .02)-pbdp mechanisms is not: level .0068, power .023."""
    e, f = Fraction(math.e), Fraction(math.exp(1.01))
    first = ((e / (1 + e), 1 / (1 + e)), (1 / (1 + e), e / (1 + e)))
    second = ((Fraction(0), Fraction(1)), (Fraction(1, 100), Fraction(99, 100)))
    for pair in (first, second):
        for way in (pair, pair[::-1]):
            assert finite.merged_one(way, f) <= Fraction(2, 100)
    toss = tuple(tuple(p / 2 for p in (*a, *b)) for a, b in zip(first, second, strict=True))
    assert finite.merged_one(toss[::-1], f) > Fraction(2, 100)
    level, power = 0.5 / (1 + math.e) * 0.05, 0.5 * math.e / (1 + math.e) * 0.05 + 0.005
    assert level < 0.0068 < math.exp(-1.01) * 0.02
    assert power > 0.023
    kept = ProbabilisticallyBoundedDP(1.01, 0.02, **R)
    for pair in (first, second):
        for x in (Fraction(1, 1000), Fraction(1, 50), Fraction(1, 2)):
            assert float(finite.power(pair[::-1], x)) <= kept.power(float(x)).value * (1 + 1e-12)


def test_markov_is_never_smaller_than_two_coins():
    """Section 5.3: e^(-(epsilon - rho)^2 / (4 rho)), with the square on the whole bracket."""
    e = np.linspace(2.7, 40, 30)
    exact = ZeroConcentratedDP(RHO, **R).tail(e, sides="one").value
    assert np.all(exact <= np.exp(-((e - RHO) ** 2) / (4 * RHO)) * SEARCH)
