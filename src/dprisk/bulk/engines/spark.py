"""Tables of Spark: the same function in each of its workers, by `mapInArrow`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from dprisk.bulk.adding import check
from dprisk.bulk.asked import REASON, TableQuestion
from dprisk.bulk.batches import answered_schema, kernel
from dprisk.bulk.histories import COLUMNS, answers

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["add_up", "answer"]


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


def add_up(asked: TableQuestion, charges: Any, person: str) -> Any:
    """Risk of each person after everything that the person was charged.

    Parameters
    ----------
    asked : TableQuestion
        What is asked of each person, as for `dprisk.bulk.add_up`.
    charges : pyspark.sql.DataFrame
        One row for each time that a person's data were used, in any order.
    person : str
        The column that says whose.

    Returns
    -------
    pyspark.sql.DataFrame
        One row for each person, in no order, with the columns of `dprisk.bulk.add_up`.

    Raises
    ------
    InvalidInput
        If a column is missing, or one is given for what has to be one for all.

    Notes
    -----
    Spark groups. The distinct histories come to the driver, are composed there once each, and are
    joined to the people who have them. The people with their histories are persisted in between;
    ``frame.sparkSession.catalog.clearCache()`` forgets them.

    Examples
    --------
    >>> from dprisk.bulk import TableQuestion
    >>> from dprisk.bulk.engines.spark import add_up
    >>> constants = {"definition": "concentrated", "neighbors": "add-remove", "at_delta": 1e-6}
    >>> asked = TableQuestion(["epsilon_at_most"], {"rho": "rho"}, constants)
    >>> add_up(asked, frame, "user")  # doctest: +SKIP
    """
    from pyspark.sql import functions
    from pyspark.sql.pandas.types import to_arrow_schema

    check(asked, to_arrow_schema(charges.schema), person)
    names = [name for name in COLUMNS if name in asked.columns]
    told = [_told(charges, asked.columns[name]).alias(name) for name in names]
    counted = (
        charges.select(_column(charges, person).alias("person"), *told)
        .groupBy("person", *names)
        .agg(functions.count("*").alias("times"))
    )
    history = functions.sort_array(functions.collect_list(functions.struct(*names, "times")))
    people = counted.groupBy("person").agg(
        functions.sum("times").alias("charges"), history.alias("history")
    )
    people = people.persist()
    found = answers(asked, people.select("history").distinct().toArrow())
    known = charges.sparkSession.createDataFrame(found)
    return people.join(known, "history").select(
        people["person"].alias(person), "charges", *asked.outputs, REASON
    )


def _column(frame: Any, name: str) -> Any:
    """A column whose name may have dots."""
    return frame["`" + name.replace("`", "``") + "`"]


def _told(charges: Any, name: str) -> Any:
    """A column of words, or of numbers or lists as doubles: decimals by way of their digits."""
    column, kind = _column(charges, name), charges.schema[name].dataType
    if kind.typeName() == "string":
        return column
    form, kind = ("array<{}>", kind.elementType) if kind.typeName() == "array" else ("{}", kind)
    if kind.typeName() == "decimal":
        column = column.cast(form.format("string"))
    return column.cast(form.format("double"))


@final
@dataclass(frozen=True)
class _Plain:
    """The kernel with its reasons as strings: Spark reads no dictionaries."""

    asked: TableQuestion

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in kernel(self.asked)(batches, _cores()):
            yield batch.cast(_in_words(batch.schema))


def _cores() -> int:
    """Those of the task in which this runs."""
    from pyspark import TaskContext

    task = TaskContext.get()
    return 1 if task is None else int(task.cpus())


def _in_words(schema: pa.Schema) -> pa.Schema:
    import pyarrow as pa

    return schema.set(schema.get_field_index(REASON), pa.field(REASON, pa.string()))
