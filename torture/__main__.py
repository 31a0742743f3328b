"""Torture a ledger: ``python -m torture --minutes 30 --seed 7``."""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from torture import commanding, counting, crashing, cutting, filling, flipping, misusing, writers
from torture.postgresql import server

Part = Callable[[str, float], list[str]]
"""What is done with a seed, scaled: 1 is the whole of it."""


@contextmanager
def folder() -> Iterator[Path]:
    """One that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="dprisk-torture-") as name:
        yield Path(name)


def said(what: str, *more: Any) -> None:
    """One line of the record."""
    print(f"{time.strftime('%H:%M:%S')} {what:<28}", *more, flush=True)


def writers_on_a_file(seed: str, scale: float) -> list[str]:
    """Writers and kills, SQLite."""
    with folder() as where:
        tally = writers.torture(
            str(where / "a"), where, random.Random(seed), charges=round(2000 * scale),
            kills=round(200 * scale),
        )  # fmt: skip
    said("writers, SQLite", tally)
    return list(tally.problems)


def writers_on_a_server(seed: str, scale: float) -> list[str]:
    """Writers and kills of them and of the server, PostgreSQL."""
    with folder() as where, server() as found:
        tally = writers.torture(
            found.url(found.schema()), where, random.Random(seed), charges=round(2000 * scale),
            kills=round(200 * scale), server=found,
        )  # fmt: skip
    said("writers, PostgreSQL", tally)
    return list(tally.problems)


def through_the_ledger(seed: str, scale: float) -> list[str]:
    """Writers and kills once more, through `dprisk.ledger.Ledger`: an account, limits in risk."""
    charges, kills = round(250 * scale), round(50 * scale)
    with folder() as where, server() as found:
        one = writers.torture(
            str(where / "a"), where, random.Random(seed), charges=charges, kills=kills,
            kind=writers.WHOLE,
        )  # fmt: skip
        said("the ledger, SQLite", one)
        (where / "server").mkdir()
        other = writers.torture(
            found.url(found.schema()), where / "server", random.Random(seed), charges=charges,
            kills=kills, server=found, kind=writers.WHOLE,
        )  # fmt: skip
        said("the ledger, PostgreSQL", other)
    return [*one.problems, *other.problems]


def crashes(seed: str, scale: float) -> list[str]:
    """A crash before every step, both databases; torn writes of the file."""
    with folder() as where, server() as found:
        count, wrong = crashing.every_step(str(where / "a"), where)
        said("crashes, SQLite", count, "steps")
        (where / "server").mkdir()
        other, more = crashing.every_step(found.url(found.schema()), where / "server")
        said("crashes, PostgreSQL", other, "steps")
        for name, place in (
            ("SQLite", str(where / "b")),
            ("PostgreSQL", found.url(found.schema())),
        ):
            (where / name).mkdir()
            commands, some = commanding.every_command(place, where / name)
            said(f"commands, {name}", commands, "steps")
            more += some
        torn, rest = crashing.torn_writes(where, random.Random(seed), round(500 * scale))
        said("torn writes, SQLite", torn, "tries")
    return wrong + more + rest


def full_disks(seed: str, scale: float) -> list[str]:
    """Full disks, both databases."""
    if not filling.can_mount():
        said("full disks", "SKIPPED: only root can mount a small disk")
        return []
    full, wrong = filling.file_on_a_full_disk(max(2, round(10 * scale)))
    said("full disks, SQLite", full, "times full")
    other, more = filling.server_on_a_full_disk(max(1, round(5 * scale)))
    said("full disks, PostgreSQL", other, "times full")
    return wrong + more


def cut_lines(seed: str, scale: float) -> list[str]:
    """A line that breaks after each byte, or after some of them."""
    with server() as found:
        sent = cutting.lengths(found)
        cuts = [
            (way, most, times)
            for way, length in sent.items()
            for most, times in itertools.product(range(length + 1), (1, 3))
        ]
        random.Random(seed).shuffle(cuts)
        number, errors, wrong = cutting.cut_after(found, cuts[: round(len(cuts) * scale)])
    said("cut lines, PostgreSQL", f"{sent} bytes; {number} cuts, {errors} answered with an error")
    return wrong


def flips(seed: str, scale: float) -> list[str]:
    """Flipped bytes, cut tails, older backups."""
    with folder() as where, server("-c", "fsync=off") as found:
        tally, wrong = flipping.of_a_file(where, random.Random(seed), round(1000 * scale))
        said("flips, SQLite", dict(tally))
        other, more = flipping.of_a_server(
            found.url(found.schema()), random.Random(seed), round(300 * scale)
        )
        said("flips, PostgreSQL", dict(other))
    return wrong + more


def misuse(seed: str, scale: float) -> list[str]:
    """Odd places, forgers, copies, clocks and second looks, SQLite."""
    with folder() as where:
        tally, wrong = misusing.misused(where, random.Random(seed), round(200 * scale))
    said("misuse, SQLite", dict(tally))
    return wrong


def million(seed: str, scale: float) -> list[str]:
    """Many entries, both databases."""
    wrong: list[str] = []
    with folder() as where, server() as found:
        for name, place in (
            ("SQLite", str(where / "a")),
            ("PostgreSQL", found.url(found.schema())),
        ):
            times = counting.many(place, round(10**6 * scale))
            said(f"many entries, {name}", times)
            wrong += times.problems
    return wrong


PARTS: dict[str, Part] = {
    "flips": flips,
    "misuse": misuse,
    "crashes": crashes,
    "full-disks": full_disks,
    "cut-lines": cut_lines,
    "million": million,
    "through-the-ledger": through_the_ledger,
    "writers-on-a-file": writers_on_a_file,
    "writers-on-a-server": writers_on_a_server,
}


def main() -> int:
    """Print a line for each part; 1 if anything was wrong in any."""
    parser = argparse.ArgumentParser(prog="python -m torture", description=__doc__)
    parser.add_argument("--minutes", type=float, default=0.0, help="again until so much is over")
    parser.add_argument("--seed", default=None, help="any text; a random one if left out")
    parser.add_argument("--only", nargs="*", default=[], choices=list(PARTS))
    parser.add_argument("--scale", type=float, default=1.0, help="of each part, (0, 1]")
    given = parser.parse_args()
    seed = given.seed or str(random.SystemRandom().randrange(10**6))
    until = time.monotonic() + 60 * given.minutes
    wrong: list[str] = []
    for number in itertools.count():
        said("seed", f"{seed}-{number}")
        for name in given.only or PARTS:
            wrong += [f"{name}: {each}" for each in PARTS[name](f"{seed}-{number}", given.scale)]
        if time.monotonic() >= until:
            break
    print(*wrong[:100], f"{len(wrong)} problems", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
