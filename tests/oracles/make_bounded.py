"""One point of pbdp: the power curve below a line and a ray, and below the mirror image of both.

P1 Definition 5.4 says that a test of level e^-epsilon delta has at most power delta; concave power
curves then stay, before that level, below the line from there to (1, 1) and, after it, below the
ray through the origin; exchanging the two hypotheses mirrors both.
Run: python -m tests.oracles.make_bounded
"""

from __future__ import annotations

from mpmath import exp, inf, log, mpf

from tests.oracles.writing import condition, write

EPSILONS = (1e-8, 0.1, 1.0, 10.0, 300.0)
DELTAS = (0.0, 1e-300, 1e-9, 1e-3, 0.4, 0.9, 1 - 1e-12)
LEVELS = (0.0, 1e-300, 1e-12, 1e-4, 0.01, 0.3, 0.5, 0.8, 0.99, 1 - 1e-12, 1.0)


def revealed(e, d):
    """Where the line from (e^-epsilon delta, delta) to (1, 1) starts."""
    x = exp(-e) * d
    return (d - x) / (1 - x)


def ahead(e, d, x):
    b = revealed(e, d)
    return b + (1 - b) * x if x <= exp(-e) * d else min(mpf(1), exp(e) * x)


def ahead_inverse(e, d, y):
    b = revealed(e, d)
    return max(mpf(0), (y - b) / (1 - b)) if y < d else exp(-e) * y


def power(e, d, x):
    return min(ahead(e, d, x), 1 - ahead_inverse(e, d, 1 - x))


def level(e, d, y):
    return max(ahead_inverse(e, d, y), 1 - ahead(e, d, 1 - y))


def profile(e, d, t):
    """Revealing attains b, randomized response its own profile (delta below the antidiagonal)."""
    if d * (1 + exp(-e)) >= 1:
        return revealed(e, d)
    return max(revealed(e, d), (exp(e) - exp(t)) / (1 + exp(e)))


def tail_one(e, d, t):
    """For t >= epsilon: where the ray of slope e^t leaves the line."""
    b = revealed(e, d)
    return b / (1 - (1 - b) * exp(-t)) if b else mpf(0)


def loss_one(e, d, m):
    x = level(e, d, m)
    return max(mpf(0), log(m / x)) if x > 0 else inf


def rows():
    for e in EPSILONS:
        for d in DELTAS:
            asked = [(f, x) for f in (power, level) for x in LEVELS]
            asked += [(profile, t) for t in (0.0, e / 3, e * (1 - 1e-6), e, 2 * e)]
            asked += [(tail_one, t) for t in (e * (1 + 1e-6), 2 * e, 5 * e + 1)]
            asked += [(loss_one, m) for m in (1e-12, d / 2, d, min(1.0, 1.5 * d), 0.7) if m > 0]
            for f, x in asked:
                answer = f(mpf(e), mpf(d), mpf(x))
                if answer == 0 or answer > mpf(10) ** -290:
                    yield e, d, f.__name__, x, answer, condition(f, (e, d, x))


if __name__ == "__main__":
    write("bounded", ("epsilon", "delta", "method", "argument", "answer", "condition"), rows())
