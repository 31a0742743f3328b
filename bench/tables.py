"""Parquet to Parquet, against the formulas typed for Polars and for whole columns."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

import duckdb as db
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow.dataset import dataset

from bench.rows import naive
from bench.timing import Case, Figure, Result, Skipped, by_turns, compared, seconds
from dprisk.errors import NotInstalled
from dprisk.tables import TableQuestion, answer, kernel, run
from dprisk.tables.running import ENGINES

try:
    import pandas
except ImportError:
    pandas = None

INPUTS = ("prior", "epsilon", "delta", "failure")
OUTPUTS = ("posterior_at_least", "posterior_at_most", "ratio_at_most", "difference_at_most")
ASKED = TableQuestion(
    OUTPUTS,
    {name: name for name in INPUTS},
    {"definition": "approximate", "neighbors": "add-remove"},
)
GROUP = 1 << 19
Step = Callable[[Path, Path], None]
FEW = 10**5  # rows
TYPED = "expressions of Polars"
OUT = f"{TYPED}, the logarithm typed out"
ALONE = f"{OUT}, nothing shared"
WHOLE = f"whole columns of {'numpy' if pandas is None else 'pandas'}"


def tables(count: int, repetitions: int) -> Iterator[Result]:
    """Approximate DP to four columns, from file to file."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "in.parquet")
        _write(source, count)
        for name, call in (("read", _read), ("read and written", _copied)):
            yield Figure(f"inputs {name} by Polars", "rows/s", count / _typical(call, source))
        yield _kernel(source)
        sides = (
            (TYPED, _in_polars, 2.0),
            (OUT, partial(_in_polars, once=False), None),
            (ALONE, partial(_in_polars, once=False, shared=False), None),
            (WHOLE, _in_columns, 5.0),
        )
        for name, typed, goal in sides:
            yield _against(name, typed, source, repetitions, goal)
        yield from _in_memory(source, repetitions)
        if pandas is not None:
            yield _by_row(source)
        for name, ours in (("Polars", _polars), ("DuckDB", _duckdb), ("Arrow", _arrow)):
            rate = count / _typical(ours, source)
            yield Figure(f"table by {name}", "rows/s", rate, "at least", 1e7)
        yield from _resumable(source, count)


def _resumable(source: Path, count: int) -> Iterator[Figure | Skipped]:
    """By each engine that is installed with what it needs."""
    for engine in ENGINES:
        try:
            rate = count / _typical(partial(_run, engine), source)
        except NotInstalled as error:
            yield Skipped(f"run by {engine}", str(error))
        else:
            yield Figure(f"run by {engine}", "rows/s, resumable", rate)


def _kernel(source: Path) -> Figure:
    held = pq.ParquetFile(source).read_row_groups([0]).combine_chunks().to_batches() * 8
    took = median(seconds(lambda: list(kernel(ASKED)(iter(held)))) for _ in "12345")
    rate = sum(batch.num_rows for batch in held) / took
    return Figure("kernel", "rows/s, in memory", rate)


def _in_memory(source: Path, repetitions: int) -> Iterator[Case]:
    """The same without files: a frame of Polars, and what is asked of it."""
    frame = pl.read_parquet(source)
    ours = answer(ASKED, frame).select(OUTPUTS)
    for name, once, shared in ((TYPED, True, True), (OUT, False, True), (ALONE, False, False)):
        theirs = _typed(frame.lazy(), once=once)
        mine = partial(ours.collect, engine="streaming")
        typed = partial(theirs.collect, engine="streaming", optimizations=_shared(shared))
        pairs = by_turns(partial(seconds, mine), partial(seconds, typed), repetitions)
        spent = [f"{_processor(call) * 1e9 / frame.height:.0f}" for call in (mine, typed)]
        yield compared(
            f"frame, {frame.height:.0e} rows",
            ("answer", name),
            pairs,
            "",
            note=f"{' and '.join(spent)} ns of processor time for each row",
        )


def _by_row(source: Path) -> Figure:
    """Row by row, as `DataFrame.apply` is used."""
    frame = pandas.read_parquet(source, columns=list(INPUTS)).head(FEW)
    took = seconds(lambda: frame.apply(lambda row: naive(*row), axis=1))
    return Figure("DataFrame.apply of pandas", "rows/s", len(frame) / took)


def _typical(call: Step, source: Path) -> float:
    """Seconds, from the file to another one."""
    return median(seconds(partial(call, source, _out(source))) for _ in "123")


def _against(name: str, typed: Step, source: Path, repetitions: int, goal: float | None) -> Case:
    """Ours and the formulas as they are typed, by turns."""
    count = pq.read_metadata(source).num_rows
    ours = partial(_polars, source, source.with_name("ours.parquet"))
    theirs = partial(typed, source, source.with_name("theirs.parquet"))
    pairs = by_turns(partial(seconds, ours), partial(seconds, theirs), repetitions)
    copied = partial(_copied, source, _out(source))
    spent = [f"{_processor(each) * 1e9 / count:.0f}" for each in (ours, theirs, copied)]
    return compared(
        f"table, {count:.0e} rows",
        ("answer", name),
        pairs,
        "" if goal is None else "at least",
        goal,
        same=_same(source.with_name("ours.parquet"), source.with_name("theirs.parquet")),
        note=f"{spent[0]} and {spent[1]} ns of processor time for each row, of which reading and "
        f"writing {spent[2]} ns",
    )


def _processor(call: Callable[[], object]) -> float:
    """Seconds of all threads."""
    started = process_time()
    call()
    return process_time() - started


def _run(engine: str, source: Path, out: Path) -> None:
    run(ASKED, str(source), out.with_suffix(""), engine=engine, force=True)


def _out(source: Path) -> Path:
    return source.with_name("out.parquet")


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


def _polars(source: Path, out: Path) -> None:
    answer(ASKED, pl.scan_parquet(source)).select(OUTPUTS).sink_parquet(
        out, compression="uncompressed"
    )


def _duckdb(source: Path, out: Path) -> None:
    with db.connect() as reading, db.connect() as writing:
        answered = answer(ASKED, reading.sql(f"from '{source}'"))
        writing.register("answered", answered)
        columns = ", ".join(OUTPUTS)
        writing.execute(
            f"copy (select {columns} from answered) to '{out}' (compression uncompressed)"
        )


def _arrow(source: Path, out: Path) -> None:
    answered = answer(ASKED, dataset(source))
    schema = pa.schema([answered.schema.field(name) for name in OUTPUTS])
    with pq.ParquetWriter(out, schema, compression="none", use_dictionary=False) as writer:
        for batch in answered:
            writer.write_batch(batch.select(list(OUTPUTS)))


def _in_polars(source: Path, out: Path, *, once: bool = True, shared: bool = True) -> None:
    rows = _typed(pl.scan_parquet(source), once=once)
    rows.sink_parquet(out, compression="uncompressed", optimizations=_shared(shared))


def _typed(rows: pl.LazyFrame, *, once: bool) -> pl.LazyFrame:
    """The formulas; the logarithm in a column of its own, or typed out wherever it is used."""
    prior, epsilon, delta, failure = map(pl.col, INPUTS)
    loss = ((failure * epsilon.exp() + delta) / (failure - delta)).log()
    if once:
        rows, loss = rows.with_columns(loss=loss), pl.col("loss")
    upper = prior / (prior + (1 - prior) * (-loss).exp())
    return rows.select(
        posterior_at_least=prior / (prior + (1 - prior) * loss.exp()),
        posterior_at_most=upper,
        ratio_at_most=upper / prior,
        difference_at_most=(loss / 4).tanh(),
    )


def _shared(shared: bool) -> pl.QueryOptFlags:
    """Whether Polars computes once what is typed twice."""
    return pl.QueryOptFlags(comm_subexpr_elim=shared)


def _in_columns(source: Path, out: Path) -> None:
    """Whole columns at once: of pandas if it is installed, else of numpy, as pandas has them."""
    if pandas is not None:
        frame = pandas.read_parquet(source, columns=list(INPUTS))
        found = naive(*(frame[name] for name in INPUTS))
        made = pandas.DataFrame(dict(zip(OUTPUTS, found, strict=True)))
        made.to_parquet(out, compression=None, index=False)
        return
    table = pq.read_table(source, columns=list(INPUTS))
    found = naive(*(table[name].to_numpy() for name in INPUTS))
    pq.write_table(pa.table(dict(zip(OUTPUTS, found, strict=True))), out, compression="none")


def _read(source: Path, out: Path) -> None:
    for _ in pl.scan_parquet(source).collect_batches():
        pass


def _copied(source: Path, out: Path) -> None:
    pl.scan_parquet(source).sink_parquet(out, compression="uncompressed")


def _same(ours: Path, theirs: Path) -> bool:
    one, other = (pl.scan_parquet(path).head(10**5).collect().to_numpy() for path in (ours, theirs))
    return np.allclose(one, other, rtol=1e-9, atol=0.0)
