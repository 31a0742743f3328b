"""Parquet files on object stores and the web, as far as DuckDB's extension httpfs reaches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from dprisk.errors import unreadable

AS_INSTALLED: Final[Any] = {"autoinstall_known_extensions": False}
"""DuckDB loads extensions that are there, and fetches none."""


def is_remote(path: str) -> bool:
    """Whether a name is an address, such as ``s3://bucket/year=*/*.parquet``."""
    return "://" in path


def files(pattern: str) -> list[str]:
    """The files that an address stands for, in order; errors as for the others here."""
    with _asked(pattern) as ask:
        return sorted(path for (path,) in ask("select file from glob($path)"))


def row_groups(path: str) -> list[int]:
    """How many rows each row group of a file has."""
    query = (
        "select max(row_group_num_rows) from parquet_metadata($path) "
        "group by row_group_id order by row_group_id"
    )
    with _asked(path) as ask:
        return [int(rows) for (rows,) in ask(query)]


def size(path: str) -> int:
    """Bytes of a Parquet file."""
    with _asked(path) as ask:
        ((found,),) = ask("select file_size_bytes from parquet_file_metadata($path)")
        return int(found)


@contextmanager
def _asked(path: str) -> Iterator[Any]:
    """Something to ask DuckDB with about a path."""
    import duckdb

    with duckdb.connect(config=AS_INSTALLED) as connection:
        try:
            yield lambda query: connection.execute(query, {"path": path}).fetchall()
        except duckdb.Error as error:
            first = str(error).partition("\n")[0]
            raise unreadable(path, "table.remote", error=first) from None
