"""A ledger's entries on a database: read whole, written once."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar, final

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from dprisk.ledger.entries import Entry
from dprisk.ledger.store.engines import ENTRY, by_hash
from dprisk.ledger.store.failures import DATABASE_ERRORS, Failure, failing, failure_of
from dprisk.ledger.store.locations import Location
from dprisk.ledger.store.transactions import Transaction, Writing, exclusive, read

T = TypeVar("T")
SHORTEST: Final = 0.005  # seconds between two tries, at first
LONGEST: Final = 1.0


@final
@dataclass(frozen=True)
class Store:
    """The entries of a ledger. Made by `open_store`.

    Parameters
    ----------
    location : Location
        Where they are.
    engine : Engine
        The way there.
    patience : float
        For how long what fails in passing is tried again. [0, inf) [seconds]
    """

    location: Location
    engine: Engine = field(repr=False)
    patience: float = 30.0

    def read(self, after: int = 0) -> list[Entry]:
        """The committed entries with a later place.

        Parameters
        ----------
        after : int
            The place. [0, inf)

        Returns
        -------
        list of Entry
            In order, all of one moment.

        Raises
        ------
        LedgerDamaged
            If one of them, or the one at `after`, is not as it was written.
        LedgerUnavailable
            If the database cannot be read.
        """

        def once() -> list[Entry]:
            with self.engine.connect() as connection:
                return read(connection, self.location, after)

        return self.patiently(once)

    def write(self, work: Callable[[Writing], T]) -> T:
        """Do work inside one exclusive transaction, and commit what it appended.

        Parameters
        ----------
        work : callable
            From a `Writing` to a result. It is called again whenever it has to be, from its
            beginning, and only one of its calls counts.

        Returns
        -------
        object
            What the call that counts returned.

        Raises
        ------
        LedgerUnavailable
            If it did not work; its `unknown` says whether the entries may be there all the same.
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
        """Do something again while it fails in passing.

        Parameters
        ----------
        once : callable
            What is done.
        sent : mapping of str to object, optional
            Commits nobody answered.

        Returns
        -------
        object
            What it returned at last.

        Raises
        ------
        LedgerUnavailable
            If it fails for good, or for too long.
        """
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

    def rows(self) -> list[Entry]:
        """Every entry as it stands there, checked by nobody.

        Returns
        -------
        list of Entry
            In order.
        """
        with failing(self.location), self.engine.connect() as connection:
            found = connection.execute(ENTRY.select().order_by(ENTRY.c.seq)).fetchall()
            return [Entry(*row) for row in found]

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()
