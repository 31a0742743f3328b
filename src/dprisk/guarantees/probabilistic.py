"""Probabilistic differential privacy: the privacy loss itself is bounded, up to a probability."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, final

import numpy as np

from dprisk._checks import NONNEGATIVE, PROBABILITY, assign, one_of, scalar
from dprisk._numeric.logspace import Floats, log
from dprisk._numeric.rounding import up
from dprisk.answer import Answer, Bound
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import (
    SIDES,
    AdditiveParameters,
    Guarantee,
    Neighbors,
    Sides,
)
from dprisk.guarantees.piecewise import Dominating, on_both_sides, response
from dprisk.theorems import PROBABILISTIC_DP, PROBABILISTIC_TO_APPROXIMATE


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
