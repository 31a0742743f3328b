"""The noise at which a test at a level has a power, against searches over grids of losses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count as count_up
from typing import Any

from bench.other import Failed, Other
from bench.timing import Figure, Result, Skipped, by_turns, compared, moving
from dprisk.budget import AttackLimit, calibrate
from dprisk.composition import compose
from dprisk.risk import attack

POWER, LEVEL = 0.2, 0.05
CASES = ((1, True),)  # how often, and whether by the generic path: the others take minutes
CLOSE = 2e-2  # relative: their searches stop at 1e-3 of the error rate, or of a grid
NOISES = (("gaussian", 100), ("discrete-gaussian", 1), ("laplace", 1))


def scales(other: Other, repetitions: int, budget: float) -> Iterator[Result]:
    """Gaussian noise for a power at a level, and what other noise takes."""
    if not other.has("riskcal"):
        yield Skipped("scales", "riskcal is not installed")
        return
    for count, generic in CASES:
        yield _compared(other, count, generic, repetitions, budget)
    for kind, count in NOISES:
        yield _missed(kind, count)


def _limit(factor: float) -> AttackLimit:
    return AttackLimit("power", POWER * factor, level=LEVEL)


def _compared(other: Other, count: int, generic: bool, repetitions: int, budget: float) -> Result:
    name = f"scale for power, {count} x"
    path = "its generic path" if generic else "its search over grids of losses"
    turns = count_up(1)
    mine = moving(lambda factor: calibrate(_limit(factor), "gaussian", releases=count))
    try:
        first = other.ask("riskcal_scale", 0, POWER, LEVEL, count, generic)
        ours = float(calibrate(_limit(1.0), "gaussian", releases=count).value)
        pairs = [(mine(), first.seconds)]
        if first.seconds < budget / 4.0:
            pairs = by_turns(
                mine,
                lambda: (
                    other.ask("riskcal_scale", next(turns), POWER, LEVEL, count, generic).seconds
                ),
                repetitions,
                budget,
            )
    except Failed as error:
        return Skipped(name, f"riskcal, {path}: {error}")
    note = f"sigma {ours:.9g} against {first.value[0]:.9g}"
    same = abs(first.value[0] / ours - 1.0) < CLOSE
    sides = ("calibrate", f"riskcal, {path}")
    return compared(name, sides, pairs, "at least", 100.0, same=same, note=note)


def _missed(kind: Any, count: int) -> Figure:
    """By how much the target is missed: never upwards."""
    found = calibrate(_limit(1.0), kind, releases=count)
    whole = compose([found.mechanism.loss()], [count]).guarantee
    power = float(attack(whole).power(LEVEL))
    seconds = moving(lambda f: calibrate(_limit(f), kind, releases=count))()
    gap = POWER / power - 1.0
    right = power <= POWER * (1.0 + 1e-12) or kind == "gaussian"
    note = f"{seconds * 1e3:.1f} ms"
    what = "power tolerated over power, less 1"
    return Figure(f"scale of {kind}, {count} x", what, gap, "at most", 1e-6, same=right, note=note)
