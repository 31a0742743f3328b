"""Allocations: a privacy loss shared out over queries, each at a level of geography."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, final

from dprisk._values import brief, result
from dprisk.allocation.queries import SYMBOLS, Accounting, Noise, Query, amount_of
from dprisk.allocation.vocabulary import Vocabulary

if TYPE_CHECKING:
    from dprisk.allocation.exposure import Exposure
    from dprisk.guarantees.base import Neighbors


@final
@dataclass(frozen=True)
class Printed:
    """Numbers that a publication prints for a scenario, as text. Made by `read_allocation`."""

    rho: str
    power: Mapping[float, str] = field(default_factory=dict)  # at each level. [0, 1]


@final
@dataclass(frozen=True)
class AssumedShare:
    """Share that would explain prints which the table does not. Made by `read_allocation`."""

    part: str
    level: str
    share: Fraction  # that every query there is given instead. [0, 1]
    says: str  # the same in words


@final
@dataclass(frozen=True)
class Scenario:
    """A concern with a name, and what was printed about it. Made by `read_allocation`."""

    name: str
    concerns: tuple[str, ...]  # a union
    printed: Printed | None = None


@final
@result
@dataclass(frozen=True, repr=False, eq=False)
class Allocation:
    """A privacy loss, shared out over queries, under replace-one neighbors. Made by `allocate`."""

    name: str
    accounting: Accounting  # in what the amounts add up: rho, epsilon, or squares of mu
    noise: Noise | None  # added to every cell; None where it differs, or only amounts are known
    queries: tuple[Query, ...]  # each at each of its levels
    vocabulary: Vocabulary  # the words for concerns
    scenarios: tuple[Scenario, ...] = ()
    printed_in: str = ""
    printed_if: AssumedShare | None = None  # what would make those prints come out that differ
    invariants: tuple[str, ...] = ()  # published without noise
    source: tuple[str, ...] = ()
    exact: tuple[Query, ...] = ()  # those of the invariants of which it is said what changes them
    given_for: Neighbors = "replace-one"  # the neighbors of the amounts before they were turned

    @property
    def attributes(self) -> tuple[str, ...]:
        """Attributes that queries touch, by their names in the table."""
        return self.vocabulary.attributes

    @property
    def levels(self) -> tuple[str, ...]:
        """Levels, each before those inside it."""
        return self.vocabulary.levels

    @property
    def symbol(self) -> str:
        """The sign of what adds up: ρ, ε or μ²."""
        return SYMBOLS[self.accounting]

    @property
    def total(self) -> Fraction:
        """The most that the queries on one record add up to, wherever it is or moves."""
        if not self.has_places:
            return amount_of(self.queries)
        return self.exposure().amount

    @property
    def has_places(self) -> bool:
        """Whether some queries are asked of one place only."""
        return bool(self.vocabulary.places) and any(query.place for query in self.queries)

    @property
    def staying(self) -> Exposure:
        """Queries on one record in the place with the largest sum, which it does not leave."""
        from dprisk.allocation.exposure import exposed

        some = [query for query in self.queries if query.amount]
        return exposed(self, (), some, moved=False)

    def exposure(self, *concerns: str) -> Exposure:
        """Find the queries that a change in any of these concerns moves, and what they cost.

        A concern is an attribute (``"race"``) or a place within a larger one (``"block within
        tract"``); left out, anything may change. Unknown ones are refused, with what there is.
        """
        from dprisk.allocation.exposure import expose

        return expose(self, concerns)

    def __repr__(self) -> str:
        return f"<Allocation of {brief(self.name)}: {len(self.queries)} queries, {self.accounting}>"
