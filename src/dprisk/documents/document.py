"""Parts of documents: sections, sentences with their numbers, tables and figures."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, final, get_args

from dprisk._checks import one_of
from dprisk._files import check_places, write
from dprisk._values import members, result
from dprisk.errors import InvalidInput
from dprisk.text import Language, spoken

Direction = Literal["given", "at most", "at least", "exact", "nearest"]


@final
@result
@dataclass(frozen=True, repr=False)
class Number:
    """A number in a sentence: what stands there, what is behind it, and which way it errs.

    Made by `explain`.

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
    """One or two sentences that are true together, with their numbers. Made by `explain`.

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
    """A heading, what stands under it, and the sections inside. Made by `explain`.

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


PAGES: Final[tuple[Format, ...]] = ("html", "markdown", "pdf")
ENDINGS: dict[str, Format] = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
    ".pdf": "pdf",
}


@final
@dataclass(frozen=True)
class Document:
    """Sections under a title, written as HTML, notebook, Markdown or PDF. Made by `explain`.

    Whatever has something to say makes one: ``Document(title, sections)``. A terminal prints the
    sections with `dprisk.cli.show`.

    Parameters
    ----------
    title : str
        Of the whole.
    sections : tuple of Section
        In the order in which they are to be read.
    subtitle, footer : str
        Below the title, and at the end of a page.
    language : {"en", "de"}
        Of the page around the sections.
    data : object
        Plain data that a page holds as JSON.
    sheet : bool
        Whether it is a summary that has to fit on one page of A4.
    inputs : tuple of str
        Files that nothing may be written over.
    """

    title: str
    sections: tuple[Section, ...]
    subtitle: str = ""
    footer: str = ""
    language: Language = "en"
    data: Any = field(default=None, repr=False)
    sheet: bool = False
    inputs: tuple[str, ...] = ()

    def to_html(self) -> str:
        """One page that needs nothing else and fetches nothing.

        Returns
        -------
        str
            HTML with its style and its drawings; a report holds its data as JSON, too.
        """
        from dprisk.documents.render.html import whole_page

        return whole_page(self)

    def _repr_html_(self) -> str:
        """The same for a notebook: static, no scripts, no requests."""
        from dprisk.documents.render.html import fragment

        return fragment(self)

    def to_markdown(self) -> str:
        """The same as plain text with marks; what a drawing shows stands in a table.

        Returns
        -------
        str
            Markdown with tables, as CommonMark and GitHub read it.
        """
        from dprisk.documents.render.markdown import as_markdown

        return as_markdown(self)

    def to_pdf(self) -> bytes:
        """The page to be printed, with page numbers, headings to jump to, and tags.

        Returns
        -------
        bytes
            PDF/UA-1, the same for the same document; of a summary, exactly one page of A4.

        Raises
        ------
        NotInstalled
            Without WeasyPrint: ``pip install 'dprisk[pdf]'``.
        """
        from dprisk.documents.render.pdf import printed

        return printed(self.to_html(), pages=1 if self.sheet else None)

    def written(self, form: Format) -> str:
        """The document in a format of text.

        Parameters
        ----------
        form : {"html", "markdown"}
            Which.

        Returns
        -------
        str
            The same for the same document: no date is in it that was not given.

        Raises
        ------
        InvalidInput
            If `form` is another: the numbers as JSON are those of the report.
        """
        one_of("format of a summary", form, PAGES[:2])
        return self.to_html() if form == "html" else self.to_markdown()

    def save(
        self, path: str | os.PathLike[str], form: Format | None = None, *, force: bool = False
    ) -> None:
        """Write the document to a file, whole or not at all.

        Parameters
        ----------
        path : str or path
            Where; never a file that the document is about, nor a symbolic link.
        form : {"html", "markdown", "pdf"}, optional
            Left out: by the ending of the name.
        force : bool
            Whether a file that is there may be replaced.

        Raises
        ------
        InvalidInput
            If the format is none of the three.
        InvalidFile
            If no file can be written there.
        NotInstalled
            For PDF, without WeasyPrint.
        NotWritten
            If writing fails; what was there is whole.
        """
        wanted = one_of("format of a summary", form or form_of(path), PAGES)
        content = self.to_pdf if wanted == "pdf" else partial(self.written, wanted)
        keep(content, path, self.inputs, force=force)


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
