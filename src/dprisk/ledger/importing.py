"""A ledger made again from the files of an export: the same entries, the same hashes."""

from __future__ import annotations

import json
import os
from itertools import chain
from pathlib import Path
from typing import Any, Final

from dprisk._files import read, read_text, regular
from dprisk.errors import refused, unreadable
from dprisk.ledger.entries import Entry
from dprisk.ledger.exporting import FORMAT, contents
from dprisk.ledger.store import Store, Writing, opened
from dprisk.ledger.store.reading import checked
from dprisk.ledger.verifying import what_it_says

FIELDS: Final = tuple(Entry.__dataclass_fields__)


def read_export(folder: str | os.PathLike[str]) -> list[Entry]:
    """Read the entries of an export and check that each of its files says the same."""
    place = Path(folder)
    about = _json(place / "ledger.json", _text(place / "ledger.json"))
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise unreadable(place / "ledger.json", "ledger.export.format", known=FORMAT)
    lines = place / "entries.jsonl"
    rows = [_row(lines, i, line) for i, line in enumerate(_lines(lines), 1)]
    entries = checked(rows, 0, str(lines))
    for flaw in chain.from_iterable(map(what_it_says, entries)):
        raise unreadable(lines, flaw.key, **flaw.words)
    for name, content in contents(entries).items():
        if read(place / name, regular(place / name)) != content:
            raise unreadable(place / name, "ledger.export.differs")
    return entries


def _lines(path: Path) -> list[str]:
    return [line for line in _text(path).split("\n") if line]


def _text(path: Path) -> str:
    return read_text(path, regular(path))  # as long as it is: a ledger has no end


def _row(path: Path, number: int, line: str) -> tuple[Any, ...]:
    said = _json(path, line, f"line {number}")
    if not isinstance(said, dict) or said.keys() != set(FIELDS):
        raise unreadable(path, "ledger.export.line", f"line {number}")
    return tuple(said[name] for name in FIELDS)


def _json(path: Path, text: str, where: str | None = None) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise unreadable(path, "ledger.export.json", where) from None


def imported(
    folder: str | os.PathLike[str], where: str | os.PathLike[str], *, patience: float = 30.0
) -> Store:
    """Make a ledger from the files of an export."""
    entries = read_export(folder)
    store = opened(where, create=True, patience=patience)

    def work(writing: Writing) -> None:
        if writing.entries():
            raise refused("ledger.import.taken", "where", store.location.shown)
        for entry in entries:
            writing.append(entry)

    try:
        store.write(work)
    except BaseException:
        store.close()
        raise
    return store
