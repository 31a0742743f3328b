"""A sign of life on stderr, for whoever sits at a terminal and waits for more than a moment."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

__all__ = ["waiting"]

MOMENT = 1.0  # seconds
Tell = Callable[[int, int], None]
"""To be told how many of how many are done."""


@contextmanager
def waiting(text: str) -> Iterator[Tell]:
    """Show a text while the block takes longer than a moment; what it yields shows progress."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console

    status = Console(stderr=True).status(text)
    timer = Timer(MOMENT, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda done, total: status.update(f"{text}: {done} of {total}")
    finally:
        timer.cancel()
        timer.join()
        status.stop()
