"""Whether a database is sound by its own account, and still keeps entries from being changed."""

from __future__ import annotations

import os
from importlib import resources
from typing import Final

from sqlalchemy import Connection, create_engine, text

from dprisk.errors import InvalidInput
from dprisk.ledger.store import opening
from dprisk.ledger.store.failures import DATABASE_ERRORS, failing, failure_of
from dprisk.ledger.store.opening import open_store
from dprisk.ledger.store.store import Store

MOST: Final = 20
SCHEMA: Final = text("SELECT name, sql FROM sqlite_master WHERE tbl_name = 'entry'")
TRIGGERS: Final = text("""
    SELECT tgname FROM pg_trigger
    WHERE tgrelid = to_regclass('entry') AND tgenabled IN ('O', 'A') AND NOT tgisinternal
""")
GUARDS: Final = {"entry_follows", "entry_kept", "entry_stays"}


def complaints(store: Store) -> list[str]:
    """Faults that SQLite finds in its file: pages, and indexes that disagree with the table."""
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
        opening.upgrade(connection)
        expected = _described(connection)
    engine.dispose()
    return sorted(name for name, said in expected.items() if found.get(name, "") != said)


def _described(connection: Connection) -> dict[str, str | None]:
    return {row.name: row.sql for row in connection.execute(SCHEMA)}


FILE: Final = "appending.sql"
ABOVE: Final = text("""
    SELECT r.rolsuper OR pg_has_role(r.oid, c.relowner, 'MEMBER')
    FROM pg_roles r, pg_class c WHERE r.rolname = :role AND c.oid = to_regclass('entry')
""")

NAMED: Final = text("SELECT set_config('dprisk.role', :role, true)")


def grant_appending(url: str | os.PathLike[str], role: str) -> None:
    """Let a role of PostgreSQL read a ledger and append to it, and take every other right away.

    The statements are those of ``appending.sql`` beside this module, which psql runs as well:
    ``psql --command="SET dprisk.role = 'NAME'" --file=appending.sql URL``.

    Parameters
    ----------
    url : str
        The ledger, as whoever owns its tables reaches it.
    role : str
        A role that is there.

    Raises
    ------
    InvalidInput
        If there is no such role, or it owns the tables or is a superuser: nothing binds those.

    Examples
    --------
    >>> from dprisk.ledger.store import grant_appending
    >>> grant_appending("postgresql://owner@db/ledger", "reporter")  # doctest: +SKIP
    """
    store = open_store(url)
    try:
        if store.location.path is not None:
            raise InvalidInput(
                "url", store.location.shown, "a ledger on PostgreSQL: a file has no roles"
            )
        with failing(store.location), store.engine.connect() as connection:
            above = connection.execute(ABOVE, {"role": role}).scalar()
            if above is None:
                raise InvalidInput("role", role, "a role that exists")
            if above:
                raise InvalidInput(
                    "role",
                    role,
                    "a role that neither owns the ledger nor is a superuser, because no rule "
                    "binds those",
                )
            connection.exec_driver_sql("BEGIN")
            connection.execute(NAMED, {"role": role})
            connection.execute(text(resources.files(__package__).joinpath(FILE).read_text("utf-8")))
            connection.commit()
    finally:
        store.close()
