"""Sums of Laplace losses, exactly: truncated powers with 60 digits and more, no numerics.

Weighted by e^(-z / 2), the atoms of a Laplace loss have the mass e^(-c / 2) / 2
each and its density is e^(-c / 2) / 4. With E the shift by c to the right and D^-1
the integral from above, that is e^(-c / 2) (E (1 / 2 + D^-1 / 4) + 1/E (1 / 2 - D^-1 / 4)): a
product of such terms is a sum over all choices of a sign, each a polynomial in D^-1.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

from mpmath import mp


def digits(ratios) -> int:
    """More than are lost."""
    return 60 + 2 * len(ratios) + int(sum(ratios))


@cache
def knots(ratios):
    """(knot, coefficients of 1, D^-1, D^-2, ...) for all choices of signs."""
    found = [(mp.mpf(0), [mp.mpf(1)])]
    for ratio, count in Counter(ratios).items():
        ways = [(mp.binomial(count, wrong), wrong) for wrong in range(count + 1)]
        found = [
            (place + (count - 2 * wrong) * mp.mpf(ratio), _drawn(row, count, wrong, often))
            for place, row in found
            for often, wrong in ways
        ]
    return found


def _drawn(row, count, wrong, often):
    """Times (1 / 2 + D^-1 / 4)^(count - wrong) (1 / 2 - D^-1 / 4)^wrong, so often."""
    row = [often * a for a in row]
    for sign in [1] * (count - wrong) + [-1] * wrong:
        shifted = zip([*row, mp.mpf(0)], [mp.mpf(0), *row], strict=True)
        row = [a / 2 + sign * b / 4 for a, b in shifted]
    return row


def _integral(ratios, x, a, strict=True):
    """Integral of e^(a (z - x)) over z > x, under the weighted law."""
    total = mp.mpf(0)
    for place, row in knots(ratios):
        v = place - x
        if v < 0 or (strict and v == 0):
            continue
        rest, power, size = mp.exp(a * v), mp.mpf(1), mp.mpf(1)
        for j, one in enumerate(row):
            total += one * rest * size
            rest -= power  # the next term of the Taylor series is gone, too
            power *= a * v / (j + 1)
            size /= a
    return total


def tails(ratios, x):
    """(P[Z > x], Q[Z > x]) of the sum of Laplace losses with these ratios."""
    ratios = tuple(ratios)
    with mp.workdps(digits(ratios)):
        x, half = mp.mpf(x), mp.mpf(1) / 2
        scale = mp.exp((x - sum(map(mp.mpf, ratios))) / 2)
        p = scale * _integral(ratios, x, half)
        return p, scale * mp.exp(-x) * _integral(ratios, x, -half)


def delta(ratios, x):
    """P[Z > x] - e^x Q[Z > x]."""
    with mp.workdps(digits(ratios)):
        p, q = tails(ratios, x)
        return p - mp.exp(mp.mpf(x)) * q


def power(ratios, level):
    """The least delta(t) + e^t level: where Q[Z > t] passes the level."""
    with mp.workdps(digits(ratios)):
        low, high = -sum(map(mp.mpf, ratios)), sum(map(mp.mpf, ratios))
        for _ in range(80):
            t = (low + high) / 2
            low, high = (t, high) if tails(ratios, t)[1] > level else (low, t)
        return delta(ratios, high) + mp.exp(high) * mp.mpf(level)
