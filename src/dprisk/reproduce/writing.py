"""Everything that was reproduced, as files: an index, and the numbers and pictures of each item."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dprisk import __version__
from dprisk._pages import page, pasted
from dprisk.errors import InvalidFile
from dprisk.reproduce.drawing import Picture, pictures_of
from dprisk.reproduce.registry import items
from dprisk.reproduce.values import Reproduced, Reproduction
from dprisk.sources import WORKS

__all__ = ["prepared", "write_reproduction"]

Progress = Callable[[int, int], None]


def write_reproduction(
    reproduction: Reproduction,
    folder: str | os.PathLike[str],
    *,
    figures: bool = True,
    progress: Progress | None = None,
) -> tuple[Path, ...]:
    """Write an index page, the same as JSON, and for each item its numbers and pictures.

    Parameters
    ----------
    reproduction : Reproduction
        What `reproduce` made.
    folder : str or path
        Where; it is made if it does not exist. Files of the same names are replaced.
    figures : bool
        Whether pictures are drawn.
    progress : callable, optional
        Is called with how many of how many items are written.

    Returns
    -------
    tuple of Path
        ``index.html`` and ``index.json``, then for each item ``PAPER/ITEM.csv``, ``.svg`` and
        ``.png``. Two runs give the same bytes.

    Raises
    ------
    InvalidFile
        If something cannot be written there.

    Examples
    --------
    >>> import tempfile
    >>> from dprisk.reproduce import reproduce, write_reproduction
    >>> made = reproduce(["P3/table-3"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = write_reproduction(made, folder)
    ...     print(*(path.relative_to(folder) for path in written))
    index.html index.json P3/table-3.csv
    """
    root = prepared(folder)
    written: list[Path] = []
    shown: list[dict[str, Any]] = []
    for done, part in enumerate(reproduction.parts, 1):
        pictures = pictures_of(part) if figures else ()
        names = [_put(root, name, content) for name, content in _files(part, pictures)]
        written += [root / name for name in names]
        shown.append(_shown(part, pictures))
        if progress is not None:
            progress(done, len(reproduction.parts))
    tree = reproduction.to_dict()
    text = json.dumps(tree, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    index = [
        _put(root, "index.html", _index(reproduction, shown).encode()),
        _put(root, "index.json", text.encode()),
    ]
    return (*(root / name for name in index), *written)


def prepared(folder: str | os.PathLike[str]) -> Path:
    """The folder, made if need be; refused before anything is computed for it."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = f"It cannot be made: {error.strerror or error}."
        raise InvalidFile(path, problem, "Choose another folder.") from None
    return path


def _files(part: Reproduced, pictures: tuple[Picture, ...]) -> list[tuple[str, bytes]]:
    """Names below the folder, and what is in each."""
    if part.made is None:
        return []
    paper = part.item.paper
    found = [(f"{part.item.key}.csv", part.made.table.to_csv().encode())]
    for each in pictures:
        found += [(f"{paper}/{each.name}.svg", each.svg), (f"{paper}/{each.name}.png", each.png)]
    return found


def _put(root: Path, name: str, content: bytes) -> str:
    path = root / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        problem = f"It cannot be written: {error.strerror or error}."
        raise InvalidFile(path, problem, "Choose another folder.") from None
    return name


def _index(reproduction: Reproduction, shown: list[dict[str, Any]]) -> str:
    papers = [
        {
            "name": paper,
            "citation": WORKS[paper],
            "counts": reproduction.counts(paper),
            "kinds": Counter(part.item.kind for part in reproduction.of(paper)),
            "parts": [each for each in shown if each["paper"] == paper],
        }
        for paper in reproduction.papers
    ]
    return page(
        "dprisk.reproduce",
        "index.html.j2",
        version=__version__,
        papers=papers,
        unexpected=reproduction.unexpected,
        complete=len(reproduction.parts) == len(items()),
    )


def _element(svg: bytes) -> str:
    """A drawing as it stands inside a page: without what only files begin with."""
    text = svg.decode()
    return text[text.index("<svg") :]


def _shown(part: Reproduced, pictures: tuple[Picture, ...]) -> dict[str, Any]:
    """What the page says about an item; pictures stand in it, so that it needs no other file."""
    return part.to_dict() | {
        "paper": part.item.paper,
        "anchor": part.item.key.lower().replace("/", "-"),
        "csv": f"{part.item.key}.csv" if part.made is not None else None,
        "pictures": [
            {
                "name": f"{part.item.paper}/{each.name}",
                "caption": each.caption,
                "takeaway": each.takeaway,
                "svg": pasted(_element(each.svg)),
            }
            for each in pictures
        ],
    }
