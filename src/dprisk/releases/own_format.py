"""Release files in the format of dprisk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dprisk.errors import InvalidFile, InvalidInput
from dprisk.releases.release import Release
from dprisk.text import fill


def recognizes(tree: Mapping[str, Any]) -> bool:
    """Whether a document says that it is in this format."""
    return "dprisk" in tree


def read(tree: Mapping[str, Any], path: str) -> Release:
    """The release that a document describes, checked."""
    from dprisk.releases.model import checked

    file = checked(tree, path)
    try:
        return file.to_release()
    except InvalidInput as error:
        place, _, name = error.name.rpartition(".")
        problem = fill("releases.must-be", name=name, allowed=error.allowed, got=repr(error.value))
        fix = error.fix or fill("releases.correct")
        raise InvalidFile(path, problem, fix, f"{place}.{name}".strip(".")) from None
