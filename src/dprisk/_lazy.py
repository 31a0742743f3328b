"""Public names that are imported when they are first used (PEP 562)."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable
from typing import Any


def lazy(
    package: str, file: str
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """The ``__getattr__``, ``__dir__`` and ``__all__`` of a package whose names live elsewhere."""
    where = _listed(file.rpartition(".")[0] + ".pyi")
    rooms = [name for name, module in where.items() if module == "."]
    names = sorted(where.keys() - rooms, key=lambda name: (not name.isupper(), name))

    def load(name: str) -> object:
        if name in rooms:
            return importlib.import_module("." + name, package)
        if name in where:
            return getattr(importlib.import_module(where[name], package), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load, lambda: sorted([*names, *rooms]), names


def named(package: str, where: str) -> Any:
    """What an entry of a table of names stands for: ``module:name``, in a package."""
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(f"{package}.{module}"), name)


def _listed(stub: str) -> dict[str, str]:
    """From each name that a stub imports to the module that it stands in."""
    with open(stub, encoding="utf-8") as text:
        lines = ast.parse(text.read()).body
    imports = [line for line in lines if isinstance(line, ast.ImportFrom)]
    return {a.name: "." * line.level + (line.module or "") for line in imports for a in line.names}
