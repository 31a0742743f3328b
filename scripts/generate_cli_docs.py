"""Write docs/cli.md from what ``dprisk --help`` and the help of each command print.

An option that reads the same in several commands is explained once, before all commands.

Usage: generate_cli_docs.py [--check]

With ``--check`` nothing is written; the exit code says whether the page is current.
"""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections import Counter
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

This page has what `dprisk --help` and `dprisk COMMAND --help` print. Options that read the same
in several commands are explained once, in this list; each command names those that it takes:
"""
OPTION = re.compile(r"^  -.*\n(?:   .*\n)*", re.MULTILINE)  # with the lines that go on


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
    texts = {name: _clean(text) for name, text in helps(app)}
    counts = Counter(_option(one) for text in texts.values() for one in OPTION.findall(text))
    shared = dict(option for option, count in reversed(counts.most_common()) if count > 1)
    listed = "\n".join(
        _filled(words, f"  {name:24}")
        for name, words in sorted(shared.items(), key=lambda x: x[0][1:])
    )
    parts = [HEAD, f"```text\n{listed}\n```\n"]
    for name, text in texts.items():
        parts.append(f"## {name}\n\n```text\n$ {name} --help\n{_shortened(text, shared)}```\n")
    return "\n".join(parts)


def _clean(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.strip("\n").splitlines())


def _option(text: str) -> tuple[str, str]:
    """The option and what is said about it, however wide the columns are."""
    name, _, words = text.strip().partition("  ")
    return name, " ".join(words.split())


def _filled(words: str, first: str) -> str:
    """The words in lines of 80 characters, below the end of `first`."""
    below = " " * len(first)
    return textwrap.fill(
        words, 80, initial_indent=first, subsequent_indent=below, break_on_hyphens=False
    )


def _shortened(text: str, shared: dict[str, str]) -> str:
    """The help, with no more than the names of options that are explained above."""
    above = [one for one in OPTION.findall(text) if _option(one) in shared.items()]
    names = re.findall(r"^  (?:-\w, )?(--[\w-]+)", "".join(above), re.MULTILINE)
    for one in above:
        text = text.replace(one, "", 1)
    named = _filled(", ".join(names), "  As above: ")
    return text.replace("Options:\n", f"Options:\n{named}\n", 1) if above else text


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
