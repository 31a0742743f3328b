"""Releases made of allocations: a part for each query, with the concerns that it touches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dprisk._numeric.exact import root_up, rounded_up
from dprisk.allocation.allocations import Allocation
from dprisk.allocation.exposure import NEIGHBORS, noise_on
from dprisk.allocation.queries import Query
from dprisk.allocation.vocabulary import Concern
from dprisk.errors import Meaningless
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import ZeroConcentratedDP
from dprisk.releases.release import Part, Release


def as_release(allocation: Allocation, *, unit: str | None = None) -> Release:
    """The release of all tables of an allocation, under replace-one neighbors.

    Parameters
    ----------
    allocation : Allocation
        With the same amounts in every place.
    unit : str, optional
        Whose data one record holds, such as person.

    Returns
    -------
    Release
        A part for each query, with its noise where that is known, else with its promise, rounded
        up. Its `attributes` are those whose change can move it, each by all of its names, and the
        outermost level, for a record that moves.

    Raises
    ------
    Meaningless
        If amounts differ by place: what one record costs is then no sum over queries.

    Examples
    --------
    >>> from dprisk.allocation import allocate
    >>> from dprisk.allocation.charging import as_release
    >>> queries = [{"query": "AGE", "attributes": "age", "rho": "0.1"}]
    >>> release = as_release(allocate(queries), unit="person")
    >>> release.parts[0].guarantee, release.parts[0].attributes
    (ZeroConcentratedDP(rho=0.1, neighbors='replace-one'), ('age',))
    """
    if allocation.has_places:
        raise Meaningless(
            "The amounts of this allocation differ by place, so they do not add up over its "
            "queries.",
            "Charge each place to an account of its own, with a table of its own.",
        )
    concerns = list(_concerns(allocation))
    parts = []
    for query in allocation.queries:
        if query.amount:
            touched = tuple(each.text for each in concerns if each.touches(query))
            parts.append(replace(_part(query, allocation), attributes=touched))
    return Release(
        name=allocation.name,
        unit=unit,
        period=None,
        neighbors=NEIGHBORS,
        neighbors_stated=True,
        model=None,
        parts=tuple(parts),
        invariants=allocation.invariants,
        source=allocation.source,
    )


def _concerns(allocation: Allocation) -> Iterator[Concern]:
    """Every attribute by each of its names, and where a record is at all."""
    words = allocation.vocabulary
    outer = [level for level in words.levels if not words.coarser(level)]
    for name in dict.fromkeys((*words.attributes, *words.names, *outer)):
        if name in outer or set(words.names.get(name, (name,))) <= set(words.attributes):
            yield words.concern(name)


def _part(query: Query, allocation: Allocation) -> Part:
    """The noise on each of the cells that move, or what is promised where it is not known."""
    label = " ".join(filter(None, (query.part, query.name, query.level)))
    if query.noise is not None:
        return Part.of(*noise_on(query, allocation.accounting), label)
    if allocation.accounting == "gdp":  # what adds up is the square
        return Part(GaussianDP(root_up(query.amount), neighbors=NEIGHBORS), 1, label)
    make = PureDP if allocation.accounting == "pure" else ZeroConcentratedDP
    return Part(make(rounded_up(query.amount), neighbors=NEIGHBORS), 1, label)
