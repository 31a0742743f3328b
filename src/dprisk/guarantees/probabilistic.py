"""Limits on how often the privacy loss is large: probabilistic DP, and what survives processing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, final

import numpy as np

from dprisk._checks import FINITE_POSITIVE, NONNEGATIVE, PROBABILITY, assign, scalar
from dprisk._numeric.envelope import turned_level, turned_slope
from dprisk._numeric.invert import keep
from dprisk._numeric.logspace import Floats, below_complement, log
from dprisk._numeric.rounding import down, times_exp, up
from dprisk.answer import Answer, Bound
from dprisk.errors import one_of
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import SIDES, AdditiveParameters, Guarantee, Neighbors, Sides
from dprisk.guarantees.piecewise import Dominating, on_both_sides, response
from dprisk.guarantees.pure import PureDP
from dprisk.theorems import (
    BOUNDED_POWER,
    BOUNDED_TAIL,
    PROBABILISTIC_DP,
    PROBABILISTIC_TO_APPROXIMATE,
)


@final
@dataclass(frozen=True, init=False, repr=False, slots=True)
class ProbabilisticDP(Guarantee):
    """The privacy loss Z of the raw output stays within epsilon, except with probability delta.

    Parameters
    ----------
    epsilon : float
        Privacy loss limit. [0, inf], nats
    delta : float
        Probability with which the loss of the raw output may exceed it. [0, 1]
    sides : {"both", "one"}
        Two-sided, P[abs(Z) <= epsilon] >= 1 - delta (P0), or one-sided, P[Z > epsilon] <= delta
        (P2, P4).
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.

    Raises
    ------
    OutOfRange
        If `epsilon` or `delta` is outside its range, NaN or not a number.
    InvalidInput
        If `sides` or `neighbors` is not one of the words allowed.

    Notes
    -----
    The definition does not survive post-processing: merging outputs can push more than delta
    beyond epsilon (P4, Theorem 1). What survives is approximate DP with the same two numbers, and
    no more than that, so `tail` and `loss_bound` answer with it unless told that only the raw
    output counts.

    References
    ----------
    .. [1] P0, Definition 2.4 and Theorem 2.5.
    .. [2] P2, Definition 2.2; P4, Definition 4 and Theorem 1.

    Examples
    --------
    >>> from dprisk import ProbabilisticDP
    >>> guarantee = ProbabilisticDP(1.0, 1e-6, neighbors="add-remove")
    >>> guarantee.loss_bound(1e-6, post_processing=False).value
    1.0
    >>> guarantee.loss_bound(1e-6).value
    inf
    """

    stated_epsilon: float
    stated_delta: float
    sides: Sides
    neighbors: Neighbors
    _approximate: ApproxDP = field(compare=False)

    definition: ClassVar[str] = "probabilistic"
    delta_is: ClassVar[Literal["raw"]] = "raw"
    read_as: ClassVar[str] = (
        "read as approximate DP with the same numbers (Kazan et al. 2025, Theorem 2.5)"
    )

    def __init__(
        self, epsilon: float, delta: float, *, sides: Sides = "both", neighbors: Neighbors
    ) -> None:
        assign(
            self,
            stated_epsilon=scalar("epsilon", epsilon, NONNEGATIVE),
            stated_delta=scalar("delta", delta, PROBABILITY),
            sides=one_of("sides", sides, SIDES),
            neighbors=neighbors,
            _approximate=ApproxDP(epsilon, delta, neighbors=neighbors),
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """The promised `epsilon`, `delta` and `sides`."""
        return {"epsilon": self.stated_epsilon, "delta": self.stated_delta, "sides": self.sides}

    @property
    def dominating(self) -> Dominating:
        """The losses that dominate approximate DP with the same numbers."""
        return response(self.stated_epsilon, self.stated_delta)

    @property
    def additive_parameters(self) -> Mapping[str, AdditiveParameters]:
        """Both parameters, as approximate DP."""
        numbers = {"epsilon": self.stated_epsilon, "delta": self.stated_delta}
        return {"approximate": AdditiveParameters(numbers, self.read_as)}

    def _delta(self, epsilon: Floats) -> Answer:
        return Answer(
            self._approximate._delta(epsilon).value, "exact", PROBABILISTIC_TO_APPROXIMATE
        )

    def _epsilon(self, delta: Floats) -> Answer:
        return Answer(
            self._approximate._epsilon(delta).value, "exact", PROBABILISTIC_TO_APPROXIMATE
        )

    def _power(self, level: Floats) -> Answer:
        return Answer(self._approximate._power(level).value, "exact", PROBABILISTIC_TO_APPROXIMATE)

    def _level(self, power: Floats) -> Answer:
        return Answer(self._approximate._level(power).value, "exact", PROBABILISTIC_TO_APPROXIMATE)

    def _tail(self, epsilon: Floats, sides: Sides, post_processing: bool) -> Answer:
        processed = self._approximate._tail(epsilon, sides, True)
        if post_processing:
            return processed
        beyond = np.full_like(epsilon, self.stated_delta)
        if sides == "both" and self.sides == "one":  # P[Z < -t] <= e^-t P'[Z' > t]
            beyond = on_both_sides(beyond, epsilon)
        raw = np.where(epsilon >= self.stated_epsilon, beyond, 1.0)
        return Answer(np.minimum(raw, processed.value), self._errs(sides), PROBABILISTIC_DP)

    def _loss_bound(self, failure: Floats, sides: Sides, post_processing: bool) -> Answer:
        processed = self._approximate._loss_bound(failure, sides, True)
        if post_processing:
            return processed
        raw = np.where(failure >= self.stated_delta, self.stated_epsilon, np.inf)
        if sides == "both" and self.sides == "one" and self.stated_delta > 0:
            # failure = delta (1 + e^-epsilon') with epsilon' >= epsilon
            over = np.clip(failure - self.stated_delta, 0.0, self.stated_delta)
            raw = np.maximum(raw, up(-log(over / self.stated_delta), over == self.stated_delta))
        return Answer(np.minimum(raw, processed.value), self._errs(sides), PROBABILISTIC_DP)

    def _errs(self, sides: Sides) -> Bound:
        return "exact" if sides == self.sides == "both" else "upper"

    def _group_of_two(self) -> Guarantee:
        return self._approximate.for_neighbors("replace-one")


@final
@dataclass(frozen=True, init=False, repr=False, slots=True)
class ProbabilisticallyBoundedDP(Guarantee):
    """P[Z > epsilon] <= delta for the privacy loss Z of the output and of anything made from it.

    Parameters
    ----------
    epsilon : float
        Privacy loss limit. (0, inf), nats
    delta : float
        Probability with which any post-processing may exceed it. [0, 1]
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    Notes
    -----
    Equivalent to: no test with level e^-epsilon delta has power above delta. Together with the
    concavity of every power curve that leaves (epsilon, b)-DP with
    b = delta (1 - e^-epsilon) / (1 - delta e^-epsilon) as the exact price in approximate DP.
    One point of pbdp is not a convex definition (P1, Example 5.6), so its power is not concave.

    References
    ----------
    .. [1] P1, Definitions 5.2 to 5.4.

    Examples
    --------
    >>> from dprisk import ProbabilisticallyBoundedDP
    >>> guarantee = ProbabilisticallyBoundedDP(1.0, 0.01, neighbors="replace-one")
    >>> guarantee.tail(1.0, sides="one").value
    0.01
    """

    stated_epsilon: float
    stated_delta: float
    neighbors: Neighbors
    _pure: PureDP = field(compare=False)
    _revealed: float = field(compare=False)  # b, at least
    _kept: float = field(compare=False)  # 1 - b, at least
    _less: float = field(compare=False)  # and at most

    definition: ClassVar[str] = "bounded"
    delta_is: ClassVar[Literal["any"]] = "any"

    def __init__(self, epsilon: float, delta: float, *, neighbors: Neighbors) -> None:
        e = scalar("epsilon", epsilon, FINITE_POSITIVE)
        d = scalar("delta", delta, PROBABILITY)
        gain = -np.expm1(-e)
        whole = (1.0 - d) + d * gain
        assign(
            self,
            stated_epsilon=e,
            stated_delta=d,
            neighbors=neighbors,
            _pure=PureDP(e, neighbors=neighbors),
            _revealed=min(float(up(d * gain / whole, d == 0.0)), d),
            _kept=min(float(up((1.0 - d) / whole, (d == 0.0) | (d == 1.0))), 1.0),
            _less=float(down((1.0 - d) / whole, (d == 0.0) | (d == 1.0))),
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """The promised `epsilon` and `delta`."""
        return {"epsilon": self.stated_epsilon, "delta": self.stated_delta}

    @property
    def symmetric_tradeoff(self) -> bool:
        """Only at its ends: otherwise its power curve has a dent (dprisk Proposition 4)."""
        return self.stated_delta in (0.0, 1.0)

    @property
    def mixing_points(self) -> Floats:
        """Zero, and from where on nothing but what is revealed is left."""
        corner = self.epsilon(self.delta(np.inf).value).value
        return np.array([0.0, corner])

    def _delta(self, epsilon: Floats) -> Answer:
        pure = self._pure._delta(epsilon).value if self._binds_early else np.zeros_like(epsilon)
        return Answer(np.maximum(self._revealed, pure), self._errs, BOUNDED_POWER)

    def _epsilon(self, delta: Floats) -> Answer:
        pure = self._pure._epsilon(delta).value if self._binds_early else np.zeros_like(delta)
        epsilon = np.where(delta >= self._revealed, pure, np.inf)
        holds = lambda e: (self._delta(e).value <= delta) | (delta < self._revealed)  # noqa: E731
        return Answer(keep(epsilon, holds), self._errs, BOUNDED_POWER)

    def _power(self, level: Floats) -> Answer:
        e, b = self.stated_epsilon, self._revealed
        if b == 1.0:  # promises nothing
            return Answer(np.ones_like(level), "exact", BOUNDED_POWER)
        ahead = np.maximum(b + self._kept * level, times_exp(level, e))
        mirrored = np.maximum(-np.expm1(-e) + np.exp(-e) * level, level / self._less)
        power = up(np.minimum(ahead, mirrored), level == 0.0)
        return Answer(np.minimum(power, 1.0), "upper", BOUNDED_POWER)

    def _level(self, power: Floats) -> Answer:
        b = self._revealed
        if b == 1.0:
            return Answer(np.zeros_like(power), "exact", BOUNDED_POWER)
        e, d, along = self.stated_epsilon, self.stated_delta, times_exp(power, -self.stated_epsilon)
        below = np.where(power < d, np.maximum(power - b, 0.0) / self._kept, 1.0)
        early, late = turned_level(e, 0.0, power), down(self._less * power)
        mirrored = np.minimum(early, late)
        return Answer(np.maximum(down(np.minimum(below, along)), mirrored), "lower", BOUNDED_POWER)

    def _tail(self, epsilon: Floats, sides: Sides, post_processing: bool) -> Answer:
        e, b = self.stated_epsilon, self._revealed
        if b == 0.0:
            return self._pure._tail(epsilon, sides, post_processing)
        rest = -self._less * np.expm1(-np.maximum(epsilon, e))
        far = np.where(epsilon == np.inf, b, up(b / (b + rest)))
        far = np.where(epsilon == e, self.stated_delta, np.minimum(far, self.stated_delta))
        near = self._pure._tail(epsilon, "one", True).value
        early = up(near * np.exp(-epsilon)) <= below_complement(self.stated_delta)
        tail = np.where(epsilon >= e, far, np.where(early, near, 1.0))
        if sides == "both":
            tail = on_both_sides(tail, epsilon)
        return Answer(tail, "upper", BOUNDED_TAIL)

    def _loss_bound(self, failure: Floats, sides: Sides, post_processing: bool) -> Answer:
        b = self._revealed
        if b == 0.0:
            return self._pure._loss_bound(failure, sides, post_processing)
        enough = (failure > b) | (failure >= self.stated_delta)
        m = np.where(enough, failure, 1.0)
        if sides == "one":
            loss = np.minimum(self._ahead(m), self._mirrored(m))
        else:  # m (1 - (1 - b) u) = (1 + u) b with u = e^-loss
            loss = np.maximum(self.stated_epsilon, _log_above(b * (2.0 - m), m - b))
        return Answer(np.where(enough, loss, np.inf), "upper", BOUNDED_TAIL)

    def _ahead(self, m: Floats) -> Floats:
        """log(m / level) on the lines through the promised point."""
        b = self._revealed
        far = _log_above(b * (1.0 - m), m - b)
        return np.where(m < self.stated_delta, far, self.stated_epsilon)

    def _mirrored(self, m: Floats) -> Floats:
        """log(m / level) on their mirror images: level = 1 - e^epsilon (1 - m), or (1 - b) m."""
        b = self._revealed
        late = -np.log1p(-b) if b < 0.5 else -log(self._less)
        return np.maximum(turned_slope(self.stated_epsilon, 0.0, m), up(late))

    @property
    def _binds_early(self) -> bool:
        """Whether the promised point lies before the antidiagonal level + power = 1."""
        return bool(self.stated_delta * (1.0 + np.exp(-self.stated_epsilon)) < 1.0)

    @property
    def _errs(self) -> Bound:
        return "exact" if self._binds_early else "upper"

    def _group_of_two(self) -> Guarantee:
        step = ApproxDP(self.stated_epsilon, self._revealed, neighbors=self.neighbors)
        return step.for_neighbors("replace-one")


def _log_above(part: Floats, rest: Floats) -> Floats:
    """log(1 + part / rest), at least; inf where there is no rest."""
    with np.errstate(over="ignore"):
        share = np.divide(part, rest, out=np.full_like(rest, np.inf), where=rest > 0.0)
    return up(np.log1p(share))
