"""Rényi and concentrated DP: Canonne et al.'s infimum, and two coins that keep every divergence.

The power at a level is the largest y such that coins of chances y and x differ by at most the limit
at every order, both ways round; order 1, the Kullback-Leibler divergence, included. Plain and slow:
a bisection in y inside a golden section in the logarithm of the order.
Run: python -m tests.oracles.make_renyi
"""

from __future__ import annotations

from collections.abc import Callable

from mpmath import exp, expm1, log, log1p, mp, mpf, sqrt

from tests.oracles.writing import write

SINGLE = [
    (1.0001, 1e-8),
    (1.0001, 0.1),
    (1.5, 1e-8),
    (1.5, 5.0),
    (2.0, 0.5),
    (10.0, 0.1),
    (10.0, 5.0),
    (1e4, 1e-3),
    (1e4, 5.0),
]
SLOPES = [(1e-8, 0.0), (1e-4, 0.0), (0.1, 0.0), (2.63, 0.0), (2.63, 1.5), (100.0, 0.0), (0.0, 0.7)]
REACH = 3000  # nothing further out is asked
LEVELS = (1e-300, 1e-12, 0.01, 0.5, 1 - 1e-9)
DELTAS = (1e-300, 1e-100, 1e-10, 1e-3, 0.3)


# --- the profile ---------------------------------------------------------------------------------


def exponent(a, limit, e):
    """Logarithm of Canonne et al.'s bound at one order."""
    return (a - 1) * (limit - e) - log(a - 1) + a * log(1 - 1 / a)


def bisect(f, low, high, steps=170):
    """Where an increasing function passes zero."""
    low, high = mpf(low), mpf(high)
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    return (low + high) / 2


def best_order(rho, xi, e):
    """Where the derivative (2a - 1) rho + xi - e + log(1 - 1/a) of the exponent vanishes."""
    u = bisect(lambda u: (2 * exp(u) + 1) * rho + xi - e - log1p(exp(-u)), -100, 80)
    return 1 + exp(u)


def slope_delta(rho, xi, e):
    if rho == 0 and e >= xi:
        return mpf(0)
    a = best_order(rho, xi, e)
    return min(mpf(1), exp(exponent(a, xi + rho * a, e)))


def slope_epsilon(rho, xi, d):
    """Along the curve of best orders epsilon rises and delta falls."""

    def at(u):
        a = 1 + exp(u)
        e = (2 * a - 1) * rho + xi + log(1 - 1 / a)
        return e, exponent(a, xi + rho * a, e)

    e = at(bisect(lambda u: log(d) - at(u)[1], -100, 80))[0]
    return max(mpf(0), e)


def single_delta(a, limit, e):
    return min(mpf(1), exp(exponent(a, limit, e)))


def single_epsilon(a, limit, d):
    return max(mpf(0), limit + (-log(d) - log(a - 1) + a * log(1 - 1 / a)) / (a - 1))


# --- two coins -----------------------------------------------------------------------------------


def coin(log_odds):
    """Chances of heads and of tails."""
    return 1 / (1 + exp(-log_odds)), 1 / (1 + exp(log_odds))


def of(chance):
    return chance, 1 - chance


def log_tails(p):
    return log1p(-p[0]) if 2 * p[0] < 1 else log(p[1])


def divergence(p, q, a):
    """D_a of one coin from another; small chances keep all of their digits."""
    heads, tails = log(p[0] / q[0]), log_tails(p) - log_tails(q)
    if a == 1:
        return p[0] * heads + p[1] * tails
    excess = p[0] * expm1((a - 1) * heads) + p[1] * expm1((a - 1) * tails)
    return log1p(excess) / (a - 1)


def apart(x, y, a, limit) -> bool:
    """Whether the two coins differ by more than the limit, one way or the other."""
    return bool(divergence(y, x, a) > limit or divergence(x, y, a) > limit)


def furthest(path: Callable, low, high, a, limit):
    """Position on a path, leading away from equal coins, at which the limit is passed."""
    low, high = mpf(low), mpf(high)
    for _ in range(95):
        middle = (low + high) / 2
        x, y = path(middle)
        low, high = (low, middle) if apart(x, y, a, limit) else (middle, high)
    return low


def power_path(x):
    """From the level upwards, by log-odds."""
    start = log(x / (1 - x))
    return lambda u: (of(x), coin(start + u)), lambda u: coin(start + u)[0]


def level_path(y):
    start = log(y / (1 - y))
    return lambda u: (coin(start - u), of(y)), lambda u: coin(start - u)[0]


def loss_path(m):
    return lambda u: (of(m * exp(-u)), of(m)), lambda u: u


def tail_path(t):
    """On the ray, from nothing upwards, by the log-odds of the height."""

    def path(u):
        high = coin(u - 1500)
        return of(high[0] * exp(-t)), high

    return path, lambda u: coin(u - 1500)[0]


def single(path, value, a, limit):
    return value(furthest(path, 0, REACH, a, limit))


def golden(f, low, high):
    """Least value of a single-valleyed function."""
    share = (sqrt(mpf(5)) - 1) / 2
    b, c = high - share * (high - low), low + share * (high - low)
    fb, fc = f(b), f(c)
    for _ in range(48):
        if fb < fc:
            high, c, fc = c, b, fb
            b = high - share * (high - low)
            fb = f(b)
        else:
            low, b, fb = b, c, fc
            c = low + share * (high - low)
            fc = f(c)
    return min(fb, fc)


def every_order(path, rho, xi):
    """Least position over all orders; order 1 on its own, the rest by their logarithm."""

    def at(u):
        a = 1 + exp(mpf(u))
        return furthest(path, 0, REACH, a, xi + rho * a)

    grid = [mpf(u) for u in range(-14, 26, 2)]
    values = [at(u) for u in grid]
    i = min(range(len(grid)), key=values.__getitem__)
    low, high = grid[max(i - 1, 0)], grid[min(i + 1, len(grid) - 1)]
    return min(golden(at, low, high), furthest(path, 0, REACH, mpf(1), xi + rho))


# --- the table -----------------------------------------------------------------------------------

PATHS = {"power": power_path, "level": level_path, "loss_one": loss_path, "tail_one": tail_path}


def singles():
    for a, limit in SINGLE:
        ma, ml = mpf(a), mpf(limit)
        yield from (
            ("delta", a, limit, e, single_delta(ma, ml, mpf(e)))
            for e in (limit / 2, limit + 0.5, 3 * limit + 1, 60.0)
        )
        yield from (("epsilon", a, limit, d, single_epsilon(ma, ml, mpf(d))) for d in DELTAS)
        for name, path in PATHS.items():
            tails = (limit / 2, 1.5 * limit, limit + 2)
            for x in tails if name == "tail_one" else LEVELS:
                yield name, a, limit, x, single(*path(mpf(x)), ma, ml)


def slopes():
    for rho, xi in SLOPES:
        mr, mx = mpf(rho), mpf(xi)
        scale = 2 * float(rho) ** 0.5
        tails = [xi + rho + scale * s for s in (0.1, 1.0, 4.0, 20.0)] if rho else []
        yield from (("delta", rho, xi, e, slope_delta(mr, mx, mpf(e))) for e in [xi / 2, *tails])
        yield from (("epsilon", rho, xi, d, slope_epsilon(mr, mx, mpf(d))) for d in DELTAS if rho)
        if rho:
            for name, path in PATHS.items():
                for x in tails if name == "tail_one" else LEVELS:
                    to, value = path(mpf(x))
                    yield name, rho, xi, x, value(every_order(to, mr, mx))


def rows():
    for kind, table in (("order", singles()), ("slope", slopes())):
        for name, first, second, x, answer in table:
            if answer < REACH - 1 and (answer == 0 or answer > mpf(10) ** -290):
                yield kind, first, second, name, x, answer


if __name__ == "__main__":
    with mp.workdps(60):
        header = ("kind", "first", "second", "method", "argument", "answer")
        write("renyi", header, rows())
