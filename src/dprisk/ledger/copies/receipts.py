"""Receipts: a charge as whoever made it keeps it, and what it shows about a ledger later.

A receipt is a checkpoint with three more lines: the entry of the charge, when the receipt was
given, and whether it is signed. Every ledger that goes on from there has both entries. The form is
strict: a file that is not, byte for byte, what was read from it is refused.
"""

from __future__ import annotations

import hashlib
import os
import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, final

from dprisk._files import check_places, read, write
from dprisk._values import members
from dprisk.errors import DpriskError, InvalidFile, InvalidInput
from dprisk.ledger.copies.signing import LARGEST, decoded, key_place, public_place, signature
from dprisk.ledger.copies.verifying import (
    Checkpoint,
    checkpoint_at,
    checkpoint_in,
    read_export,
    signed_by,
)
from dprisk.ledger.entries import Entry, origin_of
from dprisk.ledger.state import TIME, moment
from dprisk.ledger.store import open_store
from dprisk.ledger.store.places import Location
from dprisk.ledger.store.store import is_whole

if TYPE_CHECKING:
    from dprisk.ledger.book import Ledger
    from dprisk.ledger.charges import Charge, ChargeRequest

Where = str | os.PathLike[str]
Verdict = Literal["kept", "cut off", "rewritten", "another ledger"]
LINES: Final = re.compile(
    r"entry ([1-9][0-9]{0,18}) ([A-Za-z0-9+/]{43}=)\n"
    rf"at ({TIME.pattern})\n"
    r"(signed|unsigned sha256 ([A-Za-z0-9+/]{43}=))\n",
    re.ASCII,
)
AS_WRITTEN: Final = "Use the file as dprisk ledger charge --receipt wrote it."
UNSIGNED: Final = " The receipt is unsigned: anyone could have written it."


@final
@dataclass(frozen=True)
class Receipt:
    """One charge, and how far the ledger was when its receipt was given."""

    note: Checkpoint
    seq: int  # number of the entry that reserved the charge
    hash: str  # hash of this entry, in hexadecimal
    at: str  # when it was given, by the clock of whoever gave it: ISO 8601, UTC

    @property
    def text(self) -> str:
        """The whole file."""
        return self.note.text

    @property
    def is_signed(self) -> bool:
        """Whether it has a signature."""
        return bool(self.note.signatures)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, with the text of the file."""
        return {**self.note.to_dict(), **members(self, "seq", "hash", "at", "text")}


def give_receipt(ledger: Ledger, charge: str) -> Receipt:
    """Give the receipt of a charge, signed if `make_key` has made a key for the ledger.

    Parameters
    ----------
    ledger : Ledger
        Where it was charged.
    charge : str
        The key of the charge, or the number of its entry.

    Returns
    -------
    Receipt
        Its `text` is what to keep away from the ledger.

    Raises
    ------
    InvalidInput
        If there is no such charge.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from dprisk import PureDP
    >>> from dprisk.budget import EpsilonLimit
    >>> from dprisk.ledger import Account, Ledger, check_receipts, give_receipt
    >>> limits = (EpsilonLimit(1.0, delta=0.0),)
    >>> town = Account("town", "residents", "person", "add-remove", "2026", "pure", limits)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Ledger.create(f"{folder}/a", origin="Office", by="ann") as ledger:
    ...         town = ledger.account(town, by="ann")
    ...         made = ledger.charge(PureDP(0.5, neighbors="add-remove"), "town", key="k", by="ann")
    ...         _ = Path(f"{folder}/k.note").write_text(give_receipt(ledger, "k").text)
    ...     [found] = check_receipts(f"{folder}/a", [f"{folder}/k.note"])
    >>> found.verdict
    'kept'
    """
    entry = _charged(ledger, charge)
    state, key = ledger.state(), key_place(ledger.store.location)
    at = moment(ledger.clock)
    said = f"entry {entry.seq} {b64encode(bytes.fromhex(entry.hash)).decode()}\nat {at}\n"
    note = replace(checkpoint_at(state), rest=said)
    if os.path.lexists(key):
        note = replace(note, rest=f"{said}signed\n").signed(key)
    else:
        note = replace(note, rest=f"{said}unsigned sha256 {_checksum(note.body)}\n")
    return Receipt(note, entry.seq, entry.hash, at)


def charge_with_receipt(
    ledger: Ledger,
    request: ChargeRequest,
    file: Where,
    *,
    by: str,
    release: bool = True,
    force: bool = False,
) -> Charge:
    """Charge a release and write its receipt; what would stop that is found before the charge."""
    check_places([file], force=force)
    key = key_place(ledger.store.location)
    if os.path.lexists(key):
        signature("", "", key)
    (charge,) = ledger.charge_all([request], by=by, release=release)
    try:
        write(file, give_receipt(ledger, charge.key).text.encode(), force=force)
    except DpriskError as error:
        why = f"The release is charged, but its receipt was not written. {error}"
        fix = f"Ask for the receipt again: dprisk ledger receipt LEDGER {charge.key}"
        raise InvalidFile(file, why, fix) from None
    return charge


def _charged(ledger: Ledger, charge: str) -> Entry:
    is_text = charge.encode("utf-8", "replace").decode() == charge
    found = ledger.store.of(charge)[:1] if is_text else []
    if not found and re.fullmatch("[1-9][0-9]{0,17}", charge, re.ASCII):
        entry = ledger.store.entry(int(charge))
        found = [entry] if entry is not None and entry.kind == "reserved" else []
    if not found or not is_whole(found[0]):
        raise InvalidInput(
            "key",
            charge,
            "the key of a charge, or the number of its entry",
            "`dprisk ledger history` lists the keys.",
        )
    return found[0]


def _checksum(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode()).digest()).decode()


def read_receipt(path: Where, key: Where | None = None, *, must: bool = True) -> Receipt:
    """Read a receipt; its signature is checked with a public key, without which it is refused.

    One without a signature is refused if there is a key and it `must` be signed.
    """
    text = read(path, LARGEST).decode("utf-8", "replace")
    note = checkpoint_in(text)
    found = None if note is None else LINES.fullmatch(note.rest)
    digest = decoded(found[2]) if found else b""
    if note is None or found is None or not digest or note.text != text:
        why = "This is not a whole receipt: it was cut short or changed, or it is something else."
        raise InvalidFile(path, why, AS_WRITTEN)
    if not _is_true(note, found):
        why = "This receipt was changed: it has another checksum, or lost its signature."
        raise InvalidFile(path, why, AS_WRITTEN)
    receipt = Receipt(note, int(found[1]), digest.hex(), found[3])
    if receipt.seq > note.size:
        raise InvalidFile(path, "This receipt was changed: its charge comes after its last entry.")
    if receipt.is_signed and key is None:
        raise InvalidFile(
            path,
            "This receipt is signed, and there is no public key to check it with.",
            "Name the key, which dprisk ledger key wrote, with --key.",
        )
    if key is None or not (receipt.is_signed or must):
        return receipt
    return replace(receipt, note=signed_by(note, path, key, "receipt"))


def _is_true(note: Checkpoint, found: re.Match[str]) -> bool:
    """Whether it is signed, or has the right checksum, as it says."""
    if found[4] == "signed":
        return bool(note.signatures)
    above = replace(note, rest=note.rest[: found.start(4)])
    return not note.signatures and found[5] == _checksum(above.body)


# --- what a receipt shows ------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class CheckedReceipt:
    """One receipt held against a ledger, in a sentence."""

    file: str
    receipt: Receipt
    verdict: Verdict
    why: str

    @property
    def kept(self) -> bool:
        """Whether the ledger goes on from where the receipt was given."""
        return self.verdict == "kept"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        said = members(self.receipt, "seq", "at")
        signer = self.receipt.note.signed_by
        return {**members(self, "file", "verdict", "why"), **said, "signed_by": signer}


def check_receipts(
    where: Where, receipts: Iterable[Where], *, public_key: Where | None = None
) -> tuple[CheckedReceipt, ...]:
    """Hold receipts against a ledger or an export: shows a rollback, a fork or a dropped tail.

    Parameters
    ----------
    where : str or path
        A ledger, a backup of one, or the folder of an export.
    receipts : iterable of str or path
        The files of the receipts.
    public_key : str or path, optional
        The key of whoever signed them. Left out, the one beside the ledger.

    Returns
    -------
    tuple of CheckedReceipt
        One for each: its `verdict`, and `why`, a sentence.

    Raises
    ------
    InvalidFile
        If a receipt is not whole, or its signature is not right.
    LedgerDamaged
        If the entries do not follow from each other: then no receipt is held against them.

    Examples
    --------
    >>> from dprisk.ledger import check_receipts
    >>> check_receipts("office.ledger", ["map.note"])  # doctest: +SKIP
    """
    if os.path.isdir(where):
        return hold_against(read_export(where), receipts, public_key)
    with closing(open_store(where)) as store:
        return hold_against(store.read(), receipts, public_key, store.location)


def hold_against(
    entries: Sequence[Entry],
    receipts: Iterable[Where],
    public_key: Where | None,
    location: Location | None = None,
) -> tuple[CheckedReceipt, ...]:
    """Hold receipts against entries, which follow from each other, with the key beside a ledger."""
    own = None if location is None else public_place(location)
    key = public_key or (own if own is not None and own.exists() else None)
    found = []
    for file in receipts:
        receipt = read_receipt(file, key, must=public_key is not None)
        verdict, why = _against(receipt, entries)
        sign = f" It is signed by {receipt.note.signed_by}." if receipt.is_signed else UNSIGNED
        found.append(CheckedReceipt(os.fspath(file), receipt, verdict, why + sign))
    return tuple(found)


def _against(receipt: Receipt, entries: Sequence[Entry]) -> tuple[Verdict, str]:
    seq, size, there = receipt.seq, receipt.note.size, len(entries)
    origin = origin_of(entries)
    if origin != receipt.note.origin:
        return "another ledger", (
            f"This is the ledger of {origin}, and the receipt is from the ledger of "
            f"{receipt.note.origin}."
        )
    is_there = seq <= there and entries[seq - 1].hash == receipt.hash
    if seq <= there and not is_there:
        return "rewritten", (
            f"Entry {seq} is not the one on the receipt: the ledger was rewritten from there or "
            "earlier, or it is a copy that went its own way."
        )
    if there < size:
        charge = "is still there" if is_there else "is missing"
        return "cut off", (
            f"The ledger ends at entry {there}, and had {size} when the receipt was given: it is "
            f"an older copy, or its last entries were removed. The charge itself, entry {seq}, "
            f"{charge}."
        )
    if entries[size - 1].hash != receipt.note.root:
        return "rewritten", (
            f"Entry {seq} is there, but entry {size} is not the one of then: the ledger was "
            "rewritten in between, or it is a copy that went its own way."
        )
    return "kept", f"Entry {seq} is there, and so is everything up to entry {size}, of {there}."
