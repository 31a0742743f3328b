"""Properties of what an adversary learns: vectors, certainties, order, and the bulk function."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dprisk import ApproxDP, PureDP, disclosure, row_bounds
from dprisk.risk import independent_posterior, independent_ratio, with_participation
from tests.properties.zoo import chances, epsilons

A: Any = {"neighbors": "add-remove"}
PRIORS = np.array([0.0, 5e-324, 1e-300, 1e-12, 0.01, 0.3, 0.5, 0.9, 1 - 1e-12, 1.0])
LOSSES = (0.0, 1e-300, 1e-8, 1.0, 30.0, 700.0, 800.0, 1e5)
METRICS = ("posterior", "ratio", "ratio_not", "difference")
many = settings(deadline=None, derandomize=True, max_examples=60)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("e", LOSSES)
def test_vectors_are_scalars_and_nothing_is_nan(metric, e):
    """At every prior, certainties and denormal numbers included."""
    moved = disclosure(PureDP(e, **A))
    found = getattr(moved, metric)(PRIORS)
    for end in (found.lower, found.upper):
        assert not np.any(np.isnan(end.value))
    single = [getattr(moved, metric)(float(p)) for p in PRIORS]
    assert np.array_equal(found.lower.value, [s.lower.value for s in single])
    assert np.array_equal(found.upper.value, [s.upper.value for s in single])
    assert np.all(found.lower.value <= found.upper.value)


@pytest.mark.parametrize("e", LOSSES)
def test_certainty_stays(e):
    """No evidence moves a belief of 0 or 1."""
    belief = disclosure(PureDP(e, **A)).posterior([0.0, 1.0])
    assert belief.lower.value.tolist() == belief.upper.value.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("metric", METRICS)
def test_more_loss_moves_further(metric):
    """Intervals grow with the loss and contain "no change"."""
    ends = [getattr(disclosure(PureDP(e, **A)), metric)(PRIORS) for e in LOSSES]
    for small, large in itertools.pairwise(ends):
        assert np.all(large.upper.value >= small.upper.value * (1 - 1e-12))
        assert np.all(large.lower.value <= small.lower.value + 1e-12 * np.abs(small.lower.value))


def test_over_every_prior_is_never_less_than_at_one():
    """The difference and the ratios over all priors."""
    for e in LOSSES:
        moved = disclosure(PureDP(e, **A))
        for metric in ("ratio", "ratio_not", "difference"):
            whole, each = getattr(moved, metric)(), getattr(moved, metric)(PRIORS)
            assert np.all(each.upper.value <= whole.upper.value * (1 + 1e-12))
            assert np.all(each.lower.value >= whole.lower.value - 1e-12 * abs(whole.lower.value))


@many
@given(st.lists(st.tuples(chances, epsilons, chances, chances), min_size=1, max_size=20))
def test_rows_are_scalars_and_agree_with_disclosure(rows):
    """Bit by bit alone or together; and the numbers of the ordinary way wherever that answers."""
    p, e, d, f = np.array(rows).T
    whole = row_bounds(p, e, d, f)
    for i in range(len(rows)):
        alone = row_bounds(p[i], e[i], d[i], f[i])
        for name in ("posterior_lower", "posterior_upper", "ratio_upper", "difference_upper"):
            assert getattr(whole, name)[i] == getattr(alone, name)
            assert not np.isnan(getattr(alone, name))
        loss = ApproxDP(e[i], d[i], **A).loss_bound(f[i]).value
        if 0 < loss < np.inf and f[i] > d[i] * (1 + 1e-6):
            top = np.tanh(loss / 4)
            assert whole.difference_upper[i] >= top * (1 - 1e-9)


@many
@given(
    st.lists(chances, min_size=1, max_size=6), st.lists(chances, min_size=1, max_size=6), epsilons
)
@example([0.9999546000702375], [0.0], 700.0)  # the ratio is beyond all doubles
def test_independent_adversaries(p, q, e):
    """Vectors are scalars, never NaN, and the posterior is a belief."""
    g = PureDP(e, **A)
    p, q = np.array(p)[:, None], np.array(q)
    ratio, belief = independent_ratio(g, p, q), independent_posterior(g, p, q)
    for i, j in itertools.product(range(p.shape[0]), range(q.size)):
        one = independent_ratio(g, float(p[i, 0]), float(q[j]))
        assert (ratio.lower.value[i, j], ratio.upper.value[i, j]) == (
            one.lower.value,
            one.upper.value,
        )
    for end in (belief.lower.value, belief.upper.value):
        assert np.all((end >= 0) & (end <= 1))
    apart = with_participation(g, q)
    assert np.all(apart.lower.value <= q) and np.all(apart.upper.value >= q * (1 - 1e-15))


def test_confidence_may_be_an_array():
    """Broadcast against the priors, the same numbers as one at a time."""
    g = ApproxDP(1.0, 1e-6, **A)
    confidence, prior = np.array([[0.5], [0.9], [0.999]]), np.array([0.1, 0.5])
    whole = disclosure(g, confidence=confidence).posterior(prior).upper.value
    for i, j in itertools.product(range(3), range(2)):
        one = disclosure(g, confidence=float(confidence[i, 0])).posterior(float(prior[j]))
        assert whole[i, j] == one.upper.value
    assert disclosure(g, confidence=np.empty((0,))).loss.value.shape == (0,)
    assert row_bounds([], 1.0, 0.1, 0.2).ratio_upper.shape == (0,)
