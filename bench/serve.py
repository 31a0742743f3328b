"""People who move sliders, all at once, on a server of this machine: ``python -m bench.serve``.

Each of so many people keeps one connection, and sends the next question when the last is answered
and a moment has passed; a page, which asks three questions, is looked at for longer. What takes
long, fails or stays in memory is counted.
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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from statistics import median, quantiles
from typing import final

__all__ = ["Load", "load", "memory", "serving"]

MOMENT, LOOK = 0.5, 2.5  # seconds between an answer and the next question, a page and the next


@final
@dataclass(frozen=True)
class Load:
    """What came of it: seconds of each answer, and the status of each that was no answer."""

    seconds: tuple[float, ...]
    errors: tuple[str, ...]

    def __str__(self) -> str:
        if len(self.seconds) < 2:
            return f"{len(self.seconds)} answers, {len(self.errors)} errors"
        high = quantiles(self.seconds, n=100)
        return (
            f"{len(self.seconds)} answers, {len(self.errors)} errors; milliseconds: "
            f"median {1000 * median(self.seconds):.1f}, 95 of 100 within {1000 * high[94]:.1f}, "
            f"99 within {1000 * high[98]:.1f}, all within {1000 * max(self.seconds):.1f}"
        )


async def load(port: int, people: int, seconds: float, *, pages: bool = False) -> Load:
    """So many people who ask for so long: the API, or pages."""
    until = time.perf_counter() + seconds
    took: list[float] = []
    errors: list[str] = []
    await asyncio.gather(*(_person(port, n, until, took, errors, pages) for n in range(people)))
    return Load(tuple(took), tuple(errors))


async def _person(
    port: int, number: int, until: float, took: list[float], errors: list[str], pages: bool
) -> None:
    pause = LOOK if pages else MOMENT
    await asyncio.sleep(pause * (number % 50) / 50)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for step in count():
        if (start := time.perf_counter()) >= until:
            break
        epsilon = f"{0.01 * (1 + (7 * number + step) % 300):.2f}"
        writer.write((_page if pages else _question)(port, epsilon))
        await writer.drain()
        status = await _answer(reader)
        if status == 200:
            took.append(time.perf_counter() - start)
        else:
            errors.append(str(status))
        await asyncio.sleep(pause)
    writer.close()
    await writer.wait_closed()


def _question(port: int, epsilon: str) -> bytes:
    asked = {"epsilon": epsilon, "neighbors": "add-remove", "prior": ["0.1", "0.5"]}
    body = json.dumps(asked).encode()
    head = f"POST /api/assess HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
    more = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return (head + more).encode() + body


def _page(port: int, epsilon: str) -> bytes:
    return f"GET /promise?epsilon={epsilon} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()


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
