"""Entries to keep: plain ones, without the rules that they follow."""

from __future__ import annotations

from dprisk.ledger.entries import Entry
from torture.working import AT


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
