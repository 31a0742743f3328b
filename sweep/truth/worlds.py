"""Small Bayesian worlds in exact fractions: the data, what comes out, and what is believed."""

from __future__ import annotations

from fractions import Fraction
from random import Random

__all__ = ["World", "drawn"]

Law = tuple[Fraction, ...]


class World:
    """Records r, rests k, a joint prior, and the law of the output for each pair of both.

    Parameters
    ----------
    prior : list of list of Fraction
        Of record r and rest k.
    laws : list of list of tuple of Fraction
        Of the output, given r and k.
    """

    def __init__(self, prior: list[list[Fraction]], laws: list[list[Law]]) -> None:
        self.prior, self.laws = prior, laws
        self.records, self.rests = range(len(prior)), range(len(prior[0]))
        self.outputs = range(len(laws[0][0]))

    def pairs(self) -> list[tuple[Law, Law]]:
        """Laws of neighbors: another record, the same rest."""
        return [
            (self.laws[r][k], self.laws[s][k])
            for k in self.rests
            for r in self.records
            for s in self.records
            if r != s
        ]

    def delta(self, growth: Fraction) -> Fraction:
        """Of the promise that all neighbors keep."""
        sums = [
            sum(max(a - growth * b, Fraction(0)) for a, b in zip(p, q, strict=True))
            for p, q in self.pairs()
        ]
        return Fraction(max(sums))

    def largest_ratio(self) -> Fraction | None:
        """None where something is possible on one side only."""
        most = Fraction(1)
        for p, q in self.pairs():
            for a, b in zip(p, q, strict=True):
                if a and not b:
                    return None
                most = max(most, a / b if b else most)
        return most

    def with_and_without(self, r: int) -> tuple[Law, Law]:
        """Laws of the output given record r: as it is, and with another one drawn in its place."""
        total = sum(self.prior[r])
        given = [self.prior[r][k] / total for k in self.rests]
        actual, other = [], []
        for w in self.outputs:
            actual.append(sum((given[k] * self.laws[r][k][w] for k in self.rests), Fraction(0)))
            other.append(sum((given[k] * self._redrawn(k, w) for k in self.rests), Fraction(0)))
        return tuple(actual), tuple(other)

    def _redrawn(self, k: int, w: int) -> Fraction:
        column = [self.prior[r][k] for r in self.records]
        return sum((c * self.laws[r][k][w] for r, c in enumerate(column)), Fraction(0)) / sum(
            column
        )

    def exceeding(self, limit: Fraction, both: bool = False) -> Fraction:
        """Most probability, over true records, of a ratio of posteriors above a limit."""
        found = Fraction(0)
        for r in self.records:
            actual, other = self.with_and_without(r)
            total = Fraction(0)
            for a, b in zip(actual, other, strict=True):
                if a > limit * b or (both and a * limit < b):
                    total += a
            found = max(found, total)
        return found

    def predicted(self, limit: Fraction) -> Fraction:
        """The same for somebody who knows the rest: most over records, the output as foreseen."""
        found = Fraction(0)
        for k in self.rests:
            for r in self.records:
                total = Fraction(0)
                for w in self.outputs:
                    if self.laws[r][k][w] > limit * self._redrawn(k, w):
                        total += self._redrawn(k, w)
                found = max(found, total)
        return found


def drawn(rng: Random) -> World:
    """Small numbers, no zeros in the prior; now and then outputs that only some records have."""
    records, rests, outputs = rng.randint(2, 3), rng.randint(1, 3), rng.randint(2, 4)
    prior = [
        [Fraction(rng.choice((1, 1, 2, 9, 1000))) for _ in range(rests)] for _ in range(records)
    ]
    total = sum(map(sum, prior))
    prior = [[value / total for value in row] for row in prior]
    reveals = rng.random() < 0.3
    laws = []
    for _ in range(records):
        laws.append([_law(rng, outputs, reveals) for _ in range(rests)])
    return World(prior, laws)


def _law(rng: Random, outputs: int, reveals: bool) -> Law:
    weights = [rng.choice((1, 1, 2, 3, 5, 8, 40)) for _ in range(outputs)]
    if reveals and rng.random() < 0.5:
        weights[rng.randrange(outputs)] = 0
    if not sum(weights):
        weights[0] = 1
    return tuple(Fraction(w, sum(weights)) for w in weights)
