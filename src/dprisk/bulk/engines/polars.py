"""Tables of Polars: a step of a lazy query, which it streams."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from dprisk.bulk.asked import REASON, TableQuestion
from dprisk.bulk.batches import answers
from dprisk.bulk.inputs import REASONS
from dprisk.bulk.partitions import Partition

if TYPE_CHECKING:
    import pyarrow as pa


def answer(asked: TableQuestion, frame: Any) -> Any:
    """A lazy frame with what is asked as one more step.

    Parameters
    ----------
    asked : TableQuestion
        What is asked of every row.
    frame : polars.LazyFrame or polars.DataFrame
        The table.

    Returns
    -------
    polars.LazyFrame
        The same rows in the same order, with more columns. `collect` it, or `sink_parquet`: it
        is streamed. The reasons are an ``Enum``.

    Raises
    ------
    InvalidInput
        If a column is missing, or called like an output.

    Examples
    --------
    >>> import polars as pl
    >>> from dprisk.bulk import TableQuestion
    >>> from dprisk.bulk.engines.polars import answer
    >>> constants = {"definition": "gaussian", "neighbors": "add-remove"}
    >>> asked = TableQuestion(["advantage_at_most"], {"mu": "mu"}, constants)
    >>> answer(asked, pl.LazyFrame({"mu": [0.0]})).collect()["advantage_at_most"].to_list()
    [0.0]
    """
    import polars as pl

    lazy = frame.lazy()
    before = lazy.collect_schema()
    asked.check(pl.DataFrame(schema=before).to_arrow().schema)
    more = {**dict.fromkeys(asked.outputs, pl.Float64()), REASON: pl.Enum(REASONS)}
    schema = pl.Schema({**before, **more})
    return lazy.map_batches(partial(_answered, asked), schema=schema, streamable=True)


def _answered(asked: TableQuestion, frame: Any) -> Any:
    """A morsel, in the thread of Polars that works on it."""
    import polars as pl
    import pyarrow as pa

    used = list(dict.fromkeys(asked.columns.values())) or frame.columns
    columns = {name: frame.get_column(name).to_arrow() for name in used}
    *values, reasons = answers(asked, pa.RecordBatch.from_pydict(columns))
    found = [pl.Series(*pair) for pair in zip(asked.outputs, values, strict=True)]
    if reasons.null_count == len(reasons):
        return frame.hstack([*found, _no_reasons(len(reasons))])
    return frame.hstack([*found, pl.Series(REASON, reasons).cast(pl.Enum(REASONS))])


def _no_reasons(rows: int) -> Any:
    """Nulls, made once for all morsels."""
    return _nulls(1 << (rows - 1).bit_length()).head(rows)


@lru_cache(maxsize=8)
def _nulls(rows: int) -> Any:
    import polars as pl

    return pl.repeat(None, rows, dtype=pl.Enum(REASONS), eager=True).alias(REASON)


def read(part: Partition, memory: str) -> Iterator[pa.RecordBatch]:
    """The rows of a partition, in order."""
    import polars as pl

    if part.row_groups is None:
        lazy = pl.scan_csv(part.path)
    else:
        lazy = pl.scan_parquet(part.path).slice(part.first, part.rows)
    for frame in lazy.collect_batches(maintain_order=True):
        yield from frame.to_arrow().to_batches()
