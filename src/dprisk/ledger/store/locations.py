"""Where a ledger is: a file, or a database on a server. A password is never shown."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, final
from urllib.parse import quote

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from dprisk.errors import unavailable

__all__ = ["Location"]

DRIVERS: Final = {
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
    "sqlite": "sqlite",
}


@final
@dataclass(frozen=True)
class Location:
    """A file or a database.

    Parameters
    ----------
    shown : str
        How it is called in messages, without a password.
    path : Path, optional
        The file.
    url : URL, optional
        The database on a server.
    """

    shown: str
    path: Path | None = None
    url: URL | None = field(default=None, repr=False)

    @classmethod
    def of(cls, where: str | os.PathLike[str]) -> Location:
        """What a path or a URL stands for."""
        if "://" not in (said := os.fspath(where)):
            return cls(said, Path(said))
        scheme = said.partition("://")[0]
        try:
            url = make_url(said)
        except (ArgumentError, ValueError):  # a port that is no number; its message says the rest
            raise unavailable(scheme, "ledger.place.url") from None
        if (driver := DRIVERS.get(url.drivername)) is None:
            raise unavailable(scheme, "ledger.place.scheme")
        if driver == "sqlite":
            return cls._file(scheme, url)
        if "@" in (url.host or ""):  # the rest of a password
            raise unavailable(scheme, "ledger.place.url")
        return cls(_shown(url), url=url.set(drivername=driver))

    @classmethod
    def _file(cls, scheme: str, url: URL) -> Location:
        if url.database in (None, "", ":memory:"):
            raise unavailable(scheme, "ledger.place.no-file")
        return cls(str(url.database), Path(str(url.database)))

    def uri(self, mode: str) -> str:
        """The address of the file, for SQLite."""
        return f"file:{quote(str(self.path))}?mode={mode}"

    def without_secrets(self, said: str) -> str:
        """The first line of what a database says, which may quote what it was given."""
        line = (said.strip().splitlines() or [""])[0]
        for secret in _secrets(self.url):
            line = line.replace(secret, "***")
        return line.rstrip(".")


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
