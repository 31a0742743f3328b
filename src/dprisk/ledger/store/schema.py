"""Which revision of the tables a database holds, and how it comes to the newest."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from dprisk.ledger.store.tables import ENTRY, REVISION_TABLE

REVISIONS: Final = ("0001", "0002")
NEWEST: Final = REVISIONS[-1]
MIGRATIONS: Final = Path(__file__).with_name("migrations")


def found(connection: Connection) -> str | None:
    """The revision of the ledger in a database; None: there is none."""
    if not inspect(connection).has_table(REVISION_TABLE):
        return None
    named = connection.execute(text(f"SELECT version_num FROM {REVISION_TABLE}"))
    revision: str | None = named.scalar()
    return revision


def is_free(connection: Connection) -> bool:
    """Whether a ledger can be made there: a file is for it alone, a schema of a server is not."""
    tables = inspect(connection).get_table_names()
    return not tables if connection.dialect.name == "sqlite" else ENTRY.name not in tables


def upgrade(connection: Connection, to: str = NEWEST) -> None:
    """Bring the tables to a revision, inside the transaction of the connection."""
    from alembic import command  # takes 0.2 s, and most ledgers are up to date
    from alembic.config import Config

    config = Config(attributes={"connection": connection, "version_table": REVISION_TABLE})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    command.upgrade(config, to)
