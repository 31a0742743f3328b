"""A ledger is opened where it is, or made where there is none; an older one is migrated."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from dprisk._files import check_places, regular
from dprisk.errors import LedgerUnavailable, NotWritten, unavailable
from dprisk.ledger.entries import export_entries
from dprisk.ledger.store.engines import ENTRY, REVISION_TABLE, engine_of
from dprisk.ledger.store.failures import failing
from dprisk.ledger.store.locations import Location, refuse_links, refuse_mounts
from dprisk.ledger.store.store import Store
from dprisk.ledger.store.transactions import exclusive, read

PATIENCE: Final = 30.0


def open_store(
    where: str | os.PathLike[str],
    *,
    create: bool = False,
    backups: str | os.PathLike[str] | None = None,
    patience: float = PATIENCE,
) -> Store:
    """Open the ledger that is kept in a file or on a server.

    Parameters
    ----------
    where : str or path
        A file, or a URL: ``postgresql://user@host/database`` or ``sqlite:///file``.
    create : bool
        Whether to make one where there is none. One that is there is opened as it is.
    backups : str or path, optional
        The folder for a backup, which is made before an older ledger is brought up to date: beside
        the file by default; of a server, the folder one is in.
    patience : float
        For how long what fails in passing is tried again, such as a server that starts anew. One
        that cannot be reached at first is not waited for. [0, inf) [seconds]

    Returns
    -------
    Store
        Its entries.

    Raises
    ------
    LedgerUnavailable
        If there is none, or what is there is something else, or newer than this version of dprisk.

    Examples
    --------
    >>> import tempfile
    >>> from dprisk.ledger.store import open_store
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = open_store(f"{folder}/2026.ledger", create=True)
    ...     store.read()
    ...     store.close()
    []
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


def _beside(location: Location) -> Path:
    return Path() if location.path is None else location.path.parent


def _look(location: Location, create: bool) -> None:
    """Refuse what is no file, before SQLite says that it cannot be opened."""
    if location.path is None:
        return
    if create and not os.path.lexists(location.path):
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
        refuse_mounts(location)


def _touch(path: Path) -> None:
    """An empty file, unless another program is faster: then the one that it has made."""
    check_places([path], force=True)
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o666))  # less what the umask takes
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


REVISIONS: Final = ("0001", "0002")
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
    """A copy of the file, by SQLite's own means."""
    check_places([to])
    part = to.with_name(f".{to.name}.part")
    try:
        with (
            closing(sqlite3.connect(location.uri("ro"), uri=True)) as source,
            closing(sqlite3.connect(part)) as target,
        ):
            source.backup(target)
        with open(part, "rb") as file:
            os.fsync(file.fileno())
        os.replace(part, to)
    except (OSError, sqlite3.Error) as error:
        raise NotWritten(to, str(error)) from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
