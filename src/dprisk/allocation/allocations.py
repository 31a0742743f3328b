"""Allocations: a privacy loss shared out over queries, each at a level of geography."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, final

from dprisk._values import brief, members, result
from dprisk.allocation.concern import Vocabulary

if TYPE_CHECKING:
    from dprisk.allocation.exposure import Exposure


Accounting = Literal["zcdp", "pure", "gdp"]
Noise = Literal["discrete-gaussian", "gaussian", "laplace", "geometric"]

ACCOUNTING: Mapping[Accounting, str] = MappingProxyType(
    {"zcdp": "rho", "pure": "epsilon", "gdp": "mu"}
)
"""For each way to account, the parameter in which a table may give it."""

NOISES: Mapping[Accounting, tuple[Noise, ...]] = MappingProxyType(
    {
        "zcdp": ("discrete-gaussian", "gaussian"),
        "pure": ("laplace", "geometric"),
        "gdp": ("gaussian",),
    }
)
"""For each way to account, the noise that a table may name."""


@final
@dataclass(frozen=True)
class Query:
    """One table of counts that is published with noise, at one level. Made by `read_allocation`.

    Parameters
    ----------
    name : str
        What is counted.
    attributes : tuple of str
        The attributes that decide which of its cells a record is counted in.
    level : str or None
        For every place of which level it is counted; None where places do not matter.
    amount : Fraction
        rho, epsilon, or the square of mu: what adds up. [0, inf)
    part : str
        The share-out that it belongs to, such as persons or housing units.
    cells : int or None
        How many numbers it has in one place. [1, inf)
    moves : int
        How many cells a changed record moves, each by one. [1, inf)
    row : str
        Where it stands in the table, such as ``"line 7"``.
    """

    name: str
    attributes: tuple[str, ...]
    level: str | None
    amount: Fraction
    part: str = ""
    cells: int | None = None
    moves: int = 2
    row: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            Exact numbers as text, such as ``"52/4097"``.
        """
        named = members(self, "attributes", "level", "part", "cells", "moves", "amount")
        return {"query": self.name, **named, "part": self.part or None}


@final
@dataclass(frozen=True)
class Printed:
    """Numbers that a publication prints for a scenario. Made by `read_allocation`.

    Parameters
    ----------
    rho : str
        As printed.
    power : mapping of float to str
        The power printed for a level. [0, 1]
    """

    rho: str
    power: Mapping[float, str] = field(default_factory=dict)


@final
@dataclass(frozen=True)
class AssumedShare:
    """Share that would explain prints which the table does not. Made by `read_allocation`.

    Parameters
    ----------
    part, level : str
        Where other shares are assumed.
    share : Fraction
        The share that every query there is given instead. [0, 1]
    says : str
        The same in words.
    """

    part: str
    level: str
    share: Fraction
    says: str


@final
@dataclass(frozen=True)
class Scenario:
    """A concern with a name, and what was printed about it. Made by `read_allocation`.

    Parameters
    ----------
    name : str
        Such as ``"A"``.
    concerns : tuple of str
        What may change; a union.
    printed : Printed or None
        What a publication says.
    """

    name: str
    concerns: tuple[str, ...]
    printed: Printed | None = None


@final
@result
@dataclass(frozen=True, repr=False, eq=False)
class Allocation:
    """A privacy loss, shared out over queries. Made by `allocate`.

    It is about replace-one neighbors: amounts are for one record whose values change.

    Parameters
    ----------
    name : str
        What was published.
    accounting : {"zcdp", "pure", "gdp"}
        In what the amounts add up: rho, epsilon, or squares of mu.
    noise : {"discrete-gaussian", "gaussian", "laplace", "geometric"} or None
        What is added to every cell; None where only amounts are known.
    queries : tuple of Query
        Each at each of its levels.
    vocabulary : Vocabulary
        The words for concerns.
    scenarios : tuple of Scenario
        Concerns that come with the table.
    printed_in : str
        Where the printed values of the scenarios stand.
    printed_if : AssumedShare or None
        What would make those prints come out that differ.
    invariants : tuple of str
        What is published without noise.
    source : tuple of str
        Where the table comes from.
    """

    name: str
    accounting: Accounting
    noise: Noise | None
    queries: tuple[Query, ...]
    vocabulary: Vocabulary
    scenarios: tuple[Scenario, ...] = ()
    printed_in: str = ""
    printed_if: AssumedShare | None = None
    invariants: tuple[str, ...] = ()
    source: tuple[str, ...] = ()

    @property
    def attributes(self) -> tuple[str, ...]:
        """Attributes that queries touch, by their names in the table."""
        return self.vocabulary.attributes

    @property
    def levels(self) -> tuple[str, ...]:
        """Nested levels, outermost first."""
        return self.vocabulary.levels

    @property
    def total(self) -> Fraction:
        """The sum of all amounts."""
        return sum((query.amount for query in self.queries), Fraction(0))

    def exposure(self, *concerns: str) -> Exposure:
        """Find what a change of somebody's record can move, and how much privacy loss that costs.

        Parameters
        ----------
        *concerns : str
            What may change: an attribute (``"race"``), or a place within a larger one (``"block
            within tract"``). Several are a union: a query that two of them touch counts once. Left
            out: anything may change.

        Returns
        -------
        Exposure
            The queries, their sum, and the guarantees that hold for such a change.

        Raises
        ------
        InvalidInput
            If a concern is unknown, or touches no query; the message says what there is.
        """
        from dprisk.allocation.exposure import expose

        return expose(self, concerns)

    def __repr__(self) -> str:
        return f"<Allocation of {brief(self.name)}: {len(self.queries)} queries, {self.accounting}>"
