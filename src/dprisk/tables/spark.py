"""Tables of Spark: the same function in each of its workers, by `mapInArrow`."""

from __future__ import annotations

import os
import pickle
import re
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, Final, final

from dprisk.errors import InvalidFile, NotInstalled
from dprisk.tables.batches import answered_schema, kernel
from dprisk.tables.people import answer_histories
from dprisk.tables.question import REASON, TableQuestion

if TYPE_CHECKING:
    import pyarrow as pa


LOOK: Final = 0.2  # seconds between two looks at how far a job is
OF_PYTHON: Final = re.compile(r"^\w+(?:Error|Exception): .+", re.MULTILINE)
OF_JAVA: Final = re.compile(
    r'^(?:: |Exception in thread "main" |Error: .*\n)?[\w.]+\.\w+(?:Error|Exception): (.+)',
    re.MULTILINE,
)


def answer_frame(asked: TableQuestion, frame: Any) -> Any:
    """A Spark frame with what is asked as more columns."""
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

    schema = _in_words(answered_schema(asked, to_arrow_schema(frame.schema)))
    return frame.mapInArrow(partial(_answer_batches, asked), from_arrow_schema(schema))


def _answer_batches(
    asked: TableQuestion, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """The kernel on the cores of a task, with reasons as strings: Spark reads no dictionaries."""
    from pyspark import TaskContext

    task = TaskContext.get()
    for batch in kernel(asked)(batches, 1 if task is None else int(task.cpus())):
        yield batch.cast(_in_words(batch.schema))


def _in_words(schema: pa.Schema) -> pa.Schema:
    import pyarrow as pa

    return schema.set(schema.get_field_index(REASON), pa.field(REASON, pa.string()))


def add_up_frame(asked: TableQuestion, charges: Any, person: str, names: Sequence[str]) -> Any:
    """Apply `dprisk.tables.add_up` to a Spark frame; its people stay persisted afterwards."""
    from pyspark.sql import functions

    given = [_as_given(charges, asked.columns[name]).alias(name) for name in names]
    counted = (
        charges.select(_column(charges, person).alias("person"), *given)
        .groupBy("person", *names)
        .agg(functions.count("*").alias("times"))
    )
    history = functions.sort_array(functions.collect_list(functions.struct(*names, "times")))
    people = counted.groupBy("person").agg(
        functions.sum("times").alias("charges"), history.alias("history")
    )
    people = people.persist()
    found = answer_histories(asked, people.select("history").distinct().toArrow())
    known = charges.sparkSession.createDataFrame(found)
    return people.join(known, "history").select(
        people["person"].alias(person), "charges", *asked.outputs, REASON
    )


def _column(frame: Any, name: str) -> Any:
    """A column whose name may have dots."""
    return frame["`" + name.replace("`", "``") + "`"]


def _as_given(charges: Any, name: str) -> Any:
    """A column of words, or of numbers or lists as doubles: decimals by way of their digits."""
    column, kind = _column(charges, name), charges.schema[name].dataType
    if kind.typeName() == "string":
        return column
    form, kind = ("array<{}>", kind.elementType) if kind.typeName() == "array" else ("{}", kind)
    if kind.typeName() == "decimal":
        column = column.cast(form.format("string"))
    return column.cast(form.format("double"))


@contextmanager
def session(memory: str | None = None) -> Iterator[Any]:
    """The session that runs, or one that is started as Spark's settings say and stopped again."""
    try:
        import pandas  # noqa: F401  # `mapInArrow` asks for it
        from pyspark import SparkContext
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise NotInstalled(
            f"Spark needs {error.name}. Install it with: pip install 'dprisk[spark]'."
        ) from None
    if SparkContext._active_spark_context is not None:
        yield SparkSession.builder.getOrCreate()
        return
    with TemporaryFile() as log, ThreadPoolExecutor(1) as aside:
        starting = aside.submit(_start, memory, log)  # in the main thread it takes our signals
        try:
            yield SparkSession(starting.result())
        finally:
            with suppress(Exception):  # it never started, or ended by itself
                starting.result().stop()


def _start(memory: str | None, log: IO[bytes]) -> Any:
    """A context whose Java writes to a log, with this Python in its workers unless one is named."""
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway

    settings = SparkConf().setAppName("dprisk table")
    if memory is not None:
        for whose in ("driver", "executor"):
            settings.set(f"spark.{whose}.memory", memory.lower().removesuffix("b"))
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        streams = {"stdout": log, "stderr": log}
        java = None if SparkContext._gateway else launch_gateway(settings, streams)
        return SparkContext(conf=settings, gateway=java)
    except Exception as error:
        log.seek(0)
        has_java = SparkContext._gateway is not None
        said = _shortened(str(error) if has_java else log.read().decode(errors="replace"))
        raise NotInstalled(
            f"Spark did not start: {said}. It needs Java 17 or newer. Install it, or set JAVA_HOME."
        ) from None


def each(
    session: Any, work: Callable[[int], Any], count: int, place: Any, look: Callable[[], None]
) -> list[Any]:
    """Results of the work on each number below a count, as tasks of one job, in order."""
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
        raise InvalidFile(
            place,
            f"Spark could not finish: {_shortened(str(error))}.",
            "What is done is kept. Each worker needs dprisk[spark], and memory for its tasks.",
        ) from None
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


def _shortened(text: str) -> str:
    """The line of a long message that says most: Python's last error, or else Java's first."""
    of_python, of_java = OF_PYTHON.findall(text), OF_JAVA.findall(text)
    lines = of_python[-1:] or of_java[:1] or text.strip().splitlines()[:1] or [""]
    return lines[0].strip().rstrip(".")
