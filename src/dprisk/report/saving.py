"""In which formats a report is written, and how it gets into a file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal, Protocol, get_args

from dprisk._files import check_places, write
from dprisk.errors import refused
from dprisk.text import fill

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


class Document(Protocol):
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
    document: Document,
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
