"""Files in, one Parquet file out, partition by partition; what is done is kept."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dprisk._checks import one_of
from dprisk._files import check_places
from dprisk.bulk.asked import REASON, TableQuestion
from dprisk.bulk.batches import answered, answered_schema, in_order, workers
from dprisk.bulk.engines.remote import is_remote
from dprisk.bulk.growing import Growing
from dprisk.bulk.inputs import NO_BOUND, REASONS
from dprisk.bulk.partitions import ROWS, Partition, digest, partitions
from dprisk.bulk.summary import TableSummary
from dprisk.errors import InvalidFile, NotWritten, refused, unreadable
from dprisk.progress import report
from dprisk.text import fill

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ENGINES", "run"]

Reads = Callable[[Partition], Iterator[Any]]

ENGINES: Final = ("duckdb", "polars", "arrow")
GROUP: Final = 1 << 17  # rows of a row group
END: Final = None  # of a partition
SHOWN: Final = 10  # rows that a strict run names


def run(
    asked: TableQuestion,
    sources: str | Sequence[str],
    out: str | os.PathLike[str],
    *,
    engine: str = "duckdb",
    memory: str = "1GB",
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
        The file to write. Beside it, in ``OUT.parts``, stand the partitions that are done: started
        again, the same job goes on where it was stopped, and writes the same bytes. Other files
        are never left half written.
    engine : {"duckdb", "polars", "arrow"}
        Who reads.
    memory : str
        How much DuckDB may hold, such as ``"1GB"``; it spills to the disk.
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
        If a column is missing or called like an output, or a limit is on no output.
    NotWritten
        If the disk is full, for example; what is done is kept.

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
    out, limits = Path(out), dict(limits or {})
    if engine == "spark":
        raise refused("table.spark-engine", "engine", engine)
    for name in limits:
        one_of("limits", name, asked.outputs)
    parts = partitions([sources] if isinstance(sources, str) else sources, partition_rows)
    reader = import_module(f"dprisk.bulk.engines.{one_of('engine', engine, ENGINES)}")
    if engine != "duckdb" and is_remote(parts[0].path):
        raise unreadable(parts[0].path, "table.remote-engine")
    check_places([out], force=force, inputs={part.path for part in parts})
    folder = out.with_name(f"{out.name}.parts")
    job = f"{digest(asked, parts)}-{engine}{'-strict' if strict else ''}"
    try:
        folder.mkdir(exist_ok=True)
        with Growing.at(folder / f"{job}.parquet") as growing:
            read = partial(_read, reader, memory)
            made = TableSummary.of(asked, _answered(asked, parts, growing, read, strict), limits)
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
    read: Reads,
    strict: bool,
) -> Iterator[pa.Table]:
    """The outputs of all rows: what was done before is read, the rest is computed and written."""
    import pyarrow as pa

    rest, total = parts[len(growing.parts) :], sum(part.rows for part in parts)
    done = total - sum(part.rows for part in rest)
    for batch in growing.rows([*asked.outputs, REASON], GROUP):
        yield pa.Table.from_batches([batch])
    report(fill("table.rows"), done, total)
    ahead = in_order(partial(_made, asked), _pieces(rest, read), workers())
    for part in rest:
        row, wrong = part.first, list[str]()
        for table, file in iter(partial(next, ahead), END):
            if strict:
                wrong += _wrong(table, row)
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
            rows = "; ".join(wrong[:SHOWN])
            raise InvalidFile(part.path, fill("table.strict", rows=rows), fill("table.strict.fix"))
        growing.finish_part()


def _pieces(parts: Iterable[Partition], read: Reads) -> Iterator[pa.Table | None]:
    """Tables of `GROUP` rows, one of what is left of a part, and `END` after each part."""
    import pyarrow as pa

    for part in parts:
        held, rows = list[Any](), 0
        for batch in read(part):
            held.append(batch)
            rows += batch.num_rows
            while rows >= GROUP:
                table = pa.Table.from_batches(held)
                yield part.whole(table.slice(0, GROUP))
                held, rows = table.slice(GROUP).to_batches(), rows - GROUP
        if rows:
            yield part.whole(pa.Table.from_batches(held))
        yield END


def _read(reader: Any, memory: str, part: Partition) -> Iterator[pa.RecordBatch]:
    """What an engine reads; whatever it raises is about the file."""
    try:
        yield from reader.read(part, memory)
    except Exception as error:
        raise unreadable(part.path, "table.not-read", error=str(error).partition("\n")[0]) from None


def _made(asked: TableQuestion, table: pa.Table | None) -> tuple[pa.Table, memoryview] | None:
    """A piece answered, and as a Parquet file of one row group."""
    if table is None:
        return END
    import pyarrow as pa
    from pyarrow import parquet

    schema = answered_schema(asked, table.schema)
    batches = table.combine_chunks().to_batches()
    whole = pa.Table.from_batches([answered(asked, schema, batch) for batch in batches])
    file = pa.BufferOutputStream()
    parquet.write_table(
        whole, file, row_group_size=GROUP, compression="lz4", use_dictionary=_words(schema)
    )
    return whole, memoryview(file.getvalue())


def _words(schema: pa.Schema) -> list[str]:
    """The columns that repeat themselves; numbers seldom do, and would be looked up in vain."""
    import pyarrow as pa

    return [field.name for field in schema if not pa.types.is_floating(field.type)]


def _wrong(table: pa.Table, first: int) -> list[str]:
    """The rows that cannot be read, the first ones, with their reason."""
    reasons = table[REASON]
    if reasons.null_count == table.num_rows:
        return []
    found = [
        fill("table.row", row=row, reason=reason)
        for row, reason in enumerate(reasons.to_pylist(), first)
        if reason not in (None, REASONS[NO_BOUND])
    ]
    return found[:SHOWN]
