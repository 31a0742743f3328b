"""Parts of documents: sections, sentences with their numbers, tables and figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, final

from dprisk._values import members, result
from dprisk.text import Language, spoken

Direction = Literal["given", "at most", "at least", "exact", "nearest"]


@final
@result
@dataclass(frozen=True, repr=False)
class Number:
    """A number in a sentence, what is behind it, and which way it errs. Made by `explain`."""

    quantity: str  #: What it is: "prior", "posterior", "confidence", "releases", ...
    value: float  #: Before rounding. [-inf, inf]
    shown: str  #: As it stands in the sentence, or in words where it is too near to certainty.
    #: ``given``: it was put in. ``at most`` and ``at least``: an upper or a lower bound, rounded to
    #: the safe side. ``exact``: it is that. ``nearest``: it tells where, and bounds nothing.
    direction: Direction
    source: str = ""  #: The theorem that it comes from; empty where it was given.

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return members(self)


@final
@result
@dataclass(frozen=True, repr=False)
class Sentence:
    """One or two sentences that are true together, with their numbers. Made by `explain`."""

    kind: ClassVar[str] = "text"
    #: Plain text, which may hold what a user wrote: escape it for the page that it goes to.
    text: str
    numbers: tuple[Number, ...] = ()  #: Every number in the text, in order.
    #: What else was filled in and may hold digits: names, units, theorems, the user's claim.
    names: tuple[str, ...] = ()
    key: str = ""  #: Of the template that was filled; empty where there was none.
    strong: bool = False  #: Whether it stands out on a page.

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return members(self, "key", "text", "numbers")

    def __str__(self) -> str:
        return self.text


@final
@dataclass(frozen=True)
class Items:
    """A list of sentences; addresses in them lead somewhere only where that is said."""

    kind: ClassVar[str] = "items"
    items: tuple[str, ...]
    linked: bool = False


@final
@dataclass(frozen=True)
class Facts:
    """Words and what they stand for, likewise."""

    kind: ClassVar[str] = "facts"
    pairs: tuple[tuple[str, str], ...]
    linked: bool = False


@final
@dataclass(frozen=True)
class Links:
    """Other places in the same document, by what is said and by their names."""

    kind: ClassVar[str] = "links"
    lead: str
    places: tuple[tuple[str, str], ...]


@final
@dataclass(frozen=True)
class Table:
    """Rows, of which the first cell says what the row is about; some can be linked to."""

    kind: ClassVar[str] = "table"
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    places: tuple[str, ...] = ()


@final
@dataclass(frozen=True)
class Figure:
    """A drawing, what it says, what is seen, and the numbers behind it."""

    kind: ClassVar[str] = "figure"
    name: str
    caption: str
    alt: str
    svg: bytes = field(repr=False)
    numbers: Table


@final
@dataclass(frozen=True)
class Listing:
    """Text to be copied as it is."""

    kind: ClassVar[str] = "listing"
    label: str
    text: str
    language: str = ""


Block = Sentence | Items | Facts | Links | Table | Figure | Listing


@final
@result
@dataclass(frozen=True, repr=False)
class Section:
    """A heading, what stands under it, and the sections inside. Made by `explain`."""

    title: str  #: Its heading.
    blocks: tuple[Block, ...]  #: Sentences, lists, facts, tables, figures and listings, in order.
    inside: tuple[Section, ...] = ()  #: What stands below, each with a heading of its own.
    language: Language = field(default_factory=spoken)  #: In which it is.
    topic: str = ""  #: Its name, to be linked to, such as "with-without" or "assumptions".

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences among the blocks."""
        return tuple(block for block in self.blocks if isinstance(block, Sentence))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return members(self, "topic", "title", "sentences")
