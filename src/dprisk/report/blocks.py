"""What a report is laid out in: the same blocks whether it becomes HTML or Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

from dprisk.text import Language, spoken


@final
@dataclass(frozen=True)
class Text:
    """One paragraph."""

    kind: ClassVar[str] = "text"
    text: str
    strong: bool = False


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
class TableBlock:
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
    numbers: TableBlock


@final
@dataclass(frozen=True)
class Listing:
    """Text to be copied as it is."""

    kind: ClassVar[str] = "listing"
    label: str
    text: str
    language: str = ""


Block = Text | Items | Facts | Links | TableBlock | Figure | Listing


@final
@dataclass(frozen=True)
class Section:
    """A heading, what stands under it, and the sections inside; in the language spoken then."""

    title: str
    blocks: tuple[Block, ...]
    inside: tuple[Section, ...] = ()
    language: Language = field(default_factory=spoken)
    place: str = ""
