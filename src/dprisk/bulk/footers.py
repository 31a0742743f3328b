"""Footers of Parquet files whose row groups are moved: every offset in them, raised by the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, final

if TYPE_CHECKING:
    import pyarrow as pa


MAGIC: Final = b"PAR1"
TAIL: Final = len(MAGIC) + 4  # the length of the footer, and the magic number

BOOLEANS, BYTE, INTEGERS, DOUBLE, BINARY, LISTS, STRUCT = (1, 2), 3, (4, 5, 6), 7, 8, (9, 10), 12

OFFSET: Final = None
Fields = Mapping[int, Any]
COLUMN_DATA: Final[Fields] = {9: OFFSET, 10: OFFSET, 11: OFFSET, 14: OFFSET}
COLUMN: Final[Fields] = {2: OFFSET, 3: COLUMN_DATA, 4: OFFSET, 6: OFFSET}
ROW_GROUP: Final[Fields] = {1: COLUMN, 5: OFFSET}
FILE: Final[Fields] = {4: ROW_GROUP}


def body_and_footer(file: bytes | memoryview) -> tuple[memoryview, bytes]:
    """The row groups of a file, and its footer."""
    whole = memoryview(file)
    size = int.from_bytes(whole[-TAIL : -len(MAGIC)], "little")
    start = len(whole) - TAIL - size
    return whole[len(MAGIC) : start], bytes(whole[start:-TAIL])


def moved(footer: bytes, by: int) -> pa.FileMetaData:
    """What a footer says once the row groups start so many bytes later."""
    import pyarrow as pa
    from pyarrow import parquet

    new = _Moving(BytesIO(footer), by).struct(FILE)
    file = MAGIC + new + len(new).to_bytes(4, "little") + MAGIC
    return parquet.read_metadata(pa.BufferReader(file))


def ending(about: pa.FileMetaData) -> int:
    """Where the row groups of a file end."""
    if not about.num_row_groups:
        return len(MAGIC)
    last = about.row_group(about.num_row_groups - 1).column(about.num_columns - 1)
    starts = [last.data_page_offset, last.dictionary_page_offset]
    return int(min(filter(None, starts)) + last.total_compressed_size)


@final
@dataclass(frozen=True)
class _Moving:
    """Reads a structure from a stream, and writes it with larger offsets."""

    stream: BytesIO
    by: int

    def struct(self, offsets: Fields) -> bytes:
        out, field = bytearray(), 0
        while True:
            head = self.stream.read(1)
            out += head
            kind = head[0] & 15
            if not kind:
                return bytes(out)
            if head[0] >> 4:
                field += head[0] >> 4
            else:
                number = self._number()
                field = _signed(number)
                out += _varint(number)
            out += self._value(kind, field, offsets)

    def _value(self, kind: int, field: int, offsets: Fields) -> bytes:
        if kind in BOOLEANS:
            return b""
        if kind in INTEGERS:
            number = self._number()
            place = _signed(number)
            raised = field in offsets and offsets[field] is OFFSET and place > 0
            return _varint(2 * (place + self.by) if raised else number)
        if kind in LISTS:
            return self._list(offsets.get(field) or {})
        if kind == STRUCT:
            return self.struct(offsets.get(field) or {})
        if kind == BINARY:
            size = self._number()
            return _varint(size) + self.stream.read(size)
        return self.stream.read({BYTE: 1, DOUBLE: 8}[kind])

    def _list(self, offsets: Fields) -> bytes:
        head = self.stream.read(1)
        size, kind = head[0] >> 4, head[0] & 15
        out = bytearray(head)
        if size == 15:
            size = self._number()
            out += _varint(size)
        for _ in range(size):
            if kind in BOOLEANS:
                out += self.stream.read(1)
            elif kind == STRUCT:
                out += self.struct(offsets)
            else:
                out += self._value(kind, 0, {})
        return bytes(out)

    def _number(self) -> int:
        value = shift = 0
        while True:
            (byte,) = self.stream.read(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value


def _signed(number: int) -> int:
    """Zigzag, undone."""
    return (number >> 1) ^ -(number & 1)


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)
