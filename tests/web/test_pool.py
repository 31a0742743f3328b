"""Fast questions do not wait for slow ones; what takes too long, or nobody waits for, ends."""

from __future__ import annotations

import asyncio
import json
import time

import pytest

from dprisk.web import pool as module
from dprisk.web.guard import Problem
from dprisk.web.pool import LEAST, Pool
from tests.web.running import LONG, QUICK, runs

MEMORY = 4 * 2**30
LIMIT = 4.0
SLOW = b"compose\n" + json.dumps(LONG).encode()
FAST = b"assess\n" + json.dumps(QUICK).encode()


@pytest.fixture(scope="module")
def run():
    """Runs a scenario beside workers, which are all idle before and after; none is left at last."""
    with asyncio.Runner() as runner:
        pool = runner.run(started())

        async def whole(scenario):
            await all_idle(pool)
            await scenario(pool)
            await all_idle(pool)
            assert len(pool._all) == LEAST

        yield lambda scenario: runner.run(whole(scenario))
        pids = {worker.process.pid for worker in pool._all}
        runner.run(pool.stop())
    assert len(pids) == LEAST
    assert not any(map(runs, pids))


async def started():
    pool = Pool(LEAST, LIMIT, MEMORY)
    await pool.start()
    return pool


async def all_idle(pool):
    """Wait until every worker can be asked."""
    until = time.monotonic() + 120
    while pool._idle.qsize() < LEAST:
        assert time.monotonic() < until
        await asyncio.sleep(0.05)


async def refused(asked):
    """The problem that an answer is."""
    with pytest.raises(Problem) as problem:
        await asked
    return problem.value


def test_fast_beside_slow(run):
    """One long question is answered, a second has to come again, and fast ones never wait."""

    async def scenario(pool):
        first = asyncio.ensure_future(pool.reply("questions:answer", SLOW))
        await asyncio.sleep(2 * module.MOMENT)
        assert (await pool.reply("questions:answer", FAST)).status == 200
        busy = await refused(pool.reply("questions:answer", SLOW))
        assert (busy.status, busy.key, busy.retry) == (503, "busy", 5)
        replies = await asyncio.gather(*(pool.reply("questions:answer", FAST) for _ in range(20)))
        assert {reply.status for reply in replies} == {200}
        assert not first.done()
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first

    run(scenario)


def test_what_takes_too_long_ends(run):
    """Its worker goes, and another comes in its place."""

    async def scenario(pool):
        before = {worker.process.pid for worker in pool._all}
        late = await refused(pool.reply("questions:answer", SLOW, long=True))
        assert (late.status, late.key) == (504, "limit")
        await asyncio.sleep(2 * module.MOMENT)
        await all_idle(pool)
        after = {worker.process.pid for worker in pool._all}
        assert len(after) == LEAST
        (gone,) = before - after
        assert not runs(gone)
        assert (await pool.reply("questions:answer", FAST)).status == 200

    run(scenario)


def test_what_nobody_waits_for_ends(run):
    """A fast answer is finished, so that its worker is there at once; a slow one is stopped."""

    async def scenario(pool):
        before = {worker.process.pid for worker in pool._all}
        for given, same in ((FAST, LEAST), (SLOW, LEAST - 1)):
            asked = asyncio.ensure_future(pool.reply("questions:answer", given))
            await asyncio.sleep(0.001)
            asked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asked
            await asyncio.sleep(2 * module.MOMENT)
            await all_idle(pool)
            assert len(before & {worker.process.pid for worker in pool._all}) == same

    run(scenario)


def test_too_many_wait(monkeypatch, run):
    """Who would wait too long, or beside too many, is told so."""
    monkeypatch.setattr(module, "PATIENCE", 0.1)

    async def scenario(pool):
        workers = [await pool._free() for _ in range(LEAST)]
        assert (await refused(pool.reply("questions:answer", FAST))).key == "busy"
        async with pool._waiting:
            pool._waiting._value, kept = 0, pool._waiting._value
            assert (await refused(pool.reply("questions:answer", FAST))).key == "busy"
            pool._waiting._value = kept
        for worker in workers:
            pool._idle.put_nowait(worker)

    run(scenario)


def test_a_worker_that_dies_is_replaced(run):
    """Whoever asked is told that memory was short, since nothing else ends a worker."""

    async def scenario(pool):
        asked = asyncio.ensure_future(pool.reply("questions:answer", SLOW))
        await asyncio.sleep(0.3)
        (busy,) = pool._all - set(pool._idle._queue)
        busy.process.kill()
        reply = await asked
        assert (reply.status, json.loads(reply.content)["type"]) == (422, "/api#memory")
        await all_idle(pool)
        assert (await pool.reply("questions:answer", FAST)).status == 200

    run(scenario)


def test_too_little_memory_to_start():
    """No worker, and no answer: the start fails."""

    async def whole():
        pool = Pool(LEAST, 1.0, 50_000_000)
        with pytest.raises(ChildProcessError):
            await pool.start()
        await pool.stop()

    asyncio.run(whole())


def test_how_far_it_is(run):
    """Long work says how far it is, in words and numbers."""
    steps = []

    async def scenario(pool):
        await refused(pool.reply("questions:answer", SLOW, steps.append, long=True))

    run(scenario)
    assert steps
    assert all(0 <= step.done <= step.total and step.stage for step in steps)
