"""P4: what delta is, and what merging outputs does to a promise."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, Final

import numpy as np

from dprisk.curves.outputs import TwoOutputs, two_outputs
from dprisk.explain.rounding import at_most
from dprisk.guarantees.pure import PureDP
from dprisk.mechanisms import Laplace, Mechanism, PairOfDistributions, RandomizedResponse
from dprisk.papers.pairs import Pair, loss_above, merged, profile
from dprisk.papers.prints import Claim, Formula
from dprisk.papers.reproduction import Made
from dprisk.papers.tables import listed
from dprisk.table import Table

__all__ = ["MAKERS", "four_outputs"]

NEIGHBORS: Final[Any] = "replace-one"
LITTLE: Final = 0.1  # epsilon of the one-bit mechanism
BINS: Final = 80


def four_outputs(growth: Fraction, delta: Fraction) -> Pair:
    """The example after Theorem 1: two outputs are possible on one side only."""
    rest = 1 - delta
    often, seldom = growth / (1 + growth) * rest, rest / (1 + growth)
    return (Fraction(0), often, seldom, delta), (delta, seldom, often, Fraction(0))


def _one_bit() -> Made:
    growth = Fraction(math.exp(LITTLE))
    p = growth / (1 + growth)
    pair = (p, 1 - p), (1 - p, p)
    promise = PureDP(LITTLE, neighbors=NEIGHBORS)
    tv = promise.delta(0.0).value
    loose = [
        bool(promise.delta(e).value <= math.exp(LITTLE) - math.exp(e))
        for e in np.linspace(0.0, 0.99 * LITTLE, 34)
    ]
    found = {
        "total variation": Formula(float((growth - 1) / (growth + 1)), tv),
        "which is about epsilon/2": tv,
        "the ratio is e^epsilon more often than not": Claim(
            loss_above(pair, growth * Fraction(99, 100)) == p > Fraction(1, 2)
            and profile(pair, Fraction(1)) == (growth - 1) / (growth + 1)
        ),
        "delta at epsilon0 < epsilon, for every mechanism with epsilon-DP": Claim(all(loose)),
    }
    more = 1.0 + math.exp(LITTLE)
    remark = (
        "The last bound holds but is not the least: the worst case, randomized response, has less "
        f"by the factor 1 + e^epsilon, here {more:.4g}. For larger epsilon the bound exceeds 1."
    )
    return Made(found, listed(found), remark=remark)


def _single_outputs() -> Made:
    each = Fraction(1, 64)
    first = (each,) * 64 + (Fraction(0),) * 64
    pair = first, first[::-1]
    found = {
        "no output has more than 2^-6 on any dataset": Claim(max(first) <= each),
        "yet the two datasets are told apart without error": Claim(profile(pair, Fraction(1)) == 1),
    }
    table = Table.of(
        {
            "output": list(range(128)),
            "secret 0": [float(x) for x in pair[0]],
            "secret 1": [float(x) for x in pair[1]],
        }
    )
    return Made(found, table)


def _theorem_1() -> Made:
    growth, delta = Fraction(2), Fraction(1, 100)
    before = four_outputs(growth, delta)
    after = merged(before, [[1, 3], [2], [0]])
    printed = delta + growth * (1 - delta) / (1 + growth)
    found = {
        "before: probabilistic DP": Claim(loss_above(before, growth) == delta),
        "after: probability of the merged output": Formula(printed, after[0][0]),
        "after: no probabilistic DP": Claim(loss_above(after, growth) > delta),
        "after: still approximate DP": Claim(profile(after, growth) <= delta),
    }
    table = Table.of(
        {
            "output": ["1 and 3", "2", "0"],
            "M(0)": [str(x) for x in after[0]],
            "M(1)": [str(x) for x in after[1]],
        }
    )
    return Made(found, table)


def _definition_6() -> Made:
    mechanism = RandomizedResponse(1.0, 2, neighbors=NEIGHBORS)
    alpha = 2.0
    p = math.e / (1.0 + math.e)
    a, b = np.array([p, 1.0 - p]), np.array([1.0 - p, p])
    printed = math.log(np.sum(a / b)) / (alpha - 1.0)
    correct = math.log(np.sum(a**alpha * b ** (1.0 - alpha))) / (alpha - 1.0)
    found = {"divergence": Formula(printed, float(mechanism.renyi(alpha)), correct)}
    return Made(found, listed(found))


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


def _figure_1() -> Made:
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
    remark = f"delta, the area above, at most: {'; '.join(areas)}."
    table = Table(("picture", "output", "B", "A", "A scaled up"), tuple(rows))
    pictures = {
        caption: partial(
            _draw, each, [other for other in drawn.values() if other.name == each.name]
        )
        for caption, each in drawn.items()
    }
    return Made({}, table, pictures, remark)


def _draw(outputs: TwoOutputs, beside: list[TwoOutputs]) -> Any:
    """Both pictures of a pair share their scales."""
    from dprisk.plots import draw_delta_area

    return draw_delta_area(outputs, beside=beside)


MAKERS: Final[dict[str, Callable[[], Made]]] = {
    "Figure 1": _figure_1,
    "One bit": _one_bit,
    "Single outputs": _single_outputs,
    "Theorem 1": _theorem_1,
    "Definition 6": _definition_6,
}
