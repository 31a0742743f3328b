"""Documents on a terminal or in a pipe: the same rows, drawn by rich or aligned with spaces."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from textwrap import fill as fold
from textwrap import wrap
from threading import Timer
from typing import TYPE_CHECKING, Any

import typer

from dprisk._values import escaped, printable, written
from dprisk.progress import Step, progress

if TYPE_CHECKING:
    from dprisk._asking.answers import Block

WIDTH = 100
CELL = 44
MOMENT = 1.0  # seconds


def as_json(data: Any) -> None:
    """Print results or plain data as JSON; there is no NaN in it."""
    ascii_only = not (sys.stdout.encoding or "").lower().startswith("utf")
    typer.echo(written(data, ascii_only=ascii_only), nl=False)


def as_it_is(text: str) -> None:
    """Print text unwrapped, with letters that a terminal would obey written out."""
    typer.echo(escaped(text), nl=False)


def document(blocks: Iterable[Block]) -> None:
    """Print a document: its parts, with a line between them."""
    for at, block in enumerate(blocks):
        if at:
            typer.echo()
        _print(block)


def _print(block: Block) -> None:
    from dprisk.documents.document import Items, Section, Table

    match block:
        case Section(title=title):
            lines([title])
            for at, inside in enumerate((*block.blocks, *block.inside)):
                if at:
                    typer.echo()
                _print(inside)  # type: ignore[arg-type]
        case Items(items=items):
            lines(items, "- ")
        case Table():
            if block.caption:
                lines([block.caption])
            _print_table(block.columns, block.rows)
        case _:
            lines([block if isinstance(block, str) else block.text])


def _print_table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    rows = [[printable(cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table as RichTable

        drawn = RichTable()
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


def lines(texts: Iterable[str], mark: str = "") -> None:
    """Print paragraphs, wrapped, each with a mark."""
    terminal = shutil.get_terminal_size((WIDTH, 24)).columns if sys.stdout.isatty() else WIDTH
    for text in texts:
        typer.echo(
            fold(
                printable(text),
                max(20, min(WIDTH, terminal)),
                initial_indent=mark,
                subsequent_indent=" " * len(mark),
                break_long_words=False,
                break_on_hyphens=False,
            )
        )


# --- while somebody waits ------------------------------------------------------------------------


@contextmanager
def waiting(task: str) -> Iterator[Callable[[], None]]:
    """Show on a terminal what takes longer than a second, and how far its stages are."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console

    status = Console(stderr=True).status(task)
    timer = Timer(MOMENT, status.start)
    timer.daemon = True
    timer.start()
    stages: list[Step] = []

    def listen(step: Step) -> None:
        stages[:] = nested(stages, step)
        status.update(f"{task} ({', '.join(map(str, stages))})")

    def stop() -> None:
        timer.cancel()
        timer.join()
        status.stop()

    try:
        with progress(listen):
            yield stop
    finally:
        stop()


def nested(stages: list[Step], step: Step) -> list[Step]:
    """The stages that run, outermost first, after one more step."""
    names = [each.stage for each in stages]
    outer = stages[: names.index(step.stage)] if step.stage in names else stages
    return [*(each for each in outer if each.done < each.total), step]
