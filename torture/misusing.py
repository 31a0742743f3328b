"""What happens around a ledger, drawn at random: odd places, forgers, copies, clocks, second looks.

Each way begins with a ledger of two accounts, and ends with what is wrong with it.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from random import Random

from dprisk.errors import DpriskError, InvalidInput, LedgerUnavailable, LimitRefused
from dprisk.ledger import Ledger
from dprisk.ledger.entries import Entry
from dprisk.ledger.store import open_store, probing
from torture import charging, writers
from torture.crafting import COSTS, RELEASES, append, begun_at, charge, digested, pure

__all__ = ["WAYS", "misused"]

EACH = Fraction(1, 64)
Way = Callable[[Path, Random], Iterator[str]]


def misused(folder: Path, random: Random, tries: int) -> tuple[Counter[str], list[str]]:
    """How often each way was gone, and what was wrong after any."""
    tally: Counter[str] = Counter()
    wrong = []
    for number, name in enumerate(random.choices(list(WAYS), k=tries)):
        place = folder / str(number)
        place.mkdir()
        tally[name] += 1
        try:
            wrong += [f"{name}, try {number}: {each}" for each in WAYS[name](place, random)]
        except Exception as error:
            wrong.append(f"{name}, try {number}: {error!r}")
        shutil.rmtree(place)
    return tally, wrong


def _begun(place: Path, random: Random) -> Ledger:
    ledger = begun_at(place / "a")
    for number in range(random.randint(1, 5)):
        asked = {"by": "ann", "key": f"k{number}"}
        add = ledger.charge if random.random() < 0.5 or not number else ledger.reserve
        add(pure(float(EACH)), "school", **asked)
    return ledger


def _spent(ledger: Ledger) -> Fraction:
    return ledger.status("town").standing.amounts[0].spent


def _two_paths(place: Path, random: Random) -> Iterator[str]:
    """Writers through two links, killed; a second name is refused."""
    (place / "real").mkdir()
    paths = place / "real" / "a", place / "link", place / "volume" / "a"
    paths[1].symlink_to(paths[0])
    (place / "volume").symlink_to(place / "real")

    def at(where: str) -> charging.Office:
        return charging.Office.at(str(paths[os.getpid() % 3]))

    kind = replace(writers.WHOLE, at=at)
    kills = random.randint(0, 3)
    yield from writers.torture(
        str(paths[0]), place, random, writers=3, charges=8, kills=kills, kind=kind
    ).problems
    os.link(paths[0], place / "other")
    for each in random.sample([*paths, place / "other"], 2):
        with suppress(LedgerUnavailable):
            open_store(each)
            yield f"{each.name} was opened, and has two names"


def _no_locks(place: Path, random: Random) -> Iterator[str]:
    """A file system on which every lock is granted."""
    _begun(place, random).close()
    before, probe = (place / "a").read_bytes(), probing.PROBE
    name = random.choice(("a", "new"))
    vars(probing)["PROBE"] = f"{probe}&vfs=unix-none"
    try:
        with suppress(LedgerUnavailable):
            open_store(place / name, create=name == "new")
            yield f"{name} was opened without locks"
    finally:
        vars(probing)["PROBE"] = probe
    if (place / "a").read_bytes() != before or (place / "new").exists():
        yield "something was written without locks"


def _unguarded(place: Path) -> None:
    with closing(sqlite3.connect(place / "a")) as connection:
        connection.execute("DROP TRIGGER entry_follows")


def _crafted(place: Path, random: Random) -> Iterator[str]:
    """A charge that says something else than its description, with right hashes."""
    with _begun(place, random) as ledger:
        _unguarded(place)
        before, size = _spent(ledger), ledger.state().size
        name, change = random.choice([*COSTS.items(), *RELEASES.items()])
        made = change(charge(ledger))
        with suppress(LookupError, TypeError, AttributeError):  # there is nothing to digest
            made = digested(made) if name in COSTS and random.random() < 0.5 else made
        append(ledger, "reserved", "forged", made)
        named = [seq for seq in ledger.state().flaws if seq > size]
        if named != [size + 1] and made != charge(ledger):
            yield f"{name}: entries {named} are named"
        if _spent(ledger) not in (before, before + EACH):
            yield f"{name}: {_spent(ledger)} is spent"
        with suppress(LimitRefused):
            ledger.charge(pure(float(1 - before) + 2**-10), "town", by="ann")
            yield f"{name}: too much was charged"


def _appended(place: Path, random: Random) -> Iterator[str]:
    """A row of whoever may write to the file: the database or a reader refuses it, or names it."""
    with _begun(place, random) as ledger:
        if random.random() < 0.5:
            _unguarded(place)
        before, last = _spent(ledger), ledger.store.read()[-1]
        made = Entry.after(last, "reserved", "forged", last.at, "bo", charge(ledger))
        name, value = random.choice(
            [
                ("seq", random.choice((0, -1, last.seq, last.seq + 2, 2**62))),
                ("kind", random.choice(("reset", "released", ""))),
                ("key", random.choice(("k0", None, ""))),
                ("body", random.choice(("", "null", "{", made.body.replace("64", "65")))),
                ("previous", random.choice((last.previous, "0" * 64, ""))),
                ("hash", random.choice((last.hash, "0" * 64, ""))),
            ]
        )
        row = tuple((asdict(made) | {name: value}).values())
        with suppress(sqlite3.Error), closing(sqlite3.connect(place / "a")) as connection:
            connection.execute(f"INSERT INTO entry VALUES ({', '.join('?' * 8)})", row)
            connection.commit()
    with suppress(DpriskError), Ledger.open(place / "a") as again:
        whole = again.verify()
        if again.state().size > last.seq and whole.is_whole and value != getattr(made, name):
            yield f"{name} {value!r} was not noticed"
        if _spent(again) < before:
            yield f"{name} {value!r}: less is spent"


def _copied(place: Path, random: Random) -> Iterator[str]:
    """Copies of a file while it is written, by a program that is killed."""
    _begun(place, random).close()
    child = os.fork()
    if child == 0:
        with suppress(BaseException), Ledger.open(place / "a") as ledger:
            for number in range(40):
                ledger.charge(pure(2**-12), "town", by="bo", key=f"n{number}")
                with (place / "trail").open("a") as file:
                    file.write(f"n{number}\n")
        os._exit(0)
    copies = [place / f"copy{number}" for number in range(random.randint(1, 4))]
    for copy in copies:
        time.sleep(random.uniform(0, 0.15))
        shutil.copyfile(place / "a", copy)
    if random.random() < 0.5:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with Ledger.open(place / "a") as ledger:
        entries = ledger.store.read()
        yield from ledger.verify(replay=True).flaws
    said = (place / "trail").read_text().split() if (place / "trail").exists() else []
    yield from (f"{key} is lost" for key in set(said) - {each.key for each in entries})
    for copy in copies:
        with suppress(DpriskError), Ledger.open(copy) as other:
            there = other.store.read()
            if there[: len(entries)] != entries[: len(there)]:  # the last may be of the kill
                yield f"{copy.name} holds other entries"


def _looked(place: Path, random: Random) -> Iterator[str]:
    """A charge is to be taken back after its result was seen."""
    with _begun(place, random) as ledger:
        key = random.choice([each.key for each in ledger.history()])
        if random.random() < 0.5:
            ledger.release(key, by="ann")
        status = {each.key: each.status for each in ledger.history()}[key]
        before, size = _spent(ledger), ledger.state().size
        with suppress(InvalidInput):
            ledger.void(key, by="ann", reason="it was dull", not_run=status == "released")
            yield f"{key}, {status}, was voided"
        _unguarded(place)
        forged = {"charge": key, "reason": "it was dull"}
        more = {"not_run": True} if status == "released" else {}
        append(ledger, "voided", None, {**forged, **more})
        if _spent(ledger) != before or size + 1 not in ledger.state().flaws:
            yield f"{key}, {status}: a forged void counts"


def _clocks(place: Path, random: Random) -> Iterator[str]:
    """Clocks that are wrong by years, and go back."""
    with _begun(place, random) as ledger:
        before, times = _spent(ledger), random.randint(1, 8)
        for number in range(times):
            now = datetime(random.randint(2, 9998), random.randint(1, 12), 1, tzinfo=UTC)
            other = Ledger(ledger.store, clock=lambda now=now: now)  # type: ignore[misc]
            other.charge(pure(float(EACH)), "town", by="bo", key=f"c{number}")
        yield from ledger.verify(replay=True).flaws
        if _spent(ledger) != before + times * EACH:
            yield f"{_spent(ledger)} is spent"


WAYS: dict[str, Way] = {
    "two paths": _two_paths,
    "no locks": _no_locks,
    "crafted": _crafted,
    "appended": _appended,
    "copied": _copied,
    "looked": _looked,
    "clocks": _clocks,
}
