"""P1: power of tests, posteriors with and without a record, and its printed formulas."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any, Final

import numpy as np

from dprisk.allocation import census2020
from dprisk.allocation.allocations import Allocation
from dprisk.curves.lines import Line
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.probabilistic import ProbabilisticallyBoundedDP
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import ZeroConcentratedDP
from dprisk.mechanisms import Gaussian
from dprisk.papers.census_figures import FIGURES, census_figure, census_table, exposure_of
from dprisk.papers.constructions import not_convex
from dprisk.papers.prints import Assertion, Explained, Formula
from dprisk.papers.reproduction import Made, printed_in
from dprisk.risk import enumerate_world
from dprisk.risk.counterfactual import counterfactual
from dprisk.table import NumberTable
from dprisk.text.rounding import at_most

NEIGHBORS: Final[Any] = "replace-one"
RHO: Final = 2.63
LEVELS: Final = ("0.01", "0.05", "0.10")
EPSILONS: Final = ("0.1", "0.5", "1", "2", "4")
CONVEX: Final = "Section 6.4: all definitions are convex, so that bounds on power survive mixing"
POINT: Final = (1.01, 0.02)  # Example 5.6


def table_1() -> Made:
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
    return Made(found, NumberTable(("level", *(f"epsilon = {each}" for each in EPSILONS)), rows))


def section_5_3() -> Made:
    """A normal loss: of mean mu^2/2 and variance mu^2."""
    from scipy.special import ndtr

    limit, mu = 3.0, math.sqrt(2.0 * RHO)
    noise = Gaussian(sigma=1.0 / mu, sensitivity=1.0, neighbors=NEIGHBORS).loss()
    ours = noise.tail(limit, sides="one", post_processing=False).value
    beyond = [float(ndtr((mu**2 / 2.0 - loss) / mu)) for loss in (math.exp(limit), limit)]
    found = {"the chance that is bounded": Formula(beyond[0], ours, beyond[1])}
    bound = ZeroConcentratedDP(RHO, neighbors=NEIGHBORS).tail(limit, sides="one").value
    return Made.of(
        found,
        f"The bound for zCDP there is {at_most(bound, 4)}. It holds for anything computed "
        "from the output.",
    )


def section_7_4_2() -> Made:
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
    table = NumberTable.of(
        {"order": orders, "bound by Markov's inequality": np.exp(np.minimum(markov, 0.0))}
    )
    return Made(
        found,
        table,
        remark=(
            "With two coins instead of Markov's inequality, delta is at most "
            f"{at_most(sharper, 4)}."
        ),
    )


def example_5_6() -> Made:
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
    return Made.of(
        found,
        "At that level, this one promise allows no test of two neighbors a power above "
        f"{at_most(most, 4)}.",
    )


def example_7_1() -> Made:
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


NOISES: Final = ("Gaussian noise", "discrete Gaussian noise", "any mechanism")
POINTS: Final = {"power": 401}  # of a line, by what it shows; 101 for all others
ACCURACY: Final = 1e-6  # nats, of the curves; the tables are more accurate
WHOLE: Final = "rho of the whole release"
BLOCKS: Final = "rho of block-level queries"


def _powers(number: int) -> Made:
    """Table 2 or 6: what is simulated in the paper is exact here, in brackets."""
    columns = census_table(number)
    found: dict[str, Any] = {}
    rows: list[tuple[float, ...]] = []
    for n, level in enumerate(LEVELS):
        ends = [_ends(column, n) for column in columns]
        for name, pair in zip(NOISES, ends, strict=True):
            found[f"level {level}, {name}"] = pair
        rows.append((float(level), *(end for pair in ends for end in pair)))
    names = [f"{name}, at {which}" for name in NOISES for which in ("least", "most")]
    return Made(found, NumberTable(("level", *names), tuple(rows)))


def _ends(column: Line, n: int) -> tuple[float, float]:
    high = float(column.value[n])
    return (high if column.lower is None else float(column.lower[n])), high


table_2, table_6 = partial(_powers, 2), partial(_powers, 6)


# --- the tables of the allocation ----------------------------------------------------------------


def table_3() -> Made:
    census = census2020()
    found: dict[str, Any] = {part: _sum(census, part) for part in ("persons", "housing units")}
    found["sum (text)"] = census.total
    return Made(found, _exactly(found))


def table_4() -> Made:
    census = census2020()
    found: dict[str, Fraction] = {}
    for part in ("persons", "housing units"):
        for level in census.levels:
            found[f"{level}, {part}"] = _sum(census, part, level) / _sum(census, part)
        found[f"all levels, {part}"] = sum(
            (found[f"{level}, {part}"] for level in census.levels), Fraction(0)
        )
    return Made(found, _exactly(found))


def table_5() -> Made:
    census = census2020()
    found: dict[str, Any] = {}
    for query in census.queries:
        if query.part == "persons":
            level = str(query.level)
            share = query.amount / _sum(census, "persons", level)
            found[f"{query.name}, cells"] = query.cells
            found[f"{query.name}, {level}"] = share
            total = found.get(f"all queries, {level}", Fraction(0))
            found[f"all queries, {level}"] = total + share
    return Made(found, _exactly(found))


def _sum(census: Allocation, part: str, level: str | None = None) -> Fraction:
    kept = (q for q in census.queries if q.part == part and level in (None, q.level))
    return sum((query.amount for query in kept), Fraction(0))


def _exactly(found: dict[str, Any]) -> NumberTable:
    """Table of quantities, as fractions and as numbers."""
    rows = tuple((name, str(each), float(each)) for name, each in found.items())
    return NumberTable(("quantity", "exact", "value"), rows)


def section_8_1() -> Made:
    def cost(query: str, level: str) -> Fraction:
        return next(q.amount for q in census2020().queries if (q.name, q.level) == (query, level))

    asked = (
        ("OCCUPANCY", "county"),
        ("VOTINGAGE * CENRACE", "state"),
        ("VOTINGAGE * CENRACE", "county"),
    )
    found = {f"{query} in a {level}": cost(query, level) for query, level in asked}
    return Made(found, _exactly(found))


# --- scenarios -----------------------------------------------------------------------------------


def _scenario(name: str, label: str) -> dict[str, Any]:
    """rho and the powers of normal noise; where a print differs, with what explains it."""
    exposure = exposure_of(name)
    rhos = exposure.amount, exposure.explained or exposure.amount
    ours = {"rho": rhos[0]} | _normal_powers(rhos[0])
    slips = {"rho": rhos[1]} | _normal_powers(rhos[1])
    prints = printed_in("P1", label)
    return {
        what: Explained(ours[what], slips[what]) if prints[what].correct else ours[what]
        for what in prints
    }


def _normal_powers(rho: Fraction) -> dict[str, Any]:
    """P1, Section 8.3."""
    noise = GaussianDP(math.sqrt(2.0 * rho), neighbors=NEIGHBORS)
    return {f"power at level {level}": noise.power(float(level)) for level in LEVELS}


def scenario(name: str) -> Made:
    """Scenario C, D, G or H, which have no figure."""
    return Made.of(_scenario(name, f"Scenario {name}"))


# --- figures -------------------------------------------------------------------------------------


def figure(which: str) -> Made:
    """A figure about the 2020 Census."""
    number = int(which)
    kind, name = FIGURES[number]
    lines = census_figure(number, points=POINTS.get(kind, 101), accuracy=ACCURACY)
    lines = (*lines, *_as_printed(number, lines[0]))
    label = f"Figure {number}"
    if number == 1:
        found: dict[str, Any] = {"variance of the noise": _variance()}
    elif WHOLE in printed_in("P1", label) or BLOCKS in printed_in("P1", label):
        found = dict.fromkeys(printed_in("P1", label), exposure_of(name).amount)
    else:
        found = _scenario(name, label) if printed_in("P1", label) else {}
    return Made(found, _points(lines), {"": partial(_draw, lines)})


def _variance() -> Formula:
    """Variance of normal noise on a query of sensitivity one that costs rho."""
    whole = exposure_of("")
    mu = whole.gaussian().parameters["mu"]
    rho = float(whole.amount)
    return Formula(1.0 / rho, 1.0 / mu**2, 1.0 / (2.0 * rho))


def _as_printed(number: int, like: Line) -> Iterator[Line]:
    """The line for the rho that is printed, where the tables add up to another one."""
    kind, scenario = FIGURES[number]
    if scenario not in ("E", "F"):
        return
    printed = printed_in("P1", {"E": "Figure 12", "F": "Figure 14"}[scenario])["rho"].text
    noise = GaussianDP(math.sqrt(2.0 * float(printed)), neighbors=NEIGHBORS)
    if kind == "power":
        answer = noise.power(like.x)
    else:
        learned = counterfactual(noise, adversary="true-record")
        answer = learned.exceeding(np.exp(like.x))
    name = f"normal noise at the printed {printed}"
    value = np.asarray(answer.value)
    yield Line(name, like.kind, like.x, None, value, answer.bound, answer.theorem)


def _points(lines: tuple[Line, ...]) -> NumberTable:
    columns: dict[str, Any] = {"level" if lines[0].kind == "power" else "epsilon": lines[0].x}
    for line in lines:
        if line.lower is not None and not np.array_equal(line.lower, line.value):
            columns[f"{line.name}, at least"] = line.lower
        columns[f"{line.name}, at most"] = line.value
    return NumberTable.of(columns)


def _draw(lines: tuple[Line, ...]) -> Any:
    from dprisk.curves import draw_lines

    return draw_lines(*lines)
