"""A partition as tables of a size that one thread answers and writes at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from dprisk.bulk.asked import REASON, TableQuestion
from dprisk.bulk.batches import answered, answered_schema
from dprisk.bulk.inputs import NO_BOUND, REASONS
from dprisk.bulk.partitions import Partition
from dprisk.errors import InvalidFile, unreadable
from dprisk.text import fill

if TYPE_CHECKING:
    import pyarrow as pa


Reads = Callable[[Partition], Iterator[Any]]

GROUP: Final = 1 << 17  # rows of a row group
END: Final = None  # of a partition
SHOWN: Final = 10  # rows that a strict run names


def pieces(parts: Iterable[Partition], read: Reads) -> Iterator[pa.Table | None]:
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


def read_part(reader: Any, memory: str, part: Partition) -> Iterator[pa.RecordBatch]:
    """What an engine reads; whatever it raises is about the file."""
    try:
        yield from reader.read(part, memory)
    except Exception as error:
        raise unreadable(part.path, "table.not-read", error=what_failed(error)) from None


def what_failed(error: Exception) -> str:
    """What an engine says first, which of a cell names its line and quotes it."""
    return " ".join(str(error).partition("\n\n")[0].split())


def piece_answered(asked: TableQuestion, table: pa.Table) -> pa.Table:
    """A piece answered."""
    import pyarrow as pa

    schema = answered_schema(asked, table.schema)
    batches = table.combine_chunks().to_batches()
    return pa.Table.from_batches([answered(asked, schema, batch) for batch in batches])


def opened(place: Any, schema: pa.Schema) -> Any:
    """A Parquet file for answered pieces: each is written as a row group."""
    from pyarrow import parquet

    return parquet.ParquetWriter(place, schema, compression="lz4", use_dictionary=_words(schema))


def _words(schema: pa.Schema) -> list[str]:
    """The columns that repeat themselves; numbers seldom do, and would be looked up in vain."""
    import pyarrow as pa

    return [field.name for field in schema if not pa.types.is_floating(field.type)]


def wrong_rows(table: pa.Table, first: int) -> list[str]:
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


def unread_rows(path: str, rows: Sequence[str]) -> InvalidFile:
    """The error about rows of a file that a strict run cannot read."""
    shown = "; ".join(rows[:SHOWN])
    return unreadable(path, "table.strict", rows=shown)
