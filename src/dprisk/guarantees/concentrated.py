"""Zero-concentrated differential privacy, with an offset and with an approximation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from dprisk._checks import LIMITED, PROBABILITY, one_of, scalar
from dprisk._numeric.bernoulli import least_over_orders
from dprisk._numeric.invert import keep
from dprisk._numeric.logspace import Floats, expit
from dprisk.answer import Answer
from dprisk.errors import Meaningless
from dprisk.guarantees import orders
from dprisk.guarantees.base import NEIGHBORS, Guarantee, Neighbors, Sides, assign
from dprisk.guarantees.renyi import orders_answer

__all__ = ["ZeroConcentratedDP"]


@final
@dataclass(frozen=True, init=False, repr=False, slots=True)
class ZeroConcentratedDP(Guarantee):
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
    OutOfRange
        If `rho` or `xi` is outside [0, 1e9] (beyond it nothing is promised) or NaN, or `delta` is
        outside [0, 1].
    InvalidInput
        If `neighbors` is not one of the two relations.

    Notes
    -----
    `power`, `level` and the one-sided tail are exact: the bounds survive post-processing, so a
    test is possible if and only if its two coins keep them at every order, the limit alpha -> 1
    included. The one-sided tail is therefore never above exp(-(epsilon - rho)^2 / (4 rho)) (P1,
    Section 5.3). `delta` and `epsilon` (Canonne et al. 2020) and the two-sided tail are upper
    bounds. The event of the delta-approximate form is one of the mechanism's own coins, as in Bun
    and Steinke; P4, Definition 6, which ties it to outputs, prints the Rényi divergence without
    its exponent.

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
            neighbors=one_of("neighbors", neighbors, NEIGHBORS),
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """The promised `rho`, and `xi` and `delta` where they are not zero."""
        optional = {"xi": self.xi, "delta": self.stated_delta}
        return {"rho": self.rho} | {name: value for name, value in optional.items() if value}

    def least(self, bound: orders.Bound, count: int, limit_of_one: bool) -> Floats:
        """Least of a bound over all orders above 1, found by search.

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
        best = least_over_orders(lambda order: bound(order, self.xi + self.rho * order), count)
        if not limit_of_one:
            return best
        one = np.ones((count, 1))
        return np.minimum(best, bound(one, self.xi + self.rho * one)[:, 0])

    def _delta(self, epsilon: Floats) -> Answer:
        finite = np.minimum(epsilon, 1e100)
        core = np.where(epsilon < np.inf, orders.delta(self, finite), 0.0)
        return Answer(self._mixed(core), "upper", orders.PROFILE)

    def _epsilon(self, delta: Floats) -> Answer:
        core = self._unmixed(delta)
        positive = core > 0
        found = orders.epsilon(self, np.where(positive, core, 1.0))
        found = keep(found, lambda e: ~positive | (self._delta(e).value <= delta))
        found = np.where(positive, found, np.where(delta >= 1.0, 0.0, np.inf))
        return Answer(found, "upper", orders.PROFILE)

    def _power(self, level: Floats) -> Answer:
        scale = 1.0 - self.stated_delta
        core = np.minimum(level / scale, 1.0) if scale else np.ones_like(level)
        inside = (core > 0) & (core < 1)
        value = np.where(inside, orders.power(self, np.where(inside, core, 0.5)), core)
        return Answer(self._mixed(value), "exact", orders.POWER)

    def _level(self, power: Floats) -> Answer:
        core = self._unmixed(power)
        inside = (core > 0) & (core < 1)
        value = np.where(inside, orders.level(self, np.where(inside, core, 0.5)), core)
        return Answer((1.0 - self.stated_delta) * value, "exact", orders.POWER)

    def _tail(self, epsilon: Floats, sides: Sides, post_processing: bool) -> Answer:
        inside = (epsilon > 0) & (epsilon < 1e100)
        at = np.where(inside, epsilon, 1.0)
        if self.stated_delta == 1.0:
            return orders_answer(np.ones_like(epsilon), sides)
        value = orders.tail(self, at, sides, self.stated_delta)
        edge = np.where(epsilon > 0, self.stated_delta, 1.0)
        return orders_answer(np.where(inside, value, edge), sides)

    def _loss_bound(self, failure: Floats, sides: Sides, post_processing: bool) -> Answer:
        core = self._unmixed(failure)
        positive = core > 0
        m, share = np.where(positive, failure, 2.0), np.where(positive, core, 0.5)
        loss = orders.loss_bound(self, share, sides)
        if self.stated_delta and sides == "one":
            loss = loss - np.log1p(-self.stated_delta / m)
        elif self.stated_delta:
            power = self._mixed(share * expit(loss))
            level = (1.0 - self.stated_delta) * share * expit(-loss)
            loss = np.log(power) - np.log(np.where(positive, level, 1.0))
        never = self.xi if self.rho == 0.0 and not self.stated_delta else np.inf
        return orders_answer(np.where(positive, loss, never), sides)

    def _mixed(self, core: Floats) -> Floats:
        """Add the event outside which nothing is promised."""
        return np.minimum(1.0, self.stated_delta + (1.0 - self.stated_delta) * core)

    def _unmixed(self, total: Floats) -> Floats:
        if self.stated_delta == 1.0:
            return np.zeros_like(total)
        return np.maximum(total - self.stated_delta, 0.0) / (1.0 - self.stated_delta)

    def _two_steps(self) -> ZeroConcentratedDP:
        """(3 xi, 4 rho) for two steps (Bun 2016, Proposition 27)."""
        if self.stated_delta:
            raise Meaningless(
                "Two steps of delta-approximate zCDP condition on two different events, and no "
                "theorem combines them. Convert to approximate DP first, then change the relation "
                "of neighbors."
            )
        return ZeroConcentratedDP(4.0 * self.rho, xi=3.0 * self.xi, neighbors="replace-one")
