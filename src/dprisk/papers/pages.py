"""The reproduction as files: an index page, and the numbers and pictures of each item."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from dprisk import __version__
from dprisk._files import check_places, write_all
from dprisk._pages import page, pasted
from dprisk.papers.reproduction import Item, Reproduced, Reproduction, items
from dprisk.progress import each
from dprisk.theorems import WORKS

INDEX = ("index.html", "index.json")


def write_reproduction(
    reproduction: Reproduction,
    folder: str | os.PathLike[str],
    *,
    figures: bool = True,
    force: bool = False,
) -> tuple[Path, ...]:
    """Write an index page, the same as JSON, and for each item its numbers and pictures, all or
    none.

    Parameters
    ----------
    reproduction : Reproduction
        What `reproduce` made.
    folder : str or path
        Where; it is made if it does not exist.
    figures : bool
        Whether pictures are drawn.
    force : bool
        Whether files of the same names may be replaced.

    Returns
    -------
    tuple of Path
        ``index.html`` and ``index.json``, then for each item ``PAPER/ITEM.csv``, ``.svg`` and
        ``.png``. Two runs give the same bytes.

    Raises
    ------
    InvalidFile
        If something cannot be written there; `NotWritten` if writing fails: what was there is
        whole.

    Examples
    --------
    >>> import tempfile
    >>> from dprisk.papers import reproduce, write_reproduction
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = write_reproduction(reproduce(["P3/table-3"]), folder)
    ...     print(*(path.relative_to(folder) for path in written))
    index.html index.json P3/table-3.csv
    """
    root = Path(folder)
    check_folder(root, [part.item for part in reproduction.parts], force=force)
    contents: dict[str, bytes] = {}
    shown: list[dict[str, Any]] = []
    for part in each("items", reproduction.parts):
        pictures = pictures_of(part) if figures else ()
        contents.update(_files(part, pictures))
        shown.append(_shown(part, pictures))
    tree = reproduction.to_dict()
    text = json.dumps(tree, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    index = dict(zip(INDEX, (_index(reproduction, shown).encode(), text.encode()), strict=True))
    files = {root / name: content for name, content in (index | contents).items()}
    write_all(files, force=force, make=True)
    return tuple(files)


def check_folder(
    folder: str | os.PathLike[str], chosen: Iterable[Item], *, force: bool = False
) -> None:
    """Refuse a folder in which something would be lost, before anything is computed for it."""
    root = Path(folder)
    places = [root / name for name in INDEX]
    for item in chosen:
        places.append(root / f"{item.key}.csv")
        if (root / item.paper).is_dir():  # an item may have several pictures
            names = [f"{item.slug}.*", f"{item.slug}-[0-9].*"]
            places += [path for name in names for path in (root / item.paper).glob(name)]
    check_places(places, force=force, make=True)


def _files(part: Reproduced, pictures: tuple[Picture, ...]) -> list[tuple[str, bytes]]:
    """Names below the folder, and what is in each."""
    if part.made is None:
        return []
    paper = part.item.paper
    found = [(f"{part.item.key}.csv", part.made.table.to_csv().encode())]
    for picture in pictures:
        name = f"{paper}/{picture.name}"
        found += [(f"{name}.svg", picture.svg), (f"{name}.png", picture.png)]
    return found


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
        "dprisk.papers",
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
    """Data of an item for its page; pictures stand in it, so that it needs no other file."""
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


@final
@dataclass(frozen=True)
class Picture:
    """One picture of an item, as files and in words."""

    name: str
    caption: str
    takeaway: str
    alt: str
    svg: bytes
    png: bytes


def pictures_of(part: Reproduced) -> tuple[Picture, ...]:
    """Pictures of an item: none for one without a figure."""
    from dprisk.curves import alt_text, render, takeaway

    drawn = [] if part.made is None else list(part.made.pictures.items())
    found = []
    for number, (caption, draw) in enumerate(drawn, 1):
        name = part.item.slug if len(drawn) == 1 else f"{part.item.slug}-{number}"
        axes = draw()
        svg = render(axes, "svg", name=f"{part.item.paper}-{name}")
        found.append(
            Picture(name, caption, takeaway(axes), alt_text(axes), svg, render(axes, "png"))
        )
    return tuple(found)
