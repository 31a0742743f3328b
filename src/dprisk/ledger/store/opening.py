"""A ledger is opened where it is, or made where there is none; an older one is migrated.

What keeps its entries from being changed is checked, and a role that may only append is made.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from secrets import token_hex
from typing import Final

from sqlalchemy import Connection, create_engine, inspect, text

from dprisk._files import check_places, regular
from dprisk.errors import InvalidInput, LedgerUnavailable, NotWritten, unavailable
from dprisk.ledger.entries import export_entries
from dprisk.ledger.store.places import (
    DATABASE_ERRORS,
    ENTRY,
    REVISION_TABLE,
    Location,
    engine_of,
    failing,
    failure_of,
)
from dprisk.ledger.store.probing import refuse_links, refuse_place
from dprisk.ledger.store.store import Store, exclusive, read

PATIENCE: Final = 30.0


def open_store(
    where: str | os.PathLike[str],
    *,
    create: bool = False,
    backups: str | os.PathLike[str] | None = None,
    patience: float = PATIENCE,
) -> Store:
    """Open the ledger in a file or on a server, or make one where there is none (`create`).

    A backup (in the folder `backups`) is made before an older ledger is brought up to date. What
    fails in passing is tried again for `patience` seconds; a server that cannot be reached at first
    is not waited for.
    """
    location = Location.of(where)
    _look(location, create)
    store = Store(location, engine_of(location, patience), patience)
    try:
        if location.path is None:
            with failing(location), store.engine.connect():
                pass  # what is not reached at first is not waited for
        store.patiently(lambda: _settle(store, create, Path(backups or _beside(location))))
    except BaseException:
        store.close()
        raise
    return store


def look_at(location: Location) -> Location:
    """The place, if a ledger is there that this version reads; nothing is changed."""
    _look(location, create=False)
    engine = engine_of(location, PATIENCE)
    try:
        with failing(location), engine.connect() as connection:
            if _revision(connection, location) is None:
                raise unavailable(location.shown, "ledger.none")
    finally:
        engine.dispose()
    return location


def _beside(location: Location) -> Path:
    return Path() if location.path is None else location.path.parent


def _look(location: Location, create: bool) -> None:
    """Refuse what is no file, before SQLite says that it cannot be opened."""
    if location.path is None:
        return
    if create and not os.path.lexists(location.path):
        check_places([location.path])
        refuse_place(location)
        _touch(location.path)
    elif not location.path.exists():
        raise unavailable(location.shown, "ledger.none")
    elif location.path.is_dir():
        raise LedgerUnavailable(
            location.shown,
            "This is a folder, not a ledger. Name the file in it. To read an exported folder, "
            "use dprisk ledger import.",
        )
    else:
        regular(location.path)
        refuse_links(location)
        refuse_place(location)
        if not create and not location.path.stat().st_size:
            raise unavailable(location.shown, "ledger.empty")


def _touch(path: Path) -> None:
    """An empty file, unless another program is faster: then the one that it has made."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise NotWritten(path, error.strerror or str(error)) from None


def _settle(store: Store, create: bool, backups: Path) -> None:
    with store.engine.connect() as connection:
        at = _revision(connection, store.location)
    if at == NEWEST:
        return
    if at is None and not create:
        raise unavailable(store.location.shown, "ledger.none")
    with exclusive(store.engine, store.patience) as connection:
        at = _revision(connection, store.location)  # another program may have been first
        if at is None and not is_free(connection):
            raise LedgerUnavailable(
                store.location.shown,
                "This database holds something else. It was not changed. Choose a new file, or a "
                "schema of its own.",
            )
        if at is not None and at != NEWEST:
            back_up(connection, store.location, at, backups)
        if at != NEWEST:
            upgrade(connection)
        connection.commit()


def _revision(connection: Connection, location: Location) -> str | None:
    at = revision_of(connection)
    if at is not None and at not in REVISIONS:
        raise LedgerUnavailable(
            location.shown,
            f"A newer version of dprisk wrote this ledger (revision {at}; this version knows "
            f"{NEWEST}). Update dprisk. Nothing was changed.",
        )
    return at


REVISIONS: Final = ("0001", "0002", "0003")
NEWEST: Final = REVISIONS[-1]
MIGRATIONS: Final = Path(__file__).with_name("migrations")


def revision_of(connection: Connection) -> str | None:
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


def back_up(connection: Connection, location: Location, revision: str, folder: Path) -> Path:
    """A copy as it was at a revision: of a file a file, of a server the files of an export."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    name = location.path.name if location.path else "ledger"
    to = folder / f"{name}.backup-{revision}-{stamp}"
    if location.path is None:
        export_entries(read(connection, location, 0), to)
    else:
        copy_file(location, to)
    return to


def copy_file(location: Location, to: Path) -> None:
    """A copy of the file at one moment, by SQLite's own means; its owner alone may read it."""
    check_places([to])
    part = to.with_name(f".{to.name}.{token_hex(8)}.part")
    until = time.monotonic() + PATIENCE

    def wait(status: int, *_: int) -> None:
        if status != sqlite3.SQLITE_DONE and time.monotonic() > until:
            raise OSError("Other programs kept the ledger busy for too long")

    try:
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with (
            closing(sqlite3.connect(location.uri("ro"), uri=True)) as source,
            closing(sqlite3.connect(part)) as target,
        ):
            source.backup(target, progress=wait)
        with open(part, "rb") as file:
            os.fsync(file.fileno())
        os.replace(part, to)
    except (OSError, sqlite3.Error) as error:
        raise NotWritten(to, str(error)) from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


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
        upgrade(connection)
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
