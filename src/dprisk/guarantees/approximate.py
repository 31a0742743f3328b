"""Approximate differential privacy: one point, or a curve of points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import NONNEGATIVE, PROBABILITY, assign, numbers, scalar
from dprisk._numeric.envelope import Envelope, Point, sides
from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import times_exp, up
from dprisk.errors import InvalidInput
from dprisk.guarantees.base import AdditiveParameters, Neighbors
from dprisk.guarantees.piecewise import (
    Dominating,
    PiecewiseLinear,
    dominated_by,
    polygon_loss,
    response,
)
from dprisk.theorems import (
    APPROXIMATE_ONE_TAIL,
    APPROXIMATE_POWER,
    APPROXIMATE_TAIL,
    WORST_APPROXIMATE,
    Theorem,
)

SOURCES: Mapping[str, Theorem] = {
    "delta": WORST_APPROXIMATE,
    "power": APPROXIMATE_POWER,
    "both": APPROXIMATE_TAIL,
    "one": APPROXIMATE_ONE_TAIL,
}


@final
@dataclass(frozen=True, init=False, repr=False)
class ApproxDP(PiecewiseLinear):
    """P(M(D) in S) <= e^epsilon P(M(D') in S) + delta for neighbors D, D' and every set S.

    Parameters
    ----------
    epsilon : float
        Privacy loss limit; larger means weaker privacy, inf promises nothing. [0, inf], nats
    delta : float
        Additive slack. It is not the probability that the privacy loss exceeds epsilon. [0, 1]
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    Notes
    -----
    All answers are exact. Beyond P2, Lemma 2.3, the one-sided tail also uses the line
    1 - e^-epsilon (1 - delta - level) of the power curve, which is the smaller bound for
    probabilities above (e^epsilon + delta) / (1 + e^epsilon).

    References
    ----------
    .. [1] P1, Definition 5.1 and Theorem 6.2; P0, Theorem 3.9; P2, Lemma 2.3.

    Examples
    --------
    >>> from dprisk import ApproxDP
    >>> guarantee = ApproxDP(0.1, 1e-7, neighbors="add-remove")
    >>> f"{guarantee.loss_bound(0.01).value:.6f}"
    '0.100019'
    """

    stated_epsilon: float
    stated_delta: float
    neighbors: Neighbors

    definition: ClassVar[str] = "approximate"
    delta_is: ClassVar[Literal["slack"]] = "slack"
    _sources: ClassVar[Mapping[str, Theorem]] = SOURCES

    def __init__(self, epsilon: float, delta: float, *, neighbors: Neighbors) -> None:
        assign(
            self,
            stated_epsilon=scalar("epsilon", epsilon, NONNEGATIVE),
            stated_delta=scalar("delta", delta, PROBABILITY),
            neighbors=neighbors,
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """The promised `epsilon` and `delta`."""
        return {"epsilon": self.stated_epsilon, "delta": self.stated_delta}

    @property
    def noise_ratios(self) -> dict[str, float] | None:
        """Those of pure DP at delta 0."""
        if self.stated_delta:
            return None
        return dict.fromkeys(("geometric", "laplace"), self.stated_epsilon)

    @property
    def dominating(self) -> Dominating:
        """Randomized response that may reveal all."""
        return response(self.stated_epsilon, self.stated_delta)

    @property
    def additive_parameters(self) -> Mapping[str, AdditiveParameters]:
        """Both parameters."""
        return {"approximate": AdditiveParameters(self.parameters)}

    @cached_property
    def _envelope(self) -> Envelope:
        return Envelope.of(np.array([self.stated_epsilon]), np.array([self.stated_delta]))

    def _group_of_two(self) -> ApproxDP:
        return ApproxDP(
            2.0 * self.stated_epsilon,
            group_of_two_delta(self.stated_epsilon, self.stated_delta),
            neighbors="replace-one",
        )


@final
@dataclass(frozen=True, init=False, repr=False, slots=True)
class ApproxDPCurve(PiecewiseLinear):
    """Approximate DP at several (epsilon, delta) points at once.

    Parameters
    ----------
    epsilon : array_like of float
        Privacy loss limits, in any order. [0, inf], nats, shape (n,)
    delta : array_like of float
        Additive slack at each of them. [0, 1], shape (n,)
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.

    Raises
    ------
    OutOfRange
        If a number is outside its range or NaN.
    InvalidInput
        If the two lists are empty or differ in length, or `neighbors` is not one of the relations.

    Notes
    -----
    All points hold together, and what they imply between them (the profile is convex in
    e^epsilon) is used: answers are exact and never worse than those of any single point.

    References
    ----------
    .. [1] P1, Section 6.2.

    Examples
    --------
    >>> from dprisk import ApproxDPCurve
    >>> curve = ApproxDPCurve([0.5, 1.0], [1e-3, 1e-6], neighbors="add-remove")
    >>> bool(curve.loss_bound(0.01).value < 1.0)
    True
    """

    stated_epsilon: tuple[float, ...]
    stated_delta: tuple[float, ...]
    neighbors: Neighbors
    _envelope: Envelope = field(compare=False)

    definition: ClassVar[str] = "approximate-curve"
    delta_is: ClassVar[Literal["slack"]] = "slack"
    _sources: ClassVar[Mapping[str, Theorem]] = SOURCES

    def __init__(
        self, epsilon: npt.ArrayLike, delta: npt.ArrayLike, *, neighbors: Neighbors
    ) -> None:
        e = numbers("epsilon", epsilon, NONNEGATIVE)
        d = numbers("delta", delta, PROBABILITY)
        if e.ndim != 1 or d.shape != e.shape or e.size == 0:
            raise InvalidInput(
                "epsilon and delta",
                f"shapes {e.shape} and {d.shape}",
                "two lists of the same length, at least one point",
                "Give one delta for each epsilon.",
            )
        assign(
            self,
            stated_epsilon=tuple(e.tolist()),
            stated_delta=tuple(d.tolist()),
            neighbors=neighbors,
            _envelope=Envelope.of(e, d),
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """The promised points, as two lists `epsilon` and `delta`."""
        return {"epsilon": list(self.stated_epsilon), "delta": list(self.stated_delta)}

    @property
    def dominating(self) -> Dominating:
        """The loss of its polygon, which dominates every mechanism that keeps it."""
        return dominated_by(polygon_loss(self._envelope), self.definition)

    def _group_of_two(self) -> ApproxDPCurve:
        return _of_lines(*self._envelope.twice(), "replace-one")


def of_tests(tests: Iterable[Point], one: int, neighbors: Neighbors) -> ApproxDPCurve:
    """The curve of a mechanism from its best tests: levels and powers in units of 1 / one."""
    points = [(0, 0), *tests, (one, one)]
    points += [(one - power, one - level) for level, power in points]
    points.sort()
    return _of_lines(*sides(points, one), neighbors)


def _of_lines(slopes: Floats, offsets: Floats, neighbors: Neighbors) -> ApproxDPCurve:
    """The curve whose power touches lines with these logarithms of slopes, and these offsets."""
    if not slopes.size:  # nothing but y = 1
        slopes, offsets = np.zeros(1), np.ones(1)
    return ApproxDPCurve(slopes, np.minimum(offsets, 1.0), neighbors=neighbors)


def group_of_two_delta(epsilon: float, delta: float) -> float:
    """(1 + e^epsilon) delta, at most 1: the slack of two steps (Dwork 2014, group privacy)."""
    return float(_slack_of_two(np.asarray(epsilon), np.asarray(delta), np.asarray(delta)))


def _slack_of_two(epsilon: Floats, first: Floats, second: Floats) -> Floats:
    """e^epsilon second + first, rounded upwards, at most 1."""
    both = times_exp(second, epsilon) + first
    return np.minimum(1.0, up(both, second == 0.0))
