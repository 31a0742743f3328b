"""A finite mechanism, audited: every definition, over all ordered pairs of neighbors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, Domain, numbers, one_of
from dprisk._numeric.logspace import Floats
from dprisk._values import result
from dprisk.audit import pairwise as scanning
from dprisk.audit import renyi, sets, tails
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.profile import MostPower, most_power
from dprisk.audit.relation import NeighborRelation, related
from dprisk.audit.values import Finding, Survey, Witness
from dprisk.errors import Meaningless
from dprisk.guarantees.base import NEIGHBORS, SIDES, Neighbors, Sides
from dprisk.guarantees.tradeoff import FDP
from dprisk.mechanisms.pair_of_distributions import PairOfDistributions

__all__ = ["Audit", "audit"]

ORDERS: Final = Domain(1.0, np.inf, advice="Order 1 is the Kullback-Leibler divergence.")
SOME: Final = Domain(0.0, 1.0, low_open=True, advice="At 0 ask for largest_loss().")


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

    def delta(self, epsilon: npt.ArrayLike) -> Finding:
        """Privacy profile: the least delta for which (epsilon, delta)-DP holds.

        Parameters
        ----------
        epsilon : array_like of float
            Privacy loss limit. [0, inf], nats

        Returns
        -------
        Finding
            delta in [0, 1], same shape, with the pair and the set of outputs that need it.

        Raises
        ------
        OutOfRange
            If `epsilon` is negative, NaN or not a number.
        """
        limits = numbers("epsilon", epsilon, NONNEGATIVE)
        return _shaped(self._most_power.delta(np.ravel(limits)), limits)

    def total_variation(self) -> Finding:
        """Largest total variation distance: half the L1 distance, and delta at epsilon 0.

        Returns
        -------
        Finding
            In [0, 1].
        """
        return self.delta(0.0)

    def epsilon(self, delta: npt.ArrayLike) -> Finding:
        """Inverse profile: the least epsilon for which (epsilon, delta)-DP holds.

        Parameters
        ----------
        delta : array_like of float
            Additive slack. [0, 1]

        Returns
        -------
        Finding
            epsilon in [0, inf], nats, same shape; inf where no epsilon is enough. At delta 0 the
            largest privacy loss.

        Raises
        ------
        OutOfRange
            If `delta` is outside [0, 1] or NaN.
        """
        wanted = numbers("delta", delta, PROBABILITY)
        return _shaped(self._most_power.epsilon(np.ravel(wanted)), wanted)

    def tail(self, epsilon: npt.ArrayLike, *, sides: Sides = "one") -> Finding:
        """How likely the privacy loss of the raw output exceeds epsilon: probabilistic DP.

        Parameters
        ----------
        epsilon : array_like of float
            Privacy loss limit. [0, inf], nats
        sides : {"one", "both"}
            P[Z > epsilon] (P2, P4), or P[abs(Z) > epsilon] (P0).

        Returns
        -------
        Finding
            The least delta for which (epsilon, delta)-probabilistic DP holds, same shape. [0, 1]

        Raises
        ------
        OutOfRange
            If `epsilon` is negative, NaN or not a number.
        InvalidInput
            If `sides` is neither "one" nor "both".
        """
        one_of("sides", sides, SIDES)
        return self._tail(epsilon, sides)

    def disclosure(self, epsilon: npt.ArrayLike) -> Finding:
        """How likely the output lies in a disclosure set: the PDP of Machanavajjhala et al.

        Parameters
        ----------
        epsilon : array_like of float
            Privacy loss limit. [0, inf], nats

        Returns
        -------
        Finding
            The least delta, same shape, over all datasets x. [0, 1]

        Raises
        ------
        OutOfRange
            If `epsilon` is negative, NaN or not a number.

        Notes
        -----
        An output belongs to the disclosure set of x if its loss exceeds epsilon, in either
        direction, for *any* two datasets that are x or neighbors of x, and neighbors of each
        other. It is never less than the two-sided tail (P4, Definition 8).
        """
        limits = numbers("epsilon", epsilon, NONNEGATIVE)
        return _shaped(sets.disclosure(self.mechanism, self._spreads, np.ravel(limits)), limits)

    def bounded(self, epsilon: npt.ArrayLike) -> Finding:
        """How likely the loss exceeds epsilon after the worst post-processing: pbdp.

        Parameters
        ----------
        epsilon : array_like of float
            Privacy loss limit. [0, inf], nats

        Returns
        -------
        Finding
            The least delta for which (epsilon, delta)-pbdp holds, same shape. [0, 1]. The witness
            is the set of outputs that the worst post-processing reports as one.

        Raises
        ------
        OutOfRange
            If `epsilon` is negative, NaN or not a number.

        References
        ----------
        .. [1] P1, Definitions 5.2 to 5.4.
        """
        return self._tail(epsilon, "bounded")

    def bounded_epsilon(self, delta: npt.ArrayLike) -> Finding:
        """Inverse of `bounded`: the least epsilon for which (epsilon, delta)-pbdp holds.

        Parameters
        ----------
        delta : array_like of float
            Probability with which any post-processing may exceed it. (0, 1]

        Returns
        -------
        Finding
            epsilon in [0, inf], nats, same shape.

        Raises
        ------
        OutOfRange
            If `delta` is outside (0, 1] or NaN.

        References
        ----------
        .. [1] P1, Section 5.2: epsilon = log(delta / f^-1(1 - delta)).
        """
        wanted = numbers("delta", delta, SOME)
        found = tails.bounded_epsilon(self.mechanism, self.relation, np.ravel(wanted))
        return _shaped(found, wanted)

    def pointwise(self, epsilon: npt.ArrayLike) -> Finding:
        """The misleading delta that looks at single outputs only. Not a definition of privacy.

        Parameters
        ----------
        epsilon : array_like of float
            Privacy loss limit. [0, inf], nats

        Returns
        -------
        Finding
            Largest P(y) - e^epsilon Q(y) over single outputs y, same shape, with a warning. [0, 1]

        Raises
        ------
        OutOfRange
            If `epsilon` is negative, NaN or not a number.

        References
        ----------
        .. [1] P4, Definition 3, "how not to define differential privacy".
        """
        limits = numbers("epsilon", epsilon, NONNEGATIVE)
        return _shaped(sets.pointwise(self.mechanism, self.relation, np.ravel(limits)), limits)

    def largest_loss(self) -> Finding:
        """The smallest epsilon for pure DP.

        Returns
        -------
        Finding
            In [0, inf], nats; inf where an output is possible on one neighbor only.
        """
        return sets.largest_loss(self.mechanism, self.relation)

    def renyi(self, alpha: npt.ArrayLike) -> Finding:
        """Largest Rényi divergence between neighbors.

        Parameters
        ----------
        alpha : array_like of float
            Order; 1 is the Kullback-Leibler divergence, inf the largest loss. [1, inf]

        Returns
        -------
        Finding
            gamma in [0, inf], nats, same shape.

        Raises
        ------
        OutOfRange
            If `alpha` is below 1, NaN or not a number.
        """
        orders = numbers("alpha", alpha, ORDERS)
        return _shaped(renyi.of_orders(self.mechanism, self.relation, np.ravel(orders)), orders)

    def rho(self) -> Finding:
        """The least rho for which the mechanism is rho-zCDP.

        Returns
        -------
        Finding
            Supremum of D_alpha / alpha over alpha > 1, in [0, inf], nats; the witness says at which
            order, 1 or infinity included.
        """
        return renyi.concentrated(self.mechanism, self.relation)

    def mu(self) -> Finding:
        """The least mu for which the mechanism is mu-GDP.

        Returns
        -------
        Finding
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

    def guarantee(self, *, neighbors: Neighbors) -> FDP:
        """What the mechanism keeps, as a guarantee for every other room.

        Parameters
        ----------
        neighbors : {"add-remove", "replace-one"}
            What the relation of neighbors stands for.

        Returns
        -------
        FDP
            The convex lower envelope of all pairs' trade-off functions, rounded downwards. Its
            `delta`, `epsilon` and, where one pair is the worst everywhere, its `power` are those of
            the mechanism; its tails allow for post-processing and for mixtures of pairs.

        Raises
        ------
        InvalidInput
            If `neighbors` is not one of the two relations.
        Meaningless
            If pairs count in one direction only.
        """
        one_of("neighbors", neighbors, NEIGHBORS)
        if not self.relation.symmetric:
            raise Meaningless(
                "A guarantee speaks for both directions of each pair, and this relation has only "
                "one. Audit it with a symmetric relation."
            )
        return self._most_power.guarantee(neighbors)

    def worst_pair(
        self, finding: Finding, *, neighbors: Neighbors, at: int = 0
    ) -> PairOfDistributions:
        """The two rows that a finding names, as a mechanism: its loss can be composed.

        Parameters
        ----------
        finding : Finding
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

    def survey(self, epsilon: npt.ArrayLike) -> Survey:
        """Approximate DP, both kinds of PDP, pbdp and the trade-off, from one pass over all pairs.

        Parameters
        ----------
        epsilon : array_like of float
            Where, in one list. [0, inf], nats

        Returns
        -------
        Survey
            The same numbers as the single methods.

        Raises
        ------
        OutOfRange
            If `epsilon` is negative, NaN or not a number.
        """
        limits = np.atleast_1d(numbers("epsilon", epsilon, NONNEGATIVE)).ravel()
        gauge = scanning.tails(limits - tails.blurs(self.mechanism, limits))
        fresh = "_most_power" not in self.__dict__
        found = scanning.scan(self.mechanism, self.relation, [gauge], curve=fresh)
        if fresh:
            self.__dict__["_most_power"] = most_power(self.mechanism, self.relation, found.corners)
        one, both, bounded = tails.of_one_pass(
            self.mechanism, self.relation, limits, found.largest[0]
        )
        delta, half = self.delta(limits), self.total_variation()
        return Survey(limits, delta, one, both, bounded, half, self._most_power.corners)

    @cached_property
    def _spreads(self) -> Floats:
        return sets.spreads(self.mechanism, self.relation)

    @cached_property
    def _most_power(self) -> MostPower:
        found = scanning.scan(self.mechanism, self.relation, curve=True)
        return most_power(self.mechanism, self.relation, found.corners)

    def _tail(self, epsilon: npt.ArrayLike, definition: str) -> Finding:
        limits = numbers("epsilon", epsilon, NONNEGATIVE)
        found = tails.settled(self.mechanism, self.relation, np.ravel(limits), definition)
        return _shaped(found, limits)

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


def _shaped(found: Finding, asked: Floats) -> Finding:
    """A list of numbers in the shape of what was asked."""
    return replace(found, answer=found.answer.shaped(asked.shape))
