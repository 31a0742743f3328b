"""A document as a page, in a notebook and as a PDF; the page of a table of risk."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from ctypes import util
from dataclasses import dataclass, field
from functools import cache, partial
from html import escape
from typing import TYPE_CHECKING, Any, NoReturn, final

from dprisk._lazy import named
from dprisk._pages import page, pasted
from dprisk._values import brief, rounded
from dprisk.documents.document import (
    FORMATS,
    Block,
    Facts,
    Figure,
    Format,
    Items,
    Section,
    Sentence,
    Table,
    as_markdown,
    figure,
    form_of,
    in_json,
    keep,
)
from dprisk.documents.saying import say
from dprisk.errors import NotInstalled, one_of
from dprisk.guarantees.words import in_words
from dprisk.progress import report
from dprisk.tables.question import OUTPUTS
from dprisk.text import Language, count, decimal, fill, language, spoken

if TYPE_CHECKING:
    from dprisk.documents.assessing import Assessment, Statement
    from dprisk.tables.question import TableQuestion
    from dprisk.tables.summary import TableSummary

ROOM = "dprisk.documents"


def whole_page(document: Document) -> str:
    """One file: style, drawings and data inside, nothing fetched, nothing run."""
    template = "summary.html.j2" if document.sheet else "report.html.j2"
    with language(document.language):
        return page(
            ROOM,
            template,
            **_values(document),
            subtitle=document.subtitle,
            footer=document.footer,
            skip=fill("report.page.skip"),
            drawing=lambda figure: pasted(figure.svg),
            tree=document.data,
        )


def fragment(document: Document) -> str:
    """The same sections without a page around them; names that no other document uses."""
    content = json.dumps(document.data, sort_keys=True, allow_nan=False) + document.title
    own = "r" + hashlib.sha256(content.encode()).hexdigest()[:10]

    def drawing(figure: Figure) -> Any:
        return pasted(figure.svg.decode().replace("fig-", f"{own}-"))

    with language(document.language):
        return page(ROOM, "fragment.html.j2", **_values(document), drawing=drawing)


def _values(document: Document) -> dict[str, Any]:
    from dprisk import __version__

    return {
        "title": document.title,
        "sections": document.sections,
        "say": fill,
        "language": spoken(),
        "version": __version__,
    }


PRINTING = "laying out pages"
POINTS = 9.5
SHRUNK = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6)


def printer() -> Any:
    """The library that prints, which is an extra."""
    try:
        with redirect_stdout(None), _no_compilers():  # it prints advice for those who install it
            import weasyprint
    except ImportError:
        raise NotInstalled(
            "A PDF needs WeasyPrint, which is not installed: run pip install 'dprisk[pdf]', or "
            "write .html and print it from a browser."
        ) from None
    except OSError as error:  # a library of the system that it looks for by name
        named = re.search(r"library '([^']+)'", str(error))
        missing = named[1] if named else "libpango-1.0-0"
        raise NotInstalled(
            f"A PDF needs Pango, and the library {missing} is missing here. Install Pango, such as "
            "apt install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0, or write .html and "
            "print it from a browser."
        ) from None
    return weasyprint


@contextmanager
def _no_compilers() -> Iterator[None]:
    """Libraries are opened by name alone: to find others on Linux, ctypes runs whatever gcc is."""
    known: Any = util.find_library
    if sys.platform == "linux":
        util.find_library = lambda name: None
    try:
        yield
    finally:
        util.find_library = known


@cache
def can_print() -> bool:
    """Whether the library is there, and the libraries of the system that it needs."""
    try:
        printer()
    except NotInstalled:
        return False
    return True


def printed(page: str, *, pages: int | None = None) -> bytes:
    """A tagged PDF; in smaller letters if it has to fit on so many pages."""
    report(PRINTING, 0, 2)
    found = laid_out(page, pages)
    report(PRINTING, 1, 2)
    content: bytes = found.write_pdf(pdf_variant="pdf/ua-1")
    report(PRINTING, 2, 2)
    return content


def laid_out(page: str, pages: int | None = None) -> Any:
    """The pages before they are written."""
    library = printer()
    source = library.HTML(string=page, url_fetcher=_nothing)
    for size in SHRUNK:
        letters = f"body.dprisk.page {{ font-size: {size * POINTS}pt !important }}"
        found = source.render(stylesheets=[library.CSS(string=letters)], pdf_variant="pdf/ua-1")
        if pages is None or len(found.pages) <= pages:
            break
    return found


def _nothing(url: str, *_: Any, **__: Any) -> NoReturn:
    raise ValueError(url)


COLUMNS = ("quantity", "prior", "at least", "at most", "theorem")


def as_html(assessment: Assessment) -> str:
    """The findings of every statement, with their theorems and assumptions."""
    name = escape(assessment.release.name)
    if not assessment.statements:
        return f"<p><strong>{name}</strong>: {escape(assessment.reason)}</p>"
    tables = "".join(_findings(statement) for statement in assessment.statements)
    said = named("dprisk.documents", "promises:contradictions")(assessment.release)
    false = "".join(f"<p>{escape(line)}</p>" for line in said)
    return f"<p><strong>{name}</strong></p>{false}{tables}"


def _findings(statement: Statement) -> str:
    head = "".join(f"<th>{name}</th>" for name in COLUMNS)
    rows = "".join(
        f"<tr><td>{finding.metric}</td>"
        f"<td>{'every prior' if finding.prior is None else finding.prior}</td>"
        f"<td>{rounded(finding.lower, 'at least', 4)}</td>"
        f"<td>{rounded(finding.upper, 'at most', 4)}</td>"
        f"<td>{escape(str(finding.theorem))}</td></tr>"
        for finding in statement.findings
    )
    caption = escape(f"{in_words(statement.composed.guarantee)}, {statement.label}")
    notes = "".join(f"<li>{escape(line)}</li>" for line in statement.loss.assumptions)
    return f"<table><caption>{caption}</caption><tr>{head}</tr>{rows}</table><ul>{notes}</ul>"


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
        return whole_page(self)

    def _repr_html_(self) -> str:
        """The same for a notebook: static, no scripts, no requests."""
        return fragment(self)

    def to_markdown(self) -> str:
        """Plain text with marks, for CommonMark and GitHub; tables stand for drawings."""
        return as_markdown(self)

    def to_json(self) -> str:
        """The data behind it, as strict JSON."""
        return in_json(self.data)

    def to_pdf(self) -> bytes:
        """PDF/UA-1 by WeasyPrint (``pip install 'dprisk[pdf]'``); a summary is one page of A4."""
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


def table_page(asked: TableQuestion, made: TableSummary, *, name: str) -> str:
    """A page that says how many rows of a table are at which risk.

    Parameters
    ----------
    asked : TableQuestion
        What was asked of every row.
    made : TableSummary
        What `dprisk.tables.run` returned.
    name : str
        The file of the table.

    Returns
    -------
    str
        HTML with its style, its drawings and the counts as JSON; it fetches nothing.

    Examples
    --------
    >>> from dprisk.tables import TableQuestion
    >>> from dprisk.tables.summary import TableSummary
    >>> from dprisk.documents.rendering import table_page
    >>> constants = {"definition": "pure", "neighbors": "add-remove", "prior": 0.1}
    >>> asked = TableQuestion(["posterior_at_most"], {"epsilon": "eps"}, constants)
    >>> counts = (0, 70, 20, 10, 0, 0, 0, 0, 0, 0)
    >>> made = TableSummary(100, histograms={"posterior_at_most": counts})
    >>> "For 90 of 100 rows" in table_page(asked, made, name="risk.parquet")
    True
    """
    from dprisk import __version__

    return Document(
        made.say("table.page.title", name=name),
        (
            _rows(made),
            _limits(made),
            _unread(made),
            _question(asked, made),
            _assumed(asked, made),
        ),
        made.say("table.done", rows=count(made.rows), read=count(made.rows - made.invalid)),
        fill("table.page.footer", version=__version__),
        spoken(),
        made.to_dict(),
    ).to_html()


def _rows(made: TableSummary) -> Section:
    """A picture of each column that is a probability, those with a limit first."""
    from dprisk.curves import draw_rows

    found: list[Block] = [
        figure(output.replace("_", "-"), draw_rows(made, output))
        for output in sorted(made.histograms, key=lambda each: each not in made.limits)
    ]
    return Section(made.say("table.page.rows"), tuple(found) or (say("table.page.no-picture"),))


def _limits(made: TableSummary) -> Section:
    """How many rows are above each limit."""
    title = fill("table.heading.limits")
    if not made.limits:
        return Section(title, (say("table.page.no-limit"),))
    rows = []
    for name, limit in made.limits.items():
        kept = fill(f"table.page.kept.{'no' if made.above[name] else 'yes'}")
        rows.append((name, _shown(limit), count(made.above[name]), kept))
    columns = ("output", "limit", "above", "kept")
    said = tuple(made.say(f"table.page.column.{name}") for name in columns)
    return Section(title, (Table(made.say("table.page.limits"), said, tuple(rows)),))


def _unread(made: TableSummary) -> Section:
    said = tuple(
        made.say(f"table.reason.{name}", rows=count(rows)) for name, rows in made.reasons.items()
    )
    blocks = (Items(said),) if said else (Sentence(made.say("table.page.all-read")),)
    return Section(made.say("table.heading.reasons"), blocks)


def _question(asked: TableQuestion, made: TableSummary) -> Section:
    """Facts on a table: what each row says, what is the same in all of them, what was added."""
    facts = [
        (name, fill("table.page.by-column", column=text)) for name, text in asked.columns.items()
    ]
    facts += [(name, _shown(value)) for name, value in asked.constants.items()]
    for name in asked.outputs:
        direction = OUTPUTS[name].direction.replace(" ", "-")
        facts.append((name, fill(f"table.page.direction.{direction}")))
    return Section(made.say("table.page.asked"), (Facts(tuple(facts)),))


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else decimal(f"{value:.12g}")


def _assumed(asked: TableQuestion, made: TableSummary) -> Section:
    keys = ["promise", "one-step"]
    if asked.from_losses:
        sure = {"confidence", "failure"} & {*asked.columns, *asked.constants}
        bounded = asked.definitions == ("pure",)
        keys.append("always" if bounded else "given" if sure else "unasked")
    said = tuple(made.say(f"table.page.{key}") for key in keys)
    return Section(fill("report.title.assumed"), (Items(said),))
