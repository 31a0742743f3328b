"""A ledger is opened where it is, or made where there is none; an older one is migrated."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from dprisk._files import check_places, regular
from dprisk.errors import NotWritten, unavailable
from dprisk.ledger.store import schema
from dprisk.ledger.store.backups import backed_up
from dprisk.ledger.store.engines import engine_of
from dprisk.ledger.store.failures import failing
from dprisk.ledger.store.locations import Location, refuse_links, refuse_mounts
from dprisk.ledger.store.store import Store
from dprisk.ledger.store.transactions import exclusive

PATIENCE: Final = 30.0


def opened(
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
    >>> from dprisk.ledger.store import opened
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = opened(f"{folder}/2026.ledger", create=True)
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
        raise unavailable(location.shown, "ledger.folder")
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
    if at == schema.NEWEST:
        return
    if at is None and not create:
        raise unavailable(store.location.shown, "ledger.none")
    with exclusive(store.engine, store.patience) as connection:
        at = _revision(connection, store.location)  # another program may have been first
        if at is None and not schema.is_free(connection):
            raise unavailable(store.location.shown, "ledger.other-tables")
        if at is not None and at != schema.NEWEST:
            backed_up(connection, store.location, at, backups)
        if at != schema.NEWEST:
            schema.upgrade(connection)
        connection.commit()


def _revision(connection: Connection, location: Location) -> str | None:
    at = schema.found(connection)
    if at is not None and at not in schema.REVISIONS:
        raise unavailable(location.shown, "ledger.newer", revision=at, newest=schema.NEWEST)
    return at
