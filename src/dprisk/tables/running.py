"""Files in, a folder of Parquet files out: part by part, and what is done is kept."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from errno import ENOENT
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Final, NamedTuple, final

from dprisk._files import write
from dprisk.errors import InvalidFile, InvalidInput, NotWritten, one_of
from dprisk.progress import report
from dprisk.tables.batches import answer_batch, answered_schema, in_order, workers
from dprisk.tables.files import (
    EMPTY,
    READERS,
    ROWS,
    SHOWN,
    Partition,
    check_files,
    check_place,
    differing,
    is_folder_name,
    is_remote,
    manifest,
    partitions,
    place_of,
    reach_disk,
    shortened,
    write_tables,
    wrong_rows,
)
from dprisk.tables.inputs import BATCH
from dprisk.tables.question import TableQuestion, check_limits
from dprisk.tables.summary import TableSummary, summarize, together

if TYPE_CHECKING:
    import pyarrow as pa


ENGINES: Final = (*READERS, "spark")
MEMORY: Final = "1GB"


def run(
    asked: TableQuestion,
    sources: str | Sequence[str],
    out: str | os.PathLike[str],
    *,
    engine: str | None = None,
    memory: str | None = None,
    limits: Mapping[str, float] | None = None,
    strict: bool = False,
    force: bool = False,
    partition_rows: int = ROWS,
) -> TableSummary:
    """Answer what is asked of every row of some files, and write a folder of files, or one file.

    Parameters
    ----------
    asked : TableQuestion
        What is asked of every row.
    sources : str or sequence of str
        Parquet and CSV files, patterns such as ``year=*/*.parquet``, and folders of Parquet files.
        All have the same columns; those in the names of folders count. Addresses such as
        ``s3://bucket/*.parquet`` are left to DuckDB. A CSV file is one partition.
    out : str or path
        A folder, which will hold a Parquet file for each partition, in the order of the rows. What
        is done stands in ``OUT.parts`` until all is: started again, the same job goes on where it
        was stopped. A name that ends in ``.parquet``, ``.pq`` or ``.csv`` is one file, written from
        the beginning each time; with Spark, and with a slash at its end, it is a folder. Neither is
        ever half there.
    engine : {"duckdb", "polars", "arrow", "spark"}, optional
        Who reads; left out, arrow reads Parquet files and DuckDB everything else. With Spark, each
        partition is a task.
    memory : str, optional
        How much DuckDB may hold, such as ``"1GB"``, the default; it spills to the disk. Also the
        memory of the driver and of each executor of Spark, if it has to be started.
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
        If a file cannot be read, `out` cannot be written to, or `strict` finds a row.
    InvalidInput
        If a column is missing or called like an output, a limit is on no output, or the name of
        `out` says that it is something else.
    NotWritten
        If the disk is full, for example; what is done is kept.
    NotInstalled
        If Spark cannot be started.

    Examples
    --------
    >>> import pyarrow as pa, pyarrow.parquet as pq, tempfile, pathlib
    >>> from dprisk.tables import TableQuestion, run
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> pq.write_table(pa.table({"mu": [0.0, 0.5]}), folder / "in.parquet")
    >>> constants = {"definition": "gaussian", "neighbors": "add-remove"}
    >>> asked = TableQuestion(["advantage_at_most"], {"mu": "mu"}, constants)
    >>> limits = {"advantage_at_most": 0.1}
    >>> made = run(asked, str(folder / "in.parquet"), folder / "out", limits=limits)
    >>> made.rows, dict(made.above), made.kept
    (2, {'advantage_at_most': 1}, False)
    """
    limits = dict(limits or {})
    if engine is not None:
        one_of("engine", engine, ENGINES)
    check_limits(asked, limits)
    sources = [sources] if isinstance(sources, str) else list(map(os.fspath, sources))
    _check_engine(engine, sources, os.fspath(out))
    place, is_folder = place_of(out), engine == "spark" or is_folder_name(out)
    parts = partitions(sources, partition_rows)
    inputs = {part.path for part in parts}
    check_place(place, inputs, is_folder=is_folder, force=force)
    if engine == "spark":
        parts = [_for_spark(part) for part in parts]
    check_files(asked, parts)
    work = _Work(asked, tuple(parts), limits, strict, engine, memory or MEMORY)
    try:
        made = _fill_folder(work, place, memory, force) if is_folder else _fill_file(work, place)
    except OSError as error:
        if isinstance(error, NotWritten):
            raise
        raise NotWritten(place, error.strerror or str(error)) from None
    if made is None:
        raise InvalidFile(parts[0].path, EMPTY)
    return made


def _check_engine(engine: str | None, sources: Sequence[str], out: str) -> None:
    for source in sources:
        if is_remote(source) and engine not in (None, "duckdb"):
            fix = "Leave out --engine, or copy the file first."
            raise InvalidFile(source, "Only DuckDB reads addresses.", fix)
    if engine == "spark" and is_remote(out):
        allowed = "a folder that this machine and the workers reach by the same path"
        fix = "In a Spark program, dprisk.tables.answer writes to any place that Spark reaches."
        raise InvalidInput("out", out, allowed, fix)


def _for_spark(part: Partition) -> Partition:
    """A partition that workers in other folders find."""
    if part.row_groups is None:
        fix = "Convert it first, or leave out --engine."
        raise InvalidFile(part.path, "Spark reads only Parquet files here.", fix)
    return replace(part, path=os.path.abspath(part.path))


# --- one partition -------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """Outcome of a partition: its counts, none if it has no rows, or what went wrong."""

    summary: TableSummary | None = None
    unread: tuple[str, str] | None = None
    unwritten: str | None = None


@final
@dataclass(frozen=True)
class _Work:
    """Work that has to be done; pickled for the workers of Spark."""

    asked: TableQuestion
    parts: tuple[Partition, ...]
    limits: Mapping[str, float]
    strict: bool
    engine: str | None
    memory: str
    folder: Path = Path()
    """Folder for the files of partitions."""

    def place(self, number: int) -> Path:
        """The file of a partition."""
        return self.folder / f"part-{number:06}.parquet"

    def __call__(self, number: int, stop: Event | None = None) -> Outcome:
        """Answer a partition and write its file, unless it is there."""
        place = self.place(number)
        cores = 1 if self.engine == "spark" else max(1, workers() // len(self.parts))
        try:
            if place.exists() and (found := self._counted_before(place)) is not None:
                return Outcome(found)
            tables = self.answered([self.parts[number]], cores, stop)
            return Outcome(self.counted(write_tables(tables, place, self.folder.parent)))
        except InvalidFile as error:
            return Outcome(unread=(error.problem, error.fix))
        except OSError as error:
            return Outcome(unwritten=error.strerror or str(error))

    def counted(self, tables: Iterable[pa.Table]) -> TableSummary | None:
        """The counts of answered tables; None without any rows."""
        made = summarize(self.asked, tables, self.limits)
        return made if made.rows else None

    def _counted_before(self, place: Path) -> TableSummary | None:
        """The counts of a file that is there; None if it is damaged."""
        import pyarrow as pa
        from pyarrow import parquet

        try:
            with parquet.ParquetFile(place, page_checksum_verification=True) as file:
                batches = file.iter_batches(BATCH)
                return self.counted(pa.Table.from_batches([batch]) for batch in batches)
        except (pa.ArrowException, OSError):  # it was damaged since
            return None

    def answered(
        self, parts: Sequence[Partition], cores: int, stop: Event | None = None
    ) -> Iterator[pa.Table]:
        """The rows of partitions in answered pieces; a strict run ends at rows that are wrong."""

        def answer(piece: tuple[Partition, int, pa.Table]) -> tuple[Partition, list[str], pa.Table]:
            part, row, table = piece
            made = _answer_table(self.asked, table)
            return part, wrong_rows(made, row) if self.strict else [], made

        pieces = chain.from_iterable(map(self._pieces, parts))
        wrong, at, first = list[str](), parts[0], None
        for part, found, made in in_order(answer, pieces, cores):
            if stop is not None and stop.is_set():
                raise InterruptedError
            if wrong and (part != at or len(wrong) >= SHOWN):
                break
            if made.schema != (first := first or made.schema):
                raise differing(part.path)
            wrong, at = [*wrong, *found], part
            yield made
        if wrong:
            problem = f"Some rows cannot be read: {'; '.join(wrong[:SHOWN])}."
            fix = "Rows are counted from 0. Correct them, or leave out --strict."
            raise InvalidFile(at.path, problem, fix)

    def _pieces(self, part: Partition) -> Iterator[tuple[Partition, int, pa.Table]]:
        """Tables of `BATCH` rows and one of the rest, each with the place of its first row."""
        import pyarrow as pa

        held, rows, row = list[Any](), 0, part.first
        for batch in self._read(part):
            held.append(batch)
            rows += batch.num_rows
            while rows >= BATCH:
                table = pa.Table.from_batches(held)
                yield part, row, part.with_folders(table.slice(0, BATCH))
                held, rows, row = table.slice(BATCH).to_batches(), rows - BATCH, row + BATCH
        if rows:
            yield part, row, part.with_folders(pa.Table.from_batches(held))

    def _read(self, part: Partition) -> Iterator[pa.RecordBatch]:
        """Batches that an engine reads; whatever it raises is about the file."""
        is_here = part.row_groups is not None and not is_remote(part.path)
        engine = "arrow" if self.engine == "spark" else self.engine
        try:
            yield from READERS[engine or ("arrow" if is_here else "duckdb")](part, self.memory)
        except Exception as error:
            raise InvalidFile(part.path, f"It cannot be read: {shortened(error)}") from None


def _answer_table(asked: TableQuestion, table: pa.Table) -> pa.Table:
    import pyarrow as pa

    schema = answered_schema(asked, table.schema)
    batches = table.combine_chunks().to_batches()
    return pa.Table.from_batches([answer_batch(asked, schema, batch) for batch in batches])


# --- one file, or a folder -----------------------------------------------------------------------


def _fill_file(work: _Work, place: Path) -> TableSummary | None:
    """All rows in one file, from the first to the last."""
    tables = write_tables(work.answered(work.parts, workers()), place, place.parent)
    return work.counted(_reported(tables, sum(part.rows for part in work.parts)))


def _reported(tables: Iterator[pa.Table], total: int) -> Iterator[pa.Table]:
    done = 0
    report("rows", done, total)
    for table in tables:
        yield table
        done += table.num_rows
        report("rows", min(done, total), total)


def _fill_folder(work: _Work, place: Path, memory: str | None, force: bool) -> TableSummary | None:
    """A file for each partition; what is done stays beside the folder until all is."""
    known = manifest(work.asked, work.parts, engine=work.engine, strict=work.strict)
    staging = place.absolute().with_name(f"{place.name}.parts")
    name = hashlib.sha256(known.encode()).hexdigest()[:16]
    about, folder = staging / f"{name}.json", staging / name
    if not about.is_file() or about.read_text("utf-8") != known:  # another job, or none
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir()
        write(about, known.encode(), force=True)
    folder.mkdir(exist_ok=True)
    for each in (staging, staging.parent):  # the names that lead to the parts
        reach_disk(each)
    work = replace(work, folder=folder)
    try:
        made = _settle(_outcomes(work, memory, place), work, place)
        if made is not None:
            check_place(place, {part.path for part in work.parts}, is_folder=True, force=force)
            _move(folder, place, force)
    finally:
        if not (folder.is_dir() and any(folder.iterdir())):  # there is nothing to go on with
            shutil.rmtree(staging, ignore_errors=True)
    return made


def _outcomes(work: _Work, memory: str | None, place: Path) -> Iterator[Outcome]:
    """Outcomes of the partitions, in order, while it is reported how far they are."""
    look, stop = partial(_look, work), Event()
    if work.engine == "spark":
        from dprisk.tables import spark

        report("starting Spark", 0, 1)
        with spark.session(memory) as session:
            report("starting Spark", 1, 1)
            yield from spark.each(session, work, len(work.parts), place, look)
        return
    look()
    try:
        for outcome in in_order(partial(work, stop=stop), range(len(work.parts)), workers()):
            yield outcome
            look()
    finally:
        stop.set()


def _look(work: _Work) -> None:
    """Report how many rows the files have that are there."""
    there = set(os.listdir(work.folder))
    done = [part.rows for at, part in enumerate(work.parts) if work.place(at).name in there]
    report("rows", sum(done), sum(part.rows for part in work.parts))


def _settle(outcomes: Iterable[Outcome], work: _Work, place: Path) -> TableSummary | None:
    """The counts of all partitions, or the first thing that went wrong."""
    from pyarrow import parquet

    made, first = list[TableSummary](), None
    for number, (part, outcome) in enumerate(zip(work.parts, outcomes, strict=True)):
        if outcome.unread is not None:
            raise InvalidFile(part.path, *outcome.unread)
        is_lost = outcome.summary is not None and not work.place(number).exists()
        if is_lost or outcome.unwritten == os.strerror(ENOENT):
            problem = "A worker of Spark does not write to this folder."
            fix = "Choose a folder that all machines reach by the same path."
            raise InvalidFile(place, problem, fix)
        if outcome.unwritten is not None:
            raise NotWritten(place, outcome.unwritten)
        if outcome.summary is not None:
            schema = parquet.read_schema(work.place(number))
            if schema != (first := first or schema):
                raise differing(part.path)
            made.append(outcome.summary)
    return together(made) if made else None


def _move(folder: Path, place: Path, force: bool) -> None:
    """Give the table its name; what had it before is back if that fails."""
    before = folder.with_name("before")
    try:
        if force and place.exists():
            place.rename(before)
        folder.rename(place)
        reach_disk(place.parent)
    except BaseException:
        with suppress(OSError):  # it was not moved, or the table is in its place
            before.rename(place)
        raise
