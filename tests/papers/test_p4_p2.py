"""P2: Lemma 2.3, Lemma 3.1 and the mechanisms of Theorem 3.2."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import numpy as np
import pytest

from dprisk import ApproxDP
from tests.oracles import finite


def response(n, p):
    """On [n] the input itself with probability p, each other value alike (two rows)."""
    q = (1 - p) / (n - 1)
    rest = (q,) * (n - 2)
    return (p, q, *rest), (q, p, *rest)


@pytest.mark.parametrize("delta", [Fraction(1, 10), Fraction(1, 1000)])
@pytest.mark.parametrize(
    ("growth", "wanted"), [(Fraction(2), Fraction(21, 10)), (Fraction(11, 10), Fraction(115, 100))]
)
def test_theorem_3_2(delta, growth, wanted):
    """n, q and p as printed: (epsilon, delta)-ADP, and the loss exceeds eps-hat with chance p."""
    wanted = max(wanted, growth / (1 - delta) * Fraction(99, 100))
    wanted = min(wanted, growth / (1 - delta))  # without loss of generality, in the paper
    n = ceil((wanted + growth) * (1 - delta) / delta)
    q = (2 - delta) / (2 * (n - 1) + wanted + growth)
    p = (wanted * q + growth * q + delta) / 2
    pair = response(n, p)
    assert sum(pair[0]) == 1
    if wanted * q < p <= growth * q + delta:
        assert finite.profile(pair, growth) <= delta
        assert finite.tail_one(pair, wanted) == p
        bound = ApproxDP(float(np.log(float(growth))), float(delta), neighbors="replace-one")
        truth = float(finite.merged_one(pair, wanted))
        assert bound.tail(float(np.log(float(wanted))), sides="one").value >= truth * (1 - 1e-12)
    else:
        assert wanted >= growth + delta / q  # eps-hat so large that Lemma 2.3 applies


@pytest.mark.parametrize("failure", [1.1e-5, 1e-4, 0.01, 0.3])
def test_lemma_2_3(failure):
    """eps-hat = epsilon - ln(1 - delta / g), which is necessary and sufficient."""
    g = ApproxDP(0.7, 1e-5, neighbors="replace-one")
    exact = 0.7 - np.log1p(-1e-5 / failure)
    assert g.loss_bound(failure, sides="one").value == pytest.approx(exact, rel=1e-12)


def test_beyond_the_corner_the_lemma_is_not_the_last_word():
    """Above (e^epsilon + delta) / (1 + e^epsilon) the other line of the power curve is smaller."""
    g = ApproxDP(0.7, 1e-5, neighbors="replace-one")
    corner = (np.exp(0.7) + 1e-5) / (1 + np.exp(0.7))
    above = np.array([corner * 1.05, 0.9])
    assert np.all(g.loss_bound(above, sides="one").value < 0.7 - np.log1p(-1e-5 / above))
