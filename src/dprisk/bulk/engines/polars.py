"""Tables of Polars: a step of a lazy query, which it streams."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from dprisk.bulk.asked import REASON, TableQuestion
from dprisk.bulk.engines import arrow
from dprisk.bulk.partitions import Partition

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["answer", "read"]


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
        is streamed. The reasons are strings.

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
    schema = _answered(asked, pl.DataFrame(schema=lazy.collect_schema())).schema
    return lazy.map_batches(partial(_answered, asked), schema=schema, streamable=True)


def _answered(asked: TableQuestion, frame: Any) -> Any:
    import polars as pl

    found: Any = pl.from_arrow(arrow.answer(asked, frame.to_arrow()).read_all())
    return found.with_columns(pl.col(REASON).cast(pl.String))


def read(part: Partition, memory: str) -> Iterator[pa.RecordBatch]:
    """The rows of a partition, in order."""
    import polars as pl

    if part.row_groups is None:
        lazy = pl.scan_csv(part.path)
    else:
        lazy = pl.scan_parquet(part.path).slice(part.first, part.rows)
    for frame in lazy.collect_batches(maintain_order=True):
        yield from frame.to_arrow().to_batches()
