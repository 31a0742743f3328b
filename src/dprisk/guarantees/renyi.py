"""Rényi differential privacy, at one order or at several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import LIMITED, ORDER, assign, numbers
from dprisk._numeric.logspace import Floats
from dprisk.errors import InvalidInput, NoConversion
from dprisk.guarantees import orders
from dprisk.guarantees.base import AdditiveParameters, Divergences, Neighbors
from dprisk.guarantees.orders import ByOrders, SomeOrders


@final
@dataclass(frozen=True, init=False, repr=False, slots=True)
class RenyiDP(ByOrders):
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
    All but the two-sided tail, an upper bound, is exact: a Rényi bound survives post-processing, so
    a test is possible if and only if its two coins keep the bound at every order given. `delta` is
    the most power minus e^epsilon times the level.

    References
    ----------
    .. [1] P1, Definition 5.12, Theorem 6.3 and Section 5.3.
    .. [2] S. Asoodeh et al., "Three variants of differential privacy", 2021.
    .. [3] A. Riess et al., "Optimal conversion from Rényi DP to f-DP", 2026.

    Examples
    --------
    >>> from dprisk import RenyiDP
    >>> guarantee = RenyiDP(2.0, 0.5, neighbors="replace-one")
    >>> round(guarantee.epsilon(1e-3).value, 4)
    5.0948
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
                "alpha and gamma",
                (a.shape, g.shape),
                "two numbers or two lists of the same length",
            )
        assign(
            self,
            alpha=tuple(np.atleast_1d(a).tolist()),
            gamma=tuple(np.atleast_1d(g).tolist()),
            neighbors=neighbors,
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """The promised `alpha` and `gamma`: two numbers, or two lists."""
        if len(self.alpha) == 1:
            return {"alpha": self.alpha[0], "gamma": self.gamma[0]}
        return {"alpha": list(self.alpha), "gamma": list(self.gamma)}

    @property
    def additive_parameters(self) -> Mapping[str, AdditiveParameters]:
        """The limit of each order."""
        return {"renyi": AdditiveParameters(dict(zip(self.alpha, self.gamma, strict=True)))}

    @property
    def divergences(self) -> Divergences:
        """The limits at its orders."""
        return Divergences(self.alpha, self._limits)

    def _limits(self, alpha: Floats) -> Floats:
        known = dict(zip(self.alpha, self.gamma, strict=True))
        return np.array([known[order] for order in alpha.tolist()])

    @property
    def _revealed(self) -> float:
        return 0.0

    @property
    def _never(self) -> float:
        return 0.0 if min(self.gamma) == 0.0 else np.inf

    @property
    def _orders(self) -> SomeOrders:
        return SomeOrders(np.array(self.alpha) - 1.0, np.array(self.gamma))

    def _least(self, bound: orders.Bound, count: int) -> Floats:
        order = np.broadcast_to(np.array(self.alpha), (count, len(self.alpha)))
        limit = np.broadcast_to(np.array(self.gamma), order.shape)
        return np.asarray(bound(order, limit).min(axis=1))

    def _lines(self) -> orders.Curve:
        return orders.of_some_orders(self._orders)

    def _group_of_two(self) -> RenyiDP:
        """D_a(P||R) <= 2a/(2a-1) D_{2a-1}(P||Q) + D_{2a}(Q||R) (Mironov 2017, weak triangle)."""
        pairs = [
            (a / 2.0, g * (a / (a - 1.0) + 1.0))
            for a, g in zip(self.alpha, self.gamma, strict=True)
            if a > 2.0
        ]
        if not pairs:
            raise NoConversion(
                "Two steps of Rényi DP need the divergence at twice the order, and every order "
                f"given is at most 2 (the largest is {max(self.alpha):g}). Add a larger order."
            )
        return RenyiDP([a for a, _ in pairs], [g for _, g in pairs], neighbors="replace-one")
