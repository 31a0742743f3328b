"""Connections: each as durable as the database can be, and none that outlives its file or
process."""

from __future__ import annotations

import os
import sqlite3
from functools import partial
from typing import Any, Final

from sqlalchemy import (
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
    select,
)
from sqlalchemy.exc import DisconnectionError

from dprisk.ledger.store.locations import Location, refuse_links

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
