"""``dprisk reproduce``: the papers, figure by figure and number by number."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dprisk.cli import options, show

if TYPE_CHECKING:
    from dprisk.papers import Item, Reproduction

Tell = Callable[[int, int], None]


def reproduce(
    which: Annotated[
        list[str] | None,
        typer.Argument(
            help="Papers, such as P0, or items, such as P0/figure-3; all of them if left out."
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The folder to write to; it is made if need be.")
    ] = Path("reproduction"),
    listed: Annotated[
        bool, typer.Option("--list", help="Only list the items and how many prints are checked.")
    ] = False,
    figures: Annotated[bool, typer.Option(help="Draw the figures, beside their numbers.")] = True,
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
    with _bar("Computing") as told:
        made = reproduce(which or [], progress=told)
    with _bar("Writing") as told:
        written = write_reproduction(made, out, figures=figures, force=force, progress=told)
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
        show.table(["item", "where", "prints", "what it shows"], rows)


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
        show.heading("Not as expected")
        show.lines(made.unexpected)
    typer.echo()
    files = f"{len(written)} files"
    show.lines([f"Written: {files}. Begin with {written[0]}, which says why for each erratum."], "")


@contextmanager
def _bar(text: str) -> Iterator[Tell]:
    """A progress bar on stderr, for whoever sits at a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(text, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
