"""A ledger computed again: hashes, order, decisions, and what a checkpoint from elsewhere says.

A checkpoint (C2SP's signed notes) says how long a ledger was and the hash it ended with. What an
export holds is checked in the same way before a ledger is made of it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, final
from uuid import uuid4

from dprisk._files import read, read_text, regular, write
from dprisk._values import members
from dprisk.errors import DpriskError, InvalidFile, InvalidInput, NotInstalled
from dprisk.ledger.accounts import line
from dprisk.ledger.entries import FORMAT, KINDS, START, Entry, canonical, contents, origin_of
from dprisk.ledger.state import Author, find_reversed
from dprisk.ledger.store import Store, open_store
from dprisk.ledger.store.opening import complaints, unguarded
from dprisk.ledger.store.store import check_rows, is_whole

ED25519: Final = b"\x01"
LARGEST: Final = 10**6  # bytes of a file
BODY: Final = re.compile(r"([^\n]+)\n(0|[1-9][0-9]{0,18})\n([A-Za-z0-9+/]{43}=)\n((?:[^\n]+\n)*)")
SIGNATURE: Final = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/=]+)")
MOST: Final = 100  # flaws that are listed
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
        private = _key(key, private=True)
        signature = _key_id(self.signer, private.public_key()) + private.sign(self.body.encode())
        line = f"— {self.signer} {base64.b64encode(signature).decode()}"
        return replace(self, signatures=(*self.signatures, line), signed_by=self.signer)


def checkpoint_of(entries: Sequence[Entry]) -> Checkpoint:
    """The checkpoint of a whole ledger."""
    last = entries[-1].hash if entries else START
    return Checkpoint(origin_of(entries), len(entries), last)


def write_checkpoint(checkpoint: Checkpoint, path: Where, *, force: bool = False) -> None:
    """Write a checkpoint to a file, whole or not at all."""
    write(path, checkpoint.text.encode(), force=force)


def read_checkpoint(path: Where, key: Where | None = None) -> Checkpoint:
    """Read a checkpoint from a file; with a public key, its signature is checked."""
    body, blank, signed = read_text(path, LARGEST).partition("\n\n")
    found = BODY.fullmatch(body + "\n" if blank else body)
    lines = signed.splitlines()
    root = _decoded(found[3]) if found else b""
    if not (found and root and all(SIGNATURE.fullmatch(line) for line in lines)):
        raise InvalidFile(
            path,
            "This is not a checkpoint. A checkpoint has an origin, a size and a root, each on a "
            "line, then an empty line and signatures.",
            "Use the file as dprisk ledger checkpoint wrote it.",
        )
    checkpoint = Checkpoint(found[1], int(found[2]), root.hex(), found[4], tuple(lines))
    return checkpoint if key is None else _checked(checkpoint, path, _key(key, private=False))


def _checked(checkpoint: Checkpoint, path: Where, public: Any) -> Checkpoint:
    from cryptography.exceptions import InvalidSignature

    who = checkpoint.signer
    for said in checkpoint.signatures:
        signer, encoded = said[2:].rsplit(" ", 1)
        raw = _decoded(encoded)
        if signer == who and raw[:4] == _key_id(who, public):
            try:
                public.verify(raw[4:], checkpoint.body.encode())
            except InvalidSignature:
                raise InvalidFile(
                    path,
                    f"The signature of {who} is wrong: the checkpoint was changed, or signed with "
                    "another key.",
                ) from None
            return replace(checkpoint, signed_by=who)
    raise InvalidFile(path, f"The checkpoint is not signed by {who} with this key.")


def _key(path: Where, *, private: bool) -> Any:
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise NotInstalled(
            "Signatures need the library cryptography. Install it with: pip install "
            "'dprisk[ledger]'."
        ) from None
    raw = read_text(path, LARGEST).encode()
    load: Any = serialization.load_pem_public_key
    kind: Any = ed25519.Ed25519PublicKey
    problem = "This is not an Ed25519 public key."
    fix = "Make it from the private key with: openssl pkey -pubout."
    if private:
        load = partial(serialization.load_pem_private_key, password=None)
        kind = ed25519.Ed25519PrivateKey
        problem = "This is not a readable Ed25519 private key."
        fix = "Make one with: openssl genpkey -algorithm ed25519, without a password."
    with suppress(ValueError, TypeError):  # no key, or one with a password
        if isinstance(key := load(raw), kind):
            return key
    raise InvalidFile(path, problem, fix)


def _key_id(name: str, public: Any) -> bytes:
    """Four bytes that tell two keys of one name apart: of SHA-256(name, newline, kind, key)."""
    return hashlib.sha256(name.encode() + b"\n" + ED25519 + public.public_bytes_raw()).digest()[:4]


def _decoded(text: str) -> bytes:
    """The bytes, or none if that is not the one text that stands for them."""
    try:
        raw = base64.b64decode(text, validate=True)
    except binascii.Error:
        return b""
    return raw if base64.b64encode(raw).decode() == text else b""


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
        }


def verify(
    store: Store, checkpoint: Checkpoint | None = None, *, replay: bool = False
) -> Verification:
    """Compute a ledger again and hold it against a checkpoint that was kept elsewhere."""
    flaws, entries = [*_flaws_of_database(store)], list[Entry]()
    try:
        entries = store.rows()
    except DpriskError as error:
        flaws.append(f"The database reports damage: {error}.")
    flaws += _flaws_of_chain(entries)
    if checkpoint is not None:
        flaws += _flaws_against(entries, checkpoint)
    if not flaws and replay:
        flaws += [REVERSED[entry.kind].format(entry.seq) for entry in find_reversed(entries)]
    if len(flaws) > MOST:
        flaws[MOST:] = [f"There are {len(flaws) - MOST} more findings."]
    size, root = (entries[-1].seq, entries[-1].hash) if entries else (0, START)
    return Verification(size, root, _origin(entries), checkpoint, tuple(flaws))


REVERSED: Final = {
    "account": "Entry {} opens an account that was open already.",
    "ledger": "Entry {} starts the ledger again.",
    "refused": "Entry {} refuses a release that every limit allows.",
    "released": "Entry {} releases a charge that was not reserved.",
    "reserved": "Entry {} reserves a release that a limit does not allow.",
    "voided": "Entry {} voids a charge that was not reserved.",
}
"""What is wrong with an entry that today would be decided otherwise."""


def _flaws_of_database(store: Store) -> Iterator[str]:
    yield from (f"The database reports damage: {reason}." for reason in complaints(store))
    try:
        for missing in unguarded(store):
            yield (
                f"The database does not protect its entries from changes: {missing} is missing or "
                "switched off."
            )
    except DpriskError as error:
        yield f"The database reports damage: {error}."


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
        else:
            yield from _flaws_inside(entry)
        previous = entry.hash
        expected = (entry.seq if type(entry.seq) is int else expected) + 1


def _flaws_inside(entry: Entry) -> Iterator[str]:
    """Flaws of an entry whose hash is right: none, if dprisk has written it."""
    if entry.kind not in KINDS or (entry.kind == "ledger") is not (entry.seq == 1):
        yield f"Entry {entry.seq} has a kind that no version of dprisk writes there: {entry.kind}."
    try:
        content = json.loads(entry.body)
        plain = isinstance(content, dict) and canonical(content) == entry.body
    except (ValueError, TypeError, RecursionError):
        plain = False
    if not plain:
        yield f"Entry {entry.seq} cannot be read."
    elif isinstance(release := content.get("release"), dict) and "text" in release:
        digest = hashlib.sha256(str(release["text"]).encode()).hexdigest()
        if release.get("sha256") != digest:
            yield f"The description in entry {entry.seq} is not the one that was recorded."


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
    said = {"ledger": uuid4().hex, "origin": line("origin", origin), "format": FORMAT}
    first = author.after(None, "ledger", None, said)
    fix = (
        "A ledger is already there, and dprisk never resets one. Open it, or choose another place."
    )
    return _begin(where, [first], fix)


def import_ledger(folder: Where, where: Where) -> Store:
    """Make a ledger from the files of an export."""
    fix = "An import makes a new ledger and never replaces one."
    return _begin(where, read_export(folder), fix)


def _begin(where: Where, entries: Sequence[Entry], fix: str) -> Store:
    """The store of a new ledger with these entries; closed again where there is one already."""
    store = open_store(where, create=True)

    def work(writing: Any) -> None:
        if writing.entries():
            raise InvalidInput("where", store.location.shown, "a place without a ledger", fix)
        for entry in entries:
            writing.append(entry)

    try:
        store.write(work)
    except BaseException:
        store.close()
        raise
    return store


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
    for flaw in (flaw for entry in entries for flaw in _flaws_inside(entry)):
        raise InvalidFile(lines, flaw)
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
    said, names = _json(path, text, f"line {number}"), tuple(Entry.__dataclass_fields__)
    if not isinstance(said, dict) or said.keys() != set(names):
        raise InvalidFile(path, "This is not an entry of a ledger.", "", f"line {number}")
    return tuple(said[name] for name in names)


def _json(path: Path, text: str, where: str | None = None) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidFile(path, "This is not valid JSON.", "", where) from None
