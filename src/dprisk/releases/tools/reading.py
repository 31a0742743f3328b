"""Files and objects of other tools, read by whoever recognizes them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dprisk._files import cells, opened, regular
from dprisk._files import read_text as text_of
from dprisk._lazy import named
from dprisk.errors import InvalidFile, InvalidInput
from dprisk.releases.loading import LARGEST, documents
from dprisk.releases.release import Release
from dprisk.releases.tools import pickles
from dprisk.releases.tools.found import Found, depth_of

if TYPE_CHECKING:
    from dprisk.releases.tools.asked import Read

TOOLS: Final = ("states", "events", "serialized", "budgets", "statements", "logs")
"""Modules of this folder: each `recognizes` what was found, and can `read` it as an account."""

OWN: Final = frozenset({"dprisk", "deployment", "guarantees", "mechanisms"})
"""Keys of files that are read as they are."""
TEXT: Final = (".txt", ".log", ".md", ".markdown", ".csv", ".tsv", ".jsonl", ".ndjson", ".repr")
DEEPEST: Final = 400
LARGEST_TEXT: Final = 10_000_000


def read(what: Any, /, **given: Any) -> Read:
    """Read a file or an object of another tool: what was released, what is said, what is missing.

    Parameters
    ----------
    what : str, path or object
        A file, or an object of a tool: an accountant, a state, an event, a measurement, a budget.
    **given : object
        What it does not say, by name: neighbors, sampling, delta and so on.

    Returns
    -------
    Read
        Without a release where something needed is missing.

    Raises
    ------
    InvalidFile
        If a file cannot be read, or holds what cannot be; nothing in it is ever run.
    InvalidInput
        If the object is of no tool that is known, or something is given that it does not take.
    Meaningless
        If what is given contradicts what is said, or dprisk has no mechanism for it.

    Examples
    --------
    >>> from dprisk.releases.tools import read
    >>> found = read({"history": [(1.1, 0.01, 5000)], "mechanism": "rdp"})
    >>> found.tool, [each.name for each in found.missing if each.needed]
    ('Opacus', ['sampling', 'neighbors'])
    """
    found = _found(what)
    if tool := _tool(found):
        account = named(__package__, f"{tool}:read")(found)
        made: Read = named(__package__, "asked:answered")(account, found, given)
        return made
    if isinstance(what, str | os.PathLike):
        problem = "No tool that dprisk knows wrote a file like this."
        raise InvalidFile(found.name, problem, "The page of readers lists what can be read.")
    allowed = "a release, a promise, a mechanism, a file or an object of a tool that dprisk reads"
    raise InvalidInput("release", what, allowed)


def read_from(what: Any, /, **given: Any) -> Release:
    """Read a file or an object of another tool as a release.

    Parameters
    ----------
    what : str, path or object
        A file, or an object of a tool: an accountant or its state, an event, a serialized
        measurement, a budget.
    **given : object
        What it does not say, by name, such as ``neighbors="add-remove"``, ``sampling="poisson"``.

    Returns
    -------
    Release
        What was run or promised; its notes say what was given, and what is still missing.

    Raises
    ------
    InvalidFile
        If a file cannot be read, or holds what cannot be; nothing in it is ever run.
    InvalidInput
        If the object is of no tool that is known, or something is given that it does not take.
    Meaningless
        If something needed is missing or contradicts what is said; the error names it.

    Examples
    --------
    >>> from dprisk.releases import read_from
    >>> state = {"history": [(1.1, 0.01, 5000)], "mechanism": "rdp"}
    >>> release = read_from(state, sampling="poisson", neighbors="add-remove")
    >>> release.parts[0].given["rate"], release.parts[0].count
    ('0.01', 5000)
    """
    return read(what, **given).described()


def is_of_a_tool(path: str | os.PathLike[str]) -> bool:
    """Whether a file is one that a tool wrote, by its ending or else by its keys."""
    suffix = Path(os.fspath(path)).suffix.lower()
    if suffix in pickles.ENDINGS:
        return True
    ours = suffix in (".json", ".yaml", ".yml")
    if not ours and suffix not in TEXT:
        return False
    try:
        if regular(path) > LARGEST_TEXT:
            return False
        found = _of_file(os.fspath(path))
    except InvalidFile:
        if ours:  # whoever reads our own files says what is wrong
            return False
        raise
    first = found.what[0] if isinstance(found.what, list) and found.what else found.what
    if isinstance(first, Mapping) and OWN & first.keys():
        return False
    return _tool(found) is not None


def is_an_object(what: Any) -> bool:
    """Whether it is an object of a tool, or a state as plain values."""
    own = type(what).__module__.partition(".")[0] in ("dprisk", "builtins", "numpy")
    if own and not isinstance(what, Mapping | list | tuple):
        return False
    return _tool(_found(what)) is not None


def _tool(found: Found) -> str | None:
    """The module that recognizes it."""
    return next((each for each in TOOLS if named(__package__, f"{each}:recognizes")(found)), None)


def _found(what: Any) -> Found:
    if isinstance(what, str | os.PathLike):
        return _of_file(os.fspath(what))
    name = type(what).__name__
    return Found(f"the {name}", what, f"What a {name} describes")


def _of_file(path: str) -> Found:
    suffix, title = Path(path).suffix.lower(), Path(path).stem or path
    if suffix in pickles.ENDINGS:
        with opened(path) as file:
            return Found(path, pickles.saved(file, path), title)
    text = text_of(path, LARGEST if suffix in (".yaml", ".yml") else LARGEST_TEXT)
    return Found(path, _contents(path, suffix, text), title)


def _contents(path: str, suffix: str, text: str) -> Any:
    """The contents of a file of text, as its ending says; JSON in a file of text is read too."""
    if suffix in (".jsonl", ".ndjson"):
        return [_json(path, line) for line in text.splitlines() if line.strip()]
    if suffix in (".csv", ".tsv"):
        return _rows(path, text)
    if suffix in (".yaml", ".yml"):
        return _yaml(path, text)
    is_json = text.lstrip()[:1] in ("{", "[") and suffix not in (".md", ".markdown")
    return _json(path, text) if suffix == ".json" or is_json else text


def _json(path: str, text: str) -> Any:
    if depth_of(text, "[{", "]}") > DEEPEST:
        raise InvalidFile(path, f"The file is nested more than {DEEPEST} levels deep.")

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        tree = dict(found)
        if len(tree) < len(found):
            raise InvalidFile(path, "A key occurs twice.", "Remove one of them.")
        return tree

    try:
        return json.loads(text, object_pairs_hook=pairs)
    except InvalidFile:
        raise
    except (ValueError, RecursionError) as error:
        said = getattr(error, "msg", None) or "a number is too long"
        where = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else None
        fix = "Copy or save the file again."
        raise InvalidFile(path, f"This is not valid JSON: {said}.", fix, where) from None


def _yaml(path: str, text: str) -> Any:
    trees = documents(path, text)
    return trees[0] if len(trees) == 1 else trees


def _rows(path: str, text: str) -> list[Mapping[str, str]]:
    """The rows of a table, by the names of its columns."""
    lines = cells(path, text)
    if not lines:
        raise InvalidFile(path, "The table is empty.", "Save it again.")
    head = [name.strip() for name in lines[0][1]]
    if len(set(head)) < len(head):
        raise InvalidFile(path, "Two columns have one name.", "Rename one of them.", "line 1")
    return list(_each(path, head, lines[1:]))


def _each(
    path: str, head: list[str], lines: list[tuple[int, list[str]]]
) -> Iterator[Mapping[str, str]]:
    for number, row in lines:
        if len(row) != len(head):
            problem = f"This line has {len(row)} cells, and the first one {len(head)}."
            raise InvalidFile(path, problem, "Correct it.", f"line {number}")
        yield dict(zip(head, row, strict=True))
