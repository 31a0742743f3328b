"""Flipped bytes, cut tails and older backups, each held against a checkpoint."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from random import Random

from sqlalchemy import text

from dprisk.errors import DpriskError
from dprisk.ledger.copies.verifying import Checkpoint, verify
from dprisk.ledger.entries import Entry
from dprisk.ledger.store import Store, open_store
from dprisk.ledger.store.opening import copy_file
from torture.working import Book, checkpoint_of, first

__all__ = ["of_a_file", "of_a_server"]


def _filled(where: str, count: int, random: Random) -> Store:
    store = open_store(where, create=True)
    store.write(lambda writing: writing.append(first(10**9)))
    book = Book(store)
    for i in range(count):
        book.charge(f"k{i}", i, "é" * random.randint(0, 1500))
    return store


def of_a_file(folder: Path, random: Random, tries: int) -> tuple[Counter[str], list[str]]:
    """How each try ended; a flip that is not found has changed nothing that can be read."""
    store = _filled(str(folder / "a"), 60, random)
    copy_file(store.location, folder / "backup")
    _more(store, 5)
    entries = store.read()
    point = checkpoint_of(entries)
    store.close()
    whole, spoilt = (folder / "a").read_bytes(), folder / "b"
    tally: Counter[str] = Counter()
    wrong = []
    for i in range(tries):
        for rest in ("", "-wal", "-shm"):
            Path(f"{spoilt}{rest}").unlink(missing_ok=True)
        way = random.choices(("flip", "tail", "backup"), (8, 1, 1))[0]
        if way == "flip":
            at, bit = random.randrange(len(whole)), 1 << random.randrange(8)
            spoilt.write_bytes(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :])
        else:
            shutil.copy(folder / ("a" if way == "tail" else "backup"), spoilt)
        if way == "tail":
            _cut(spoilt, random.randint(1, len(entries) - 1))
        outcome = _held_against(spoilt, point, entries)
        tally[f"{way}: {outcome}"] += 1
        if outcome == "missed" or (way != "flip" and outcome != "found"):
            wrong.append(f"try {i}: {way} was not found")
    return tally, wrong


def _more(store: Store, count: int) -> None:
    book = Book(store)
    for i in range(count):
        book.charge(f"more{i}", 1)


def _cut(path: Path, keep: int) -> None:
    """As somebody would who knows how: the triggers are put back."""
    store = open_store(path)
    with store.engine.connect() as connection:
        name = "entry_stays"
        question = text("SELECT sql FROM sqlite_master WHERE name = :name")
        trigger = connection.execute(question, {"name": name}).scalar_one()
        connection.execute(text("DROP TRIGGER entry_stays"))
        connection.execute(text("DELETE FROM entry WHERE seq > :keep"), {"keep": keep})
        connection.exec_driver_sql(trigger)
    store.close()


def _held_against(path: Path, point: Checkpoint, entries: list[Entry]) -> str:
    try:
        store = open_store(path)
    except DpriskError:
        return "found"
    try:
        if verify(store, point, contents=False).flaws:
            return "found"
        return "harmless" if store.read() == entries else "missed"
    except DpriskError:
        return "found"
    finally:
        store.close()


def of_a_server(where: str, random: Random, tries: int) -> tuple[Counter[str], list[str]]:
    """One letter of one cell of one row, or the tail, by whoever may switch triggers off."""
    store = _filled(where, 30, random)
    entries = store.read()
    point = checkpoint_of(entries)
    tally: Counter[str] = Counter()
    wrong = []
    for i in range(tries):
        entry = random.choice(entries)
        column = random.choice(("kind", "at", "by", "body", "previous", "hash", "key", "tail"))
        with store.engine.connect() as connection:
            connection.execute(text("ALTER TABLE entry DISABLE TRIGGER USER"))
            if column == "tail":
                connection.execute(text("DELETE FROM entry WHERE seq >= :seq"), {"seq": entry.seq})
            else:
                said = {"seq": entry.seq, "said": _other(getattr(entry, column) or "", random)}
                statement = f'UPDATE entry SET "{column}" = :said WHERE seq = :seq'
                connection.execute(text(statement), said)
            connection.execute(text("ALTER TABLE entry ENABLE TRIGGER USER"))
        outcome = "found" if verify(store, point, contents=False).flaws else "missed"
        tally[f"{column}: {outcome}"] += 1
        if outcome == "missed":
            wrong.append(f"try {i}: {column} of entry {entry.seq}")
        _restore(store, entries)
    store.close()
    return tally, wrong


def _other(said: str, random: Random) -> str:
    at = random.randrange(len(said) + 1)
    return f"{said[:at]}{chr(ord(said[at]) ^ 64) if at < len(said) else '+'}{said[at + 1 :]}"


def _restore(store: Store, entries: list[Entry]) -> None:
    def work(writing: object) -> None:
        for entry in entries:
            writing.append(entry)  # type: ignore[attr-defined]

    with store.engine.connect() as connection:
        connection.execute(text("ALTER TABLE entry DISABLE TRIGGER USER"))
        connection.execute(text("DELETE FROM entry"))
        connection.execute(text("ALTER TABLE entry ENABLE TRIGGER USER"))
    store.write(work)
