"""How far long work is, for whoever wants to know.

Long computations report now and then: what they are doing, how many steps are done, and how many
there are. Nobody listens unless asked to, and then nothing is computed for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple, TypeVar

from dprisk.text import fill, has

__all__ = ["progress"]

Thing = TypeVar("Thing")


class Step(NamedTuple):
    """How far one stage of long work is.

    Parameters
    ----------
    stage : str
        What is being done, in a few words.
    done, total : int
        How many steps of this stage are behind, and how many there are. [0, inf)

    Examples
    --------
    >>> from dprisk.progress import Step
    >>> print(Step("sampling", 3, 8))
    sampling: 3 of 8
    """

    stage: str
    done: int
    total: int

    def __str__(self) -> str:
        return fill("progress.step", stage=self.said, done=self.done, total=self.total)

    @property
    def said(self) -> str:
        """The stage in the language that is spoken, if there are words for it."""
        key = f"progress.stage.{self.stage.replace(' ', '-')}"
        return fill(key) if has(key) else self.stage


_LISTENER: ContextVar[Callable[[Step], object] | None] = ContextVar("dprisk progress", default=None)


@contextmanager
def progress(listener: Callable[[Step], object]) -> Iterator[None]:
    """Be told how far long work inside the block is.

    Parameters
    ----------
    listener : callable
        Called with a `Step` each time that one is done, in the thread that does the work. Stages
        may be inside one another, and may come again. An error that it raises ends the work.

    Notes
    -----
    Only the current thread (or asynchronous task) is listened to; blocks inside one another are
    told separately, the innermost alone.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.composition import compose
    >>> from dprisk.progress import progress
    >>> parts = [PureDP(0.1 * n, neighbors="add-remove") for n in range(1, 4)]
    >>> with progress(print):
    ...     whole = compose(parts)
    reading promises: 1 of 3
    reading promises: 2 of 3
    reading promises: 3 of 3
    """
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def report(stage: str, done: int, total: int) -> None:
    """Tell whoever listens; next to nothing where nobody does."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(Step(stage, done, total))


def each(stage: str, things: Sequence[Thing]) -> Iterator[Thing]:
    """Go through a sequence, and tell whoever listens how much of it is done."""
    report(stage, 0, len(things))
    for done, thing in enumerate(things, 1):
        yield thing
        report(stage, done, len(things))
