"""Vocabulary of concerns: attributes and levels, in chains from the coarsest to the finest."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, final

from dprisk.errors import InvalidInput, did_you_mean
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.allocation.queries import Query

WITHIN = re.compile(r"\s*(.+?)\s+within\s+(.+?)\s*", re.IGNORECASE)
BELOW = re.compile(r"\s*(.+)\s+below\s+(.+?)\s*", re.IGNORECASE)

Nested = Sequence[str | Sequence[str]]
"""One chain of names, or several."""


@final
@dataclass(frozen=True)
class Concern:
    """Attributes of somebody that may change, and thereby the queries that the change can move."""

    text: str
    attributes: tuple[str, ...]
    levels: tuple[str, ...]
    among: tuple[str, ...] | None = None  # the levels of a selection; the others are disregarded

    def selects(self, query: Query) -> bool:
        """Whether the change can move the query, and the query is not disregarded."""
        return self.touches(query) and (self.among is None or query.level in self.among)

    def touches(self, query: Query) -> bool:
        """Whether the change can move a cell of the query."""
        return query.level in self.levels or not set(self.attributes).isdisjoint(query.attributes)


@final
@dataclass(frozen=True)
class Vocabulary:
    """The words that concerns are made of.

    In a chain, each name is determined by the next: the tract by the block, the adult by the age.
    """

    attributes: tuple[str, ...]
    levels: tuple[str, ...]
    names: Mapping[str, tuple[str, ...]]
    chains: tuple[tuple[str, ...], ...] = ()  # of attributes and of levels; they may cross
    places: str = ""  # the level at which amounts differ by place; empty where they do not

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

    @cached_property
    def _coarser(self) -> dict[str, frozenset[str]]:
        """For each name of a chain, those that it determines."""
        found: dict[str, frozenset[str]] = {}
        above: dict[str, set[str]] = {}
        for outer, inner in (pair for chain in self.chains for pair in pairwise(chain)):
            above.setdefault(inner, set()).add(outer)
        for name in in_order(self.chains):
            some = above.get(name, set())
            found[name] = frozenset(some.union(*(found[one] for one in some)))
        return found

    def chains_of(self, names: Collection[str]) -> tuple[tuple[str, ...], ...]:
        """The chains of these names: of the attributes, or of the levels."""
        return tuple(chain for chain in self.chains if set(chain) <= set(names))

    def coarser(self, name: str) -> frozenset[str]:
        """The names that are determined by this one, at all its distances."""
        return self._coarser.get(name, frozenset())

    def family(self, attributes: Iterable[str]) -> tuple[str, ...]:
        """Attributes that can change with these: those that share a chain, and so on."""
        found = set(attributes)
        chains = [set(chain) for chain in self.chains]
        while more := [chain for chain in chains if chain & found and not chain <= found]:
            found.update(*more)
        return tuple(one for one in self.attributes if one in found)

    def knows(self, word: str) -> bool:
        """Whether it is one of the attributes or levels, or another name for them."""
        return bool(self._meant(word, self.attributes) or self._meant(word, self.levels))

    def concern(self, text: str) -> Concern:
        """The concern that a text names: an attribute, or one name within a coarser one."""
        attributes = self._meant(text, self.attributes)
        if attributes:
            return Concern(text, self.family(attributes), ())
        if level := self._meant(text, self.levels)[:1]:
            if not self.coarser(level[0]):
                return Concern(text, (), self.levels)
            raise self._unknown(text)
        if selected := BELOW.fullmatch(text):
            return self._below(text, *selected.groups())
        found = WITHIN.fullmatch(text)
        if found is None:
            raise self._unknown(text)
        if within := self._attribute_within(text, *found.groups()):
            return within
        inner, outer = (self._level(text, name) for name in found.groups())
        fixed = {outer} | self.coarser(outer)
        if outer not in self.coarser(inner):
            fix = f"From the outermost in, the levels are {self.shown_levels}."
            raise InvalidInput("concern", text, "a level within a larger one", fix)
        return Concern(text, (), tuple(one for one in self.levels if one not in fixed))

    def _below(self, text: str, inner: str, name: str) -> Concern:
        """A concern, and of the queries that it moves only those at smaller places."""
        whole, level = self.concern(inner), self._level(text, name)
        among = tuple(one for one in self.levels if level in self.coarser(one))
        if whole.among is not None:
            among = tuple(one for one in among if one in whole.among)
        return Concern(text, whole.attributes, whole.levels, among)

    def _attribute_within(self, text: str, inner: str, outer: str) -> Concern | None:
        """An attribute within a coarser form of it, such as the age within its five years."""
        finer, fixed = (self._meant(name, self.attributes) for name in (inner, outer))
        if not (finer and fixed):
            return None
        kept = set(fixed).union(*map(self.coarser, fixed))
        if any(not set(fixed) <= self.coarser(one) for one in finer):
            shown = _shown(self.chains_of(self.attributes)) or "none in this table"
            fix = fill("allocation.coarser", chains=shown)
            raise InvalidInput("concern", text, "an attribute within a coarser one", fix)
        return Concern(text, tuple(one for one in self.family(finer) if one not in kept), ())

    @property
    def shown_levels(self) -> str:
        """The levels, chain by chain."""
        return _shown(self.chains_of(self.levels)) or ", ".join(self.levels)

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

    def _level(self, text: str, name: str) -> str:
        meant = self._meant(name, self.levels)
        if not meant:
            known = self.shown_levels or "none in this table"
            fix = fill("allocation.levels", levels=known) + self._guess(name, self.levels)
            raise InvalidInput("concern", text, "made of known levels", fix)
        return meant[0]

    def _unknown(self, text: str) -> InvalidInput:
        allowed = fill("allocation.attribute", names=", ".join(self._words(self.attributes)))
        if len(self.levels) > 1:
            allowed += f" or one level within another ({self.shown_levels})"
        meant = self._meant(text, self.levels)
        fix = self._guess(text, self.attributes).strip() or fill("allocation.undeclared")
        if meant:
            outer = [one for one in self.levels if one in self.coarser(meant[0])]
            fix = fill("allocation.within", inner=text, outer=outer[-1])
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


def _shown(chains: Iterable[tuple[str, ...]]) -> str:
    return "; ".join(map(", ".join, chains))


def folded(name: str) -> str:
    """A name without what nobody tells apart: upper and lower case, and spaces."""
    return " ".join(name.split()).casefold()


def guess(word: str, known: Iterable[str]) -> str:
    """Which of the known words may have been meant, or all of them."""
    names = tuple(known)
    return did_you_mean(word, names) or f"Known: {', '.join(names) or 'none'}."


def chains_of(what: str, nested: Nested, together: bool = True) -> tuple[tuple[str, ...], ...]:
    """The chains that were given; names by themselves are one chain `together`, or none."""
    names = tuple(one for one in nested if isinstance(one, str))
    whole = together and len(names) == len(nested)
    chains = (names,) if whole else tuple((x,) if isinstance(x, str) else tuple(x) for x in nested)
    spelled: dict[str, str] = {}
    for chain in chains:
        for name in chain:
            also = spelled.setdefault(folded(name), name)
            if also != name or chain.count(name) > 1:
                raise InvalidInput(what, list(chain), "different from each other")
    in_order(chains, what)
    return tuple(chain for chain in chains if chain)


def in_order(chains: Iterable[tuple[str, ...]], what: str = "levels") -> tuple[str, ...]:
    """All names, each after those that stand before it in a chain."""
    waits: dict[str, set[str]] = {}
    for chain in chains:
        for n, name in enumerate(chain):
            waits.setdefault(name, set()).update(chain[:n])
    placed: dict[str, None] = {}
    while len(placed) < len(waits):
        free = next(
            (one for one in waits if one not in placed and waits[one] <= placed.keys()), None
        )
        if free is None:
            left = [name for name in waits if name not in placed]
            raise InvalidInput(what, left, "in one order, the outermost first in every chain")
        placed[free] = None
    return tuple(placed)
