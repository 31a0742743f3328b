"""A finite mechanism, audited: every definition, over all ordered pairs of neighbors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, Domain, numbers, one_of
from dprisk._numeric.invert import keep
from dprisk._numeric.logspace import Floats, exp_capped
from dprisk.answer import Answer
from dprisk.audit import profile, renyi, scanning, sets, tails, witnesses
from dprisk.audit.curve import Corners
from dprisk.audit.definitions import LATER, POINTWISE, RAW, SOURCES
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.relation import NeighborRelation
from dprisk.audit.scanning import Tell
from dprisk.audit.values import Finding, Witness
from dprisk.errors import InvalidInput, Meaningless
from dprisk.guarantees.base import NEIGHBORS, SIDES, Neighbors, Sides
from dprisk.guarantees.tradeoff import FDP
from dprisk.losses.base import ULP
from dprisk.mechanisms.pair_of_distributions import PairOfDistributions

__all__ = ["Audit", "Survey", "audit", "related"]

ORDERS: Final = Domain(1.0, np.inf, advice="Order 1 is the Kullback-Leibler divergence.")


@final
@dataclass(frozen=True, eq=False, repr=False)
class Survey:
    """Several definitions at many epsilons, from one pass over all pairs. Made by `Audit.survey`.

    Parameters
    ----------
    epsilon : ndarray
        Where. [0, inf], nats
    delta, one_sided, two_sided, bounded : Finding
        The privacy profile, both kinds of tails of the raw output, and the tail after any
        post-processing, at each epsilon.
    total_variation : Finding
        delta at epsilon 0.
    tradeoff : Corners
        Corners of the most power of a test; see `Audit.corners`.
    """

    epsilon: Floats
    delta: Finding
    one_sided: Finding
    two_sided: Finding
    bounded: Finding
    total_variation: Finding
    tradeoff: Corners


@final
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
        return self._profile(limits)

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
        flat, slack = np.ravel(wanted), self._slack
        high, _ = profile.slopes(self._corners, flat, slack)
        enough = lambda e: profile.support(self._corners, e, slack)[0] <= flat  # noqa: E731
        high = keep(high, enough)
        low, at = profile.slopes(self._corners, flat, -slack)
        worst = tuple(
            witnesses.beyond(self.mechanism, *self._owner(int(n)), limit)
            for n, limit in zip(at, low.tolist(), strict=True)
        )
        answer = Answer(high, "upper", SOURCES["delta"], (LATER,), np.minimum(low, high))
        return Finding("epsilon", answer.shaped(wanted.shape), worst)

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
        return self._tail(numbers("epsilon", epsilon, NONNEGATIVE), sides)

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
        flat, widest = np.ravel(limits), self._spreads
        high, low, worst = np.empty(flat.size), np.empty(flat.size), []
        for n, (limit, blur) in enumerate(
            zip(flat.tolist(), tails.blurs(self.mechanism, flat), strict=True)
        ):
            at, sums = self._disclosed(widest > limit - blur)
            high[n] = min(sums * (1.0 + self._slack), 1.0)
            surely = widest > limit + blur
            low[n] = self._disclosed(surely)[1] * (1.0 - self._slack)
            worst.append(witnesses.disclosed(self.mechanism, at, widest[at] > limit))
        answer = Answer(high, "upper", SOURCES["disclosure"], (RAW,), np.minimum(low, high))
        return Finding("disclosure", answer.shaped(limits.shape), tuple(worst))

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
        return self._tail(numbers("epsilon", epsilon, NONNEGATIVE), "bounded")

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
        domain = Domain(0.0, 1.0, low_open=True, advice="At 0 ask for largest_loss().")
        wanted = numbers("delta", delta, domain)
        flat = np.ravel(wanted)
        ends = [np.clip(flat * (1.0 + sign * self._slack), 0.0, 1.0) for sign in (1.0, -1.0)]
        found = scanning.scan(
            self.mechanism, self.relation, [scanning.reached(end) for end in ends]
        ).largest
        most = np.maximum(found[0].values, found[1].values)
        least = np.minimum(found[0].values, found[1].values)
        blur = tails.blur(self.mechanism, 1.0)
        ends = [most + blur, least - blur]
        high, low = (np.where(flat < 1.0, np.maximum(end, 0.0), 0.0) for end in ends)
        worst = [
            witnesses.powerful(self.mechanism, int(a), int(b), float(power))
            for a, b, power in zip(found[1].first, found[1].second, flat, strict=True)
        ]
        answer = Answer(high, "upper", SOURCES["bounded"], (LATER,), np.minimum(low, high))
        return Finding("bounded_epsilon", answer.shaped(wanted.shape), tuple(worst))

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
        found = []
        for limit in np.ravel(limits):
            with np.errstate(divide="ignore"):
                growth = float(1.0 / exp_capped(-limit))
            found.append(sets.single_outputs(self.mechanism, self.relation, growth))
        value = np.array([max(each[0], 0.0) for each in found])
        blur = np.array([16 * ULP * self.mechanism.probabilities[a, y] for _, a, _, y in found])
        high, low = np.where(value > 0, value + blur, 0.0), np.maximum(value - blur, 0.0)
        worst = [
            witnesses.of_set(self.mechanism, a, b, np.array([y] if excess > 0.0 else [], dtype=int))
            for excess, a, b, y in found
        ]
        answer = Answer(high, "upper", SOURCES["pointwise"], (POINTWISE,), low)
        return Finding("pointwise", answer.shaped(limits.shape), tuple(worst), POINTWISE)

    def largest_loss(self) -> Finding:
        """The smallest epsilon for pure DP.

        Returns
        -------
        Finding
            In [0, inf], nats; inf where an output is possible on one neighbor only.
        """
        value, a, b, y = sets.largest_losses(self.mechanism, self.relation)
        blur = tails.blur(self.mechanism, value) if 0.0 < value < np.inf else 0.0
        low = max(value - blur, 0.0)
        answer = Answer(value + blur, "upper", SOURCES["largest_loss"], (LATER,), low)
        return Finding(
            "largest_loss",
            answer,
            (witnesses.of_set(self.mechanism, a, b, np.array([y])),),
        )

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
        first, second = renyi.directed(self.relation)
        high, low, worst = [], [], []
        for order in np.ravel(orders).tolist():
            least, most, at = renyi.largest(self.mechanism, first, second, order)
            high.append(most)
            low.append(least)
            worst.append(self._pair(int(first[at]), int(second[at]), order))
        ends = np.array(high), np.array(low)
        answer = Answer(ends[0], "upper", SOURCES["renyi"], (LATER,), ends[1])
        return Finding("renyi", answer.shaped(orders.shape), tuple(worst))

    def rho(self) -> Finding:
        """The least rho for which the mechanism is rho-zCDP.

        Returns
        -------
        Finding
            Supremum of D_alpha / alpha over alpha > 1, in [0, inf], nats; the witness says at which
            order, 1 or infinity included.
        """
        peak = renyi.largest_ratio(self.mechanism, self.relation)
        answer = Answer(peak.high, "upper", SOURCES["rho"], (LATER,), peak.low)
        return Finding("rho", answer, (self._pair(peak.first, peak.second, peak.order),))

    def mu(self) -> Finding:
        """The least mu for which the mechanism is mu-GDP.

        Returns
        -------
        Finding
            In [0, inf]; inf where an output is possible on one neighbor only. The witness is the
            test that two normals have to beat.
        """
        high, _ = profile.normals(self._corners, self._slack)
        low, at = profile.normals(self._corners, -self._slack)
        answer = Answer(high, "upper", SOURCES["mu"], (LATER,), min(low, high))
        return Finding("mu", answer, (self._corner(at),))

    @property
    def corners(self) -> list[tuple[float, float, Witness]]:
        """Corners (level, power, test) of the most power that any test has, from power 0 upwards.

        They are those of the least concave curve above the power curves of all ordered pairs, up
        to where power + level would pass 1 (from there on it is its own mirror image): of one
        minus the convex lower envelope of the trade-off functions. A test on the chord between two
        pairs' corners need not exist for either pair.
        """
        return [
            (float(x), float(y), self._corner(n))
            for n, (x, y) in enumerate(zip(self._corners.x, self._corners.y, strict=True))
        ]

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
        return profile.as_tradeoff(self._corners, self._slack, neighbors)

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

    def survey(self, epsilon: npt.ArrayLike, *, tell: Tell | None = None) -> Survey:
        """Approximate DP, both kinds of PDP, pbdp and the trade-off, from one pass over all pairs.

        Parameters
        ----------
        epsilon : array_like of float
            Where, in one list. [0, inf], nats
        tell : callable, optional
            Is told how many of how many pairs are done.

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
        fresh = "_corners" not in self.__dict__
        found = scanning.scan(self.mechanism, self.relation, [gauge], curve=fresh, tell=tell)
        if fresh:
            self.__dict__["_corners"] = self._trimmed(found.corners)
        count = limits.size
        one, both, bounded = (
            tails.settled(
                self.mechanism,
                self.relation,
                limits,
                definition,
                found.largest[0].part(slice(n * count, (n + 1) * count)),
            )
            for n, definition in enumerate(tails.KINDS)
        )
        delta, half = self._profile(limits), self.total_variation()
        return Survey(limits, delta, one, both, bounded, half, self._corners)

    # --- how ---------------------------------------------------------------------------------

    @cached_property
    def _corners(self) -> Corners:
        return self._trimmed(scanning.scan(self.mechanism, self.relation, curve=True).corners)

    def _trimmed(self, corners: Corners) -> Corners:
        return profile.trimmed(corners) if self.relation.symmetric else corners

    @cached_property
    def _spreads(self) -> Floats:
        return sets.spreads(self.mechanism, self.relation)

    @cached_property
    def _slack(self) -> float:
        return tails.slack(self.mechanism)

    def _profile(self, limits: Floats) -> Finding:
        flat = np.ravel(limits)
        high, _ = profile.support(self._corners, flat, self._slack)
        low, at = profile.support(self._corners, flat, -self._slack)
        worst = [
            witnesses.beyond(self.mechanism, *self._owner(int(n)), limit)
            for n, limit in zip(at, flat.tolist(), strict=True)
        ]
        answer = Answer(high, "upper", SOURCES["delta"], (LATER,), np.minimum(low, high))
        return Finding("delta", answer.shaped(limits.shape), tuple(worst))

    def _owner(self, at: int) -> tuple[int, int]:
        if not self._corners.x.size:
            return int(self.relation.first[0]), int(self.relation.second[0])
        return int(self._corners.first[at]), int(self._corners.second[at])

    def _corner(self, at: int) -> Witness:
        """The test at a corner."""
        if not self._corners.x.size:
            return self._pair(*self._owner(0), None)
        power = float(self._corners.y[at])
        return witnesses.powerful(self.mechanism, *self._owner(at), power)

    def _pair(self, first: int, second: int, order: float | None) -> Witness:
        names = self.mechanism.datasets
        return Witness(names[first], names[second], order=order)

    def _disclosed(self, inside: npt.NDArray[np.bool_]) -> tuple[int, float]:
        sums = (self.mechanism.probabilities * inside).sum(axis=1)
        at = int(np.argmax(sums))
        return at, float(sums[at])

    def _tail(self, limits: Floats, definition: str) -> Finding:
        found = tails.settled(self.mechanism, self.relation, np.ravel(limits), definition)
        return replace(found, answer=found.answer.shaped(limits.shape))

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


def related(
    mechanism: FiniteMechanism, neighbors: str | NeighborRelation | Iterable[Sequence[str]]
) -> NeighborRelation:
    """The relation that was asked for."""
    if isinstance(neighbors, NeighborRelation):
        if neighbors.size != mechanism.size:
            allowed = f"between the {mechanism.size} datasets of the table"
            raise InvalidInput("the relation of neighbors", neighbors.size, allowed)
        return neighbors
    if isinstance(neighbors, str):
        how = one_of("neighbors", neighbors, ("all", "hamming"))
        if how == "all":
            return NeighborRelation.all_pairs(mechanism)
        return NeighborRelation.hamming(mechanism)
    return NeighborRelation.edges(mechanism, neighbors)
