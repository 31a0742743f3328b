"""Pure and approximate DP: the power curve is the least of three lines, and tells all else.

Written from P1 Theorem 6.2 (the lines), P0 Theorem 3.9 and P2 Lemma 2.3 (the tails).
Run: python -m tests.oracles.make_polygon
"""

from __future__ import annotations

from mpmath import exp, inf, log, mpf

from tests.oracles.writing import condition, write

EPSILONS = (0.0, 1e-8, 0.1, 1.0, 10.0, 50.0, 700.0)
DELTAS = (0.0, 1e-300, 1e-20, 1e-9, 1e-3, 0.5)
LEVELS = (0.0, 1e-300, 1e-12, 0.01, 0.3, 0.5, 0.99, 1 - 1e-12, 1.0)


def lines(e, d):
    """(slope, offset) of the three lines above the power curve."""
    return (exp(e), d), (exp(-e), 1 - exp(-e) * (1 - d)), (mpf(0), mpf(1))


def power(e, d, x):
    return min(s * x + b for s, b in lines(e, d))


def level(e, d, y):
    return max(mpf(0), *((y - b) / s for s, b in lines(e, d)[:2]))


def profile(e, d, t):
    """sup of power(x) - e^t x: at level 0 or at the corner of the first two lines."""
    corner = (1 - d) / (1 + exp(e))
    return max(mpf(0), *(power(e, d, x) - exp(t) * x for x in (mpf(0), corner, 1 - d)))


def epsilon(e, d, goal):
    if goal < d:
        return inf
    if goal >= profile(e, d, mpf(0)):
        return mpf(0)
    corner = (1 - d) / (1 + exp(e))  # power(corner) - e^t corner = goal
    return max(mpf(0), log((power(e, d, corner) - goal) / corner))


def tail_one(e, d, t):
    """Highest point with power >= e^t level; beyond a pure epsilon there is none."""
    if d == 0 and t >= e:
        return mpf(0)
    return min(b / (1 - s * exp(-t)) if s < exp(t) else mpf(1) for s, b in lines(e, d))


def tail_both(e, d, t):
    return min(mpf(1), tail_one(e, d, t) * (1 + exp(-t)))


def loss_one(e, d, m):
    if d == 0 and m == 0:
        return e
    x = level(e, d, m)
    return log(m / x) if x > 0 else inf


def loss_both(e, d, m):
    if d == 0 and m == 0:
        return e
    y = min((s * m + b) / (1 + s) for s, b in lines(e, d))
    return max(mpf(0), log(y / (m - y))) if y < m else inf


def questions(e, d):
    """Every method with its arguments."""
    around = {0.0, 1e-8, 0.5, 30.0, 699.0, e / 2, e * (1 - 1e-6), e * (1 + 1e-6), e + 1e-3, 2 * e}
    chances = {1e-300, 1e-12, 1e-3, 0.05, 0.4, 0.9, 1.0, d * (1 + 1e-6), min(1.0, 1.5 * d), 30 * d}
    for t in sorted(around):
        yield from ((f, t) for f in (profile, tail_one, tail_both))
    for x in LEVELS:
        yield from ((f, x) for f in (power, level))
    for m in sorted(m for m in chances if m <= 1):
        yield from ((f, m) for f in (epsilon, loss_one, loss_both))


def rows():
    for e in EPSILONS:
        for d in DELTAS:
            for f, x in questions(e, d):
                answer = f(mpf(e), mpf(d), mpf(x))
                if answer == 0 or answer > mpf(10) ** -290:  # doubles end near 1e-308
                    yield e, d, f.__name__, x, answer, condition(f, (e, d, x))


if __name__ == "__main__":
    write("polygon", ("epsilon", "delta", "method", "argument", "answer", "condition"), rows())
