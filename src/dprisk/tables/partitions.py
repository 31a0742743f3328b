"""The files of a table, here or at an address, and the parts in which they are worked through."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final
from urllib.parse import unquote

from dprisk.errors import InvalidFile, unreadable
from dprisk.tables.question import TableQuestion, check_columns

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
