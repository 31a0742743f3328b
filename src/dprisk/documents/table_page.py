"""One page on a table of risk: pictures, limits, what was asked and assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dprisk.documents.blocks import Block, Facts, Items, Section, Sentence, Table
from dprisk.documents.document import Document
from dprisk.documents.reports.figures import of_rows
from dprisk.tables.question import OUTPUTS
from dprisk.text import count, decimal, fill, spoken

if TYPE_CHECKING:
    from dprisk.tables import TableQuestion
    from dprisk.tables.summary import TableSummary


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
    >>> from dprisk.documents.table_page import table_page
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
        _counted(made),
        fill("table.page.footer", version=__version__),
        spoken(),
        made.to_dict(),
    ).to_html()


def _counted(made: TableSummary) -> str:
    return made.say("table.done", rows=count(made.rows), read=count(made.rows - made.invalid))


def _rows(made: TableSummary) -> Section:
    """A picture of each column that is a probability, those with a limit first."""
    found: list[Block] = [
        of_rows(made, output)
        for output in sorted(made.histograms, key=lambda each: each not in made.limits)
    ]
    return Section(
        made.say("table.page.rows"), tuple(found) or (Sentence(fill("table.page.no-picture")),)
    )


def _limits(made: TableSummary) -> Section:
    """How many rows are above each limit."""
    if not made.limits:
        return Section(fill("table.heading.limits"), (Sentence(fill("table.page.no-limit")),))
    columns = ("output", "limit", "above", "kept")
    rows = tuple(
        (
            name,
            decimal(f"{limit:.12g}"),
            count(made.above[name]),
            fill(f"table.page.kept.{'no' if made.above[name] else 'yes'}"),
        )
        for name, limit in made.limits.items()
    )
    heads = tuple(made.say(f"table.page.column.{name}") for name in columns)
    return Section(
        fill("table.heading.limits"), (Table(made.say("table.page.limits"), heads, rows),)
    )


def _unread(made: TableSummary) -> Section:
    said = tuple(
        made.say(f"table.reason.{name}", rows=count(rows)) for name, rows in made.reasons.items()
    )
    blocks = (Items(said),) if said else (Sentence(made.say("table.page.all-read")),)
    return Section(made.say("table.heading.reasons"), blocks)


def _question(asked: TableQuestion, made: TableSummary) -> Section:
    """Facts on a table: what each row says, what is the same in all of them, what was added."""
    given = [
        *(
            (name, fill("table.page.by-column", column=text))
            for name, text in asked.columns.items()
        ),
        *((name, _shown(value)) for name, value in asked.constants.items()),
    ]
    added = [
        (name, fill(f"table.page.direction.{OUTPUTS[name].direction.replace(' ', '-')}"))
        for name in asked.outputs
    ]
    return Section(made.say("table.page.asked"), (Facts((*given, *added)),))


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else decimal(f"{value:.12g}")


def _assumed(asked: TableQuestion, made: TableSummary) -> Section:
    keys = ["promise", "one-step"]
    if asked.from_losses:
        sure = {"confidence", "failure"} & {*asked.columns, *asked.constants}
        bounded = asked.definitions == ("pure",)
        keys.append("always" if bounded else "given" if sure else "unasked")
    return Section(
        fill("report.title.assumed"), (Items(tuple(made.say(f"table.page.{key}") for key in keys)),)
    )
