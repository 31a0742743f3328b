"""Tables of Spark: the same function in each of its workers, by `mapInArrow`."""

from __future__ import annotations

import os
import pickle
import re
import secrets
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, Final, final

from dprisk.bulk.adding import check
from dprisk.bulk.asked import REASON, TableQuestion
from dprisk.bulk.batches import answered_schema, kernel
from dprisk.bulk.histories import COLUMNS, answers
from dprisk.errors import NotInstalled, unreadable
from dprisk.text import fill

if TYPE_CHECKING:
    import pyarrow as pa


LOOK: Final = 0.2  # seconds between two looks at how far a job is
PYTHON: Final = "PYSPARK_PYTHON"
OF_PYTHON: Final = re.compile(r"^\w+(?:Error|Exception): .+", re.MULTILINE)
OF_JAVA: Final = re.compile(
    r'^(?:: |Exception in thread "main" |Error: .*\n)?[\w.]+\.\w+(?:Error|Exception): (.+)',
    re.MULTILINE,
)
TOO_OLD: Final = "UnsupportedClassVersionError"


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


@contextmanager
def session(memory: str | None = None) -> Iterator[Any]:
    """The session that runs, or one that is started as Spark's settings say and stopped again."""
    try:
        import pandas  # noqa: F401  # `mapInArrow` asks for it
        from pyspark import SparkContext
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise NotInstalled(fill("table.spark-missing", library=error.name)) from None
    if SparkContext._active_spark_context is not None:
        yield SparkSession.builder.getOrCreate()
        return
    with TemporaryFile() as log, ThreadPoolExecutor(1) as aside:
        starting = aside.submit(_started, memory, log)  # in the main thread it takes our signals
        try:
            yield SparkSession(starting.result())
        finally:
            with suppress(Exception):  # it never started, or ended by itself
                starting.result().stop()


def _started(memory: str | None, log: IO[bytes]) -> Any:
    """A context whose Java writes to a log, with this Python in its workers unless one is named."""
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway

    settings = SparkConf().setAppName("dprisk table")
    if memory is not None:
        for whose in ("driver", "executor"):
            settings.set(f"spark.{whose}.memory", memory.lower().removesuffix("b"))
    unnamed = PYTHON not in os.environ
    os.environ.setdefault(PYTHON, sys.executable)
    try:
        streams = {"stdout": log, "stderr": log}
        java = None if SparkContext._gateway else launch_gateway(settings, streams)
    except Exception:
        log.seek(0)
        said = log.read().decode(errors="replace")
        ran = OF_JAVA.search(said) and TOO_OLD not in said
        key = "table.spark-start" if ran else "table.spark-java"
        raise NotInstalled(fill(key, error=_said(said))) from None
    else:
        try:
            return SparkContext(conf=settings, gateway=java)
        except Exception as error:
            raise NotInstalled(fill("table.spark-start", error=_said(str(error)))) from None
    finally:
        if unnamed:
            del os.environ[PYTHON]


def each(
    session: Any, work: Callable[[int], Any], count: int, place: Any, look: Callable[[], None]
) -> list[Any]:
    """What becomes of each number below a count, as tasks of one job, in order."""
    context, group = session.sparkContext, f"dprisk-{secrets.token_hex(8)}"
    tasks = session.range(0, count, 1, count).mapInArrow(_Numbered(work), "id long, made binary")

    def run() -> Any:
        context.setJobGroup(group, "dprisk table", interruptOnCancel=True)
        return tasks.collect()

    with ThreadPoolExecutor(1) as aside:
        job = aside.submit(run)
        try:
            while not wait([job], LOOK).done:
                look()
        except BaseException:
            while not wait([job], LOOK).done:
                context.cancelJobGroup(group)
            raise
    try:
        made = {row.id: pickle.loads(row.made) for row in job.result()}
    except Exception as error:
        raise unreadable(place, "table.spark-failed", error=_said(str(error))) from None
    look()
    return [made[number] for number in range(count)]


@final
@dataclass(frozen=True)
class _Numbered:
    """The results of tasks, as rows."""

    work: Callable[[int], Any]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            for number in batch["id"].to_pylist():
                made = pickle.dumps(self.work(number))
                yield pa.RecordBatch.from_pydict({"id": [number], "made": [made]})


def _said(text: str) -> str:
    """The line of a long message that says most: Python's last error, or else Java's first."""
    of_python, of_java = OF_PYTHON.findall(text), OF_JAVA.findall(text)
    lines = of_python[-1:] or of_java[:1] or text.strip().splitlines()[:1] or [""]
    return lines[0].strip().rstrip(".")


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
