"""Concerns: the attributes, or the place within a larger one, that may change about someone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from dprisk._checks import did_you_mean
from dprisk.errors import InvalidInput
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.allocation.allocations import Query


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
            raise InvalidInput(
                f"names[{name!r}]",
                list(meanings),
                "attributes, or one level",
                "Give a name of its own to each level.",
            )
        if WITHIN.fullmatch(name):
            raise InvalidInput(
                "names",
                name,
                "one name, without the word 'within'",
                (
                    "A concern such as 'block within tract' is a level within another. Choose "
                    "a different name."
                ),
            )

    def _twice(self, where: str, name: str, also: str) -> InvalidInput:
        return InvalidInput(
            where,
            name,
            "different from every other name, in upper or lower case",
            f"It is also the name of '{also}'. Rename one of them.",
        )

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
            raise InvalidInput(
                "concern",
                text,
                "a level within a larger one",
                f"From the outermost in, the levels are {_listed(self.levels)}.",
            )
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
            known = _listed(self.levels) or "none in this table"
            fix = fill("allocation.levels", levels=known) + self._guess(name, self.levels)
            raise InvalidInput("concern", text, "made of known levels", fix)
        return self.levels.index(meant[0])

    def _unknown(self, text: str) -> InvalidInput:
        allowed = fill("allocation.attribute", names=_listed(self._words(self.attributes)))
        if len(self.levels) > 1:
            allowed += f" or one level within another ({_listed(self.levels)})"
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


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)


def guess(word: str, known: Iterable[str]) -> str:
    """Which of the known words may have been meant, or all of them."""
    names = tuple(known)
    declared = ", ".join(names) or "none"
    return did_you_mean(word, names) or f"Known: {declared}."
