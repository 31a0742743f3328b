"""The rules that add parameters: what each guarantee says of itself is implied by it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dprisk.composition.theorems import SUMMING, simple, summed
from dprisk.guarantees import (
    ApproxDP,
    GaussianDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from dprisk.mechanisms import Laplace

A: Any = {"neighbors": "add-remove"}
EPSILONS = np.array([0.0, 0.1, 0.5, 1.0, 2.0, 4.0])
KNOWN = (
    PureDP(0.5, **A),
    ApproxDP(0.5, 1e-3, **A),
    ProbabilisticDP(0.5, 1e-3, **A),
    GaussianDP(0.5, **A),
    ZeroConcentratedDP(0.1, xi=0.01, delta=1e-3, **A),
    RenyiDP([2.0, 8.0], [0.1, 0.3], **A),
)


@pytest.mark.parametrize("known", KNOWN, ids=repr)
def test_what_adds_up_is_implied(known):
    """Read as the definition of the sum, it promises no more than it did."""
    assert known.additive_parameters.keys() <= SUMMING.keys()
    for definition in known.additive_parameters:
        read = summed([known], [1], definition).guarantee
        assert read.definition == definition
        assert np.all(read.delta(EPSILONS).value >= known.delta(EPSILONS).value)


@pytest.mark.parametrize("known", KNOWN, ids=repr)
def test_the_first_rule_that_serves_all_is_taken(known):
    """Alone, a definition with a rule of its own keeps it."""
    found = simple([known], [3])
    first = next(name for name in SUMMING if name in known.additive_parameters)
    assert found is not None and found.guarantee.definition == first
    assert bool(found.lossy) == bool(known.additive_parameters[first].read_as)


def test_no_rule_where_one_part_has_none():
    assert simple([KNOWN[0], KNOWN[-1]], [1, 1]) is None
    assert simple([Laplace(1.0, 1.0, **A).loss()], [1]) is None


def test_limits_at_the_orders_that_are_promised():
    """zCDP limits every order, and none with certainty where it has a delta."""
    at = KNOWN[-1].divergences
    assert at is not None and at.limits(np.array([8.0, 2.0])).tolist() == [0.3, 0.1]
    assert KNOWN[-2].divergences is None
    every = ZeroConcentratedDP(0.1, xi=0.01, **A).divergences
    assert every is not None and every.orders is None
    assert np.all(every.limits(np.array([1.5, 30.0])) >= [0.16, 3.01])
