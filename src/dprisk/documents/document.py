"""A document: sections under a title, and how it is written, also to a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, final, get_args

from dprisk._checks import one_of
from dprisk._files import check_places, write
from dprisk._values import brief
from dprisk.documents.blocks import Section
from dprisk.errors import InvalidInput
from dprisk.text import Language

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
@dataclass(frozen=True, repr=False)
class Document:
    """Sections under a title, written as HTML, notebook, Markdown or PDF. Made by `explain`.

    Whatever has something to say makes one: ``Document(title, sections)``. A terminal prints the
    sections with `dprisk.cli.show`.
    """

    title: str  #: Of the whole.
    sections: tuple[Section, ...]  #: In the order in which they are to be read.
    subtitle: str = ""  #: Below the title, and at the end of a page.
    footer: str = ""  #: Below the title, and at the end of a page.
    language: Language = "en"  #: Of the page around the sections.
    data: Any = field(default=None, repr=False)  #: Plain data that a page holds as JSON.
    sheet: bool = False  #: Whether it is a summary that has to fit on one page of A4.
    inputs: tuple[str, ...] = ()  #: Files that nothing may be written over.

    def __repr__(self) -> str:
        return f"<Document {brief(self.title)}: {len(self.sections)} sections>"

    def to_html(self) -> str:
        """One page that needs nothing else and fetches nothing."""
        from dprisk.documents.render.html import whole_page

        return whole_page(self)

    def _repr_html_(self) -> str:
        """The same for a notebook: static, no scripts, no requests."""
        from dprisk.documents.render.html import fragment

        return fragment(self)

    def to_markdown(self) -> str:
        """The same as plain text with marks; what a drawing shows stands in a table."""
        from dprisk.documents.render.markdown import as_markdown

        return as_markdown(self)

    def to_pdf(self) -> bytes:
        """The page to be printed, with page numbers, headings to jump to, and tags."""
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
