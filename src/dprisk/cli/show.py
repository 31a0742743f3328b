"""Text on a terminal or in a pipe: the same rows, drawn by rich or aligned with spaces."""

from __future__ import annotations

import json
import math
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from textwrap import fill as folded
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import typer

from dprisk.explain.rounding import at_least, at_most
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.assessment import Assessment, Statement
    from dprisk.releases.release import Release

WIDTH = 100
CELL = 44
VACUOUS = 4.0
# What a terminal may obey, or cannot encode, although JSON lets it stand for itself.
UNSEEN = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """Text that a terminal shows and does not obey: control characters are written out."""
    return "".join(
        letter if letter.isprintable() else " " if letter.isspace() else ascii(letter)[1:-1]
        for letter in text
    )


def belief(prior: float) -> str:
    """A prior as it was given: rounded, one near 1 would look certain."""
    short = f"{prior:g}"
    return short if float(short) == prior else repr(prior)


def share(bound: float, *, certain: bool = False) -> str:
    """An upper bound on a probability: nearly certain is said to be so, not written out."""
    return fill("cli.share.top") if bound > 0.9999 and not certain else at_most(bound)


def as_json(data: Any) -> None:
    """Print plain data as JSON; there is no NaN in it."""
    plain = not (sys.stdout.encoding or "").lower().startswith("utf")
    text = json.dumps(data, indent=2, ensure_ascii=plain, allow_nan=False)
    typer.echo(UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


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


def heading(text: str) -> None:
    """Print a heading."""
    typer.echo(f"\n{text}")


def in_full(assessment: Assessment) -> None:
    """Print an assessment with every number, its theorem and its assumptions."""
    from dprisk.explain import describe
    from dprisk.explain.wording import consequences

    release = assessment.release
    title(release)
    if not assessment.statements:
        lines([fill("cli.show.silent", reason=assessment.reason)], "")
    for statement in assessment.statements:
        typer.echo()
        lines([describe(release, statement)], "")
        typer.echo()
        _beliefs(statement)
        heading(fill("cli.heading.how"))
        lines(_how(statement))
        heading(fill("cli.heading.assumed"))
        lines(statement.loss.assumptions)
    if assessment.statements:
        heading(fill("cli.heading.words"))
        lines(consequences(assessment))
    limits(assessment)
    if release.invariants:
        heading(fill("cli.heading.invariants"))
        lines(release.invariants)
    if release.notes:
        heading(fill("cli.heading.notes"))
        lines([fill("cli.note", kind=note.kind, text=note.text) for note in release.notes])
    if release.source:
        heading("Source")
        lines(release.source)


def in_brief(assessment: Assessment) -> None:
    """Print an assessment in two or three sentences."""
    from dprisk.explain import describe, headline

    release = assessment.release
    title(release)
    for statement in assessment.statements:
        lines([describe(release, statement)], "  ")
    lines([headline(assessment)], "  ")
    limits(assessment)
    lines([fill("cli.note", kind=note.kind, text=note.text) for note in release.notes], "  ! ")


def title(release: Release) -> None:
    """Print what is released, and by whom."""
    by = f", {release.curator}" if release.curator else ""
    typer.echo(printable(f"{release.name}{by}"))


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
    table(
        [
            fill("cli.column.before"),
            fill("cli.column.after-least"),
            fill("cli.column.after-most"),
            fill("cli.column.change"),
            fill("cli.column.ratio"),
        ],
        rows,
    )


def _moves(statement: Statement, prior: float | None) -> list[str]:
    change, ratio = statement.find("difference", prior), statement.find("ratio", prior)
    largest = share(max(change.upper, -change.lower))
    at = fill("cli.show.from", prior=f"{change.worst_priors[1]:.3g}") if change.worst_priors else ""
    return [largest + at, at_most(ratio.upper)]


def _how(statement: Statement) -> list[str]:
    from dprisk.explain.wording import how_composed

    loss, composed = statement.loss, statement.composed
    errs = fill("cli.exact") if loss.bound == "exact" else fill("cli.upper")
    factor = statement.find("odds").upper
    odds = at_most(factor) if math.isfinite(factor) else fill("cli.show.beyond")
    made = [
        fill(
            "cli.show.log-odds",
            loss=at_most(float(loss), 6),
            odds=odds,
            errs=errs,
            theorem=loss.theorem,
            says=loss.theorem.says,
        ),
        fill("cli.show.bayes"),
    ]
    rule = composed.theorem
    if len(statement.parts) > 1 or rule.place != "Definition 2.1":
        made.insert(0, how_composed(composed))
    if loss.bound != "exact" and loss.other_end is not None:
        low, high = at_least(float(loss.other_end), 9), at_most(float(loss), 9)
        made.insert(len(made) - 1, fill("cli.show.certified", low=low, high=high))
    made += [fill("cli.lossy", text=text) for text in composed.lossy]
    known = all(part.mechanism is not None for part in statement.parts)
    if float(loss) >= VACUOUS:
        made.append(fill("cli.show.little" if known else "cli.show.little.any"))
    return made


def limits(assessment: Assessment) -> None:
    for limit in assessment.limits:
        verdict = fill("cli.kept") if limit.kept else fill("cli.not-kept")
        where = (
            fill("cli.every-prior")
            if limit.prior is None
            else fill("cli.show.prior", prior=belief(limit.prior))
        )
        why = fill("cli.show.most", at_most=at_most(limit.at_most), where=where)
        if not assessment.statements:
            why = fill("cli.show.no-number")
        typer.echo(
            fill(
                "cli.show.limit",
                metric=limit.metric,
                most=belief(limit.limit),
                verdict=verdict,
                why=why,
            )
        )
