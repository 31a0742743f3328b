"""Who answers what: fast questions never wait for slow ones, and nobody waits for ever."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, final

from dprisk.progress import Step
from dprisk.text import fill
from dprisk.web.problems import Problem, Reply, problem_of
from dprisk.web.workers import Worker

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
        try:
            return await worker.reply(task, given)
        finally:
            await worker.stop()

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
            raise Problem(504, "limit", fill("serve.limit", seconds=f"{self.limit:g}")) from None

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
    return Problem(503, "busy", fill("serve.busy"), retry=5)
