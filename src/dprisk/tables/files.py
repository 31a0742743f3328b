"""Files of tables: the parts in which they are read, by which engine, and how they are written.

A file that is written has its name once all of it is on the disk.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from fnmatch import fnmatch
from glob import escape, glob
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any, Final, final
from urllib.parse import unquote

from dprisk._files import check_places
from dprisk.errors import InvalidFile, InvalidInput, unreadable
from dprisk.tables.inputs import BATCH, NO_BOUND, REASONS
from dprisk.tables.question import REASON, TableQuestion, check_columns

if TYPE_CHECKING:
    import pyarrow as pa

ROWS: Final = 1 << 20
"""About so many rows are a part."""
PARQUET: Final = (".parquet", ".pq")
EMPTY: Final = "The table has no rows."
HIVE_NULL: Final = "__HIVE_DEFAULT_PARTITION__"
AS_INSTALLED: Final[Any] = {"autoinstall_known_extensions": False}
"""DuckDB loads extensions that are there, and fetches none."""


@final
@dataclass(frozen=True)
class Partition:
    """Consecutive rows of a file."""

    path: str
    first: int = 0
    rows: int = 0
    row_groups: tuple[int, ...] | None = None
    """Row groups of a Parquet file; a CSV file is one partition of unknown length."""
    folders: tuple[tuple[str, Any], ...] = ()

    def with_folders(self, table: pa.Table) -> pa.Table:
        """Rows that were read, with the columns of the folders that the file lacks."""
        import pyarrow as pa

        for name, value in self.folders:
            if name not in table.column_names:
                table = table.append_column(name, pa.repeat(value, table.num_rows))
        return table


def is_parquet(path: str | os.PathLike[str]) -> bool:
    """Whether the name of a file says that it is Parquet."""
    return Path(path).suffix.casefold() in PARQUET


def is_remote(path: str) -> bool:
    """Whether a name is an address, such as ``s3://bucket/year=*/*.parquet``."""
    return "://" in path


def partitions(sources: Sequence[str], rows: int = ROWS) -> list[Partition]:
    """The partitions of files, in order: row groups of Parquet, whole CSV files."""
    paths = list(_files(sources))
    folders = _folders(paths)
    found = [part for path in paths for part in _within(path, rows, folders[path])]
    if not found:
        raise InvalidFile(sources[0], EMPTY)
    return found


def differing(path: str) -> InvalidFile:
    """The error about a file that does not go with those before it."""
    problem = "The files have different columns, or columns of different types."
    return InvalidFile(path, problem, "Run the command for each kind of file.")


def check_files(asked: TableQuestion, parts: Sequence[Partition]) -> None:
    """Refuse Parquet files whose columns differ, or do not suit the question."""
    from pyarrow import parquet

    first: pa.Schema | None = None
    for path, part in {part.path: part for part in parts}.items():
        if part.row_groups is None or is_remote(path):
            continue
        schema = parquet.read_metadata(path).schema.to_arrow_schema()
        found = part.with_folders(schema.empty_table()).schema
        if first is not None and found != first:
            raise differing(path)
        check_columns(asked, first := found)


def manifest(asked: TableQuestion, parts: Sequence[Partition], **more: Any) -> str:
    """A text that is the same as long as it is the same job on the same files."""
    from dprisk import __version__

    known = {
        "dprisk": __version__,
        "outputs": asked.outputs,
        "columns": asked.columns,
        "constants": asked.constants,
        "files": {path: _state(path) for path in dict.fromkeys(part.path for part in parts)},
        "rows": [[part.path, part.first, part.rows] for part in parts],
        **more,
    }
    return json.dumps(known, indent=1, sort_keys=True)


def _state(path: str) -> list[int]:
    """Numbers that change with a file: its size, and when it was written, if it is here."""
    if is_remote(path):
        ((found,),) = _asked(path, "select file_size_bytes from parquet_file_metadata($path)")
        return [int(found)]
    about = os.stat(path)
    return [about.st_size, about.st_mtime_ns]


def _files(sources: Sequence[str]) -> Iterator[str]:
    for source in map(os.fspath, sources):
        pattern = os.path.join(source, "**", "*.parquet") if os.path.isdir(source) else source
        if is_remote(source):
            found = sorted(path for (path,) in _asked(source, "select file from glob($path)"))
        else:
            found = [source] if os.path.isfile(source) else sorted(glob(pattern, recursive=True))
        if not found:
            raise unreadable(source, "errors.file.none")
        yield from found


def _folders(paths: Sequence[str]) -> dict[str, tuple[tuple[str, Any], ...]]:
    """The columns in the names of folders: numbers, if all of one name are."""
    said = {
        path: {
            name: None if value == HIVE_NULL else unquote(value)
            for name, sign, value in (each.partition("=") for each in path.split("/")[:-1])
            if sign
        }
        for path in paths
    }
    values: dict[str, list[str]] = {}
    for given in said.values():
        for name, value in given.items():
            values.setdefault(name, []).extend([value] if value is not None else [])
    kinds = {name: _kind(each) for name, each in values.items()}
    return {
        path: tuple((name, _scalar(kinds[name], value)) for name, value in given.items())
        for path, given in said.items()
    }


def _kind(values: Sequence[str]) -> Callable[[str], Any]:
    for kind in (int, float):
        with suppress(ValueError):
            for value in values:
                kind(value)
            return kind
    return str


def _scalar(kind: Callable[[str], Any], value: str | None) -> Any:
    import pyarrow as pa

    kinds: dict[Any, Any] = {int: pa.int64(), float: pa.float64(), str: pa.string()}
    return pa.scalar(None if value is None else kind(value), kinds[kind])


def _within(path: str, rows: int, folders: tuple[tuple[str, Any], ...]) -> Iterator[Partition]:
    if not is_parquet(path) and not is_remote(path):
        yield Partition(path, folders=folders)
        return
    first, taken, groups, counts = 0, 0, list[int](), _row_groups(path)
    for group, count in enumerate(counts):
        groups.append(group)
        taken += count
        if taken >= rows or (taken and group == len(counts) - 1):
            yield Partition(path, first, taken, tuple(groups), folders)
            first, taken, groups = first + taken, 0, []


def _row_groups(path: str) -> list[int]:
    """How many rows each row group of a file has."""
    import pyarrow as pa
    from pyarrow import parquet

    if is_remote(path):
        query = (
            "select max(row_group_num_rows) from parquet_metadata($path) "
            "group by row_group_id order by row_group_id"
        )
        return [int(rows) for (rows,) in _asked(path, query)]
    try:
        about = parquet.read_metadata(path)
    except (pa.ArrowException, OSError) as error:
        raise InvalidFile(path, f"This is not a valid Parquet file: {error}.") from None
    return [about.row_group(group).num_rows for group in range(about.num_row_groups)]


def _asked(path: str, query: str) -> list[Any]:
    """Answer of DuckDB to a query about an address."""
    import duckdb

    with duckdb.connect(config=AS_INSTALLED) as connection:
        try:
            return connection.execute(query, {"path": path}).fetchall()
        except duckdb.Error as error:
            raise InvalidFile(
                path,
                f"DuckDB does not reach it: {str(error).splitlines()[0]}",
                "It needs a network, its extension httpfs (once, in DuckDB: INSTALL httpfs) and, "
                "for a bucket, a secret.",
            ) from None


SHOWN: Final = 10  # rows that a strict run names
OF_TABLES: Final = ("*.parquet", "*.pq", "_SUCCESS", ".*.crc")
"""Names of the files that make up a table in a folder, by dprisk or by Spark."""


def is_folder_name(out: str | os.PathLike[str]) -> bool:
    """Whether a name stands for a folder of files, and not for one file."""
    return os.fspath(out).endswith(("/", os.sep)) or not Path(out).suffix


def place_of(out: str | os.PathLike[str], name: str = "out") -> Path:
    """Path to write the result to; the name of a file has to say its format."""
    if not is_folder_name(out) and Path(out).suffix.casefold() not in (*PARQUET, ".csv"):
        allowed = "the name of a folder, or one that ends in .parquet, .pq or .csv"
        raise InvalidInput(name, os.fspath(out), allowed)
    return Path(out)


def check_place(place: Path, inputs: Iterable[str], *, is_folder: bool, force: bool) -> None:
    """Refuse a place that cannot be used; of folders, only a table is ever replaced."""
    if not is_folder or place.is_symlink() or not place.is_dir():
        check_places([place], force=force, inputs=inputs)
        return
    if any(Path(path).resolve().is_relative_to(place.resolve()) for path in inputs):
        raise unreadable(place, "errors.place.input")
    if not force:
        fix = "Use --force to replace it (in Python: force=True)."
        raise InvalidFile(place, "The folder exists.", fix)
    for each in place.iterdir():
        if not (each.is_file() and any(fnmatch(each.name, pattern) for pattern in OF_TABLES)):
            problem = "It is a folder that holds more than Parquet files."
            raise InvalidFile(place, problem, "Choose another place.")
    check_places([place.with_name(f"{place.name}.new")])  # the folder around it


def write_tables(tables: Iterable[pa.Table], place: Path, beside: Path) -> Iterator[pa.Table]:
    """The same tables, each once it is written; the file has its name when all are on the disk."""
    temporary = beside / f".dprisk-{secrets.token_hex(8)}"
    try:
        with ExitStack() as stack:
            writer: Any = None
            for table in tables:
                writer = writer or stack.enter_context(_writer(temporary, place, table.schema))
                writer.write_table(_as_written(place, table))
                yield table
        if writer is not None:
            reach_disk(temporary)
            os.replace(temporary, place)
            reach_disk(place.parent)
    finally:
        temporary.unlink(missing_ok=True)


def reach_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, would outlast a loss of power."""
    if os.name == "nt" and path.is_dir():  # where folders cannot be opened
        return
    opened = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _writer(temporary: Path, place: Path, schema: pa.Schema) -> Any:
    import pyarrow as pa
    from pyarrow import csv, parquet

    if not is_parquet(place):
        return csv.CSVWriter(temporary, _without_dictionaries(schema))
    repetitive = [field.name for field in schema if not pa.types.is_floating(field.type)]
    return parquet.ParquetWriter(
        temporary,
        schema,
        compression="snappy",
        use_dictionary=repetitive,  # numbers seldom repeat themselves
        write_statistics=repetitive,
        write_page_checksum=True,  # a run that goes on checks what is there
        write_batch_size=1 << 15,
    )


def _as_written(place: Path, table: pa.Table) -> pa.Table:
    return table if is_parquet(place) else table.cast(_without_dictionaries(table.schema))


def _without_dictionaries(schema: pa.Schema) -> pa.Schema:
    import pyarrow as pa

    kinds = [(f, f.type.value_type if pa.types.is_dictionary(f.type) else f.type) for f in schema]
    return pa.schema([field.with_type(kind) for field, kind in kinds], schema.metadata)


def wrong_rows(table: pa.Table, first: int) -> list[str]:
    """The rows that cannot be read, the first ones, with their reason."""
    reasons = table[REASON]
    if reasons.null_count == table.num_rows:
        return []
    found = [
        f"row {row} ({reason})"
        for row, reason in enumerate(reasons.to_pylist(), first)
        if reason not in (None, REASONS[NO_BOUND])
    ]
    return found[:SHOWN]


def shortened(error: Exception) -> str:
    """First paragraph of what an engine says, which of a cell names its line and quotes it."""
    return " ".join(str(error).partition("\n\n")[0].split())


def _read_arrow(part: Partition, memory: str) -> Iterator[pa.RecordBatch]:
    from pyarrow import csv, parquet

    if part.row_groups is None:
        yield from csv.open_csv(part.path)
        return
    with parquet.ParquetFile(part.path) as file:
        yield from file.iter_batches(BATCH, row_groups=list(part.row_groups), use_threads=False)


def _read_duckdb(part: Partition, memory: str) -> Iterator[pa.RecordBatch]:
    import duckdb

    settings: Any = {"memory_limit": memory, "temp_directory": gettempdir(), **AS_INSTALLED}
    if part.row_groups is not None and not is_remote(part.path):
        settings["threads"] = 1  # the other cores work on other partitions
    with duckdb.connect(config=settings) as connection:
        given: Any = {"path": part.path if is_remote(part.path) else escape(part.path)}
        connection.execute("set enable_progress_bar = false")  # on where Python has no file
        query = "from read_csv($path, hive_partitioning := false)"
        if part.row_groups is not None:
            given |= {"first": part.first, "end": part.first + part.rows}
            query = (
                "select * from read_parquet($path, hive_partitioning := false) "
                "where file_row_number >= $first and file_row_number < $end"
            )
        yield from connection.sql(query, params=given).to_arrow_reader(BATCH)


def _read_polars(part: Partition, memory: str) -> Iterator[pa.RecordBatch]:
    import polars as pl

    if part.row_groups is None:
        lazy = pl.scan_csv(part.path)
    else:
        lazy = pl.scan_parquet(part.path).slice(part.first, part.rows)
    for frame in lazy.collect_batches(maintain_order=True):
        yield from frame.to_arrow().to_batches()


READERS: Final[Mapping[str, Callable[[Partition, str], Iterator[pa.RecordBatch]]]] = {
    "duckdb": _read_duckdb,
    "polars": _read_polars,
    "arrow": _read_arrow,
}
"""How each engine reads the rows of a partition, in order; DuckDB within some memory."""
