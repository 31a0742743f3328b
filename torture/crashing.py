"""A crash before the n-th step that reaches the database, for every n; and a write torn in two."""

from __future__ import annotations

import os
import resource
import shutil
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import Engine, event

from dprisk.errors import DpriskError
from dprisk.ledger.copies.verifying import import_ledger
from dprisk.ledger.entries import export_entries
from dprisk.ledger.store import open_store
from torture.working import Book, first, problems

__all__ = ["COMMANDS", "crashed", "every_step", "torn_writes"]


def _init(where: str, folder: Path) -> None:
    store = open_store(where, create=True, patience=10)
    if not store.read():
        store.write(lambda writing: writing.append(first(1000)))
    store.close()


def _charge(where: str, folder: Path) -> None:
    store = open_store(where, patience=10)
    book = Book(store)
    for key in ("a", "b", "a"):
        book.charge(key, 1, "x" * 9000)  # several pages
    store.close()


def _refuse(where: str, folder: Path) -> None:
    store = open_store(where, patience=10)
    Book(store).charge("large", 2000)
    store.close()


def _export(where: str, folder: Path) -> None:
    store = open_store(where, patience=10)
    if (folder / "export" / "ledger.json").exists():
        return
    shutil.rmtree(folder / "export", ignore_errors=True)
    export_entries(store.read(), folder / "export")
    store.close()


COMMANDS: dict[str, Callable[[str, Path], None]] = {
    "init": _init,
    "charge": _charge,
    "refuse": _refuse,
    "export": _export,
}


def every_step(where: str, folder: Path) -> tuple[int, list[str]]:
    """How many crashes there were, and what was wrong after any."""
    crashes, found = 0, []
    for name, command in COMMANDS.items():
        n = 0
        while crashed(partial(command, where, folder), n):
            crashes += 1
            if name != "init":
                store = open_store(where, patience=20)
                found += [f"{name}, step {n}: {each}" for each in problems(store, [])]
                store.close()
            n += 1
    store = open_store(where)
    found += problems(store, ["a", "b"], ["large"])
    kept = import_ledger(folder / "export", folder / "again", as_is=True)
    if kept.read() != store.read():
        found.append("the import is another ledger")
    kept.close()
    store.close()
    return crashes, found


def crashed(work: Callable[[], None], n: int) -> bool:
    """Whether a child that does the work comes to the n-th step, before which it is gone."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            steps = iter(range(n, -1, -1))

            def step(*_: object) -> None:
                if next(steps) == 0:
                    os._exit(137)

            event.listen(Engine, "before_cursor_execute", step)
            event.listen(Engine, "commit", step)
            event.listen(Engine, "rollback", step)
            os.fsync, os.replace = _after(step, os.fsync), _after(step, os.replace)
            work()
            code = 0
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code not in (0, 137):
        raise RuntimeError(f"the child ended with {code}")
    return code == 137


def _after(step: Callable[[], None], function: Callable[..., Any]) -> Callable[..., Any]:
    def stepped(*given: Any, **named: Any) -> Any:
        step()
        return function(*given, **named)

    return stepped


def torn_writes(folder: Path, random: Random, tries: int) -> tuple[int, list[str]]:
    """The process is gone in the middle of a write to the file or its log, at any byte.

    How often that was so, and what was wrong afterwards.
    """
    torn, found = 0, []
    path = folder / "torn.ledger"
    store = open_store(path, create=True)
    store.write(lambda writing: writing.append(first(10**9)))
    store.close()
    accepted: list[str] = []
    for i in range(tries):
        sizes = [p.stat().st_size for p in folder.glob("torn.ledger*")]
        limit = random.randint(1, random.choice((60_000, max(sizes) + 20_000)))
        was_torn, told = _torn(path, limit, f"{i}")
        torn += was_torn
        accepted += told
        store = open_store(path)
        found += [f"limit {limit}: {each}" for each in problems(store, accepted)]
        store.close()
    return torn, found


def _torn(path: Path, limit: int, name: str) -> tuple[bool, list[str]]:
    """Whether the system ended a writer in a write beyond `limit`, and what it was told before."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            book = Book(open_store(path))
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            for n in range(3):
                with suppress(DpriskError):
                    book.charge(f"{name}-{n}", 1, "x" * 3000)
                    os.write(write, f"{name}-{n}\n".encode())
        finally:
            os._exit(1)
    os.close(write)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with os.fdopen(read) as told:
        return status == -signal.SIGXFSZ, told.read().split()
