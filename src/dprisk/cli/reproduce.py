"""``dprisk reproduce``: the papers, figure by figure and number by number."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dprisk._asking import options
from dprisk._asking.options import Texts, argument, option
from dprisk._values import printable
from dprisk.cli import show
from dprisk.cli.output import Output
from dprisk.cli.waiting import waiting
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.papers.reproduction import Item, Reproduction

KINDS = ("figure", "table")


def reproduce(
    *,
    which: Annotated[Texts, argument("help.reproduce.which", "PAPER | ITEM")] = None,
    out: Annotated[Path, option("help.reproduce.out", "FOLDER", "--out", "-o")] = Path(
        "reproduction"
    ),
    listed: Annotated[bool, option("help.reproduce.list", None, "--list")] = False,
    figures: Annotated[bool, option("help.reproduce.figures")] = True,
    force: options.Force = False,
    output: Output,
) -> None:
    """Compute the papers again; exit code 3 if a verdict is not the one known for the print."""
    from dprisk.papers import items, reproduce, write_reproduction
    from dprisk.papers.pages import check_folder

    chosen = items(which or [])
    if listed:
        output.show(
            [_plain(item) for item in chosen],
            lambda: typer.echo("\n".join(item.key for item in chosen)),
            lambda: _list(chosen),
        )
        return
    check_folder(out, chosen, force=force)
    with waiting("reproduce"):
        made = reproduce(which or [])
    with waiting("write"):
        written = write_reproduction(made, out, figures=figures, force=force)
    output.show(
        made,
        lambda: typer.echo(printable(str(written[0]))),
        lambda: _in_full(made, written),
        kept=not made.unexpected,
    )


def _list(found: tuple[Item, ...]) -> None:
    rows = [[item.key, item.place, str(len(item.prints)), item.shows] for item in found]
    show.table(show.columns("item", "where", "prints", "shows"), rows)


def _plain(item: Item) -> dict[str, object]:
    named = {name: getattr(item, name) for name in ("key", "kind", "label", "place", "shows")}
    return {**named, "prints": [each.what for each in item.prints]}


def _in_full(made: Reproduction, written: tuple[Path, ...]) -> None:
    from dprisk.papers.prints import VERDICTS

    rows = []
    for paper in made.papers:
        counts, parts = made.counts(paper), made.of(paper)
        kinds = [sum(part.item.kind == kind for part in parts) for kind in KINDS]
        rows.append([paper, *map(str, [*kinds, *counts.values()])])
    show.table(show.columns("paper", "figures", "tables", *VERDICTS), rows)
    show.section("cli.heading.unexpected", made.unexpected)
    typer.echo()
    show.lines([fill("cli.reproduce.written", files=len(written), first=written[0])], "")
