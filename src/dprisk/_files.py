"""The one door for files: what is read is a file of a reasonable size, what is written is whole."""

from __future__ import annotations

import csv
import io
import os
import re
import secrets
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from importlib import resources
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

from dprisk.errors import InvalidFile, NotWritten, unreadable
from dprisk.text import fill

Name: TypeAlias = "str | os.PathLike[str]"

ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]+:/", re.IGNORECASE)
DECIMAL_COMMA: Final = re.compile(r"(?<=\d),(?=\d)")
BINARY: Final = getattr(os, "O_BINARY", 0)
_READ: ContextVar[list[str] | None] = ContextVar("dprisk files read", default=None)
_ONLY: ContextVar[Mapping[str, bytes] | None] = ContextVar("dprisk files given", default=None)


# --- reading -------------------------------------------------------------------------------------


@contextmanager
def reading() -> Iterator[None]:
    """Keep in mind what is read inside the block, so that nothing is written over it."""
    token = _READ.set([])
    try:
        yield
    finally:
        _READ.reset(token)


@contextmanager
def only(files: Mapping[str, bytes]) -> Iterator[None]:
    """Inside the block there are these files to be read, by name, and none of the system's."""
    token = _ONLY.set(files)
    try:
        yield
    finally:
        _ONLY.reset(token)


def regular(path: Name) -> int:
    """The size of a file; what is not one is refused, and nothing opened."""
    shown = os.fspath(path)
    if ADDRESS.match(shown):
        raise unreadable(shown, "errors.file.address")
    given = _ONLY.get()
    if given is not None:
        return len(_given(given, shown))
    try:
        found = os.stat(shown)
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the path
        raise _not_opened(shown, error) from None
    if stat.S_ISDIR(found.st_mode):
        raise unreadable(shown, "errors.file.folder")
    if not stat.S_ISREG(found.st_mode):
        raise unreadable(shown, "errors.file.not-regular")
    seen = _READ.get()
    if seen is not None:
        seen.append(shown)
    return found.st_size


def _given(files: Mapping[str, bytes], name: str) -> bytes:
    if name not in files:
        raise unreadable(name, "errors.file.none")
    return files[name]


def read(path: Name, largest: int) -> bytes:
    """The bytes of a file of at most `largest` bytes."""
    shown = os.fspath(path)
    if regular(path) > largest:
        raise _too_large(shown, largest)
    given = _ONLY.get()
    if given is not None:
        return _given(given, shown)
    try:
        with open(shown, "rb") as file:
            raw = file.read(largest + 1)
    except OSError as error:
        raise _not_opened(shown, error) from None
    if len(raw) > largest:
        raise _too_large(shown, largest)
    return raw


@contextmanager
def opened(path: Name) -> Iterator[BinaryIO]:
    """A file of any size, open to be read where its reader wants; it takes what it can hold."""
    shown = os.fspath(path)
    regular(path)
    given = _ONLY.get()
    if given is not None:
        yield io.BytesIO(_given(given, shown))
        return
    try:
        handle = os.open(shown, os.O_RDONLY | BINARY)
    except OSError as error:
        raise _not_opened(shown, error) from None
    with os.fdopen(handle, "rb") as file:
        yield file


def read_text(path: Name, largest: int) -> str:
    """The text of such a file, with or without a byte order mark."""
    raw = read(path, largest)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = f"line {1 + raw.count(10, 0, error.start)}"
        raise unreadable(path, "errors.file.not-utf", where) from None


def cells(path: Name, text: str) -> list[tuple[int, list[str]]]:
    """The lines of a CSV file that are not empty: their numbers, and cells without outer space."""
    _check_commas(path, text)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True)
    try:
        rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader]
    except csv.Error as error:
        where = f"line {reader.line_num}"
        raise unreadable(path, "errors.file.csv", where, error=error) from None
    return [(number, row) for number, row in rows if any(row)]


def _check_commas(path: Name, text: str) -> None:
    """Refuse a table whose cells are separated by something else, as some spreadsheets write it."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    if "," in DECIMAL_COMMA.sub("", first):
        return
    for sign, what in ((";", "semicolons"), ("\t", "tabs")):
        if sign in first:
            raise unreadable(path, f"errors.file.{what}", "line 1", fix=fill("errors.file.commas"))


def _too_large(path: str, largest: int) -> InvalidFile:
    return unreadable(path, "errors.file.too-large", most=largest // 10**6)


def _not_opened(path: str, error: Exception) -> InvalidFile:
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return unreadable(path, "errors.file.none")
    if isinstance(error, PermissionError):
        return unreadable(path, "errors.file.not-allowed")
    return unreadable(path, "errors.file.not-read", reason=_reason(error))


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def shipped(room: str, *path: str) -> str:
    """The text of a file that comes with a room of the package."""
    return resources.files(f"dprisk.{room}").joinpath(*path).read_text("utf-8")


# --- writing -------------------------------------------------------------------------------------


def check_places(
    paths: Iterable[Name], *, force: bool = False, inputs: Iterable[Name] = (), make: bool = False
) -> None:
    """Refuse places that cannot be written to, or should not be, before anything is computed."""
    kept = [*inputs, *(_READ.get() or ())]
    for path in map(Path, paths):
        try:
            _check_place(path, force, kept, make)
        except (OSError, ValueError) as error:
            if isinstance(error, InvalidFile):
                raise
            raise unreadable(path, "errors.place.failed", reason=_reason(error)) from None


def _check_place(path: Path, force: bool, kept: list[Name], make: bool) -> None:
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        _check_folder(path, make)
        return
    if stat.S_ISLNK(mode):
        raise unreadable(path, "errors.place.link")
    if stat.S_ISDIR(mode):
        raise unreadable(path, "errors.place.folder")
    if not stat.S_ISREG(mode):
        raise unreadable(path, "errors.place.not-regular")
    for name in kept:
        if _same(name, path):
            raise unreadable(path, "errors.place.input")
    if not force:
        raise unreadable(path, "errors.place.exists")
    if not os.access(path, os.W_OK):
        raise unreadable(path, "errors.place.protected")
    _check_folder(path, make)


def _same(name: Name, path: Path) -> bool:
    """Whether both are one file, by whatever path or link."""
    try:
        return os.path.samefile(name, path)
    except (OSError, ValueError):
        return False


def _check_folder(path: Path, make: bool) -> None:
    folder = path.parent
    while make and not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    shown = os.fspath(folder)
    if not os.path.lexists(folder):
        raise unreadable(path, "errors.place.no-folder", folder=shown)
    if not folder.is_dir():
        raise unreadable(path, "errors.place.not-folder", folder=shown)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise unreadable(path, "errors.place.closed", folder=shown)


def write(
    path: Name,
    content: bytes,
    *,
    force: bool = False,
    inputs: Iterable[Name] = (),
    mode: int = 0o666,
) -> None:
    """Write one file, whole or not at all; see `write_all`."""
    write_all({Path(path): content}, force=force, inputs=inputs, mode=mode)


def write_all(
    contents: Mapping[Path, bytes],
    *,
    force: bool = False,
    inputs: Iterable[Name] = (),
    make: bool = False,
    mode: int = 0o666,  # of new files, less what the umask takes
) -> None:
    """Write files, each whole; if one fails, all that were there are as before."""
    check_places(contents, force=force, inputs=inputs, make=make)
    folders: list[Path] = []
    staged = {path: path.with_name(f".dprisk-{secrets.token_hex(8)}") for path in contents}
    path = Path()
    try:
        for path, content in contents.items():
            _make(path.parent, folders)
            _stage(staged[path], content, path, mode)
        for path, temporary in staged.items():
            os.replace(temporary, path)
        folders.clear()
    except OSError as error:
        raise NotWritten(path, _reason(error)) from None
    finally:
        for temporary in staged.values():
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        for folder in reversed(folders):
            with suppress(OSError):  # somebody else has put something into it
                folder.rmdir()


def _make(folder: Path, made: list[Path]) -> None:
    """The folder and those above it; those that were missing are noted first."""
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        made.append(each)
        each.mkdir(exist_ok=True)


def _stage(temporary: Path, content: bytes, path: Path, mode: int) -> None:
    """A new file with the content, on the disk, with the permissions of the one it replaces."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY
    with open(os.open(temporary, flags, mode), "wb") as file:
        if path.exists():
            os.chmod(temporary, stat.S_IMODE(path.stat().st_mode))
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
