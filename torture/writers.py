"""Many writers at once, killed again and again; so is the server."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Final, Protocol, TypeVar

from dprisk.errors import LedgerUnavailable
from dprisk.ledger.store import open_store
from torture import charging
from torture.postgresql import Server
from torture.working import Book, first, problems

__all__ = ["PLAIN", "WHOLE", "Kind", "Tally", "torture"]

T = TypeVar("T")
PATIENCE: Final = 120.0  # seconds in which a server that was killed has to be back


class Charging(Protocol):
    """A process that charges."""

    def charge(self, key: str, amount: int) -> bool:
        """Once, whatever happens; False: refused."""


@dataclass(frozen=True)
class Kind:
    """How charges are made: with entries alone, or through the surface of the ledger."""

    begin: Callable[[str, int], None]
    at: Callable[[str], Charging]
    judged: Callable[[str, list[str], list[str]], list[str]]


def _begin(where: str, limit: int) -> None:
    store = open_store(where, create=True)
    store.write(lambda writing: writing.append(first(limit)))
    store.close()


def _judged(where: str, accepted: list[str], refused: list[str]) -> list[str]:
    store = open_store(where)
    found = problems(store, accepted, refused)
    store.close()
    return found


PLAIN = Kind(_begin, lambda where: Book(open_store(where)), _judged)
WHOLE = Kind(charging.begin, charging.Office.at, charging.judged)


@dataclass
class Tally:
    """What was done."""

    charges: int = 0
    acknowledged: int = 0
    refused: int = 0
    killed: int = 0
    servers_killed: int = 0
    seconds: float = 0.0
    problems: tuple[str, ...] = ()


def torture(
    where: str,
    folder: Path,
    random: Random,
    *,
    writers: int = 16,
    charges: int = 2000,
    kills: int = 200,
    server: Server | None = None,
    kind: Kind = PLAIN,
) -> Tally:
    """Let writers charge while some are killed, and hold the ledger against what they were told."""
    started = time.monotonic()
    plans = [plan(random, i, charges, writers) for i in range(writers)]
    size = sum(amount for each in plans for _, amount in dict(each).items())
    kind.begin(where, round(size * 0.8))
    running = {start(kind, where, folder, i, plans[i]): i for i in range(writers)}
    tally = Tally(charges=sum(map(len, plans)))
    while running:
        done = sum(lines(folder, i) for i in range(writers))
        due = kills * done >= (tally.killed + tally.servers_killed + 1) * tally.charges
        if due and tally.killed + tally.servers_killed < kills:
            if server and random.random() < 0.1:
                server.kill()
                server.start()
                tally.servers_killed += 1
            else:
                os.kill(random.choice(list(running)), signal.SIGKILL)
                tally.killed += 1
        for child in list(running):
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                i = running.pop(child)
                if os.waitstatus_to_exitcode(status):
                    running[start(kind, where, folder, i, plans[i])] = i
        time.sleep(0.002)
    said = [line.split() for i in range(writers) for line in trail(folder, i)]
    accepted = [key for word, key in said if word == "yes"]
    refused = [key for word, key in said if word == "no"]
    tally.acknowledged, tally.refused = len(accepted), len(refused)
    tally.seconds = time.monotonic() - started
    gave_up = [path.read_text() for path in sorted(folder.glob("error-*"))]
    tally.problems = (*gave_up, *carefully(lambda: kind.judged(where, accepted, refused)))
    return tally


def plan(random: Random, i: int, count: int, writers: int) -> list[tuple[str, int]]:
    """Keys and amounts; a fifth of the keys are those of earlier charges, some by other writers."""
    made: list[tuple[str, int]] = []
    for n in range(count):
        if random.random() < 0.2 and made:
            key, amount = random.choice(made)
            made.append((key, amount))
        elif random.random() < 0.05:
            made.append((f"shared-{n}", 7))
        else:
            made.append((f"{i}-{n}", random.randint(1, 9)))
    return made


def start(kind: Kind, where: str, folder: Path, i: int, charges: list[tuple[str, int]]) -> int:
    """A writer, which goes on behind the last answer that it has written down."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        book = carefully(lambda: kind.at(where))
        with open(folder / f"trail-{i}", "ab", buffering=0) as file:
            for key, amount in charges[lines(folder, i) :]:
                answer = "yes" if carefully(partial(book.charge, key, amount)) else "no"
                file.write(f"{answer} {key}\n".encode())
        code = 0
    except BaseException as error:
        (folder / f"error-{i}-{os.getpid()}").write_text(f"{error!r}")
    finally:
        os._exit(code)


def carefully(work: Callable[[], T]) -> T:
    """The same again while the database is away: a charge is asked for under its own key."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return work()
        except LedgerUnavailable:
            if time.monotonic() > until:
                raise
        time.sleep(0.05)


def trail(folder: Path, i: int) -> list[str]:
    """The answers that a writer got."""
    path = folder / f"trail-{i}"
    return path.read_text().splitlines() if path.exists() else []


def lines(folder: Path, i: int) -> int:
    """How many answers a writer got."""
    path = folder / f"trail-{i}"
    return path.read_bytes().count(b"\n") if path.exists() else 0
