"""Compute everything again: hashes, order, decisions, and what a checkpoint from elsewhere says."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, final

from dprisk.errors import DpriskError
from dprisk.ledger.checkpoints import Checkpoint
from dprisk.ledger.entries import KINDS, START, Entry, canonical, origin_of
from dprisk.ledger.store import Store
from dprisk.ledger.store.guarding import complaints, unguarded
from dprisk.ledger.store.transactions import is_whole
from dprisk.text import fill

MOST: Final = 100
Replay = Callable[[Sequence[Entry]], Iterable["Flaw"]]
"""Function that makes every decision again: from whole entries to what differs."""


@final
@dataclass(frozen=True)
class Flaw:
    """One thing that is not as it was written."""

    key: str
    words: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return fill(self.key, **self.words)


@final
@dataclass(frozen=True)
class Verification:
    """Flaws found in a ledger, if any. Made by `verify`.

    Parameters
    ----------
    size : int
        How many entries there are. [0, inf)
    root : str
        Hash of the last one.
    origin : str
        What the ledger calls itself.
    checkpoint : Checkpoint or None
        What it was held against.
    flaws : tuple of Flaw
        What is wrong; empty if nothing is.
    """

    size: int
    root: str
    origin: str
    checkpoint: Checkpoint | None
    flaws: tuple[Flaw, ...]

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong."""
        return not self.flaws

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain data.

        Returns
        -------
        dict
            With a sentence for each flaw.
        """
        return {
            "whole": self.is_whole,
            "origin": self.origin,
            "size": self.size,
            "root": self.root,
            "checkpoint": self.checkpoint and self.checkpoint.size,
            "signed_by": self.checkpoint and self.checkpoint.signed_by,
            "flaws": [str(flaw) for flaw in self.flaws],
        }


def verify(
    store: Store, checkpoint: Checkpoint | None = None, replay: Replay | None = None
) -> Verification:
    """Compute a ledger again and hold it against a checkpoint that was kept elsewhere."""
    flaws = [*_of_the_database(store)]
    try:
        entries = store.rows()
    except DpriskError as error:
        entries = []
        flaws.append(Flaw("ledger.check.database", {"reason": str(error)}))
    flaws += _of_the_chain(entries)
    if checkpoint is not None:
        flaws += _against(entries, checkpoint)
    if not flaws and replay is not None:
        flaws += replay(entries)
    size, root = (entries[-1].seq, entries[-1].hash) if entries else (0, START)
    return Verification(size, root, _origin(entries), checkpoint, tuple(_some(flaws)))


def _some(flaws: list[Flaw]) -> list[Flaw]:
    if len(flaws) <= MOST:
        return flaws
    return [*flaws[:MOST], Flaw("ledger.check.more", {"count": len(flaws) - MOST})]


def _of_the_database(store: Store) -> Iterator[Flaw]:
    for reason in complaints(store):
        yield Flaw("ledger.check.database", {"reason": reason})
    try:
        for missing in unguarded(store):
            yield Flaw("ledger.check.unguarded", {"missing": missing})
    except DpriskError as error:
        yield Flaw("ledger.check.database", {"reason": str(error)})


def _of_the_chain(entries: Sequence[Entry]) -> Iterator[Flaw]:
    previous, expected = START, 1
    for entry in entries:
        said = {"seq": entry.seq, "expected": expected}
        if type(entry.seq) is not int or entry.seq < expected:
            yield Flaw("ledger.check.place", said)
        elif entry.seq > expected:
            yield Flaw("ledger.check.gap", said | {"seq": expected})
        if not is_whole(entry):
            yield Flaw("ledger.check.changed", said)
        elif entry.previous != previous:
            yield Flaw("ledger.check.order", said)
        else:
            yield from what_it_says(entry)
        previous = entry.hash
        expected = (entry.seq if type(entry.seq) is int else expected) + 1


def what_it_says(entry: Entry) -> Iterator[Flaw]:
    """Flaws of an entry whose hash is right: none, if dprisk has written it."""
    if entry.kind not in KINDS or (entry.kind == "ledger") is not (entry.seq == 1):
        yield Flaw("ledger.check.kind", {"seq": entry.seq, "kind": entry.kind})
    try:
        content = json.loads(entry.body)
        plain = isinstance(content, dict) and canonical(content) == entry.body
    except (ValueError, TypeError, RecursionError):
        plain = False
    if not plain:
        yield Flaw("ledger.check.body", {"seq": entry.seq})
    elif isinstance(release := content.get("release"), dict) and "text" in release:
        digest = hashlib.sha256(str(release["text"]).encode()).hexdigest()
        if release.get("sha256") != digest:
            yield Flaw("ledger.check.release", {"seq": entry.seq})


def _against(entries: Sequence[Entry], checkpoint: Checkpoint) -> Iterator[Flaw]:
    if (origin := _origin(entries)) != checkpoint.origin:
        yield Flaw("ledger.check.origin", {"origin": origin, "expected": checkpoint.origin})
    size = len(entries)
    said = {"size": min(size, checkpoint.size), "expected": checkpoint.size}
    if size < checkpoint.size:
        yield Flaw("ledger.check.shorter", said)
    elif (entries[checkpoint.size - 1].hash if checkpoint.size else START) != checkpoint.root:
        yield Flaw("ledger.check.root", said)


def _origin(entries: Sequence[Entry]) -> str:
    try:
        return origin_of(entries)
    except (ValueError, TypeError, AttributeError):  # it was changed, which is said elsewhere
        return ""
