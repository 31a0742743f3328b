"""Work shared among processes that run this Python, one for each core."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from queue import SimpleQueue
from subprocess import DEVNULL, PIPE, Popen
from typing import IO, Final, TypeAlias, TypeVar

from dprisk.bulk.batches import in_order, workers

Given = TypeVar("Given")
Made = TypeVar("Made")

Helper: TypeAlias = "Popen[bytes]"

CHUNK: Final = 32  # items that are sent together
CODE: Final = "from dprisk.bulk.sharing import work; work()"


def shared(make: Callable[[Given], Made], items: Sequence[Given]) -> Iterator[Made]:
    """What becomes of each item, in order; made here if a process that helps has ended."""
    chunks = [items[start : start + CHUNK] for start in range(0, len(items), CHUNK)]
    idle: SimpleQueue[Helper] = SimpleQueue()
    with ExitStack() as stack:
        for _ in range(workers()):
            idle.put(stack.enter_context(_helper()))
        for made in in_order(partial(_made, make, idle), chunks, workers()):
            yield from made


@contextmanager
def _helper() -> Iterator[Helper]:
    """A process that works for as long as the block lasts."""
    path = os.pathsep.join(filter(None, sys.path))
    known = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-P", "-c", CODE]
    process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=known)
    try:
        yield process
    finally:
        process.kill()
        with suppress(OSError), process:  # closes pipes with what was not sent
            pass


def _made(
    make: Callable[[Given], Made], idle: SimpleQueue[Helper], items: Sequence[Given]
) -> list[Made]:
    helper = idle.get()
    try:
        return _made_by(helper, make, items)
    except (OSError, EOFError, pickle.UnpicklingError):
        return [make(item) for item in items]
    finally:
        idle.put(helper)


def _made_by(helper: Helper, make: Callable[[Given], Made], items: Sequence[Given]) -> list[Made]:
    """The same; an `OSError` or an `EOFError` if the process has ended."""
    if helper.stdin is None or helper.stdout is None:
        raise EOFError
    pickle.dump((make, items), helper.stdin)
    helper.stdin.flush()
    found: list[Made] = pickle.load(helper.stdout)
    return found


def work() -> None:
    """Make what is asked for, until nobody asks any more."""
    out: IO[bytes] = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed is no result
    while True:
        try:
            make, items = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump([make(item) for item in items], out)
        out.flush()
