"""The command line: each command parses, makes one library call and renders."""

from dprisk.cli.app import app, main

__all__ = ["app", "main"]
