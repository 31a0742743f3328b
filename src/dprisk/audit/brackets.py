"""An audit in nats: every definition over all ordered pairs of neighbors, between two floats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, Literal, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, Domain, numbers
from dprisk._numeric.envelope import whole_numbers
from dprisk._values import result
from dprisk.audit import pairs
from dprisk.audit.exact import ExactAudit, best_tests, deltas, growths, normals
from dprisk.audit.findings import (
    QUANTITY,
    AuditFinding,
    Definition,
    Witness,
    between,
    outwards,
)
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.growth import MOST_NATS, growth_bracket, log_bracket
from dprisk.audit.relation import NeighborRelation, related
from dprisk.errors import Meaningless, one_of
from dprisk.guarantees.approximate import ApproxDPCurve, of_tests
from dprisk.guarantees.base import NEIGHBORS, Neighbors
from dprisk.losses.base import ULP

ORDERS: Final = Domain(1.0, np.inf, advice="Order 1 is the Kullback-Leibler divergence.")
SOME: Final = Domain(0.0, 1.0, low_open=True, advice="For delta 0, ask for largest_loss().")
Found = tuple[float, float, Witness]
"""A number at least and at most, and what shows it."""


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Audit:
    """A finite mechanism and who its neighbors are. Made by `audit`.

    Every number is the worst over all ordered pairs of neighbors. `value` is at most, `other_end`
    at least: a loss that is within the rounding of the table's own numbers of an epsilon counts as
    beyond it in the one and not in the other; `exact` decides. See P1, Sections 4 and 5; P2,
    Section 2; P4.
    """

    mechanism: FiniteMechanism  #: What is audited.
    relation: NeighborRelation  #: Which datasets are compared.

    def delta(self, epsilon: npt.ArrayLike, *, kind: Definition = "adp") -> AuditFinding:
        """The least delta for which a definition holds with some epsilon.

        Parameters
        ----------
        epsilon : array_like of float
            Privacy loss limit. [0, inf], nats
        kind : {"adp", "pdp", "pdp-both", "disclosure", "pbdp", "pointwise"}
            Approximate DP. Probabilistic DP of the raw output, P[Z > epsilon] (P2, P4) or P[abs(Z)
            > epsilon] (P0). How likely the output lies in a disclosure set: its loss exceeds
            epsilon, in either direction, for *any* two neighbors that are x or neighbors of x (P4,
            Definition 8). Probabilistically bounded DP: P[Z > epsilon] after the worst
            post-processing. Or the misleading delta of single outputs: not a definition of privacy
            (P4, Definition 3).

        Returns
        -------
        AuditFinding
            In [0, 1], same shape, with the pair and the set of outputs that need it; for "pbdp" the
            set that the worst post-processing reports as one output.
        """
        limits = numbers("epsilon", epsilon, NONNEGATIVE)
        one_of("kind", kind, get_args(Definition))
        return _each(QUANTITY[kind], kind, limits, lambda limit: self._delta(kind, limit))

    def epsilon(
        self, delta: npt.ArrayLike, *, kind: Literal["adp", "pbdp"] = "adp"
    ) -> AuditFinding:
        """Inverse of `delta`: the least epsilon for which a definition holds with some delta.

        Parameters
        ----------
        delta : array_like of float
            Additive slack [0, 1]; of "pbdp", how likely any post-processing may exceed it. (0, 1]
        kind : {"adp", "pbdp"}
            Approximate DP, or probabilistically bounded DP (P1, Section 5.2).

        Returns
        -------
        AuditFinding
            In [0, inf], nats, same shape; inf where no epsilon is enough.
        """
        bounded = one_of("kind", kind, ("adp", "pbdp")) == "pbdp"
        wanted = numbers("delta", delta, SOME if bounded else PROBABILITY)
        quantity = "bounded_epsilon" if bounded else "epsilon"
        return _each(quantity, kind, wanted, lambda slack: self._epsilon(kind, slack))

    def total_variation(self) -> AuditFinding:
        """Largest total variation distance: delta at epsilon 0. [0, 1]"""
        low, high, shows = self._delta("adp", 0.0)
        return between("total_variation", None, "adp", low, high, (shows,))

    def largest_loss(self) -> AuditFinding:
        """The smallest epsilon for pure DP; inf where an output is possible on one only."""
        found = self.exact.largest_ratio()
        return between("largest_loss", None, "pure", *logs(found.value), found.worst)

    def renyi(self, alpha: npt.ArrayLike) -> AuditFinding:
        """Largest Rényi divergence between neighbors.

        Parameters
        ----------
        alpha : array_like of float
            Order; 1 is the Kullback-Leibler divergence, inf the largest loss. [1, inf]

        Returns
        -------
        AuditFinding
            gamma in [0, inf], nats, same shape.
        """

        def largest(order: float) -> Found:
            value, error = pairs.divergences(self.mechanism, *self.relation.directed, order)
            low, high = max(float((value - error).max()), 0.0), float((value + error).max())
            return low, high, self._pair_at(int(np.argmax(value)), order)

        return _each("renyi", "rdp", numbers("alpha", alpha, ORDERS), largest)

    def rho(self) -> AuditFinding:
        """The least rho for rho-zCDP: supremum of D_alpha / alpha over alpha > 1."""
        low, high, at, order = pairs.least_rho(self.mechanism, self.relation)
        return between("rho", None, "zcdp", low, high, (self._pair_at(at, order),))

    def mu(self) -> AuditFinding:
        """The least mu for mu-GDP; the witness is the test that two normals have to beat."""
        low, high, shows = normals(self.exact)
        return between("mu", None, "gdp", low, high, (shows,))

    @property
    def corners(self) -> list[tuple[float, float, Witness]]:
        """Corners (level, power, test) of the most power that any test has, from power 0 upwards.

        They are those of the least concave curve above the power curves of all ordered pairs, up to
        where it is its own mirror image. A test on the chord between two pairs' corners need not
        exist.
        """
        return [
            (float(level), float(power), shows)
            for level, power, shows in best_tests(self.exact, mirrored=self.relation.symmetric)
        ]

    def guarantee(self, *, neighbors: Neighbors) -> ApproxDPCurve:
        """Guarantee that the mechanism keeps, for use in every other room.

        Parameters
        ----------
        neighbors : {"add-remove", "replace-one"}
            What the relation of neighbors stands for.

        Returns
        -------
        ApproxDPCurve
            The lines along the least concave curve above all pairs' power curves, rounded upwards.
            Its tails allow for post-processing and for mixtures of pairs.

        Raises
        ------
        Meaningless
            If pairs count in one direction only.
        """
        one_of("neighbors", neighbors, NEIGHBORS)
        if not self.relation.symmetric:
            raise Meaningless(
                "A guarantee covers both directions of each pair of neighbors. This relation has "
                "only one. Audit it with a symmetric relation."
            )
        flat, one = whole_numbers([number for corner in self.exact.corners() for number in corner])
        return of_tests(zip(flat[::2], flat[1::2], strict=True), one, neighbors)

    @cached_property
    def exact(self) -> ExactAudit:
        """The same audit in rational arithmetic."""
        return ExactAudit(self.mechanism, self.relation)

    def _delta(self, kind: Definition, limit: float) -> Found:
        """Delta at an epsilon off by what rounding the table's numbers can do, both ways."""
        if limit == np.inf and kind not in ("adp", "pointwise"):
            return 0.0, 0.0, self._pair_at(0)
        far = 2.0 * self._reach + 800.0
        if limit > far:  # beyond every finite loss, and by so much that floats do not show it
            growth: Fraction = Fraction(2) ** int(far)
            high = self.exact.delta(growth, kind=kind)
            low = self.exact.delta(growth, kind="pdp" if kind == "pbdp" else kind)
        else:
            off = self._off(limit, kind) if limit else 0.0  # what is equal as written has no loss
            ends = [_growth(max(limit - off, 0.0))[0], *([_growth(limit + off)[1]] if off else [])]
            high, *_, low = deltas(self.exact, kind, *ends) * (1 if off else 2)
        return *outwards(low.value, high.value), (low if low.value else high).witness

    def _epsilon(self, kind: Literal["adp", "pbdp"], slack: float) -> Found:
        """The epsilon that a delta needs, and as much more as the delta there is off by."""
        if kind == "pbdp":
            found = self.exact.merged_ratio(slack)
            least, most = logs(found.value)
            off = self._off(1.0, kind) if most else 0.0
            return max(least - off, 0.0), most + off, found.witness
        # as the loss, 8 ulps
        near = (Fraction(slack) * Fraction(1.0 + off) for off in (-8 * ULP, 8 * ULP))
        ends = (slack,) * 2 if slack == 1.0 else near
        high, low = growths(self.exact, *(min(Fraction(each), Fraction(1)) for each in ends))
        least, most = logs(low.value)[0], logs(high.value)[1]
        most += 2 * self._off(most, kind) if most else 0.0
        return max(least - self._off(least, kind), 0.0), most, low.witness

    def _off(self, limit: float, kind: Definition) -> float:
        """At most how far a loss near a limit is off by rounding."""
        # a quotient and its logarithm: three roundings; and one of the limit; a tail jumps at a
        # loss, which may have been written with more
        reach = 0.0 if kind in ("adp", "pointwise") else self._reach
        return 8 * ULP * (1.0 + reach) + 2 * ULP * limit if np.isfinite(limit) else 0.0

    @cached_property
    def _reach(self) -> float:
        """How far from 0 the finite logarithms of the probabilities get. [0, inf)"""
        values = self.exact.mechanism.whole
        least = min(Fraction(min(filter(None, row)), one) for row, one in values)
        return log_bracket(1 / least)[1]

    def _pair_at(self, at: int, order: float | None = None) -> Witness:
        """The two datasets of an ordered pair alone."""
        first, second = (int(each[at]) for each in self.relation.directed)
        names = self.mechanism.datasets
        return Witness(names[first], names[second], order=order)

    def __repr__(self) -> str:
        return f"<Audit: {self.mechanism!r}, {self.relation!r}>"


def audit(
    mechanism: Any, *, neighbors: str | NeighborRelation | Iterable[Sequence[str]] = "all"
) -> Audit:
    """Audit a finite mechanism: what every definition says about it.

    Parameters
    ----------
    mechanism : FiniteMechanism, or what makes one
        The table of probabilities.
    neighbors : "all", "hamming", NeighborRelation, or iterable of (str, str)
        Which datasets are neighbors: all pairs, those that differ in one record (read from their
        labels), or the pairs listed.

    Returns
    -------
    Audit
        Nothing is computed yet.

    Raises
    ------
    InvalidInput
        If the table or the relation cannot be used.

    Examples
    --------
    >>> from dprisk.audit import audit
    >>> lab = audit([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> round(lab.total_variation().value, 12), lab.delta(1.0).witness.outputs
    (0.5, ('y1',))
    """
    table = mechanism if isinstance(mechanism, FiniteMechanism) else FiniteMechanism(mechanism)
    return Audit(table, related(table, neighbors))


def _each(
    quantity: str, kind: str, asked: npt.NDArray[Any], find: Callable[[float], Found]
) -> AuditFinding:
    """A number for each that was asked, in its shape."""
    found = [find(value) for value in np.ravel(asked).tolist()]
    low, high = (np.reshape([each[n] for each in found], asked.shape) for n in (0, 1))
    return between(quantity, asked, kind, low, high, tuple(each[2] for each in found))


def _growth(limit: float) -> tuple[Fraction, Fraction]:
    """e^limit, at least and at most."""
    halvings = int(limit / MOST_NATS).bit_length()
    low, high = growth_bracket(Fraction(limit) / 2**halvings)
    return low**2**halvings, high**2**halvings


def logs(growth: Fraction | float) -> tuple[float, float]:
    """The epsilon of a growth, at least and at most."""
    if not isinstance(growth, Fraction):
        return np.inf, np.inf
    return log_bracket(growth)
