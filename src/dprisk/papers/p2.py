"""P2: from approximate to one-sided probabilistic DP, and its two constructions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

import numpy as np

from dprisk.guarantees.approximate import ApproxDP
from dprisk.papers.pairs import Pair, loss_above, profile
from dprisk.papers.prints import Claim, Formula
from dprisk.papers.reproduction import Made
from dprisk.table import Table

__all__ = ["MAKERS", "response"]

EPSILON: Final = 1.0
DELTA: Final = 0.01


def response(n: int, p: Fraction) -> Pair:
    """On 1, ..., n the input itself with probability p, each other value alike (Lemma 3.1)."""
    q = (1 - p) / (n - 1)
    rest = (q,) * (n - 2)
    return (p, q, *rest), (q, p, *rest)


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
    found[name] = Claim(bool(least >= EPSILON + math.log1p(DELTA / 0.02)))
    table = Table.of(
        {"g": failure, "Lemma 2.3": lemma, "excluded below": excluded, "exact": exact.value}
    )
    corner = (math.exp(EPSILON) + DELTA) / (1.0 + math.exp(EPSILON))
    remark = (
        "Between the lemma and what Theorem 3.3 excludes nothing is open: the lemma is attained up "
        f"to g = {corner:.4f}, and beyond that the truth is smaller than the lemma says."
    )
    return Made(found, table, remark=remark)


def _theorem_3_2() -> Made:
    """n, q and p as printed in the proof."""
    growth, wanted, delta = Fraction(2), Fraction(21, 10), Fraction(1, 10)
    wanted = max(wanted, growth / (1 - delta))  # without loss of generality, as the proof says
    n = math.ceil((wanted + growth) * (1 - delta) / delta)
    q = (2 - delta) / (2 * (n - 1) + wanted + growth)
    p = (wanted * q + growth * q + delta) / 2
    pair = response(n, p)
    found = {
        "it keeps (epsilon, delta) approximate DP": Claim(profile(pair, growth) <= delta),
        "its privacy loss exceeds epsilon-hat with more than delta": Claim(
            loss_above(pair, Fraction(21, 10)) == p and p > delta
        ),
    }
    return Made(found, _probabilities(pair), remark=f"n = {n}, p = {p}, q = {q}.")


def _theorem_3_3() -> Made:
    """delta' by bisection of h(x) = g(x) + x, with n as large as the proof asks for."""
    growth, wanted = Fraction(math.exp(0.5)), Fraction(math.exp(0.75))
    delta = Fraction(1, 10)
    n = math.ceil((1 - delta) * (wanted + growth) / delta + 1) + 1
    both = wanted + growth
    # h(x) = (x (n - 1) + both) / (2 (n - 1) + both) = 3 x, which is linear for this g
    small = both / (3 * (2 * (n - 1) + both) - (n - 1))
    p = 3 * small
    pair = response(n, p)
    found = {
        "it keeps (epsilon, delta') approximate DP": Claim(
            0 < small < delta and profile(pair, growth) <= small
        ),
        "its privacy loss exceeds epsilon-hat with more than g(delta')": Claim(
            loss_above(pair, wanted) == p > 2 * small
        ),
    }
    return Made(found, _probabilities(pair), remark=f"n = {n}, delta' = {float(small):.6f}.")


def _probabilities(pair: Pair) -> Table:
    """As fractions, exactly."""
    first, second = pair
    outputs = list(range(1, len(first) + 1))
    return Table.of(
        {
            "output": outputs,
            "probability on input 1": [str(each) for each in first],
            "probability on input 2": [str(each) for each in second],
        }
    )


MAKERS: Final[dict[str, Callable[[], Made]]] = {
    "Lemma 2.3": _lemma_2_3,
    "Theorem 3.2": _theorem_3_2,
    "Theorem 3.3": _theorem_3_3,
}
