"""What an explanation is made of: sentences that carry their numbers, and plain data."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, Protocol, final, get_args

from dprisk._files import check_places, write
from dprisk._values import members, result
from dprisk.errors import refused
from dprisk.text import Language, fill, spoken

Direction = Literal["given", "at most", "at least", "exact", "nearest"]


@final
@result
@dataclass(frozen=True, repr=False)
class Number:
    """A number in a sentence: what stands there, what is behind it, and which way it errs.

    Made by `explained`.

    Parameters
    ----------
    quantity : str
        What it is: "prior", "posterior", "confidence", "releases", ...
    value : float
        Before rounding. [-inf, inf]
    shown : str
        As it stands in the sentence, or in words where it is too near to certainty.
    direction : {"given", "at most", "at least", "exact", "nearest"}
        ``given``: it was put in. ``at most`` and ``at least``: an upper or a lower bound, rounded
        to the safe side. ``exact``: it is that. ``nearest``: it tells where, and bounds nothing.
    source : str
        The theorem that it comes from; empty where it was given.
    """

    quantity: str
    value: float
    shown: str
    direction: Direction
    source: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            The fields; infinity is None.
        """
        return members(self)


@final
@result
@dataclass(frozen=True, repr=False)
class Sentence:
    """One or two sentences that are true together, or a say, with their numbers.

    Parameters
    ----------
    text : str
        Plain text, which may hold what a user wrote: escape it for the page that it goes to.
    numbers : tuple of Number
        Every number in the text, in order.
    names : tuple of str
        What else was filled in and may hold digits: names, units, theorems, the user's claim.
    key : str
        Of the template that was filled; empty where there was none.
    strong : bool
        Whether it stands out on a page.
    """

    kind: ClassVar[str] = "text"
    text: str
    numbers: tuple[Number, ...] = ()
    names: tuple[str, ...] = ()
    key: str = ""
    strong: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            `key`, `text` and `numbers`.
        """
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
    """A heading, what stands under it, and the sections inside; in the language spoken then.

    Parameters
    ----------
    title : str
        Its heading.
    blocks : tuple of Block
        Sentences, lists, facts, tables, figures and listings, in order.
    inside : tuple of Section
        What stands below, each with a heading of its own.
    language : {"en", "de"}
        In which it is.
    topic : str
        Its name, to be linked to, such as "with-without" or "assumptions".
    """

    title: str
    blocks: tuple[Block, ...]
    inside: tuple[Section, ...] = ()
    language: Language = field(default_factory=spoken)
    topic: str = ""

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences among the blocks."""
        return tuple(block for block in self.blocks if isinstance(block, Sentence))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            `topic`, `title` and `sentences`.
        """
        return members(self, "topic", "title", "sentences")


Format = Literal["html", "markdown", "json", "pdf"]


FORMATS: Final[tuple[Format, ...]] = get_args(Format)


ENDINGS: dict[str, Format] = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
    ".pdf": "pdf",
}


class Writable(Protocol):
    """What can be written."""

    def written(self, form: Format) -> str:
        """As text."""

    def to_pdf(self) -> bytes:
        """As pages."""


def form_of(path: str | os.PathLike[str]) -> Format:
    """The format that the ending of a file name stands for."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise refused("summary.endings", fill("summary.ending"), ending or os.fspath(path))
    return ENDINGS[ending]


def keep(
    document: Writable,
    path: str | os.PathLike[str],
    form: Format,
    inputs: Iterable[str],
    *,
    force: bool,
) -> None:
    """Write a document to a file, whole or not at all, once the place is known to be free."""
    check_places([path], force=force, inputs=inputs)
    if form == "pdf":
        content = document.to_pdf()
    else:
        content = document.written(form).encode("utf-8", "backslashreplace")
    write(path, content, force=force, inputs=inputs)
