"""One Laplace loss again and again, by pieces: against truncated powers with many digits."""

from __future__ import annotations

import numpy as np
import pytest
from mpmath import mp

from dprisk.accountant.methods.by_splines import as_splines
from dprisk.accountant.profiles import add_up
from dprisk.losses.laplace import LaplaceLoss
from dprisk.mechanisms import Laplace
from tests.oracles import laplace_sums

SUMS = [
    (1, 0.7),
    (1, 40.0),
    (2, 0.3),
    (3, 1e-5),
    (2, 1e-12),
    (5, 1.0),
    (12, 1.0),
    (12, 8.0),
    (40, 0.25),
]
WIDEST = 1e-10


def made(count, ratio):
    found = as_splines(((LaplaceLoss(ratio), count),))
    assert found is not None
    return found


def questions(count, ratio):
    """Anywhere, at the knots, next to them, and close to both ends."""
    rng = np.random.default_rng(count)
    top = count * ratio
    knots = top - 2.0 * ratio * np.arange((count + 1) // 2)
    knots = knots[:: max(1, len(knots) // 4)]
    near = np.concatenate([knots * (1.0 - 1e-9), knots * (1.0 - 1e-3), knots - 0.3 * ratio])
    ends = np.array([0.0, 1e-9 * top, top * (1.0 - 1e-6), 0.999 * top])
    found = np.concatenate([rng.uniform(0.0, top, 6), knots, near, ends])
    return found[found >= 0.0]


def holds(low, high, truth):
    return mp.mpf(float(low)) <= truth <= mp.mpf(float(high))


@pytest.mark.parametrize(("count", "ratio"), SUMS)
def test_delta(count, ratio):
    """The truth is inside; but for the last digits near the top, the bracket is narrow."""
    x, parts = questions(count, ratio), (ratio,) * count
    low, high = made(count, ratio).delta(x)
    for one, a, b in zip(x.tolist(), low, high, strict=True):
        truth = laplace_sums.delta(parts, one) if one < count * mp.mpf(ratio) else mp.mpf(0)
        assert holds(a, b, truth), (one, a, b, truth)
    inner = (x < 0.99 * count * ratio) & (high > 1e-280)
    assert np.all((high - low)[inner] <= WIDEST * high[inner])


@pytest.mark.parametrize(("count", "ratio"), SUMS)
@pytest.mark.parametrize("other", [False, True])
def test_tails(count, ratio, other):
    """Under P and under Q; where x is no knot."""
    x = np.random.default_rng(7).uniform(0.0, count * ratio, 9)
    low, high = made(count, ratio).tail(x, other)
    for one, a, b in zip(x.tolist(), low, high, strict=True):
        assert holds(a, b, laplace_sums.tails((ratio,) * count, one)[int(other)])
    assert np.all(high - low <= WIDEST * high)


def test_an_atom_is_not_beyond_itself():
    """At the knots the mass there is not counted; a little earlier it is."""
    count, ratio = 4, 1.0
    loss = made(count, ratio)
    for at, wrong in ((4.0, 0), (2.0, 1), (0.0, 2)):
        mass = mp.binomial(count, wrong) * mp.exp(-wrong * ratio) / 2**count
        truth = laplace_sums.tails((ratio,) * count, at)[0]
        low, high = loss.tail(np.array([at]))
        assert holds(low[0], high[0], truth)
        if at:
            low, high = loss.tail(np.array([at - 1e-9]))
            assert low[0] > truth + mass * 0.999


@pytest.mark.parametrize(("count", "ratio"), SUMS)
def test_epsilon(count, ratio):
    """delta of the truth is at least what was asked at the lower end, at most that at the upper."""
    parts, loss = (ratio,) * count, made(count, ratio)
    most = float(laplace_sums.delta(parts, 0.0))
    delta = most * np.array([1.0 - 1e-3, 0.5, 1e-2, 1e-6, 1e-12, 1e-40])
    low, high = loss.epsilon(delta)
    for goal, a, b in zip(delta.tolist(), low.tolist(), high.tolist(), strict=True):
        top = count * mp.mpf(ratio)
        assert a == 0.0 or a >= top or laplace_sums.delta(parts, a) >= goal
        assert b >= top or laplace_sums.delta(parts, b) <= goal
    assert np.all(high - low <= 1e-10 * count * ratio)
    assert np.all(loss.delta(high).upper <= delta)
    assert loss.epsilon(np.array([0.0, 1.0])).upper.tolist() == [loss.support[1], 0.0]


@pytest.mark.parametrize(("count", "ratio"), [(1, 0.7), (2, 0.3), (5, 1.0), (12, 1.0)])
def test_power_and_level(count, ratio):
    """Of the whole guarantee, which both directions share."""
    g = Laplace(1.0 / ratio, 1.0, neighbors="add-remove").loss()
    g = type(g)(g.pairs and [g.pairs[0][0]], [count], neighbors="add-remove")
    c = g.pairs[0][0].forward[0].ratio
    level = np.array([1e-12, 1e-6, 1e-3, 0.05, 0.3, 0.5, 0.9, 1.0 - 1e-6])
    low, high = (np.asarray(each) for each in np.asarray(g.power(level).bracket))
    for x, a, b in zip(level.tolist(), low, high, strict=True):
        assert holds(a, b, laplace_sums.power((c,) * count, x)), (x, a, b)
    assert np.all(high - low <= 2e-9 * high)
    back = g.level(high)
    assert np.all(np.asarray(back.value) <= level * (1.0 + 1e-9))


def test_many_are_counted_draw_by_draw_only_as_far_as_it_matters():
    """A thousand rare draws: within what no draw, and the mean of all, allow; meets the lines."""
    from dprisk.accountant.methods.by_contour import ByContour

    for count, ratio in ((1000, 0.01), (700, 0.002), (300, 0.2)):
        loss, parts = LaplaceLoss(ratio), ((LaplaceLoss(ratio), count),)
        found = add_up(parts, 1e-9)
        assert type(found).__name__ == "BySplines"
        x = np.sqrt(count) * ratio * np.array([0.0, 0.3, 1.0, 3.0, 6.0])
        x = x[x < 0.9 * count * ratio]
        near = ByContour(((loss, count),), 1e-7).delta(x)
        low, high = found.delta(x)
        assert np.all(low <= near.upper) and np.all(near.lower <= high)
        assert np.all(high - low <= WIDEST * high)


@pytest.mark.parametrize("name", ["delta", "epsilon", "tail"])
def test_arrays_and_scalars_agree(name):
    """Number by number."""
    loss = made(12, 1.0)
    where = np.array([0.0, 1e-9, 0.3, 2.0, 7.7]) if name != "epsilon" else np.array([0.5, 1e-5])
    ask = getattr(loss, name)
    whole = ask(where)
    for i, one in enumerate(where):
        alone = ask(np.array([one]))
        assert alone.lower[0] == whole.lower[i] and alone.upper[0] == whole.upper[i]


@pytest.mark.parametrize(
    ("count", "ratio"), [(1001, 0.01), (300, 1.0), (128, 1e6), (3, 0.0), (3, 1e-295)]
)
def test_too_many_or_too_large(count, ratio):
    """Others go another way."""
    assert as_splines(((LaplaceLoss(ratio), count),)) is None


@pytest.mark.parametrize("level", [1e-20, 1e-100, 1e-200, 1e-290, 1e-310, 3e-318, 7e-321])
def test_power_at_small_levels(level):
    """On the first side of the curve it is e^top times the level."""
    g = Laplace(1.0, 1.0, neighbors="add-remove").loss()
    g = type(g)([g.pairs[0][0]], [12], neighbors="add-remove")
    levels = level * np.array([1.0, 1.1, 1.3, 1.7, 2.3, 2.9, 3.7, 4.9])
    low, high = g.power(levels).bracket
    for x, a, b in zip(levels.tolist(), low, high, strict=True):
        assert holds(a, b, mp.mpf(x) * mp.exp(12))
