"""Exposure: the queries that a concern touches, and the guarantees that hold for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, final

from dprisk._numeric.exact import root_up, rounded_up
from dprisk._values import members, plain, result
from dprisk.errors import InvalidInput, Meaningless
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import ZeroConcentratedDP

if TYPE_CHECKING:
    from dprisk.allocation.allocations import Allocation, Query


ACCURACY: float | None = None  # about 1e-9 nats: brackets of power are narrower than 1e-7

NEIGHBORS: Literal["replace-one"] = "replace-one"


@final
@result
@dataclass(frozen=True, repr=False, eq=False)
class Exposure:
    """Queries that a change of one record can move. Made by `Allocation.exposure`.

    Datasets that differ only in what a concern names answer all others alike (P1, Section 8).
    """

    allocation: Allocation
    concerns: tuple[str, ...]  # what may change, as asked; empty for anything
    queries: tuple[Query, ...]  # in the order of the table; empty where they reveal nothing

    @property
    def amount(self) -> Fraction:
        """The sum over these queries: rho, epsilon, or the square of mu; exact."""
        return sum((query.amount for query in self.queries), Fraction(0))

    @property
    def share(self) -> Fraction:
        """Its part of the sum over all queries. [0, 1]"""
        return self.amount / self.allocation.total

    @property
    def explained(self) -> Fraction | None:
        """The sum under what the table says would explain the prints that differ; exact."""
        slip = self.allocation.printed_if
        if slip is None:
            return None
        where = slip.part, slip.level
        there = (q for q in self.allocation.queries if (q.part, q.level) == where)
        each = sum((query.amount for query in there), Fraction(0)) * slip.share
        return sum(
            (each if (q.part, q.level) == where else q.amount for q in self.queries), Fraction(0)
        )

    def promise(self) -> Guarantee:
        """Guarantee that the accounting alone promises, whatever noise is added; rounded up."""
        if self.allocation.accounting == "gdp":
            return GaussianDP(root_up(self.amount), neighbors=NEIGHBORS)
        if self.allocation.accounting == "pure":
            return PureDP(rounded_up(self.amount), neighbors=NEIGHBORS)
        return ZeroConcentratedDP(rounded_up(self.amount), neighbors=NEIGHBORS)

    def gaussian(self) -> GaussianDP:
        """Guarantee that would hold for normal noise, mu = sqrt(2 rho); refused under epsilon.

        It is no bound for discrete Gaussian noise, though close: `exact` says how close.
        """
        if self.allocation.accounting == "pure":
            raise Meaningless(
                "Amounts of epsilon do not say what Gaussian noise would be added. Ask for "
                "promise() or exact()."
            )
        doubled = 1 if self.allocation.accounting == "gdp" else 2
        return GaussianDP(root_up(doubled * self.amount), neighbors=NEIGHBORS)

    def exact(self, accuracy: float | None = ACCURACY) -> Guarantee:
        """Guarantee of the noise that is really added, composed over all cells that move.

        Brackets may be `accuracy` nats of epsilon wide, about 1e-9 if left out. [1e-13, 1]. Where
        no noise is named: the worst over mechanisms that keep the epsilons; refused for rho.
        """
        noise = self.allocation.noise
        if not self.queries:
            return self.promise()
        if noise == "gaussian" or self.allocation.accounting == "gdp":
            return self.gaussian()
        if noise is None and self.allocation.accounting == "zcdp":
            raise Meaningless(
                "The table does not say which noise is added, and a rho alone does not "
                "determine it. Name it (noise: discrete-gaussian), or ask for promise()."
            )
        from dprisk.composition import compose

        found = self.run
        losses = [
            part if isinstance(part, Guarantee) else part.loss(accuracy=accuracy) for part in found
        ]
        return compose(losses, list(found.values()), accuracy=accuracy).guarantee

    @property
    def run(self) -> dict[Any, int]:
        """Mechanisms that are run, or promises where no noise is named, each with its count."""
        found: dict[Any, int] = {}
        for query in self.queries:
            squares = self.allocation.accounting == "gdp"
            part, count = _part(query, self.allocation.noise, squares)
            found[part] = found.get(part, 0) + count
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the exact sum as text, and as the nearest number."""
        return {
            "allocation": self.allocation.name,
            **members(self, "allocation.accounting", "allocation.noise"),
            "neighbors": NEIGHBORS,
            "concerns": list(self.concerns),
            "amount": float(self.amount),
            "amount_exact": str(self.amount),
            "share": float(self.share),
            "queries": plain(self.queries),
        }


def expose(allocation: Allocation, concerns: Sequence[str]) -> Exposure:
    """The queries that any of the concerns touches."""
    asked = [allocation.vocabulary.concern(text) for text in concerns]
    for concern in asked:
        _refuse_exact(concern.text, [q for q in allocation.queries if concern.touches(q)])
    some = tuple(
        query
        for query in allocation.queries
        if query.amount and (not asked or any(concern.touches(query) for concern in asked))
    )
    return Exposure(allocation, tuple(concern.text for concern in asked), some)


def _refuse_exact(text: str, touched: Sequence[Query]) -> None:
    """A concern that only queries without noise touch: they may reveal all of it."""
    if touched and not any(query.amount for query in touched):
        names = ", ".join(dict.fromkeys(query.name for query in touched))
        allowed = "one that touches a query with noise, or no query"
        fix = f"The queries that it touches ({names}) have an amount of 0. They are not asked, or "
        fix += "published exactly: then they can reveal all of it. If they are not asked, take "
        raise InvalidInput("concern", text, allowed, f"{fix}them out of the table.")


def _part(query: Query, noise: str | None, squares: bool) -> tuple[Any, int]:
    """Mechanism of a query for each cell that moves, or its promise without noise; with a count."""
    from dprisk.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace

    amount, cells = query.amount, query.moves
    if noise is None:
        return PureDP(rounded_up(amount), neighbors=NEIGHBORS), 1
    if noise in ("gaussian", "discrete-gaussian"):  # a cell costs 1 / (2 sigma^2), or 1 / sigma^2
        doubled = 1 if squares else 2
        sigma = math.nextafter(1.0 / root_up(doubled * amount / cells), 0.0)  # to less noise
        if noise == "gaussian":
            return Gaussian(sigma, 1.0, neighbors=NEIGHBORS), cells
        return DiscreteGaussian(sigma, 1, neighbors=NEIGHBORS), cells
    scale = math.nextafter(1.0 / rounded_up(amount / cells), 0.0)
    if noise == "laplace":
        return Laplace(scale, 1.0, neighbors=NEIGHBORS), cells
    return Geometric(scale, 1, neighbors=NEIGHBORS), cells
