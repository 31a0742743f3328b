"""Descriptions of releases: read and written as files, imported from the public registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk._lazy import lazy

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

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Comparison": "dprisk.releases.published",
        "Note": "dprisk.releases.release",
        "Part": "dprisk.releases.release",
        "Release": "dprisk.releases.release",
        "comparable": "dprisk.releases.published",
        "deployments": "dprisk.releases.published",
        "json_schema": "dprisk.releases.model",
        "normalized_unit": "dprisk.releases.units",
        "read_release": "dprisk.releases.files",
        "read_releases": "dprisk.releases.files",
        "release_from_registry": "dprisk.releases.registry",
        "write_release": "dprisk.releases.writing",
    },
)
