"""Run the comparisons: ``python -m bench`` (or ``make bench``)."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict

from bench.inversion import inversion
from bench.rows import rows
from bench.startup import startup
from bench.timing import Case, Skipped, fresh_processes

GROUPS = ("startup", "rows", "inversion")


def main() -> int:
    """Measure, print; 1 if two sides gave different numbers, whatever the times."""
    options = _options()
    done = []
    for result in _measured(options):
        done.append(result)
        if not options.json:
            print(_line(result), flush=True)
    if options.json:
        print(json.dumps(_data(done), indent=2))
    return int(any(isinstance(one, Case) and not one.same for one in done))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--only", choices=GROUPS, help="one group of comparisons")
    parser.add_argument("--repetitions", type=int, default=15, help="pairs of fresh processes")
    parser.add_argument("--rows", type=int, default=10**7, help="how many rows")
    parser.add_argument(
        "--others", default=sys.executable, help="an interpreter that has the other libraries"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    return parser.parse_args()


def _measured(options: argparse.Namespace) -> Iterator[Case | Skipped]:
    wanted = [options.only] if options.only else GROUPS
    few = max(options.repetitions // 3, 1)
    if "startup" in wanted:
        with fresh_processes() as fresh:
            yield from startup(fresh, options.others, options.repetitions)
    if "rows" in wanted:
        yield from rows(options.rows, options.repetitions)
    if "inversion" in wanted:
        yield from inversion(few)


def _line(result: Case | Skipped) -> str:
    if isinstance(result, Skipped):
        return f"{result.name:30} {result.why}"
    goal = f"{result.goal} {result.bar:g}" if result.bar is not None else ""
    times = f"{result.our_seconds * 1e3:.1f} ms, {result.their_seconds * 1e3:.1f} ms"
    line = (
        f"{result.name:30} {result.ratio:8.2f} {goal:14} {result.verdict:10} {times:24} "
        f"{result.ours} : {result.theirs}"
    )
    return f"{line}\n{'':30} {result.note}" if result.note else line


def _data(done: list[Case | Skipped]) -> dict[str, object]:
    return {
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "cases": [asdict(one) | {"verdict": one.verdict} for one in done if isinstance(one, Case)],
        "skipped": [asdict(one) for one in done if isinstance(one, Skipped)],
    }


if __name__ == "__main__":
    sys.exit(main())
