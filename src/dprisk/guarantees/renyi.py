"""Rényi differential privacy, at one order or at several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import LIMITED, ORDER, numbers, one_of
from dprisk._numeric.invert import keep
from dprisk._numeric.logspace import Floats
from dprisk.answer import Answer
from dprisk.errors import InvalidInput, NoConversion
from dprisk.guarantees import orders
from dprisk.guarantees.base import NEIGHBORS, Guarantee, Neighbors, Sides, assign

__all__ = ["RenyiDP"]


@final
@dataclass(frozen=True, init=False, repr=False, slots=True)
class RenyiDP(Guarantee):
    """The Rényi divergence of order alpha between the outputs on neighbors is at most gamma.

    Parameters
    ----------
    alpha : float or array_like of float
        Order or orders. (1, inf), scalar or shape (n,)
    gamma : float or array_like of float
        Largest divergence at each order. [0, 1e9], nats, same shape as `alpha`
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.

    Raises
    ------
    OutOfRange
        If an order is at most 1 or a divergence negative, or either is infinite or NaN.
    InvalidInput
        If the shapes differ or are empty, or `neighbors` is not one of the two relations.

    Notes
    -----
    `power` and `level` are exact: a Rényi bound survives post-processing, so a test is possible if
    and only if its two coins keep the bound themselves. With several orders, and for the
    two-sided tail, all bounds stay valid. `delta` and `epsilon` are upper bounds.

    References
    ----------
    .. [1] P1, Definition 5.12, Theorem 6.3 and Section 5.3.
    .. [2] C. L. Canonne, G. Kamath, T. Steinke, "The discrete Gaussian for differential privacy".

    Examples
    --------
    >>> from dprisk import RenyiDP
    >>> guarantee = RenyiDP(2.0, 0.5, neighbors="replace-one")
    >>> round(guarantee.epsilon(1e-3).value, 4)
    6.0215
    """

    alpha: tuple[float, ...]
    gamma: tuple[float, ...]
    neighbors: Neighbors

    definition: ClassVar[str] = "renyi"

    def __init__(self, alpha: npt.ArrayLike, gamma: npt.ArrayLike, *, neighbors: Neighbors) -> None:
        a = numbers("alpha", alpha, ORDER)
        g = numbers("gamma", gamma, LIMITED)
        if a.shape != g.shape or a.ndim > 1 or a.size == 0:
            raise InvalidInput(
                "alpha and gamma", (a.shape, g.shape), "two numbers or two lists of one length"
            )
        assign(
            self,
            alpha=tuple(np.atleast_1d(a).tolist()),
            gamma=tuple(np.atleast_1d(g).tolist()),
            neighbors=one_of("neighbors", neighbors, NEIGHBORS),
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """The promised `alpha` and `gamma`: two numbers, or two lists."""
        if len(self.alpha) == 1:
            return {"alpha": self.alpha[0], "gamma": self.gamma[0]}
        return {"alpha": list(self.alpha), "gamma": list(self.gamma)}

    def least(self, bound: orders.Bound, count: int, limit_of_one: bool) -> Floats:
        """Least of a bound over the promised orders; the limit at order 1 follows from them.

        Parameters
        ----------
        bound : callable
            From orders and the divergences allowed there, shape (count, m), to values.
        count : int
            Rows, each with a search of its own. [0, inf)
        limit_of_one : bool
            Whether the limit at order 1 (Kullback-Leibler) takes part.

        Returns
        -------
        ndarray
            Shape (count,).
        """
        order = np.broadcast_to(np.array(self.alpha), (count, len(self.alpha)))
        limit = np.broadcast_to(np.array(self.gamma), order.shape)
        return np.asarray(bound(order, limit).min(axis=1))

    def _delta(self, epsilon: Floats) -> Answer:
        finite = np.minimum(epsilon, 1e100)
        value = np.where(epsilon < np.inf, orders.delta(self, finite), 0.0)
        return Answer(value, "upper", orders.PROFILE)

    def _epsilon(self, delta: Floats) -> Answer:
        positive = delta > 0
        found = orders.epsilon(self, np.where(positive, delta, 1.0))
        found = keep(found, lambda e: ~positive | (orders.delta(self, e) <= delta))
        return Answer(np.where(positive, found, np.inf), "upper", orders.PROFILE)

    def _power(self, level: Floats) -> Answer:
        inside = (level > 0) & (level < 1)
        value = orders.power(self, np.where(inside, level, 0.5))
        return Answer(np.where(inside, value, level), "exact", orders.POWER)

    def _level(self, power: Floats) -> Answer:
        inside = (power > 0) & (power < 1)
        value = orders.level(self, np.where(inside, power, 0.5))
        return Answer(np.where(inside, value, power), "exact", orders.POWER)

    def _tail(self, epsilon: Floats, sides: Sides, post_processing: bool) -> Answer:
        inside = (epsilon > 0) & (epsilon < 1e100)
        value = orders.tail(self, np.where(inside, epsilon, 1.0), sides)
        value = np.where(inside, value, np.where(epsilon > 0, 0.0, 1.0))
        return orders_answer(value, sides)

    def _loss_bound(self, failure: Floats, sides: Sides, post_processing: bool) -> Answer:
        positive = failure > 0
        value = orders.loss_bound(self, np.where(positive, failure, 0.5), sides)
        return orders_answer(np.where(positive, value, np.inf), sides)

    def _two_steps(self) -> RenyiDP:
        """D_a(P||R) <= 2a/(2a-1) D_{2a-1}(P||Q) + D_{2a}(Q||R) (Mironov 2017, weak triangle)."""
        pairs = [
            (a / 2.0, g * (a / (a - 1.0) + 1.0))
            for a, g in zip(self.alpha, self.gamma, strict=True)
            if a > 2.0
        ]
        if not pairs:
            raise NoConversion(
                "Two steps of Rényi DP need the divergence at twice the order: every order given "
                f"is at most 2 (the largest is {max(self.alpha):g}). Add a larger order."
            )
        return RenyiDP([a for a, _ in pairs], [g for _, g in pairs], neighbors="replace-one")


def orders_answer(value: Floats, sides: Sides) -> Answer:
    """A tail under Rényi bounds: exact on one side, an upper bound on both together."""
    if sides == "one":
        return Answer(value, "exact", orders.ONE_SIDED)
    return Answer(value, "upper", orders.TWO_SIDED)
