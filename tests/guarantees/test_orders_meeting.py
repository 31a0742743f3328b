"""Tests under Rényi bounds to eleven digits: two coins that use every bound up, to 50 digits.

Coins of an answer that is exact keep every bound or break one by a hair; coins that are closer
together by 1e-11, and by 200 units of the question, keep all.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

from dprisk import RenyiDP, ZeroConcentratedDP

A: Any = {"neighbors": "add-remove"}
UNITS = 200 * mpf(2) ** -53
OFF = mpf("1e-11")
GOLDEN = (mp.sqrt(5) - 1) / 2
SLACK = {RenyiDP(1e6, 1e5, **A): 1e-3}  # 1e-15 of the limit times the order
QUESTIONS: dict[str, Any] = {
    "power": lambda g, q: g.power(q),
    "level": lambda g, q: g.level(q),
    "tail": lambda g, q: g.tail(q, sides="one"),
    "loss": lambda g, q: g.loss_bound(q, sides="one"),
    "both": lambda g, q: g.loss_bound(q),
}


@pytest.fixture(autouse=True)
def digits():
    with mp.workdps(50):
        yield


def divergence(extra, y, x):
    heads, tails = mp.log(y / x), mp.log((1 - y) / (1 - x))
    if extra == 0:
        return y * heads + (1 - y) * tails
    return mp.log1p(y * mp.expm1(extra * heads) + (1 - y) * mp.expm1(extra * tails)) / extra


def used(g, x, y):
    """The most of divergence over limit, over all orders and both ways round."""
    x, y = x / (1 - mpf(g._revealed)), (y - mpf(g._revealed)) / (1 - mpf(g._revealed))
    if x + y > 1:
        x, y = 1 - y, 1 - x  # the same coins, so that the way from y to x is the longer one
    if isinstance(g, RenyiDP):
        pairs = zip(g.alpha, g.gamma, strict=True)
        return max(divergence(mpf(a) - 1, y, x) / mpf(limit) for a, limit in pairs)
    rho, xi = mpf(g.rho), mpf(g.xi)

    def share(logarithm):
        extra = mp.exp(logarithm)
        return divergence(extra, y, x) / (xi + rho * (1 + extra))

    last = max(mp.log((1 - mp.log(x)) / rho) / 2 + 6, mpf(5))
    grid = mp.linspace(-33, last, 70)
    best = max(range(len(grid)), key=lambda i: share(grid[i]))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    for _ in range(70):
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        low, high = (low, right) if share(left) > share(right) else (left, high)
    return max(share(low), share(grid[best]), divergence(0, y, x) / (xi + rho))


def coins(kind, q, answer):
    if kind in ("power", "level"):
        return (q, answer) if kind == "power" else (answer, q)
    if kind == "tail":
        return answer * mp.exp(-q), answer
    y = q if kind == "loss" else q / (1 + mp.exp(-answer))
    return y * mp.exp(-answer), y


def check(g, kind, q):
    answer = mpf(QUESTIONS[kind](g, q).value)
    if answer in (0, 1, mp.inf) or (kind not in ("loss", "both") and answer < 1e-300):
        return 0
    x, y = coins(kind, mpf(q), answer)
    assert used(g, x, y) >= 1, (g, kind, q, "not a bound")
    x, y = coins(
        kind,
        mpf(q) * (1 + UNITS if kind == "power" else 1 - UNITS),
        answer * (1 + OFF if kind == "level" else 1 - OFF),
    )
    assert y <= x or y <= g._revealed or used(g, x, y) < 1, (g, kind, q, "not close")
    return 1


def asked(rng, g, kind):
    chance = rng.choice([rng.random(), 10 ** rng.uniform(-12, 0), 10 ** rng.uniform(-280, 0)])
    if kind != "tail":
        return chance if rng.random() < 0.8 else 1 - 10 ** rng.uniform(-6, 0)
    return g.loss_bound(0.5, sides="one").value * rng.choice([3 * rng.random(), 9 * rng.random()])


@pytest.mark.parametrize("seed", range(12))
def test_all_orders(seed):
    rng = random.Random(seed)
    g = ZeroConcentratedDP(
        10 ** rng.uniform(-12, 3),
        xi=0.0 if rng.random() < 0.6 else 10 ** rng.uniform(-6, 1),
        delta=0.0 if rng.random() < 0.7 else 10 ** rng.uniform(-9, -1),
        **A,
    )
    assert sum(check(g, kind, asked(rng, g, kind)) for kind in QUESTIONS) >= 2


@pytest.mark.parametrize("seed", range(12))
def test_some_orders(seed):
    rng = random.Random(seed)
    orders = sorted(1 + 10 ** rng.uniform(-6, 3) for _ in range(rng.choice([1, 2, 4])))
    size = 10 ** rng.uniform(-9, 1)
    g = RenyiDP(orders, [size * order ** rng.random() for order in orders], **A)
    assert sum(check(g, kind, asked(rng, g, kind)) for kind in QUESTIONS) >= 2


@pytest.mark.parametrize(
    "g",
    [
        ZeroConcentratedDP(1e-12, **A),
        ZeroConcentratedDP(0.5, delta=1e-3, **A),
        ZeroConcentratedDP(1e3, **A),
        ZeroConcentratedDP(1e9, **A),
        ZeroConcentratedDP(1e-300, **A),
        ZeroConcentratedDP(1e-12, xi=1e3, **A),
        ZeroConcentratedDP(0.0, xi=1.0, **A),
        RenyiDP([1.0001, 2.0, 30.0], [0.1, 0.3, 5.0], **A),
        RenyiDP(1e6, 1e5, **A),
    ],
)
def test_ends_and_arrays(g):
    """From the smallest double to the last before 1; in an array bit by bit as alone."""
    small = np.concatenate([[5e-324, 1e-310], np.geomspace(1e-300, 0.5, 40)])
    p = np.unique(np.concatenate([[0.0], small, 1.0 - np.geomspace(0.5, 2**-53, 20), [1.0]]))
    size = g.loss_bound(0.5, sides="one").value
    t = np.concatenate([[0.0, 5e-324], size * np.geomspace(1e-9, 30.0, 40), [1e300, np.inf]])
    for kind, ask in QUESTIONS.items():
        q = t if kind == "tail" else p
        found = ask(g, q).value
        assert not np.isnan(found).any()
        assert found[::9].tolist() == [ask(g, float(one)).value for one in q[::9]]
        up = found if kind in ("power", "level") else found[::-1]
        assert np.all(up[1:] >= up[:-1] * (1 - SLACK.get(g, 1e-11))), kind
    assert np.all(g.power(p).value >= p) and np.all(g.level(p).value <= p)
