"""Charges with a limit, decided from what is committed, as small as they can be.

A charge is a whole number; together they stay below a limit. What is committed is folded once, and
each transaction reads only what is new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dprisk.ledger.copies.verifying import Checkpoint, verify
from dprisk.ledger.entries import START, Entry, EntryKind, origin_of
from dprisk.ledger.store import Store, Writing

__all__ = ["AT", "Book", "checkpoint_of", "first", "problems"]

AT = "2026-01-01T00:00:00.000000Z"


def first(limit: int) -> Entry:
    """The entry that a ledger begins with."""
    content = {"origin": "example.org/torture", "limit": limit}
    return Entry.after(None, "ledger", None, AT, "ann", content)


@dataclass
class Fold:
    """What the entries up to one come to."""

    last: Entry | None = None
    limit: int = 0
    total: int = 0
    keys: set[str] = field(default_factory=set)

    def add(self, entry: Entry) -> None:
        """Take in the next entry."""
        if entry.kind == "ledger":
            self.limit = entry.content["limit"]
        elif entry.kind == "reserved":
            self.total += entry.content["amount"]
            self.keys.add(entry.key or "")
        self.last = entry

    def allows(self, amount: int) -> bool:
        """Whether a charge still fits."""
        return self.total + amount <= self.limit


@dataclass
class Book:
    """A process that charges."""

    store: Store
    fold: Fold = field(default_factory=Fold)

    def charge(self, key: str, amount: int, more: str = "") -> bool:
        """Charge an amount once, whatever happens; False: refused."""

        def work(writing: Writing) -> bool:
            for entry in writing.entries(self.fold.last.seq if self.fold.last else 0):
                self.fold.add(entry)
            if key in self.fold.keys:
                return True
            allowed = self.fold.allows(amount)
            content: dict[str, Any] = {"amount": amount, "asked": key, "more": more}
            kind: EntryKind = "reserved" if allowed else "refused"
            name = key if allowed else None
            writing.append(Entry.after(self.fold.last, kind, name, AT, "ann", content))
            return allowed

        return self.store.write(work)


def checkpoint_of(entries: Sequence[Entry]) -> Checkpoint:
    """The checkpoint of a whole ledger."""
    last = entries[-1].hash if entries else START
    return Checkpoint(origin_of(entries), len(entries), last)


def problems(store: Store, accepted: Iterable[str], refused: Iterable[str] = ()) -> list[str]:
    """What is wrong with a ledger after a bad day, given what was acknowledged."""
    found = [str(flaw) for flaw in verify(store, contents=False).flaws]
    if found:
        return found
    entries = store.read()
    found += [str(flaw) for flaw in verify(store, checkpoint_of(entries), contents=False).flaws]
    found += decided_otherwise(entries)
    charged = Counter(e.content["asked"] for e in entries if e.kind == "reserved")
    found += [f"{key} was acknowledged and is not there" for key in accepted if not charged[key]]
    found += [f"{key} is there {count} times" for key, count in charged.items() if count > 1]
    asked = {e.content["asked"] for e in entries if e.kind == "refused"}
    found += [f"the refusal of {key} is not there" for key in refused if key not in asked]
    return found


def decided_otherwise(entries: Sequence[Entry]) -> list[str]:
    """Where a serial replay of the history comes to another decision."""
    fold, found = Fold(), []
    for entry in entries:
        if entry.kind in ("reserved", "refused"):
            known = entry.content["asked"] in fold.keys
            allowed = fold.allows(entry.content["amount"]) and not known
            if allowed is not (entry.kind == "reserved"):
                found.append(f"entry {entry.seq} would not be {entry.kind}")
        fold.add(entry)
        if fold.total > fold.limit:
            found.append(f"entry {entry.seq} goes beyond the limit")
    return found
