"""The page of symbols: every letter of the engine is on it, and it names what is there."""

from __future__ import annotations

import ast
import re

import pytest

from tests.house.tree import ROOT, SOURCE

ROOMS = ("accountant", "losses", "guarantees", "composition")
PAGE = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
NAME = re.compile(rf"`((?:{'|'.join(ROOMS)})(?:\.\w+)*)`")
NAMED = [name for name in NAME.findall(PAGE) if "." in name]
GREEK = {"theta": "θ"}


def letters(tree):
    """One-letter names that functions take, and theta."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    names = {arg.arg for f in functions for arg in [*f.args.args, *f.args.kwonlyargs]}
    return {name for name in names if len(name) == 1 or name in GREEK}


ENGINE = [
    (path.relative_to(SOURCE).as_posix(), tree)
    for room in ROOMS
    for path in sorted((SOURCE / room).rglob("*.py"))
    if letters(tree := ast.parse(path.read_text("utf-8")))
]


@pytest.mark.parametrize(("path", "tree"), ENGINE, ids=[path for path, _ in ENGINE])
def test_each_letter_is_on_the_page(path, tree):
    """Each letter is a symbol of the engine, or has a row for its room."""
    module = path.removesuffix(".py").replace("/", ".")
    assert {GREEK.get(name, name) for name in letters(tree)} <= known(module)


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_of_the_engine_says_where_symbols_are(room):
    assert "docs/notation.md" in (SOURCE / room / "__init__.py").read_text("utf-8")


def known(module):
    """The letters that mean something in a module."""
    symbols, _, by_room = PAGE.partition("## Letters of the code")
    rows = [row for row in by_room.splitlines() if row.startswith("| ")]
    here = [row for row in rows if any(f"{module}.".startswith(f"{n}.") for n in NAME.findall(row))]
    return {letter for row in [*symbols.splitlines(), *here] for letter in in_first_cell(row)}


def in_first_cell(row):
    """The letters that stand alone in the first cell of a table."""
    return re.findall(r"\b\w\b", row.split("|")[1]) if row.startswith("| ") else []


def test_a_letter_of_another_room_does_not_count():
    assert "z" in known("losses.exponential_sums")
    assert "z" not in known("accountant.methods.by_atoms")


def test_letters_are_found():
    tree = ast.parse("def f(theta, x, *, q=1, number=2):\n    def g(y): ...\n")
    assert letters(tree) == {"theta", "x", "q", "y"}
    assert len(ENGINE) > 20


def test_the_notation_names_what_is_there():
    """Each module on the page of symbols exists."""
    assert len(NAMED) > 10
    assert [name for name in NAMED if not _exists(name)] == []


def _exists(name: str) -> bool:
    path = SOURCE.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()
