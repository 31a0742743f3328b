"""Locations of ledgers: a file, or a database on a server; a password is never shown."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, final
from urllib.parse import quote

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from dprisk.errors import LedgerUnavailable, unavailable

MOUNTS: Final = Path("/proc/self/mountinfo")
DRIVERS: Final = {
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
    "sqlite": "sqlite",
}


@final
@dataclass(frozen=True)
class Location:
    """A file or a database."""

    shown: str
    path: Path | None = None
    url: URL | None = field(default=None, repr=False)

    @classmethod
    def of(cls, where: str | os.PathLike[str]) -> Location:
        """Location that a path or a URL stands for."""
        if "://" not in (said := os.fspath(where)):
            return cls._file(said)
        scheme = said.partition("://")[0]
        try:
            url = make_url(said)
        except (ArgumentError, ValueError):  # a port that is no number; its message says the rest
            raise unavailable(scheme, "ledger.place.url") from None
        if (driver := DRIVERS.get(url.drivername)) is None:
            raise LedgerUnavailable(
                scheme,
                "A ledger cannot be kept there. Give a file, or a URL such as "
                "postgresql://user@host/database.",
            )
        if driver == "sqlite":
            if url.database in (None, "", ":memory:"):
                raise LedgerUnavailable(
                    scheme,
                    "This URL names no file, and a ledger in memory would be lost. Write "
                    "sqlite:///ledger.db.",
                )
            return cls._file(str(url.database))
        if "@" in (url.host or ""):  # the rest of a password
            raise unavailable(scheme, "ledger.place.url")
        return cls(_shown(url), url=url.set(drivername=driver))

    @classmethod
    def _file(cls, said: str) -> Location:
        """The file itself, whatever links lead there: what SQLite keeps beside it is named so."""
        return cls(said, Path(os.path.realpath(said)))

    def uri(self, mode: str) -> str:
        """The address of the file, for SQLite."""
        return f"file:{quote(str(self.path))}?mode={mode}"

    def without_secrets(self, said: str) -> str:
        """The first line of what a database says, which may quote what it was given."""
        line = (said.strip().splitlines() or [""])[0]
        for secret in _secrets(self.url):
            line = line.replace(secret, "***")
        return line.rstrip(".")


def refuse_links(location: Location) -> None:
    """Refuse a file that has two names: a journal is named after one of them."""
    names = 1
    if location.path is not None:
        with suppress(OSError):  # one that is gone: is said where it is opened
            names = os.stat(location.path).st_nlink
    if names > 1:
        raise LedgerUnavailable(
            location.shown,
            f"This file has {names} names (hard links), and entries written under one name could "
            "be lost under the other. Keep one name and remove the others. For another place, "
            "use a symbolic link (ln -s).",
        )


def refuse_mounts(location: Location) -> None:
    """Refuse a file that is mounted by itself, as in a container: outside it has another name."""
    if location.path is not None and _is_mounted(location.path):
        raise LedgerUnavailable(
            location.shown,
            "This file is mounted by itself. A container, for example, does this if you name the "
            "file as a volume. Entries could then be lost after a crash. Mount the folder of the "
            "ledger instead.",
        )


def _is_mounted(path: Path) -> bool:
    """Whether the file itself, and not its folder, is mounted there."""
    try:
        mounts = MOUNTS.read_text("utf-8", "surrogateescape")
    except OSError:  # not on Linux
        return False
    return any(line.split(" ", 5)[4] == _escaped(path) for line in mounts.splitlines())


def _escaped(path: Path) -> str:
    """Write a path as the kernel does in its list of mounts."""
    return "".join(f"\\{ord(c):03o}" if c in " \t\n\\" else c for c in str(path))


def _shown(url: URL) -> str:
    hosts: Any = url.host or url.query.get("host") or ""
    where = hosts if isinstance(hosts, str) else ",".join(hosts)
    user = f"{url.username}@" if url.username else ""
    port = f":{url.port}" if url.port else ""
    return f"postgresql://{user}{where}{port}/{url.database or ''}"


def _secrets(url: URL | None) -> list[str]:
    if url is None:
        return []
    given = [url.password, *(url.query.get(name) for name in ("password", "sslpassword"))]
    return [str(each) for each in given if each]
