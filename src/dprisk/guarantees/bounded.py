"""Probabilistically bounded DP (pbdp): a tail bound that survives post-processing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import FINITE_POSITIVE, PROBABILITY, one_of, scalar
from dprisk._numeric.invert import keep
from dprisk._numeric.logspace import Floats, exp_capped, log
from dprisk.answer import Answer, Bound
from dprisk.guarantees.approximate import ApproxDP
from dprisk.guarantees.base import NEIGHBORS, Guarantee, Neighbors, Sides, assign
from dprisk.guarantees.pure import PureDP
from dprisk.sources import Theorem

__all__ = ["ProbabilisticallyBoundedDP"]

DEFINITION = Theorem("P1", "Definition 5.2", "no post-processing has a larger tail")
POWER = Theorem("dprisk", "Proposition 4", "what one point of pbdp says about every test")


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
    OutOfRange
        If `epsilon` or `delta` is outside its range, NaN or not a number.
    InvalidInput
        If `neighbors` is not one of the two relations.

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
    _revealed: float = field(compare=False)

    definition: ClassVar[str] = "bounded"

    def __init__(self, epsilon: float, delta: float, *, neighbors: Neighbors) -> None:
        e = scalar("epsilon", epsilon, FINITE_POSITIVE)
        d = scalar("delta", delta, PROBABILITY)
        assign(
            self,
            stated_epsilon=e,
            stated_delta=d,
            neighbors=one_of("neighbors", neighbors, NEIGHBORS),
            _pure=PureDP(e, neighbors=neighbors),
            _revealed=d * -np.expm1(-e) / ((1.0 - d) - d * np.expm1(-e)),
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """The promised `epsilon` and `delta`."""
        return {"epsilon": self.stated_epsilon, "delta": self.stated_delta}

    def _delta(self, epsilon: Floats) -> Answer:
        pure = self._pure._delta(epsilon).value if self._binds_early else np.zeros_like(epsilon)
        return Answer(np.maximum(self._revealed, pure), self._errs, POWER)

    def _epsilon(self, delta: Floats) -> Answer:
        pure = self._pure._epsilon(delta).value if self._binds_early else np.zeros_like(delta)
        epsilon = np.where(delta >= self._revealed, pure, np.inf)
        holds = lambda e: (self._delta(e).value <= delta) | (delta < self._revealed)  # noqa: E731
        return Answer(keep(epsilon, holds), self._errs, POWER)

    def _power(self, level: Floats) -> Answer:
        e, d, b = self.stated_epsilon, self.stated_delta, self._revealed
        if d == 1.0:  # promises nothing
            return Answer(np.ones_like(level), "exact", POWER)
        below = b + (1.0 - b) * level
        beyond = exp_capped(e + log(level))
        ahead = np.where(level <= d * np.exp(-e), below, beyond)
        late = np.minimum(1.0, level / (1.0 - b))
        mirrored = np.where(level <= 1.0 - d, -np.expm1(-e) + np.exp(-e) * level, late)
        return Answer(np.minimum(ahead, mirrored), "upper", POWER)

    def _level(self, power: Floats) -> Answer:
        e, d, b = self.stated_epsilon, self.stated_delta, self._revealed
        if d == 1.0:
            return Answer(np.zeros_like(power), "exact", POWER)
        below = np.maximum(power - b, 0.0) / (1.0 - b)
        ahead = np.where(power < d, below, exp_capped(log(power) - e))
        missing = -_expm1_capped(e + log(1.0 - power))
        mirrored = np.where(power < 1.0 - d * np.exp(-e), missing, (1.0 - b) * power)
        return Answer(np.maximum(np.maximum(ahead, mirrored), 0.0), "lower", POWER)

    def _tail(self, epsilon: Floats, sides: Sides, post_processing: bool) -> Answer:
        e, b = self.stated_epsilon, self._revealed
        if b == 0.0:
            return self._pure._tail(epsilon, sides, post_processing)
        far = b / (b - (1.0 - b) * np.expm1(-np.maximum(epsilon, e)))
        far = np.where(epsilon == e, self.stated_delta, far)
        near = self._pure._tail(epsilon, "one", True).value
        near = np.where(near * np.exp(-epsilon) <= 1.0 - self.stated_delta, near, 1.0)
        tail = np.where(epsilon >= e, far, near)
        if sides == "one":
            return Answer(tail, "upper", DEFINITION)
        return Answer(np.minimum(1.0, tail * (1.0 + np.exp(-epsilon))), "upper", DEFINITION)

    def _loss_bound(self, failure: Floats, sides: Sides, post_processing: bool) -> Answer:
        b = self._revealed
        if b == 0.0:
            return self._pure._loss_bound(failure, sides, post_processing)
        enough = (failure > b) | (failure >= self.stated_delta)
        m = np.where(enough, failure, 1.0)
        if sides == "one":
            loss = np.minimum(self._ahead(m), self._mirrored(m))
        else:
            # m (1 - (1 - b) u) = (1 + u) b with u = e^-loss
            loss = np.maximum(self.stated_epsilon, log(b + m * (1.0 - b)) - log(m - b))
        return Answer(np.where(enough, np.maximum(loss, 0.0), np.inf), "upper", DEFINITION)

    def _ahead(self, m: Floats) -> Floats:
        """log(m / level) on the lines through the promised point."""
        b = self._revealed
        if b == 1.0:
            return np.full_like(m, np.inf)
        with np.errstate(divide="ignore"):
            far = np.log1p(-b) - np.log1p(-b / m)
        return np.where(m < self.stated_delta, far, self.stated_epsilon)

    def _mirrored(self, m: Floats) -> Floats:
        """log(m / level) on their mirror images: level = 1 - e^epsilon (1 - m), then (1 - b) m."""
        e, d, b = self.stated_epsilon, self.stated_delta, self._revealed
        with np.errstate(over="ignore"):
            gain = _expm1_capped(e) * ((1.0 - m) / m)
        early = -np.log1p(-np.minimum(gain, 1.0 - 1e-16))
        late = np.full_like(m, -np.log1p(-b) if b < 1.0 else np.inf)
        return np.where(m < 1.0 - d * np.exp(-e), np.where(gain < 1.0, early, np.inf), late)

    @property
    def _binds_early(self) -> bool:
        """Whether the promised point lies before the antidiagonal level + power = 1."""
        return bool(self.stated_delta * (1.0 + np.exp(-self.stated_epsilon)) < 1.0)

    @property
    def _errs(self) -> Bound:
        return "exact" if self._binds_early else "upper"

    def _two_steps(self) -> Guarantee:
        step = ApproxDP(self.stated_epsilon, self._revealed, neighbors=self.neighbors)
        return step.for_neighbors("replace-one")


def _expm1_capped(x: npt.ArrayLike) -> Floats:
    return np.asarray(np.expm1(np.minimum(x, 700.0)))
