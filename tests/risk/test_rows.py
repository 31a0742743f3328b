"""Millions of rows: the same bits as one at a time."""

from __future__ import annotations

import numpy as np
import pytest

from dprisk import ApproxDP, disclosure, row_bounds
from dprisk._checks import complement
from dprisk.errors import OutOfRange
from dprisk.risk.rows import BLOCK, NAMES

PRIORS = (0.0, 5e-324, 1e-310, 1e-12, 0.3, 1.0 - 2.0**-53, 1.0)
EPSILONS = (0.0, 1e-320, 1e-9, 1.0, 36.0, 701.0, 1e4, np.inf)
DELTAS = (0.0, 5e-324, 1e-9, 0.05, 0.5, 1.0)
CONFIDENCES = (0.6, 0.95, 0.99, 1.0 - 1e-9)


def columns(count):
    """Ordinary rows; some of the extreme ones."""
    random = np.random.default_rng(7)
    prior, epsilon = random.uniform(0.001, 0.999, count), random.exponential(3.0, count)
    delta, failure = 10.0 ** random.uniform(-12.0, -2.0, count), random.uniform(0.005, 0.1, count)
    for column, some in ((prior, PRIORS), (epsilon, EPSILONS), (delta, DELTAS)):
        column[random.integers(0, count, 9)] = random.choice(some, 9)
    return prior, epsilon, delta, failure


def one_by_one(prior, epsilon, delta, confidence):
    """What the rest of the package says of one row; nothing bounded where it refuses."""
    try:
        moved = disclosure(ApproxDP(epsilon, delta, neighbors="add-remove"), confidence=confidence)
    except OutOfRange:
        return (prior if prior == 1.0 else 0.0), (prior if prior == 0.0 else 1.0), None, 1.0
    belief = moved.posterior(prior)
    found = belief.lower, belief.upper, moved.ratio(prior).upper, moved.difference().upper
    return tuple(answer.value for answer in found)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("delta", DELTAS)
def test_rows_have_the_bits_of_the_scalar_functions(epsilon, delta):
    """Ends 0, 1, inf and denormals included."""
    for confidence in CONFIDENCES:
        bounds = row_bounds(PRIORS, epsilon, delta, complement(confidence))
        for i, prior in enumerate(PRIORS):
            alone = one_by_one(prior, epsilon, delta, confidence)
            for name, value in zip(NAMES, alone, strict=True):
                if value is not None:
                    assert getattr(bounds, name)[i] == value, (name, prior, confidence)


def test_the_ends_of_the_failure():
    """Without room to fail only pure DP holds; a failure of 1 still leaves the lines of P0."""
    bounds = row_bounds([0.5, 0.25], 1.0, [0.0, 1e-9], 0.0)
    certain = disclosure(ApproxDP(1.0, 0.0, neighbors="add-remove")).posterior(0.5)
    assert bounds.posterior_upper.tolist() == [certain.upper.value, 1.0]
    assert bounds.posterior_lower.tolist() == [certain.lower.value, 0.0]
    assert bounds.ratio_upper[1] >= 4.0 and bounds.difference_upper[1] == 1.0
    assert row_bounds(0.5, 0.0, 1.0, 1.0).posterior_upper == 1.0
    assert row_bounds(0.5, 0.0, 0.0, 1.0).posterior_upper == 0.5


@pytest.mark.parametrize("count", [1, BLOCK - 1, BLOCK, 3 * BLOCK + 17])
def test_blocks_leave_no_seam(count):
    """However many rows there are, each has the bits that it has alone."""
    given = columns(max(count, 10))
    given = [column[:count] for column in given]
    whole = row_bounds(*given)
    for i in {0, count // 2, count - 1, min(BLOCK, count - 1), min(BLOCK - 1, count - 1)}:
        alone = row_bounds(*(column[i] for column in given))
        assert all(getattr(whole, name)[i] == getattr(alone, name) for name in NAMES)
