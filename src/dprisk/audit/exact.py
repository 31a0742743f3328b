"""The same audit in rational arithmetic, where the answer is rational.

e^epsilon enters as a rational number, the growth. That of a decimal epsilon is irrational, unless
it is 0; `growth_bracket` puts it between two rationals as close together as one likes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, final

import numpy as np

from dprisk._checks import one_of
from dprisk._values import result
from dprisk.audit.definitions import SOURCES
from dprisk.audit.exp_epsilon import chance
from dprisk.audit.finite import FiniteMechanism, as_fraction
from dprisk.audit.integers import Pair, Rows, in_integers, ordered_pairs
from dprisk.audit.relation import NeighborRelation
from dprisk.audit.values import ExactFinding, Witness
from dprisk.errors import InvalidInput, OutOfRange
from dprisk.guarantees.base import SIDES, Sides

__all__ = ["ExactAudit"]

MOST: Final = 20_000_000  # entries of all pairs together


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class ExactAudit:
    """A finite mechanism and its neighbors, in exact fractions.

    Parameters
    ----------
    mechanism : FiniteMechanism
        Read as it was written: decimals and fractions as they are, floats as binary fractions.
    relation : NeighborRelation
        Which datasets are compared.

    Raises
    ------
    InvalidInput
        If all pairs together have more than 2 * 10^7 outputs.

    Examples
    --------
    >>> from dprisk.audit import ExactAudit, FiniteMechanism, NeighborRelation
    >>> coin = FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> exact = ExactAudit(coin, NeighborRelation.all_pairs(coin))
    >>> print(exact.delta(2).value, exact.largest_ratio().value)
    1/4 3
    """

    mechanism: FiniteMechanism
    relation: NeighborRelation

    def __post_init__(self) -> None:
        total = len(self.relation) * len(self.mechanism.outputs)
        if total > MOST:
            fix = "Audit it in floating point, or compare fewer pairs."
            raise InvalidInput("the table", f"{total} entries of pairs", f"at most {MOST}", fix)

    def delta(self, growth: Any) -> ExactFinding:
        """The least delta for which (log growth, delta)-DP holds.

        Parameters
        ----------
        growth : Fraction, int or str
            e^epsilon. [1, inf)

        Returns
        -------
        ExactFinding
            In [0, 1].

        Raises
        ------
        OutOfRange
            If `growth` is below 1 or not rational.
        """
        a, b = _over(growth)
        best, worst = Fraction(-1), None
        for pair in self._pairs:
            inside = [
                n for n, (p, q) in enumerate(zip(pair.p, pair.q, strict=True)) if b * p > a * q
            ]
            excess = sum(b * pair.p[n] - a * pair.q[n] for n in inside)
            if excess > best:
                best, worst = Fraction(excess), (pair, inside)
        return self._found("delta", best / (b * self._scale), "delta", worst)

    def total_variation(self) -> ExactFinding:
        """Largest total variation distance between neighbors: delta at growth 1.

        Returns
        -------
        ExactFinding
            In [0, 1].
        """
        return self.delta(1)

    def growth(self, delta: Any) -> ExactFinding:
        """The least e^epsilon for which (epsilon, delta)-DP holds.

        Parameters
        ----------
        delta : Fraction, int or str
            Additive slack. [0, 1]

        Returns
        -------
        ExactFinding
            In [1, inf]; inf where no epsilon is enough.

        Raises
        ------
        OutOfRange
            If `delta` is outside [0, 1] or not rational.
        """
        wanted = chance("delta", delta)
        best: Fraction | float = Fraction(1)
        worst = None
        for pair in self._pairs:
            power = level = 0
            for n, (p, q) in enumerate(zip(pair.p, pair.q, strict=True)):
                power, level = power + p, level + q
                excess = power - wanted * self._scale
                if excess <= 0:
                    continue
                needed: Fraction | float = Fraction(excess) / level if level else math.inf
                if worst is None or needed > best:
                    best, worst = max(best, needed), (pair, list(range(n + 1)))
        return self._found("growth", best, "delta", worst)

    def tail(self, growth: Any, *, sides: Sides = "one") -> ExactFinding:
        """How likely the loss of the raw output exceeds log(growth): probabilistic DP.

        Parameters
        ----------
        growth : Fraction, int or str
            e^epsilon. [1, inf)
        sides : {"one", "both"}
            P[Z > epsilon], or P[abs(Z) > epsilon].

        Returns
        -------
        ExactFinding
            In [0, 1].

        Raises
        ------
        OutOfRange
            If `growth` is below 1 or not rational.
        """
        one_of("sides", sides, SIDES)
        a, b = _over(growth)
        best, worst = -1, None
        for pair in self._pairs:
            inside = [
                n
                for n, (p, q) in enumerate(zip(pair.p, pair.q, strict=True))
                if b * p > a * q or (sides == "both" and b * q > a * p)
            ]
            chance = sum(pair.p[n] for n in inside)
            if chance > best:
                best, worst = chance, (pair, inside)
        return self._found("tail", Fraction(best, self._scale), sides, worst)

    def bounded(self, growth: Any) -> ExactFinding:
        """How likely the loss exceeds log(growth) after the worst post-processing: pbdp.

        Parameters
        ----------
        growth : Fraction, int or str
            e^epsilon. [1, inf)

        Returns
        -------
        ExactFinding
            In [0, 1]; a supremum: sets with a ratio just above the growth approach it.

        Raises
        ------
        OutOfRange
            If `growth` is below 1 or not rational.
        """
        a, b = _over(growth)
        best, worst, share = Fraction(-1), None, None
        for pair in self._pairs:
            height, count, part = _ray(pair, a, b)
            if height > best:
                best, worst = height, (pair, list(range(count)))
                share = (pair.order[count], part) if part else None
        return self._found("bounded", best / self._scale, "bounded", worst, share)

    def disclosure(self, growth: Any) -> ExactFinding:
        """How likely the output lies in a disclosure set (P4, Definition 8).

        Parameters
        ----------
        growth : Fraction, int or str
            e^epsilon. [1, inf)

        Returns
        -------
        ExactFinding
            In [0, 1].

        Raises
        ------
        OutOfRange
            If `growth` is below 1 or not rational.
        """
        a, b = _over(growth)
        near = self.relation.adjacency | np.eye(self.mechanism.size, dtype=bool)
        differ: dict[tuple[int, int], frozenset[int]] = {}
        for i, j in zip(*(each.tolist() for each in np.nonzero(np.triu(near, 1))), strict=True):
            rows = zip(self._rows[i], self._rows[j], strict=True)
            differ[i, j] = frozenset(
                n for n, (p, q) in enumerate(rows) if b * p > a * q or b * q > a * p
            )
        best, worst = -1, (0, [0])
        for x in range(self.mechanism.size):
            inside: set[int] = set()
            for (i, j), outputs in differ.items():
                if near[x, i] and near[x, j]:
                    inside |= outputs
            chance = sum(self._rows[x][n] for n in inside)
            if chance > best:
                best, worst = chance, (x, sorted(inside))
        names = tuple(self.mechanism.outputs[n] for n in worst[1])
        value = Fraction(best, self._scale)
        witness = Witness(self.mechanism.datasets[worst[0]], "", names, value, value)
        return ExactFinding("disclosure", value, witness, SOURCES["disclosure"])

    def largest_ratio(self) -> ExactFinding:
        """e to the smallest epsilon for pure DP.

        Returns
        -------
        ExactFinding
            In [1, inf]; inf where an output is possible on one neighbor only.
        """
        best: Fraction | float = Fraction(0)
        worst = None
        for pair in self._pairs:
            p, q = pair.p[0], pair.q[0]
            ratio: Fraction | float = Fraction(p, q) if q else math.inf
            if ratio > best:
                best, worst = ratio, (pair, [0])
        return self._found("growth", max(best, Fraction(1)), "largest_loss", worst)

    def moment(self, alpha: int) -> ExactFinding:
        """Largest sum of P^alpha Q^(1 - alpha): e to the (alpha - 1) times the Rényi divergence.

        Parameters
        ----------
        alpha : int
            Order. [2, 1000]

        Returns
        -------
        ExactFinding
            In [1, inf].

        Raises
        ------
        OutOfRange
            If `alpha` is not a whole number from 2 on.
        """
        if isinstance(alpha, bool) or not isinstance(alpha, int) or not 2 <= alpha <= 1000:
            raise OutOfRange("alpha", alpha, "a whole number in [2, 1000]")
        best: Fraction | float = Fraction(0)
        worst: tuple[Pair, list[int]] | None = None
        for pair in self._pairs:
            value: Fraction | float = math.inf
            if all(q or not p for p, q in zip(pair.p, pair.q, strict=True)):
                terms = (
                    Fraction(p**alpha, q ** (alpha - 1))
                    for p, q in zip(pair.p, pair.q, strict=True)
                    if p
                )
                value = sum(terms, Fraction(0)) / self._scale
            if value > best:
                best, worst = value, (pair, [])
        return self._found("moment", best, "renyi", worst)

    def corners(self) -> list[tuple[Fraction, Fraction]]:
        """Corners (level, power) of the most power of any test, from power 0 to (1, 1).

        Returns
        -------
        list of (Fraction, Fraction)
            Of the least concave curve above the power curves of all ordered pairs.
        """
        points = [(0, 0)]  # in a set they may all collide: the hash of an int is a remainder
        for pair in self._pairs:
            power = level = 0
            for p, q in zip(pair.p, pair.q, strict=True):
                power, level = power + p, level + q
                points.append((level, power))
        kept: list[tuple[int, int]] = []
        for x, y in sorted(points):
            if kept and x == kept[-1][0]:
                kept.pop()
            while len(kept) > 1 and _right_of(kept[-2], kept[-1], (x, y)):
                kept.pop()
            kept.append((x, y))
        return [(Fraction(x, self._scale), Fraction(y, self._scale)) for x, y in kept]

    @cached_property
    def _table(self) -> Rows:
        return in_integers(self.mechanism)

    @property
    def _rows(self) -> list[list[int]]:
        return self._table.rows

    @property
    def _scale(self) -> int:
        return self._table.scale

    @cached_property
    def _pairs(self) -> list[Pair]:
        return list(ordered_pairs(self.mechanism, self.relation, self._rows))

    def _found(
        self,
        quantity: str,
        value: Fraction | float,
        source: str,
        worst: tuple[Pair, list[int]] | None,
        share: tuple[int, Fraction] | None = None,
    ) -> ExactFinding:
        pair, inside = worst if worst is not None else (self._pairs[0], [])
        labels, names = self.mechanism.datasets, self.mechanism.outputs
        sums = [Fraction(sum(each[n] for n in inside), self._scale) for each in (pair.p, pair.q)]
        if share is not None:
            for n, row in enumerate((self._rows[pair.first], self._rows[pair.second])):
                sums[n] += share[1] * Fraction(row[share[0]], self._scale)
        witness = Witness(
            labels[pair.first],
            labels[pair.second],
            tuple(names[n] for n in sorted(pair.order[m] for m in inside)),
            sums[0],
            sums[1],
            share=None if share is None else (names[share[0]], share[1]),
        )
        return ExactFinding(quantity, value, witness, SOURCES[source])

    def __repr__(self) -> str:
        return f"<ExactAudit: {self.mechanism!r}, {self.relation!r}>"


def _over(growth: Any) -> tuple[int, int]:
    """Numerator and denominator of a growth."""
    exact = as_fraction(growth)
    if exact is None or exact < 1:
        fix = "It is e^epsilon; growth_bracket encloses that of a decimal epsilon."
        raise OutOfRange("growth", growth, "a rational number in [1, inf)", fix)
    return exact.numerator, exact.denominator


def _ray(pair: Pair, a: int, b: int) -> tuple[Fraction, int, Fraction]:
    """Where the ray with slope a / b leaves the power curve: power, whole outputs, part of one."""
    power = rest = count = 0
    if not pair.p or b * pair.p[0] <= a * pair.q[0]:
        return Fraction(0), 0, Fraction(0)
    for p, q in zip(pair.p, pair.q, strict=True):
        lost = a * q - b * p
        if rest < lost:
            part = Fraction(rest, lost)
            return power + part * p, count, part
        power, rest, count = power + p, rest - lost, count + 1
    return Fraction(power), count, Fraction(0)


def _right_of(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> bool:
    """Whether b lies on or below the chord from a to c."""
    return (b[1] - a[1]) * (c[0] - a[0]) <= (c[1] - a[1]) * (b[0] - a[0])
