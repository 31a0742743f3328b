"""The page of design: its packages are those that are checked, its ways those that are asked."""

from __future__ import annotations

import ast
import re
import tomllib

import pytest

from tests.house.tree import ROOT, SOURCE

PAGE = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")


def cells(heading):
    """The first cells of the table under a heading, split into names."""
    table = PAGE.partition(heading)[2].partition("\n\n")[0]
    return [re.findall(r"`([\w.]+)`", row.split("|")[1]) for row in table.splitlines()[2:]]


def layers():
    """The packages as ``lint-imports`` has them, from top to bottom."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = [
        one for one in settings["tool"]["importlinter"]["contracts"] if one["type"] == "layers"
    ]
    return [re.findall(r"\w+", layer) for layer in contract["layers"]]


def test_packages_are_the_layers():
    """In the same order; what starts dprisk is not one of them."""
    assert cells("| package |") == layers()[1:]


def test_methods_are_in_the_order_in_which_they_are_asked():
    code = (SOURCE / "accountant" / "profiles.py").read_text(encoding="utf-8")
    asked = re.findall(r"^ +(?:or )?(as_\w+|ByContour)\(", code, re.MULTILINE)
    names = [re.sub(r"(?:^as)?_([a-z])", lambda m: m[1].upper(), name) for name in asked]
    classes = [name for (name,) in cells("| method |")]
    there = [n.removeprefix("By") for n in names if n != "Rare"]  # a rule, not a method
    assert [name.removeprefix("By") for name in classes] == there


ROOMS = sorted(path.parent for path in SOURCE.glob("*/__init__.py"))


def unknown(room, said):
    """Names in backticks that are no module of a room, and nothing that stands in one."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in room.rglob("*.py"))
    there = {path.stem for path in room.rglob("*")} | set(
        re.findall(r"\w+", code.replace(said, ""))
    )
    return {name for name in re.findall(r"`(\w+)`", said) if name not in there}


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_room_names_the_files_that_it_has(room):
    said = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8")), False)
    assert unknown(room, said) == set()
    assert unknown(room, "`no_such_file`") == {"no_such_file"}


@pytest.mark.parametrize("path", re.findall(r"`((?:\w+/)+\w+\.pyi?)`", PAGE))
def test_the_page_names_files_that_are_there(path):
    assert (SOURCE / path).exists() or (ROOT / path).exists()
