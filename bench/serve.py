"""People who move sliders, all at once, on a server of this machine: ``python -m bench.serve``.

Each of so many people keeps one connection, and sends the next question when the last is answered
and a moment has passed. On a page they move a slider a few times, which asks for what is on top,
and then look at the whole page for longer. What takes long, fails or stays in memory is counted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from statistics import median, quantiles
from typing import final

__all__ = ["Load", "load", "memory", "serving"]

MOMENT, LOOK = 0.5, 2.5  # seconds between an answer and the next question, a page and the next
MOVES = 3  # of a slider, then the whole page


@final
@dataclass(frozen=True)
class Load:
    """What came of it: seconds of answers and of whole pages, and what was neither."""

    seconds: tuple[float, ...]
    wholes: tuple[float, ...]
    errors: tuple[str, ...]

    def __str__(self) -> str:
        said = [_times("answers", self.seconds), _times("whole pages", self.wholes)]
        return "; ".join([*filter(None, said), f"{len(self.errors)} errors"])


def _times(what: str, seconds: Sequence[float]) -> str:
    if len(seconds) < 2:
        return ""
    high = quantiles(seconds, n=100)
    return (
        f"{len(seconds)} {what}, milliseconds: median {1000 * median(seconds):.1f}, 95 of 100 "
        f"within {1000 * high[94]:.1f}, 99 within {1000 * high[98]:.1f}, all within "
        f"{1000 * max(seconds):.1f}"
    )


async def load(port: int, people: int, seconds: float, *, pages: bool = False) -> Load:
    """So many people who ask for so long: the API, or pages."""
    until = time.perf_counter() + seconds
    came: list[tuple[int, bool, float]] = []
    await asyncio.gather(*(_person(port, n, until, came, pages) for n in range(people)))
    took = {
        whole: tuple(s for ok, w, s in came if ok == 200 and w is whole) for whole in (False, True)
    }
    return Load(took[False], took[True], tuple(str(ok) for ok, _, _ in came if ok != 200))


async def _person(
    port: int, number: int, until: float, came: list[tuple[int, bool, float]], pages: bool
) -> None:
    await asyncio.sleep((LOOK if pages else MOMENT) * (number % 50) / 50)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for step in count():
        if (start := time.perf_counter()) >= until:
            break
        epsilon = f"{0.01 * (1 + (7 * number + step) % 300):.2f}"
        whole = pages and step % (MOVES + 1) == MOVES
        writer.write(_page(port, epsilon, whole) if pages else _question(port, epsilon))
        await writer.drain()
        status = await _answer(reader)
        came.append((status, whole, time.perf_counter() - start))
        await asyncio.sleep(LOOK if whole else MOMENT)
    writer.close()
    await writer.wait_closed()


def _question(port: int, epsilon: str) -> bytes:
    asked = {"epsilon": epsilon, "neighbors": "add-remove", "prior": ["0.1", "0.5"]}
    body = json.dumps(asked).encode()
    head = f"POST /api/assess HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
    more = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return (head + more).encode() + body


def _page(port: int, epsilon: str, whole: bool) -> bytes:
    brief = "" if whole else "X-Brief: 1\r\n"
    head = f"GET /promise?epsilon={epsilon} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
    return f"{head}{brief}\r\n".encode()


async def _answer(reader: asyncio.StreamReader) -> int:
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head)
    await reader.readexactly(int(length[1]) if length else 0)
    return int(head.split()[1])


@contextmanager
def serving() -> Iterator[tuple[int, int]]:
    """A server on a free port: its process and its port."""
    command = [sys.executable, "-m", "dprisk", "serve", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            yield process.pid, int(line.rstrip().rstrip("/").rpartition(":")[2])
        finally:
            process.terminate()


def memory(pid: int) -> float:
    """Megabytes that a process and those it has started hold."""
    return sum(_held(each) for each in (pid, *_children(pid))) / 1e6


def _children(pid: int) -> list[int]:
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(each) for each in file.read().split()]


def _held(pid: int) -> int:
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Load a server, first by the API, then by pages; print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    with serving() as (pid, port):
        while len(_children(pid)) < 3:
            time.sleep(0.1)
        time.sleep(10.0)  # until all of them have thought of everything once
        for name, pages in (("questions", False), ("pages", True)):
            asyncio.run(load(port, options.people, options.seconds / 6, pages=pages))
            before = memory(pid)
            done = asyncio.run(load(port, options.people, options.seconds, pages=pages))
            after = memory(pid)
            print(f"{name}: {done}; memory {before:.0f} MB before, {after:.0f} MB after")


if __name__ == "__main__":
    main()
