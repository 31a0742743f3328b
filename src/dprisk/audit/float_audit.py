"""A finite mechanism, audited: every definition, over all ordered pairs of neighbors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal, final, get_args

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, Domain, numbers, one_of
from dprisk._numeric.logspace import Floats
from dprisk._values import result
from dprisk.audit import pairwise, renyi, sets, tails
from dprisk.audit.definitions import Definition
from dprisk.audit.exact import ExactAudit
from dprisk.audit.findings import FloatFinding, Witness
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.most_power import MostPower, most_power
from dprisk.audit.relation import NeighborRelation, related
from dprisk.errors import Meaningless
from dprisk.guarantees.approximate import ApproxDPCurve
from dprisk.guarantees.base import NEIGHBORS, Neighbors
from dprisk.mechanisms.pair_of_distributions import PairOfDistributions
from dprisk.text import fill

ORDERS: Final = Domain(1.0, np.inf, advice=fill("audit.order"))
SOME: Final = Domain(0.0, 1.0, low_open=True, advice=fill("audit.delta-zero"))


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Audit:
    """A finite mechanism and who its neighbors are. Made by `audit`.

    Parameters
    ----------
    mechanism : FiniteMechanism
        What is audited.
    relation : NeighborRelation
        Which datasets are compared.

    Notes
    -----
    Every number is the worst over all ordered pairs of neighbors, for the mechanism itself: no
    promise stands between. `value` is at most, `other_end` at least; between them is what rounding
    and, for rho, a search leave open. A loss that is within rounding of an epsilon counts as beyond
    it in `value` and not in `other_end`; `ExactAudit` decides.

    References
    ----------
    .. [1] P1, Sections 4 and 5; P2, Section 2; P4.
    """

    mechanism: FiniteMechanism
    relation: NeighborRelation

    def delta(self, epsilon: npt.ArrayLike, *, kind: Definition = "adp") -> FloatFinding:
        """The least delta for which a definition holds with some epsilon.

        Parameters
        ----------
        epsilon : array_like of float
            Privacy loss limit. [0, inf], nats
        kind : {"adp", "pdp", "pdp-both", "disclosure", "pbdp", "pointwise"}
            Approximate DP: the privacy profile. Probabilistic DP of the raw output: how likely the
            loss exceeds epsilon, P[Z > epsilon] (P2, P4) or with "pdp-both" P[abs(Z) > epsilon]
            (P0). How likely the output lies in a disclosure set. Probabilistically bounded DP: how
            likely the loss exceeds epsilon after the worst post-processing. Or the misleading
            delta that looks at single outputs only: not a definition of privacy.

        Returns
        -------
        FloatFinding
            In [0, 1], same shape, with the pair and the set of outputs that need it; of "pbdp" the
            set that the worst post-processing reports as one output.

        Raises
        ------
        OutOfRange
            If `epsilon` is negative, NaN or not a number.
        InvalidInput
            If `kind` is something else.

        Notes
        -----
        An output belongs to the disclosure set of x if its loss exceeds epsilon, in either
        direction, for *any* two datasets that are x or neighbors of x, and neighbors of each
        other. It is never less than the two-sided tail (P4, Definition 8).

        References
        ----------
        .. [1] P1, Definitions 5.1 to 5.4; P4, Definition 3, "how not to define differential
           privacy", and Definition 8.
        """
        limits = numbers("epsilon", epsilon, NONNEGATIVE)
        one_of("kind", kind, get_args(Definition))
        flat, table, relation = np.ravel(limits), self.mechanism, self.relation
        if kind == "adp":
            found = self._most_power.delta(flat)
        elif kind == "disclosure":
            found = sets.disclosure(table, self._spreads, flat)
        elif kind == "pointwise":
            found = sets.pointwise(table, relation, flat)
        else:
            found = tails.settled(table, relation, flat, kind)
        return _shaped(found, limits)

    def epsilon(
        self, delta: npt.ArrayLike, *, kind: Literal["adp", "pbdp"] = "adp"
    ) -> FloatFinding:
        """Inverse of `delta`: the least epsilon for which a definition holds with some delta.

        Parameters
        ----------
        delta : array_like of float
            Additive slack [0, 1]; of "pbdp", how likely any post-processing may exceed it. (0, 1]
        kind : {"adp", "pbdp"}
            Approximate DP, or probabilistically bounded DP.

        Returns
        -------
        FloatFinding
            In [0, inf], nats, same shape; inf where no epsilon is enough. Approximate DP at delta 0
            needs the largest privacy loss.

        Raises
        ------
        OutOfRange
            If `delta` is outside its range or NaN.
        InvalidInput
            If `kind` is something else.

        References
        ----------
        .. [1] P1, Section 5.2: of pbdp, epsilon = log(delta / f^-1(1 - delta)).
        """
        bounded = one_of("kind", kind, ("adp", "pbdp")) == "pbdp"
        wanted = numbers("delta", delta, SOME if bounded else PROBABILITY)
        if bounded:
            found = tails.bounded_epsilon(self.mechanism, self.relation, np.ravel(wanted))
        else:
            found = self._most_power.epsilon(np.ravel(wanted))
        return _shaped(found, wanted)

    def total_variation(self) -> FloatFinding:
        """Largest total variation distance: half the L1 distance, and delta at epsilon 0.

        Returns
        -------
        FloatFinding
            In [0, 1].
        """
        return self.delta(0.0)

    def largest_loss(self) -> FloatFinding:
        """The smallest epsilon for pure DP.

        Returns
        -------
        FloatFinding
            In [0, inf], nats; inf where an output is possible on one neighbor only.
        """
        return sets.largest_loss(self.mechanism, self.relation)

    def renyi(self, alpha: npt.ArrayLike) -> FloatFinding:
        """Largest Rényi divergence between neighbors.

        Parameters
        ----------
        alpha : array_like of float
            Order; 1 is the Kullback-Leibler divergence, inf the largest loss. [1, inf]

        Returns
        -------
        FloatFinding
            gamma in [0, inf], nats, same shape.

        Raises
        ------
        OutOfRange
            If `alpha` is below 1, NaN or not a number.
        """
        orders = numbers("alpha", alpha, ORDERS)
        return _shaped(renyi.of_orders(self.mechanism, self.relation, np.ravel(orders)), orders)

    def rho(self) -> FloatFinding:
        """The least rho for which the mechanism is rho-zCDP.

        Returns
        -------
        FloatFinding
            Supremum of D_alpha / alpha over alpha > 1, in [0, inf], nats; the witness says at which
            order, 1 or infinity included.
        """
        return renyi.concentrated(self.mechanism, self.relation)

    def mu(self) -> FloatFinding:
        """The least mu for which the mechanism is mu-GDP.

        Returns
        -------
        FloatFinding
            In [0, inf]; inf where an output is possible on one neighbor only. The witness is the
            test that two normals have to beat.
        """
        return self._most_power.mu()

    @property
    def corners(self) -> list[tuple[float, float, Witness]]:
        """Corners (level, power, test) of the most power that any test has, from power 0 upwards.

        They are those of the least concave curve above the power curves of all ordered pairs, up
        to where power + level would pass 1 (from there on it is its own mirror image): of one
        minus the convex lower envelope of the trade-off functions. A test on the chord between two
        pairs' corners need not exist for either pair.
        """
        return self._most_power.tests()

    def guarantee(self, *, neighbors: Neighbors) -> ApproxDPCurve:
        """What the mechanism keeps, as a guarantee for every other room.

        Parameters
        ----------
        neighbors : {"add-remove", "replace-one"}
            What the relation of neighbors stands for.

        Returns
        -------
        ApproxDPCurve
            The lines along the least concave curve above all pairs' power curves, rounded upwards.
            Its `delta`, `epsilon` and, where one pair is the worst everywhere, its `power` are
            those of the mechanism; its tails allow for post-processing and for mixtures of pairs.

        Raises
        ------
        InvalidInput
            If `neighbors` is not one of the two relations.
        Meaningless
            If pairs count in one direction only.
        """
        one_of("neighbors", neighbors, NEIGHBORS)
        if not self.relation.symmetric:
            raise Meaningless(fill("audit.one-way"))
        return self._most_power.guarantee(neighbors)

    def worst_pair(
        self, finding: FloatFinding, *, neighbors: Neighbors, at: int = 0
    ) -> PairOfDistributions:
        """The two rows that a finding names, as a mechanism: its loss can be composed.

        Parameters
        ----------
        finding : FloatFinding
            Made by this audit.
        neighbors : {"add-remove", "replace-one"}
            What the relation of neighbors stands for.
        at : int
            Which of its witnesses. [0, n)

        Returns
        -------
        PairOfDistributions
            About this one pair: another may be worse elsewhere.
        """
        found = finding.worst[at]
        return self.mechanism.pair(found.first, found.second, neighbors=neighbors)

    def survey(self, epsilon: npt.ArrayLike) -> dict[Definition, FloatFinding]:
        """Approximate DP, both kinds of probabilistic DP and pbdp, from one pass over all pairs.

        Parameters
        ----------
        epsilon : array_like of float
            Where, in one list. [0, inf], nats

        Returns
        -------
        dict
            For "adp", "pdp", "pdp-both" and "pbdp" the same as `delta`.

        Raises
        ------
        OutOfRange
            If `epsilon` is negative, NaN or not a number.
        """
        limits = np.atleast_1d(numbers("epsilon", epsilon, NONNEGATIVE)).ravel()
        table, relation = self.mechanism, self.relation
        gauge = pairwise.tails(limits - tails.blurs(table, limits), tails.KINDS)
        fresh = "_most_power" not in self.__dict__
        found = pairwise.scan(table, relation, [gauge], curve=fresh)
        if fresh:
            self.__dict__["_most_power"] = most_power(table, relation, found.corners)
        each = tails.of_one_pass(table, relation, limits, found.largest[0])
        return {"adp": self.delta(limits), **dict(zip(tails.KINDS, each, strict=True))}

    @cached_property
    def exact(self) -> ExactAudit:
        """The same audit in rational arithmetic."""
        return ExactAudit(self.mechanism, self.relation)

    @cached_property
    def _spreads(self) -> Floats:
        return sets.spreads(self.mechanism, self.relation)

    @cached_property
    def _most_power(self) -> MostPower:
        found = pairwise.scan(self.mechanism, self.relation, curve=True)
        return most_power(self.mechanism, self.relation, found.corners)

    def __repr__(self) -> str:
        return f"<Audit: {self.mechanism!r}, {self.relation!r}>"


def audit(
    mechanism: Any, *, neighbors: str | NeighborRelation | Iterable[Sequence[str]] = "all"
) -> Audit:
    """Audit a finite mechanism: what every definition says about it, exactly.

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
    >>> round(lab.total_variation().value, 12), round(lab.largest_loss().value, 6)
    (0.5, 1.098612)
    >>> lab.delta(1.0).witness.outputs
    ('y1',)
    """
    table = mechanism if isinstance(mechanism, FiniteMechanism) else FiniteMechanism(mechanism)
    return Audit(table, related(table, neighbors))


def _shaped(found: FloatFinding, asked: Floats) -> FloatFinding:
    """A list of numbers in the shape of what was asked."""
    return replace(found, answer=found.answer.shaped(asked.shape))
