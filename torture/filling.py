"""A disk that is full: what was acknowledged is there, and work goes on once there is room."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dprisk.errors import LedgerUnavailable
from dprisk.ledger.store import open_store
from torture.postgresql import server
from torture.working import Book, first, problems

__all__ = ["can_mount", "file_on_a_full_disk", "server_on_a_full_disk", "small_disk"]


def can_mount() -> bool:
    """Whether a small disk can be made here."""
    try:
        with small_disk(1):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """One in memory."""
    if os.getuid():
        raise PermissionError
    folder = tempfile.mkdtemp(prefix="dprisk-disk-")
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", folder]
    subprocess.run(command, check=True, capture_output=True)
    try:
        yield Path(folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
        os.rmdir(folder)


def fill(where: str, disk: Path, rounds: int, restart: object = None) -> tuple[int, list[str]]:
    """Charge until nothing fits any more, make room, and go on; how often it was full."""
    full, accepted, found = 0, [], []
    store = open_store(where, create=True, patience=5)
    store.write(lambda writing: writing.append(first(10**9)))
    book = Book(store)
    for i in range(rounds):
        ballast = disk / "ballast"
        with ballast.open("wb") as file:
            free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
            file.write(bytes(max(free - 300_000 * (1 + i % 3), 0)))
        for n in range(500):
            try:
                if book.charge(f"{i}-{n}", 1, "x" * (20_000 + i)):
                    accepted.append(f"{i}-{n}")
            except LedgerUnavailable as error:
                full += 1
                if "disk is full" not in str(error) and where.startswith("/"):
                    found.append(str(error))
                break
        ballast.unlink()
        if callable(restart):
            restart()
        book.charge(f"after-{i}", 1)
        accepted.append(f"after-{i}")
        found += problems(store, accepted)
    store.close()
    return full, found


def file_on_a_full_disk(rounds: int) -> tuple[int, list[str]]:
    """SQLite."""
    with small_disk(rounds * 4 + 4) as disk:
        return fill(str(disk / "a.ledger"), disk, rounds)


def server_on_a_full_disk(rounds: int) -> tuple[int, list[str]]:
    """PostgreSQL, which may give up; then it is started again."""
    with small_disk(160) as disk, server(folder=disk) as found:

        def restart() -> None:
            if found.process.poll() is not None:
                found.start()

        return fill(found.url(found.schema()), disk, rounds, restart)
