"""The error budget names places in the code, and tests, that are there."""

from __future__ import annotations

import re

import pytest

from tests.house.tree import ROOT, classes, modules

ENGINE = [m for m in modules() if re.match(r"dprisk\.(accountant|losses|_numeric)\b", m.__name__)]
PLACES = {
    **{m.__name__.rpartition(".")[2]: m for m in ENGINE},
    **{m.__name__.removeprefix("dprisk."): m for m in ENGINE},
    **{one.__name__: one for one in classes(ENGINE)},
}
PAGE = (ROOT / "docs" / "error-budget.md").read_text(encoding="utf-8")
ROWS = [line.split("|")[1:-1] for line in PAGE.splitlines() if re.match(r"\| (?!term)", line)]
WHERE = sorted({name for row in ROWS for name in re.findall(r"`(\w[\w.]*)`", row[1])})
TESTS = "\n".join(p.read_text(encoding="utf-8") for p in (ROOT / "tests").rglob("test_*.py"))


def is_there(name):
    """A module or a class of the engine, or what one of these has."""
    head = max((h for h in PLACES if f"{name}.".startswith(f"{h}.")), key=len, default=None)
    if head is None:
        return False
    thing = PLACES[head]
    for part in filter(None, name.removeprefix(head).split(".")):
        if part in getattr(thing, "__annotations__", {}) or hasattr(thing, part):
            thing = getattr(thing, part, None)
        else:
            return False
    return True


@pytest.mark.parametrize("name", WHERE)
def test_places_are_there(name):
    assert is_there(name)


@pytest.mark.parametrize("name", ["profile._values", "by_grid", "Contour.nothing"])
def test_a_stale_place_is_caught(name):
    assert not is_there(name)


def test_tests_are_there():
    assert len(ROWS) > 40
    named = set(re.findall(r"\b(test_\w+)(?!\w|\.py)", " ".join(row[-1] for row in ROWS)))
    missing = [name for name in named if not re.search(rf"def {name}\b", TESTS)]
    files = re.findall(r"([\w/]*test_\w+\.py)", " ".join(row[-1] for row in ROWS))
    assert missing == []
    assert [f for f in files if not list((ROOT / "tests").rglob(f.removeprefix("tests/")))] == []
