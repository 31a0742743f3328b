"""Files in, a folder of Parquet files out: each partition is a task of Spark."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from errno import ENOENT
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, final

from dprisk._files import check_places
from dprisk.bulk.asked import TableQuestion
from dprisk.bulk.batches import answered_schema
from dprisk.bulk.engines import arrow, spark
from dprisk.bulk.engines.remote import is_remote
from dprisk.bulk.partitions import Partition, as_parquet, partitions
from dprisk.bulk.pieces import (
    END,
    GROUP,
    SHOWN,
    opened,
    piece_answered,
    pieces,
    read_part,
    unread_rows,
    wrong_rows,
)
from dprisk.bulk.summary import TableSummary, together
from dprisk.errors import InvalidFile, NotWritten, refused, unreadable
from dprisk.progress import report
from dprisk.text import fill

if TYPE_CHECKING:
    import pyarrow as pa


ROWS: Final = 1 << 19
"""At most about so many rows are a task, so that all cores have some."""
OF_TABLES: Final = ("*.parquet", "*.pq", "_SUCCESS", ".*.crc")
"""What a table in a folder consists of, by dprisk or by Spark."""
DONE: Final = "done"
WRITING: Final = "writing"
BEFORE: Final = "before"


class SparkOptions(NamedTuple):
    """How a table is written, as for `dprisk.bulk.run`."""

    memory: str | None
    limits: Mapping[str, float]
    strict: bool
    force: bool
    partition_rows: int


class Outcome(NamedTuple):
    """What became of a partition: counts, or the rows or the words that say what went wrong."""

    summary: TableSummary | None = None
    wrong: Sequence[str] = ()
    unread: str | None = None
    unwritten: str | None = None


def run_on_spark(
    asked: TableQuestion,
    sources: Sequence[str],
    out: str | os.PathLike[str],
    options: SparkOptions,
) -> TableSummary:
    """Answer what is asked of every row of some files, as `dprisk.bulk.run` does, on Spark."""
    place = _place(out)
    for source in sources:
        if is_remote(os.fspath(source)):
            raise unreadable(source, "table.remote-engine")
    parts = partitions(sources, min(options.partition_rows, ROWS))
    _check_out(place, options.force, parts)
    _check_columns(asked, parts)
    parts = [part for part in parts if part.rows]
    if not parts:
        raise unreadable(sources[0], "table.empty")
    with _staged(place) as folder:
        report(fill("table.starting-spark"), 0, 1)
        with spark.session(options.memory) as session:
            report(fill("table.starting-spark"), 1, 1)
            task = _Task(asked, _absolute(parts), folder, dict(options.limits), options.strict)
            look = partial(_look, folder / DONE, parts)
            outcomes = spark.each(session, task, len(parts), place, look)
        made = _whole(outcomes, parts, place, folder / DONE)
        _check_out(place, options.force, parts)
        _move(folder, place, options.force)
    return made


def _place(out: str | os.PathLike[str]) -> Path:
    shown = os.fspath(out)
    if is_remote(shown):
        raise refused("table.spark-local", "out", shown)
    return as_parquet(shown)


def _check_out(place: Path, force: bool, parts: Sequence[Partition]) -> None:
    """Refuse a place that cannot be used; only a table of Parquet files is ever replaced."""
    inputs = {part.path for part in parts}
    if place.is_symlink() or not place.is_dir():
        check_places([place], force=force, inputs=inputs)
        return
    if any(Path(path).resolve().is_relative_to(place.resolve()) for path in inputs):
        raise unreadable(place, "errors.place.input")
    if not force:
        raise unreadable(place, "table.folder-exists")
    if not all(_is_part(each) for each in place.iterdir()):
        raise unreadable(place, "table.folder-of-others")
    check_places([place.with_name(f"{place.name}.new")])  # the folder around it


def _is_part(path: Path) -> bool:
    """Whether this belongs to a table in a folder."""
    return path.is_file() and any(fnmatch(path.name, pattern) for pattern in OF_TABLES)


def _check_columns(asked: TableQuestion, parts: Sequence[Partition]) -> None:
    """Refuse files whose columns differ, or do not suit the question."""
    first: pa.Schema | None = None
    for path, part in {part.path: part for part in parts}.items():
        if part.row_groups is None:
            raise unreadable(path, "table.spark-csv")
        found = _columns(part)
        if first is not None and found != first:
            raise unreadable(path, "table.differ")
        first = found
    answered_schema(asked, first)


def _columns(part: Partition) -> pa.Schema:
    from pyarrow import parquet

    schema = parquet.read_metadata(part.path).schema.to_arrow_schema()
    return part.whole(schema.empty_table()).schema


def _absolute(parts: Sequence[Partition]) -> tuple[Partition, ...]:
    return tuple(replace(part, path=os.path.abspath(part.path)) for part in parts)


@contextmanager
def _staged(place: Path) -> Iterator[Path]:
    """A folder beside a place for what is being made; it is gone after the block."""
    folder = place.absolute().with_name(f".dprisk-{secrets.token_hex(8)}")
    try:
        for name in (DONE, WRITING):
            (folder / name).mkdir(parents=True)
        yield folder
    except OSError as error:
        if isinstance(error, NotWritten):
            raise
        raise NotWritten(place, error.strerror or str(error)) from None
    finally:
        gone = folder.with_name(f"{folder.name}-gone")  # late tasks no longer find it
        with suppress(OSError):
            folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


def _look(done: Path, parts: Sequence[Partition]) -> None:
    """Report how many rows the files have that are there."""
    there = set(os.listdir(done))
    rows = sum(part.rows for at, part in enumerate(parts) if _name(at) in there)
    report(fill("table.rows"), rows, sum(part.rows for part in parts))


def _name(number: int) -> str:
    return f"part-{number:06}.parquet"


def _whole(
    outcomes: Sequence[Outcome], parts: Sequence[Partition], place: Path, done: Path
) -> TableSummary:
    """The counts of all partitions, or the first thing that went wrong."""
    wrong: dict[str, list[str]] = {}
    for part, outcome in zip(parts, outcomes, strict=True):
        if outcome.unread is not None:
            raise InvalidFile(part.path, outcome.unread)
        if outcome.unwritten == os.strerror(ENOENT):
            raise unreadable(place, "table.spark-not-shared")
        if outcome.unwritten is not None:
            raise NotWritten(place, outcome.unwritten)
        if outcome.wrong:
            wrong.setdefault(part.path, []).extend(outcome.wrong)
    for path, rows in wrong.items():
        raise unread_rows(path, rows)
    if any(not (done / _name(number)).exists() for number in range(len(parts))):
        raise unreadable(place, "table.spark-not-shared")
    return together([outcome.summary for outcome in outcomes if outcome.summary is not None])


def _move(folder: Path, place: Path, force: bool) -> None:
    """Give the table its name; what had it before is back if that fails."""
    before = folder / BEFORE
    try:
        if force and place.exists():
            place.rename(before)
        (folder / DONE).rename(place)
    except BaseException:
        with suppress(OSError):  # it was not moved, or the table is in its place
            before.rename(place)
        raise


@final
@dataclass(frozen=True)
class _Task:
    """Answer a partition, by its number, and write it as a file."""

    asked: TableQuestion
    parts: Sequence[Partition]
    folder: Path
    limits: Mapping[str, float]
    strict: bool

    def __call__(self, number: int) -> Outcome:
        temporary = self.folder / WRITING / f"{_name(number)}-{secrets.token_hex(8)}"
        wrong: list[str] = []
        try:
            tables = self._written(self.parts[number], temporary, wrong)
            summary = TableSummary.of(self.asked, tables, self.limits)
            if wrong:
                return Outcome(wrong=wrong[:SHOWN])
            os.replace(temporary, self.folder / DONE / _name(number))
        except InvalidFile as error:
            return Outcome(unread=error.problem)
        except OSError as error:
            return Outcome(unwritten=error.strerror or str(error))
        finally:
            temporary.unlink(missing_ok=True)
        return Outcome(summary)

    def _written(self, part: Partition, place: Path, wrong: list[str]) -> Iterator[pa.Table]:
        """The rows of a partition, each piece once it is written; a strict run stops early."""
        row = part.first
        read: Callable[[Partition], Iterator[Any]] = partial(read_part, arrow, "")
        with open(place, "wb") as file, ExitStack() as stack:
            writer: Any = None
            for table in iter(partial(next, pieces([part], read)), END):
                made = piece_answered(self.asked, table)
                if self.strict:
                    wrong += wrong_rows(made, row)
                    if len(wrong) >= SHOWN:
                        return
                row += made.num_rows
                writer = writer or stack.enter_context(opened(file, made.schema))
                writer.write_table(made, GROUP)
                yield made
            stack.close()
            file.flush()
            os.fsync(file.fileno())
