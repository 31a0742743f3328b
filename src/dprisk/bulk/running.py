"""Files in, one Parquet file out, partition by partition; what is done is kept."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dprisk._checks import one_of
from dprisk._files import check_places
from dprisk.bulk.asked import REASON, TableQuestion
from dprisk.bulk.batches import kernel
from dprisk.bulk.inputs import NO_BOUND, REASONS
from dprisk.bulk.partitions import ROWS, Partition, digest, partitions
from dprisk.bulk.summary import TableSummary
from dprisk.errors import InvalidFile, NotWritten, unreadable
from dprisk.progress import report
from dprisk.text import fill

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ENGINES", "run"]

ENGINES: Final = ("duckdb", "polars", "arrow")
GROUP: Final = 1 << 17  # rows of a row group
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
        All have the same columns.
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
    for name in limits:
        one_of("limits", name, asked.outputs)
    parts = partitions([sources] if isinstance(sources, str) else sources, partition_rows)
    reader = import_module(f"dprisk.bulk.engines.{one_of('engine', engine, ENGINES)}")
    check_places([out], force=force, inputs={part.path for part in parts})
    folder = out.with_name(f"{out.name}.parts")
    job = f"{digest(asked, parts)}-{engine}{'-strict' if strict else ''}"
    try:
        folder.mkdir(exist_ok=True)
        done = [folder / f"{job}-{i:06}.parquet" for i in range(len(parts))]
        rows = 0
        for part, place in zip(parts, done, strict=True):
            if not place.exists():
                batches = _answered(asked, _read(reader, part, memory), rows, parts)
                for _ in _written(place, _checked(batches, part) if strict else batches, folder):
                    pass
            rows += part.rows
            report(fill("table.rows"), rows, _total(parts))
        if not any(map(Path.exists, done)):
            raise unreadable(parts[0].path, "table.empty")
        made = TableSummary.of(asked, _written(out, _merged(parts, done), folder), limits)
        shutil.rmtree(folder)
    except OSError as error:
        raise NotWritten(out, error.strerror or str(error)) from None
    finally:
        with suppress(OSError):  # there is something in it to go on with
            folder.rmdir()
    return made


def _total(parts: Sequence[Partition]) -> int:
    return sum(part.rows for part in parts)


def _read(reader: Any, part: Partition, memory: str) -> Iterator[pa.RecordBatch]:
    """What an engine reads; whatever it raises is about the file."""
    try:
        yield from reader.read(part, memory)
    except Exception as error:
        raise unreadable(part.path, "table.not-read", error=str(error).partition("\n")[0]) from None


def _answered(
    asked: TableQuestion, batches: Iterable[pa.RecordBatch], rows: int, parts: Sequence[Partition]
) -> Iterator[pa.RecordBatch]:
    """The batches answered, and whoever listens told how many rows are behind."""
    total = _total(parts)
    for batch in kernel(asked)(iter(batches)):
        yield batch
        rows += batch.num_rows
        report(fill("table.rows"), min(rows, total), total)


def _checked(batches: Iterable[pa.RecordBatch], part: Partition) -> Iterator[pa.RecordBatch]:
    """The batches as they are, up to the first rows that cannot be read."""
    row, found = part.first, list[tuple[int, str]]()
    for batch in batches:
        yield batch
        if batch[REASON].null_count < batch.num_rows:
            reasons = batch[REASON].to_pylist()
            found += [
                (row + i, reason)
                for i, reason in enumerate(reasons)
                if reason not in (None, REASONS[NO_BOUND])
            ]
        row += batch.num_rows
        if len(found) >= SHOWN:
            break
    if found:
        lines = "; ".join(fill("table.row", row=i, reason=reason) for i, reason in found[:SHOWN])
        raise InvalidFile(part.path, fill("table.strict", rows=lines), fill("table.strict.fix"))


def _written(place: Path, batches: Iterable[pa.RecordBatch], folder: Path) -> Iterator[pa.Table]:
    """One Parquet file, whole or not at all, in row groups of one size; each as it is written."""
    from pyarrow import parquet

    temporary = folder / f"{place.name}.writing"
    with ExitStack() as stack:
        writer = None
        for table in _regrouped(batches):
            if writer is None:
                words = _words(table.schema)
                opened = parquet.ParquetWriter(
                    temporary, table.schema, compression="lz4", use_dictionary=words
                )
                writer = stack.enter_context(opened)
            writer.write_table(table, row_group_size=GROUP)
            yield table
        if writer is None:
            return
    with open(temporary, "rb+") as file:
        os.fsync(file.fileno())
    os.replace(temporary, place)


def _words(schema: pa.Schema) -> list[str]:
    """The columns that repeat themselves; numbers seldom do, and would be looked up in vain."""
    import pyarrow as pa

    return [field.name for field in schema if not pa.types.is_floating(field.type)]


def _regrouped(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Tables of `GROUP` rows and one of what is left, wherever the batches end."""
    import pyarrow as pa

    held, rows = list[Any](), 0
    for batch in batches:
        held.append(batch)
        rows += batch.num_rows
        if rows >= GROUP:
            table = pa.Table.from_batches(held)
            whole = rows - rows % GROUP
            yield table.slice(0, whole)
            held, rows = table.slice(whole).to_batches(), rows - whole
    if held:
        yield pa.Table.from_batches(held)


def _merged(parts: Sequence[Partition], done: Sequence[Path]) -> Iterator[pa.RecordBatch]:
    """The rows of all partitions that have any, if they have the same columns."""
    from pyarrow import parquet

    first = None
    for part, place in zip(parts, done, strict=True):
        if not place.exists():
            continue
        with parquet.ParquetFile(place) as file:
            first = first or file.schema_arrow
            if file.schema_arrow != first:
                raise unreadable(part.path, "table.differ")
            yield from file.iter_batches(batch_size=GROUP)
