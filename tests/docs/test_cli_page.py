"""docs/cli.md has what ``--help`` prints."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import typer

SCRIPT = Path(__file__).parents[2] / "scripts" / "generate_cli_docs.py"


def check(script):
    """The generator's verdict, from a process of its own."""
    command = [sys.executable, script, "--check"]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_page_is_current():
    done = check(SCRIPT)
    assert done.returncode == 0, done.stderr


def test_an_old_page_is_caught(tmp_path):
    (tmp_path / "scripts").mkdir()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "cli.md").write_text("old")
    copy = tmp_path / "scripts" / SCRIPT.name
    copy.write_text(SCRIPT.read_text(encoding="utf-8"))
    done = check(copy)
    assert done.returncode == 1
    assert "make fix" in done.stderr


@patch.dict(os.environ)  # puts back afterwards what the script sets
def test_page_has_every_command():
    app, group = typer.Typer(), typer.Typer()
    app.command("assess", help="Look at a release.")(lambda: None)
    app.command("secret", hidden=True)(lambda: None)
    group.command("list", help="List them.")(lambda: None)
    app.add_typer(group, name="deployments")
    page = runpy.run_path(str(SCRIPT))["page"](app)
    heads = [line for line in page.splitlines() if line.startswith("## ")]
    assert heads == [
        "## dprisk",
        "## dprisk assess",
        "## dprisk deployments",
        "## dprisk deployments list",
    ]
    assert "Look at a release." in page


@patch.dict(os.environ)
def test_options_of_several_commands_are_explained_once():
    """Their most common words; a command with others has its own."""
    app = typer.Typer(rich_markup_mode=None)
    for name, said in {"a": "How large.", "b": "How large.", "c": "How loud."}.items():
        option = typer.Option(1, help=said)
        app.command(name)(lambda size=option: None)
    text = runpy.run_path(str(SCRIPT))["page"](app)
    above, *_, a, b, c = text.split("## ")
    assert text.count("How large.") == 1 and "How large." in above
    assert "As above: --size, --help" in a and "As above: --size, --help" in b
    assert "As above: --help" in c and "How loud." in c
