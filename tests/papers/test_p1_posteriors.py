"""P1, Section 7: the curves of Figures 3 to 5, the slip at its end, and Example 7.1."""

from __future__ import annotations

import math
from typing import Any

import pytest
from mpmath import mp, mpf

from dprisk import GaussianDP, ZeroConcentratedDP, counterfactual
from dprisk.risk import enumerate_world
from tests.papers.p1 import EXAMPLE_7_1, FIGURES_3_TO_5

R: Any = {"neighbors": "replace-one"}
RHO = 2.63
SEARCH = 1 + 1e-7  # a search over orders ends a little above its infimum


def four(value: Any) -> str:
    return f"{float(value):.4g}".replace("0.", ".", 1) if value >= 1e-4 else f"{float(value):.4g}"


def true_record(epsilon: float) -> Any:
    """delta with epsilon = log(delta / Phi(Phi^-1(delta) - mu)), by bisection at 30 digits."""
    mu = mp.sqrt(2 * mpf(RHO))

    def cdf(x: Any) -> Any:
        return mp.erfc(-x / mp.sqrt(2)) / 2

    x = mp.findroot(lambda x: mp.log(cdf(x) / cdf(x - mu)) - epsilon, (-12, 6), solver="anderson")
    return cdf(x)


@pytest.mark.parametrize("epsilon", FIGURES_3_TO_5)
def test_figures_3_to_5(epsilon):
    """Theorem 7.4.1 and 7.4.2 by the formulas of the paper, "Theorem 3" for Gaussian noise."""
    known = mp.exp(-((mpf(epsilon) + mpf(RHO)) ** 2) / (4 * mpf(RHO)))
    any_prior = mp.exp(-((mpf(epsilon) - mpf(RHO)) ** 2) / (4 * mpf(RHO)))
    true = true_record(epsilon)
    printed = FIGURES_3_TO_5[epsilon]
    assert tuple(map(four, (known, true, any_prior))) == printed
    census, normal = ZeroConcentratedDP(RHO, **R), GaussianDP(math.sqrt(2 * RHO), **R)

    def ours(guarantee: Any, adversary: Any) -> float:
        learned = counterfactual(guarantee, adversary=adversary)
        return float(learned.exceeding(math.exp(epsilon)))

    assert ours(normal, "true-record") == pytest.approx(float(true), rel=1e-9)
    assert ours(census, "rest-known") <= float(known) * SEARCH
    assert ours(census, "arbitrary-prior") <= float(any_prior) * SEARCH
    assert ours(census, "rest-known") == pytest.approx(float(known), rel=0.08)


def test_end_of_section_7_4_2():
    """e^-((epsilon - rho^2) / (4 rho)) is no probability; with the square outside it is."""
    epsilon = 5.0
    assert math.exp(-(epsilon - RHO**2) / (4 * RHO)) > 1.19
    correct = math.exp(-((epsilon - RHO) ** 2) / (4 * RHO))
    learned = counterfactual(ZeroConcentratedDP(RHO, **R), adversary="arbitrary-prior")
    assert 0.9 * correct < learned.exceeding(math.exp(epsilon)).value < correct < 1.0


def test_example_7_1():
    """1 / (1 + 99 e^(-101.3 + 1/2)) over .01, at the output 101.3."""
    world = enumerate_world(
        {(1, *[0] * 99): 0.01, (0,) * 100: 0.99},
        lambda data: [-((101.3 - sum(data)) ** 2) / 2],
        outputs=[101.3],
        given="log-densities",
    )
    jessie = world.records.index(1)
    actual, other = world.actual()[jessie, 0], world.counterfactual()[jessie, 0]
    assert actual == 1 / (1 + 99 * math.exp(-101.3 + 0.5))
    assert f"{actual:.3g}" == EXAMPLE_7_1["actual"]
    assert f"{other:.2f}".removeprefix("0") == EXAMPLE_7_1["counterfactual"]
    assert EXAMPLE_7_1["ratio"] == f"almost {world.ratio()[jessie, 0]:.0f}"
