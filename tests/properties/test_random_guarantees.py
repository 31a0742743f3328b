"""Properties of guarantees drawn at random, extremes included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.properties.zoo import EVERY, QUICK, chances, epsilons

batches = st.lists(chances, min_size=5, max_size=5).map(np.array)
loss_batches = st.lists(epsilons, min_size=5, max_size=5).map(np.array)


def draws(kind, quick=40, slow=3):
    """Few examples, and no shrinking, where each answer takes a search."""
    found = (Phase.explicit, Phase.generate) + ((Phase.shrink,) if kind in QUICK else ())
    count = quick if kind in QUICK else slow
    return settings(deadline=None, derandomize=True, max_examples=count, phases=found)


def for_each(kinds):
    return pytest.mark.parametrize("kind", kinds)


@for_each(EVERY)
def test_the_promised_slack_is_kept_as_computed(kind):
    """g.delta(g.epsilon(d)) <= d without tolerance, over a thousand draws of both."""

    @draws(kind)
    @given(EVERY[kind], batches)
    def check(g, d):
        e = g.epsilon(d).value
        finite = np.isfinite(e)
        assert np.all(g.delta(np.where(finite, e, 0.0)).value[finite] <= d[finite])

    check()


@for_each(EVERY)
@pytest.mark.parametrize("sides", ["one", "both"])
def test_tail_of_loss_bound(kind, sides):
    """tail(loss_bound(m)) <= m: what is exceeded with chance m is exceeded with chance m."""

    @draws(kind)
    @given(EVERY[kind], batches)
    def check(g, m):
        if kind == "bounded" and g.delta(0.0).bound == "upper":
            return  # its tail forgets the mirror image that its loss bound uses; both are bounds
        loss = g.loss_bound(m, sides=sides).value
        finite = np.isfinite(loss)
        beyond = np.where(finite, loss * (1 + 1e-9) + 1e-14, 1.0)
        back = g.tail(beyond, sides=sides).value
        known = finite & (m < 0.999)  # beyond, a rounding of the loss moves a steep tail to 1
        assert np.all(back[known] <= m[known] * (1 + 1e-7)), (g, m, loss, back)

    check()


@for_each(EVERY)
@pytest.mark.parametrize("sides", ["one", "both"])
def test_loss_bound_of_tail(kind, sides):
    """loss_bound(tail(t)) <= t: the two are inverse, nothing is given away."""

    @draws(kind)
    @given(EVERY[kind], loss_batches)
    def check(g, t):
        m = g.tail(t, sides=sides).value
        possible = (m > 0) & (m < 1)
        more = np.where(possible, m * (1 + 1e-6), 1.0)
        back = g.loss_bound(np.minimum(more, 1.0), sides=sides).value
        if g.tail(1.0, sides=sides).bound == "exact" or kind in ("renyi", "concentrated"):
            assert np.all(back[possible] <= t[possible] * (1 + 1e-6) + 1e-12), (g, t, m, back)

    check()


@for_each(EVERY)
def test_level_and_power_are_inverse(kind):
    """No test of level(y) has more power than y, and no test of power(x) less level than x."""

    @draws(kind)
    @given(EVERY[kind], batches)
    def check(g, x):
        y = g.power(x).value
        unrounded = y < 1  # a power above 1 - 1e-16 rounds to certainty, whose level is another
        known = 3e-14 / np.where(unrounded, 1 - y, 1.0)  # 200 units of y, as a share of 1 - y
        assert np.all((g.level(y).value <= x * (1 + 1e-9) + known)[unrounded])
        least = np.maximum(g.level(x).value, 1e-300)  # a level rounded down may be 0
        assert np.all(g.power(least).value >= x * (1 - 1e-9) - 1e-15)

    check()


@for_each(EVERY)
def test_profile_lies_under_the_power_curve(kind):
    """power(x) <= e^t x + delta(t) for all x and t whenever both are exact."""

    @draws(kind)
    @given(EVERY[kind], batches, loss_batches)
    def check(g, x, t):
        if g.delta(1.0).bound == g.power(0.5).bound == "exact":
            line = np.exp(np.minimum(t, 700) + np.log(np.maximum(x, 1e-300))) + g.delta(t).value
            assert np.all(g.power(x).value <= line * (1 + 1e-9) + 1e-15)

    check()


@for_each(EVERY)
def test_vectors_are_scalars(kind):
    """Bit by bit, for every method."""

    @draws(kind, 15, 1)
    @given(EVERY[kind], batches, loss_batches)
    def check(g, x, t):
        for ask in (g.epsilon, g.power, g.level, g.loss_bound):
            assert np.array_equal(ask(x).value, [ask(float(v)).value for v in x])
        for ask in (g.delta, g.tail):
            assert np.array_equal(ask(t).value, [ask(float(v)).value for v in t])

    check()
