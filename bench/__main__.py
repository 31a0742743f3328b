"""Run the comparisons: ``python -m bench`` (or ``make bench``)."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict

from bench.budgets import budgets
from bench.census import census, levels, montecarlo
from bench.composition import composition, small_delta
from bench.densities import densities
from bench.documents import documents
from bench.inversion import inversion
from bench.ledger import ledger
from bench.mixtures import mixtures
from bench.optimal import optimal
from bench.orders import orders
from bench.other import Failed, Other, other_libraries
from bench.rows import rows
from bench.sampled import sampled
from bench.scales import scales
from bench.startup import startup
from bench.tables import tables
from bench.timing import Case, Figure, Result, Skipped, fresh_processes
from bench.training import training

Group = Callable[[Other, int, float], Iterator[Result]]

COMPOSED: dict[str, Group] = {
    "composition": composition,
    "optimal": optimal,
    "densities": densities,
    "census": census,
    "levels": levels,
    "scales": scales,
    "mixtures": mixtures,
    "orders": orders,
    "sampled": sampled,
    "ledger": ledger,
    "small-delta": lambda other, repetitions, budget: small_delta(other),
    "montecarlo": lambda other, repetitions, budget: montecarlo(budget),
}
GROUPS = ("startup", "documents", "rows", "tables", "inversion", "budgets", "training", *COMPOSED)


def main() -> int:
    """Measure, print; 1 if a number is wrong, whatever the times."""
    options = _options()
    done = []
    for result in _measured(options):
        done.append(result)
        if not options.json:
            print(_line(result), flush=True)
    if options.json:
        print(json.dumps(_data(done), indent=2))
    return int(any(not isinstance(one, Skipped) and not one.same for one in done))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--only", choices=GROUPS, help="one group of comparisons")
    parser.add_argument("--repetitions", type=int, default=15, help="pairs of fresh processes")
    parser.add_argument(
        "--budget", type=float, default=20.0, help="seconds for the pairs of a composed loss"
    )
    parser.add_argument("--rows", type=int, default=2 * 10**7, help="how many rows")
    parser.add_argument(
        "--others", default=sys.executable, help="an interpreter that has the other libraries"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    return parser.parse_args()


def _measured(options: argparse.Namespace) -> Iterator[Result]:
    wanted = [options.only] if options.only else list(GROUPS)
    few = max(options.repetitions // 3, 1)
    if "startup" in wanted:
        with fresh_processes() as fresh:
            yield from startup(fresh, options.others, options.repetitions)
    if "documents" in wanted:
        with fresh_processes() as fresh:
            yield from documents(fresh, few)
    if "rows" in wanted:
        yield from rows(options.rows, options.repetitions)
    if "tables" in wanted:
        yield from tables(options.rows, few)
    if "inversion" in wanted:
        yield from inversion(few)
    if "budgets" in wanted:
        yield from budgets(options.repetitions)
    if "training" in wanted:
        yield from training()
    composed = [group for group in COMPOSED if group in wanted]
    if composed:
        with other_libraries(options.others) as other:
            for group in composed:
                yield from _group(group, other, options)


def _group(name: str, other: Other, options: argparse.Namespace) -> Iterator[Result]:
    """What a library raises ends its group only."""
    try:
        yield from COMPOSED[name](other, options.repetitions, options.budget)
    except Failed as error:
        yield Skipped(name, f"another library raised: {error}")


def _line(result: Result) -> str:
    if isinstance(result, Skipped):
        return f"{result.name:30} {result.why}"
    goal = f"{result.goal} {result.bar:g}" if result.bar is not None else ""
    if isinstance(result, Figure):
        line = f"{result.name:30} {result.value:8.2g} {goal:14} {result.verdict:10} {result.what}"
        return f"{line}\n{'':30} {result.note}" if result.note else line
    times = f"{result.our_seconds * 1e3:.1f} ms, {result.their_seconds * 1e3:.1f} ms"
    line = (
        f"{result.name:30} {result.ratio:8.2f} {goal:14} {result.verdict:10} {times:24} "
        f"{result.ours} : {result.theirs}"
    )
    return f"{line}\n{'':30} {result.note}" if result.note else line


def _data(done: list[Result]) -> dict[str, object]:
    return {
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "cases": [asdict(one) | {"verdict": one.verdict} for one in done if isinstance(one, Case)],
        "figures": [
            asdict(one) | {"verdict": one.verdict} for one in done if isinstance(one, Figure)
        ],
        "skipped": [asdict(one) for one in done if isinstance(one, Skipped)],
    }


if __name__ == "__main__":
    sys.exit(main())
