"""A Parquet file that grows part by part, written once; what is done outlives the process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, final

from dprisk.bulk.footers import MAGIC, body_and_footer, end, moved

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Growing"]


@final
class Growing:
    """A file to which whole row groups are added, and beside it a footer for each part.

    A part is done once its footer stands there: written after the rows of the part are on the
    disk. What follows the last part that is done is cut off when the file is opened again.

    Parameters
    ----------
    folder : path
        Where the files are.
    job : str
        What they are called after.
    """

    def __init__(self, folder: Path, job: str) -> None:
        self._path, self._stem = folder / f"{job}.parquet", folder / job
        self._file = _opened(self._path)
        self._parts = list(self._found())
        self._end = max((end(about) for about in self._parts if about), default=len(MAGIC))
        if self._file.seek(0, os.SEEK_END) < self._end:  # it was moved to its place, or is damaged
            for number in reversed(range(len(self._parts))):
                self._footer(number).unlink()
            self._parts, self._end = [], len(MAGIC)
        self._file.seek(0)
        self._file.write(MAGIC)
        self._file.truncate(self._end)
        self._file.seek(self._end)
        self._part: Any = None
        self._disk = ThreadPoolExecutor(1)
        self._saved: list[Future[None]] = []

    def __enter__(self) -> Growing:
        return self

    def __exit__(self, *error: object) -> None:
        self._disk.shutdown()
        self._file.close()
        if not self._footer(0).exists():
            self._path.unlink(missing_ok=True)

    @property
    def done(self) -> int:
        """How many parts are done."""
        return len(self._parts)

    def rows(self, columns: list[str], size: int) -> Iterator[pa.RecordBatch]:
        """The rows of the parts that are done, in batches of a size."""
        from pyarrow import parquet

        about = self._merged()
        if about is not None:
            with parquet.ParquetFile(self._path, metadata=about) as file:
                yield from file.iter_batches(size, columns=columns)

    def append(self, file: memoryview) -> None:
        """Add the row groups of a Parquet file to the part that is being written.

        Raises
        ------
        ValueError
            If its columns are not those of the rows before.
        """
        body, footer = body_and_footer(file)
        about = moved(footer, self._end - len(MAGIC))
        first = next(filter(None, [*self._parts, self._part]), about)
        if first.schema.to_arrow_schema() != about.schema.to_arrow_schema():
            raise ValueError
        self._file.write(body)
        self._end += len(body)
        if self._part is None:
            self._part = about
        else:
            self._part.append_row_groups(about)

    def finish_part(self) -> None:
        """Note, as soon as its rows are on the disk, that a part is done."""
        self._file.flush()
        number, about, self._part = len(self._parts), self._part, None
        self._parts.append(about)
        self._saved.append(self._disk.submit(self._save, number, about))

    def finish(self, place: Path) -> None:
        """Move the file, with the footer of all parts, to its place."""
        for saved in self._saved:
            saved.result()
        self._file.write(_written(self._merged())[len(MAGIC) :])
        self._file.flush()
        os.fsync(self._file.fileno())
        os.replace(self._path, place)

    def _save(self, number: int, about: Any) -> None:
        os.fsync(self._file.fileno())
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
        return self._stem.with_name(f"{self._stem.name}-{number:06}.footer")

    def _merged(self) -> Any:
        """The footer of all parts; None if no part has rows."""

        merged: Any = None
        for about in filter(None, self._parts):
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
    with suppress(ImportError):
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return file
