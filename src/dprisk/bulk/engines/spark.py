"""Tables of Spark: the same function in each of its workers, by `mapInArrow`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from dprisk.bulk.asked import REASON, TableQuestion
from dprisk.bulk.batches import answered_schema, kernel

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["answer"]


def answer(asked: TableQuestion, frame: Any) -> Any:
    """A Spark frame with what is asked as more columns.

    Parameters
    ----------
    asked : TableQuestion
        What is asked of every row.
    frame : pyspark.sql.DataFrame
        The table, however it is partitioned; every worker needs dprisk.

    Returns
    -------
    pyspark.sql.DataFrame
        The same rows, with more columns; nothing is computed yet. The reasons are strings.

    Raises
    ------
    InvalidInput
        If a column is missing, or called like an output.

    Examples
    --------
    >>> from dprisk.bulk import TableQuestion
    >>> from dprisk.bulk.engines.spark import answer
    >>> constants = {"definition": "gaussian", "neighbors": "add-remove"}
    >>> asked = TableQuestion(["advantage_at_most"], {"mu": "mu"}, constants)
    >>> answer(asked, frame)  # doctest: +SKIP
    """
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

    schema = _in_words(answered_schema(asked, to_arrow_schema(frame.schema)))
    return frame.mapInArrow(_Plain(asked), from_arrow_schema(schema))


@final
@dataclass(frozen=True)
class _Plain:
    """The kernel with its reasons as strings: Spark reads no dictionaries."""

    asked: TableQuestion

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in kernel(self.asked)(batches):
            yield batch.cast(_in_words(batch.schema))


def _in_words(schema: pa.Schema) -> pa.Schema:
    import pyarrow as pa

    return schema.set(schema.get_field_index(REASON), pa.field(REASON, pa.string()))
