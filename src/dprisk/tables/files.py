"""Files that tables are written to: one has its name once all of it is there."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dprisk._files import check_places
from dprisk.errors import InvalidFile, InvalidInput, unreadable
from dprisk.tables.inputs import NO_BOUND, REASONS
from dprisk.tables.partitions import PARQUET, is_parquet
from dprisk.tables.question import REASON

if TYPE_CHECKING:
    import pyarrow as pa


GROUP: Final = 1 << 17  # rows of a row group, which one thread answers at a time
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
    """The same tables, each once it is written; the file has its name when all are in it."""
    temporary = beside / f".dprisk-{secrets.token_hex(8)}"
    try:
        with ExitStack() as stack:
            writer: Any = None
            for table in tables:
                writer = writer or stack.enter_context(_writer(temporary, place, table.schema))
                writer.write_table(_as_written(place, table))
                yield table
        if writer is not None:
            os.replace(temporary, place)
    finally:
        temporary.unlink(missing_ok=True)


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
