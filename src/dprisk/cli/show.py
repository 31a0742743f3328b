"""Text on a terminal or in a pipe: the same rows, drawn by rich or aligned with spaces."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from textwrap import fill as folded
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import typer

from dprisk._values import escaped, printable, written
from dprisk.composition.basis import basis_of
from dprisk.text import fill
from dprisk.text.rounding import at_least, at_most
from dprisk.theorems import NAMES

if TYPE_CHECKING:
    from dprisk.documents.findings import Assessment, LimitCheck, Statement
    from dprisk.guarantees.composed import Composed
    from dprisk.releases.release import Part, Release

ALMOST = 0.9999  # a chance that is possibly larger is not written out
WIDTH = 100
CELL = 44


def belief(prior: float) -> str:
    """A prior as it was given: rounded, one near 1 would look certain."""
    short = f"{prior:g}"
    return short if float(short) == prior else repr(prior)


def share(bound: float, *, certain: bool = False) -> str:
    """An upper bound on a probability: nearly certain is said to be so, not written out."""
    return fill("cli.share.top") if bound > ALMOST and not certain else at_most(bound)


def most(bound: float, *, certain: bool = False) -> str:
    """The same in a sentence, with its direction."""
    said = share(bound, certain=certain)
    return said if bound > ALMOST and not certain else fill("cli.show.at-most", number=said)


def sure(confidence: float | None) -> str:
    """With certainty, or with what confidence."""
    if confidence is None:
        return fill("cli.sure.always")
    return fill("cli.sure.mostly", confidence=belief(confidence))


def as_json(data: Any) -> None:
    """Print results or plain data as JSON; there is no NaN in it."""
    ascii_only = not (sys.stdout.encoding or "").lower().startswith("utf")
    typer.echo(written(data, ascii_only=ascii_only), nl=False)


def as_it_is(text: str) -> None:
    """Print text unwrapped, with letters that a terminal would obey written out."""
    typer.echo(escaped(text), nl=False)


def columns(*names: str) -> list[str]:
    """The headings of columns, by key."""
    return [fill(f"cli.column.{name}") for name in names]


def table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table."""
    rows = [[printable(cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table

        drawn = Table()
        for header in headers:
            drawn.add_column(header, overflow="fold")
        for row in rows:
            drawn.add_row(*row)
        Console(markup=False, emoji=False, highlight=False).print(drawn)
        return
    folded = [[wrap(cell, CELL) or [""] for cell in row] for row in (headers, *rows)]
    widths = [
        max(len(line) for cell in column for line in cell) for column in zip(*folded, strict=True)
    ]
    folded.insert(1, [["-" * width] for width in widths])
    for cells_of_row in folded:
        for line in zip_longest(*cells_of_row, fillvalue=""):
            cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
            typer.echo("  ".join(cells).rstrip())


def lines(texts: Iterable[str], mark: str = "- ") -> None:
    """Print paragraphs, wrapped, each with a mark."""
    terminal = shutil.get_terminal_size((WIDTH, 24)).columns if sys.stdout.isatty() else WIDTH
    for text in texts:
        typer.echo(
            folded(
                printable(text),
                max(20, min(WIDTH, terminal)),
                initial_indent=mark,
                subsequent_indent=" " * len(mark),
                break_long_words=False,
                break_on_hyphens=False,
            )
        )


def under(title: str) -> None:
    """Print a heading as it is."""
    typer.echo(f"\n{title}")


def heading(key: str, **words: Any) -> None:
    """Print a heading by key."""
    typer.echo()
    lines([fill(key, **words)], "")


def section(key: str, texts: Sequence[str], **words: Any) -> None:
    """Print paragraphs under a heading, where there are any."""
    if texts:
        heading(key, **words)
        lines(texts)


def in_full(assessment: Assessment) -> None:
    """Print an assessment: the headline, then every number, its theorem and its assumptions."""
    from dprisk.documents import headline
    from dprisk.documents.beliefs import other_questions
    from dprisk.documents.promises import describe
    from dprisk.documents.saying import the_record

    release = assessment.release
    title(release)
    typer.echo()
    lines([headline(assessment)], "")
    limits(assessment)
    for at, statement in enumerate(assessment.statements):
        heading("cli.heading.also" if at else "cli.heading.released")
        lines([fill("cli.show.also")] if at else [], "")
        lines([describe(release, statement)], "")
        heading("cli.heading.learned")
        _beliefs(statement)
        typer.echo()
        *compared, every = other_questions(assessment, statement)
        lines([every, *compared])
        if assessment.adversary.secret == "membership" and statement.confidence is not None:
            lines([fill("cli.show.value")])
        section("cli.heading.assumed", [*statement.loss.assumptions, *the_record(release)])
        section("cli.heading.how", _how(statement, release.releases))
    section("cli.heading.invariants", release.invariants)
    section("cli.heading.notes", _notes(release))
    section("cli.heading.source", release.source)


def in_brief(assessment: Assessment) -> None:
    """Print an assessment in two or three sentences."""
    from dprisk.documents import headline
    from dprisk.documents.promises import describe

    release = assessment.release
    title(release)
    lines([headline(assessment)], "  ")
    for statement in assessment.statements:
        lines([describe(release, statement)], "  ")
    limits(assessment)
    lines(_notes(release), "  ! ")


def _notes(release: Release) -> list[str]:
    return [fill(f"note.{note.kind}", text=note.text) for note in release.notes]


def title(release: Release) -> None:
    """Print what is released, and by whom."""
    by = f", {release.curator}" if release.curator else ""
    typer.echo(printable(f"{release.name}{by}"))


def parts(release: Release, key: str, **words: Any) -> None:
    """Print what a release is made of."""
    from dprisk.documents.promises import part_in_words

    many = release.releases > 1
    times = fill("cli.times-over", releases=release.releases) if many else ""
    counted = basis_of(release).parts
    section(key, [part_in_words(part) for part in counted], times=times, **words)


def how(composed: Composed, parts: tuple[Part, ...], releases: int) -> list[str]:
    """How parts were composed, and then what was lost on the way."""
    from dprisk.documents.promises import how_composed

    said = how_composed(composed, parts, releases)
    return [said, *(fill("cli.lossy", text=text) for text in composed.lossy)]


def _beliefs(statement: Statement) -> None:
    rows = []
    at = (f.prior for f in statement.findings if f.metric == "posterior" and f.prior is not None)
    for prior in dict.fromkeys(at):
        after = statement.find("posterior", prior)
        rows.append(
            [
                belief(prior),
                at_least(after.lower),
                share(after.upper, certain=prior == 1.0),
                *_moves(statement, prior),
            ]
        )
    rows.append([fill("cli.every-prior"), "", "", *_moves(statement, None)])
    table(columns("before", "after-least", "after-most", "change", "ratio"), rows)


def _moves(statement: Statement, prior: float | None) -> list[str]:
    change, ratio = statement.find("difference", prior), statement.find("ratio", prior)
    largest = share(change.extent)
    if change.worst_priors and change.extent <= ALMOST:  # there is room for it
        largest += fill("cli.show.from", prior=f"{change.worst_priors[1]:.3g}")
    return [largest, at_most(ratio.upper)]


def _how(statement: Statement, releases: int) -> list[str]:
    loss, found = statement.loss, statement.composed
    factor = statement.find("odds").upper
    whole, *lossy = how(found, statement.parts, releases)
    odds = fill("cli.show.beyond")
    if math.isfinite(factor):
        odds = fill("cli.show.at-most", number=at_most(factor))
    moved = fill(
        "cli.show.log-odds",
        loss=fill("nats.one" if float(loss) == 1.0 else "nats", number=at_most(float(loss), 6)),
        odds=odds,
        errs=fill("cli.exact" if loss.bound == "exact" else "cli.upper"),
        theorem=loss.theorem.named,
        says=loss.theorem.says,
    )
    made = [moved] if found.is_alone else [whole, moved]
    if loss.bound != "exact" and loss.other_end is not None:
        low, high = at_least(float(loss.other_end), 9), at_most(float(loss), 9)
        made.append(fill("cli.show.certified", low=low, high=high))
    made += [fill("cli.show.bayes", work=NAMES["P0"]), *lossy]
    if statement.is_vacuous:
        known = all(part.mechanism is not None for part in statement.parts)
        made.append(fill("cli.show.little" if known else "cli.show.little.any"))
    return made


def limits(assessment: Assessment) -> None:
    """Print whether each limit is kept."""
    for limit in assessment.limits:
        where = fill("cli.every-prior")
        if limit.prior is not None:
            where = fill("cli.show.prior", prior=belief(limit.prior))
        is_factor = limit.metric not in ("posterior", "difference")
        shown = most(limit.at_most, certain=is_factor or limit.limit > ALMOST)
        why = fill("cli.verdict.most-at", most=shown, where=where)
        verdict(limit, why if assessment.statements else fill("cli.verdict.no-number"))


def verdict(limit: LimitCheck, why: str) -> None:
    """Print whether one limit is kept."""
    kept = fill("cli.kept" if limit.kept else "cli.not-kept")
    asked = belief(limit.limit)
    typer.echo(fill("cli.verdict", metric=limit.metric, most=asked, kept=kept, why=why))
