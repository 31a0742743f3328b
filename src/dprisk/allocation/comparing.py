"""Two candidate allocations side by side: what each means for every concern, and its noise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import PROBABILITY, numbers
from dprisk._values import plain, result
from dprisk.allocation.allocations import Allocation
from dprisk.allocation.exposure import Exposure
from dprisk.allocation.finding import power_at_most
from dprisk.allocation.queries import Query
from dprisk.allocation.vocabulary import folded
from dprisk.errors import InvalidInput

if TYPE_CHECKING:
    from dprisk.budget.noise import NoiseCost
    from dprisk.guarantees.base import Guarantee

CANDIDATES: Final = ("first", "second")


@final
@dataclass(frozen=True)
class ConcernPair:
    """A concern in two allocations. Made by `candidates`."""

    concerns: tuple[str, ...]  # a union; empty for everything
    exposures: tuple[Exposure | None, Exposure | None]  # None where a table does not name it
    powers: tuple[tuple[float, ...] | None, ...]  # of each, at most, at each level. [0, 1]


@final
@dataclass(frozen=True)
class QueryPair:
    """A query that differs between two allocations. Made by `candidates`."""

    queries: tuple[Query | None, Query | None]  # None where it is not asked
    noise: tuple[NoiseCost | None, NoiseCost | None]  # None where it is not known

    @property
    def either(self) -> Query:
        """The first of the two that is asked."""
        return next(query for query in self.queries if query is not None)


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Candidates:
    """Two allocations, compared. Made by `candidates`."""

    allocations: tuple[Allocation, Allocation]
    levels: tuple[float, ...]  # probabilities of a false alarm. [0, 1]
    concerns: tuple[ConcernPair, ...]
    queries: tuple[QueryPair, ...]  # those that differ, in the order of the tables

    @property
    def share_none(self) -> bool:
        """Whether no query of one is in the other, by its part, level, place and name."""
        return all(None in pair.queries for pair in self.queries) and len(self.queries) == sum(
            len(one.queries) for one in self.allocations
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data, the same that ``dprisk allocation --against ... --json`` prints."""
        return {
            "schema": "dprisk/candidates/1",
            "allocations": [
                {"name": one.name, "accounting": one.accounting, "total": str(one.total)}
                for one in self.allocations
            ],
            "levels": list(self.levels),
            "concerns": [
                {
                    "concerns": list(pair.concerns),
                    "amounts": [None if one is None else str(one.amount) for one in pair.exposures],
                    "powers": [None if one is None else plain(one) for one in pair.powers],
                }
                for pair in self.concerns
            ],
            "queries": [
                dict(zip(CANDIDATES, map(_query, pair.queries, pair.noise), strict=True))
                for pair in self.queries
            ],
        }


def _query(query: Query | None, noise: NoiseCost | None) -> dict[str, Any] | None:
    if query is None:
        return None
    known = None if noise is None else (noise.standard_deviation, noise.off_by)
    sigma, margin = known or (None, None)
    return query.to_dict() | {"noise": query.noise, "sigma": sigma, "margin_90": margin}


def candidates(
    first: Allocation,
    second: Allocation,
    *,
    concerns: Sequence[str] = (),
    levels: npt.ArrayLike = (0.01, 0.05, 0.1),
) -> Candidates:
    """Compare two candidate allocations: amounts, power of tests, and noise.

    Parameters
    ----------
    first, second : Allocation
        They may differ in anything, also in their accounting: powers are comparable then, and
        amounts are not.
    concerns : sequence of str
        A union that both know. Left out: everything, and each attribute by itself.
    levels : array_like of float
        Probabilities of a false alarm. [0, 1]

    Returns
    -------
    Candidates
        For each concern its amount, and the power that a test has at most: for the noise that is
        named, otherwise for every mechanism with the amounts. Beside them the queries that differ,
        with the noise of both.

    Raises
    ------
    InvalidInput
        If an allocation does not know a concern, or the concerns are one text.

    Examples
    --------
    >>> from dprisk.allocation import candidates, census2020, design
    >>> new = design(census2020(), ["race: power(0.05)=0.4"], level="state").allocation
    >>> made = candidates(census2020(), new, concerns=["race"], levels=[0.05])
    >>> [round(power[0], 3) for power in made.concerns[0].powers]
    [0.412, 0.4]
    """
    if isinstance(concerns, str):
        raise InvalidInput("concerns", concerns, "a list, such as ['race']")
    at = tuple(np.ravel(numbers("level", levels, PROBABILITY)).tolist())
    both = (first, second)
    unions = [tuple(concerns)] if concerns else [(), *((one,) for one in _attributes(both))]
    known: dict[Any, Guarantee] = {}
    pairs = []
    for union in unions:
        exposures = tuple(_exposed(one, union, asked=bool(concerns)) for one in both)
        powers = tuple(None if one is None else power_at_most(one, at, known) for one in exposures)
        pairs.append(ConcernPair(union, (exposures[0], exposures[1]), powers))
    return Candidates(both, at, tuple(pairs), tuple(_different(first, second)))


def _attributes(both: Iterable[Allocation]) -> Iterator[str]:
    """The attributes of both, each once, however it is spelled."""
    found: dict[str, str] = {}
    for name in (name for one in both for name in one.attributes):
        found.setdefault(folded(name), name)
    yield from found.values()


def _exposed(allocation: Allocation, union: tuple[str, ...], *, asked: bool) -> Exposure | None:
    if asked or all(map(allocation.vocabulary.knows, union)):
        return allocation.exposure(*union)
    return None


def _different(first: Allocation, second: Allocation) -> Iterator[QueryPair]:
    """Each query that is in one only, or that differs."""
    ours, theirs = ({_key(query): query for query in one.queries} for one in (first, second))
    noises = _noise(first), _noise(second)
    for key in dict.fromkeys((*ours, *theirs)):
        pair = ours.get(key), theirs.get(key)
        if first.accounting != second.accounting or _alike(pair[0]) != _alike(pair[1]):
            yield QueryPair(pair, (noises[0].get(pair[0]), noises[1].get(pair[1])))


def _key(query: Query) -> tuple[str, ...]:
    """The names of a query, however they are spelled."""
    return tuple(map(folded, (query.part, query.level or "", query.place, query.name)))


def _noise(allocation: Allocation) -> dict[Query | None, NoiseCost | None]:
    """The noise of each query that has some, where it is known."""
    some = tuple(query for query in allocation.queries if query.amount)
    return dict(zip(some, Exposure(allocation, (), some).noise(), strict=True))


def _alike(query: Query | None) -> Any:
    """The properties in which queries can differ."""
    if query is None:
        return None
    return query.amount, query.epsilon, query.noise, query.moves, set(query.attributes)
