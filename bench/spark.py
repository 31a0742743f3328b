"""What a row costs on Spark: two sizes, one core and two, and the slope between (make spark)."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from bench.tables import ASKED, _write
from dprisk.tables import TableQuestion, add_up, answer
from tests.tables.cluster import session

FEW, MANY = 1 << 20, 5 << 20  # rows
CHARGES = 40  # of a person
HUGE = 10**11
TICKS = os.sysconf("SC_CLK_TCK")
PEOPLE = TableQuestion(
    ["posterior_at_most"],
    {"rho": "rho"},
    {"definition": "concentrated", "neighbors": "add-remove", "prior": 0.1},
)


class Cost(NamedTuple):
    """Seconds on the clock, and of all cores together."""

    clock: float
    cores: float


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="of both sizes")
    scale = parser.parse_args().scale
    sizes = [round(scale * size) for size in (FEW, MANY)]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for size in sizes:
            _write(place / f"rows-{size}.parquet", size)
            _write_charges(place / f"charges-{size}.parquet", size)
        for name, job in (("rows", _rows), ("charges", _people)):
            for cores in (1, 2):
                print(_line(f"{name}, local[{cores}]", sizes, _costs(place, job, cores, sizes)))


def _costs(
    place: Path, job: Callable[[Any, Path, int], None], cores: int, sizes: list[int]
) -> list[Cost]:
    """Of each size, once Spark has warmed up."""
    with session(f"local[{cores}]") as here:
        job(here, place, sizes[0])
        return [_cost(partial(job, here, place, size)) for size in sizes]


def _line(name: str, sizes: list[int], costs: list[Cost]) -> str:
    few, many = costs
    more = sizes[1] - sizes[0]
    clock, cores = (many.clock - few.clock) / more, (many.cores - few.cores) / more
    return (
        f"{name}: {few.clock:.1f} s for {sizes[0]:,}, {many.clock:.1f} s for {sizes[1]:,}; "
        f"{1 / clock:,.0f} a second, {1 / cores:,.0f} a core-second; "
        f"10^11: {HUGE * cores / 3600:.0f} core-hours"
    )


def _rows(here: Any, place: Path, size: int) -> None:
    """Four columns for every row, from Parquet to Parquet."""
    rows = here.read.parquet(str(place / f"rows-{size}.parquet"))
    answer(ASKED, rows).write.mode("overwrite").parquet(str(place / "out"))


def _people(here: Any, place: Path, size: int) -> None:
    """Charges grouped by person, from Parquet to Parquet."""
    charges = here.read.parquet(str(place / f"charges-{size}.parquet"))
    add_up(PEOPLE, charges, "user").write.mode("overwrite").parquet(str(place / "out"))
    here.catalog.clearCache()


def _write_charges(path: Path, size: int) -> None:
    random = np.random.default_rng(21)
    users = random.integers(max(size // CHARGES, 1), size=size)
    pq.write_table(pa.table({"user": users, "rho": random.choice([0.001, 0.002], size)}), path)


def _cost(job: Callable[[], None]) -> Cost:
    before, began = _busy(), perf_counter()
    job()
    return Cost(perf_counter() - began, _busy() - before)


def _busy() -> float:
    """Seconds that this process and all below it were computing."""
    parents, seconds = dict[int, int](), dict[int, float]()
    for pid, fields in _processes():
        parents[pid] = int(fields[1])
        seconds[pid] = sum(map(int, fields[11:15])) / TICKS
    return sum(seconds[pid] for pid in seconds if _ours(pid, parents))


def _processes() -> Iterator[tuple[int, list[str]]]:
    """What stands after the name of each process (proc(5), from its state on)."""
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            yield int(place.parent.name), place.read_text().rpartition(")")[2].split()
        except OSError:
            continue


def _ours(pid: int, parents: dict[int, int]) -> bool:
    while pid in parents and pid != os.getpid():
        pid = parents[pid]
    return pid == os.getpid()


if __name__ == "__main__":
    main()
