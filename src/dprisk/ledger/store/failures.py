"""Failures of a database, and which of them go away when the same is done again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from dprisk.errors import DpriskError, damaged, unavailable
from dprisk.ledger.store.locations import Location

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
