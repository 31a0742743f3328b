"""Processes that answer: one question at a time each, and none that cannot be stopped."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from pkgutil import resolve_name
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO, Final, NamedTuple

from dprisk.progress import Step, progress
from dprisk.web.problems import Reply, problem_of

PROGRESS: Final = 102
EACH: Final = 0.25  # seconds between two words on how far it is


# --- in the server -------------------------------------------------------------------------------


class Worker(NamedTuple):
    """A process that answers, as the server sees it."""

    process: asyncio.subprocess.Process

    @classmethod
    async def started(cls, memory: int, *, loud: bool = False) -> Worker:
        """A new one, which may use so many bytes; what it complains about is seen if `loud`."""
        code = f"from dprisk.web.workers import work; work({memory})"
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-c", code),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=None if loud else asyncio.subprocess.DEVNULL,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
            start_new_session=True,  # Ctrl-C is for the server, which stops its workers itself
        )
        return cls(process)

    async def reply(
        self, task: str, given: bytes, listen: Callable[[Step], object] | None = None
    ) -> Reply:
        """Return its answer; raise `EOFError` or `ConnectionError` if it ends before."""
        stdin, stdout = self.process.stdin, self.process.stdout
        if stdin is None or stdout is None:
            raise ConnectionError
        stdin.write(_frame(task.encode(), given))
        await stdin.drain()
        while True:
            reply = _read_reply(await stdout.readexactly(await _length(stdout)))
            if reply.status != PROGRESS:
                return reply
            if listen is not None:
                listen(Step(**json.loads(reply.content)))

    async def stop(self) -> None:
        """End it, whatever it does."""
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()


async def _length(stream: asyncio.StreamReader) -> int:
    return int.from_bytes(await stream.readexactly(4), "big")


# --- in the worker -------------------------------------------------------------------------------


def work(memory: int) -> None:
    """Answer until nobody asks any more."""
    _limit(memory)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed is no reply
    tasks: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_read, args=(sys.stdin.buffer, tasks), daemon=True).start()
    while True:
        name, _, given = tasks.get().partition(b"\n")
        _send(out, _done(name.decode(), given, out))


def _done(name: str, given: bytes, out: BinaryIO) -> Reply:
    try:
        with progress(_teller(out)):
            return Reply(200, *resolve_name(f"dprisk.web.{name}")(given))
    except Exception as error:
        problem = problem_of(error)
        if problem.status >= 500:
            sys.excepthook(type(error), error, error.__traceback__)
        return problem.reply


def _teller(out: BinaryIO) -> Callable[[Step], None]:
    """Says how far the work is, now and then."""
    from time import monotonic

    last = monotonic()

    def tell(step: Step) -> None:
        nonlocal last
        if monotonic() - last > EACH:
            last = monotonic()
            _send(out, Reply(PROGRESS, "", json.dumps(step._asdict()).encode()))

    return tell


def _read(stream: BinaryIO, tasks: SimpleQueue[bytes]) -> None:
    """Take tasks in; once there can be no more, end at once, even in the middle of one."""
    while len(head := stream.read(4)) == 4:
        tasks.put(stream.read(int.from_bytes(head, "big")))
    os._exit(0)


def _limit(memory: int) -> None:
    """Ask for no more memory than this, where the system can be told so."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    least = memory if most == resource.RLIM_INFINITY else min(memory, most)
    resource.setrlimit(resource.RLIMIT_AS, (least, most))


# --- between them --------------------------------------------------------------------------------


def _frame(head: bytes, content: bytes) -> bytes:
    whole = head + b"\n" + content
    return len(whole).to_bytes(4, "big") + whole


def _send(out: BinaryIO, reply: Reply) -> None:
    out.write(_frame(f"{reply.status} {reply.media}".encode(), reply.content))
    out.flush()


def _read_reply(whole: bytes) -> Reply:
    head, _, content = whole.partition(b"\n")
    status, _, media = head.decode().partition(" ")
    return Reply(int(status), media, content)
