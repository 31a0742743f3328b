"""``dprisk page``: one HTML file in which a promise can be moved and read as risk."""

from __future__ import annotations

from typing import Annotated

import typer

from dprisk.cli import options, show
from dprisk.cli.waiting import waiting
from dprisk.text import fill


def page(
    output: Annotated[
        str, typer.Option("--output", "-o", help=fill("page.help.output"))
    ] = "dprisk.html",
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Write the interactive page: one HTML file that works without a network or a server."""
    from dprisk._files import check_places
    from dprisk.page import save_page

    check_places([output], force=force)
    with waiting("Assessing the published releases"):
        save_page(output, force=force)
    if not quiet:
        typer.echo(show.printable(output))
