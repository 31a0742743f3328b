"""The 2020 Census as one table: a row for each block, attribute, geography and prior.

The counts of people are simulated; the ρ of each row is that of the shipped allocation:

    python examples/tables/census_blocks.py --blocks 10000
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dprisk.allocation import census2020
from dprisk.curves import draw_rows, save
from dprisk.tables import TableQuestion, run

ATTRIBUTES = ("race", "ethnicity", "voting age", "group quarters")
UNKNOWN = ("", "block within tract", "block within county", "block within state")
PRIORS = (0.01, 0.1, 0.5)
CHUNK = 1 << 14  # blocks
ASKED = TableQuestion(
    ["posterior_at_most"],
    {"rho": "rho", "prior": "prior"},
    {"definition": "concentrated", "neighbors": "replace-one", "confidence": 0.99},
)
WORDS = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    {
        "block": pa.int64(),
        "people": pa.int64(),
        "attribute": WORDS,
        "geography": WORDS,
        "rho": pa.float64(),
        "prior": pa.float64(),
    }
)
IN_BRIEF = """
    select attribute, geography, rho, sum(people)::bigint as people,
        max(posterior_at_most) as from_10_in_100
    from read_parquet($place) where prior = 0.1
    group by attribute, geography, rho order by attribute, rho
"""


def blocks(number: int, seed: int) -> Iterator[pa.Table]:
    """Some blocks at a time, with their 48 rows each."""
    census = census2020()
    rows = [
        (attribute, place, float(census.exposure(attribute, *filter(None, [place])).amount), prior)
        for attribute, place, prior in product(ATTRIBUTES, UNKNOWN, PRIORS)
    ]
    attribute, place, rho, prior = map(np.array, zip(*rows, strict=True))
    random = np.random.default_rng(seed)
    for first in range(0, number, CHUNK):
        size = min(CHUNK, number - first)
        people = random.negative_binomial(0.5, 0.5 / 41.0, size)
        yield pa.table(
            {
                "block": np.repeat(np.arange(first, first + size), len(rows)),
                "people": np.repeat(people, len(rows)),
                "attribute": pa.array(np.tile(attribute, size)).dictionary_encode(),
                "geography": pa.array(np.tile(place, size)).dictionary_encode(),
                "rho": np.tile(rho, size),
                "prior": np.tile(prior, size),
            }
        )


def main() -> None:
    """Write the rows, answer them, count them, and draw how many are at which risk."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--blocks", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=2020)
    parser.add_argument("--folder", type=Path, default=Path())
    given = parser.parse_args()
    source, out = given.folder / "blocks.parquet", given.folder / "blocks-risk.parquet"
    with pq.ParquetWriter(source, SCHEMA) as file:
        for table in blocks(given.blocks, given.seed):
            file.write_table(table)
    made = run(ASKED, str(source), out, limits={"posterior_at_most": 0.5}, force=True)
    print(json.dumps(made.to_dict()))
    print(duckdb.sql(IN_BRIEF, params={"place": str(out)}))
    save(draw_rows(made, "posterior_at_most"), given.folder / "blocks.svg", force=True)


if __name__ == "__main__":
    main()
