"""delta and epsilon under Rényi bounds against coins that keep every bound, to 40 digits.

Power at a level is the largest chance of heads that the divergences of two coins allow: bisection,
at the order that a golden section finds. Power minus e^epsilon times the level is below delta at
every level, and next to it at the level that the slope of delta gives.
"""

from __future__ import annotations

import math
import random
from typing import Any

import mpmath
import numpy as np
import pytest
from flint import arb, ctx

from dprisk import GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from dprisk.guarantees.base import CHANCES

A: Any = {"neighbors": "add-remove"}
GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


@pytest.fixture(autouse=True)
def digits():
    with ctx.workdps(40):
        yield


def divergence(order, y, x):
    heads, tails = (y / x) ** order * x, ((1 - y) / (1 - x)) ** order * (1 - x)
    return (heads + tails).log() / (order - 1)


def allowed(order, limit, x):
    """Most chance of heads of a coin next to one of chance x."""
    low, high = arb(0), -x.log()
    for _ in range(110):
        gap = ((low + high) / 2).mid()
        y = x * gap.exp()
        if y < 1 and max(divergence(order, y, x), divergence(order, x, y)) <= limit:
            low = gap
        else:
            high = gap
    return x * low.exp()


def least(f, low, high, turns=55):
    """Least value of a single-valleyed function."""
    here, there = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_here, at_there = f(here), f(there)
    for _ in range(turns):
        if at_here < at_there:
            high, there, at_there = there, here, at_here
            here = high - GOLDEN * (high - low)
            at_here = f(here)
        else:
            low, here, at_here = here, there, at_there
            there = low + GOLDEN * (high - low)
            at_there = f(there)
    return min(at_here, at_there)


def power(g, x):
    if isinstance(g, RenyiDP):
        return min(allowed(arb(a), arb(c), x) for a, c in zip(g.alpha, g.gamma, strict=True))
    rho, xi = arb(g.rho), arb(g.xi)

    def at(log_extra):
        order = 1 + log_extra.exp()
        return allowed(order, xi + rho * order, x)

    centre = (-x.log() / rho).sqrt().log()
    return least(at, arb(-40), max(centre + 3, arb(0)), 80)


def level(g, e):
    """Where the slope of delta puts the best test; any level would do for a lower bound."""
    sharp = max(g.alpha) if isinstance(g, RenyiDP) else 0.0
    step = min(1e-5 * e, 1e-3, 1e-4 / (1e-9 + sharp))
    low, high = g.delta([max(e - step, 0.0), e + step]).value
    return arb(low - high) / (arb(e + step).exp() - arb(max(e - step, 0.0)).exp())


def check(g, e, off=1e-8, said=None):
    ours, x = arb(g.delta(e).value if said is None else said), level(g, e).mid()
    for moved in (1.0, 0.98, 1.03):
        at = x * arb(moved)
        assert not ours < power(g, at) - arb(e).exp() * at, (g, e, "unsafe")
    best = power(g, x) - arb(e).exp() * x
    assert ours <= best * (1 + off), (g, e, ours, best)


@pytest.mark.parametrize("seed", range(8))
def test_one_order(seed):
    rng = random.Random(seed)
    extra = 10 ** rng.uniform(-9, 6)
    limit = min(10 ** rng.uniform(-9, 2), 300.0)
    g = RenyiDP(1 + extra, limit, **A)
    for _ in range(3):
        check(g, g.epsilon(10 ** rng.uniform(-30, -0.5) * g.delta(0.0).value).value)


def test_several_orders_meet_at_corners():
    """Between two orders the best test is where both forbid more."""
    g = RenyiDP([1.5, 2.0, 4.0, 8.0, 32.0], [0.15, 0.2, 0.5, 1.1, 4.0], **A)
    single = [RenyiDP(a, c, **A) for a, c in zip(g.alpha, g.gamma, strict=True)]
    corners = 0
    for e in np.linspace(0.02, 4.5, 23):
        check(g, float(e))
        corners += g.delta(e).value < 0.9999 * min(each.delta(e).value for each in single)
    assert corners >= 2


@pytest.mark.parametrize("rho", [1e-12, 1e-3, 0.5, 3.0, 40.0])
@pytest.mark.parametrize("share", [0.7, 1e-2, 1e-9, 1e-290])
def test_all_orders(rho, share):
    g = ZeroConcentratedDP(rho, **A)
    check(g, g.epsilon(share * g.delta(0.0).value).value)


ANY = [
    ZeroConcentratedDP(1e-6, **A),
    ZeroConcentratedDP(0.3, **A),
    ZeroConcentratedDP(40.0, **A),
    ZeroConcentratedDP(0.1, xi=0.2, **A),
    RenyiDP(3.0, 0.4, **A),
    RenyiDP([1.5, 2.0, 4.0, 8.0, 32.0], [0.15, 0.2, 0.5, 1.1, 4.0], **A),
]


@pytest.mark.parametrize("g", ANY, ids=repr)
def test_points_of_the_profile_are_read_off_the_lines_that_were_searched(g):
    """Never below the truth, and as near to it as delta there; some of them by coins."""
    places, values = g._points
    known = np.asarray(g.delta(places).value)
    assert np.all(values >= known * (1 - 1e-9)) and np.all(values <= known * (1 + 1e-9))
    kept = values < g.delta(0.0).value
    assert np.all(np.abs(values[kept] / CHANCES[kept] - 1.0) < 1e-6)
    for n in np.flatnonzero(kept & (places > 0.0))[[3, 150, -2]].tolist():
        check(g, float(places[n]), said=float(values[n]))


def test_points_beside_an_event_of_which_nothing_is_known():
    """It comes on top, and no chance below it has a place."""
    g = ZeroConcentratedDP(0.3, delta=1e-9, **A)
    places, values = g._points
    assert np.all(np.isinf(places[CHANCES <= 1e-9])) and np.all(values >= 1e-9)
    some = np.isfinite(places)
    assert np.allclose(values[some], g.delta(places[some]).value, rtol=1e-9, atol=0.0)


@pytest.mark.parametrize("rho", [1e-12, 1e-6, 1e-2, 0.5, 2.56, 30.0, 1e3])
def test_the_normal_mechanism_is_one_of_those(rho):
    mu = math.sqrt(2.0 * rho)
    e = np.maximum(rho + mu * np.linspace(-5, 37, 500), 0.0)
    ours, normal = ZeroConcentratedDP(rho, **A).delta(e).value, GaussianDP(mu, **A).delta(e).value
    assert np.all(ours >= normal * (1 - 1e-12))
    assert np.all(np.diff(ours) <= 1e-11 * ours[1:])


def test_values_that_canonne_does_not_reach():
    found = RenyiDP(2.0, 0.2, **A).delta([0.0, 0.5, 1.0, 2.0]).value
    assert np.allclose(
        found, [0.22901457287, 0.0763393912343, 0.0316305491904, 0.00865164395819], rtol=1e-11
    )
    assert ZeroConcentratedDP(0.5, **A).delta(0.0).value < 0.4792


@pytest.mark.parametrize(
    "g",
    [
        RenyiDP(2.0, 0.2, **A),
        RenyiDP([1.5, 4.0, 64.0], [0.1, 0.5, 9.0], **A),
        RenyiDP(1e6, 1e5, **A),
        ZeroConcentratedDP(0.5, **A),
        ZeroConcentratedDP(1e-12, **A),
        ZeroConcentratedDP(1e3, **A),
        ZeroConcentratedDP(0.1, xi=0.3, delta=1e-6, **A),
        ZeroConcentratedDP(0.0, xi=1.0, **A),
    ],
)
def test_far_ends_and_inverse(g):
    revealed = getattr(g, "stated_delta", 0.0)
    assert g.advantage().value == g.delta(0.0).value
    assert g.delta(np.inf).value == revealed
    assert revealed <= g.delta(1e308).value <= revealed * (1 + 1e-14) + 5e-324
    assert g.epsilon(1.0).value == 0.0 == g.epsilon(g.delta(0.0).value).value
    d = np.concatenate([[5e-324, 1e-310], np.geomspace(1e-300, 1.0, 200)])
    e = g.epsilon(d).value
    assert np.all(g.delta(e).value[d > revealed] <= d[d > revealed])
    assert np.all(e[1:] <= e[:-1] * (1 + 1e-12))
    finite = np.flatnonzero(np.isfinite(e) & (e > 0.0) & (d > 1e-305))
    assert np.all(g.delta(e[finite] * (1 - 1e-9)).value >= d[finite] * (1 - 1e-11))
    some = finite[::19]
    assert [g.epsilon(d[i]).value for i in some] == e[some].tolist()
    assert [g.delta(e[i]).value for i in some] == g.delta(e).value[some].tolist()


def test_an_offset_alone_is_pure_dp():
    g, pure = ZeroConcentratedDP(0.0, xi=1.0, **A), PureDP(1.0, **A)
    e = np.linspace(0.0, 1.2, 30)
    ours, exact = g.delta(e).value, pure.delta(e).value
    assert np.all(ours >= exact) and np.all(ours <= exact + 1e-9)


def test_what_is_known_of_nothing_comes_on_top():
    plain, g = ZeroConcentratedDP(0.3, **A), ZeroConcentratedDP(0.3, delta=0.01, **A)
    e = np.linspace(0.0, 5.0, 20)
    expected = 0.01 + 0.99 * plain.delta(e).value
    assert np.allclose(g.delta(e).value, expected, rtol=1e-13, atol=0.0)
    assert np.all(g.delta(e).value >= expected * (1 - 1e-15))


@pytest.mark.parametrize("units", [1, 2, 8, 1000])
@pytest.mark.parametrize("revealed", [1e-9, 0.3, 0.52, 0.999])
def test_epsilon_of_a_delta_next_to_what_is_revealed(units, revealed):
    """At least that of two normal distributions; at most Bun and Steinke's conversion."""
    rho, total = 0.0018, revealed + units * math.ulp(revealed)
    g = ZeroConcentratedDP(rho, delta=revealed, **A)
    found = g.epsilon(total).value
    assert g.delta(found).value <= total
    core = (arb(total) - arb(revealed)) / (1 - arb(revealed))
    mu = (2 * arb(rho)).sqrt()
    tail = lambda x: (x / arb(2).sqrt()).erfc() / 2  # noqa: E731
    e = arb(found)
    assert tail(e / mu - mu / 2) - e.exp() * tail(e / mu + mu / 2) < core
    assert e < arb(rho) + 2 * (-arb(rho) * core.log()).sqrt()


@pytest.mark.parametrize(("rho", "epsilon"), [(1.831492846466103, 1.0180954363142094), (0.5, 0.4)])
def test_where_the_order_that_limits_goes_to_one(rho, epsilon):
    """Just beyond its corner the power curve is that of the Kullback-Leibler divergence alone."""
    with mpmath.workdps(40):

        def divergence(y, x):
            return y * mpmath.log(y / x) + (1 - y) * mpmath.log((1 - y) / (1 - x))

        slope = mpmath.exp(mpmath.mpf(epsilon))

        def equations(x, y):  # the limit is met, and the curve there has the slope
            by_y = mpmath.log(y / x) - mpmath.log((1 - y) / (1 - x))
            by_x = (x - y) / (x * (1 - x))
            return [divergence(y, x) - mpmath.mpf(rho), by_x + slope * by_y]

        x, y = mpmath.findroot(equations, (mpmath.mpf("0.07"), mpmath.mpf("0.8")))
        truth = y - slope * x
    found = ZeroConcentratedDP(rho, neighbors="add-remove").delta(epsilon).value
    assert truth <= found <= truth * (1 + mpmath.mpf("1e-12"))
