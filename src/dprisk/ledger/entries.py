"""What happened, one entry after another, each with the hash of the one before.

The entries are all there is: accounts, charges and what is left are read off them. None is ever
changed or taken away; a correction is one entry more.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, final, get_args

from dprisk.errors import InvalidInput, refused

__all__ = ["KINDS", "START", "Entry", "EntryKind", "canonical", "canonical_text"]

EntryKind = Literal["ledger", "account", "reserved", "released", "voided", "refused"]
KINDS: Final[tuple[EntryKind, ...]] = get_args(EntryKind)
START: Final = "0" * 64
"""What the first entry has for the hash of the one before."""
SEPARATORS: Final = (",", ":")
_listed = json.JSONEncoder(separators=SEPARATORS, ensure_ascii=False).encode

canonical_text = json.JSONEncoder(sort_keys=True, separators=SEPARATORS, ensure_ascii=False).encode
"""`canonical` of what was read from an entry, which has no floats."""


def canonical(content: Mapping[str, Any]) -> str:
    """The one JSON text of plain data: keys in order, no blanks, no floats.

    Parameters
    ----------
    content : mapping
        Of text, whole numbers, True, False, None, and lists and mappings of these.
        Amounts are text.

    Returns
    -------
    str
        The same for the same content, on every machine.

    Raises
    ------
    TypeError
        If there is a float, or something that is no plain data.
    InvalidInput
        If a text cannot be written as UTF-8: it has lone surrogates.

    Examples
    --------
    >>> from dprisk.ledger.entries import canonical
    >>> canonical({"rho": "1/3", "count": 2})
    '{"count":2,"rho":"1/3"}'
    """
    _no_floats(content)
    text = canonical_text(content)
    _encoded(text)
    return text


def _no_floats(content: Any) -> None:
    if isinstance(content, float):
        raise TypeError(repr(content))
    if isinstance(content, str | int | None):
        return
    for each in content.values() if isinstance(content, Mapping) else content:
        _no_floats(each)


@final
@dataclass(frozen=True)
class Entry:
    """One thing that happened. Made by `Entry.after`.

    Parameters
    ----------
    seq : int
        Its place. [1, inf), without gaps
    kind : {"ledger", "account", "reserved", "released", "voided", "refused"}
        What happened.
    key : str or None
        The idempotency key of a reservation: no two of a ledger share one.
    at : str
        When, by the clock of whoever wrote it: ISO 8601, UTC, microseconds.
    by : str
        Who.
    body : str
        The rest, as canonical JSON.
    previous : str
        Hash of the entry before, in hexadecimal.
    hash : str
        SHA-256 of all the others, in hexadecimal.

    Examples
    --------
    >>> from dprisk.ledger.entries import Entry
    >>> at = "2026-01-01T00:00:00.000000Z"
    >>> first = Entry.after(None, "ledger", None, at, "ann", {"format": 1})
    >>> first.seq, first.is_whole, first.content
    (1, True, {'format': 1})
    """

    seq: int
    kind: EntryKind
    key: str | None
    at: str
    by: str
    body: str
    previous: str
    hash: str

    @classmethod
    def after(
        cls,
        last: Entry | None,
        kind: EntryKind,
        key: str | None,
        at: str,
        by: str,
        content: Mapping[str, Any],
    ) -> Entry:
        """The next entry of a ledger.

        Parameters
        ----------
        last : Entry or None
            The last one there is; None: this is the first.
        kind : {"ledger", "account", "reserved", "released", "voided", "refused"}
            What happened.
        key : str or None
            The idempotency key.
        at : str
            When.
        by : str
            Who.
        content : mapping
            The rest, as plain data without floats.

        Returns
        -------
        Entry
            With its hash.

        Raises
        ------
        InvalidInput
            If a text cannot be written as UTF-8.
        """
        seq, previous = (1, START) if last is None else (last.seq + 1, last.hash)
        body = canonical(content)
        return cls(
            seq, kind, key, at, by, body, previous, _hash(seq, kind, key, at, by, body, previous)
        )

    @property
    def is_whole(self) -> bool:
        """Whether its hash is that of what it says."""
        said = (self.seq, self.kind, self.key, self.at, self.by, self.body, self.previous)
        try:
            return self.hash == _hash(*said)
        except InvalidInput:  # nothing that could be written
            return False

    @cached_property
    def content(self) -> dict[str, Any]:
        """The body as plain data."""
        found: dict[str, Any] = json.loads(self.body)
        return found


def _hash(*said: str | int | None) -> str:
    return hashlib.sha256(_encoded(_listed(said))).hexdigest()


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise refused("ledger.text", "text", text[max(error.start - 20, 0) : error.end]) from None
