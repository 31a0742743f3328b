"""``dprisk page``: one HTML file in which a promise can be moved and read as risk."""

from __future__ import annotations

from typing import Annotated

import typer

from dprisk._asking import options
from dprisk._asking.options import FILE, option
from dprisk._values import printable
from dprisk.cli.waiting import waiting


def page(
    *,
    target: Annotated[str, option("help.page.output", FILE, "--output", "-o")] = "dprisk.html",
    force: options.Force = False,
    quiet: Annotated[bool, option("help.option.quiet", None, "--quiet", "-q")] = False,
) -> None:
    """Write the interactive page."""
    from dprisk._files import check_places
    from dprisk.page import save_page

    check_places([target], force=force)
    with waiting("assess"):
        save_page(target, force=force)
    if not quiet:
        typer.echo(printable(target))
