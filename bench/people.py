"""Many people with many charges, added up in bounded memory: python -m bench.people."""

from __future__ import annotations

import argparse
import resource
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dprisk.tables import TableQuestion, add_up

ASKED = TableQuestion(
    ["epsilon_at_most", "posterior_at_most"],
    {"rho": "rho"},
    {
        "definition": "concentrated",
        "neighbors": "add-remove",
        "at_delta": 1e-6,
        "confidence": 0.99,
        "prior": 0.1,
    },
)
KINDS = 50  # of releases, each with a rho of its own
PIECE = 1 << 20


def main() -> None:
    """Write the charges, add them up, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=10**7)
    parser.add_argument("--charges", type=int, default=40, help="of each user")
    parser.add_argument("--histories", type=int, default=10**4, help="how many users can differ in")
    parser.add_argument("--memory", default="700MB")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "charges.parquet")
        _write(source, given.users, given.charges, given.histories)
        began, worked = perf_counter(), process_time()
        config = {"memory_limit": given.memory, "temp_directory": folder}
        with duckdb.connect(config=config) as connection:
            found = add_up(
                ASKED, connection.read_parquet(str(source)), "user", connection=connection
            )
            users = charges = 0
            for batch in found:
                users += batch.num_rows
                charges += batch["charges"].sum().as_py()
        clock, cores = perf_counter() - began, process_time() - worked
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"{charges:,} charges of {users:,} users: {clock:.0f} s, {cores:.0f} s of processor time, "
        f"{peak:.2f} GB of memory at most"
    )


def _write(path: Path, users: int, charges: int, histories: int) -> None:
    """Release by release, whose data it used, and with which rho."""
    random = np.random.default_rng(22)
    rhos = random.uniform(0.0005, 0.002, KINDS)[random.integers(KINDS, size=(histories, charges))]
    history = random.integers(histories, size=users).astype(np.int32)
    schema = pa.schema({"user": pa.int32(), "rho": pa.float64()})
    with pq.ParquetWriter(path, schema, use_dictionary=["rho"]) as file:
        for release in range(charges):
            for start in range(0, users, PIECE):
                here = history[start : start + PIECE]
                user = np.arange(start, start + here.size, dtype=np.int32)
                file.write_table(pa.table({"user": user, "rho": rhos[here, release]}))


if __name__ == "__main__":
    main()
