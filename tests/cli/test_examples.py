"""The files in examples/ and the commands that the help names: as a newcomer runs them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.cli.running import run

ROOT = Path(__file__).parents[2]
EXAMPLE = re.compile(r"^  Example: dprisk (.*(?:\n {4,}\S.*)*)", re.MULTILINE)


def test_the_demo_assesses_every_release(monkeypatch):
    """The same files as `make demo`, which is the first command of the README."""
    monkeypatch.chdir(ROOT)
    (pattern,) = set(re.findall(r"dprisk assess (\S+)", (ROOT / "Makefile").read_text()))
    files = sorted(str(path) for path in Path().glob(pattern))
    assert len(files) >= 5
    assert run("assess", *files).code == 0


def test_every_file_that_the_help_names_is_there():
    """In examples that are typed off."""
    lines = EXAMPLE.findall((ROOT / "docs/cli.md").read_text())
    words = [word for line in lines for word in shlex.split(line)]
    files = [word for word in words if word.startswith("examples/")]
    assert len(files) >= 3
    missing = [name for name in files if not (ROOT / name).exists()]
    assert not missing
