"""Read release files: our own format, and records of the public deployments registry."""

from __future__ import annotations

import os
from collections.abc import Mapping

from dprisk._lazy import named
from dprisk.errors import InvalidFile
from dprisk.releases.loading import Tree, documents, read_text
from dprisk.releases.release import Described, Release

# Modules of this room. Each `recognizes` a document, by its keys, and can `read` it as a release.
FORMATS = ("model", "registry")


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
    >>> from dprisk import read_release
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
        raise InvalidFile(
            os.fspath(path),
            f"The file describes {len(found)} releases; one is expected here.",
            "Split the file, or read it with read_releases.",
        )
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
            items = [(item, f"item {i}") for i, item in enumerate(tree, 1)]
            found += [(item, f"{place} {at}".strip()) for item, at in items]
        else:
            found.append((tree, place))
    if not found:
        raise InvalidFile(os.fspath(path), "The list is empty.", "Describe a release in it.")
    return tuple(_release(os.fspath(path), tree, place) for tree, place in found)


def _release(path: str, tree: Tree, place: str) -> Release:
    shown = f"{path}, {place}" if place else path
    if not isinstance(tree, Mapping):
        raise InvalidFile(
            shown,
            "A release needs keys and values, such as `name: Town survey`.",
            "See the format of release files in the documentation.",
        )
    for name in FORMATS:
        if named("dprisk.releases", f"{name}:recognizes")(tree):
            release: Release = named("dprisk.releases", f"{name}:read")(tree, shown)
            return release
    raise InvalidFile(
        shown,
        (
            "This does not describe a release. A file for dprisk has the key `dprisk`; a "
            "record of the deployments registry has `url_slug` and `deployment`."
        ),
        "If the file was written for dprisk, add the line `dprisk: 1`.",
    )


def as_release(what: Described) -> Release:
    """A release from whatever describes one: a file is read, anything else is its only part."""
    return read_release(what) if isinstance(what, str | os.PathLike) else Release.of(what)
