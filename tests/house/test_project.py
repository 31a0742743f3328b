"""What a newcomer meets first: what is installed, what has changed, where to read on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib

import pytest

from dprisk.theorems import WORKS
from tests.house.tree import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DOCS = ROOT / "docs"
FOR_USERS, FOR_DEVELOPERS = "--no-default-groups --inexact", ""


@pytest.mark.parametrize(
    ("target", "installed"), [("demo", [FOR_USERS]), ("lint", [FOR_USERS, FOR_DEVELOPERS])]
)
def test_a_demo_installs_nothing_for_developers(target, installed, tmp_path):
    for name in ("Makefile", "pyproject.toml", "uv.lock"):
        shutil.copy(ROOT / name, tmp_path)
    known = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", "--dry-run", target]
    planned = subprocess.check_output(command, cwd=tmp_path, env=known, text=True)
    assert re.findall(r"uv sync --locked --quiet --offline *(.*?) *2>", planned) == installed


def test_this_version_has_its_changes():
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\S+)", changes, re.MULTILINE)[0] == PROJECT["version"]
    assert not (ROOT / "changelog.d").exists()


def test_addresses_are_those_of_the_sources():
    for name, address in PROJECT["urls"].items():
        (number,) = re.findall(r"^https://arxiv\.org/abs/(\S+)$", address)
        assert any(f"arXiv:{number}" in str(work) for work in WORKS.values()), name


def test_every_page_is_in_one_of_five_groups():
    trees = re.findall(
        r"```\{toctree\}\n(?::.*\n)*:caption: (.+)\n\n((?:.+\n)+?)```",
        (DOCS / "index.md").read_text(encoding="utf-8"),
    )
    listed = [page for _, pages in trees for page in pages.split()]
    there = {path.stem for path in DOCS.glob("*.md")} - {"index"} | {"api/index"}
    assert len(trees) == 5
    assert sorted(listed) == sorted(there)
