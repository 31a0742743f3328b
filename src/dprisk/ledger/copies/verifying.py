"""A ledger computed again: hashes, order, decisions, and what a checkpoint from elsewhere says.

A checkpoint (C2SP's signed notes) says how long a ledger was and the hash it ended with. What an
export holds is checked in the same way before a ledger is made of it.
"""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, final
from uuid import uuid4

from dprisk._files import read, read_text, regular, write
from dprisk._values import members
from dprisk.errors import DpriskError, InvalidFile, InvalidInput, LedgerUnavailable
from dprisk.ledger.accounts import line
from dprisk.ledger.copies.signing import LARGEST, check_signature, decoded, signature
from dprisk.ledger.deciding import Author, recompute
from dprisk.ledger.entries import FORMAT, START, Entry, contents, origin_of
from dprisk.ledger.kept import kept, newer, place_of, recall, summary_of, went_back
from dprisk.ledger.state import LEDGER_FORMAT, State
from dprisk.ledger.store import Store, open_store
from dprisk.ledger.store.opening import complaints, unguarded
from dprisk.ledger.store.places import Location
from dprisk.ledger.store.store import check_rows, is_whole

BODY: Final = re.compile(r"([^\n]+)\n(0|[1-9][0-9]{0,18})\n([A-Za-z0-9+/]{43}=)\n((?:[^\n]+\n)*)")
SIGNATURE: Final = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/=]+)")
COPY_AGAIN: Final = "Copy the whole export again, or export the ledger once more."
MOST: Final = 100  # flaws that are listed
DAMAGE: Final = "The database reports damage: {}."
UNGUARDED: Final = (
    "The database does not protect its entries from changes: {} is missing or switched off."
)
FALSE: Final = "The summary in {} does not follow from the entries. Remove this file."
Where = str | os.PathLike[str]


@final
@dataclass(frozen=True)
class Checkpoint:
    """How long a ledger was, and the hash it ended with, as it is kept somewhere else."""

    origin: str
    size: int
    root: str  # in hexadecimal
    rest: str = ""  # further lines, which say nothing to dprisk
    signatures: tuple[str, ...] = ()
    signed_by: str | None = None  # whose signature was checked

    @property
    def body(self) -> str:
        """The text that is signed."""
        root = base64.b64encode(bytes.fromhex(self.root)).decode()
        return f"{self.origin}\n{self.size}\n{root}\n{self.rest}"

    @property
    def text(self) -> str:
        """The whole file."""
        return self.body + "".join(["\n", *(f"{each}\n" for each in self.signatures)])

    @property
    def signer(self) -> str:
        """The name under which the ledger signs: its origin, without blanks and plus signs."""
        return re.sub(r"[\s+]+", "-", self.origin)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without the signatures."""
        return {**members(self, "origin", "size", "root"), "signed": bool(self.signatures)}

    def signed(self, key: Where) -> Checkpoint:
        """The same with one more signature, by the Ed25519 private key in a PEM file."""
        line = signature(self.signer, self.body, key)
        return replace(self, signatures=(*self.signatures, line), signed_by=self.signer)


def checkpoint_at(state: State) -> Checkpoint:
    """The checkpoint of a ledger as it is known, by whatever way."""
    size, root = (state.size, state.head.hash) if state.head else (0, START)
    return Checkpoint(str(state.identity.get("origin", "")), size, root)


def write_checkpoint(checkpoint: Checkpoint, path: Where, *, force: bool = False) -> None:
    """Write a checkpoint to a file, whole or not at all."""
    write(path, checkpoint.text.encode(), force=force)


def read_checkpoint(path: Where, key: Where | None = None) -> Checkpoint:
    """Read a checkpoint from a file; with a public key, its signature is checked."""
    checkpoint = checkpoint_in(read_text(path, LARGEST))
    if checkpoint is None:
        raise InvalidFile(
            path,
            "This is not a checkpoint. A checkpoint has an origin, a size and a root, each on a "
            "line, then an empty line and signatures.",
            "Use the file as dprisk ledger checkpoint wrote it.",
        )
    return checkpoint if key is None else signed_by(checkpoint, path, key)


def checkpoint_in(text: str) -> Checkpoint | None:
    """The checkpoint that a text is; None if it is none."""
    body, blank, signed = text.partition("\n\n")
    found = BODY.fullmatch(body + "\n" if blank else body)
    lines = signed.splitlines()
    root = decoded(found[3]) if found else b""
    if not (found and root and all(SIGNATURE.fullmatch(line) for line in lines)):
        return None
    return Checkpoint(found[1], int(found[2]), root.hex(), found[4], tuple(lines))


def signed_by(
    checkpoint: Checkpoint, path: Where, key: Where, what: str = "checkpoint"
) -> Checkpoint:
    """The same, if it is signed with a public key; else what is wrong with the file."""
    who, lines = checkpoint.signer, checkpoint.signatures
    check_signature(who, checkpoint.body, lines, key, path, what)
    return replace(checkpoint, signed_by=who)


# --- what is found -------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Verification:
    """Findings about a ledger that was computed again; it is whole if there are no flaws."""

    size: int
    root: str
    origin: str
    checkpoint: Checkpoint | None  # what it was held against
    flaws: tuple[str, ...]  # a sentence each
    taken: int = 0  # entries of earlier versions, whose costs are as recorded
    stated: tuple[str, ...] = ()  # what somebody states that cannot be computed, a sentence each

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong."""
        return not self.flaws

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, with a sentence for each flaw."""
        note = self.checkpoint
        return {
            "whole": self.is_whole,
            **members(self, "origin", "size", "root"),
            "checkpoint": note and note.size,
            "signed_by": note and note.signed_by,
            "flaws": list(self.flaws),
            "taken": self.taken,
            "stated": list(self.stated),
        }


def verify(
    store: Store,
    checkpoint: Checkpoint | None = None,
    *,
    replay: bool = False,
    contents: bool = True,
) -> Verification:
    """Compute a ledger again and hold it against a checkpoint that was kept elsewhere.

    Without `contents`, only what the store itself is for: the database, hashes and their order.
    """
    flaws, entries, state = [*_flaws_of_database(store)], list[Entry](), State()
    try:
        entries = store.rows()
    except DpriskError as error:
        flaws.append(DAMAGE.format(error))
    flaws += (broken := [*_flaws_of_chain(entries)])
    if checkpoint is not None:
        flaws += _flaws_against(entries, checkpoint)
    if contents and not broken:
        recall(known := State(), store)
        flaws += recompute(entries[: known.size], state, replay=replay)
        if known.head and (back := went_back("The ledger", known.head, entries)):
            flaws.append(f"{back}This is known from {place_of(store.location)}.")
        elif known.head and summary_of(known) != summary_of(state):
            flaws.append(FALSE.format(place_of(store.location)))
        flaws += recompute(entries[known.size :], state, replay=replay)
    if len(flaws) > MOST:
        flaws[MOST:] = [f"There are {len(flaws) - MOST} more findings."]
    size, root = (entries[-1].seq, entries[-1].hash) if entries else (0, START)
    said = state.taken, state.statements()
    return Verification(size, root, _origin(entries), checkpoint, tuple(flaws), *said)


def _flaws_of_database(store: Store) -> Iterator[str]:
    yield from map(DAMAGE.format, complaints(store))
    try:
        yield from map(UNGUARDED.format, unguarded(store))
    except DpriskError as error:
        yield DAMAGE.format(error)


def _flaws_of_chain(entries: Sequence[Entry]) -> Iterator[str]:
    previous, expected = START, 1
    for entry in entries:
        if type(entry.seq) is not int or entry.seq < expected:
            yield f"Entry {entry.seq} is where entry {expected} should be."
        elif entry.seq > expected:
            yield f"Entry {expected} is missing."
        if not is_whole(entry):
            yield f"Entry {entry.seq} was changed: its hash does not match its content."
        elif entry.previous != previous:
            yield f"Entry {entry.seq} does not follow the one before it."
        previous = entry.hash
        expected = (entry.seq if type(entry.seq) is int else expected) + 1


def _flaws_against(entries: Sequence[Entry], checkpoint: Checkpoint) -> Iterator[str]:
    if (origin := _origin(entries)) != checkpoint.origin:
        yield (
            f"This is the ledger of {origin}, but the checkpoint is from the ledger of "
            f"{checkpoint.origin}."
        )
    size, there = checkpoint.size, len(entries)
    if there < size:
        yield (
            f"The ledger ends at entry {there}, and the checkpoint at entry {size}. The last "
            "entries were removed, or an older backup was restored."
        )
    elif (entries[size - 1].hash if size else START) != checkpoint.root:
        yield (
            f"Entry {size} differs from the checkpoint: the ledger was rewritten up to this "
            "entry, or it is a different ledger."
        )


def _origin(entries: Sequence[Entry]) -> str:
    try:
        return origin_of(entries)
    except (ValueError, TypeError, AttributeError):  # it was changed, which is said elsewhere
        return ""


# --- how a ledger begins -------------------------------------------------------------------------


def found_ledger(where: Where, origin: str, author: Author) -> Store:
    """The store of a new ledger, with its first entry."""
    _refuse_lost(Location.of(where))
    said = {"ledger": uuid4().hex, "origin": line("origin", origin), "format": LEDGER_FORMAT}
    first = author.after(None, "ledger", None, said)
    fix = (
        "A ledger is already there, and dprisk never resets one. Open it, or choose another place."
    )
    return _begin(where, [first], fix)


def _refuse_lost(location: Location) -> None:
    """Refuse to begin anew where the entries of a ledger were seen, and are gone."""
    if _is_gone(location) and (seen := kept(location)):
        raise LedgerUnavailable(
            location.shown,
            f"A ledger with {seen.size} entries was here, and the file is empty or gone. Put a "
            "backup back with dprisk ledger restore. To start again from nothing, remove "
            f"{place_of(location)} first.",
        )


def _is_gone(location: Location) -> bool:
    path = location.path
    return path is not None and not (path.exists() and path.stat().st_size)


def import_ledger(folder: Where, where: Where, *, as_is: bool = False) -> Store:
    """Make a ledger from the files of an export; as it is, or if no entry of it has a flaw."""
    entries, fix = read_export(folder), "An import makes a new ledger and never replaces one."
    location = Location.of(where)
    if (location.path is None or _is_gone(location)) and (found := newer(location, entries)):
        raise InvalidFile(Path(folder) / "entries.jsonl", *found)
    for flaw in () if as_is else recompute(entries, State()):
        raise InvalidFile(
            Path(folder) / "entries.jsonl",
            flaw,
            "To keep the ledger as it is, with all its flaws, import it with --as-is.",
        )
    return _begin(where, entries, fix)


def _begin(where: Where, entries: Sequence[Entry], fix: str) -> Store:
    """The store of a new ledger with these entries; closed again where there is one already."""
    store = open_store(where, create=True)

    def work(writing: Any) -> Store:
        if writing.entries():
            raise InvalidInput("ledger", store.location.shown, "a place without a ledger", fix)
        for entry in entries:
            writing.append(entry)
        return store

    try:
        return store.write(work)
    except BaseException:
        store.close()
        raise


def read_export(folder: Where) -> list[Entry]:
    """Read the entries of an export and check that each of its files says the same."""
    place = Path(folder)
    about = _json(place / "ledger.json", _text(place / "ledger.json"))
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise InvalidFile(
            place / "ledger.json",
            f"This is not an export that this version of dprisk reads (it reads format {FORMAT}).",
        )
    lines = place / "entries.jsonl"
    written = filter(None, _text(lines).split("\n"))
    rows = [_row(lines, number, each) for number, each in enumerate(written, 1)]
    entries = check_rows(rows, 0, str(lines))
    if about.get("size") != len(entries):
        raise InvalidFile(
            lines,
            f"It has {len(entries)} entries, and ledger.json counts {about.get('size')}: the "
            "export was copied in part.",
            COPY_AGAIN,
        )
    for name, content in contents(entries).items():
        if read(place / name, regular(place / name)) != content:
            raise InvalidFile(
                place / name,
                "It differs from the entries.",
                "Use the files of the export unchanged.",
            )
    return entries


def _text(path: Path) -> str:
    return read_text(path, regular(path))  # as long as it is: a ledger has no end


def _row(path: Path, number: int, text: str) -> tuple[Any, ...]:
    where = f"line {number}"
    said, names = _json(path, text, where), tuple(Entry.__dataclass_fields__)
    if not isinstance(said, dict) or said.keys() != set(names):
        raise InvalidFile(path, "This is not an entry of a ledger.", COPY_AGAIN, where)
    return tuple(said[name] for name in names)


def _json(path: Path, text: str, where: str | None = None) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        why = "This is not valid JSON: the file was cut short or changed."
        raise InvalidFile(path, why, COPY_AGAIN, where) from None
