"""The entries of a ledger on a database: read whole, written once, by one writer at a time.

What is read inside a transaction is true until what is appended is committed.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar, final

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, DisconnectionError, OperationalError, SQLAlchemyError

from dprisk.errors import InvalidInput, LedgerDamaged
from dprisk.ledger.entries import START, Entry
from dprisk.ledger.store.places import (
    DATABASE_ERRORS,
    ENTRY,
    Failure,
    Location,
    after,
    by_hash,
    by_key,
    deciding,
    failing,
    failure_of,
)

BEGIN: Final = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "BEGIN ISOLATION LEVEL SERIALIZABLE"}
LONGEST_WAIT: Final = 0.01  # seconds
LOCK: Final = 0x6470_7269_736B  # "dprisk"


class Writing(Protocol):
    """Reader and writer of entries that `Store.write` hands to the work."""

    def entries(self, after: int = 0, most: int | None = None) -> list[Entry]:
        """Read entries from inside the transaction: with those that were appended."""

    def append(self, entry: Entry) -> None:
        """Add the entry after the last one, to be committed with the others."""

    def of(self, key: str) -> list[Entry]:
        """Read the entry that reserved a charge, and those that decide it; empty without one."""


@final
@dataclass(frozen=True)
class Transaction:
    """A `Writing` on a connection."""

    connection: Connection
    location: Location
    pending: list[Entry] = field(default_factory=list)
    written: list[Entry] = field(default_factory=list)

    def entries(self, after: int = 0, most: int | None = None) -> list[Entry]:
        """Write the pending entries, then read those after a number."""
        self.flush()
        return read(self.connection, self.location, after, most)

    def append(self, entry: Entry) -> None:
        """Add an entry to those pending; refuse text with the character NUL."""
        for name in ("key", "by", "at"):
            if "\0" in (said := getattr(entry, name) or ""):  # no text of PostgreSQL holds it
                raise InvalidInput(name, said, "text without the character NUL")
        self.pending.append(entry)

    def of(self, key: str) -> list[Entry]:
        """Read the entry that reserved a charge, and those that decide it."""
        self.flush()
        return of_charge(self.connection, key)

    def flush(self) -> None:
        """Hand over to the database what was appended."""
        if self.pending:
            self.connection.execute(ENTRY.insert(), [_row(entry) for entry in self.pending])
            self.written.extend(self.pending)
            self.pending.clear()


def _row(entry: Entry) -> dict[str, int | str | None]:
    return {column.name: getattr(entry, column.name) for column in ENTRY.columns}


def read(
    connection: Connection, location: Location, seq: int, most: int | None = None
) -> list[Entry]:
    """The entries after a number, each checked against the one before; of `most` rows at most."""
    rows = connection.execute(after(seq).limit(most)).fetchall()
    return check_rows(rows, seq, location.shown)


def of_charge(connection: Connection, key: str) -> list[Entry]:
    """The entry that reserved a charge, and those that decide it; empty where there is none."""
    found = [Entry(*row) for row in connection.execute(by_key(key))]
    return found and [*found, *(Entry(*row) for row in connection.execute(deciding(*found)))]


@contextmanager
def exclusive(engine: Engine, patience: float) -> Iterator[Connection]:
    """A connection inside a transaction beside which there is no other writer."""
    with engine.connect() as connection, _queued(connection):
        _begin(connection, patience)
        try:
            if connection.info["now"]() != connection.info["belongs"]:
                raise DisconnectionError("The file was replaced while its lock was waited for.")
            yield connection
        finally:
            with suppress(SQLAlchemyError):  # after a commit, or a lost connection: nothing is left
                connection.rollback()


def _begin(connection: Connection, patience: float) -> None:
    """SQLite's own waiting grows with each try, so that whoever has waited longest waits on."""
    statement, until = BEGIN[connection.dialect.name], time.monotonic() + patience
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(statement)
        return
    waits = connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one()
    connection.exec_driver_sql("PRAGMA busy_timeout=0")
    try:
        while True:
            try:
                connection.exec_driver_sql(statement)
                return
            except OperationalError as error:
                if failure_of(error).key != "ledger.busy" or time.monotonic() > until:
                    raise
            time.sleep(random.uniform(0, LONGEST_WAIT))
    finally:
        connection.exec_driver_sql(f"PRAGMA busy_timeout={int(waits)}")


@contextmanager
def _queued(connection: Connection) -> Iterator[None]:
    if connection.dialect.name == "sqlite":
        yield
        return
    try:
        connection.exec_driver_sql("SELECT pg_advisory_lock(%s)", (LOCK,))
        yield
    finally:
        try:
            connection.exec_driver_sql("SELECT pg_advisory_unlock(%s)", (LOCK,))
        except SQLAlchemyError:  # the lock goes with the session
            connection.invalidate()


def is_whole(entry: Entry) -> bool:
    """Whether an entry is what was written, whatever stands where its text should be."""
    texts = (entry.kind, entry.at, entry.by, entry.body, entry.previous, entry.hash)
    if not all(type(said) is str for said in texts) or type(entry.key) not in (str, type(None)):
        return False
    return type(entry.seq) is int and entry.is_whole


def check_rows(rows: Iterable[Sequence[Any]], after: int, shown: str) -> list[Entry]:
    """The entries of `rows`, which begin with the one at `after`; none if they end before it."""
    found = [Entry(*row) for row in rows]
    previous, seq = (START, 1) if after == 0 else (None, after)
    for entry in found:
        flaw = ""
        if entry.seq != seq:
            flaw = f"Entry {seq} is missing."
        elif not is_whole(entry):
            flaw = f"Entry {seq} was changed: its hash does not match its content."
        elif previous is not None and entry.previous != previous:
            flaw = f"Entry {seq} does not follow the one before it."
        if flaw:
            right = f" The {seq - 1} entries before it are consistent." * (after == 0 and seq > 2)
            raise LedgerDamaged(shown, f"{flaw}{right}", seq)
        previous, seq = entry.hash, seq + 1
    return found[1:] if after else found


T = TypeVar("T")
SHORTEST: Final = 0.005  # seconds between two tries, at first
LONGEST: Final = 1.0


@final
@dataclass(frozen=True)
class Store:
    """The entries of a ledger: where they are, the way there, and for how long to try again."""

    location: Location
    engine: Engine = field(repr=False)
    patience: float = 30.0

    def read(self, after: int = 0, most: int | None = None) -> list[Entry]:
        """The committed entries after a place, of one moment, each checked with the last.

        Of `most` rows at most, if it is given; the row before them, which is checked too, is one.
        """

        def once() -> list[Entry]:
            with self.engine.connect() as connection:
                return read(connection, self.location, after, most)

        return self.patiently(once)

    def write(self, work: Callable[[Writing], T]) -> T:
        """Do work inside one exclusive transaction, commit what it appended, and return its result.

        The work is called again whenever it has to be, from its beginning; one of its calls
        counts. A commit that was not answered is looked up before anything is written again.
        """
        sent: dict[str, T] = {}  # by the hash of the last entry: commits nobody answered

        def once() -> T:
            with exclusive(self.engine, self.patience) as connection:
                for digest, result in sent.items():
                    if connection.execute(by_hash(digest)).first():
                        return result
                writing = Transaction(connection, self.location)
                result = work(writing)
                writing.flush()
                try:
                    connection.commit()
                except DBAPIError as error:
                    if writing.written and not failure_of(error).is_definite:
                        sent[writing.written[-1].hash] = result
                    raise
                return result

        return self.patiently(once, sent)

    def patiently(self, once: Callable[[], T], sent: Mapping[str, T] | None = None) -> T:
        """Do something again while it fails in passing; `sent`: commits that nobody answered."""
        until, pause = time.monotonic() + self.patience, SHORTEST
        while True:
            try:
                return once()
            except DATABASE_ERRORS as error:
                failure: Failure = failure_of(error)
            if not failure.passes or time.monotonic() > until:
                raise failure.error(self.location, unknown=bool(sent))
            time.sleep(random.uniform(0, pause))
            pause = min(2 * pause, LONGEST)

    def entry(self, seq: int) -> Entry | None:
        """One entry; None where there is none."""
        with failing(self.location), self.engine.connect() as connection:
            row = connection.execute(after(seq).limit(1)).first()
            return Entry(*row) if row is not None and row.seq == seq else None

    def of(self, key: str) -> list[Entry]:
        """The entry that reserved a charge, and those that decide it."""
        with failing(self.location), self.engine.connect() as connection:
            return of_charge(connection, key)

    def rows(self) -> list[Entry]:
        """Every entry as it stands there, checked by nobody."""
        with failing(self.location), self.engine.connect() as connection:
            found = connection.execute(ENTRY.select().order_by(ENTRY.c.seq)).fetchall()
            return [Entry(*row) for row in found]

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()
