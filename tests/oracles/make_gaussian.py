"""Gaussian DP: two normals of unit variance, mu apart (P1 Example 5.10).

Run: python -m tests.oracles.make_gaussian
"""

from __future__ import annotations

from mpmath import erfc, exp, log, mp, mpf, sqrt

from tests.oracles.writing import condition, write

MUS = (1e-8, 1e-3, 0.1, 0.499999, 0.5, 1.0, 5.0, 40.0)
LEVELS = (1e-300, 1e-100, 1e-12, 1e-3, 0.05, 0.5, 0.9, 1 - 1e-9, 1 - 1e-12)
SMALLEST = mpf(10) ** -290


def below(x):
    """Phi(x)."""
    return erfc(-x / sqrt(mpf(2))) / 2


def bisect(f, low, high):
    """Root of an increasing function."""
    low, high = mpf(low), mpf(high)
    for _ in range(220):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    return high


def quantile(p):
    """Phi^-1(p), p in (0, 1), from the half where digits are kept."""
    if p > mpf(1) / 2:
        return -quantile(1 - p)
    x = bisect(lambda x: below(x) - p, -45, 0)
    for _ in range(3):  # Newton
        x -= (below(x) - p) * sqrt(2 * mp.pi) * exp(x * x / 2)
    return x


def profile(mu, t):
    return below(-t / mu + mu / 2) - exp(t) * below(-t / mu - mu / 2)


def power(mu, x):
    return below(quantile(x) + mu)


def level(mu, y):
    return below(quantile(y) - mu)


def epsilon(mu, d):
    """Inverse of the profile."""
    if d >= profile(mu, mpf(0)):
        return mpf(0)
    return bisect(lambda t: d - profile(mu, t), 0, mu * (mu / 2 + 45))


def at(mu, x):
    """(level, power, log-ratio) of the test that rejects beyond x."""
    low, high = below(-x), below(mu - x)
    return low, high, log(high / low)


def ray(mu, t):
    return bisect(lambda x: at(mu, x)[2] - t, -45, 45 + mu)


def tail_one(mu, t):
    return at(mu, ray(mu, t))[1]


def tail_both(mu, t):
    low, high, _ = at(mu, ray(mu, t))
    return min(mpf(1), low + high)


def loss_one(mu, m):
    return log(m / level(mu, m))


def loss_both(mu, m):
    x = bisect(lambda x: m - sum(at(mu, x)[:2]), mu / 2, 45 + mu)
    return at(mu, x)[2]


def rows():
    for mu in MUS:
        points = [mu * x for x in (1e-6, 0.1, 0.8, 3.0, 12.0, 30.0)] + [mu * mu / 2, 1.0, 700.0]
        asked = [(f, t) for f in (profile, tail_one, tail_both) for t in points]
        asked += [(f, x) for f in (power, level) for x in LEVELS]
        asked += [(f, m) for f in (loss_one, loss_both) for m in LEVELS]
        asked += [(epsilon, d) for d in (1e-280, 1e-100, 1e-12, 1e-9, 1e-3, 0.3)]
        for f, x in asked:
            if f in (tail_one, tail_both) and x > mu * (36 + mu / 2):
                continue  # below the smallest double
            answer = f(mpf(mu), mpf(x))
            if answer == 0 or answer > SMALLEST:
                yield mu, f.__name__, x, answer, condition(f, (mu, x))


if __name__ == "__main__":
    with mp.workdps(70):
        write("gaussian", ("mu", "method", "argument", "answer", "condition"), rows())
