"""Run the sweep: ``python -m sweep --minutes 60 --seed 7``."""

from __future__ import annotations

import argparse
import random
import sys
from concurrent.futures import ProcessPoolExecutor

from sweep.running import for_minutes, one, some
from sweep.tally import Tally
from sweep.zoo import FAMILIES


def main() -> int:
    """Print the counts and a snippet for each kind of violation; 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m sweep", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument(
        "--seed", default=None, help="any text; a random one is printed if left out"
    )
    parser.add_argument("--only", nargs="*", default=[], choices=list(FAMILIES), help="families")
    parser.add_argument("--number", type=int, default=None, help="only this draw of each family")
    parser.add_argument("--draws", type=int, default=None, help="so many, whatever the time")
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    seed = given.seed or str(random.SystemRandom().randrange(10**6))
    print(f"seed {seed}", flush=True)
    if given.number is not None:
        tally = Tally()
        for name in given.only or FAMILIES:
            one(name, seed, given.number, tally)
    elif given.draws is not None:
        tally = some(seed, given.draws, given.only)
    elif given.processes > 1:
        seeds = [f"{seed}-{i}" for i in range(given.processes)]
        with ProcessPoolExecutor(given.processes) as pool:
            parts = [pool.submit(for_minutes, given.minutes, each, given.only) for each in seeds]
            tally = Tally()
            for part in parts:
                tally.merge(part.result())
    else:
        tally = for_minutes(given.minutes, seed, given.only)
    print(tally.table())
    print(f"\nby question: {tally.questions()}")
    print(f"{tally.total:,} answers checked, {sum(tally.refused.values()):,} refused")
    print(f"{sum(tally.unknown.values()):,} of which no truth was found")
    print(f"arrays in other brackets than their scalars: {sum(tally.differ.values())}")
    for took, code in tally.slow[:10]:
        print(f"slow: {took:.1f} s {code[:150]}")
    print(f"{sum(tally.counts.values())} violations of {len(tally.found)} kinds\n")
    print(tally.report())
    return 1 if tally.found else 0


if __name__ == "__main__":
    sys.exit(main())
