"""Every definition by looking at every set of outputs, in fractions. Nothing is sorted here."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

from dprisk.audit import FiniteMechanism, NeighborRelation

WEIGHTS = (1, 1, 2, 3, 5, 8, 30, 200)
GROWTHS = (Fraction(1), Fraction(11, 10), Fraction(3, 2), Fraction(2), Fraction(5), Fraction(40))


def mechanism(rng: random.Random, zeros: bool = True) -> FiniteMechanism:
    """Two to four datasets, two to five outputs; now and then an impossible one."""
    size = rng.randint(2, 5)
    rows = []
    for _ in range(rng.randint(2, 4)):
        row = [rng.choice(WEIGHTS) for _ in range(size)]
        if zeros and rng.random() < 0.4:
            row[rng.randrange(size)] = 0
        rows.append([Fraction(weight, sum(row)) for weight in row])
    return FiniteMechanism(rows)


def relation(rng: random.Random, made: FiniteMechanism) -> NeighborRelation:
    """All pairs, or some of them, now and then in one direction."""
    if rng.random() < 0.5:
        return NeighborRelation.all_pairs(made)
    pairs = list(itertools.combinations(made.datasets, 2))
    some = rng.sample(pairs, rng.randint(1, len(pairs)))
    return NeighborRelation.edges(made, some, symmetric=rng.random() < 0.7)


def ordered(made: FiniteMechanism, related: NeighborRelation):
    """(P, Q) of each ordered pair."""
    rows = made.exact().tolist()
    for a, b in zip(related.first.tolist(), related.second.tolist(), strict=True):
        yield rows[a], rows[b]
        if related.symmetric:
            yield rows[b], rows[a]


def sets(size):
    """All sets of outputs."""
    return [s for n in range(size + 1) for s in itertools.combinations(range(size), n)]


def total(row, chosen):
    return sum((row[n] for n in chosen), Fraction(0))


def delta(pairs, growth):
    return max(
        total(p, chosen) - growth * total(q, chosen) for p, q in pairs for chosen in sets(len(p))
    )


def tail(pairs, growth, both):
    return max(
        sum(
            (a for a, b in zip(p, q, strict=True) if a > growth * b or (both and b > growth * a)),
            Fraction(0),
        )
        for p, q in pairs
    )


def bounded(pairs, growth):
    """Largest power of a test that is more than growth times its level, or arbitrarily close.

    The tests with P = growth Q that are not mixtures of others toss a coin for one output at most.
    """
    best = Fraction(0)
    for p, q in pairs:
        if not any(a > growth * b for a, b in zip(p, q, strict=True)):
            continue
        for chosen in sets(len(p)):
            power, level = total(p, chosen), total(q, chosen)
            if power > growth * level:
                best = max(best, power)
            for n in set(range(len(p))) - set(chosen):
                lost = growth * q[n] - p[n]
                if lost and 0 <= (power - growth * level) / lost <= 1:
                    best = max(best, power + (power - growth * level) / lost * p[n])
    return best


def disclosure(made, related, growth):
    rows = made.exact().tolist()
    near = related.adjacency.tolist()
    size = len(rows)
    best = Fraction(0)
    for x in range(size):
        inside = [n for n in range(size) if n == x or near[x][n]]
        revealed = [
            n
            for n in range(len(rows[0]))
            if any(near[i][j] and rows[i][n] > growth * rows[j][n] for i in inside for j in inside)
        ]
        best = max(best, total(rows[x], revealed))
    return best


def pointwise(pairs, growth):
    found = max(a - growth * b for p, q in pairs for a, b in zip(p, q, strict=True))
    return max(found, Fraction(0))


def largest_ratio(pairs):
    found = [(a, b) for p, q in pairs for a, b in zip(p, q, strict=True) if a]
    return float("inf") if any(b == 0 for _, b in found) else max(a / b for a, b in found)


def most_power(pairs, level):
    """Over chords between any two tests of any two pairs."""
    tests = {(total(q, s), total(p, s)) for p, q in pairs for s in sets(len(p))}
    ends = {(Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))}
    points = {(x, y) for x, y in tests if y > x} | ends  # others lie below the chord of the ends
    best = max(y for x, y in points if x <= level)
    for (x0, y0), (x1, y1) in itertools.combinations(sorted(points), 2):
        if x0 <= level <= x1 and x0 < x1:
            best = max(best, y0 + (y1 - y0) * (level - x0) / (x1 - x0))
    return best


def least_growth(pairs, slack):
    """Smallest e^epsilon at which no set needs more than the slack."""
    best = Fraction(1)
    for p, q in pairs:
        for chosen in sets(len(p)):
            power, level = total(p, chosen), total(q, chosen)
            if power <= slack:
                continue
            if level == 0:
                return float("inf")
            best = max(best, (power - slack) / level)
    return best
