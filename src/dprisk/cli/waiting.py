"""A sign of life on stderr, for whoever sits at a terminal and waits for more than a moment."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from dprisk.progress import progress

__all__ = ["waiting"]

MOMENT = 1.0  # seconds
Tell = Callable[[int, int], None]
"""To be told how many of how many are done."""


@contextmanager
def waiting(text: str) -> Iterator[Tell]:
    """Show a text while the block takes longer than a moment, and how far the work is.

    What the library reports is shown by itself; what this yields shows progress of the command.
    """
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console

    status = Console(stderr=True).status(text)
    timer = Timer(MOMENT, status.start)
    timer.daemon = True
    timer.start()
    said = text

    def tell(done: int, total: int) -> None:
        nonlocal said
        said = f"{text}: {done} of {total}"
        status.update(said)

    try:
        with progress(lambda step: status.update(f"{said} ({step})")):
            yield tell
    finally:
        timer.cancel()
        timer.join()
        status.stop()
