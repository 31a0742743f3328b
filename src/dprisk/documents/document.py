"""A document: sections under a title, and how it is written, also to a file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, final, get_args

from dprisk._checks import one_of
from dprisk._files import check_places, write
from dprisk._values import brief, members, result
from dprisk.errors import InvalidInput
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


Format = Literal["html", "markdown", "json", "pdf"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)
ENDINGS: Final[dict[str, Format]] = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
    ".pdf": "pdf",
}


@final
@dataclass(frozen=True, repr=False)
class Document:
    """Sections under a title, written as HTML, notebook, Markdown or PDF. Made by `report`."""

    title: str  #: At the head of the whole.
    sections: tuple[Section, ...]  #: In the order in which they are to be read.
    subtitle: str = ""  #: Below the title.
    footer: str = ""  #: At the end of a page.
    language: Language = "en"  #: Of the page around the sections.
    data: Any = field(default=None, repr=False)  #: Plain data that a page holds as JSON.
    sheet: bool = False  #: Whether it is a summary that has to fit on one page of A4.
    inputs: tuple[str, ...] = ()  #: Files that nothing may be written over.

    def __repr__(self) -> str:
        return f"<Document {brief(self.title)}: {len(self.sections)} sections>"

    def to_html(self) -> str:
        """One page with its style, drawings and data, which fetches nothing and runs nothing."""
        from dprisk.documents.rendering import whole_page

        return whole_page(self)

    def _repr_html_(self) -> str:
        """The same for a notebook: static, no scripts, no requests."""
        from dprisk.documents.rendering import fragment

        return fragment(self)

    def to_markdown(self) -> str:
        """Plain text with marks, for CommonMark and GitHub; tables stand for drawings."""
        from dprisk.documents.rendering import as_markdown

        return as_markdown(self)

    def to_json(self) -> str:
        """The data behind it, as strict JSON."""
        return in_json(self.data)

    def to_pdf(self) -> bytes:
        """PDF/UA-1 by WeasyPrint (``pip install 'dprisk[pdf]'``); a summary is one page of A4."""
        from dprisk.documents.rendering import printed

        return printed(self.to_html(), pages=1 if self.sheet else None)

    def written(self, form: Format) -> str:
        """The document in a format of text: the same text for the same document.

        Parameters
        ----------
        form : {"html", "markdown", "json"}
            Which; the numbers of a summary as JSON are those of its report.

        Returns
        -------
        str
            No date is in it that was not given.

        Raises
        ------
        InvalidInput
            If `form` is another.
        """
        writers = {"html": self.to_html, "markdown": self.to_markdown, "json": self.to_json}
        return writers[self._known(form, "html", "markdown", "json")]()

    def save(
        self, path: str | os.PathLike[str], form: Format | None = None, *, force: bool = False
    ) -> None:
        """Write the document to a file, whole or not at all.

        Parameters
        ----------
        path : str or path
            Where; never a file that the document is about, nor a symbolic link.
        form : {"html", "markdown", "json", "pdf"}, optional
            Left out: by the ending of the name. A summary is no JSON.
        force : bool
            Whether a file that is there may be replaced.

        Raises
        ------
        InvalidInput
            If the format is none of these, or left out and the ending names none.
        InvalidFile
            If no file can be written there.
        NotInstalled
            For PDF, without WeasyPrint.
        NotWritten
            If writing fails; what was there is whole.
        """
        wanted = self._known(form or form_of(path), *FORMATS)
        content = self.to_pdf if wanted == "pdf" else partial(self.written, wanted)
        keep(content, path, self.inputs, force=force)

    def _known(self, form: Format, *forms: Format) -> Format:
        if not self.sheet:
            return one_of("format", form, forms)
        return one_of("format of a summary", form, tuple(each for each in forms if each != "json"))


def form_of(path: str | os.PathLike[str]) -> Format:
    """The format that the ending of a file name stands for."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        fix = "For any other file name, also name the format, such as html (--format html)."
        allowed = ".html, .md, .json or .pdf"
        raise InvalidInput("the file extension", ending or os.fspath(path), allowed, fix)
    return ENDINGS[ending]


def keep(
    content: Callable[[], str | bytes],
    path: str | os.PathLike[str],
    inputs: Iterable[str],
    *,
    force: bool,
) -> None:
    """Write what is made to a file, whole or not at all, once the place is known to be free."""
    check_places([path], force=force, inputs=inputs)
    made = content()
    whole = made.encode("utf-8", "backslashreplace") if isinstance(made, str) else made
    write(path, whole, force=force, inputs=inputs)


def in_json(data: Any) -> str:
    """Plain data as strict JSON."""
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
