"""Tables of Arrow, and of whatever hands out Arrow streams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from dprisk.bulk.asked import TableQuestion
from dprisk.bulk.batches import answered_schema, kernel
from dprisk.bulk.partitions import Partition

if TYPE_CHECKING:
    import pyarrow as pa


BATCH: Final = 1 << 17  # rows


def answer(asked: TableQuestion, data: Any) -> pa.RecordBatchReader:
    """The rows of a table with what is asked, batch by batch as they are read.

    Parameters
    ----------
    asked : TableQuestion
        What is asked of every row.
    data : pyarrow.Table, RecordBatch, RecordBatchReader, Dataset or Scanner, or an Arrow stream
        The table. Readers are read once.

    Returns
    -------
    pyarrow.RecordBatchReader
        The same rows in the same order, with more columns.

    Raises
    ------
    InvalidInput
        If a column is missing, or called like an output; before a row is read.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from dprisk.bulk import TableQuestion
    >>> from dprisk.bulk.engines.arrow import answer
    >>> constants = {"definition": "gaussian", "neighbors": "add-remove"}
    >>> asked = TableQuestion(["advantage_at_most"], {"mu": "mu"}, constants)
    >>> answer(asked, pa.table({"mu": [0.0]})).read_all()["advantage_at_most"].to_pylist()
    [0.0]
    """
    import pyarrow as pa

    if hasattr(data, "scanner"):
        data = data.scanner()
    reader = (
        data.to_reader() if hasattr(data, "to_reader") else pa.RecordBatchReader.from_stream(data)
    )
    schema = answered_schema(asked, reader.schema)
    return pa.RecordBatchReader.from_batches(schema, kernel(asked)(iter(reader)))


def read(part: Partition, memory: str) -> Iterator[pa.RecordBatch]:
    """The rows of a partition, in order."""
    from pyarrow import csv, parquet

    if part.row_groups is None:
        yield from csv.open_csv(part.path)
        return
    with parquet.ParquetFile(part.path) as file:
        yield from file.iter_batches(BATCH, row_groups=list(part.row_groups))
