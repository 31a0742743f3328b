"""Exposure: the queries that a concern touches, and the guarantees that hold for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, final

from dprisk._numeric.exact import root_up, rounded_up
from dprisk._values import members, result
from dprisk.allocation.places import MOST_RUNS, WorstPlace, alternatives, by_place, largest
from dprisk.allocation.queries import amount_of
from dprisk.allocation.vocabulary import folded
from dprisk.errors import InvalidInput, Meaningless
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.renyi import ZeroConcentratedDP
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.allocation.allocations import Allocation, Scenario
    from dprisk.allocation.queries import Accounting, Query
    from dprisk.allocation.vocabulary import Concern
    from dprisk.budget.noise import NoiseCost


ACCURACY: float | None = None  # about 1e-9 nats: brackets of power are narrower than 1e-7

MARGIN = 0.9  # the share of cases in which a number is off by no more than its margin
MOST_RECORDS = 10**6
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
    disregarded: tuple[Query, ...] = ()  # those that can change too, and are left out as asked
    places: tuple[str, ...] = ()  # whose queries these are: where they add up to most
    elsewhere: tuple[Query, ...] = ()  # those that a record in other places can change instead
    moved: bool = False  # whether the record may move from one of the places to another
    name: str = ""  # of the scenario that was asked for; its concerns are `concerns`
    answered: tuple[str, ...] = ()  # what is published exactly, and can change with them
    records: int = 1  # that change together. [1, 10^6]

    @property
    def possible(self) -> tuple[Query, ...]:
        """All queries that the change can move, wherever the record is."""
        return (*self.queries, *self.elsewhere)

    @property
    def amount(self) -> Fraction:
        """The sum over these queries: rho, epsilon, or the square of mu; exact.

        Where amounts differ by place, the largest over places, or over two if the record moves.
        For m records it is m times as much of epsilon, and m^2 of rho and of the square of mu.
        """
        pure = self.allocation.accounting == "pure"
        return amount_of(self.queries) * self.records * (1 if pure else self.records)

    @property
    def share(self) -> Fraction:
        """Its part of the sum over all queries, for one record. [0, 1]"""
        return amount_of(self.queries) / self.allocation.total

    def together(self, records: int) -> Exposure:
        """The same for so many records that change together, as an invariant may require.

        The guarantee between possible datasets is then the promise for a group of that size
        (Bun and Steinke 2016, Proposition 5.3; arXiv:2410.17468).
        """
        whole = isinstance(records, int) and not isinstance(records, bool)
        if not whole or not 1 <= records <= MOST_RECORDS:
            fix = "Such as 2, for two people who trade places."
            raise InvalidInput("records", records, "a whole number in [1, 10^6]", fix)
        return replace(self, records=records)

    def noise(self) -> tuple[NoiseCost | None, ...]:
        """Standard deviation and 90 % margin of each query; None where its noise is not known."""
        from dprisk.budget.noise import noise_cost

        parts = [self._part(query)[0] if query.noise else None for query in self.queries]
        known = {part: noise_cost(part, MARGIN) for part in dict.fromkeys(parts) if part}
        return tuple(known.get(part) for part in parts)

    def says_group(self) -> str:
        """The assumption about records that change together; nothing for a single one."""
        if self.records == 1:
            return ""
        return fill("allocation.group", number=str(self.records))

    def says_invariants(self) -> str:
        """Names of all that is published exactly and not counted; nothing where nothing is."""
        names = "; ".join(self.allocation.invariants)
        told = fill("allocation.invariants", names=names) if names else ""
        if self.answered:
            told += " " + fill("allocation.answered", names="; ".join(self.answered))
        return told

    @property
    def explained(self) -> Fraction | None:
        """The sum under what the table says would explain the prints that differ; exact."""
        slip = self.allocation.printed_if
        if slip is None:
            return None
        where = slip.part, slip.level
        there = (q for q in self.allocation.queries if (q.part, q.level) == where)
        each = amount_of(there) * slip.share
        return sum(
            (each if (q.part, q.level) == where else q.amount for q in self.queries), Fraction(0)
        )

    def says_disregarded(self) -> str:
        """The assumption behind a selection of queries; nothing where none is disregarded."""
        if not self.disregarded:
            return ""
        places = dict.fromkeys(query.level for query in self.disregarded)
        number = len(self.disregarded)
        return fill(
            f"allocation.disregarded.{'one' if number == 1 else 'some'}",
            number=str(number),
            levels=", ".join(level for level in places if level),
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
        if self.has_epsilons:
            raise Meaningless(
                "Amounts of epsilon do not say what Gaussian noise would be added. Ask for "
                "promise() or exact()."
            )
        doubled = 1 if self.allocation.accounting == "gdp" else 2
        return GaussianDP(root_up(doubled * self.amount), neighbors=NEIGHBORS)

    def exact(self, accuracy: float | None = ACCURACY) -> Guarantee:
        """Guarantee of the noise that is really added, composed over all cells that move.

        Where places have noise of their own, each answer is the worst over places. Brackets may be
        `accuracy` nats of epsilon wide, about 1e-9 if left out. [1e-13, 1]. Where no noise is
        named: the worst over mechanisms that keep the epsilons; refused for rho.
        """
        if not self.queries:
            return self.promise()
        if self.records > 1 and not self.is_normal:
            raise Meaningless(
                "For several records together, only the promise of the amounts is known. Ask for "
                "promise()."
            )
        if self.is_normal:
            return self.gaussian()
        if not self.names_noise:
            raise Meaningless(
                "The table does not say which noise is added, and a rho alone does not "
                "determine it. Name it (noise: discrete-gaussian), or ask for promise()."
            )
        if not self.is_composable:
            raise Meaningless(
                f"Places differ in their noise, and the record may move between two of them, or "
                f"more than {MOST_RUNS} of them differ: then what is added is not composed. Ask "
                "for promise(), which bounds all places by the largest sum."
            )
        each = tuple(_composed(run, accuracy) for run in self._runs())
        return each[0] if len(each) == 1 else WorstPlace(each, neighbors=NEIGHBORS)

    @property
    def has_epsilons(self) -> bool:
        """Whether some amounts are of epsilon, or follow from one."""
        return self.allocation.accounting == "pure" or any(
            query.epsilon is not None for query in self.possible
        )

    @property
    def is_normal(self) -> bool:
        """Whether all noise is normal, or promised to be as good."""
        return self.allocation.accounting == "gdp" or all(
            query.noise == "gaussian" for query in self.possible
        )

    @property
    def names_noise(self) -> bool:
        """Whether the noise of each query is known, or an epsilon, which has a worst case."""
        return self.allocation.accounting != "zcdp" or all(
            query.noise or query.epsilon is not None for query in self.possible
        )

    @property
    def is_composable(self) -> bool:
        """Whether few enough places differ in their noise, for `exact`."""
        return not self.elsewhere or len(self._runs()) <= (1 if self.moved else MOST_RUNS)

    @property
    def run(self) -> dict[Any, int]:
        """Mechanisms that are run, or promises where no noise is named, each with its count."""
        found: dict[Any, int] = {}
        for query in self.queries:
            part, count = self._part(query)
            found[part] = found.get(part, 0) + count
        return found

    def _runs(self) -> list[dict[Any, int]]:
        """Everything that is run, at each place that may be the worst."""
        if not self.elsewhere:
            return [self.run]
        return alternatives(self.possible, self.moved, self._part)

    def _part(self, query: Query) -> tuple[Any, int]:
        return noise_on(query, self.allocation.accounting)

    def _listed(self) -> list[dict[str, Any]]:
        """Each query, with its standard deviation and its 90 % margin where these are known."""
        return [
            query.to_dict()
            | {
                "sigma": None if cost is None else cost.standard_deviation,
                "margin_90": None if cost is None else cost.off_by,
            }
            for query, cost in zip(self.queries, self.noise(), strict=True)
        ]

    def says_untouched(self) -> str:
        """That a concern touches no query; nothing where it touches some."""
        return "" if self.queries else fill("allocation.untouched")

    def says_places(self) -> str:
        """Which places the sum is of; nothing where places are alike."""
        if not self.places:
            return ""
        if len(self.places) > 1:
            return fill("allocation.places.two", places=fill("and").join(self.places))
        own = amount_of(query for query in self.queries if query.place)
        others = by_place(self.elsewhere).items()
        alike = sum(bool(name) and amount_of(some) == own for name, some in others)
        more = fill(f"allocation.places.{'other' if alike == 1 else 'others'}", number=str(alike))
        return fill("allocation.places.one", place=self.places[0], more=more if alike else "")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the exact sum as text, and as the nearest number."""
        return {
            "allocation": self.allocation.name,
            **members(self, "allocation.accounting", "allocation.noise"),
            "neighbors": NEIGHBORS,
            **({"scenario": self.name} if self.name else {}),
            "concerns": list(self.concerns),
            "amount": float(self.amount),
            "amount_exact": str(self.amount),
            "share": float(self.share),
            "queries": self._listed(),
            **({"answered_exactly": list(self.answered)} if self.answered else {}),
            **({"records": self.records} if self.records > 1 else {}),
            **({"places": list(self.places)} if self.places else {}),
        }


def expose(allocation: Allocation, concerns: Sequence[str]) -> Exposure:
    """The queries that any of the concerns touches; a scenario stands for all of its concerns."""
    named = [_scenario(allocation, text) for text in concerns]
    name = named[0].name if len(named) == 1 and named[0] else ""
    asked = [
        allocation.vocabulary.concern(word)
        for text, scenario in zip(concerns, named, strict=True)
        for word in (scenario.concerns if scenario else (text,))
    ]
    for concern in asked:
        _refuse_exact(concern.text, [q for q in allocation.queries if concern.touches(q)])
        _refuse_empty(concern, allocation)
    noisy = [query for query in allocation.queries if query.amount]
    some = [query for query in noisy if not asked or any(one.selects(query) for one in asked)]
    left = tuple(
        query
        for query in noisy
        if any(one.touches(query) for one in asked) and not any(one.selects(query) for one in asked)
    )
    moved = not asked or any(allocation.vocabulary.places in one.levels for one in asked)
    texts = tuple(dict.fromkeys(concern.text for concern in asked))
    answered = tuple(
        exact.name
        for exact in allocation.exact
        if not asked or any(concern.touches(exact) for concern in asked)
    )
    found = exposed(allocation, texts, some, left, moved=moved)
    return replace(found, name=name, answered=answered)


def _scenario(allocation: Allocation, text: str) -> Scenario | None:
    """The scenario of that name, where it is not the name of anything else."""
    if allocation.vocabulary.knows(text):
        return None
    named = (one for one in allocation.scenarios if folded(one.name) == folded(text))
    return next(named, None)


def exposed(
    allocation: Allocation,
    concerns: tuple[str, ...],
    some: Sequence[Query],
    left: tuple[Query, ...] = (),
    *,
    moved: bool,
) -> Exposure:
    """The queries that can change for one record, in the place, or the two, with most of them."""
    if not any(query.place for query in some):
        return Exposure(allocation, concerns, tuple(some), left)
    places = largest(some, moved)
    there = ("", *places)
    here = tuple(query for query in some if query.place in there)
    elsewhere = tuple(query for query in some if query.place not in there)
    return Exposure(allocation, concerns, here, left, places, elsewhere, moved)


def _refuse_empty(concern: Concern, allocation: Allocation) -> None:
    """A selection without queries, of a concern that has some."""
    if concern.among is None:
        return
    moved = [query for query in allocation.queries if query.amount and concern.touches(query)]
    if moved and not any(map(concern.selects, moved)):
        shown = allocation.vocabulary.shown_levels
        fix = f"Choose a larger place. From the outermost in, the levels are {shown}."
        raise InvalidInput("concern", concern.text, "a selection with at least one query", fix)


def _refuse_exact(text: str, touched: Sequence[Query]) -> None:
    """A concern that only queries without noise touch: they may reveal all of it."""
    if touched and not any(query.amount for query in touched):
        names = ", ".join(dict.fromkeys(query.name for query in touched))
        allowed = "one that touches a query with noise, or no query"
        fix = f"The queries that it touches ({names}) have an amount of 0. They are not asked, or "
        fix += "published exactly: then they can reveal all of it. If they are not asked, take "
        raise InvalidInput("concern", text, allowed, f"{fix}them out of the table.")


def _composed(run: dict[Any, int], accuracy: float | None) -> Guarantee:
    from dprisk.composition import compose

    losses = [part if isinstance(part, Guarantee) else part.loss(accuracy=accuracy) for part in run]
    return compose(losses, list(run.values()), accuracy=accuracy).guarantee


def noise_on(query: Query, accounting: Accounting) -> tuple[Any, int]:
    """Mechanism of a query for each cell that moves, or its promise without noise; with a count."""
    from dprisk.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace

    noise, cells = query.noise, query.moves
    if noise in ("gaussian", "discrete-gaussian"):  # a cell costs 1 / (2 sigma^2), or 1 / sigma^2
        doubled = 1 if accounting == "gdp" else 2
        sigma = math.nextafter(1.0 / root_up(doubled * query.amount / cells), 0.0)  # to less noise
        if noise == "gaussian":
            return Gaussian(sigma, 1.0, neighbors=NEIGHBORS), cells
        return DiscreteGaussian(sigma, 1, neighbors=NEIGHBORS), cells
    epsilon = query.amount if query.epsilon is None else query.epsilon
    if noise is None:
        return PureDP(rounded_up(epsilon), neighbors=NEIGHBORS), 1
    scale = math.nextafter(1.0 / rounded_up(epsilon / cells), 0.0)
    if noise == "laplace":
        return Laplace(scale, 1.0, neighbors=NEIGHBORS), cells
    return Geometric(scale, 1, neighbors=NEIGHBORS), cells
