"""Draw, ask, count: for a time, or for a number of draws."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterable
from random import Random

from sweep.asking import Drawn, ask
from sweep.tally import Tally, Violation
from sweep.zoo import FAMILIES

__all__ = ["for_minutes", "one", "some"]

LONGEST = 20.0  # seconds of the processor for one draw

Family = Callable[[Random], Drawn] | Callable[[Random, Tally], None]


def one(name: str, seed: str, number: int, tally: Tally) -> None:
    """One draw of a family; the seed and the number say which."""
    rng = Random(f"{seed}/{name}/{number}")
    made = FAMILIES[name].draw(rng, tally)
    if isinstance(made, Drawn):
        ask(made, rng, tally)


def some(seed: str, numbers: int, names: Iterable[str] = ()) -> Tally:
    """So many draws of each family, whatever the time."""
    tally = Tally()
    for name in names or FAMILIES:
        for number in range(numbers):
            one(name, seed, number, tally)
    return tally


class TooLong(BaseException):
    """A draw that does not end; nothing else may catch it."""


def _too_long(number: int, frame: object) -> None:
    raise TooLong


def for_minutes(minutes: float, seed: str, names: Iterable[str] = (), quiet: bool = False) -> Tally:
    """Families by turns, the one next that has had the least of its share of the time."""
    tally, chosen = Tally(), list(names) or list(FAMILIES)
    signal.signal(signal.SIGPROF, _too_long)
    spent = dict.fromkeys(chosen, 0.0)
    drawn = dict.fromkeys(chosen, 0)
    told: set[tuple[str, str, str]] = set()
    start = time.monotonic()
    shown = start
    while time.monotonic() < start + 60.0 * minutes:
        name = min(chosen, key=lambda each: spent[each] / FAMILIES[each].share)
        begun = time.monotonic()
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        try:
            one(name, seed, drawn[name], tally)
        except TooLong:
            where = f"python -m sweep --seed {seed} --only {name!r} --number {drawn[name]}"
            tally.slow.append((LONGEST, where))
        except Exception as error:  # in the sweep itself: say which draw, and go on
            code = f"python -m sweep --seed {seed} --only {name} --number {drawn[name]}"
            got = f"{type(error).__name__}: {error}"
            tally.add(Violation("the sweep itself failed", name, "", "", code, got, "", 0.0))
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        spent[name] += max(time.monotonic() - begun, 1e-4)
        drawn[name] += 1
        for kind in () if quiet else tally.found.keys() - told:
            print(f"\n{tally.found[kind][0].text()}\n", file=sys.stderr, flush=True)
            told.add(kind)
        if not quiet and time.monotonic() > shown + 10.0:
            shown = time.monotonic()
            found = sum(tally.counts.values())
            line = f"{shown - start:6.0f} s {tally.total:11,} answers, {found} violations"
            print(f"seed {seed}: {line}", file=sys.stderr, flush=True)
    return tally
