"""Locations of ledgers: a file, or a database on a server; a password is never shown."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, final
from urllib.parse import quote

from sqlalchemy import (
    URL,
    Column,
    Engine,
    Integer,
    MetaData,
    QueuePool,
    Select,
    Table,
    Text,
    create_engine,
    event,
    func,
    make_url,
    or_,
    select,
)
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    DisconnectionError,
    SQLAlchemyError,
)
from sqlalchemy.exc import (
    TimeoutError as PoolTimeout,
)

from dprisk.errors import DpriskError, LedgerUnavailable, damaged, unavailable
from dprisk.ledger.entries import Entry, canonical
from dprisk.ledger.store.probing import cut_short, refuse_links

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
        return f"file:{quote(os.fsencode(str(self.path)))}?mode={mode}"

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


SQLITE: Final = {
    sqlite3.SQLITE_BUSY: "ledger.busy",
    sqlite3.SQLITE_LOCKED: "ledger.busy",
    sqlite3.SQLITE_FULL: "ledger.full",
    sqlite3.SQLITE_READONLY: "ledger.read-only",
    sqlite3.SQLITE_CANTOPEN: "ledger.not-opened",
    sqlite3.SQLITE_NOTADB: "ledger.no-database",
    sqlite3.SQLITE_CORRUPT: "ledger.damaged.file",
    sqlite3.SQLITE_CONSTRAINT: "ledger.not-next",
}
# By SQLSTATE, or its class of two signs.
POSTGRESQL: Final = {
    "08": "ledger.gone",
    "23": "ledger.raced",
    "23001": "ledger.not-next",
    "25006": "ledger.read-only",
    "40": "ledger.busy",
    "42501": "ledger.not-allowed",
    "42P01": "ledger.none",
    "53100": "ledger.full",
    "53300": "ledger.busy",
    "55P03": "ledger.busy",
    "57P": "ledger.gone",
    "XX001": "ledger.damaged.file",
    "XX002": "ledger.damaged.file",
}
DATABASE_ERRORS: Final = (SQLAlchemyError, UnicodeDecodeError)
"""The second is of damaged files: SQLite quotes what it cannot read in its complaint."""
AGAIN: Final = {"ledger.busy", "ledger.gone", "ledger.raced"}
ROLLED_BACK: Final = {"ledger.busy", "ledger.full", "ledger.not-next", "ledger.raced"}


@final
@dataclass(frozen=True)
class Failure:
    """One complaint."""

    key: str
    reason: str

    @property
    def passes(self) -> bool:
        """Whether the same may work a moment later."""
        return self.key in AGAIN

    @property
    def is_definite(self) -> bool:
        """Whether a commit that failed like this has certainly not happened."""
        return self.key in ROLLED_BACK

    def error(self, location: Location, *, unknown: bool = False) -> DpriskError:
        """The error that a user sees; `unknown`: what was written may be there all the same."""
        reason = location.without_secrets(self.reason)
        if self.key == "ledger.damaged.file":
            if location.path is not None and (found := cut_short(location.path)):
                key = "ledger.damaged.short"
                return damaged(location.shown, key, there=found[0], whole=found[1])
            return damaged(location.shown, self.key, reason=reason)
        return unavailable(location.shown, self.key, unknown=unknown, reason=reason)


def failure_of(error: SQLAlchemyError | UnicodeDecodeError) -> Failure:
    """Failure that stands behind an error of SQLAlchemy or SQLite."""
    if isinstance(error, UnicodeDecodeError):
        return Failure("ledger.damaged.file", str(error))
    said: Any = error.orig if isinstance(error, DBAPIError) else error
    return Failure(_key(error, said), str(said))


def _key(error: SQLAlchemyError, said: Any) -> str:
    code = getattr(said, "sqlite_errorcode", None)
    if code is not None:
        return SQLITE.get(code & 0xFF, "ledger.failed")
    state = getattr(said, "sqlstate", None) or ""
    for known in (state, state[:3], state[:2]):
        if known in POSTGRESQL:
            return POSTGRESQL[known]
    if isinstance(error, PoolTimeout):
        return "ledger.busy"
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    return "ledger.gone" if lost or not state else "ledger.failed"


@contextmanager
def failing(location: Location) -> Iterator[None]:
    """Let errors of the database out as errors of dprisk."""
    try:
        yield
    except DATABASE_ERRORS as error:
        raise failure_of(error).error(location) from None


SQLITE_SETTINGS: Final = (
    "PRAGMA synchronous=EXTRA",
    "PRAGMA fullfsync=ON",  # macOS
    "PRAGMA foreign_keys=ON",
    "PRAGMA trusted_schema=OFF",
    "PRAGMA cell_size_check=ON",
)
LEDGER: Final = "SELECT 1 FROM sqlite_master WHERE name = ?"
POSTGRESQL_SETTINGS: Final = (
    # What an administrator made stronger stays.
    "SELECT set_config('synchronous_commit', 'on', false) "
    "WHERE current_setting('synchronous_commit') = 'off'",
    # So that a machine that went down in the middle does not keep the others waiting.
    "SET tcp_keepalives_idle = 30",
    "SET idle_in_transaction_session_timeout = '5min'",
)
_INHERITED: Final[list[Any]] = []
"""Connections that a process has from before it was forked: neither used nor closed."""


def engine_of(location: Location, patience: float) -> Engine:
    """The engine for a place; a file that is gone is not made again."""
    if location.path is None:
        return _postgresql(location, patience)

    def connect() -> sqlite3.Connection:
        found = sqlite3.connect(
            location.uri("rw"),
            uri=True,
            timeout=patience,
            isolation_level=None,
            check_same_thread=False,
        )
        found.text_factory = _text
        try:
            for setting in SQLITE_SETTINGS:
                found.execute(setting)
            if os.access(str(location.path), os.W_OK):
                _leave_wal_mode(found)
        except sqlite3.Error:
            found.close()
            raise
        return found

    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, hide_parameters=True)
    return _watched(engine, location)


def _leave_wal_mode(connection: sqlite3.Connection) -> None:
    """Bring what an older ledger has in a write-ahead log into its file, for good."""
    if connection.execute("PRAGMA journal_mode").fetchone() == ("wal",) and (
        connection.execute(LEDGER, (REVISION_TABLE,)).fetchone()
    ):
        connection.execute("PRAGMA journal_mode=DELETE")


_text = partial(str, encoding="utf-8", errors="replace")
"""Damaged text is read, so that the entry it belongs to can be named: its hash tells."""


def _postgresql(location: Location, patience: float) -> Engine:
    engine = create_engine(
        location.url or "",
        isolation_level="AUTOCOMMIT",
        pool_pre_ping=True,
        hide_parameters=True,
        connect_args={"connect_timeout": 10, "client_encoding": "utf8"},
    )

    def settle(connection: Any, _: Any) -> None:
        with connection.cursor() as cursor:
            for setting in POSTGRESQL_SETTINGS:
                cursor.execute(setting)
            waits = f"{round(1000 * patience)}ms"
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", (waits,))
        if not connection.autocommit:
            connection.commit()

    event.listen(engine, "connect", settle)
    return _watched(engine, location)


def _watched(engine: Engine, location: Location) -> Engine:
    """The engine, which drops a connection to a file that was replaced, or of another process."""

    def connected(_: Any, record: Any) -> None:
        record.info["belongs"] = _belongs(location)
        record.info["now"] = partial(_belongs, location)

    def taken(connection: Any, record: Any, proxy: Any) -> None:
        refuse_links(location)
        if record.info["belongs"] != (now := _belongs(location)):
            if record.info["belongs"][0] != now[0]:
                _INHERITED.append(connection)
                record.dbapi_connection = proxy.dbapi_connection = None
            raise DisconnectionError

    event.listen(engine, "connect", connected)
    event.listen(engine, "checkout", taken)
    return engine


def _belongs(location: Location) -> tuple[int | None, ...]:
    """The process, and the file itself, whatever it is called."""
    if location.path is None:
        return (os.getpid(),)
    try:
        found = os.stat(location.path)
    except OSError:
        return os.getpid(), None
    return os.getpid(), found.st_dev, found.st_ino


DECISIONS: Final = 8  # for one charge, of which one at most was made by dprisk
REVISION_TABLE: Final = "ledger_revision"
ENTRY: Final = Table(
    "entry",
    MetaData(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("key", Text, unique=True),
    Column("at", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("previous", Text, nullable=False, unique=True),
    Column("hash", Text, nullable=False, unique=True),
)


def after(seq: int) -> Select[Any]:
    """The entries from `seq` on, itself among them: what follows is checked against it."""
    return select(ENTRY).where(ENTRY.c.seq >= seq).order_by(ENTRY.c.seq)


def by_hash(digest: str) -> Select[Any]:
    """Query for the number of the entry with a hash; no row if there is none."""
    return select(ENTRY.c.seq).where(ENTRY.c.hash == digest)


def by_key(key: str) -> Select[Any]:
    """Query for the entry that reserved a charge."""
    return select(ENTRY).where(ENTRY.c.key == key)


def deciding(reserved: Entry) -> Select[Any]:
    """Query for the entries that say what became of a charge: the first ones, in order."""
    begins = canonical({"charge": reserved.key})[:-1]
    likely = [func.substr(ENTRY.c.body, 1, len(begins) + 1) == begins + end for end in "},"]
    found = select(ENTRY).where(ENTRY.c.seq > reserved.seq, or_(*likely))
    return found.order_by(ENTRY.c.seq).limit(DECISIONS)
