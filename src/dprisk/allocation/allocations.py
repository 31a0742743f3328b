"""Allocations: a privacy loss shared out over queries, each at a level of geography."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, final

from dprisk._checks import did_you_mean
from dprisk._values import brief, members, result
from dprisk.errors import InvalidInput
from dprisk.text import fill

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
    """One table of counts that is published with noise, at one level. Made by `read_allocation`."""

    name: str
    attributes: tuple[str, ...]  # they decide which of its cells a record is counted in
    level: str | None  # for every place of which it is counted; None where places do not matter
    amount: Fraction  # rho, epsilon, or the square of mu: what adds up. [0, inf)
    part: str = ""  # the share-out that it belongs to, such as persons or housing units
    cells: int | None = None  # in one place. [1, inf)
    moves: int = 2  # how many cells a changed record moves, each by one. [1, inf)
    row: str = ""  # where it stands in the table, such as "line 7"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; exact numbers as text, such as ``"52/4097"``."""
        named = members(self, "attributes", "level", "part", "cells", "moves", "amount")
        return {"query": self.name, **named, "part": self.part or None}


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


WITHIN = re.compile(r"\s*(.+?)\s+within\s+(.+?)\s*", re.IGNORECASE)


@final
@dataclass(frozen=True)
class Concern:
    """Attributes of somebody that may change, and thereby the queries that the change can move."""

    text: str
    attributes: tuple[str, ...]
    levels: tuple[str, ...]

    def touches(self, query: Query) -> bool:
        """Whether the change can move a cell of the query."""
        return query.level in self.levels or not set(self.attributes).isdisjoint(query.attributes)


@final
@dataclass(frozen=True)
class Vocabulary:
    """The words that concerns are made of."""

    attributes: tuple[str, ...]
    levels: tuple[str, ...]
    names: Mapping[str, tuple[str, ...]]

    def check(self) -> None:
        """Refuse a name that stands for two things, of which one would be forgotten."""
        taken: dict[str, tuple[str, ...]] = {}
        for attribute in self.attributes:
            taken[folded(attribute)] = (*taken.get(folded(attribute), ()), attribute)
        for level in self.levels:
            if also := taken.get(folded(level)):
                raise self._twice("levels", level, also[0])
            taken[folded(level)] = (level,)
        for name, meanings in self.names.items():
            self._check_meanings(name, meanings)
            if other := [one for one in taken.get(folded(name), ()) if one not in meanings]:
                raise self._twice(f"names[{name!r}]", name, other[0])
            taken[folded(name)] = (name,)

    def _check_meanings(self, name: str, meanings: tuple[str, ...]) -> None:
        """Attributes, or one level, under a name that is not itself a level within another."""
        known = (*self.attributes, *self.levels)
        for meaning in meanings:
            if meaning not in known:
                allowed = "another name for an attribute or a level"
                raise InvalidInput(f"names[{name!r}]", meaning, allowed, guess(meaning, known))
        if not meanings or (len(meanings) > 1 and not set(meanings) <= set(self.attributes)):
            fix = "Give a name of its own to each level."
            raise InvalidInput(f"names[{name!r}]", list(meanings), "attributes, or one level", fix)
        if WITHIN.fullmatch(name):
            fix = "A concern such as 'block within tract' is a level within another. Choose "
            allowed = "one name, without the word 'within'"
            raise InvalidInput("names", name, allowed, f"{fix}a different name.")

    def _twice(self, where: str, name: str, also: str) -> InvalidInput:
        allowed = "different from every other name, in upper or lower case"
        return InvalidInput(where, name, allowed, f"It is also the name of '{also}'. Rename one.")

    def concern(self, text: str) -> Concern:
        """The concern that a text names: an attribute, or a level within another."""
        attributes = self._meant(text, self.attributes)
        if attributes:
            return Concern(text, attributes, ())
        if self.levels and self._meant(text, self.levels)[:1] == self.levels[:1]:
            return Concern(text, (), self.levels)
        found = WITHIN.fullmatch(text)
        if found is None:
            raise self._unknown(text)
        inner, outer = (self._level(text, name) for name in found.groups())
        if inner <= outer:
            fix = f"From the outermost in, the levels are {', '.join(self.levels)}."
            raise InvalidInput("concern", text, "a level within a larger one", fix)
        return Concern(text, (), self.levels[outer + 1 :])

    def _meant(self, text: str, among: tuple[str, ...]) -> tuple[str, ...]:
        """The attributes or levels that a word stands for; upper and lower case are alike."""
        wanted = folded(text)
        direct = [name for name in among if folded(name) == wanted]
        named = [
            meant
            for name, meanings in self.names.items()
            if folded(name) == wanted
            for meant in meanings
            if meant in among
        ]
        return tuple(dict.fromkeys(direct + named))

    def _level(self, text: str, name: str) -> int:
        meant = self._meant(name, self.levels)
        if not meant:
            known = ", ".join(self.levels) or "none in this table"
            fix = fill("allocation.levels", levels=known) + self._guess(name, self.levels)
            raise InvalidInput("concern", text, "made of known levels", fix)
        return self.levels.index(meant[0])

    def _unknown(self, text: str) -> InvalidInput:
        allowed = fill("allocation.attribute", names=", ".join(self._words(self.attributes)))
        if len(self.levels) > 1:
            allowed += f" or one level within another ({', '.join(self.levels)})"
        meant = self._meant(text, self.levels)
        fix = self._guess(text, self.attributes).strip()
        if meant:
            outer = self.levels[self.levels.index(meant[0]) - 1]
            fix = fill("allocation.within", inner=text, outer=outer)
        return InvalidInput("concern", text, allowed, fix)

    def _words(self, among: tuple[str, ...]) -> list[str]:
        """The names of these in the table, each with its other names."""
        return [
            " = ".join([one, *(n for n, meant in self.names.items() if meant == (one,))])
            for one in among
        ]

    def _guess(self, word: str, among: tuple[str, ...]) -> str:
        others = [name for name, meant in self.names.items() if set(meant) & set(among)]
        asked = did_you_mean(word, [*among, *others])
        return asked and f" {asked}"


def folded(name: str) -> str:
    """A name without what nobody tells apart: upper and lower case, and spaces."""
    return " ".join(name.split()).casefold()


def guess(word: str, known: Iterable[str]) -> str:
    """Which of the known words may have been meant, or all of them."""
    names = tuple(known)
    return did_you_mean(word, names) or f"Known: {', '.join(names) or 'none'}."


@final
@result
@dataclass(frozen=True, repr=False, eq=False)
class Allocation:
    """A privacy loss, shared out over queries, under replace-one neighbors. Made by `allocate`."""

    name: str
    accounting: Accounting  # in what the amounts add up: rho, epsilon, or squares of mu
    noise: Noise | None  # added to every cell; None where only amounts are known
    queries: tuple[Query, ...]  # each at each of its levels
    vocabulary: Vocabulary  # the words for concerns
    scenarios: tuple[Scenario, ...] = ()
    printed_in: str = ""
    printed_if: AssumedShare | None = None  # what would make those prints come out that differ
    invariants: tuple[str, ...] = ()  # published without noise
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
        """Find the queries that a change in any of these concerns moves, and what they cost.

        A concern is an attribute (``"race"``) or a place within a larger one (``"block within
        tract"``); left out, anything may change. Unknown ones are refused, with what there is.
        """
        from dprisk.allocation.exposure import expose

        return expose(self, concerns)

    def __repr__(self) -> str:
        return f"<Allocation of {brief(self.name)}: {len(self.queries)} queries, {self.accounting}>"
