"""A document: sections of blocks under a title, its Markdown, and how files are written."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, final, get_args

from dprisk._files import check_places, write
from dprisk._values import members, result
from dprisk.errors import InvalidInput, one_of
from dprisk.text import LANGUAGES, Language, count, decimal, fill, has, spoken
from dprisk.text.rounding import rounded

if TYPE_CHECKING:
    from dprisk.documents.rendering import Document

Direction = Literal["given", "at most", "at least", "exact", "nearest"]


@final
@dataclass(frozen=True)
class Labels:
    """Labels printed on a report besides its numbers.

    Parameters
    ----------
    claim : str
        What somebody may conclude: "your manager concludes that you answered No".
    by, date : str
        Who prepared it, and when; printed as given.
    file, table, profile : str
        The files of the release, the allocation and the risk profile, for the command that makes
        it again.
    times : int
        How often the release in that file was taken. [1, 10^9]
    language : {"en", "de"}
        Of the summary, the part for the data subject, and a claim; the rest is in English.

    Examples
    --------
    >>> from dprisk.documents import Labels
    >>> Labels(by="A. Analyst", date="2026-02-01").by
    'A. Analyst'
    """

    claim: str = ""
    by: str = ""
    date: str = ""
    file: str = ""
    table: str = ""
    profile: str = ""
    times: int = 1
    language: Language = "en"

    def __post_init__(self) -> None:
        from dprisk._checks import assign, whole

        for name in ("claim", "by", "date", "file", "table", "profile"):
            if not isinstance(getattr(self, name), str):
                raise InvalidInput(name, getattr(self, name), "text")
        one_of("language", self.language, LANGUAGES)
        assign(self, times=whole("times", self.times, 1))

    @property
    def inputs(self) -> tuple[str, ...]:
        """The files that nothing may be written over."""
        return tuple(name for name in (self.file, self.table, self.profile) if name)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        texts = members(self, "claim", "by", "date", "file", "table", "profile")
        said = {name: text or None for name, text in texts.items()}
        return {**said, **members(self, "times", "language")}


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


DIGITS = 4
UPWARDS = {"at least": False, "at most": True, "largest epsilon": False, "epsilon at most": True}
TINY, SMALL = 1e-5, 1e-2  # beside a tiny number small ones are written as powers, too
ROWS = 24  # of the numbers behind a figure, on paper; the rest is in the drawing


def figure(name: str, ax: Any, wanted: Callable[[Any], bool] | None = None) -> Figure:
    """A drawing with its words and its table, of which only the wanted rows are shown."""
    from dprisk.curves import alt_text, render, tables, takeaway

    (table,) = tables(ax)
    rows = [row for row in table.rows if wanted is None or wanted(row)]
    if wanted is None and len(rows) > ROWS:
        rows = rows[:: -(-len(rows) // ROWS)]
    columns, cells = [], []
    for at, column in enumerate(table.columns):
        if any(row[at] not in (None, "") for row in rows):
            known = f"report.column.{column.replace(' ', '-')}"
            columns.append(fill(known) if has(known) else column)
            cells.append(_cells([row[at] for row in rows], column))
    shown = tuple(zip(*cells, strict=True))
    numbers = Table(fill("report.figure.numbers"), tuple(columns), shown)
    return Figure(name, takeaway(ax), alt_text(ax), render(ax, "svg", name=f"fig-{name}"), numbers)


def on_grid(value: Any, step: float = 0.05) -> bool:
    """Whether a point is one that people would ask about."""
    steps = float(value) / step
    return abs(steps - round(steps)) < 1e-9


def _cells(values: Sequence[Any], column: str) -> list[str]:
    """The cells of a column, small numbers in one notation."""
    numbers = [abs(value) for value in values if isinstance(value, float)]
    tiny = any(0.0 < number < TINY for number in numbers)
    return [
        _cell(value, column, tiny and isinstance(value, float) and abs(value) < SMALL)
        for value in values
    ]


def _cell(value: Any, column: str, as_power: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return count(value)
    if column in UPWARDS:
        shown = rounded(float(value), DIGITS, upper=UPWARDS[column])
    else:
        shown = f"{value:.10g}"
    return decimal(f"{Decimal(shown):e}" if as_power and value else shown)
