"""A year of daily releases: what each user has lost, from a row for each user and day.

Who used the service on which day is simulated:

    python examples/tables/daily_users.py --users 10000
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dprisk.curves import draw_rows, save
from dprisk.tables import TableQuestion, add_up
from dprisk.tables.summary import summarize

DAYS = 365
ACTIVE = (0.01, 0.05, 0.2)  # share of days: most users come seldom
SHARES = (0.6, 0.3, 0.1)
RHO = (0.001, 0.002)  # on a weekday, and at the weekend
LIMITS = {"posterior_at_most": 0.25}
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
IN_BRIEF = """
    select count(*) as users, sum(charges)::bigint as charges, max(charges) as most_charges,
        max(epsilon_at_most) as epsilon_at_most, max(posterior_at_most) as posterior_at_most
    from read_parquet($place)
"""


def year(users: int, seed: int) -> Iterator[pa.Table]:
    """The charges of one day after the other: whose data were used, and with which rho."""
    random = np.random.default_rng(seed)
    often = random.choice(np.array(ACTIVE, np.float32), users, p=SHARES)
    for day in range(DAYS):
        here = np.flatnonzero(random.random(users, np.float32) < often)
        rho = RHO[day % 7 >= 5]
        yield pa.table({"user": here.astype(np.int32), "rho": np.full(here.size, rho)})


def main() -> None:
    """Write a year of charges, add them up for each user, and draw where users are."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--users", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--folder", type=Path, default=Path())
    parser.add_argument("--memory", default="4GB")
    given = parser.parse_args()
    source, out = given.folder / "charges.parquet", given.folder / "users-risk.parquet"
    schema = pa.schema({"user": pa.int32(), "rho": pa.float64()})
    with pq.ParquetWriter(source, schema) as file:
        for table in year(given.users, given.seed):
            file.write_table(table)
    with duckdb.connect(config={"memory_limit": given.memory}) as connection:
        charges = connection.read_parquet(str(source))
        found = add_up(ASKED, charges, "user", connection=connection)
        with pq.ParquetWriter(out, found.schema) as file:
            made = summarize(ASKED, _written(found, file), LIMITS)
    print(json.dumps(made.to_dict()))
    print(duckdb.sql(IN_BRIEF, params={"place": str(out)}))
    save(draw_rows(made, "posterior_at_most"), given.folder / "users.svg", force=True)


def _written(found: pa.RecordBatchReader, file: pq.ParquetWriter) -> Iterator[pa.Table]:
    """Each batch, once it is in the file."""
    for batch in found:
        file.write_batch(batch)
        yield pa.Table.from_batches([batch])


if __name__ == "__main__":
    main()
