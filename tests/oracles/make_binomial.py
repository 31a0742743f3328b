"""k-fold randomized response, by adding up both binomial tails with 90 digits and subtracting.

Run: python -m tests.oracles.make_binomial
"""

from __future__ import annotations

from mpmath import exp, expm1, floor, log, log1p, loggamma, mp, mpf

from tests.oracles.writing import write

COUNTS = (1, 2, 3, 10, 101, 1000, 10**4, 10**6)
EPSILONS = (1e-8, 1e-3, 0.1, 1.0, 20.0, 700.0)
REVEALED = (0.0, 1e-300, 1e-12, 1e-3)
DELTAS = (1e-300, 1e-100, 1e-12, 1e-6, 1e-3, 0.3)
ENOUGH = mpf(10) ** -60
SMALLEST = mpf(10) ** -290


def log_atom(k, e, m):
    """log of C(k, m) e^(-m e) / (1 + e^-e)^k."""
    ways = loggamma(k + 1) - loggamma(m + 1) - loggamma(k - m + 1)
    return ways - m * e - k * log1p(exp(-e))


def at_most(k, e, last):
    """P of at most so many wrong: from the largest term in both directions."""
    if not 0 <= last < k:
        return mpf(last >= 0)
    start = min(last, int(floor((k + 1) / (1 + exp(e)))))
    first, odds = exp(log_atom(k, e, start)), exp(e)
    total = term = first
    for m in range(start, 0, -1):
        term *= odds * m / (k - m + 1)
        total += term
        if term < total * ENOUGH:
            break
    term = first
    for m in range(start, last):
        term *= (k - m) / (odds * (m + 1))
        total += term
        if term < total * ENOUGH:
            break
    return total


def last_above(k, e, x):
    m = min(int(floor((k - x / e) / 2)) + 2, k)
    while m >= 0 and (k - 2 * m) * e <= x:
        m -= 1
    return m


def p_tail(k, e, x):
    return at_most(k, e, last_above(k, e, x))


def q_tail(k, e, x):
    return at_most(k, -e, last_above(k, e, x))


def profile(k, e, d, x):
    kept = k * log1p(-d)
    return exp(kept) * (p_tail(k, e, x) - exp(x) * q_tail(k, e, x)) - expm1(kept)


def guess(k, e, d):
    """An epsilon at which delta is near d: Chernoff's bound for the finite loss."""
    best = k * e
    for j in range(-20, 40):
        s = mpf(2) ** (mpf(j) / 2) / (e * mp.sqrt(k) + e * e * k)
        log_moment = k * (log1p(exp(-e - 2 * s * e)) - log1p(exp(-e))) + s * k * e
        best = min(best, (log_moment - log(mpf(d))) / s)
    return max(best, mpf(0))


def points(k, e):
    found = {0.0, e * (k % 2), 0.5 * k * e, k * e * (1 - 1e-9), 2.0 * k * e}
    found |= {float(guess(k, mpf(e), d)) for d in DELTAS}
    return sorted(found)


def rows():
    for d in DELTAS:  # as close to a normal loss as doubles allow
        k, e = 10**9, 3e-5
        x = float(guess(k, mpf(e), d))
        yield k, e, 0.0, "delta", x, profile(k, mpf(e), mpf(0), mpf(x))
    for k in COUNTS:
        for e in EPSILONS:
            for x in points(k, e):
                for d in REVEALED:
                    yield k, e, d, "delta", x, profile(k, mpf(e), mpf(d), mpf(x))
                    if k == 10**6:
                        break
                for name, tail in (("p", p_tail), ("q", q_tail)):
                    for y in (x, -x):
                        yield k, e, 0.0, name, y, tail(k, mpf(e), mpf(y))
            for m in {0, 1, k // 3, k // 2, k}:
                yield k, e, 0.0, "atom", m, log_atom(k, mpf(e), m)


if __name__ == "__main__":
    with mp.workdps(90):
        kept = (row for row in rows() if row[3] == "atom" or row[5] == 0 or row[5] > SMALLEST)
        write("binomial", ("k", "epsilon0", "delta0", "method", "argument", "answer"), kept)
