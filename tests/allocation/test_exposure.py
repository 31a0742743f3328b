"""Guarantees for a concern, against formulas and against sums over all outcomes."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from dprisk import GaussianDP, PrivacyLoss, PureDP, ZeroConcentratedDP
from dprisk._numeric.exact import root_up, rounded_up
from dprisk.allocation import census2020
from dprisk.errors import Meaningless
from dprisk.mechanisms import Geometric, Laplace
from tests.allocation.tables import single, town

TESTED = np.array([0.01, 0.05, 0.3])


def best_power(p, q, level):
    """The most of P over sets of outcomes with that much of Q: by falling likelihood ratio."""
    order = np.argsort(q / p, kind="stable")
    p, q = np.cumsum(p[order]), np.cumsum(q[order])
    return np.interp(level, np.concatenate([[0.0], q]), np.concatenate([[0.0], p]))


def noise_on_two_cells(rho, reach=25):
    """One query: a cell loses a record, another gains one; P and Q over both cells, by hand."""
    variance = 1.0 / rho
    k = np.arange(-reach, reach + 1)
    weights = np.exp(-(k**2) / (2 * variance))
    moved = np.exp(-((k - 1) ** 2) / (2 * variance))
    other = np.exp(-((k + 1) ** 2) / (2 * variance))
    p, q = np.outer(moved, other).ravel(), np.outer(weights, weights).ravel()
    return p / p.sum(), q / q.sum()


@pytest.mark.parametrize("rho", [0.1, 0.7])
def test_one_query_by_all_its_outcomes(rho):
    """sigma^2 = 1 / rho on each of two cells that move by one, in opposite directions."""
    whole = single("rho", rho, noise="discrete-gaussian").exposure("a").exact(1e-9)
    low, high = whole.power(TESTED).bracket
    truth = best_power(*noise_on_two_cells(rho), TESTED)
    assert np.all((low - 1e-9 <= truth) & (truth <= high + 1e-9))
    assert np.all(high - low < 1e-6)


def test_two_queries_by_all_their_outcomes():
    """Four cells, two widths: the likelihood ratios of all quadruples of outcomes."""
    first, second = (noise_on_two_cells(rho, 9) for rho in (0.9, 2.0))
    p, q = (np.outer(a, b).ravel() for a, b in zip(first, second, strict=True))
    whole = single("rho", 0.9, 2.0, noise="discrete-gaussian").exposure().exact(1e-7)
    low, high = whole.power(TESTED).bracket
    truth = best_power(p, q, TESTED)
    assert np.all((low - 1e-5 <= truth) & (truth <= high + 1e-5))


def test_a_single_number_has_less_noise():
    """One cell carries all of rho: sigma^2 = 1 / (2 rho)."""
    one = single("rho", 0.5, noise="discrete-gaussian", moves=1).exposure().exact(1e-9)
    k = np.arange(-30, 31)
    p, q = (np.exp(-((k - by) ** 2) / 2.0) for by in (1, 0))
    truth = best_power(p / p.sum(), q / q.sum(), TESTED)
    assert np.asarray(one.power(TESTED)) == pytest.approx(truth, abs=1e-8)
    two = single("rho", 0.5, noise="discrete-gaussian").exposure().exact(1e-9)
    assert float(two.power(0.3)) != pytest.approx(truth[2], abs=1e-4)


@pytest.mark.parametrize(("noise", "make"), [("laplace", Laplace), ("geometric", Geometric)])
def test_epsilon_of_several_cells(noise, make):
    """Each of two cells costs half of epsilon."""
    whole = single("epsilon", "1/2", noise=noise).exposure()
    assert whole.promise() == PureDP(0.5, neighbors="replace-one")
    cell = make(4.0, 1, neighbors="replace-one").losses()
    twice = PrivacyLoss([cell], [2], neighbors="replace-one")
    found, truth = (np.asarray(g.power(TESTED)) for g in (whole.exact(1e-9), twice))
    assert found == pytest.approx(truth, abs=1e-7)
    assert np.all(found <= np.asarray(whole.promise().power(TESTED)) + 1e-12)


def test_epsilons_without_noise_are_the_worst_case():
    """Of all mechanisms that keep 1/2 and 1/2, two coins of randomized response are the worst."""
    whole = single("epsilon", "1/2", "1/2").exposure()
    assert whole.promise() == PureDP(1.0, neighbors="replace-one")
    e = math.exp(0.5)
    p = np.array([e * e, e, e, 1.0]) / (1 + e) ** 2
    assert np.asarray(whole.exact().power(TESTED)) == pytest.approx(
        best_power(p, p[::-1], TESTED), abs=1e-9
    )


def test_gaussian_noise_is_exact():
    for made in (single("rho", 2, 0.5, noise="gaussian"), single("mu", 2, 1, noise="gaussian")):
        whole = made.exposure()
        assert whole.exact() == whole.gaussian() == GaussianDP(5**0.5, neighbors="replace-one")
    powers = ndtr(ndtri(TESTED) + 5**0.5)
    assert np.asarray(whole.exact().power(TESTED)) == pytest.approx(powers, rel=1e-12)
    assert single("mu", 2, 1).exposure().promise().parameters == {"mu": 5**0.5}


def test_what_the_table_does_not_say():
    with pytest.raises(Meaningless, match="does not say which noise"):
        single("rho", 1).exposure().exact()
    with pytest.raises(Meaningless, match="do not say what Gaussian noise"):
        single("epsilon", 1).exposure().gaussian()


def test_promises_are_rounded_up():
    whole = town().exposure("income", "town within region")
    assert whole.amount == Fraction(1, 20) + Fraction(3, 100) + Fraction(1, 10)
    rho = whole.promise().parameters["rho"]
    assert Fraction(rho) >= whole.amount
    assert isinstance(whole.promise(), ZeroConcentratedDP)
    for amount in (Fraction(1, 3), Fraction(2, 3), Fraction(10) ** -300, Fraction(5)):
        assert amount <= Fraction(rounded_up(amount)) <= amount * (1 + Fraction(1, 10**15))
        assert amount <= Fraction(root_up(amount)) ** 2 <= amount * (1 + Fraction(1, 10**14))
    assert rounded_up(Fraction(0)) == root_up(Fraction(0)) == 0.0


@pytest.mark.parametrize("rho", ["1e-12", "1e-100", "50", "1000000"])
def test_extreme_amounts(rho):
    """From nothing but noise to as good as none."""
    whole = single("rho", rho, noise="discrete-gaussian").exposure()
    low, high = whole.exact().power(0.05).bracket
    assert 0.0 <= low <= high <= 1.0
    assert high <= float(whole.promise().power(0.05)) + 1e-6


def test_brackets_are_narrow_enough_for_a_table():
    """1e-5 in power for every scenario: at most a tenth of that, in fact."""
    for scenario in census2020().scenarios:
        whole = census2020().exposure(*scenario.concerns).exact()
        low, high = whole.power([0.01, 0.05, 0.1]).bracket
        assert np.max(high - low) < 1e-6, scenario.name
        normal = census2020().exposure(*scenario.concerns).gaussian().power([0.01, 0.05, 0.1])
        assert np.max(np.abs(high - np.asarray(normal))) < 1e-6, scenario.name


def test_plain_data():
    data = town().exposure("income").to_dict()
    assert (data["amount"], data["amount_exact"], data["share"]) == (0.13, "13/100", 0.65)
    assert [q["query"] for q in data["queries"]] == ["income", "income by sex"]
    assert repr(town()) == "<Allocation of town: 5 queries, zcdp>"
