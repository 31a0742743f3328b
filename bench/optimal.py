"""Pure DP promises composed optimally: exact in closed form, against a grid."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from bench.composition import asked
from bench.other import Other
from bench.questions import EPSILON0, OPTIMAL_COUNTS, OPTIMAL_DELTA
from bench.timing import Figure, Result, Skipped, by_turns, compared, moving
from bench.truth import excess, holds, truth
from dprisk import PureDP
from dprisk.composition import compose

DEFAULT, MOST = 1e-4, 10_000  # their default grid takes minutes beyond
BARS = {(10, DEFAULT): 20.0, (1_000_000, None): 1_000.0}
ERROR = 1e-12

ADD: Any = {"neighbors": "add-remove"}


def bracket(count: int, factor: float = 1.0) -> tuple[float, float]:
    """From the promise to both ends of epsilon."""
    promise = PureDP(EPSILON0 * factor, **ADD)
    lower, upper = compose([promise], [count]).guarantee.epsilon(OPTIMAL_DELTA).bracket
    return float(lower), float(upper)


def optimal(other: Other, repetitions: int, budget: float) -> Iterator[Result]:
    """Relative error, then times."""
    errors, right = [], True
    for count in OPTIMAL_COUNTS:
        lower, upper = bracket(count)
        true = truth("optimal", count, OPTIMAL_DELTA)
        errors.append(max(excess(upper, true), -excess(lower, true)) / float(true))
        right = right and holds(lower, upper, true)
    note = ", ".join(
        f"{n:.0e}: {error:.1e}" for n, error in zip(OPTIMAL_COUNTS, errors, strict=True)
    )
    name, what = "optimal composition", "largest relative error"
    yield Figure(name, what, max(errors), "at most", ERROR, right, note)
    if not other.has("dp_accounting"):
        yield Skipped(name, "dp_accounting not installed: skipped (make bench installs it)")
        return
    for count in OPTIMAL_COUNTS:
        for interval in (DEFAULT, None) if count <= MOST else (None,):
            grid = "grid 1e-4" if interval else "own grid"
            title = f"{name} x {count:.0e}, {grid}"
            bar = BARS.get((count, interval))
            arguments = ("google_optimal", EPSILON0, count, OPTIMAL_DELTA, interval)
            found = other.ask(arguments[0], 0, *arguments[1:]).value[0]
            error = excess(found, truth("optimal", count, OPTIMAL_DELTA))
            pairs = by_turns(
                moving(partial(bracket, count)), asked(other, *arguments), repetitions, budget
            )
            note = f"their error {error:+.1e}" + (" (BELOW the truth)" if error < 0.0 else "")
            sides = ("dprisk", "dp_accounting")
            yield compared(title, sides, pairs, "at least" if bar else "", bar, note=note)
