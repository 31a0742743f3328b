"""``dprisk reproduce``: the papers, figure by figure and number by number."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dprisk.cli import options, show
from dprisk.cli.waiting import waiting
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.papers import Item, Reproduction


def reproduce(
    which: Annotated[
        list[str] | None,
        typer.Argument(help=fill("help.reproduce.which")),
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help=fill("help.reproduce.out"))] = Path(
        "reproduction"
    ),
    listed: Annotated[bool, typer.Option("--list", help=fill("help.reproduce.listed"))] = False,
    figures: Annotated[bool, typer.Option(help=fill("help.reproduce.figures"))] = True,
    force: options.Force = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """The papers computed again: figures and tables as files, and each printed number beside ours.

    Exit code 3 if a verdict is not the one that is known for the print.
    """
    from dprisk.papers import items, reproduce, write_reproduction

    if listed:
        _list(items(which or []), json, quiet)
        return
    from dprisk.papers.writing import check_folder

    check_folder(out, items(which or []), force=force)
    with waiting("Computing"):
        made = reproduce(which or [])
    with waiting("Writing"):
        written = write_reproduction(made, out, figures=figures, force=force)
    if json:
        show.as_json(made.to_dict())
    elif quiet:
        typer.echo(show.printable(str(written[0])))
    else:
        _in_full(made, written)
    if made.unexpected:
        raise typer.Exit(3)


def _list(found: tuple[Item, ...], json: bool, quiet: bool) -> None:
    if json:
        show.as_json([_plain(item) for item in found])
    elif quiet:
        typer.echo("\n".join(item.key for item in found))
    else:
        rows = [[item.key, item.place, str(len(item.prints)), item.shows] for item in found]
        show.table(["item", "where", "prints", fill("cli.reproduce.shows")], rows)


def _plain(item: Item) -> dict[str, object]:
    return {
        "key": item.key,
        "kind": item.kind,
        "label": item.label,
        "place": item.place,
        "shows": item.shows,
        "prints": [each.what for each in item.prints],
    }


def _in_full(made: Reproduction, written: tuple[Path, ...]) -> None:
    rows = []
    for paper in made.papers:
        counts = made.counts(paper)
        parts = made.of(paper)
        kinds = [sum(part.item.kind == kind for part in parts) for kind in ("figure", "table")]
        rows.append([paper, *map(str, kinds), *(str(number) for number in counts.values())])
    show.table(["paper", "figures", "tables", "match", "rounding", "erratum", "differs"], rows)
    if made.unexpected:
        show.heading(fill("cli.heading.unexpected"))
        show.lines(made.unexpected)
    typer.echo()
    files = fill("cli.reproduce.files", written=len(written))
    show.lines([fill("cli.reproduce.written", files=files, written=written[0])], "")
