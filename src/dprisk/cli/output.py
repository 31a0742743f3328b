"""What a command prints, and with which exit code it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import typer

from dprisk._asking.options import option
from dprisk.cli import show


class Output(NamedTuple):
    """What is printed, and the exit code."""

    json: Annotated[bool, option("help.option.json", None, "--json")] = False
    quiet: Annotated[bool, option("help.option.quiet", None, "--quiet", "-q")] = False

    def show(
        self,
        made: Any,
        brief: Callable[[], object],
        full: Callable[[], object],
        *,
        kept: bool = True,
    ) -> None:
        """Print a result as JSON, in brief or in full; exit code 3 if it keeps too little."""
        if self.json:
            show.as_json(made)
        else:
            (brief if self.quiet else full)()
        if not kept:
            raise typer.Exit(3)
