"""The pieces in which files are worked through; each is done, or not done, as a whole."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final
from urllib.parse import unquote

from dprisk.bulk.asked import TableQuestion
from dprisk.bulk.engines.remote import files, is_remote, row_groups, size
from dprisk.errors import refused, unreadable

if TYPE_CHECKING:
    import pyarrow as pa


ROWS: Final = 1 << 22
"""About so many rows are a partition."""
PARQUET: Final = (".parquet", ".pq")
HIVE_NULL: Final = "__HIVE_DEFAULT_PARTITION__"


@final
@dataclass(frozen=True)
class Partition:
    """Consecutive rows of a file."""

    path: str
    first: int = 0
    rows: int = 0
    row_groups: tuple[int, ...] | None = None
    folders: tuple[tuple[str, Any], ...] = ()

    def whole(self, table: pa.Table) -> pa.Table:
        """Rows that were read, with the columns of the folders that the file lacks."""
        import pyarrow as pa

        for name, value in self.folders:
            if name not in table.column_names:
                table = table.append_column(name, pa.repeat(value, table.num_rows))
        return table


def as_parquet(out: str | os.PathLike[str], name: str = "out") -> Path:
    """Where to write the result, whose name has to say its format."""
    if not is_parquet(out):
        raise refused("table.parquet", name, os.fspath(out))
    return Path(out)


def is_parquet(path: str | os.PathLike[str]) -> bool:
    """Whether the name of a file says that it is Parquet."""
    return Path(path).suffix.casefold() in PARQUET


def partitions(sources: Sequence[str], rows: int = ROWS) -> list[Partition]:
    """The partitions of files, in order: row groups of Parquet, whole CSV files."""
    paths = list(_files(sources))
    folders = _folders(paths)
    found = [part for path in paths for part in _within(path, rows, folders[path])]
    if not found:
        raise unreadable(sources[0], "table.empty")
    return found


def _files(sources: Sequence[str]) -> Iterator[str]:
    for source in map(os.fspath, sources):
        pattern = os.path.join(source, "**", "*.parquet") if os.path.isdir(source) else source
        if is_remote(source):
            found = files(source)
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
        if taken >= rows or group == len(counts) - 1:
            yield Partition(path, first, taken, tuple(groups), folders)
            first, taken, groups = first + taken, 0, []


def _row_groups(path: str) -> list[int]:
    import pyarrow as pa
    from pyarrow import parquet

    if is_remote(path):
        return row_groups(path)
    try:
        about = parquet.read_metadata(path)
    except (pa.ArrowException, OSError) as error:
        raise unreadable(path, "table.not-parquet", error=error) from None
    return [about.row_group(group).num_rows for group in range(about.num_row_groups)]


def _state(path: str) -> list[int]:
    """What changes with a file."""
    if is_remote(path):
        return [size(path)]
    about = os.stat(path)
    return [about.st_size, about.st_mtime_ns]


def digest(asked: TableQuestion, parts: Sequence[Partition]) -> str:
    """What a job is known by: what is asked, of which rows of which files as they are now."""
    from dprisk import __version__

    paths = dict.fromkeys(part.path for part in parts)
    known = [
        __version__,
        [list(asked.outputs), sorted(asked.columns.items()), sorted(asked.constants.items())],
        [[path, *_state(path)] for path in paths],
        [[part.path, part.first, part.rows] for part in parts],
    ]
    return hashlib.sha256(json.dumps(known).encode()).hexdigest()[:16]
