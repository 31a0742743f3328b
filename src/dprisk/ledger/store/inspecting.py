"""Whether a database is sound by its own account, and still keeps entries from being changed."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, create_engine, text

from dprisk.ledger.store import schema
from dprisk.ledger.store.failures import DATABASE_ERRORS, failing, failure_of
from dprisk.ledger.store.store import Store

MOST: Final = 20
SCHEMA: Final = text("SELECT name, sql FROM sqlite_master WHERE tbl_name = 'entry'")
TRIGGERS: Final = text("""
    SELECT tgname FROM pg_trigger
    WHERE tgrelid = to_regclass('entry') AND tgenabled IN ('O', 'A') AND NOT tgisinternal
""")
GUARDS: Final = {"entry_follows", "entry_kept", "entry_stays"}


def complaints(store: Store) -> list[str]:
    """What SQLite finds wrong with its file: pages, and indexes that do not agree with the
    table."""
    if store.location.path is None:
        return []
    try:
        with store.engine.connect() as connection:
            rows = connection.exec_driver_sql(f"PRAGMA integrity_check({MOST})").scalars().all()
    except DATABASE_ERRORS as error:
        return [failure_of(error).reason]
    return [said for said in rows if said != "ok"]


def unguarded(store: Store) -> list[str]:
    """The parts of the table, its indexes and triggers that are not as they were made."""
    with failing(store.location), store.engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            return sorted(GUARDS - set(connection.execute(TRIGGERS).scalars()))
        found = _described(connection)
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        schema.upgrade(connection)
        expected = _described(connection)
    engine.dispose()
    return sorted(name for name, said in expected.items() if found.get(name, "") != said)


def _described(connection: Connection) -> dict[str, str | None]:
    return {row.name: row.sql for row in connection.execute(SCHEMA)}
