"""What the house tests look at: the modules of the package, and what is public in them."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterable, Iterator
from functools import cache
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


DIRECTIVE = re.compile(r"^\.\. auto(module|class|function):: (\S+)$", re.MULTILINE)


def shown_on(pages: str) -> list[Any]:
    """The objects that the pages of the reference show, by what their directives name."""
    shown = []
    for kind, name in DIRECTIVE.findall(pages):
        if kind == "module":
            module = importlib.import_module(name)
            shown += [getattr(module, public) for public in module.__all__]
        else:
            home, _, public = name.rpartition(".")
            shown.append(getattr(importlib.import_module(home), public))
    return shown


def reference() -> str:
    """All pages of the API reference."""
    pages = sorted((ROOT / "docs" / "api").glob("*.md"))
    return "\n".join(page.read_text(encoding="utf-8") for page in pages)


def public_objects() -> dict[str, Any]:
    """Classes and functions that a room exports or the reference shows, by where they stand.

    What a user only receives is no name of a room, and shown in the reference all the same.
    """
    exported = [
        getattr(module, name)
        for module in public_modules()
        for name in getattr(module, "__all__", ())
    ]
    things = filter(is_own, [*exported, *shown_on(reference())])
    return dict(sorted((f"{thing.__module__}.{thing.__qualname__}", thing) for thing in things))


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


@cache
def parsed() -> dict[Path, ast.Module]:
    """The syntax tree of every source file."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")}
