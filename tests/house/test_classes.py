"""A class is abstract, or a final frozen dataclass; nothing is inherited for reuse."""

from __future__ import annotations

import ast
import enum
import inspect
from abc import ABC, abstractmethod
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import NamedTuple, Protocol, TypedDict, final, is_typeddict

from pydantic import BaseModel

from tests.house.tree import SOURCE, classes, modules, parsed

OF_THEIR_OWN_KIND = (BaseException, enum.Enum, BaseModel)


def is_in_shape(cls):
    """Whether a class has one of the two shapes, or is of a kind that has its own."""
    if issubclass(cls, OF_THEIR_OWN_KIND) or is_typeddict(cls) or hasattr(cls, "_fields"):
        return True
    if inspect.isabstract(cls) or getattr(cls, "_is_protocol", False):
        return True
    frozen = is_dataclass(cls) and cls.__dataclass_params__.frozen
    return frozen and getattr(cls, "__final__", False)


def overridden(cls):
    """The methods of a class that replace a working one of a base class in the package."""
    if issubclass(cls, OF_THEIR_OWN_KIND):
        return []
    return [
        name
        for name, member in vars(cls).items()
        if inspect.isfunction(member) and not (name.startswith("__") and name.endswith("__"))
        for base in cls.__mro__[1:]
        if base.__module__.split(".")[0] == cls.__module__.split(".")[0]
        if inspect.isfunction(vars(base).get(name))
        and not getattr(vars(base)[name], "__isabstractmethod__", False)
    ]


def calls_of_super(tree):
    """The lines of a module that call ``super()``."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "super"
    ]


def named_alike(trees):
    """The names that more than one class of the package has, by where these are."""
    where = {}
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                where.setdefault(node.name, []).append(f"{path.parent.name}/{path.name}")
    return {name: places for name, places in where.items() if len(places) > 1}


def test_no_two_classes_have_one_name():
    assert named_alike(parsed()) == {}


def test_classes_are_abstract_or_final():
    assert [cls for cls in classes(modules()) if not is_in_shape(cls)] == []


def test_no_working_method_is_replaced():
    assert {cls: names for cls in classes(modules()) if (names := overridden(cls))} == {}


def test_super_is_for_errors_only():
    found = {path.name: calls_of_super(tree) for path, tree in parsed().items()}
    errors = (SOURCE / "errors.py").name
    assert {name: lines for name, lines in found.items() if lines and name != errors} == {}


# --- the tests above can fail --------------------------------------------------------------------


class Open:
    def work(self): ...


class Abstract(ABC):
    @abstractmethod
    def work(self): ...

    def rest(self):
        return self.work()


@final
@dataclass(frozen=True)
class Final(Abstract):
    def work(self): ...


@final
@dataclass
class Thawed: ...


@dataclass(frozen=True)
class Extensible: ...


@final
@dataclass(frozen=True)
class Replacing(Abstract):
    def work(self): ...

    def rest(self): ...


def test_shapes_are_told_apart():
    class Colour(enum.Enum):
        RED = 1

    class Record(TypedDict):
        name: str

    class Pair(NamedTuple):
        left: int

    class Works(Protocol):
        def work(self): ...

    good = [Abstract, Final, Colour, Record, Pair, Works, ValueError, BaseModel]
    assert [cls for cls in good if not is_in_shape(cls)] == []
    bad = [Open, Thawed, Extensible]
    assert [cls for cls in bad if is_in_shape(cls)] == []


def test_replacing_is_told_from_supplying():
    assert overridden(Final) == []
    assert overridden(Replacing) == ["rest"]


def test_super_is_found():
    assert calls_of_super(ast.parse("x = 1\nsuper().__init__()\n")) == [2]


def test_one_name_for_two_is_caught():
    tree = ast.parse("class Limit: ...")
    trees = {Path("budget/limits.py"): tree, Path("documents/assessing.py"): tree}
    assert named_alike(trees) == {"Limit": ["budget/limits.py", "documents/assessing.py"]}
