"""What was said is not taken apart again, and what theorems say stands in one place."""

from __future__ import annotations

import ast
import re

import pytest

from tests.house.tree import SOURCE

READERS = ("papers", "releases", "text")
"""What reads text that somebody else wrote, prints it as printed, or holds the words."""
SIGNS = {"<svg", "fig-", "utf", "utf-8", "delta"}
"""What no language has: marks of formats, and names of methods."""
TAKES_APART = {"startswith", "endswith", "partition", "rpartition", "removeprefix", "removesuffix"}
WORD = re.compile(r"[A-Za-z]{2}")


def trees(rooms):
    """The modules of some rooms, or of a file beside them."""
    for room in rooms:
        place = SOURCE / room
        for path in [place] if place.suffix else sorted(place.rglob("*.py")):
            yield path, ast.parse(path.read_text("utf-8"))


def others():
    """Every room that is to say things and not to read them."""
    return sorted({p.name for p in SOURCE.iterdir() if p.is_dir()} - {*READERS, "__pycache__"})


def read(tree):
    """Words that text is taken apart by, or searched for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in TAKES_APART:
            asked = [leaf for arg in node.args for leaf in ast.walk(arg)]
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            asked = [node.left] if " " in str(getattr(node.left, "value", "")) else []
        else:
            continue
        for leaf in asked:
            said = getattr(leaf, "value", None)
            if isinstance(said, str) and WORD.search(said) and said not in SIGNS:
                yield said


def test_no_code_reads_what_is_said():
    found = [(path.name, said) for path, tree in trees(others()) for said in read(tree)]
    assert found == []


def stated(tree):
    """Theorems that are written down."""
    called = (getattr(node.func, "id", "") for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [name for name in called if name == "Theorem"]


def test_theorems_stand_in_one_table():
    """But for those that a paper is reproduced from."""
    rooms = [p.name for p in SOURCE.iterdir() if p.suffix == ".py" or p.is_dir()]
    rooms = sorted(set(rooms) - {"theorems.py", "papers"})
    assert {path.name for path, tree in trees(rooms) if stated(tree)} == set()
    assert stated(ast.parse('Theorem("P0", "Theorem 2.1", "it holds")'))


@pytest.mark.parametrize(
    "code",
    ['said.startswith("The release")', 'said.partition(" in ")', '"in all" in said'],
)
def test_reading_is_found(code):
    assert list(read(ast.parse(code)))


@pytest.mark.parametrize("code", ['key.startswith("-")', '"odds" in metrics', 'said.split("x")'])
def test_reading_marks_is_not(code):
    assert not list(read(ast.parse(code)))
