"""Parquet to Parquet, against the formulas typed as expressions of Polars and in numpy by row."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from bench.timing import Case, Figure, by_turns, compared, seconds
from dprisk.bulk import TableQuestion, run
from dprisk.bulk.engines import polars

INPUTS = ("prior", "epsilon", "delta", "failure")
OUTPUTS = ("posterior_at_least", "posterior_at_most", "ratio_at_most", "difference_at_most")
ASKED = TableQuestion(
    OUTPUTS,
    {name: name for name in INPUTS},
    {"definition": "approximate", "neighbors": "add-remove"},
)
GROUP = 1 << 19


def tables(count: int, repetitions: int) -> Iterator[Case | Figure]:
    """Approximate DP to four columns, from file to file."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "in.parquet")
        _write(source, count)
        pairs = by_turns(
            lambda: seconds(lambda: _ours(source, Path(folder, "ours.parquet"))),
            lambda: seconds(lambda: _naive(source, Path(folder, "theirs.parquet"))),
            repetitions,
        )
        same = _same(Path(folder, "ours.parquet"), Path(folder, "theirs.parquet"))
        alone = median(
            seconds(lambda: _copied(source, Path(folder, "copy.parquet"))) for _ in "123"
        )
        note = f"reading and writing the inputs alone: {count / alone:.2g} rows/s"
        sides = ("polars.answer", "expressions of Polars")
        yield compared(
            f"table, {count:.0e} rows", sides, pairs, "at least", 2.0, same=same, note=note
        )
        ours = median(first for first, _ in pairs)
        yield Figure("table by Polars", "rows/s", count / ours, "at least", 1e7)
        for engine in ("arrow", "duckdb"):
            yield Figure(f"run, {engine}", "rows/s, resumable", count / _run(source, engine))


def _run(source: Path, engine: str) -> float:
    """Seconds of a run that can be resumed."""
    out = source.with_name(f"{engine}.parquet")
    return seconds(lambda: run(ASKED, str(source), out, engine=engine))


def _write(path: Path, count: int) -> None:
    random = np.random.default_rng(20)
    writer = None
    for start in range(0, count, GROUP):
        size = min(GROUP, count - start)
        table = pa.table(
            {
                "prior": random.uniform(0.001, 0.999, size),
                "epsilon": random.uniform(0.01, 10.0, size),
                "delta": 10.0 ** random.uniform(-12.0, -4.0, size),
                "failure": random.uniform(0.001, 0.1, size),
            }
        )
        writer = writer or pq.ParquetWriter(path, table.schema, use_dictionary=False)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def _ours(source: Path, out: Path) -> None:
    polars.answer(ASKED, pl.scan_parquet(source)).select(OUTPUTS).sink_parquet(
        out, compression="uncompressed"
    )


def _naive(source: Path, out: Path) -> None:
    prior, epsilon, delta, failure = map(pl.col, INPUTS)
    loss = ((failure * epsilon.exp() + delta) / (failure - delta)).log()
    rows = pl.scan_parquet(source).with_columns(loss=loss)
    odds = pl.col("loss")
    upper = prior / (prior + (1 - prior) * (-odds).exp())
    rows.select(
        posterior_at_least=prior / (prior + (1 - prior) * odds.exp()),
        posterior_at_most=upper,
        ratio_at_most=upper / prior,
        difference_at_most=(odds / 4).tanh(),
    ).sink_parquet(out, compression="uncompressed")


def _copied(source: Path, out: Path) -> None:
    pl.scan_parquet(source).sink_parquet(out, compression="uncompressed")


def _same(ours: Path, theirs: Path) -> bool:
    one, other = (pl.scan_parquet(path).head(10**5).collect().to_numpy() for path in (ours, theirs))
    return np.allclose(one, other, rtol=1e-9, atol=0.0)
