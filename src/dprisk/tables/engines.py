"""The engines that hold tables: what is asked of their rows, and how they read files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from glob import escape
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any, Final

from dprisk._lazy import named
from dprisk.tables.batches import answered_schema, kernel, new_columns
from dprisk.tables.inputs import REASONS
from dprisk.tables.partitions import AS_INSTALLED, Partition, is_remote
from dprisk.tables.question import REASON, TableQuestion, check_columns

if TYPE_CHECKING:
    import pyarrow as pa


BATCH: Final = 1 << 17  # rows


def answer(asked: TableQuestion, table: Any) -> Any:
    """The rows of a table with what is asked as more columns, on the engine that holds it.

    Parameters
    ----------
    asked : TableQuestion
        What is asked of every row.
    table : a table of pyarrow, DuckDB, Polars, pandas or Spark, or an Arrow stream
        Of pyarrow also a batch, reader, dataset or scanner; readers are read once. Of pandas, NaN
        is taken for a missing number. Every worker of Spark needs dprisk.

    Returns
    -------
    pyarrow.RecordBatchReader, polars.LazyFrame, pandas.DataFrame or pyspark.sql.DataFrame
        The same rows in the same order, with more columns. A reader, also of a relation of DuckDB,
        answers batch by batch as it is read; register it to go on with SQL. A lazy frame of Polars
        is streamed by `collect` or `sink_parquet`; its reasons are an ``Enum``. On Spark, nothing
        is computed yet, and the reasons are strings.

    Raises
    ------
    InvalidInput
        If a column is missing, or called like an output; before a row is read.

    Examples
    --------
    >>> import duckdb, polars, pyarrow
    >>> from dprisk.tables import TableQuestion, answer
    >>> constants = {"definition": "gaussian", "neighbors": "add-remove"}
    >>> asked = TableQuestion(["advantage_at_most"], {"mu": "mu"}, constants)
    >>> answer(asked, pyarrow.table({"mu": [0.0]})).read_all()["advantage_at_most"].to_pylist()
    [0.0]
    >>> answer(asked, duckdb.sql("select 0.0 as mu")).read_all()["advantage_at_most"].to_pylist()
    [0.0]
    >>> answer(asked, polars.LazyFrame({"mu": [0.0]})).collect()["advantage_at_most"].to_list()
    [0.0]
    """
    return ANSWERS.get(library_of(table), _answer_arrow)(asked, table)


def library_of(table: Any) -> str:
    """The library that a table is from, if it is one of those that are not asked through Arrow."""
    libraries = (kind.__module__.partition(".")[0].lstrip("_") for kind in type(table).__mro__)
    return next((name for name in libraries if name in ANSWERS), "pyarrow")


def _answer_arrow(asked: TableQuestion, data: Any) -> pa.RecordBatchReader:
    import pyarrow as pa

    if hasattr(data, "scanner"):
        data = data.scanner()
    reader = (
        data.to_reader() if hasattr(data, "to_reader") else pa.RecordBatchReader.from_stream(data)
    )
    schema = answered_schema(asked, reader.schema)
    return pa.RecordBatchReader.from_batches(schema, kernel(asked)(iter(reader)))


def _answer_pandas(asked: TableQuestion, frame: Any) -> Any:
    import pyarrow as pa

    held = [name for name in dict.fromkeys(asked.columns.values()) if name in frame.columns]
    rows = pa.Table.from_pandas(frame[held], preserve_index=False)
    found = _answer_arrow(asked, rows).read_all().to_pandas()
    found.index = frame.index
    return frame.assign(**{name: found[name] for name in (*asked.outputs, REASON)})


def _answer_polars(asked: TableQuestion, frame: Any) -> Any:
    import polars as pl

    lazy = frame.lazy()
    before = lazy.collect_schema()
    check_columns(asked, pl.DataFrame(schema=before).to_arrow().schema)
    more = {**dict.fromkeys(asked.outputs, pl.Float64()), REASON: pl.Enum(REASONS)}
    schema = pl.Schema({**before, **more})
    return lazy.map_batches(partial(_answer_morsel, asked), schema=schema, streamable=True)


def _answer_morsel(asked: TableQuestion, frame: Any) -> Any:
    """A morsel, in the thread of Polars that works on it."""
    import polars as pl
    import pyarrow as pa

    used = list(dict.fromkeys(asked.columns.values())) or frame.columns
    columns = {name: frame.get_column(name).to_arrow() for name in used}
    *values, reasons = new_columns(asked, pa.RecordBatch.from_pydict(columns))
    found = [pl.Series(*pair) for pair in zip(asked.outputs, values, strict=True)]
    if reasons.null_count == len(reasons):
        no_reasons = _nulls(1 << (len(reasons) - 1).bit_length()).head(len(reasons))
        return frame.hstack([*found, no_reasons])
    return frame.hstack([*found, pl.Series(REASON, reasons).cast(pl.Enum(REASONS))])


@lru_cache(maxsize=8)
def _nulls(rows: int) -> Any:
    """Missing reasons, made once for all morsels."""
    import polars as pl

    return pl.repeat(None, rows, dtype=pl.Enum(REASONS), eager=True).alias(REASON)


def _answer_spark(asked: TableQuestion, frame: Any) -> Any:
    return named("dprisk.tables", "spark:answer_frame")(asked, frame)


ANSWERS: Final[Mapping[str, Callable[[TableQuestion, Any], Any]]] = {
    "duckdb": lambda asked, relation: _answer_arrow(asked, relation.to_arrow_reader(BATCH)),
    "pandas": _answer_pandas,
    "polars": _answer_polars,
    "pyspark": _answer_spark,
}


def _read_arrow(part: Partition, memory: str) -> Iterator[pa.RecordBatch]:
    from pyarrow import csv, parquet

    if part.row_groups is None:
        yield from csv.open_csv(part.path)
        return
    with parquet.ParquetFile(part.path) as file:
        yield from file.iter_batches(BATCH, row_groups=list(part.row_groups), use_threads=False)


def _read_duckdb(part: Partition, memory: str) -> Iterator[pa.RecordBatch]:
    import duckdb

    settings: Any = {"memory_limit": memory, "temp_directory": gettempdir(), **AS_INSTALLED}
    if part.row_groups is not None and not is_remote(part.path):
        settings["threads"] = 1  # the other cores work on other partitions
    with duckdb.connect(config=settings) as connection:
        given: Any = {"path": part.path if is_remote(part.path) else escape(part.path)}
        connection.execute("set enable_progress_bar = false")  # on where Python has no file
        query = "from read_csv($path, hive_partitioning := false)"
        if part.row_groups is not None:
            given |= {"first": part.first, "end": part.first + part.rows}
            query = (
                "select * from read_parquet($path, hive_partitioning := false) "
                "where file_row_number >= $first and file_row_number < $end"
            )
        yield from connection.sql(query, params=given).to_arrow_reader(BATCH)


def _read_polars(part: Partition, memory: str) -> Iterator[pa.RecordBatch]:
    import polars as pl

    if part.row_groups is None:
        lazy = pl.scan_csv(part.path)
    else:
        lazy = pl.scan_parquet(part.path).slice(part.first, part.rows)
    for frame in lazy.collect_batches(maintain_order=True):
        yield from frame.to_arrow().to_batches()


READERS: Final[Mapping[str, Callable[[Partition, str], Iterator[pa.RecordBatch]]]] = {
    "duckdb": _read_duckdb,
    "polars": _read_polars,
    "arrow": _read_arrow,
}
"""How each engine reads the rows of a partition, in order; DuckDB within some memory."""
