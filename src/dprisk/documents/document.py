"""What an explanation is made of: sentences that carry their numbers, and plain data."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, Protocol, final, get_args

from dprisk._files import check_places, write
from dprisk._values import members, result
from dprisk.errors import refused
from dprisk.text import Language, fill, spoken

EXPLANATION = "dprisk/explanation/1"

Audience = Literal["data-subject", "curator", "regulator", "researcher"]
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
    """One or two sentences that are true together, with their numbers. Made by `explained`.

    Parameters
    ----------
    key : str
        Of the template that was filled.
    text : str
        Plain text, which may hold what a user wrote: escape it for the page that it goes to.
    numbers : tuple of Number
        Every number in the text, in order.
    names : tuple of str
        What else was filled in and may hold digits: names, units, theorems, the user's claim.
    """

    key: str
    text: str
    numbers: tuple[Number, ...]
    names: tuple[str, ...] = ()

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
@result
@dataclass(frozen=True, repr=False)
class Topic:
    """What is said about one topic. Made by `explained`.

    Parameters
    ----------
    topic : str
        Such as "with-without" or "assumptions".
    title : str
        Its heading.
    sentences : tuple of Sentence
        In the order in which they are to be read.
    """

    topic: str
    title: str
    sentences: tuple[Sentence, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            `topic`, `title` and `sentences`.
        """
        return members(self)


@final
@result
@dataclass(frozen=True)
class Explanation:
    """A release, explained to one audience. Made by `explained`.

    Parameters
    ----------
    name : str
        What is released.
    audience : {"data-subject", "curator", "regulator", "researcher"}
        Whom it is for.
    title : str
        The same in words.
    claim : str or None
        The claim as it was understood: what somebody may conclude.
    observer : str or None
        Who may conclude it, as the claim says.
    secret : {"membership", "attribute"}
        As what the claim was assessed.
    kept : bool
        Whether every limit asked for is kept; so it is where none was.
    sections : tuple of Topic
        In the order in which they are to be read.
    language : {"en", "de"}
        In which they are.
    """

    name: str
    audience: Audience
    title: str
    claim: str | None
    observer: str | None
    secret: str
    kept: bool
    sections: tuple[Topic, ...]
    language: Language = "en"

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All of them, section by section."""
        return tuple(sentence for section in self.sections for sentence in section.sentences)

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain data, the same that ``dprisk explain --json`` prints.

        Returns
        -------
        dict
            Keys are documented with the JSON output of ``dprisk explain``.
        """
        who = ("name", "audience", "title", "claim", "observer", "secret", "kept", "language")
        return {"schema": EXPLANATION, **members(self, *who, "sections")}

    def __str__(self) -> str:
        blocks = [
            f"{section.title}\n" + "\n".join(f"- {line}" for line in section.sentences)
            for section in self.sections
        ]
        return "\n\n".join([f"{self.name}: {self.title}", *blocks])

    def _repr_html_(self) -> str:
        """Headings and sentences for notebooks: no scripts, no outside requests."""
        sections = "".join(
            f"<h4>{escape(section.title)}</h4><ul>"
            + "".join(f"<li>{escape(str(line))}</li>" for line in section.sentences)
            + "</ul>"
            for section in self.sections
        )
        return f"<p><strong>{escape(self.name)}</strong>: {escape(self.title)}</p>{sections}"

    def __repr__(self) -> str:
        return f"<Explanation of {self.name!r} for {self.audience}>"


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
