"""An audit in rational arithmetic: what each definition says of all pairs of neighbors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Final, NamedTuple, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import whole
from dprisk._numeric.envelope import majorant
from dprisk._numeric.logspace import Floats
from dprisk._numeric.normal import quantile
from dprisk._numeric.rounding import UNIT
from dprisk._values import result
from dprisk.audit import pairs
from dprisk.audit.findings import QUANTITY, AuditFinding, Definition, Witness, found_exactly
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.growth import Growth, as_fraction, chance, log_bracket
from dprisk.audit.pairs import Measure, Pair, divergences, pair_of
from dprisk.audit.relation import SMALLER, NeighborRelation, too_many
from dprisk.errors import OutOfRange, one_of
from dprisk.text import fill

MOST_ENTRIES: Final = 200_000_000  # of all ordered pairs together
Shown = tuple[Fraction | float, Iterable[int], tuple[int, Fraction] | None]
"""A number of one pair, and what shows it: outputs in the order of the pair, and a share of one."""


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class ExactAudit:
    """A finite mechanism and its neighbors, in exact fractions.

    Floats give each pair a bound; pairs are compared in whole numbers from the highest bound
    downwards.

    Raises
    ------
    InvalidInput
        If all pairs together have more than 2 * 10^8 outputs.

    Examples
    --------
    >>> from dprisk.audit import ExactAudit, FiniteMechanism, NeighborRelation
    >>> coin = FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> exact = ExactAudit(coin, NeighborRelation.all_pairs(coin))
    >>> print(exact.delta(2).value, exact.delta(2, kind="pdp").value, exact.largest_ratio().value)
    1/4 3/4 3
    """

    #: Read as it was written: decimals and fractions as they are, floats as binary fractions.
    mechanism: FiniteMechanism
    relation: NeighborRelation  #: Which datasets are compared.

    def __post_init__(self) -> None:
        total = len(self.relation.directed[0]) * len(self.mechanism.outputs)
        if total > MOST_ENTRIES:
            raise too_many(total, MOST_ENTRIES, SMALLER)

    def delta(self, growth: Any, *, kind: Definition = "adp") -> AuditFinding:
        """The least delta for which a definition holds with epsilon log(growth).

        Parameters
        ----------
        growth : Fraction, int or str
            e^epsilon, a rational number. [1, inf)
        kind : {"adp", "pdp", "pdp-both", "disclosure", "pbdp", "pointwise"}
            Which definition, as in `Audit.delta`. For "pbdp" it is a supremum: sets with a ratio
            just above the growth approach it.

        Returns
        -------
        AuditFinding
            In [0, 1].
        """
        exact = as_fraction(growth)
        if exact is None or exact < 1:
            fix = "It is e^epsilon. For a decimal epsilon, growth_bracket encloses it."
            raise OutOfRange("growth", growth, fill("errors.rational", inside="[1, inf)"), fix)
        return deltas(self, one_of("kind", kind, get_args(Definition)), exact)[0]

    def growth(self, delta: Any) -> AuditFinding:
        """The least e^epsilon for which (epsilon, delta)-DP holds.

        Parameters
        ----------
        delta : Fraction, int or str
            Additive slack. [0, 1]

        Returns
        -------
        AuditFinding
            In [1, inf]; inf where no epsilon is enough.
        """
        return growths(self, chance("delta", delta))[0]

    def merged_ratio(self, delta: Any) -> AuditFinding:
        """The least e^epsilon for which (epsilon, delta)-pbdp holds: delta / f^-1(1 - delta).

        Parameters
        ----------
        delta : Fraction, int or str
            How likely any post-processing may exceed it. (0, 1]

        Returns
        -------
        AuditFinding
            In [1, inf]; inf where no epsilon is enough.
        """
        wanted = chance("delta", delta)

        def least(pair: Pair) -> Shown:
            power = wanted * pair.one
            n = next(n for n, height in enumerate(pair.power) if height >= power)
            share = (power - pair.power[n - 1]) / pair.p[n - 1]
            level = pair.level[n - 1] + share * pair.q[n - 1]
            part = (n - 1, share) if share < 1 else None
            inside = range(n if part is None else n - 1)
            if wanted == 1:
                return Fraction(1), inside, part
            return (max(power / level, Fraction(1)) if level else math.inf), inside, part

        high = self._at_most(pairs.ratio_at, float(wanted))
        return self._largest("growth", wanted, "pbdp", high, least)

    def largest_ratio(self) -> AuditFinding:
        """e to the smallest epsilon for pure DP; inf where an output is possible on one neighbor
        only."""

        def largest(pair: Pair) -> Shown:
            return (Fraction(pair.p[0], pair.q[0]) if pair.q[0] else math.inf), (0,), None

        return self._largest("growth", None, "pure", self._at_most(pairs.ratio, 1.0), largest)

    def moment(self, alpha: int) -> AuditFinding:
        """Largest sum of P^alpha Q^(1 - alpha): e to the (alpha - 1) times the Rényi divergence.

        Parameters
        ----------
        alpha : int
            Order. [2, 1000]

        Returns
        -------
        AuditFinding
            In [1, inf].
        """
        order = whole("alpha", alpha, 2, 1000)
        value, error = divergences(self.mechanism, *self.relation.directed, float(order))
        with np.errstate(over="ignore"):
            high = np.exp((order - 1.0) * (value + error)) * (1.0 + pairs.SHARE)
        high = np.full_like(high, np.inf) if self._faint else high

        def moment(pair: Pair) -> Shown:
            if not pair.q[0]:
                return math.inf, (), None
            terms = (
                Fraction(p**order, q ** (order - 1))
                for p, q in zip(pair.p, pair.q, strict=True)
                if p
            )
            return sum(terms, Fraction(0)) / pair.one, (), None

        return self._largest("moment", order, "rdp", high, moment)

    def corners(self) -> list[tuple[Fraction, Fraction]]:
        """Corners (level, power) of the most power of any test, from power 0 to (1, 1)."""
        return [(test.level, test.power) for test in self._corners]

    @cached_property
    def _corners(self) -> list[Test]:
        first, second = self.relation.directed
        table, hull = self.mechanism.probabilities, None
        if not self._faint:
            hull = pairs.highest(table, first, second)
            near = np.flatnonzero(pairs.reaching(table, first, second, *hull))
            first, second = (each[np.unique([0, *near])] for each in (first, second))
        kept: list[Test] = []
        for ends in zip(first.tolist(), second.tolist(), strict=True):
            pair = self._pair(*ends)
            points = list(zip(pair.level, pair.power, strict=True))
            if hull is None:
                some = majorant(points)
            else:
                x, y = (np.array([value / pair.one for value in row]) for row in pair[3:][::-1])
                some = np.flatnonzero(pairs.reaches(x, y, *hull)).tolist()
            kept += [
                Test(Fraction(pair.level[n], pair.one), Fraction(pair.power[n], pair.one), ends, n)
                for n in some
            ]
        kept.sort(key=lambda test: test[:2])
        return [kept[n] for n in majorant([(test.level, test.power) for test in kept])]

    def _witness(
        self,
        ends: tuple[int, int],
        outputs: Iterable[int],
        share: tuple[int, Fraction] | None = None,
    ) -> Witness:
        """Two datasets and a set of outputs, by number; of one more output a share is counted."""
        names, inside = self.mechanism.outputs, sorted(outputs)

        def likely(end: int) -> Fraction:
            values, one = self.mechanism.whole[end]
            more = share[1] * values[share[0]] if share else 0
            return Fraction(sum(values[n] for n in inside) + more) / one

        first, second = (self.mechanism.datasets[end] for end in ends)
        part = (names[share[0]], share[1]) if share else None
        some = tuple(names[n] for n in inside)
        return Witness(first, second, some, likely(ends[0]), likely(ends[1]), part)

    @cached_property
    def _faint(self) -> bool:
        """Whether some probability is so small that floats lose its digits."""
        table = self.mechanism.probabilities
        some = sum(map(bool, (value for values, _ in self.mechanism.whole for value in values)))
        return bool(np.count_nonzero(table >= 10.0**-pairs.SMALLEST) < some)

    def _pair(self, first: int, second: int) -> Pair:
        return pair_of(self.mechanism.whole[first], self.mechanism.whole[second])

    def _at_most(self, measure: Measure, limit: float) -> Floats:
        """A measure of each ordered pair at most; infinite where floats rule out nothing."""
        first, second = self.relation.directed
        if len(first) * len(self.mechanism.outputs) <= pairs.FEW or self._faint:
            return np.full(len(first), np.inf)
        return pairs.at_most(self.mechanism.probabilities, first, second, measure, limit)

    def _largest(
        self,
        quantity: str,
        at: Any,
        kind: str,
        high: Floats,
        exactly: Callable[[Pair], Shown],
    ) -> AuditFinding:
        """The largest number of all ordered pairs, and what shows it; of equal ones the first.

        Pairs are looked at from the one with the highest bound downwards, until none can be larger.
        """
        first, second = (each.tolist() for each in self.relation.directed)
        best, found = 0, exactly(self._pair(first[0], second[0]))
        for n in np.argsort(-high, kind="stable").tolist():
            if high[n] <= found[0]:
                break
            other = exactly(self._pair(first[n], second[n]))
            if (other[0], -n) > (found[0], -best):
                best, found = n, other
        value, some, share = found
        ends = first[best], second[best]
        order = self._pair(*ends).order
        part = None if share is None else (order[share[0]], share[1])
        shows = self._witness(ends, (order[n] for n in some), part)
        return found_exactly(quantity, at, kind, value, shows)

    def _disclosure(self, growth: Growth) -> AuditFinding:
        """How likely the output lies in a disclosure set (P4, Definition 8)."""
        inside, table = self._revealing(growth), self.mechanism.probabilities
        about = (table * inside).sum(axis=1)
        near = np.flatnonzero(about >= about.max() * (1.0 - pairs.SHARE)).tolist()
        sets = {x: np.flatnonzero(inside[x]).tolist() for x in near}
        found = {
            x: Fraction(sum(map(self.mechanism.whole[x][0].__getitem__, sets[x])), self._one(x))
            for x in near
        }
        worst = max(near, key=found.__getitem__)
        names = tuple(self.mechanism.outputs[n] for n in sets[worst])
        shows = Witness(self.mechanism.datasets[worst], "", names, found[worst], found[worst])
        return found_exactly("disclosure", growth.exactly, "disclosure", found[worst], shows)

    def _one(self, dataset: int) -> int:
        return self.mechanism.whole[dataset][1]

    def _revealing(self, growth: Growth) -> npt.NDArray[np.bool_]:
        """For each dataset x, the outputs with a loss beyond epsilon between two datasets that are
        x or its neighbors."""
        table, relation, whole = self.mechanism.probabilities, self.relation, self.mechanism.whole
        if relation.complete:  # the largest and the smallest probability of each output
            inside, open_ = _apart(table.max(axis=0), table.min(axis=0), growth)
            for n in np.flatnonzero(open_).tolist():
                column = [Fraction(values[n], one) for values, one in whole]
                inside[n] = growth.exceeded(max(column), min(column))
            return np.broadcast_to(inside, table.shape)
        near = relation.adjacency | np.eye(self.mechanism.size, dtype=bool)
        inside = np.zeros(table.shape, dtype=bool)
        for ends in np.argwhere(np.triu(near, 1)).tolist():
            both = near[ends[0]] & near[ends[1]]
            for first, second in (ends, ends[::-1]):
                sure, open_ = _apart(table[first], table[second], growth)
                for n in np.flatnonzero(open_ & ~inside[both].all(axis=0)).tolist():
                    (p, one), (q, other) = whole[first], whole[second]
                    sure[n] = growth.exceeded(p[n] * other, q[n] * one)
                inside[np.ix_(both, sure)] = True
        return inside


def _apart(p: Floats, q: Floats, growth: Growth) -> tuple[npt.NDArray[np.bool_], ...]:
    """Whether p > growth * q, as far as floats tell, and where they do not."""
    limit, faint = float(min(growth.exactly, Fraction(10) ** 300)), 10.0**-pairs.SMALLEST
    sure = p * (1.0 - pairs.SHARE) > limit * (q + faint)
    return sure, ~sure & (p + faint >= limit * (1.0 - pairs.SHARE) * q)


def deltas(audit: ExactAudit, kind: Definition, *growths: Fraction) -> list[AuditFinding]:
    """The least delta at growths, the smallest of which is first: it rules out pairs for all."""
    if kind == "disclosure":
        return [audit._disclosure(Growth(each)) for each in growths]
    exactly, measure = MEASURES[kind]
    high = audit._at_most(measure, float(min(growths[0], Fraction(10) ** 300)))
    return [
        audit._largest(QUANTITY[kind], each, kind, high, partial(exactly, growth=Growth(each)))
        for each in growths
    ]


def growths(audit: ExactAudit, *slacks: Fraction) -> list[AuditFinding]:
    """The least e^epsilon at deltas, the smallest of which is first: it rules out pairs for all."""
    high = audit._at_most(pairs.growth_at, float(slacks[0]))
    return [
        audit._largest("growth", each, "adp", high, partial(_least_growth, slack=each))
        for each in slacks
    ]


class Test(NamedTuple):
    """A best test of two datasets: its level, its power, and how many outputs it says yes on."""

    level: Fraction
    power: Fraction
    ends: tuple[int, int]
    size: int


def best_tests(audit: ExactAudit, *, mirrored: bool) -> list[tuple[Fraction, Fraction, Witness]]:
    """Level, power and set of outputs of each corner above power 0; only up to where the curve
    rises by 45 degrees where it is its own mirror image from there on."""
    found, before = [], (Fraction(0), Fraction(0))
    for test in audit._corners:
        run, rise = test.level - before[0], test.power - before[1]
        before = test.level, test.power
        if test.power and not (mirrored and rise < run):
            order = audit._pair(*test.ends).order
            found.append((*before, audit._witness(test.ends, order[: test.size])))
    return found


def normals(audit: ExactAudit) -> tuple[float, float, Witness]:
    """How far apart two normals have to be so that no test does better than on them, at least and
    at most, and the test that needs it."""
    tests = [test for test in audit._corners if test.power > test.level]
    if not tests:
        ends = next(zip(*(each.tolist() for each in audit.relation.directed), strict=True))
        return 0.0, 0.0, audit._witness(ends, ())
    sure = [n for n, test in enumerate(tests) if test.level == 0 or test.power == 1]
    if sure:
        at, low, high = sure[0], np.inf, np.inf
    else:
        (least, most), (below, above) = (
            _normals(chances)
            for chances in ([test.power for test in tests], [test.level for test in tests])
        )
        at = int(np.argmax(least - above))
        low, high = max(float((least - above)[at]), 0.0), float((most - below).max())
    test = tests[at]
    return low, high, audit._witness(test.ends, audit._pair(*test.ends).order[: test.size])


def _normals(chances: list[Fraction]) -> tuple[Floats, Floats]:
    """The normal quantiles of probabilities, at least and at most."""
    from scipy import special

    upper = np.array([chance > Fraction(1, 2) for chance in chances])
    parts = [min(chance, 1 - chance) for chance in chances]
    near = np.array([max(float(part), 1e-300) for part in parts])
    low, high = quantile(near)
    for n in np.flatnonzero(near == 1e-300):
        low[n] = high[n] = special.ndtri_exp(log_bracket(parts[n])[0])
    # a quotient is rounded once, and moves the quantile by no more; nor does that of a logarithm
    off = 10 * UNIT * (1.0 + np.abs(low))
    low, high = low - off, high + off
    return np.where(upper, -high, low), np.where(upper, -low, high)


def _excess(pair: Pair, growth: Growth) -> Shown:
    count = pair.beyond(growth)
    a, b = growth.exactly.as_integer_ratio()
    excess = b * pair.power[count] - a * pair.level[count]
    return Fraction(excess, b * pair.one), range(count), None


def _least_growth(pair: Pair, slack: Fraction) -> Shown:
    (c, d), over, under, count = slack.as_integer_ratio(), 1, 1, 0
    for n, (power, level) in enumerate(zip(pair.power, pair.level, strict=True)):
        excess = d * power - c * pair.one
        if excess > 0 and level == 0:
            return math.inf, range(n), None
        if excess > 0 and (not count or excess * under > over * d * level):
            over, under = (excess, d * level) if excess > d * level else (1, 1)
            count = n
    return Fraction(over, under), range(count), None


def _single(pair: Pair, growth: Growth) -> Shown:
    a, b = growth.exactly.as_integer_ratio()
    most, n = max((b * p - a * q, -n) for n, (p, q) in enumerate(zip(pair.p, pair.q, strict=True)))
    return Fraction(max(most, 0), b * pair.one), (-n,) if most > 0 else (), None


def _tail(pair: Pair, growth: Growth) -> Shown:
    count = pair.beyond(growth)
    return Fraction(pair.power[count], pair.one), range(count), None


def _tail_both(pair: Pair, growth: Growth) -> Shown:
    count, below = pair.beyond(growth), pair.below(growth)
    value = pair.power[count] + pair.one - pair.power[below]
    return Fraction(value, pair.one), (*range(count), *range(below, len(pair.p))), None


def _merged(pair: Pair, growth: Growth) -> Shown:
    """Height at which the ray with that slope leaves the power curve (P1, Definition 5.4)."""
    count = pair.merged(growth)
    a, b = growth.exactly.as_integer_ratio()
    rest = b * pair.power[count] - a * pair.level[count]
    if not count or count == len(pair.p) or not rest:
        return Fraction(pair.power[count], pair.one), range(count), None
    share = Fraction(rest, a * pair.q[count] - b * pair.p[count])
    height = (pair.power[count] + share * pair.p[count]) / pair.one
    return height, range(count), (count, share)


MEASURES: Final[dict[str, tuple[Callable[..., Shown], Measure]]] = {
    "adp": (_excess, pairs.excess),
    "pdp": (_tail, pairs.beyond),
    "pdp-both": (_tail_both, pairs.outside),
    "pbdp": (_merged, pairs.merged),
    "pointwise": (_single, pairs.single),
}
"""For each definition about pairs its delta, exactly and in floats."""
