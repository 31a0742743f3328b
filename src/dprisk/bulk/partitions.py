"""The pieces in which files are worked through; each is done, or not done, as a whole."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from typing import Final, final

from dprisk.bulk.asked import TableQuestion
from dprisk.errors import unreadable

__all__ = ["Partition", "digest", "partitions"]

ROWS: Final = 1 << 22
"""About so many rows are a partition."""
PARQUET: Final = (".parquet", ".pq")


@final
@dataclass(frozen=True)
class Partition:
    """Consecutive rows of a file.

    Parameters
    ----------
    path : str
        The file.
    first, rows : int
        Its first row, counted from 0, and how many there are; 0 where nobody knows. [0, inf)
    row_groups : tuple of int or None
        Where they stand in a Parquet file; None for a whole CSV file.
    """

    path: str
    first: int = 0
    rows: int = 0
    row_groups: tuple[int, ...] | None = None


def partitions(sources: Sequence[str], rows: int = ROWS) -> list[Partition]:
    """The partitions of files, in order: row groups of Parquet, whole CSV files.

    Parameters
    ----------
    sources : sequence of str
        Files and patterns such as ``year=*/*.parquet``; a folder stands for its Parquet files.
    rows : int
        A partition ends with the row group that brings it to so many. [1, inf)

    Returns
    -------
    list of Partition
        In the order of the names that are given, and of the files that match a pattern.

    Raises
    ------
    InvalidFile
        If a file is not there, or is no Parquet file.
    """
    found = [part for path in _files(sources) for part in _within(path, rows)]
    if not found:
        raise unreadable(sources[0], "table.empty")
    return found


def _files(sources: Sequence[str]) -> Iterator[str]:
    for source in map(os.fspath, sources):
        pattern = os.path.join(source, "**", "*.parquet") if os.path.isdir(source) else source
        found = [source] if os.path.isfile(source) else sorted(glob(pattern, recursive=True))
        if not found:
            raise unreadable(source, "errors.file.none")
        yield from found


def _within(path: str, rows: int) -> Iterator[Partition]:
    if Path(path).suffix not in PARQUET:
        yield Partition(path)
        return
    import pyarrow as pa
    from pyarrow import parquet

    try:
        about = parquet.read_metadata(path)
    except (pa.ArrowException, OSError) as error:
        raise unreadable(path, "table.not-parquet", error=error) from None
    first, taken, groups = 0, 0, list[int]()
    for group in range(about.num_row_groups):
        groups.append(group)
        taken += about.row_group(group).num_rows
        if taken >= rows or group == about.num_row_groups - 1:
            yield Partition(path, first, taken, tuple(groups))
            first, taken, groups = first + taken, 0, []


def digest(asked: TableQuestion, parts: Sequence[Partition]) -> str:
    """What a job is known by: what is asked, of which rows of which files as they are now."""
    from dprisk import __version__

    files = {part.path: os.stat(part.path) for part in parts}
    known = [
        __version__,
        [list(asked.outputs), sorted(asked.columns.items()), sorted(asked.constants.items())],
        [[path, about.st_size, about.st_mtime_ns] for path, about in files.items()],
        [[part.path, part.first, part.rows] for part in parts],
    ]
    return hashlib.sha256(json.dumps(known).encode()).hexdigest()[:16]
