"""A sign of life on stderr, for whoever sits at a terminal and waits for more than a moment."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from dprisk.progress import Step, progress
from dprisk.text import fill

MOMENT = 1.0  # seconds


@contextmanager
def waiting(task: str, said: Callable[[Step], str] = str) -> Iterator[Callable[[], None]]:
    """Show what is done while it takes longer than a moment, and how far its stages are."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console

    text = fill(f"cli.waiting.{task}")
    status = Console(stderr=True).status(text)
    timer = Timer(MOMENT, status.start)
    timer.daemon = True
    timer.start()
    stages: list[Step] = []

    def listen(step: Step) -> None:
        stages[:] = nested(stages, step)
        status.update(f"{text} ({', '.join(map(said, stages))})")

    def stop() -> None:
        timer.cancel()
        timer.join()
        status.stop()

    try:
        with progress(listen):
            yield stop
    finally:
        stop()


def nested(stages: list[Step], step: Step) -> list[Step]:
    """The stages that run, outermost first, after one more step."""
    names = [each.stage for each in stages]
    outer = stages[: names.index(step.stage)] if step.stage in names else stages
    return [*(each for each in outer if each.done < each.total), step]
