"""What holds for every composition of mechanisms, whatever they are and however often they run."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from dprisk import mechanisms
from dprisk.accountant import PrivacyLoss
from tests.properties.zoo import spread

R: Any = {"neighbors": "replace-one"}
EPSILONS = np.array([0.0, 1e-300, 1e-12, 1e-6, 0.03, 0.7, 3.0, 20.0, 150.0, 700.0, 1e4, np.inf])
DELTAS = np.array([1e-300, 1e-100, 1e-12, 1e-6, 1e-3, 0.05, 0.5])
LEVELS = np.array([1e-12, 1e-3, 0.05, 0.5, 0.95])
ROUNDING = 1e-12

times = st.one_of(st.integers(1, 3), st.integers(1, 40), st.sampled_from([100, 1000, 10**4, 10**6]))
counts = st.integers(1, 4)
kinds = st.one_of(
    spread(0.05, 1e6).map(lambda b: mechanisms.Laplace(b, 1.0, **R)),
    spread(0.05, 1e8).map(lambda s: mechanisms.Gaussian(s, 1.0, **R)),
    st.builds(lambda s, d: mechanisms.DiscreteGaussian(s, d, **R), spread(0.2, 1e3), counts),
    st.builds(lambda b, d: mechanisms.Geometric(b, d, **R), spread(0.05, 1e4), counts),
    st.builds(
        lambda e, k: mechanisms.RandomizedResponse(e, k, **R),
        spread(1e-6, 30.0, 0.0),
        st.sampled_from([2, 3, 10]),
    ),
    st.integers(2, 10**9).map(lambda n: mechanisms.SampleRelease(1, n, **R)),
)
one_part = st.tuples(kinds, times)
some_parts = st.lists(one_part, min_size=1, max_size=4)
found = (Phase.explicit, Phase.generate)  # as they are drawn: an example takes a second
quick = settings(deadline=None, derandomize=True, max_examples=12, phases=found)


def composed(parts) -> PrivacyLoss:
    """The guarantee of (mechanism, how often) pairs."""
    pairs = [mechanism.losses() for mechanism, _ in parts]
    return PrivacyLoss(pairs, [count for _, count in parts], **R)


def ends(answer, top):
    """Lower and upper end, of which a few things always hold."""
    low, high = answer.bracket
    assert np.all(low >= 0.0) and np.all(low <= high) and np.all(high <= top), (low, high)
    assert np.array_equal(answer.value, low if answer.bound == "lower" else high)
    return low, high


@quick
@given(some_parts)
def test_delta_falls_and_is_a_bracket(parts):
    """In [0, 1], never NaN, from any epsilon to a larger one not certainly more."""
    low, high = ends(composed(parts).delta(EPSILONS), 1.0)
    assert np.all(low[1:] <= high[:-1])


@quick
@given(some_parts)
def test_epsilon_inverts_delta(parts):
    """The upper end keeps delta, as computed; below the lower end delta is not certainly kept."""
    g = composed(parts)
    low, high = ends(g.epsilon(DELTAS), np.inf)
    finite = np.isfinite(high)
    assert np.all(g.delta(np.where(finite, high, 0.0)).value[finite] <= DELTAS[finite])
    inside = np.isfinite(low) & (low > 0.0)
    before = np.where(inside, low * (1.0 - ROUNDING), 0.0)
    assert np.all(g.delta(before).bracket[1][inside] >= DELTAS[inside] * (1.0 - ROUNDING))
    assert np.all(low[1:] <= high[:-1])


@quick
@given(st.lists(one_part, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_order_plays_no_role(parts, random):
    """The same brackets, up to rounding, however the parts are sorted; or they overlap at least."""
    other = random.sample(parts, len(parts))
    (a, b), (c, d) = (composed(each).delta(EPSILONS).bracket for each in (parts, other))
    assert np.all(a <= d) and np.all(c <= b)
    (a, b), (c, d) = (composed(each).epsilon(DELTAS).bracket for each in (parts, other))
    assert np.all(a <= d) and np.all(c <= b)


@quick
@given(one_part, st.integers(1, 7))
def test_parts_may_be_taken_together_or_apart(part, first):
    """k runs in one entry or in two are the same."""
    mechanism, count = part
    together, apart = composed([(mechanism, count + first)]), composed([part, (mechanism, first)])
    (a, b), (c, d) = (each.delta(EPSILONS).bracket for each in (together, apart))
    assert np.all(a <= d) and np.all(c <= b)


@quick
@given(some_parts, one_part)
def test_more_releases_never_reveal_less(parts, part):
    """Leaving one out cannot certainly raise delta, epsilon or power."""
    more, less = composed([*parts, part]), composed(parts)
    assert np.all(less.delta(EPSILONS).bracket[0] <= more.delta(EPSILONS).bracket[1])
    assert np.all(less.epsilon(DELTAS).bracket[0] <= more.epsilon(DELTAS).bracket[1])


@quick
@given(some_parts)
def test_power_and_level_agree_with_delta(parts):
    """Power is at most delta(e) + e^e level at every e, and level inverts power."""
    g = composed(parts)
    low, high = ends(g.power(LEVELS), 1.0)
    delta = g.delta(EPSILONS[:8]).bracket[1]
    line = delta[:, None] + np.exp(EPSILONS[:8, None]) * LEVELS
    assert np.all(low <= line.min(axis=0) * (1.0 + ROUNDING))
    assert np.all(high >= LEVELS) and np.all(low[:-1] <= high[1:])
    inside = high < 1.0
    assert np.all(ends(g.level(high), 1.0)[1][inside] >= LEVELS[inside] * (1.0 - ROUNDING))
    assert np.all(ends(g.level(low), 1.0)[0] <= LEVELS * (1.0 + ROUNDING))


@quick
@given(some_parts)
def test_tails_are_brackets_and_fall(parts):
    """Raw or not, one side or both; the raw reading is never certainly larger."""
    g = composed(parts)
    for sides in ("one", "both"):
        raw, low = ends(g.tail(EPSILONS, sides=sides, post_processing=False), 1.0)[0], 0.0
        low, high = ends(g.tail(EPSILONS, sides=sides), 1.0)
        assert np.all(low[1:] <= high[:-1])
        assert np.all(raw <= high)
        bound = ends(g.loss_bound(DELTAS, sides=sides), np.inf)
        own = ends(g.loss_bound(DELTAS, sides=sides, post_processing=False), np.inf)
        assert np.all(own[0] <= bound[1])
