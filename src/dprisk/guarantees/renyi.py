"""Limits on Rényi divergences: Rényi DP and zero-concentrated DP."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import LIMITED, ORDER, PROBABILITY, assign, numbers, scalar
from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import product_up, sum_up
from dprisk.errors import InvalidInput, Meaningless, NoConversion
from dprisk.guarantees import orders
from dprisk.guarantees.base import AdditiveParameters, Divergences, Neighbors
from dprisk.guarantees.order_limits import AllOrders, Bound, SomeOrders, least_over_orders
from dprisk.guarantees.orders import ByOrders


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

    def _least(self, bound: Bound, count: int) -> Floats:
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


@final
@dataclass(frozen=True, init=False, repr=False, slots=True)
class ZeroConcentratedDP(ByOrders):
    """The Rényi divergence of every order alpha > 1 is at most xi + rho alpha.

    Parameters
    ----------
    rho : float
        Slope of the bound; larger means weaker privacy. [0, 1e9], nats
    xi : float
        Offset of the bound. [0, 1e9], nats
    delta : float
        Probability of the event outside which the bound holds (delta-approximate zCDP). [0, 1]
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors.

    Raises
    ------
    InvalidInput
        If a number is outside its range, or `neighbors` is not one of the two relations.

    Notes
    -----
    `power`, `level` and the one-sided tail are exact: the bounds survive post-processing, so a
    test is possible if and only if its two coins keep them at every order, the limit alpha -> 1
    included. The one-sided tail is therefore never above exp(-(epsilon - rho)^2 / (4 rho)) (P1,
    Section 5.3). `delta` is the most power minus e^epsilon times the level, exact as well. The
    two-sided tail is an upper bound. The event of the delta-approximate form is one of the
    mechanism's own coins, as in Bun and Steinke; P4, Definition 6, which ties it to outputs, prints
    the Rényi divergence without its exponent.

    References
    ----------
    .. [1] P0, Definition 2.6; P1, Definition 5.13, Theorem 6.3 and Section 5.3; P4, Definition 6.
    .. [2] M. Bun, T. Steinke, "Concentrated differential privacy", 2016.

    Examples
    --------
    >>> from dprisk import ZeroConcentratedDP
    >>> guarantee = ZeroConcentratedDP(2.56, neighbors="replace-one")
    >>> round(guarantee.epsilon(1e-10).value, 3)
    17.158
    """

    rho: float
    xi: float
    stated_delta: float
    neighbors: Neighbors

    definition: ClassVar[str] = "concentrated"

    def __init__(
        self, rho: float, *, xi: float = 0.0, delta: float = 0.0, neighbors: Neighbors
    ) -> None:
        assign(
            self,
            rho=scalar("rho", rho, LIMITED),
            xi=scalar("xi", xi, LIMITED),
            stated_delta=scalar("delta", delta, PROBABILITY),
            neighbors=neighbors,
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """The promised `rho`, and `xi` and `delta` where they are not zero."""
        optional = {"xi": self.xi, "delta": self.stated_delta}
        return {"rho": self.rho} | {name: value for name, value in optional.items() if value}

    @property
    def additive_parameters(self) -> Mapping[str, AdditiveParameters]:
        """All three parameters."""
        numbers = {"rho": self.rho, "xi": self.xi, "delta": self.stated_delta}
        return {"concentrated": AdditiveParameters(numbers)}

    @property
    def divergences(self) -> Divergences | None:
        """xi + rho times the order; none that are certain where there is a delta."""
        return None if self.stated_delta else Divergences(None, self._limits)

    def _limits(self, alpha: Floats) -> Floats:
        return sum_up(self.xi, product_up(self.rho, alpha))

    @property
    def noise_ratios(self) -> dict[str, float]:
        """Sqrt(2 rho), rounded down: Laplace and geometric noise as pure DP (Bun 2016, Prop. 3)."""
        if self.xi or self.stated_delta:
            return {}
        most = float(np.sqrt(2.0 * self.rho))
        while Fraction(most) ** 2 > 2 * Fraction(self.rho):
            most = math.nextafter(most, 0.0)
        kinds = ("geometric", "laplace", "gaussian", "discrete-gaussian")
        return dict.fromkeys(kinds, most)

    @property
    def _revealed(self) -> float:
        return self.stated_delta

    @property
    def _never(self) -> float:
        return self.xi if self.rho == 0.0 and not self.stated_delta else np.inf

    @property
    def _orders(self) -> AllOrders | SomeOrders:
        if self.rho == 0.0:  # pure DP, but for a share of the inverse of the order
            return SomeOrders(np.array([1e13]), np.array([self.xi]))
        return AllOrders(self.rho, self.xi)

    def _least(self, bound: Bound, count: int) -> Floats:
        limits = AllOrders(self.rho, self.xi)
        return least_over_orders(lambda order: bound(order, limits.limit(order - 1.0)), count)

    def _lines(self) -> orders.Curve:
        allowed = self._orders
        if isinstance(allowed, SomeOrders):
            return orders.of_some_orders(allowed)
        return orders.of_all_orders(allowed)

    def _group_of_two(self) -> ZeroConcentratedDP:
        """(3 xi, 4 rho) for two steps (Bun 2016, Proposition 5.3)."""
        if self.stated_delta:
            raise Meaningless(
                (
                    "Two steps of delta-approximate zCDP condition on two different "
                    "events, and we know of no theorem that combines them."
                ),
                ("Convert to approximate DP first, then change the relation of neighbors."),
            )
        return ZeroConcentratedDP(4.0 * self.rho, xi=3.0 * self.xi, neighbors="replace-one")
