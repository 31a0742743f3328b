"""Who answers what: fast questions never wait for slow ones, and nobody waits for ever."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pkgutil import resolve_name
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO, Final, NamedTuple, final

from dprisk.progress import Step, progress
from dprisk.web.guard import Problem, Reply, problem_of

PROGRESS: Final = 102
EACH: Final = 0.25  # seconds between two words on how far it is


# --- in the server -------------------------------------------------------------------------------


class Worker(NamedTuple):
    """A process that answers, as the server sees it."""

    process: asyncio.subprocess.Process

    @classmethod
    async def started(cls, memory: int, *, loud: bool = False) -> Worker:
        """A new one, which may use so many bytes; what it complains about is seen if `loud`."""
        code = f"from dprisk.web.pool import work; work({memory})"
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


LEAST: Final = 3
MOMENT: Final = 0.75  # seconds
PATIENCE: Final = 10.0  # seconds until somebody who waits is told that it is too busy
WAITING: Final = 200  # who may wait at once
AGAIN: Final = 1.0  # seconds until a worker that did not start is tried again


@final
@dataclass(frozen=True, eq=False)
class Pool:
    """Workers, and who may use them."""

    workers: int
    limit: float
    memory: int
    loud: bool = False
    _idle: asyncio.LifoQueue[Worker] = field(default_factory=asyncio.LifoQueue, init=False)
    _long: asyncio.Semaphore = field(init=False)
    _waiting: asyncio.Semaphore = field(
        default_factory=lambda: asyncio.Semaphore(WAITING), init=False
    )
    _all: set[Worker] = field(default_factory=set, init=False)
    _besides: set[asyncio.Task[None]] = field(default_factory=set, init=False)
    _over: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_long", asyncio.Semaphore(self.workers - 2))

    async def start(self) -> None:
        """Start the first worker, and then, while it answers, the others."""
        await self._start()
        self._later(self._start_others())

    async def stop(self) -> None:
        """End all workers at once."""
        self._over.set()
        for task in self._besides:
            task.cancel()
        await asyncio.gather(*self._besides, return_exceptions=True)
        await asyncio.gather(*(worker.stop() for worker in self._all))

    async def alone(self, task: str, given: bytes) -> Reply:
        """The reply of a process of its own, however long it takes."""
        worker = await Worker.started(self.memory, loud=self.loud)
        self._all.add(worker)  # should this be cancelled while the process ends, `stop` ends it
        try:
            return await worker.reply(task, given)
        finally:
            await worker.stop()
            self._all.discard(worker)

    async def reply(
        self,
        task: str,
        given: bytes,
        listen: Callable[[Step], object] | None = None,
        *,
        long: bool = False,
    ) -> Reply:
        """The reply of the next worker that is free; if this is cancelled, the worker stops."""
        async with self._turn(self._long) if long else _at_once():
            worker = await self._free()
            made = asyncio.ensure_future(worker.reply(task, given, listen))
            made.add_done_callback(lambda done: done.cancelled() or done.exception())  # is seen
            try:
                return await (self._until_limit(made) if long else self._until_long(made))
            except (ConnectionError, EOFError):  # nothing but a lack of memory ends it from outside
                return problem_of(MemoryError()).reply
            finally:
                self._later(self._again(worker, made))

    async def _until_long(self, made: asyncio.Future[Reply]) -> Reply:
        done, _ = await asyncio.wait({made}, timeout=MOMENT)
        if done:
            return made.result()
        if self._long.locked():
            raise busy()
        async with self._long:
            return await self._until_limit(made)

    async def _until_limit(self, made: asyncio.Future[Reply]) -> Reply:
        try:
            async with asyncio.timeout(self.limit):
                return await asyncio.shield(made)
        except TimeoutError:
            raise Problem(
                504,
                "limit",
                f"The answer took more than {self.limit:g} seconds, which is the limit. Ask for "
                "fewer releases or a simpler mechanism, or use the command line, which has no "
                "limit.",
            ) from None

    async def _free(self) -> Worker:
        if self._waiting.locked():
            raise busy()
        try:
            async with self._waiting, asyncio.timeout(PATIENCE):
                return await self._idle.get()
        except TimeoutError:
            raise busy() from None

    @asynccontextmanager
    async def _turn(self, turns: asyncio.Semaphore) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(PATIENCE):
                await turns.acquire()
        except TimeoutError:
            raise busy() from None
        try:
            yield
        finally:
            turns.release()

    # --- workers come and go -------------------------------------------------------------------

    async def _start(self) -> None:
        worker = await Worker.started(self.memory, loud=self.loud)
        self._all.add(worker)
        try:
            ready = (await worker.reply("questions:warm", b"")).status == 200
        except (ConnectionError, EOFError):
            ready = False
        if not ready:
            await worker.stop()
            self._all.discard(worker)
            raise ChildProcessError
        self._idle.put_nowait(worker)

    async def _again(self, worker: Worker, made: asyncio.Future[Reply]) -> None:
        """Use a worker again that is done, or is so in a moment; otherwise start another."""
        await asyncio.wait({made}, timeout=MOMENT)
        if made.done() and made.exception() is None:
            self._idle.put_nowait(worker)
            return
        made.cancel()
        await worker.stop()
        self._all.discard(worker)
        await self._start_somehow()

    async def _start_others(self) -> None:
        for _ in range(self.workers - 1):
            await self._start_somehow()

    async def _start_somehow(self) -> None:
        while True:
            with suppress(ChildProcessError, OSError):
                return await self._start()
            await asyncio.sleep(AGAIN)

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something besides, unless all is over."""
        if self._over.is_set():
            work.close()
            return
        task = asyncio.ensure_future(work)
        self._besides.add(task)
        task.add_done_callback(self._besides.discard)


@asynccontextmanager
async def _at_once() -> AsyncIterator[None]:
    yield


def busy() -> Problem:
    """Too much is going on."""
    why = "Other questions are being answered. Try again in a few seconds."
    return Problem(503, "busy", why, retry=5)
