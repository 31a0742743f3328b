"""What is read is checked where it is read: nothing damaged counts as nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dprisk.errors import damaged
from dprisk.ledger.entries import START, Entry


def is_whole(entry: Entry) -> bool:
    """Whether an entry is what was written, whatever stands where its text should be."""
    texts = (entry.kind, entry.at, entry.by, entry.body, entry.previous, entry.hash)
    if not all(type(said) is str for said in texts) or type(entry.key) not in (str, type(None)):
        return False
    return type(entry.seq) is int and entry.is_whole


def checked(rows: Iterable[Sequence[Any]], after: int, shown: str) -> list[Entry]:
    """The entries of `rows`, which begin with the one at `after`, without that one."""
    found = [Entry(*row) for row in rows]
    previous, seq = (START, 1) if after == 0 else (None, after)
    for entry in found:
        if entry.seq != seq:
            raise damaged(shown, "ledger.damaged.missing", seq)
        if not is_whole(entry):
            raise damaged(shown, "ledger.damaged.changed", seq)
        if previous is not None and entry.previous != previous:
            raise damaged(shown, "ledger.damaged.order", seq)
        previous, seq = entry.hash, seq + 1
    if after and not found:
        raise damaged(shown, "ledger.damaged.missing", after)
    return found[1:] if after else found
