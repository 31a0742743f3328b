"""The audit in rational arithmetic, where the answer is rational."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, Literal, final

import numpy as np

from dprisk._checks import one_of, whole
from dprisk._values import result
from dprisk.audit.definitions import QUANTITY, SOURCES
from dprisk.audit.exp_epsilon import Growth, chance
from dprisk.audit.findings import ExactFinding, Witness
from dprisk.audit.finite import FiniteMechanism, as_fraction
from dprisk.audit.pairs import Pair, in_integers
from dprisk.audit.relation import NeighborRelation, too_many
from dprisk.errors import OutOfRange
from dprisk.text import fill

MOST_ENTRIES: Final = 20_000_000  # entries of all pairs together
Number = Fraction | float
Corner = tuple[int, int]
Found = tuple[Number, Iterable[int], tuple[int, Fraction] | None]
"""A number of one pair, and what shows it: outputs in the order of the pair, and a share of one."""


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
    >>> print(exact.delta(2).value, exact.delta(2, kind="pdp").value, exact.largest_ratio().value)
    1/4 3/4 3
    """

    mechanism: FiniteMechanism
    relation: NeighborRelation

    def __post_init__(self) -> None:
        total = len(self.relation) * len(self.mechanism.outputs)
        if total > MOST_ENTRIES:
            raise too_many(total, MOST_ENTRIES, "audit.table.floats")

    def delta(
        self,
        growth: Any,
        *,
        kind: Literal["adp", "pdp", "pdp-both", "disclosure", "pbdp"] = "adp",
    ) -> ExactFinding:
        """The least delta for which a definition holds with epsilon log(growth).

        Parameters
        ----------
        growth : Fraction, int or str
            e^epsilon. [1, inf)
        kind : {"adp", "pdp", "pdp-both", "disclosure", "pbdp"}
            Which definition, as in `Audit.delta`. That of "pbdp" is a supremum: sets with a ratio
            just above the growth approach it.

        Returns
        -------
        ExactFinding
            In [0, 1].

        Raises
        ------
        OutOfRange
            If `growth` is below 1 or not rational.
        InvalidInput
            If `kind` is something else.
        """
        measures: dict[str, Callable[[Pair, Growth], Found]] = {
            "adp": _excess,
            "pdp": _tail,
            "pdp-both": _tail_both,
            "pbdp": _merged,
        }
        one_of("kind", kind, (*measures, "disclosure"))
        exact = as_fraction(growth)
        if exact is None or exact < 1:
            fix = fill("audit.growth.bracket")
            raise OutOfRange("growth", growth, fill("errors.rational", inside="[1, inf)"), fix)
        growth = Growth(exact)
        if kind == "disclosure":
            return self._disclosure(growth)
        return self._largest(QUANTITY[kind], kind, lambda pair: measures[kind](pair, growth))

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
        c, d = chance("delta", delta).as_integer_ratio()

        def least(pair: Pair) -> Found:
            over, under, count = 1, 1, 0
            for n, (power, level) in enumerate(zip(pair.power, pair.level, strict=True)):
                excess = d * power - c * pair.power[-1]
                if excess > 0 and level == 0:
                    return math.inf, range(n), None
                if excess > 0 and (not count or excess * under > over * d * level):
                    over, under = (excess, d * level) if excess > d * level else (1, 1)
                    count = n
            return Fraction(over, under), range(count), None

        return self._largest("growth", "adp", least)

    def largest_ratio(self) -> ExactFinding:
        """e to the smallest epsilon for pure DP.

        Returns
        -------
        ExactFinding
            In [1, inf]; inf where an output is possible on one neighbor only.
        """

        def ratio(pair: Pair) -> Found:
            return (Fraction(pair.p[0], pair.q[0]) if pair.q[0] else math.inf), (0,), None

        return self._largest("growth", "pure", ratio)

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
        alpha = whole("alpha", alpha, 2, 1000)

        def moment(pair: Pair) -> Found:
            if not pair.q[0]:
                return math.inf, (), None
            terms = (
                Fraction(p**alpha, q ** (alpha - 1))
                for p, q in zip(pair.p, pair.q, strict=True)
                if p
            )
            return sum(terms, Fraction(0)) / pair.power[-1], (), None

        return self._largest("moment", "rdp", moment)

    def corners(self) -> list[tuple[Fraction, Fraction]]:
        """Corners (level, power) of the most power of any test, from power 0 to (1, 1).

        Returns
        -------
        list of (Fraction, Fraction)
            Of the least concave curve above the power curves of all ordered pairs.
        """
        # in a set they may all collide: the hash of an int is a remainder
        points = [
            point
            for pair in self._pairs.values()
            for point in zip(pair.level, pair.power, strict=True)
        ]
        kept: list[Corner] = []
        for x, y in sorted(points):
            if kept and x == kept[-1][0]:
                kept.pop()
            while len(kept) > 1 and _right_of(kept[-2], kept[-1], (x, y)):
                kept.pop()
            kept.append((x, y))
        return [(Fraction(x, self._scale), Fraction(y, self._scale)) for x, y in kept]

    @cached_property
    def _whole(self) -> tuple[list[list[int]], int]:
        return in_integers(self.mechanism.rows)

    @property
    def _rows(self) -> list[list[int]]:
        return self._whole[0]

    @property
    def _scale(self) -> int:
        return self._whole[1]

    @cached_property
    def _pairs(self) -> dict[tuple[int, int], Pair]:
        rows = self._rows
        ordered = zip(*(each.tolist() for each in self.relation.directed), strict=True)
        return {(a, b): Pair.of(rows[a], rows[b]) for a, b in ordered}

    def _disclosure(self, growth: Growth) -> ExactFinding:
        """How likely the output lies in a disclosure set (P4, Definition 8)."""
        near = self.relation.adjacency | np.eye(self.mechanism.size, dtype=bool)
        differ: dict[tuple[int, int], frozenset[int]] = {}
        for i, j in zip(*(each.tolist() for each in np.nonzero(np.triu(near, 1))), strict=True):
            rows = enumerate(zip(self._rows[i], self._rows[j], strict=True))
            differ[i, j] = frozenset(
                n for n, (p, q) in rows if growth.exceeded(p, q) or growth.exceeded(q, p)
            )
        best, worst = -1, (0, [0])
        for x in range(self.mechanism.size):
            inside = set().union(
                *(outputs for (i, j), outputs in differ.items() if near[x, i] and near[x, j])
            )
            chance = sum(self._rows[x][n] for n in inside)
            if chance > best:
                best, worst = chance, (x, sorted(inside))
        names = tuple(self.mechanism.outputs[n] for n in worst[1])
        value = Fraction(best, self._scale)
        witness = Witness(self.mechanism.datasets[worst[0]], "", names, value, value)
        return ExactFinding("disclosure", value, witness, SOURCES["disclosure"])

    def _largest(self, quantity: str, kind: str, measure: Callable[[Pair], Found]) -> ExactFinding:
        """The largest number of all ordered pairs, and what shows it; of equal ones the first."""
        found = ((ends, *measure(pair)) for ends, pair in self._pairs.items())
        ends, value, some, share = max(found, key=lambda each: each[1])
        order = self._pairs[ends].order
        inside = sorted(order[n] for n in some)
        sums = [Fraction(sum(self._rows[end][n] for n in inside), self._scale) for end in ends]
        names, part = self.mechanism.outputs, None
        if share is not None:
            at = order[share[0]]
            part = names[at], share[1]
            sums = [
                total + share[1] * Fraction(self._rows[end][at], self._scale)
                for total, end in zip(sums, ends, strict=True)
            ]
        first, second = (self.mechanism.datasets[end] for end in ends)
        witness = Witness(first, second, tuple(names[n] for n in inside), sums[0], sums[1], part)
        return ExactFinding(quantity, value, witness, SOURCES[kind])

    def __repr__(self) -> str:
        return f"<ExactAudit: {self.mechanism!r}, {self.relation!r}>"


# --- of one pair ---------------------------------------------------------------------------------


def _excess(pair: Pair, growth: Growth) -> Found:
    count = pair.beyond(growth)
    a, b = growth.exactly.as_integer_ratio()
    excess = b * pair.power[count] - a * pair.level[count]
    return Fraction(excess, b * pair.power[-1]), range(count), None


def _tail(pair: Pair, growth: Growth) -> Found:
    count = pair.beyond(growth)
    return Fraction(pair.power[count], pair.power[-1]), range(count), None


def _tail_both(pair: Pair, growth: Growth) -> Found:
    count, below = pair.beyond(growth), pair.below(growth)
    value = pair.power[count] + pair.power[-1] - pair.power[below]
    outputs = (*range(count), *range(below, len(pair.p)))
    return Fraction(value, pair.power[-1]), outputs, None


def _merged(pair: Pair, growth: Growth) -> Found:
    """Where the ray with that slope leaves the power curve (P1, Definition 5.4)."""
    count = pair.merged(growth)
    a, b = growth.exactly.as_integer_ratio()
    rest = b * pair.power[count] - a * pair.level[count]
    if not count or count == len(pair.p) or not rest:
        return Fraction(pair.power[count], pair.power[-1]), range(count), None
    share = Fraction(rest, a * pair.q[count] - b * pair.p[count])
    height = (pair.power[count] + share * pair.p[count]) / pair.power[-1]
    return height, range(count), (count, share)


def _right_of(a: Corner, b: Corner, c: Corner) -> bool:
    """Whether b lies on or below the chord from a to c."""
    return (b[1] - a[1]) * (c[0] - a[0]) <= (c[1] - a[1]) * (b[0] - a[0])
