"""A Parquet file that grows part by part, written once; what is done outlives the process."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, final

from dprisk.bulk.footers import MAGIC, body_and_footer, ending, moved

if TYPE_CHECKING:
    import pyarrow as pa


@final
@dataclass(frozen=True, eq=False)
class Growing:
    """A file to which whole row groups are added, and beside it a footer for each part."""

    path: Path
    file: IO[bytes]
    parts: list[Any] = field(default_factory=list)
    part: list[Any] = field(default_factory=list)
    _disk: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))
    _saved: list[Future[None]] = field(default_factory=list)

    @classmethod
    def at(cls, path: Path) -> Growing:
        """The file of this name, as it was left, or a new one."""
        growing = cls(path, _opened(path))
        growing.parts.extend(growing._found())
        end = max((ending(about) for about in growing.parts if about), default=len(MAGIC))
        if growing.file.seek(0, os.SEEK_END) < end:  # it was moved to its place, or is damaged
            while growing.parts:
                growing.parts.pop()
                growing._footer(len(growing.parts)).unlink()
            end = len(MAGIC)
        growing.file.seek(0)
        growing.file.write(MAGIC)
        growing.file.truncate(end)
        growing.file.seek(end)
        return growing

    def __enter__(self) -> Growing:
        return self

    def __exit__(self, *error: object) -> None:
        self._disk.shutdown()
        self.file.close()
        if not self._footer(0).exists():
            self.path.unlink(missing_ok=True)

    def rows(self, columns: list[str], size: int) -> Iterator[pa.RecordBatch]:
        """The rows of the parts that are done, in batches of a size."""
        from pyarrow import parquet

        about = _merged(self.parts)
        if about is not None:
            with parquet.ParquetFile(self.path, metadata=about) as file:
                yield from file.iter_batches(size, columns=columns)

    def append(self, file: memoryview) -> None:
        """Add the row groups of a Parquet file to the part that is being written."""
        body, footer = body_and_footer(file)
        about = moved(footer, self.file.tell() - len(MAGIC))
        first = next(filter(None, [*self.parts, *self.part]), about)
        if first.schema.to_arrow_schema() != about.schema.to_arrow_schema():
            raise ValueError
        self.file.write(body)
        self.part.append(about)

    def finish_part(self) -> None:
        """Note, as soon as its rows are on the disk, that a part is done."""
        self.file.flush()
        about = _merged(self.part)
        self._saved.append(self._disk.submit(self._save, len(self.parts), about))
        self.parts.append(about)
        self.part.clear()

    def finish(self, place: Path) -> None:
        """Move the file, with the footer of all parts, to its place."""
        for saved in self._saved:
            saved.result()
        self.file.write(_written(_merged(self.parts))[len(MAGIC) :])
        self.file.flush()
        os.fsync(self.file.fileno())
        os.replace(self.path, place)

    def _save(self, number: int, about: Any) -> None:
        os.fsync(self.file.fileno())
        place = self._footer(number)
        temporary = place.with_suffix(".writing")
        with open(temporary, "wb") as file:
            file.write(b"" if about is None else _written(about))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, place)

    def _found(self) -> Iterator[Any]:
        from pyarrow import parquet

        for number in count():
            place = self._footer(number)
            if not place.exists():
                return
            yield parquet.read_metadata(place) if place.stat().st_size else None

    def _footer(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.stem}-{number:06}.footer")


def _merged(parts: Sequence[Any]) -> Any:
    """One footer of several; None if none has rows."""
    merged: Any = None
    for about in filter(None, parts):
        if merged is None:
            merged = moved(body_and_footer(_written(about))[1], 0)
        else:
            merged.append_row_groups(about)
    return merged


def _written(about: Any) -> bytes:
    """Metadata as a Parquet file without rows."""
    out = BytesIO()
    about.write_metadata_file(out)
    return out.getvalue()


def _opened(path: Path) -> IO[bytes]:
    """A file to read and write; refused to a second process, where the system can."""
    path.touch()
    file = path.open("r+b")
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass
    except OSError:
        file.close()
        raise
    return file
