"""Two output distributions on a few outcomes: every definition, in rational arithmetic, slowly.

Nothing here comes from the package: sums and maxima over outcomes, a linear program for the best
randomised post-processing, and 50-digit arithmetic for Rényi divergences.
"""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import numpy as np
from mpmath import mp, mpf
from scipy.optimize import linprog

mp.dps = 50

Distribution = tuple[Fraction, ...]
Pair = tuple[Distribution, Distribution]


def distribution(weights) -> Distribution:
    """Whole numbers, normalised to one."""
    return tuple(Fraction(w, sum(weights)) for w in weights)


def random_distribution(rng: random.Random, size: int, zeros: bool) -> Distribution:
    """A distribution with small denominators, now and then with impossible outcomes."""
    weights = [rng.choice((1, 1, 2, 3, 5, 8, 30, 200)) for _ in range(size)]
    if zeros and rng.random() < 0.5:
        weights[rng.randrange(size)] = 0
    return distribution(weights) if sum(weights) else random_distribution(rng, size, zeros)


def random_family(rng: random.Random, count: int, zeros: bool) -> tuple[Distribution, ...]:
    """Output distributions of `count` datasets, over 2 to 4 outcomes."""
    size = rng.choice((2, 3, 3, 4))
    return tuple(random_distribution(rng, size, zeros) for _ in range(count))


def ordered_pairs(family) -> list[Pair]:
    """Both directions of every two of them."""
    return list(itertools.permutations(family, 2))


def profile(pair: Pair, growth: Fraction) -> Fraction:
    """delta at epsilon = log(growth): the sum of (P - growth Q)+."""
    return sum((max(p - growth * q, Fraction(0)) for p, q in zip(*pair, strict=True)), Fraction(0))


def corners(pair: Pair) -> list[tuple[Fraction, Fraction]]:
    """(level, power) of the likelihood-ratio tests, by falling ratio: the corners of the curve."""
    outcomes = [(p, q) for p, q in zip(*pair, strict=True) if p or q]
    outcomes.sort(key=lambda o: o[0] / (o[0] + o[1]), reverse=True)
    points = [(Fraction(0), Fraction(0))]
    for p, q in outcomes:
        points.append((points[-1][0] + q, points[-1][1] + p))
    return points


def power(pair: Pair, level: Fraction) -> Fraction:
    """Most power at a level, tests that toss coins included."""
    points = corners(pair)
    best = max(y for x, y in points if x <= level)
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        if x0 < x1 and x0 <= level <= x1:
            best = max(best, y0 + (y1 - y0) * (level - x0) / (x1 - x0))
    return best


def level(pair: Pair, wanted: Fraction) -> Fraction:
    """Least level at which a test has that power."""
    for (x0, y0), (x1, y1) in itertools.pairwise(corners(pair)):
        if y0 <= wanted <= y1:
            return x0 if y1 == y0 else x0 + (x1 - x0) * (wanted - y0) / (y1 - y0)
    raise AssertionError(wanted)


def tail_one(pair: Pair, growth: Fraction) -> Fraction:
    """P[Z > log(growth)] of the raw output."""
    return sum((p for p, q in zip(*pair, strict=True) if p > growth * q), Fraction(0))


def tail_both(pair: Pair, growth: Fraction) -> Fraction:
    """P[abs(Z) > log(growth)] of the raw output."""
    below = sum((p for p, q in zip(*pair, strict=True) if p * growth < q), Fraction(0))
    return tail_one(pair, growth) + below


def merged_one(pair: Pair, growth: Fraction) -> Fraction:
    """Largest P[Z > log(growth)] after any randomised post-processing, growth > 1.

    The test that says "beyond" has power >= growth * level: the highest such point of the concave
    power curve, which is where a ray through the origin leaves it.
    """
    best = Fraction(0)
    for (x0, y0), (x1, y1) in itertools.pairwise(corners(pair)):
        ahead0, ahead1 = y0 - growth * x0, y1 - growth * x1
        if ahead1 > 0:
            best = max(best, y1)
        elif ahead0 > 0:
            share = ahead0 / (ahead0 - ahead1)
            best = max(best, y0 + share * (y1 - y0))
    return best


def merged_both(pair: Pair, growth: float) -> float:
    """Largest P[abs(Z) >= log(growth)] after any randomised post-processing, by linear programming.

    Each outcome is sent to "up", "down" or "neither" with some probabilities; "up" must be growth
    times as probable under P as under Q, "down" the other way round.
    """
    p = np.array([float(v) for v in pair[0]])
    q = np.array([float(v) for v in pair[1]])
    size = len(p)
    zero = np.zeros(size)
    rows = [np.concatenate([growth * q - p, zero]), np.concatenate([zero, growth * p - q])]
    rows += [np.concatenate([np.eye(size)[i], np.eye(size)[i]]) for i in range(size)]
    limits = np.concatenate([[0.0, 0.0], np.ones(size)])
    found = linprog(-np.concatenate([p, p]), A_ub=np.array(rows), b_ub=limits, bounds=(0, 1))
    assert found.fun is not None
    return float(-found.fun)


def partitions(items: list[int]):
    """Every way to put items into groups."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for groups in partitions(rest):
        yield [[first], *groups]
        for i, group in enumerate(groups):
            yield [*groups[:i], [first, *group], *groups[i + 1 :]]


def merge(pair: Pair, groups) -> Pair:
    """The pair after outcomes of one group are reported as one."""
    both = [tuple(sum((d[i] for i in g), Fraction(0)) for g in groups) for d in pair]
    return both[0], both[1]


def renyi(pair: Pair, order) -> mpf:
    """D_order(P || Q) to 50 digits; order 1 is the Kullback-Leibler divergence."""
    terms = [
        (mpf(p.numerator) / p.denominator, mpf(q.numerator) / q.denominator)
        for p, q in zip(*pair, strict=True)
        if p
    ]
    if any(q == 0 for _, q in terms):
        return mp.inf
    if order == 1:
        return mp.fsum(p * mp.log(p / q) for p, q in terms)
    order = mpf(order)
    return mp.log(mp.fsum(p * (p / q) ** (order - 1) for p, q in terms)) / (order - 1)


def largest_log_ratio(pair: Pair) -> float:
    """The pure-DP epsilon of the pair in this direction, inf where Q misses an outcome of P."""
    reached = [(p, q) for p, q in zip(*pair, strict=True) if p]
    if any(q == 0 for _, q in reached):
        return float("inf")
    top = max(p / q for p, q in reached)
    return float(mp.log(mpf(top.numerator) / top.denominator))
