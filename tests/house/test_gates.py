"""The gates that other tools keep can fail: each is shown something that it must refuse."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT

BIN = Path(sys.executable).parent


def run(*command, cwd=ROOT, text=None, env=None):
    """Exit code and output of a command."""
    done = subprocess.run(
        [BIN / command[0], *command[1:]],
        cwd=cwd,
        input=text,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(("path", "refused"), [("src/dprisk/x.py", True), ("tests/x.py", False)])
def test_ruff_refuses_assert_in_the_package_only(path, refused):
    code, output = run(
        "ruff", "check", "--no-cache", "--stdin-filename", path, text="assert __name__\n"
    )
    assert bool(code) is refused
    assert ("S101" in output) is refused


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package to which rooms may be added."""
    directory = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "src", directory / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", directory)
    return directory


@pytest.mark.parametrize(
    ("file", "content", "complaint"),
    [
        ("attic.py", "", "not listed as layers"),
        ("errors.py", "import dprisk.answer", "not allowed to import"),
        ("errors.py", "def f():\n    import rich.table", "not allowed to import rich"),
        ("errors.py", "import pydantic", "not allowed to import pydantic"),
        ("errors.py", "import matplotlib.pyplot", "not allowed to import matplotlib"),
    ],
)
def test_import_linter_refuses(copy, file, content, complaint):
    path = copy / "src" / "dprisk" / file
    before = path.read_text(encoding="utf-8") if path.exists() else None
    path.write_text(content, encoding="utf-8")
    try:
        code, output = run(
            "lint-imports", "--no-cache", cwd=copy, env={"PYTHONPATH": str(copy / "src")}
        )
    finally:
        path.unlink() if before is None else path.write_text(before, encoding="utf-8")
    assert code == 1
    assert complaint in " ".join(output.split())


def test_a_site_that_fetches_is_refused(tmp_path):
    script = ROOT / "scripts" / "check_offline_site.py"
    page = tmp_path / "index.html"
    page.write_text('<a href="https://example.org">read</a><link rel="stylesheet" href="a.css">')
    assert run("python", script, tmp_path)[0] == 0
    page.write_text('<script src="https://example.org/x.js"></script>')
    assert run("python", script, tmp_path)[0] == 1
    page.write_text("")
    (tmp_path / "a.css").write_text("@font-face { src: url('//example.org/font.woff') }")
    assert run("python", script, tmp_path)[0] == 1
