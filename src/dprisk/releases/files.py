"""Read release files: our own format, and records of the public deployments registry."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from dprisk.errors import InvalidFile, InvalidInput
from dprisk.releases.loading import Tree, documents, read_text
from dprisk.releases.registry import is_registry_record, release_from_registry
from dprisk.releases.release import Described, Release

__all__ = ["as_release", "read_release", "read_releases"]


def read_release(path: str | os.PathLike[str]) -> Release:
    """Read the one release that a file describes.

    Parameters
    ----------
    path : str or path
        A YAML, TOML or JSON file in the format of dprisk (it has the key ``dprisk``), or a record
        of the public registry of deployments (it has ``url_slug`` and ``deployment``).

    Returns
    -------
    Release
        Parameters are kept as written, beside their value.

    Raises
    ------
    InvalidFile
        If the file cannot be read as one release; the message says where, why and what to do.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dprisk.releases import read_release
    >>> text = '''
    ... dprisk: 1
    ... name: Town survey
    ... unit: person
    ... period: once
    ... neighbors: add-remove
    ... model: central
    ... guarantees:
    ...   - {epsilon: 0.50, delta: 1e-10}
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "survey.yaml"
    ...     size = path.write_text(text)
    ...     release = read_release(path)
    >>> release.parts[0].given
    {'epsilon': '0.50', 'delta': '1e-10'}
    """
    found = read_releases(path)
    if len(found) > 1:
        problem = f"It describes {len(found)} releases where one is expected."
        fix = "Split it, or read it with read_releases."
        raise InvalidFile(os.fspath(path), problem, fix)
    return found[0]


def read_releases(path: str | os.PathLike[str]) -> tuple[Release, ...]:
    """Read every release that a file describes.

    Parameters
    ----------
    path : str or path
        As for `read_release`; several releases stand in a list, or in a YAML file between lines
        of ``---``.

    Returns
    -------
    tuple of Release
        In the order of the file, at least one.

    Raises
    ------
    InvalidFile
        If the file cannot be read; the message says where, why and what to do.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dprisk.releases import read_releases
    >>> line = "{dprisk: 1, name: Day %s, unit: user, period: day, neighbors: add-remove,"
    >>> line += " model: central, guarantees: [{epsilon: 1}]}"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "days.yaml"
    ...     size = path.write_text(f"- {line % 1}\\n- {line % 2}\\n")
    ...     [release.name for release in read_releases(path)]
    ['Day 1', 'Day 2']
    """
    found: list[tuple[Tree, str]] = []
    trees = documents(path, read_text(path))
    for number, tree in enumerate(trees, 1):
        place = f"document {number}" if len(trees) > 1 else ""
        if isinstance(tree, list):
            found += [(item, f"{place} item {i}".strip()) for i, item in enumerate(tree, 1)]
        else:
            found.append((tree, place))
    if not found:
        raise InvalidFile(os.fspath(path), "It is an empty list.", "Describe a release in it.")
    return tuple(_release(os.fspath(path), tree, place) for tree, place in found)


def _release(path: str, tree: Tree, place: str) -> Release:
    shown = f"{path}, {place}" if place else path
    if not isinstance(tree, Mapping):
        problem = "It must hold keys and values, such as `name: Town survey`."
        raise InvalidFile(shown, problem, "See the format of release files in the documentation.")
    if "dprisk" in tree:
        return _from_own_format(shown, tree)
    if is_registry_record(tree):
        return release_from_registry(tree, path=shown)
    raise InvalidFile(
        shown,
        "It is not a description of a release: it has neither the key `dprisk` of the format of "
        "dprisk, nor `url_slug` and `deployment` of a record of the deployments registry.",
        "If it was written for dprisk, add the line `dprisk: 1`.",
    )


def _from_own_format(path: str, tree: Mapping[str, Any]) -> Release:
    from dprisk.releases.model import checked

    file = checked(tree, path)
    try:
        return file.to_release()
    except InvalidInput as error:
        place, _, name = error.name.rpartition(".")
        problem = f"{name} must be {error.allowed}, got {error.value!r}."
        fix = error.fix or "Correct the value."
        raise InvalidFile(path, problem, fix, f"{place}.{name}".strip(".")) from None


def as_release(what: Described) -> Release:
    """A release from whatever describes one: a file is read, anything else is its only part.

    Parameters
    ----------
    what : Release, Guarantee, Mechanism, Composed, str or path
        A path is that of one release file.

    Raises
    ------
    InvalidInput
        If `what` is none of these.
    InvalidFile
        If there is no such file, or it describes no release.
    """
    return read_release(what) if isinstance(what, str | os.PathLike) else Release.of(what)
