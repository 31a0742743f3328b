"""Public names are listed in order, exist, and have a place in the API reference."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import warnings
from types import SimpleNamespace

import pytest

import dprisk
from dprisk._lazy import FORMER, MOVED
from tests.house.tree import SOURCE, is_own, public_modules, reference, shown_on

MODULES = public_modules()
STUBS = sorted(SOURCE.rglob("__init__.pyi"))


def rank(name):
    """CONSTANTS, then Classes, then functions: the order that ruff keeps."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def problems_in(module):
    """What is wrong with the list of public names of one module."""
    listed = getattr(module, "__all__", None)
    if listed is None:
        return ["has no __all__"]
    found = [f"lists {name}, which does not exist" for name in listed if not hasattr(module, name)]
    if list(listed) != sorted(listed, key=rank):
        found.append("is not sorted")
    if len(set(listed)) != len(listed):
        found.append("names something twice")
    return found


def undocumented(module, shown):
    """The classes and functions of a module that no page of the reference shows."""
    known = set(map(id, shown))
    things = {name: getattr(module, name) for name in getattr(module, "__all__", ())}
    return [name for name, thing in things.items() if is_own(thing) and id(thing) not in known]


def public_in(module):
    """The names that a module lists, or that have no underscore."""
    return getattr(module, "__all__", [name for name in vars(module) if name[0] != "_"])


def not_public(stub):
    """What a stub imports in a way that a type checker takes for private, or imports again."""
    lines = [line for line in ast.parse(stub).body if isinstance(line, ast.ImportFrom)]
    names = [name for line in lines for name in line.names]
    return [
        name.name
        for i, name in enumerate(names)
        if name.asname != name.name or name.name in {other.name for other in names[:i]}
    ]


@pytest.fixture(scope="module")
def shown():
    return shown_on(reference())


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_public_names_are_sorted_and_exist(module):
    assert problems_in(module) == []


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.parent.name)
def test_a_stub_says_that_its_names_are_public(stub):
    assert not_public(stub.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("stub", "found"),
    [
        ("from .a import b", ["b"]),
        ("from .a import b as c", ["b"]),
        ("from .a import b as b\nfrom .c import b as b", ["b"]),
    ],
)
def test_a_private_name_in_a_stub_is_caught(stub, found):
    assert not_public(stub) == found


def test_a_star_brings_all_public_names():
    names = {}
    exec("from dprisk import *", names)
    assert names.keys() - {"__builtins__"} == set(importlib.import_module("dprisk").__all__)


def test_the_package_has_few_names():
    """Rooms are imported by name, and no names of the package."""
    assert dir(dprisk) == sorted(dprisk.__all__) and len(dir(dprisk)) <= 25


def test_rooms_are_reached_in_a_new_interpreter():
    """What one writes after ``import dprisk`` alone, in an interpreter that knows nothing else."""
    code = "import dprisk; print(dprisk.mechanisms.Gaussian.__name__)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["Gaussian"]
    with pytest.raises(AttributeError, match="module 'dprisk' has no attribute 'cellar'"):
        dprisk.cellar  # noqa: B018


@pytest.mark.parametrize(("old", "new"), [*MOVED.items(), ("dprisk.cellar", "dprisk.mechanisms")])
def test_what_moved_is_found_where_it_was(old, new, monkeypatch):
    monkeypatch.setitem(MOVED, old, new)
    monkeypatch.delitem(sys.modules, old, raising=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        importlib.import_module(old.rpartition(".")[0])  # which may have moved as well
    with pytest.warns(DeprecationWarning, match=f"{old} is now {new}") as said:
        module = importlib.import_module(old)
    sys.modules.pop(old)
    home = importlib.import_module(new)
    assert all(getattr(module, name) is getattr(home, name) for name in public_in(home))
    assert public_in(home) and len(said) == 1


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_public_names_are_in_the_reference(module, shown):
    assert undocumented(module, shown) == []


@pytest.mark.parametrize(
    ("listed", "problem"),
    [
        (None, "has no __all__"),
        (["b", "A"], "is not sorted"),
        (["A", "B"], "lists B, which does not exist"),
        (["A", "A"], "names something twice"),
    ],
)
def test_a_bad_list_is_caught(listed, problem):
    names = {} if listed is None else {"__all__": listed}
    assert problem in problems_in(SimpleNamespace(A=1, b=2, **names))


def test_a_name_without_a_page_is_caught():
    errors = importlib.import_module("dprisk.errors")
    room = SimpleNamespace(__all__=["OutOfRange"], OutOfRange=errors.OutOfRange)
    assert undocumented(room, shown_on(".. automodule:: dprisk.answer\n")) == ["OutOfRange"]
    assert undocumented(room, shown_on(".. autoclass:: dprisk.errors.OutOfRange\n")) == []
    assert undocumented(room, shown_on(".. automodule:: dprisk.errors\n")) == []


@pytest.mark.parametrize("old", FORMER)
def test_former_names_are_found_with_a_warning(old):
    room, _, name = old.rpartition(".")
    home, new, *metric = FORMER[old].split(":")
    with pytest.warns(DeprecationWarning, match=re.escape(f"{name} is now {home}.{new}.")):
        found = getattr(importlib.import_module(room), name)
    asked = getattr(importlib.import_module(home), new)
    assert found is asked or (found.func is asked and found.keywords == {"metric": metric[0]})
