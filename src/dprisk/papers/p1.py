"""P1: power of tests, posteriors with and without a record, and its printed formulas."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

import numpy as np

from dprisk.guarantees.bounded import ProbabilisticallyBoundedDP
from dprisk.guarantees.concentrated import ZeroConcentratedDP
from dprisk.guarantees.pure import PureDP
from dprisk.mechanisms import Gaussian
from dprisk.papers.examples import not_convex
from dprisk.papers.p1_census import CENSUS
from dprisk.papers.prints import Assertion, Formula
from dprisk.papers.reproduction import Made
from dprisk.risk import enumerate_world
from dprisk.risk.counterfactual import counterfactual
from dprisk.table import Table
from dprisk.text import english
from dprisk.text.rounding import at_most

NEIGHBORS: Final[Any] = "replace-one"
RHO: Final = 2.63
LEVELS: Final = ("0.01", "0.05", "0.10")
EPSILONS: Final = ("0.1", "0.5", "1", "2", "4")
CONVEX: Final = "Section 6.4: all definitions are convex, so that bounds on power survive mixing"
POINT: Final = (1.01, 0.02)  # Example 5.6


def _table_1() -> Made:
    found = {
        f"level {level}, epsilon {each}": PureDP(float(each), neighbors=NEIGHBORS).power(
            float(level)
        )
        for level in LEVELS
        for each in EPSILONS
    }
    rows = tuple(
        (float(level), *(float(found[f"level {level}, epsilon {each}"]) for each in EPSILONS))
        for level in LEVELS
    )
    return Made(found, Table(("level", *(f"epsilon = {each}" for each in EPSILONS)), rows))


def _section_5_3() -> Made:
    """A normal loss: of mean mu^2/2 and variance mu^2."""
    from scipy.special import ndtr

    limit, mu = 3.0, math.sqrt(2.0 * RHO)
    noise = Gaussian(sigma=1.0 / mu, sensitivity=1.0, neighbors=NEIGHBORS).loss()
    ours = noise.tail(limit, sides="one", post_processing=False).value
    beyond = [float(ndtr((mu**2 / 2.0 - loss) / mu)) for loss in (math.exp(limit), limit)]
    found = {"the chance that is bounded": Formula(beyond[0], ours, beyond[1])}
    bound = ZeroConcentratedDP(RHO, neighbors=NEIGHBORS).tail(limit, sides="one").value
    return Made.of(found, english("papers.p1.zcdp", bound=at_most(bound, 4)))


def _section_7_4_2() -> Made:
    """The bound of the theorem, re-derived as the least of Markov's over orders (Theorem 7.4.2)."""
    limit = 5.0
    printed = math.exp(-(limit - RHO**2) / (4.0 * RHO))
    correct = math.exp(-((limit - RHO) ** 2) / (4.0 * RHO))
    order = (limit + RHO) / (2.0 * RHO)
    orders = 1.0 + np.geomspace(1e-3, 1e3, 200)
    markov = (orders - 1.0) * (RHO * orders - limit)
    best = math.exp((order - 1.0) * (RHO * order - limit))
    census = ZeroConcentratedDP(RHO, neighbors=NEIGHBORS)
    learned = counterfactual(census, adversary="arbitrary-prior")
    sharper = learned.exceeding(math.exp(limit)).value
    found = {"delta": Formula(printed, best, correct)}
    table = Table.of(
        {"order": orders, "bound by Markov's inequality": np.exp(np.minimum(markov, 0.0))}
    )
    return Made(found, table, remark=english("papers.p1.coins", bound=at_most(sharper, 4)))


def _example_5_6() -> Made:
    """A test of the toss: it says yes on one output of each mechanism, at times."""
    odds = Fraction(math.e)
    likely, unlikely = odds / (1 + odds), 1 / (1 + odds)
    half, rarely = Fraction(1, 2), Fraction(5, 100)
    level = half * unlikely * rarely
    power = half * likely * rarely + half * Fraction(1, 100)
    point = ProbabilisticallyBoundedDP(*POINT, neighbors=NEIGHBORS)
    most = point.power(float(level)).value
    made = not_convex()
    kept = all(promise.holds(part) for part in made.parts for promise in made.parts_keep)
    found = {
        "level of the test, below": level,
        "its power, above": power,
        "both mechanisms keep (1.01, 0.02)-pbdp": Assertion(kept),
        CONVEX: Assertion(float(power) <= most, correct=kept and float(power) > most),
    }
    return Made.of(found, english("papers.p1.point", bound=at_most(most, 4)))


def _example_7_1() -> Made:
    world = enumerate_world(
        {(1, *[0] * 99): 0.01, (0,) * 100: 0.99},
        lambda data: [-((101.3 - sum(data)) ** 2) / 2.0],
        outputs=[101.3],
        given="log-densities",
    )
    jessie = world.records.index(1)
    found = {
        "posterior with the record, about": float(world.actual()[jessie, 0]),
        "posterior without the record": float(world.counterfactual()[jessie, 0]),
        "their ratio, almost": float(world.ratio()[jessie, 0]),
    }
    return Made.of(found)


MAKERS: Final[dict[str, Callable[[], Made]]] = {
    "Table 1": _table_1,
    "Section 5.3": _section_5_3,
    "Section 7.4.2": _section_7_4_2,
    "Example 5.6": _example_5_6,
    "Example 7.1": _example_7_1,
    **CENSUS,
}
