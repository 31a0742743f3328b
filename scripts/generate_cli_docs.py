"""Write docs/cli.md from what ``dprisk --help`` and the help of each command print.

Usage: generate_cli_docs.py [--check]

With ``--check`` nothing is written; the exit code says whether the page is current.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# The same page on every machine; Typer reads these when it is imported.
os.environ.update(
    {
        "COLUMNS": "80",
        "TERMINAL_WIDTH": "80",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "_TYPER_FORCE_DISABLE_TERMINAL": "1",
    }
)

PAGE = Path(__file__).parents[1] / "docs" / "cli.md"
HEAD = """\
# Command line

This page is what `dprisk --help` and `dprisk COMMAND --help` print.
"""


def helps(app: Any) -> Iterator[tuple[str, str]]:
    """Each command of a Typer application, from the top, with its help."""
    from typer.main import get_command
    from typer.testing import CliRunner

    todo: list[tuple[list[str], Any]] = [([], get_command(app))]
    while todo:
        path, command = todo.pop(0)
        shown = CliRunner().invoke(app, [*path, "--help"], prog_name="dprisk")
        if shown.exit_code:
            raise SystemExit(f"{' '.join(path)} --help fails:\n{shown.output}")
        yield " ".join(["dprisk", *path]), shown.output
        below = getattr(command, "commands", {})
        todo = [([*path, name], c) for name, c in below.items() if not c.hidden] + todo


def page(app: Any) -> str:
    """The whole page."""
    parts = [HEAD]
    for name, text in helps(app):
        lines = "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
        parts.append(f"## {name}\n\n```text\n$ {name} --help\n{lines}\n```\n")
    return "\n".join(parts)


def main() -> int:
    """Write the page, or say whether it is current."""
    from dprisk.cli import application

    text = page(application())
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        print(f"docs/{PAGE.name} is not what --help prints; run: make fix", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
