"""Places with amounts of their own: a record is in one place, or moves between two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, final

import numpy as np

from dprisk._numeric.logspace import Floats
from dprisk.allocation.queries import Query, amount_of
from dprisk.answer import Answer, Bound
from dprisk.guarantees.base import Guarantee, Neighbors, Sides

MOST_RUNS = 12  # different sets of noise that are composed
MANY = 300  # beyond, sets are not compared with each other


def by_place(queries: Iterable[Query]) -> dict[str, list[Query]]:
    """The queries of each place; under the empty name those that are asked of all places."""
    found: dict[str, list[Query]] = {"": []}
    for query in queries:
        found.setdefault(query.place, []).append(query)
    return found


def largest(queries: Sequence[Query], moved: bool) -> tuple[str, ...]:
    """The place with the largest sum; or the two, if the record moves from one to another."""
    sums = {name: amount_of(some) for name, some in by_place(queries).items() if name}
    ranked = sorted(sums, key=lambda name: -sums[name])  # of equals, the first in the table
    return tuple(ranked[: 2 if moved else 1])


def alternatives(
    queries: Sequence[Query], moved: bool, part: Callable[[Query], tuple[Hashable, int]]
) -> list[dict[Any, int]]:
    """All sets of noise that one record can meet, each with counts.

    For a record that moves between places: in any two of them. `part` is the noise of a query.
    """

    def run(some: Iterable[Query]) -> Counter[Any]:
        found: Counter[Any] = Counter()
        for query in some:
            what, count = part(query)
            found[what] += count
        return found

    places = by_place(queries)
    common = run(places.pop(""))
    alike = Counter(frozenset(run(some).items()) for some in places.values())
    sets: list[tuple[frozenset[tuple[Any, int]], ...]] = [(one,) for one in alike]
    if moved:
        twice = [one for one in alike for _ in range(min(2, alike[one]))]
        sets = list(combinations(twice[: 2 * MOST_RUNS], 2)) or sets
    elif len(alike) <= MANY:  # a place with all the noise of another, and more, is the worse one
        sets = [(one,) for one in alike if not any(one < other for other in alike)]
    sums = [sum((Counter(dict(one)) for one in some), common.copy()) for some in sets]
    return [dict(items) for items in dict.fromkeys(frozenset(one.items()) for one in sums)]


@final
@dataclass(frozen=True, eq=False, repr=False)
class WorstPlace(Guarantee):
    """The guarantee where one of several holds, and it is not known which: the worst answer.

    One of them holds for a record with all its neighbors, so that mixtures of neighbors keep it.
    """

    each: tuple[Guarantee, ...]  # with symmetric trade-offs
    neighbors: Neighbors

    definition: ClassVar[str] = "any of several"
    is_stated: ClassVar[bool] = False

    @property
    def parameters(self) -> Mapping[str, Any]:  # type: ignore[override]
        """Those of each are not those of all."""
        return {}

    @property
    def bounds_raw_output(self) -> bool:
        """Whether each does."""
        return all(one.bounds_raw_output for one in self.each)

    def _delta(self, epsilon: Floats) -> Answer:
        return _most(one.delta(epsilon) for one in self.each)

    def _epsilon(self, delta: Floats) -> Answer:
        return _most(one.epsilon(delta) for one in self.each)

    def _power(self, level: Floats) -> Answer:
        return _most(one.power(level) for one in self.each)

    def _level(self, power: Floats) -> Answer:
        return _least(one.level(power) for one in self.each)

    def _tail(self, epsilon: Floats, sides: Sides, post_processing: bool) -> Answer:
        return _most(
            one.tail(epsilon, sides=sides, post_processing=post_processing) for one in self.each
        )

    def _loss_bound(self, failure: Floats, sides: Sides, post_processing: bool) -> Answer:
        return _most(
            one.loss_bound(failure, sides=sides, post_processing=post_processing)
            for one in self.each
        )

    def _group_of_two(self) -> Guarantee:
        twice = tuple(one.for_neighbors("replace-one") for one in self.each)
        return WorstPlace(twice, neighbors="replace-one")


def _most(answers: Iterable[Answer]) -> Answer:
    """The largest of several answers, none of which is below the truth."""
    return _outer(tuple(answers), np.maximum)


def _least(answers: Iterable[Answer]) -> Answer:
    """The smallest of several answers, none of which is above the truth."""
    return _outer(tuple(answers), np.minimum)


def _outer(answers: tuple[Answer, ...], pick: Any) -> Answer:
    value = pick.reduce([np.asarray(one.value) for one in answers])
    first = answers[0]
    if all(one.bound == "exact" for one in answers):
        return Answer(value, "exact", first.theorem, first.assumptions)
    ends = [one.value if one.bound == "exact" else one.other_end for one in answers]
    known = [np.asarray(end) for end in ends if end is not None]
    # the truth is beyond what is known of any of them, and where all are known, beyond all
    other = pick.reduce(known) if known else None
    side: Bound = "upper" if pick is np.maximum else "lower"
    return Answer(value, side, first.theorem, first.assumptions, other)
