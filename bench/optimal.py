"""Pure DP promises composed optimally: exact in closed form, against a grid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bench.composition import asked
from bench.other import Other
from bench.questions import EPSILON0, OPTIMAL_COUNTS, OPTIMAL_DELTA
from bench.timing import Figure, Result, Skipped, by_turns, compared, moving
from bench.truth import excess, holds, truth
from dprisk import PureDP
from dprisk.composition import compose

BARS = {10: 20.0, 1_000_000: 1_000.0}
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
    for count in OPTIMAL_COUNTS:
        title = f"{name} x {count:.0e}"
        if not other.has("dp_accounting"):
            yield Skipped(title, "dp_accounting not installed: skipped")
            continue
        found = other.ask("google_optimal", 0, EPSILON0, count, OPTIMAL_DELTA).value[0]
        error = excess(found, truth("optimal", count, OPTIMAL_DELTA))
        pairs = by_turns(
            moving(lambda factor, n=count: bracket(n, factor)),
            asked(other, "google_optimal", EPSILON0, count, OPTIMAL_DELTA),
            repetitions,
            budget,
        )
        bar = BARS.get(count)
        yield compared(
            title,
            ("dprisk", "dp_accounting"),
            pairs,
            "at least" if bar else "",
            bar,
            note=f"their error {error:+.1e}" + (" (BELOW the truth)" if error < 0.0 else ""),
        )
