"""Files in, one Parquet file out, partition by partition; what is done is kept."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

from dprisk._checks import one_of
from dprisk._files import check_places
from dprisk.bulk.asked import REASON, TableQuestion, check_limits
from dprisk.bulk.batches import in_order, workers
from dprisk.bulk.engines.remote import is_remote
from dprisk.bulk.growing import Growing
from dprisk.bulk.on_spark import SparkOptions, run_on_spark
from dprisk.bulk.partitions import ROWS, Partition, as_parquet, digest, partitions
from dprisk.bulk.pieces import (
    END,
    GROUP,
    SHOWN,
    Reads,
    opened,
    piece_answered,
    pieces,
    read_part,
    unread_rows,
    wrong_rows,
)
from dprisk.bulk.summary import TableSummary
from dprisk.errors import NotWritten, unreadable
from dprisk.progress import report
from dprisk.text import fill

if TYPE_CHECKING:
    import pyarrow as pa


ENGINES: Final = ("duckdb", "polars", "arrow", "spark")
MEMORY: Final = "1GB"


def run(
    asked: TableQuestion,
    sources: str | Sequence[str],
    out: str | os.PathLike[str],
    *,
    engine: str = "duckdb",
    memory: str | None = None,
    limits: Mapping[str, float] | None = None,
    strict: bool = False,
    force: bool = False,
    partition_rows: int = ROWS,
) -> TableSummary:
    """Answer what is asked of every row of some files, and write one Parquet file.

    Parameters
    ----------
    asked : TableQuestion
        What is asked of every row.
    sources : str or sequence of str
        Parquet and CSV files, patterns such as ``year=*/*.parquet``, and folders of Parquet files.
        All have the same columns; those in the names of folders count. Addresses such as
        ``s3://bucket/*.parquet`` are left to DuckDB. A CSV file is one partition.
    out : str or path
        The Parquet file to write. Beside it, in ``OUT.parts``, stand the partitions that are done:
        started again, the same job goes on where it was stopped, and writes the same bytes. Other
        files are never left half written.
    engine : {"duckdb", "polars", "arrow", "spark"}
        Who reads. With Spark, each partition is a task, `out` is a folder of Parquet files in the
        order of the rows, and nothing is kept of a job that was stopped.
    memory : str, optional
        How much DuckDB may hold, such as ``"1GB"``, which is the default; it spills to the disk.
        Also the memory of the driver and of each executor of Spark, if it has to be started.
    limits : mapping of str to float, optional
        From outputs to the largest value that is allowed: the summary counts the rows above.
        [-inf, inf]
    strict : bool
        Whether a row that cannot be read ends the work.
    force : bool
        Whether `out` may be replaced.
    partition_rows : int
        About how many rows make a partition. [1, inf)

    Returns
    -------
    TableSummary
        How many rows were answered, and how high they are.

    Raises
    ------
    InvalidFile
        If a file cannot be read, `out` not be written to, or `strict` finds a row; the first ten.
    InvalidInput
        If a column is missing or called like an output, a limit is on no output, or the name of
        `out` says that it is something else than Parquet.
    NotWritten
        If the disk is full, for example; what is done is kept.
    NotInstalled
        If Spark cannot be started.

    Examples
    --------
    >>> import pyarrow as pa, pyarrow.parquet as pq, tempfile, pathlib
    >>> from dprisk.bulk import TableQuestion, run
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> pq.write_table(pa.table({"mu": [0.0, 0.5]}), folder / "in.parquet")
    >>> constants = {"definition": "gaussian", "neighbors": "add-remove"}
    >>> asked = TableQuestion(["advantage_at_most"], {"mu": "mu"}, constants)
    >>> limits = {"advantage_at_most": 0.1}
    >>> made = run(asked, str(folder / "in.parquet"), folder / "out.parquet", limits=limits)
    >>> made.rows, dict(made.above), made.kept
    (2, {'advantage_at_most': 1}, False)
    """
    limits = dict(limits or {})
    one_of("engine", engine, ENGINES)
    check_limits(asked, limits)
    sources = [sources] if isinstance(sources, str) else list(sources)
    if engine == "spark":
        options = SparkOptions(memory, limits, strict, force, partition_rows)
        return run_on_spark(asked, sources, out, options)
    out = as_parquet(out)
    parts = partitions(sources, partition_rows)
    reader = import_module(f"dprisk.bulk.engines.{engine}")
    if engine != "duckdb" and is_remote(parts[0].path):
        raise unreadable(parts[0].path, "table.remote-engine")
    check_places([out], force=force, inputs={part.path for part in parts})
    folder = out.with_name(f"{out.name}.parts")
    job = f"{digest(asked, parts)}-{engine}{'-strict' if strict else ''}"
    try:
        folder.mkdir(exist_ok=True)
        with Growing.at(folder / f"{job}.parquet") as growing:
            reads = partial(read_part, reader, memory or MEMORY)
            made = TableSummary.of(asked, _answered(asked, parts, growing, reads, strict), limits)
            if made.rows:
                growing.finish(out)
        shutil.rmtree(folder)
    except OSError as error:
        raise NotWritten(out, error.strerror or str(error)) from None
    finally:
        with suppress(OSError):  # there is something in it to go on with
            folder.rmdir()
    if not made.rows:
        raise unreadable(parts[0].path, "table.empty")
    return made


def _answered(
    asked: TableQuestion,
    parts: Sequence[Partition],
    growing: Growing,
    reads: Reads,
    strict: bool,
) -> Iterator[pa.Table]:
    """The outputs of all rows: what was done before is read, the rest is computed and written."""
    import pyarrow as pa

    rest, total = parts[len(growing.parts) :], sum(part.rows for part in parts)
    done = total - sum(part.rows for part in rest)
    for batch in growing.rows([*asked.outputs, REASON], GROUP):
        yield pa.Table.from_batches([batch])
    report(fill("table.rows"), done, total)
    ahead = in_order(partial(_made, asked), pieces(rest, reads), workers())
    for part in rest:
        row, wrong = part.first, list[str]()
        for table, file in iter(partial(next, ahead), END):
            if strict:
                wrong += wrong_rows(table, row)
            row += table.num_rows
            if len(wrong) >= SHOWN:
                break
            try:
                growing.append(file)
            except ValueError:
                raise unreadable(part.path, "table.differ") from None
            yield table
            done += table.num_rows
            report(fill("table.rows"), min(done, total), total)
        if wrong:
            raise unread_rows(part.path, wrong)
        growing.finish_part()


def _made(asked: TableQuestion, table: pa.Table | None) -> tuple[pa.Table, memoryview] | None:
    """A piece answered, and as a Parquet file of one row group."""
    if table is None:
        return END
    import pyarrow as pa

    made, file = piece_answered(asked, table), pa.BufferOutputStream()
    with opened(file, made.schema) as writer:
        writer.write_table(made, GROUP)
    return made, memoryview(file.getvalue())
