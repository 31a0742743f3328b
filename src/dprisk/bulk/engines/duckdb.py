"""Tables that DuckDB reads: files, globs, object stores, other databases; it spills to disk."""

from __future__ import annotations

from collections.abc import Iterator
from glob import escape
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any

from dprisk.bulk.asked import TableQuestion
from dprisk.bulk.engines import arrow
from dprisk.bulk.engines.remote import AS_INSTALLED, is_remote
from dprisk.bulk.partitions import Partition

if TYPE_CHECKING:
    import pyarrow as pa


def answer(asked: TableQuestion, relation: Any) -> pa.RecordBatchReader:
    """The rows of a relation with what is asked, as DuckDB streams them.

    Parameters
    ----------
    asked : TableQuestion
        What is asked of every row.
    relation : duckdb.DuckDBPyRelation
        A query or a table. Register the answer to go on with SQL.

    Returns
    -------
    pyarrow.RecordBatchReader
        The same rows in the same order, with more columns.

    Raises
    ------
    InvalidInput
        If a column is missing, or called like an output.

    Examples
    --------
    >>> import duckdb
    >>> from dprisk.bulk import TableQuestion
    >>> from dprisk.bulk.engines.duckdb import answer
    >>> constants = {"definition": "gaussian", "neighbors": "add-remove"}
    >>> asked = TableQuestion(["advantage_at_most"], {"mu": "mu"}, constants)
    >>> answer(asked, duckdb.sql("select 0.0 as mu")).read_all()["advantage_at_most"].to_pylist()
    [0.0]
    """
    return arrow.answer(asked, relation.to_arrow_reader(arrow.BATCH))


def read(part: Partition, memory: str) -> Iterator[pa.RecordBatch]:
    """The rows of a partition, in order, in bounded memory."""
    import duckdb

    settings: Any = {"memory_limit": memory, "temp_directory": gettempdir(), **AS_INSTALLED}
    if part.row_groups is not None and not is_remote(part.path):
        settings["threads"] = 1  # the other cores answer what was read before
    with duckdb.connect(config=settings) as connection:
        path = part.path if is_remote(part.path) else escape(part.path)
        connection.execute("set enable_progress_bar = false")  # on where Python has no file
        if part.row_groups is None:
            relation = connection.sql(
                "from read_csv($path, hive_partitioning := false)", params={"path": path}
            )
        else:
            relation = connection.sql(
                "select * from read_parquet($path, hive_partitioning := false) "
                "where file_row_number >= $first "
                "and file_row_number < $end",
                params={"path": path, "first": part.first, "end": part.first + part.rows},
            )
        yield from relation.to_arrow_reader(arrow.BATCH)
