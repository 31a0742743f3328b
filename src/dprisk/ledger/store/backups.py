"""A copy of a ledger, whole, while others read and write."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection

from dprisk._files import check_places
from dprisk.errors import NotWritten
from dprisk.ledger.exporting import exported
from dprisk.ledger.store.locations import Location
from dprisk.ledger.store.transactions import read


def backed_up(connection: Connection, location: Location, revision: str, folder: Path) -> Path:
    """A copy as it was at a revision: of a file a file, of a server the files of an export."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    name = location.path.name if location.path else "ledger"
    to = folder / f"{name}.backup-{revision}-{stamp}"
    if location.path is None:
        exported(read(connection, location, 0), to)
    else:
        copied(location, to)
    return to


def copied(location: Location, to: Path) -> None:
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
