"""A million entries: how long it takes to write, read and verify them, and whether all count."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from dprisk.ledger.copies.verifying import verify
from dprisk.ledger.entries import Entry
from dprisk.ledger.store import Writing, open_store
from torture.working import AT, checkpoint_of, first

__all__ = ["Times", "many"]

BATCH = 20_000


@dataclass
class Times:
    """Seconds, and the sum that was read back."""

    write: float
    read: float
    verify: float
    total: Fraction
    problems: tuple[str, ...]


def many(where: str, count: int) -> Times:
    """Charges of 1e-9 on top of 1, many in a transaction."""
    store = open_store(where, create=True)
    started = time.perf_counter()
    last = [first(0)]
    store.write(lambda writing: writing.append(last[0]))

    def amounts() -> Iterator[str]:
        yield "1.0"
        for _ in range(count):
            yield "1e-9"

    def work(writing: Writing) -> None:
        for key, amount in batch:
            entry = Entry.after(last[0], "reserved", key, AT, "ann", {"amount": amount})
            writing.append(entry)
            last[0] = entry

    asked = [(f"k{i}", amount) for i, amount in enumerate(amounts())]
    for i in range(0, len(asked), BATCH):
        batch = asked[i : i + BATCH]
        store.write(work)
    written = time.perf_counter()
    entries = store.read()
    read = time.perf_counter()
    point = checkpoint_of(entries)
    total = sum((Fraction(entry.content["amount"]) for entry in entries[1:]), Fraction())
    del entries
    again = time.perf_counter()
    found = verify(store, point, contents=False)
    done = time.perf_counter()
    store.close()
    problems = [str(flaw) for flaw in found.flaws]
    if total != 1 + count * Fraction("1e-9") or found.size != count + 2:
        problems.append(f"{found.size} entries come to {total}")
    return Times(written - started, read - written, done - again, total, tuple(problems))
