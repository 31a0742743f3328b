"""P2: from approximate to one-sided probabilistic DP, and its two constructions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

import numpy as np

from dprisk.audit import FiniteMechanism, audit
from dprisk.guarantees.approximate import ApproxDP
from dprisk.papers.prints import Assertion, Formula
from dprisk.papers.reproduction import Made
from dprisk.papers.responses import on_numbers
from dprisk.table import Table
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
    table = Table.of(
        {"g": failure, "Lemma 2.3": lemma, "excluded below": excluded, "exact": exact.value}
    )
    corner = (math.exp(EPSILON) + DELTA) / (1.0 + math.exp(EPSILON))
    return Made(found, table, remark=english("papers.p2.lemma", corner=f"{corner:.4f}"))


def _theorem_3_2() -> Made:
    """n, q and p as printed in the proof."""
    growth, wanted, delta = Fraction(2), Fraction(21, 10), Fraction(1, 10)
    wanted = max(wanted, growth / (1 - delta))  # without loss of generality, as the proof says
    n = math.ceil((wanted + growth) * (1 - delta) / delta)
    q = (2 - delta) / (2 * (n - 1) + wanted + growth)
    p = (wanted * q + growth * q + delta) / 2
    table = on_numbers(n, p, q)
    exact = audit(table, neighbors=[("1", "2")]).exact
    found = {
        "it keeps (epsilon, delta) approximate DP": Assertion(exact.delta(growth).value <= delta),
        "its privacy loss exceeds epsilon-hat with more than delta": Assertion(
            exact.delta(Fraction(21, 10), kind="pdp").value == p and p > delta
        ),
    }
    return _made(found, table, english("papers.p2.theorem-3-2", n=n, p=p, q=q))


def _theorem_3_3() -> Made:
    """delta' by bisection of h(x) = g(x) + x, with n as large as the proof asks for."""
    growth, wanted = Fraction(math.exp(0.5)), Fraction(math.exp(0.75))
    delta = Fraction(1, 10)
    n = math.ceil((1 - delta) * (wanted + growth) / delta + 1) + 1
    both = wanted + growth
    # h(x) = (x (n - 1) + both) / (2 (n - 1) + both) = 3 x, which is linear for this g
    small = both / (3 * (2 * (n - 1) + both) - (n - 1))
    p = 3 * small
    table = on_numbers(n, p, (1 - p) / (n - 1))
    exact = audit(table, neighbors=[("1", "2")]).exact
    found = {
        "it keeps (epsilon, delta') approximate DP": Assertion(
            0 < small < delta and exact.delta(growth).value <= small
        ),
        "its privacy loss exceeds epsilon-hat with more than g(delta')": Assertion(
            exact.delta(wanted, kind="pdp").value == p > 2 * small
        ),
    }
    return _made(found, table, english("papers.p2.theorem-3-3", n=n, delta=f"{float(small):.6f}"))


def _made(found: dict[str, Any], mechanism: FiniteMechanism, remark: str) -> Made:
    """With the probabilities on the first two inputs as fractions, exactly."""
    columns: dict[str, Any] = {"output": list(map(int, mechanism.outputs))}
    for label, row in zip(mechanism.datasets[:2], mechanism.rows, strict=False):
        columns[f"probability on input {label}"] = list(map(str, row))
    return Made(found, Table.of(columns), remark=remark)


MAKERS: Final[dict[str, Callable[[], Made]]] = {
    "Lemma 2.3": _lemma_2_3,
    "Theorem 3.2": _theorem_3_2,
    "Theorem 3.3": _theorem_3_3,
}
