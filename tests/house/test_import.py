"""``import dprisk`` is light: what is heavy is loaded where it is used."""

from __future__ import annotations

import subprocess
import sys

HEAVY = {"click", "matplotlib", "numpy", "pydantic", "rich", "scipy", "typer", "yaml"}


def loaded_by(statement):
    """The heavy packages that a fresh interpreter has loaded after a statement."""
    code = f"{statement}\nimport sys\nprint(*sys.modules, sep='\\n')"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    return HEAVY & set(run.stdout.split())


def test_import_loads_nothing_heavy():
    assert loaded_by("import dprisk") == set()


def test_a_heavy_import_is_caught():
    assert "yaml" in loaded_by("import yaml")


def test_the_list_of_commands_computes_nothing():
    code = (
        "import sys; sys.argv = ['dprisk', '--version']\n"
        "from dprisk.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass"
    )
    assert loaded_by(code) <= {"typer"}
