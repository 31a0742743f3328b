"""How a ledger begins: with one entry, where there is none."""

from __future__ import annotations

import json
import os
from itertools import chain
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from dprisk._files import read, read_text, regular
from dprisk.errors import InvalidFile, InvalidInput, unreadable
from dprisk.ledger.accounts import line
from dprisk.ledger.deciding import Author
from dprisk.ledger.entries import FORMAT, Entry, contents
from dprisk.ledger.store import Store, Writing, open_store
from dprisk.ledger.store.transactions import check_rows
from dprisk.ledger.verifying import what_it_says


def found_ledger(where: str | os.PathLike[str], origin: str, author: Author) -> Store:
    """The store of a new ledger, with its first entry; closed again where there is one already."""

    said = {"ledger": uuid4().hex, "origin": line("origin", origin), "format": FORMAT}
    store = open_store(where, create=True)

    def begin(writing: Writing) -> None:
        if writing.entries():
            raise InvalidInput(
                "where",
                store.location.shown,
                "a place without a ledger",
                "A ledger is already there, and dprisk never resets one. Open it, or choose "
                "another place.",
            )
        writing.append(author.after(None, "ledger", None, said))

    try:
        store.write(begin)
    except InvalidInput:
        store.close()
        raise
    return store


FIELDS: Final = tuple(Entry.__dataclass_fields__)


def read_export(folder: str | os.PathLike[str]) -> list[Entry]:
    """Read the entries of an export and check that each of its files says the same."""
    place = Path(folder)
    about = _json(place / "ledger.json", _text(place / "ledger.json"))
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise InvalidFile(
            place / "ledger.json",
            f"This is not an export that this version of dprisk reads (it reads format {FORMAT}).",
        )
    lines = place / "entries.jsonl"
    rows = [_row(lines, i, line) for i, line in enumerate(_lines(lines), 1)]
    entries = check_rows(rows, 0, str(lines))
    for flaw in chain.from_iterable(map(what_it_says, entries)):
        raise unreadable(lines, flaw.key, **flaw.words)
    for name, content in contents(entries).items():
        if read(place / name, regular(place / name)) != content:
            raise InvalidFile(
                place / name,
                "It differs from the entries.",
                "Use the files of the export unchanged.",
            )
    return entries


def _lines(path: Path) -> list[str]:
    return [line for line in _text(path).split("\n") if line]


def _text(path: Path) -> str:
    return read_text(path, regular(path))  # as long as it is: a ledger has no end


def _row(path: Path, number: int, line: str) -> tuple[Any, ...]:
    said = _json(path, line, f"line {number}")
    if not isinstance(said, dict) or said.keys() != set(FIELDS):
        raise InvalidFile(path, "This is not an entry of a ledger.", "", f"line {number}")
    return tuple(said[name] for name in FIELDS)


def _json(path: Path, text: str, where: str | None = None) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidFile(path, "This is not valid JSON.", "", where) from None


def import_ledger(
    folder: str | os.PathLike[str], where: str | os.PathLike[str], *, patience: float = 30.0
) -> Store:
    """Make a ledger from the files of an export."""
    entries = read_export(folder)
    store = open_store(where, create=True, patience=patience)

    def work(writing: Writing) -> None:
        if writing.entries():
            raise InvalidInput(
                "where",
                store.location.shown,
                "a place without a ledger",
                "An import makes a new ledger and never replaces one.",
            )
        for entry in entries:
            writing.append(entry)

    try:
        store.write(work)
    except BaseException:
        store.close()
        raise
    return store
