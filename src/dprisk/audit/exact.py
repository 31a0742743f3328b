"""An audit in rational arithmetic: what each definition says of all pairs of neighbors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, NamedTuple, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import one_of, whole
from dprisk._numeric.logspace import Floats
from dprisk._numeric.majorant import majorant, whole_numbers
from dprisk._numeric.normal import quantile
from dprisk._numeric.rounding import UNIT
from dprisk._values import result
from dprisk.audit import pairs
from dprisk.audit.findings import QUANTITY, AuditFinding, Definition, Witness, found_exactly
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.growth import Growth, as_fraction, chance, log_bracket
from dprisk.audit.pairs import Measure, Pair, candidates, pair_of
from dprisk.audit.relation import NeighborRelation, too_many
from dprisk.audit.renyi import divergences
from dprisk.errors import OutOfRange
from dprisk.text import fill

MOST_ENTRIES: Final = 200_000_000  # of all ordered pairs together
Shown = tuple[Fraction | float, Iterable[int], tuple[int, Fraction] | None]
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
        If all pairs together have more than 2 * 10^8 outputs.

    Notes
    -----
    Floats rule out pairs that fall short of the largest number by 10^-9, relatively; the others
    are compared in whole numbers.

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
        total = len(self.relation.directed[0]) * len(self.mechanism.outputs)
        if total > MOST_ENTRIES:
            raise too_many(total, MOST_ENTRIES, "audit.table.smaller")

    def delta(self, growth: Any, *, kind: Definition = "adp") -> AuditFinding:
        """The least delta for which a definition holds with epsilon log(growth).

        Parameters
        ----------
        growth : Fraction, int or str
            e^epsilon. [1, inf)
        kind : {"adp", "pdp", "pdp-both", "disclosure", "pbdp", "pointwise"}
            Which definition, as in `Audit.delta`. For "pbdp" it is a supremum: sets with a ratio
            just above the growth approach it.

        Returns
        -------
        AuditFinding
            In [0, 1].

        Raises
        ------
        OutOfRange
            If `growth` is below 1 or not rational.
        InvalidInput
            If `kind` is something else.
        """
        one_of("kind", kind, get_args(Definition))
        exact = as_fraction(growth)
        if exact is None or exact < 1:
            fix = "It is e^epsilon. For a decimal epsilon, growth_bracket encloses it."
            raise OutOfRange("growth", growth, fill("errors.rational", inside="[1, inf)"), fix)
        growth = Growth(exact)
        if kind == "disclosure":
            return self._disclosure(growth)
        exactly, measure = MEASURES[kind]
        near = self._near(measure, float(min(exact, Fraction(10) ** 300)))
        return self._largest(QUANTITY[kind], exact, kind, near, lambda pair: exactly(pair, growth))

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

        Raises
        ------
        OutOfRange
            If `delta` is outside [0, 1] or not rational.
        """
        slack = chance("delta", delta)
        c, d = slack.as_integer_ratio()

        def least(pair: Pair) -> Shown:
            over, under, count = 1, 1, 0
            for n, (power, level) in enumerate(zip(pair.power, pair.level, strict=True)):
                excess = d * power - c * pair.one
                if excess > 0 and level == 0:
                    return math.inf, range(n), None
                if excess > 0 and (not count or excess * under > over * d * level):
                    over, under = (excess, d * level) if excess > d * level else (1, 1)
                    count = n
            return Fraction(over, under), range(count), None

        near = self._near(pairs.growth_at, float(slack))
        return self._largest("growth", slack, "adp", near, least)

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

        near = self._near(pairs.ratio_at, float(wanted))
        return self._largest("growth", wanted, "pbdp", near, least)

    def largest_ratio(self) -> AuditFinding:
        """e to the smallest epsilon for pure DP.

        Returns
        -------
        AuditFinding
            In [1, inf]; inf where an output is possible on one neighbor only.
        """

        def largest(pair: Pair) -> Shown:
            return (Fraction(pair.p[0], pair.q[0]) if pair.q[0] else math.inf), (0,), None

        return self._largest("growth", None, "pure", self._near(pairs.ratio, 1.0), largest)

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

        Raises
        ------
        OutOfRange
            If `alpha` is not a whole number from 2 on.
        """
        order = whole("alpha", alpha, 2, 1000)
        value, error = divergences(self.mechanism, *self.relation.directed, float(order))
        some = np.flatnonzero(value + error >= (value - error).max())
        near = zip(*(each[some].tolist() for each in self.relation.directed), strict=True)

        def moment(pair: Pair) -> Shown:
            if not pair.q[0]:
                return math.inf, (), None
            terms = (
                Fraction(p**order, q ** (order - 1))
                for p, q in zip(pair.p, pair.q, strict=True)
                if p
            )
            return sum(terms, Fraction(0)) / pair.one, (), None

        return self._largest("moment", order, "rdp", near, moment)

    def corners(self) -> list[tuple[Fraction, Fraction]]:
        """Corners (level, power) of the most power of any test, from power 0 to (1, 1).

        Returns
        -------
        list of (Fraction, Fraction)
            Of the least concave curve above the power curves of all ordered pairs.
        """
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
            some = majorant(points)
            if hull is not None:
                near = np.array([[value / pair.one for value in points[n]] for n in some])
                some = [
                    some[n] for n in np.flatnonzero(pairs.reaches(near[:, 0], near[:, 1], *hull))
                ]
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
        rows, names = self.mechanism.rows, self.mechanism.outputs
        inside = sorted(outputs)
        parts = [(n, Fraction(1)) for n in inside] + ([share] if share else [])
        one, other = (sum((rows[end][n] * part for n, part in parts), Fraction(0)) for end in ends)
        first, second = (self.mechanism.datasets[end] for end in ends)
        part = (names[share[0]], share[1]) if share else None
        return Witness(first, second, tuple(names[n] for n in inside), one, other, part)

    @cached_property
    def _whole(self) -> list[tuple[tuple[int, ...], int]]:
        """Each row in whole numbers, and its denominator."""
        found = map(whole_numbers, self.mechanism.rows)
        return [(tuple(values), scale) for values, scale in found]

    @cached_property
    def _faint(self) -> bool:
        """Whether some probability is so small that floats lose its digits."""
        return any(
            value > 0 and value * 10**pairs.SMALLEST < under
            for values, under in self._whole
            for value in values
        )

    def _pair(self, first: int, second: int) -> Pair:
        return pair_of(self._whole[first], self._whole[second])

    def _near(self, measure: Measure, limit: float) -> list[tuple[int, int]]:
        """The ordered pairs among which the largest measure is."""
        first, second = self.relation.directed
        if len(first) * len(self.mechanism.outputs) > pairs.FEW and not self._faint:
            near = candidates(self.mechanism.probabilities, first, second, measure, limit)
            first, second = first[near], second[near]
        return list(zip(first.tolist(), second.tolist(), strict=True))

    def _largest(
        self,
        quantity: str,
        at: Any,
        kind: str,
        near: Iterable[tuple[int, int]],
        exactly: Callable[[Pair], Shown],
    ) -> AuditFinding:
        """The largest number of some ordered pairs, and what shows it; of equal ones the first."""
        found = ((ends, *exactly(self._pair(*ends))) for ends in near)
        ends, value, some, share = max(found, key=lambda each: each[1])
        order = self._pair(*ends).order
        part = None if share is None else (order[share[0]], share[1])
        shows = self._witness(ends, (order[n] for n in some), part)
        return found_exactly(quantity, at, kind, value, shows)

    def _disclosure(self, growth: Growth) -> AuditFinding:
        """How likely the output lies in a disclosure set (P4, Definition 8)."""
        inside, table = self._revealing(growth), self.mechanism.probabilities
        about = (table * inside).sum(axis=1)
        near = np.flatnonzero(about >= about.max() * (1.0 - pairs.SHARE))
        exact = [
            sum((self.mechanism.rows[x][n] for n in np.flatnonzero(inside[x])), Fraction(0))
            for x in near
        ]
        most = max(exact)
        worst = int(near[exact.index(most)])
        names = tuple(self.mechanism.outputs[n] for n in np.flatnonzero(inside[worst]))
        shows = Witness(self.mechanism.datasets[worst], "", names, most, most)
        return found_exactly("disclosure", growth.exactly, "disclosure", most, shows)

    def _revealing(self, growth: Growth) -> npt.NDArray[np.bool_]:
        """For each dataset x, the outputs with a loss beyond epsilon between two datasets that are
        x or its neighbors."""
        rows, table, relation = self.mechanism.rows, self.mechanism.probabilities, self.relation
        if relation.complete:  # the largest and the smallest probability of each output
            columns = list(zip(*rows, strict=True))
            far = [growth.exceeded(max(column), min(column)) for column in columns]
            return np.broadcast_to(far, table.shape)
        near = relation.adjacency | np.eye(self.mechanism.size, dtype=bool)
        inside = np.zeros(table.shape, dtype=bool)
        ends = np.nonzero(np.triu(near, 1))
        for first, second in zip(*(each.tolist() for each in ends), strict=True):
            both = near[first] & near[second]
            open_ = ~inside[both].all(axis=0)
            p, q = table[first], table[second]
            limit = float(min(growth.exactly, Fraction(10) ** 300)) * (1.0 - pairs.SHARE)
            maybe = (p + 10.0**-pairs.SMALLEST >= limit * q) | (
                q + 10.0**-pairs.SMALLEST >= limit * p
            )
            for n in np.flatnonzero(open_ & maybe).tolist():
                a, b = rows[first][n], rows[second][n]
                if growth.exceeded(a, b) or growth.exceeded(b, a):
                    inside[both, n] = True
        return inside


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


def least_of(audit: ExactAudit) -> Fraction:
    """The smallest probability above 0."""
    return min(Fraction(min(filter(None, values)), under) for values, under in audit._whole)


# --- of one pair ---------------------------------------------------------------------------------


def _excess(pair: Pair, growth: Growth) -> Shown:
    count = pair.beyond(growth)
    a, b = growth.exactly.as_integer_ratio()
    excess = b * pair.power[count] - a * pair.level[count]
    return Fraction(excess, b * pair.one), range(count), None


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


MEASURES: Final[dict[str, tuple[Callable[[Pair, Growth], Shown], Measure]]] = {
    "adp": (_excess, pairs.excess),
    "pdp": (_tail, pairs.beyond),
    "pdp-both": (_tail_both, pairs.outside),
    "pbdp": (_merged, pairs.merged),
    "pointwise": (_single, pairs.single),
}
"""For each definition about pairs its delta, exactly and in floats."""
