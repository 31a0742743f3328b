"""What the house tests look at: the modules of the package, and what is public in them."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import dprisk

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "dprisk"


def modules() -> list[ModuleType]:
    """Every module of the package, imported."""
    names = (found.name for found in pkgutil.walk_packages(dprisk.__path__, "dprisk."))
    return [dprisk, *(importlib.import_module(n) for n in names if not n.endswith("__main__"))]


def public_modules() -> list[ModuleType]:
    """The package itself and its rooms: the modules that users import from.

    The command line is not one of them: its reference is what ``--help`` prints. Nor are the
    words, in which the other rooms speak.
    """
    return [
        module
        for module in modules()
        if module.__name__.count(".") <= 1
        and not module.__name__.rpartition(".")[2].startswith("_")
        and module.__name__ not in ("dprisk.cli", "dprisk.text")
    ]


def is_own(thing: Any) -> bool:
    """Whether it is a class or a function that the package defines."""
    own = (getattr(thing, "__module__", None) or "").partition(".")[0] == "dprisk"
    return own and (inspect.isclass(thing) or inspect.isfunction(thing))


def public_objects() -> dict[str, Any]:
    """The classes and functions that are public somewhere, by the name they were defined under."""
    found = {}
    for module in public_modules():
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            if is_own(thing):
                found[f"{thing.__module__}.{thing.__qualname__}"] = thing
    return dict(sorted(found.items()))


def classes(among: Iterable[ModuleType]) -> Iterator[type]:
    """The classes that these modules define, and the classes inside those."""
    for module in among:
        for thing in vars(module).values():
            if inspect.isclass(thing) and thing.__module__ == module.__name__:
                yield from _with_inner(thing)


def _with_inner(outer: type) -> Iterator[type]:
    yield outer
    for thing in vars(outer).values():
        if inspect.isclass(thing) and thing.__qualname__.startswith(f"{outer.__qualname__}."):
            yield from _with_inner(thing)


def parsed() -> dict[Path, ast.Module]:
    """The syntax tree of every source file."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")}
