"""The command line: each command parses, makes one library call and renders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy
from dprisk.cli.ending import main

if TYPE_CHECKING:
    from dprisk.cli.commands import app

__all__ = ["app", "main"]

__getattr__, __dir__ = lazy(__name__, {"app": "dprisk.cli.commands"})
