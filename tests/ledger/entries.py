"""Entries to keep: plain ones, without the rules that they follow; the beginning of a ledger."""

from __future__ import annotations

from dprisk import PureDP
from dprisk.budget import EpsilonLimit
from dprisk.ledger import Account, Ledger
from dprisk.ledger.entries import Entry

LIMIT = (EpsilonLimit(1.0, delta=0.0),)
TOWN = Account("town", "residents", "person", "add-remove", "2026", "pure", LIMIT)
SCHOOL = Account("school", "pupils", "person", "add-remove", "2026", "pure", LIMIT, within="town")
AT = "2026-01-01T00:00:00.000000Z"


def pure(value):
    """A promise that the accounts add up."""
    return PureDP(value, neighbors="add-remove")


def begun_at(place):
    """A ledger with two accounts, one within the other."""
    made = Ledger.create(place, origin="Office", by="ann")
    for account in (TOWN, SCHOOL):
        made.account(account, by="ann")
    return made


def following(last, key=None, **content):
    """The entry after one."""
    if last is None:
        return Entry.after(None, "ledger", None, AT, "ann", {"origin": "example.org/2026"})
    return Entry.after(last, "reserved", key, AT, "ann", content)


def added(*keys, **content):
    """Work that appends an entry for each key; one that is there already is not added again."""

    def work(writing):
        entries = writing.entries()
        known = {entry.key for entry in entries}
        last = entries[-1] if entries else None
        for key in keys:
            if key not in known or key is None:
                last = following(last, key, **content)
                writing.append(last)
        return last.seq

    return work


def filled(store, count):
    """The store, with so many entries."""
    store.write(added(*[None if i == 0 else f"k{i}" for i in range(count)]))
    return store
