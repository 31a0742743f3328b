"""An exact answer is the worst case, rounded to the side on which the bound stays true.

See docs/exactness.md. Nothing on the unsafe side, not even one unit; on the other side a few units
of the answer, and what a few units of the question move it by.
"""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

from dprisk import (
    FDP,
    ApproxDP,
    ApproxDPCurve,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
)
from tests.guarantees.test_piecewise_values import METHODS
from tests.oracles import curves

A: Any = {"neighbors": "add-remove"}
OF_LOSS = ("profile", "tail_one", "tail_both")
UNIT = mpf(2) ** -53
MOVED = 200 * UNIT  # of the question
OFF = 100 * UNIT  # of the answer
SMALLEST = mpf(5e-324)
LOSSES = [0.0, 5e-324, 1e-320, 1e-12, 1.0, 20.0, 36.0, 300.0, 700.0]
CHANCES = [0.0, 5e-324, 1e-300, 1e-16, 0.5, 1 - 1e-16, 1.0]


@pytest.fixture(autouse=True)
def digits():
    """Enough for the smallest double beside one."""
    with mp.workdps(720):
        yield


def any_loss(rng):
    pick = rng.random()
    if pick < 0.2:
        return rng.choice(LOSSES)
    return 10 ** rng.uniform(-15, 2.5) if pick < 0.6 else rng.uniform(0, 50)


def any_chance(rng):
    pick = rng.random()
    if pick < 0.2:
        return rng.choice(CHANCES)
    if pick < 0.6:
        return 10 ** rng.uniform(-20 if pick < 0.5 else -323, 0)
    return 1 - 10 ** rng.uniform(-16, 0)


def wrong(ours, method, truth, x, per_log=0):
    """What is wrong with an answer, or nothing."""
    ours = mp.inf if math.isinf(ours) else mpf(ours)
    exact = truth(mpf(x))
    if ours > exact if method == "level" else ours < exact:
        return f"unsafe: {mp.nstr(ours, 20)}, not {mp.nstr(exact, 20)}"
    around = [mpf(x) * (1 + sign * MOVED) + sign * SMALLEST for sign in (-1, 1)]
    most = mp.inf if method in OF_LOSS else curves.ONE
    moved = [truth(min(max(at, curves.ZERO), most)) for at in around]
    if any(mp.isinf(each) for each in (ours, exact, *moved)):
        return "" if ours == exact or mp.isinf(max(moved)) else "infinite"
    units = OFF + per_log * UNIT * (abs(mp.log(exact)) if exact > 0 else 0)
    allowed = exact * units + max(abs(each - exact) for each in moved) + 8 * SMALLEST
    return "" if abs(ours - exact) <= allowed else f"far off: {mp.nstr(ours, 20)}"


def check(guarantees, truths, method, x, **options):
    for g in guarantees:
        said = wrong(METHODS[method](g, x).value, method, truths[method], x, **options)
        assert not said, f"{g!r}, {method} at {x!r}: {said}"


@pytest.mark.parametrize("seed", range(4))
def test_pure_and_approximate_dp(seed):
    """Random promises and questions, with the ends and where two lines meet."""
    rng = random.Random(seed)
    for _ in range(60):
        e, d = any_loss(rng), rng.choice([0.0, any_chance(rng)])
        d = 0.5 if d == 1.0 else d
        truths = curves.approximate(e, d)
        guarantees = [ApproxDP(e, d, **A), *([PureDP(e, **A)] if d == 0 else [])]
        corner = float(1 - (1 - mpf(d)) / (1 + mp.exp(mpf(e))))
        for method in METHODS:
            if method in OF_LOSS:
                x = rng.choice([any_loss(rng), e, e * 0.999, e / 2, e * (1 + 1e-15)])
            else:
                x = rng.choice([any_chance(rng), d, min(1.0, d * (1 + 1e-15)), corner])
            check(guarantees, truths, method, x)


def test_a_level_is_not_lost_to_one():
    """1 - power close to e^-epsilon: what remains of the level is a difference."""
    for e, d, y in (
        (35.03106830729524, 0.9954727965798076, 1.0),
        (33.0, 0.0, 1 - 2**-47),
        (20.0, 0.1, 1 - 1e-9),
        (5.0, 0.0, 0.9999),
    ):
        check([ApproxDP(e, d, **A)], curves.approximate(e, d), "level", y)
    for e, m in ((33.0, 1 - 1e-16), (36.0, 1 - 1e-16), (20.0, 1 - 1e-10)):
        check([PureDP(e, **A)], curves.approximate(e, 0.0), "loss_one", m)


def test_what_is_exact_stays_so():
    """Where nothing has to be computed, the number itself."""
    x = np.array(CHANCES)
    for g in (PureDP(0.0, **A), ApproxDP(0.0, 0.0, **A), GaussianDP(0.0, **A)):
        assert np.array_equal(g.power(x).value, x) and np.array_equal(g.level(x).value, x)
        assert g.delta(0.0).value == g.tail(0.0).value == g.loss_bound(0.0).value == 0.0
        assert not np.any(g.epsilon(x).value)
    for d in CHANCES[:-1]:
        g = ApproxDP(1.0, d, **A)
        assert g.delta(1.0).value == g.delta(np.inf).value == g.power(0.0).value == d
        assert g.tail(np.inf).value == d and g.epsilon(d).value == 1.0
    assert PureDP(1.0, **A).tail(1.0).value == 0.0 < PureDP(1.0, **A).tail(1 - 1e-15).value
    assert GaussianDP(1.0, **A).tail(np.inf).value == GaussianDP(1.0, **A).delta(np.inf).value == 0


@pytest.mark.parametrize("seed", range(2))
def test_gaussian_dp(seed):
    """Tails to 1e-323, separations from 1e-12 to 1e3; 8 units for each of a logarithm."""
    rng = random.Random(seed)
    methods = [method for method in METHODS if method != "epsilon"]
    with mp.workdps(60):
        for _ in range(5):
            mu = rng.choice([10 ** rng.uniform(-12, 3), rng.uniform(0, 10), 0.4999, 0.5, 40.0])
            truths, g = curves.normal(mu), GaussianDP(mu, **A)
            for method in methods:
                x = rng.choice([mu * mu / 2, max(0.0, mu * rng.uniform(-1, 36) + mu * mu / 2)])
                x = any_chance(rng) if method not in OF_LOSS else x
                check([g], truths, method, x, per_log=40)
            d = rng.choice([1e-300, 1e-12, 0.01]) * float(truths["profile"](curves.ZERO))
            e = mpf(g.epsilon(d).value)
            near = e * (1 - 1000 * UNIT) - mu * 1000 * UNIT
            assert truths["profile"](e) <= d < truths["profile"](near)


@pytest.mark.parametrize("mu", [1e-12, 1e-8, 1.0, 40.0])
def test_gaussian_dp_beyond_the_smallest_double(mu):
    """An upper bound is not 0 where the truth is 1e-400."""
    g = GaussianDP(mu, **A)
    far = mu * (mu / 2 + 50.0)
    for sides in ("one", "both"):
        assert 0.0 < g.tail(far, sides=sides).value < 1e-322
    assert 0.0 < g.delta(far).value < 1e-322
    assert g.power(5e-324).value >= 5e-324 >= g.level(5e-324).value


@pytest.mark.parametrize("seed", range(2))
def test_one_point_of_pbdp(seed):
    """Never on the unsafe side of the lines that Proposition 4 gives."""
    rng = random.Random(seed)
    for _ in range(60):
        e, d = any_loss(rng) or 1.0, any_chance(rng)
        d = 0.3 if d in (0.0, 1.0) else d
        truths = curves.bounded(e, d)
        g = ProbabilisticallyBoundedDP(e, d, **A)
        for method in truths:
            x = any_loss(rng) if method == "profile" else rng.choice([any_chance(rng), d])
            exact, ours = truths[method](mpf(x)), mpf(METHODS[method](g, x).value)
            assert ours <= exact if method == "level" else ours >= exact, (g, method, x)


def test_the_polygon_of_f_dp_is_the_one_of_its_doubles():
    """Lines through corners in whole numbers: f-DP of randomized response, and 1e-300 beside 1."""
    rng = random.Random(1)
    for _ in range(40):
        x, y = sorted([rng.random() * 10 ** rng.uniform(-12, 0), rng.random()])
        g = FDP([0.0, x, 1.0], [1.0, 1.0 - y if 1.0 - y < 1.0 - x else 0.0, 0.0], **A)
        kept = [(mpf(u), 1 - mpf(f)) for u, f in zip(g.levels, g.errors, strict=True)]
        mirrored = [(1 - v, 1 - u) for u, v in kept[::-1]]
        for at in (x / 3, x, (x + 1) / 2, 1 - 1e-9):
            truth = min(between(kept, mpf(at)), between(mirrored, mpf(at)))
            units = OFF + 8 * UNIT * abs(mp.log(x))  # of the logarithm of a slope
            assert truth <= mpf(g.power(at).value) <= truth * (1 + units)


def between(points, x):
    """Height of the polygon at x, 1 beyond its last corner."""
    for (u0, v0), (u1, v1) in itertools.pairwise(points):
        if u0 <= x <= u1:
            return v0 + (v1 - v0) * (x - u0) / (u1 - u0)
    return curves.ONE


def test_points_alone_imply_less_than_the_lines_between_them():
    """A smooth f lies below the chords of its points, but not below what they imply."""
    mu, levels = mpf(1), [0.0, 0.01, 0.1, 0.3, 0.6, 1.0]
    with mp.workdps(40):
        truth = curves.normal(mu)["power"]
        errors = [float((1 - truth(mpf(x))) * (1 - mpf(10) ** -16)) for x in levels]
        hull, polygon = FDP.hull(levels, errors, **A), FDP.polygon(levels, errors, **A)
        at = [0.001, 0.03, 0.05, 0.2, 0.45, 0.8, 0.99]
        most = [truth(mpf(x)) for x in at]
    assert all(hull.power(x).value >= y for x, y in zip(at, most, strict=True))
    assert sum(polygon.power(x).value < y for x, y in zip(at, most, strict=True)) >= 5


def test_edges_that_used_to_warn():
    """Infinite promises in two steps, the smallest delta, tails of almost nothing."""
    assert ApproxDP(np.inf, 0.0, **A).for_neighbors("replace-one").delta(5.0).value == 1.0
    g = ProbabilisticDP(math.e, 5e-324, sides="one", **A)
    found = g.loss_bound([0.0, 1e-300, 0.5, 1.0], post_processing=False).value
    assert found.tolist() == [np.inf, math.e, math.e, math.e]
    assert np.all(GaussianDP(1e-8, **A).tail([1.0, 1e3, 1e308]).value > 0.0)


def test_two_steps_of_a_curve_add_up_without_rounding_down():
    """Sums of the doubles, rounded upwards only where they are not doubles."""
    g = ApproxDPCurve([1.0, 0.1], [0.1, 0.2], **A).for_neighbors("replace-one")
    assert max(g.stated_epsilon) == 2.0
    assert g.stated_delta[0] >= mp.exp(1) * mpf(0.1) + mpf(0.1)
