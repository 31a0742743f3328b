"""P2: from approximate to one-sided probabilistic DP, and its two constructions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from dprisk.audit import Growth
from dprisk.guarantees.approximate import ApproxDP
from dprisk.papers.prints import Assertion, Formula
from dprisk.papers.reproduction import Made
from dprisk.papers.responses import bounded_penalty, fixed_delta
from dprisk.papers.separations import Separation
from dprisk.table import NumberTable
from dprisk.text import english

EPSILON: Final = 1.0
DELTA: Final = 0.01


def _lemma_2_3() -> Made:
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


def _theorem_3_2() -> Made:
    made = fixed_delta(Growth(2), "1/10", beyond=Growth("21/10"))
    return _made(made, "papers.p2.theorem-3-2", "delta")


def _theorem_3_3() -> Made:
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


MAKERS: Final[dict[str, Callable[[], Made]]] = {
    "Lemma 2.3": _lemma_2_3,
    "Theorem 3.2": _theorem_3_2,
    "Theorem 3.3": _theorem_3_3,
}
