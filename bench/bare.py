"""The least that a typer and rich program can do: one command, one table with one row."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

app = typer.Typer()


@app.command()
def show(epsilon: Annotated[float, typer.Option(help="Privacy loss limit.")] = 1.0) -> None:
    """Print a table with one row."""
    table = Table()
    table.add_column("quantity")
    table.add_column("value")
    table.add_row("epsilon", str(epsilon))
    Console().print(table)


if __name__ == "__main__":
    app()
