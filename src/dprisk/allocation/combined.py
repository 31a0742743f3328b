"""Several allocations about the same people, read as one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dprisk.allocation.allocations import Allocation
from dprisk.allocation.queries import Query
from dprisk.allocation.units import as_rho
from dprisk.allocation.vocabulary import Vocabulary, folded, in_order
from dprisk.errors import InvalidInput
from dprisk.guarantees.base import Neighbors


def together(*allocations: Allocation) -> Allocation:
    """Read several allocations about the same people as one.

    Parameters
    ----------
    *allocations : Allocation
        At least one, each a release of its own. Attributes and levels of the same name are taken
        to be the same.

    Returns
    -------
    Allocation
        With all queries. A place that an allocation does not know may change with any concern
        about places. Each query keeps its noise. If the accounting differs, all amounts are of
        rho, as in a table of several kinds: mu^2 / 2 for mu, and for epsilon the least rho that
        it implies. Scenarios are left out: each is about one allocation.

    Raises
    ------
    InvalidInput
        If one allocation is given twice, or if a name means different things.

    References
    ----------
    .. [1] P1, Section 8: under zCDP, rho adds up over releases.

    Examples
    --------
    >>> from dprisk.allocation import census2020, dhc2020, together
    >>> round(float(together(census2020(), dhc2020()).exposure("race").amount), 4)
    5.6156
    """
    _checked(allocations)
    if len(allocations) == 1:
        return allocations[0]
    if len({one.accounting for one in allocations}) > 1:
        allocations = tuple(map(_as_rho, allocations))
    chains = tuple(dict.fromkeys(chain for one in allocations for chain in one.vocabulary.chains))
    attributes = tuple(dict.fromkeys(name for one in allocations for name in one.attributes))
    levels = [chain for one in allocations for chain in one.vocabulary.chains_of(one.levels)]
    names, places = _names(allocations), _places(allocations)
    vocabulary = Vocabulary(attributes, in_order(levels), names, chains, places)
    _check_spelling((*attributes, *vocabulary.levels))
    vocabulary.check()
    noises = {one.noise for one in allocations}
    return Allocation(
        name="; ".join(one.name for one in allocations),
        accounting=allocations[0].accounting,
        noise=noises.pop() if len(noises) == 1 else None,
        queries=_queries(allocations),
        vocabulary=vocabulary,
        given_for=_given_for(allocations),
        exact=tuple(dict.fromkeys(each for one in allocations for each in one.exact)),
        invariants=_all(one.invariants for one in allocations),
        source=_all(one.source for one in allocations),
    )


def _as_rho(allocation: Allocation) -> Allocation:
    """The same under zCDP, as its rows would be read in a table of several kinds."""
    if allocation.accounting == "zcdp":
        return allocation
    queries = tuple(
        replace(
            query,
            amount=as_rho(allocation.accounting, query.amount, query.moves if query.noise else 1),
            epsilon=query.amount if allocation.accounting == "pure" and query.amount else None,
        )
        for query in allocation.queries
    )
    return replace(allocation, accounting="zcdp", queries=queries)


def _checked(allocations: tuple[Allocation, ...]) -> None:
    if not allocations:
        raise InvalidInput("allocations", [], "at least one allocation")
    names = [one.name for one in allocations]
    for n, one in enumerate(allocations):
        if any(one == other for other in allocations[:n]):
            fix = "Give each allocation once."
            raise InvalidInput("allocations", names, "different from each other", fix)


def _places(allocations: tuple[Allocation, ...]) -> str:
    """The level at which amounts differ by place, with the same places in all that have some."""
    some = [one for one in allocations if one.has_places]
    for one in some[1:]:
        first, here = ({query.place for query in each.queries} - {""} for each in (some[0], one))
        if one.vocabulary.places != some[0].vocabulary.places or here != first:
            odd = ", ".join(sorted(first ^ here)[:4]) or one.vocabulary.places
            allowed = f"those of {some[0].name}, by the same names"
            fix = "Add rows with the amount 0 for places that an allocation leaves out."
            raise InvalidInput(f"places of {one.name}", odd, allowed, fix)
    return some[0].vocabulary.places if some else ""


def _names(allocations: Iterable[Allocation]) -> dict[str, tuple[str, ...]]:
    """Other names, each with the one meaning that it has everywhere."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for one in allocations:
        for name, meanings in one.vocabulary.names.items():
            _, known = found.setdefault(folded(name), (name, meanings))
            if set(known) != set(meanings):
                allowed = f"a name for {' and '.join(known)} in every allocation"
                fix = f"In {one.name} it means {' and '.join(meanings)}. Use one name for each."
                raise InvalidInput("names", name, allowed, fix)
    return dict(found.values())


def _check_spelling(names: Iterable[str]) -> None:
    spelled: dict[str, str] = {}
    for name in names:
        if (also := spelled.setdefault(folded(name), name)) != name:
            fix = "Spell attributes and levels alike in all allocations."
            raise InvalidInput("names", name, f"spelled as in another allocation ({also})", fix)


def _queries(allocations: Iterable[Allocation]) -> tuple[Query, ...]:
    """All queries; where two have one name, the part says which allocation they are of."""
    taken: set[tuple[str, str | None, str, str]] = set()
    found: list[Query] = []
    for one in allocations:
        keys = {(each.part, each.level, each.place, each.name) for each in one.queries}
        if keys & taken:
            found += [
                replace(each, part=one.name + f": {each.part}" * bool(each.part))
                for each in one.queries
            ]
        else:
            found += one.queries
        taken |= keys
    return tuple(found)


def _given_for(allocations: Iterable[Allocation]) -> Neighbors:
    turned = any(one.given_for == "add-remove" for one in allocations)
    return "add-remove" if turned else "replace-one"


def _all(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Each text once, in the order of their first appearance."""
    return tuple(dict.fromkeys(text for texts in lists for text in texts))
