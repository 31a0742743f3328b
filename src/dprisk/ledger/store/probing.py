"""Files in which entries could be lost: refused before one is written.

SQLite needs locks that hold between programs, and one name for a file, after which its journal is
named (https://www.sqlite.org/howtocorrupt.html).
"""

from __future__ import annotations

import os
import sqlite3
import struct
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from dprisk._files import opened
from dprisk.errors import DpriskError, LedgerUnavailable

if TYPE_CHECKING:
    from dprisk.ledger.store.places import Location

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

MOUNTS: Final = Path("/proc/self/mountinfo")
PROBE: Final = "file:{}?mode=rw"
MAGIC: Final = b"SQLite format 3\0"
RESERVED: Final = 0x4000_0001  # the byte that a writer locks in the format of SQLite
OF_ONE_MACHINE: Final = {"nolock", "nobrl", "local_lock=all", "local_lock=posix"}
"""Options of network file systems by which no lock reaches another machine."""


def refuse_links(location: Location) -> None:
    """Refuse a file that has two names: a journal is named after one of them."""
    names = 1
    if location.path is not None:
        with suppress(OSError):  # one that is gone: is said where it is opened
            names = os.stat(location.path).st_nlink
    if names > 1:
        raise LedgerUnavailable(
            location.shown,
            f"This file has {names} names (hard links), and entries written under one name could "
            "be lost under the other. Keep one name and remove the others. For another place, "
            "use a symbolic link (ln -s).",
        )


def refuse_place(location: Location) -> None:
    """Refuse a file that is mounted by itself, and a file system whose locks do not hold."""
    if location.path is None:
        return
    mounts = list(_mounts())
    if any(place == _escaped(location.path) for place, _ in mounts):  # in a container, often
        raise LedgerUnavailable(
            location.shown,
            "This file is mounted by itself. A container, for example, does this if you name the "
            "file as a volume. Entries could then be lost after a crash. Mount the folder of the "
            "ledger instead.",
        )
    folder = location.path.parent
    over = [each for each in mounts if _is_below(_escaped(folder), each[0])]
    options = max(over, key=lambda each: len(each[0]), default=("", set[str]()))[1]
    if idle := sorted(options & OF_ONE_MACHINE):
        raise LedgerUnavailable(
            location.shown,
            f"This folder is mounted with {idle[0]}: no lock reaches another machine, and entries "
            "written from two could be lost. Mount it with locks, keep the ledger on a local disk, "
            "or use a PostgreSQL server.",
        )
    if not locks_hold(folder):
        raise LedgerUnavailable(
            location.shown,
            "The file system does not hold locks: two programs could write at once, and entries "
            "would be lost. Keep the ledger on a local disk, or use a PostgreSQL server.",
        )


def locks_hold(folder: Path) -> bool:
    """Whether a lock that SQLite takes in a folder is seen by someone else; True if unknown.

    Someone else is a lock of an open file (Linux), which belongs to no process.
    """
    if not hasattr(fcntl, "F_OFD_SETLK"):
        return True
    try:
        handle, name = tempfile.mkstemp(prefix=".dprisk-", dir=folder)
    except OSError:  # nothing can be written there
        return True
    asked = struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, RESERVED, 1, 0)
    try:
        address = PROBE.format(quote(os.fsencode(name)))
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            fcntl.fcntl(handle, fcntl.F_OFD_SETLK, asked)
        return False
    except (OSError, sqlite3.Error):  # it is refused, as it should be
        return True
    finally:
        os.close(handle)
        with suppress(OSError):
            os.unlink(name)


def cut_short(path: Path) -> tuple[int, int] | None:
    """How many bytes are there of how many that the header of a damaged file counts; or None.

    Only of a file that SQLite has found damaged: to close it here gives up locks of this process.
    """
    with suppress(OSError, DpriskError), opened(path) as file:
        head, there = file.read(100), os.fstat(file.fileno()).st_size
        size, pages = int.from_bytes(head[16:18]), int.from_bytes(head[28:32])
        whole = (65536 if size == 1 else size) * pages
        if head[:16] == MAGIC and head[24:28] == head[92:96] and there < whole:
            return there, whole
    return None


def _mounts() -> Iterator[tuple[str, set[str]]]:
    """Each place where something is mounted, as the kernel writes it, and its options."""
    try:
        listed = MOUNTS.read_text("utf-8", "surrogateescape")
    except OSError:  # not on Linux
        return
    for line in listed.splitlines():
        own, _, kind = line.partition(" - ")
        found, of_kind = own.split(" "), kind.split(" ")
        yield found[4], {*found[5].split(","), *of_kind[-1].split(",")}


def _is_below(path: str, place: str) -> bool:
    return place in ("/", path) or path.startswith(f"{place}/")


def _escaped(path: Path) -> str:
    """Write a path as the kernel does in its list of mounts."""
    return "".join(f"\\{ord(c):03o}" if c in " \t\n\\" else c for c in str(path))
