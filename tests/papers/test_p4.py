"""P4: the epsilon-delta graph, the one-bit mechanism, and four outcomes of which two are merged."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dprisk import ApproxDP, ProbabilisticDP, PureDP
from dprisk.guarantees.convert import conversions
from tests.oracles import finite


@pytest.mark.parametrize("growth", [Fraction(11, 10), Fraction(2), Fraction(9)])
def test_one_bit(growth):
    """Total variation (e^eps - 1) / (e^eps + 1), and a ratio e^eps more than half the time."""
    p = growth / (1 + growth)
    pair = (p, 1 - p), (1 - p, p)
    assert finite.profile(pair, Fraction(1)) == (growth - 1) / (growth + 1)
    g = PureDP(float(np.log(float(growth))), neighbors="replace-one")
    assert g.delta(0.0).value == pytest.approx(float((growth - 1) / (growth + 1)), rel=1e-12)
    assert finite.tail_one(pair, growth * Fraction(99, 100)) == p > Fraction(1, 2)
    assert g.tail(0.0).value == 1.0


@pytest.mark.parametrize("e", [0.3, 2.0])
def test_epsilon_delta_graph(e):
    """e^eps - e^eps0 holds, and is 1 + e^eps times what is attained; it can exceed one."""
    g = PureDP(e, neighbors="replace-one")
    for e0 in np.linspace(0, e, 7)[:-1]:
        loose = np.exp(e) - np.exp(e0)
        assert g.delta(e0).value == pytest.approx(loose / (1 + np.exp(e)), rel=1e-12)
        ways = conversions(g, "approximate", epsilon=float(e0))
        assert ways[0].by.exactness == "exact"
        assert ways[-1].guarantee.parameters["delta"] == pytest.approx(min(loose, 1.0), rel=1e-12)


@pytest.mark.parametrize("delta", [Fraction(1, 100), Fraction(1, 10**6)])
def test_four_outcomes_of_which_two_are_merged(delta):
    """PDP before, not after: the merged outcome has delta + e^eps (1 - delta) / (1 + e^eps)."""
    growth = Fraction(2)
    rest = 1 - delta
    pair = (
        (Fraction(0), growth / (1 + growth) * rest, rest / (1 + growth), delta),
        (delta, rest / (1 + growth), growth / (1 + growth) * rest, Fraction(0)),
    )
    assert finite.tail_one(pair, growth) == finite.tail_both(pair, growth) == delta
    after = finite.merge(pair, [[1, 3], [2], [0]])
    merged = delta + growth / (1 + growth) * rest
    assert finite.tail_one(after, growth) == merged > delta
    e = float(np.log(2.0))
    g = ProbabilisticDP(e, float(delta), neighbors="replace-one")
    assert g.tail(e, sides="one", post_processing=False).value == float(delta)
    assert g.tail(e, sides="one").value >= float(merged)
    assert finite.profile(after, growth) <= delta  # what survives is approximate DP
    assert ApproxDP(e, float(delta), neighbors="replace-one").delta(e).value == float(delta)


def test_single_outputs_do_not_make_a_definition():
    """M_leaky: every single output is improbable, yet the datasets are told apart."""
    n = 64
    p = (Fraction(1, n),) * n + (Fraction(0),) * n
    pair = p, p[::-1]
    assert max(p) == Fraction(1, n)
    assert finite.profile(pair, Fraction(1)) == 1
