"""Mechanisms with closed forms, in fractions."""

from __future__ import annotations

import itertools
from fractions import Fraction

from dprisk.audit import FiniteMechanism


def response(growth, size):
    """Randomized response among `size` answers: the truth is growth times as probable."""
    rest = 1 / (growth + size - 1)
    return FiniteMechanism(
        [[growth * rest if a == b else rest for b in range(size)] for a in range(size)]
    )


def geometric(growth, size):
    """A count from 0 to size - 1 with two-sided geometric noise, clamped to that range."""
    a = 1 / Fraction(growth)

    def chance(x, y):
        inner = a ** abs(x - y)
        return inner / (1 + a) if y in (0, size - 1) else inner * (1 - a) / (1 + a)

    rows = [[chance(x, y) for y in range(size)] for x in range(size)]
    return FiniteMechanism(rows, datasets=[f"x{x}" for x in range(size)])


def steps(mechanism):
    """Counts that differ by one."""
    return list(itertools.pairwise(mechanism.datasets))


def permute_and_flip(root, scores):
    """Each row of scores by looking at every order; root is e to the -epsilon / 2."""
    rows = []
    for row in scores:
        keep = [Fraction(root) ** (max(row) - score) for score in row]
        chances = [Fraction(0)] * len(row)
        orders = list(itertools.permutations(range(len(row))))
        for order in orders:
            left = Fraction(1, len(orders))
            for at in order:
                chances[at] += left * keep[at]
                left *= 1 - keep[at]
        rows.append(chances)
    return FiniteMechanism(rows, datasets=[" ".join(map(str, row)) for row in scores])


def erasure(epsilon_growth, wanted_growth, delta):
    """a, b or nothing: attains P0 Theorem 3.9 and P2 Lemma 2.3 (wanted > epsilon)."""
    x = delta / (1 - epsilon_growth / wanted_growth)
    rest = 1 - x - x / wanted_growth
    return FiniteMechanism(
        [[x, x / wanted_growth, rest], [x / wanted_growth, x, rest]], outputs=["a", "b", "nothing"]
    )
