"""Descriptions of releases: read and written as files, imported from the public registry."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dprisk.releases.files import read_release, read_releases
    from dprisk.releases.model import json_schema
    from dprisk.releases.published import Comparison, comparable, deployments
    from dprisk.releases.registry import release_from_registry
    from dprisk.releases.release import Note, Part, Release
    from dprisk.releases.units import normalized_unit
    from dprisk.releases.writing import write_release

__all__ = [
    "Comparison",
    "Note",
    "Part",
    "Release",
    "comparable",
    "deployments",
    "json_schema",
    "normalized_unit",
    "read_release",
    "read_releases",
    "release_from_registry",
    "write_release",
]

_HOMES = {
    "Comparison": "published",
    "Note": "release",
    "Part": "release",
    "Release": "release",
    "comparable": "published",
    "deployments": "published",
    "json_schema": "model",
    "normalized_unit": "units",
    "read_release": "files",
    "read_releases": "files",
    "release_from_registry": "registry",
    "write_release": "writing",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
