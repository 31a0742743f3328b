"""P4: the area that delta is, and what merging outputs does to probabilistic DP."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import Any, Final

import numpy as np

from dprisk.audit import Growth, audit
from dprisk.curves.mechanisms import TwoOutputs, two_outputs
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.pure import PureDP
from dprisk.mechanisms import Laplace, Mechanism, PairOfDistributions, RandomizedResponse
from dprisk.papers import constructions
from dprisk.papers.constructions import Separation
from dprisk.papers.on_numbers import bounded_penalty, fixed_delta
from dprisk.papers.prints import Assertion, Formula
from dprisk.papers.reproduction import Made
from dprisk.table import NumberTable
from dprisk.text import english
from dprisk.text.rounding import at_most

NEIGHBORS: Final[Any] = "replace-one"
LITTLE: Final = 0.1  # epsilon of the one-bit mechanism
BINS: Final = 80


def one_bit() -> Made:
    growth = Fraction(math.exp(LITTLE))
    exact = audit(constructions.one_bit(Growth(growth)).mechanism).exact
    promise = PureDP(LITTLE, neighbors=NEIGHBORS)
    tv = promise.delta(0.0).value
    loose = [
        bool(promise.delta(e).value <= math.exp(LITTLE) - math.exp(e))
        for e in np.linspace(0.0, 0.99 * LITTLE, 34)
    ]
    found = {
        "total variation": Formula(float((growth - 1) / (growth + 1)), tv),
        "which is about epsilon/2": tv,
        "the ratio is e^epsilon more often than not": Assertion(
            exact.delta(growth * Fraction(99, 100), kind="pdp").value
            == growth / (1 + growth)
            > Fraction(1, 2)
            and exact.delta(1).value == (growth - 1) / (growth + 1)
        ),
        "delta at epsilon0 < epsilon, for every mechanism with epsilon-DP": Assertion(all(loose)),
    }
    more = f"{1.0 + math.exp(LITTLE):.4g}"
    return Made.of(
        found,
        "The last bound holds but is not the least. Randomized response is the worst "
        f"case, and its delta is smaller by the factor 1 + e^epsilon, here {more}. For "
        "larger epsilon the bound exceeds 1.",
    )


def single_outputs() -> Made:
    made = constructions.leaky(64).mechanism
    found = {
        "no output has more than 2^-6 on any dataset": Assertion(
            max(map(max, made.rows)) <= Fraction(1, 64)
        ),
        "yet the two datasets are told apart without error": Assertion(
            audit(made).exact.delta(1).value == 1
        ),
    }
    table = NumberTable.of(
        {
            "output": list(range(128)),
            "secret 0": made.row("0").tolist(),
            "secret 1": made.row("1").tolist(),
        }
    )
    return Made(found, table)


def theorem_1() -> Made:
    growth, delta = Fraction(2), Fraction(1, 100)
    made = constructions.four_outcomes(Growth(growth), delta)
    if made.map is None:
        raise AssertionError
    after = made.map.apply(made.mechanism)
    exact, then = audit(made.mechanism).exact, audit(after).exact
    printed = delta + growth * (1 - delta) / (1 + growth)
    found = {
        "before: probabilistic DP": Assertion(exact.delta(growth, kind="pdp").value == delta),
        "after: probability of the merged output": Formula(printed, after.rows[0][0]),
        "after: no probabilistic DP": Assertion(then.delta(growth, kind="pdp").value > delta),
        "after: still approximate DP": Assertion(then.delta(growth).value <= delta),
    }
    table = NumberTable.of(
        {
            "output": ["1 and 3", "2", "0"],
            "M(0)": list(map(str, after.rows[0])),
            "M(1)": list(map(str, after.rows[1])),
        }
    )
    return Made(found, table)


def definition_6() -> Made:
    mechanism = RandomizedResponse(1.0, 2, neighbors=NEIGHBORS)
    alpha = 2.0
    p = math.e / (1.0 + math.e)
    a, b = np.array([p, 1.0 - p]), np.array([1.0 - p, p])
    printed = math.log(np.sum(a / b)) / (alpha - 1.0)
    correct = math.log(np.sum(a**alpha * b ** (1.0 - alpha))) / (alpha - 1.0)
    found = {"divergence": Formula(printed, float(mechanism.renyi(alpha)), correct)}
    return Made.of(found)


# --- Figure 1 ------------------------------------------------------------------------------------


def _pairs() -> dict[str, tuple[Mechanism, float]]:
    """Three pairs, and for each the logarithm of the largest finite ratio of the two."""
    laplace = Laplace(1.0, 1.0, neighbors=NEIGHBORS)
    x = (np.arange(BINS) + 0.5) / BINS * 10.0 - 4.0
    bumps = [
        0.6 * np.exp(-((x - at) ** 2)) + 0.4 * np.exp(-np.abs(x - at - 2.5) / 0.7) + 0.03
        for at in (0.0, 0.6)
    ]
    normal = [
        np.where(np.abs(x - at) <= 3.0, np.exp(-((x - at) ** 2) / 2.0), 0.0) for at in (0.0, 1.0)
    ]
    irregular, truncated = (
        PairOfDistributions(*(each / each.sum() for each in pair), neighbors=NEIGHBORS)
        for pair in (bumps, normal)
    )
    return {
        "(a) Laplace": (laplace, 1.0),
        "(b) irregular": (irregular, _largest(irregular)),
        "(c) truncated normal": (truncated, _largest(truncated)),
    }


def _largest(pair: PairOfDistributions) -> float:
    p, q = np.array(pair.p), np.array(pair.q)
    seen = (p > 0.0) & (q > 0.0)
    return float(np.max(np.abs(np.log(p[seen] / q[seen]))))


def figure_1() -> Made:
    drawn = {}
    for name, (mechanism, epsilon) in _pairs().items():
        for scaled, e in (("epsilon", epsilon), ("epsilon'", epsilon / 2.0)):
            drawn[f"{name}, {scaled} = {e:.3g}"] = two_outputs(mechanism, e, name=name)
    rows = [
        (caption, *row)
        for caption, outputs in drawn.items()
        for row in zip(
            outputs.x.tolist(),
            outputs.first.tolist(),
            outputs.second.tolist(),
            outputs.scaled.tolist(),
            strict=True,
        )
    ]
    areas = [
        f"{caption}: {at_most(float(outputs.delta.value), 4)}" for caption, outputs in drawn.items()
    ]
    remark = f"The area above is delta. It is at most: {'; '.join(areas)}."
    table = NumberTable(("picture", "output", "B", "A", "A scaled up"), tuple(rows))
    pictures = {
        caption: partial(
            _draw, each, [other for other in drawn.values() if other.name == each.name]
        )
        for caption, each in drawn.items()
    }
    return Made({}, table, pictures, remark)


def _draw(outputs: TwoOutputs, beside: list[TwoOutputs]) -> Any:
    """Both pictures of a pair share their scales."""
    from dprisk.curves import draw_delta_area

    return draw_delta_area(outputs, beside=beside)


EPSILON: Final = 1.0
DELTA: Final = 0.01


def lemma_2_3() -> Made:
    known = ApproxDP(EPSILON, DELTA, neighbors="replace-one")
    failure = np.unique(np.concatenate([np.geomspace(0.0101, 1.0, 200), [0.02, 0.5]]))
    exact = known.loss_bound(failure, sides="one")
    lemma = EPSILON - np.log1p(-DELTA / failure)
    excluded = EPSILON + np.log1p(DELTA / failure)
    found: dict[str, Any] = {}
    for g in (0.02, 0.5):
        printed = EPSILON - math.log1p(-DELTA / g)
        ours = known.loss_bound(g, sides="one").value
        found[f"epsilon-hat at g = {g}"] = Formula(printed, ours)
    name = "no smaller epsilon-hat than epsilon + ln(1 + delta/g) at g = 0.02 (Theorem 3.3)"
    least = known.loss_bound(0.02, sides="one").value
    found[name] = Assertion(bool(least >= EPSILON + math.log1p(DELTA / 0.02)))
    table = NumberTable.of(
        {"g": failure, "Lemma 2.3": lemma, "excluded below": excluded, "exact": exact.value}
    )
    corner = (math.exp(EPSILON) + DELTA) / (1.0 + math.exp(EPSILON))
    return Made(
        found,
        table,
        remark=(
            "Theorem 3.3 leaves no gap to the lemma: the lemma is attained up to g = "
            f"{corner:.4f}. Beyond that, the truth is smaller than the lemma says."
        ),
    )


def theorem_3_2() -> Made:
    made = fixed_delta(Growth(2), "1/10", beyond=Growth("21/10"))
    return _made(made, "papers.p2.theorem-3-2", "delta")


def theorem_3_3() -> Made:
    made = bounded_penalty("1/2", "1/10", 2, beyond="3/4")
    return _made(made, "papers.p2.theorem-3-3", "delta'")


def _made(made: Separation, remark: str, delta: str) -> Made:
    """Claims that a construction keeps and breaks, with its probabilities as exact fractions."""
    often = "delta" if delta == "delta" else f"g({delta})"
    found = {
        f"it keeps (epsilon, {delta}) approximate DP": Assertion(
            all(claim.holds(made.mechanism) for claim in made.keeps)
        ),
        f"its privacy loss exceeds epsilon-hat with more than {often}": Assertion(
            not any(claim.holds(made.mechanism) for claim in made.breaks)
        ),
    }
    columns: dict[str, Any] = {"output": list(made.mechanism.outputs)}
    for label, row in zip(made.mechanism.datasets[:2], made.mechanism.rows, strict=False):
        columns[f"probability on input {label}"] = list(map(str, row))
    numbers = made.parameters
    words = {"n": numbers["n"], "p": numbers["p"], "q": numbers["q"]}
    said = english(remark, **words, delta=f"{float(numbers['delta']):.6f}")
    return Made(found, NumberTable.of(columns), remark=said)
