"""Two things timed by turns, so that what drifts in the machine reaches both alike."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from math import inf
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Literal, TypeVar, final

__all__ = [
    "Case",
    "Figure",
    "Fresh",
    "Result",
    "Skipped",
    "by_turns",
    "fresh_processes",
    "moving",
    "within",
]

Goal = Literal["at most", "at least", ""]
Returned = TypeVar("Returned")

MOVED = 1e-9  # relative, from one turn to the next
SHORT = 0.05  # seconds: what takes less is timed until it has taken as much
MOST = 900  # times


@final
@dataclass(frozen=True)
class Case:
    """One comparison.

    Parameters
    ----------
    name, ours, theirs : str
        What is asked, and what was timed on either side.
    our_seconds, their_seconds : float
        Medians, for orientation only.
    ratio : float
        Median over the pairs: ours / theirs where it is to be at most `bar`, else theirs / ours.
    goal : {"at most", "at least", ""}
        How the ratio compares with `bar`; empty where it is only reported.
    bar : float or None
        What was set as the goal.
    same : bool
        Whether both sides gave the same numbers, where they answer the same question.
    note : str
        Anything else that was measured.
    """

    name: str
    ours: str
    theirs: str
    our_seconds: float
    their_seconds: float
    ratio: float
    goal: Goal
    bar: float | None
    same: bool = True
    note: str = ""

    @property
    def verdict(self) -> str:
        """Whether the bar was met, in one word."""
        return _verdict(self.ratio, self.goal, self.bar, self.same)


@final
@dataclass(frozen=True)
class Figure:
    """One number that is no ratio of times, such as the width of a bracket.

    Parameters
    ----------
    name, what : str
        What was asked, and what the number is.
    value : float
        The number.
    goal, bar, same, note
        As for a `Case`.
    """

    name: str
    what: str
    value: float
    goal: Goal = ""
    bar: float | None = None
    same: bool = True
    note: str = ""

    @property
    def verdict(self) -> str:
        """Whether the bar was met, in one word."""
        return _verdict(self.value, self.goal, self.bar, self.same)


def _verdict(value: float, goal: Goal, bar: float | None, same: bool) -> str:
    if not same:
        return "WRONG NUMBERS"
    if bar is None:
        return "reported"
    met = value <= bar if goal == "at most" else value >= bar
    return "met" if met else "MISSED"


@final
@dataclass(frozen=True)
class Skipped:
    """A comparison that could not be made, and why."""

    name: str
    why: str


Result = Case | Figure | Skipped


def by_turns(
    ours: Callable[[], float],
    theirs: Callable[[], float],
    repetitions: int,
    budget: float = inf,
) -> list[tuple[float, float]]:
    """Seconds of both sides, pair by pair; who goes first changes, and a first pair is dropped.

    No more pairs than fit into `budget` seconds; if not even one does, the first one counts.
    """
    once = (ours(), theirs())
    if sum(once) > budget / 2.0:
        return [once]
    pairs = []
    for turn in range(max(1, int(min(repetitions, budget / sum(once))))):
        if turn % 2:
            second, first = theirs(), ours()
            pairs.append((first, second))
        else:
            pairs.append((ours(), theirs()))
    return pairs


def compared(
    name: str,
    sides: tuple[str, str],
    pairs: Sequence[tuple[float, float]],
    goal: Goal,
    bar: float | None = None,
    *,
    same: bool = True,
    note: str = "",
) -> Case:
    """The medians of the pairs, as a case."""
    upside_down = goal == "at most"
    ratio = median(a / b if upside_down else b / a for a, b in pairs)
    ours, theirs = median(a for a, _ in pairs), median(b for _, b in pairs)
    return Case(name, *sides, ours, theirs, ratio, goal, bar, same, note)


def seconds(call: Callable[[], object]) -> float:
    """How long one call takes."""
    start = perf_counter()
    call()
    return perf_counter() - start


def moving(call: Callable[[float], object]) -> Callable[[], float]:
    """Times a call that is handed a factor next to 1, another one each time.

    With a parameter moved by it, nothing can be remembered from an earlier call. What takes
    little is called again and again, for the median: right after the other side had its turn, a
    processor and its caches are slow for some milliseconds.
    """
    turns = count()

    def timed() -> float:
        spent: list[float] = []
        while sum(spent) < SHORT and len(spent) < MOST:
            factor = 1.0 + next(turns) * MOVED
            spent.append(seconds(lambda factor=factor: call(factor)))  # type: ignore[misc]
        return median(spent)

    return timed


def within(limit: int, call: Callable[[], Returned]) -> Returned | None:
    """What a call returns, or None if it takes more seconds than that."""

    def late(number: int, frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(limit)
    try:
        return call()
    except TimeoutError:
        return None
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@final
@dataclass(frozen=True)
class Fresh:
    """Runs commands in fresh processes, their output into a pipe."""

    environment: dict[str, str]

    def output(self, command: Sequence[str]) -> str:
        """What a command prints."""
        run = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=True
        )
        return run.stdout

    def seconds(self, command: Sequence[str]) -> float:
        """How long a command takes, from start to end."""
        return seconds(lambda: self.output(command))

    def has(self, python: str, module: str) -> bool:
        """Whether an interpreter finds a module."""
        code = f"import importlib.util as u; print(u.find_spec({module!r}) is not None)"
        return self.output([python, "-c", code]).strip() == "True"


@contextmanager
def fresh_processes() -> Iterator[Fresh]:
    """Fresh processes that share compiled bytecode, as installed packages do, kept elsewhere.

    Without it, a read-only installation or ``PYTHONDONTWRITEBYTECODE`` would have every process
    compile every source file again.
    """
    with tempfile.TemporaryDirectory() as cache:
        kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        yield Fresh(kept | {"PYTHONPYCACHEPREFIX": str(Path(cache))})
