"""A report as Markdown: the same sections without the drawings, whose numbers are in tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dprisk.documents.blocks import (
    Block,
    Facts,
    Figure,
    Items,
    Links,
    Listing,
    Section,
    Sentence,
    Table,
)

if TYPE_CHECKING:
    from dprisk.documents.document import Document

MARKS = re.compile(r"([\\`*_{}\[\]<>#|~$&!])")
NUMBERED = re.compile(r"^(\s*)(\d+)([.)])(?=\s)")
ADDRESS = re.compile(r"https?://[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]+")
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def as_markdown(document: Document) -> str:
    """Headings, paragraphs, lists, tables and listings."""
    lines = [f"# {escaped(document.title)}", ""]
    for section in document.sections:
        lines += _section(section, 2)
    return "\n".join(lines).rstrip("\n") + "\n"


def escaped(text: str) -> str:
    """Sentence that no reader of Markdown takes for marks or for HTML; on one line."""
    plain = UNSEEN.sub(lambda found: " " if found[0].isspace() else ascii(found[0])[1:-1], text)
    marked = MARKS.sub(r"\\\1", plain.strip())
    marked = re.sub(r"^([-+=])", r"\\\1", marked)
    return NUMBERED.sub(r"\1\2\\\3", marked)


def _section(section: Section, level: int) -> Iterator[str]:
    yield f"{'#' * level} {escaped(section.title)}"
    yield ""
    for block in section.blocks:
        if not isinstance(block, Figure):
            yield from _block(block)
            yield ""
    for one in section.inside:
        yield from _section(one, level + 1)


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Sentence):
        yield f"**{escaped(block.text)}**" if block.strong else escaped(block.text)
    elif isinstance(block, Items):
        write = _linked if block.linked else escaped
        yield from (f"- {write(line)}" for line in block.items)
    elif isinstance(block, Facts):
        yield from (f"- **{escaped(name)}:** {escaped(text)}" for name, text in block.pairs)
    elif isinstance(block, Links):
        yield escaped(f"{block.lead} {'; '.join(text for text, _ in block.places)}")
    elif isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, Listing):
        yield from _listing(block)


def _linked(text: str) -> str:
    """An address as it is, in marks that make it a link; anything else escaped."""
    return f"<{text}>" if ADDRESS.fullmatch(text) else escaped(text)


def _table(block: Table) -> Iterator[str]:
    yield f"*{escaped(block.caption)}*"
    yield ""
    yield _row(block.columns)
    yield _row(["---"] * len(block.columns), plain=True)
    yield from (_row(row) for row in block.rows)


def _row(cells: tuple[str, ...] | list[str], plain: bool = False) -> str:
    shown = cells if plain else [escaped(cell) for cell in cells]
    return f"| {' | '.join(shown)} |"


def _listing(block: Listing) -> Iterator[str]:
    longest = max((len(run) for run in re.findall("`+", block.text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}{block.language}"
    lines = block.text.rstrip("\n").split("\n")
    yield from (UNSEEN.sub(lambda found: ascii(found[0])[1:-1], line) for line in lines)
    yield fence
