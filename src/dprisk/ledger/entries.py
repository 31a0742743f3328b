"""What happened, one entry after another, each with the hash of the one before."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, final, get_args

from dprisk.errors import InvalidInput, refused

EntryKind = Literal["ledger", "account", "reserved", "released", "voided", "refused"]
KINDS: Final[tuple[EntryKind, ...]] = get_args(EntryKind)
START: Final = "0" * 64
"""What the first entry has for the hash of the one before."""
SEPARATORS: Final = (",", ":")
_listed = json.JSONEncoder(separators=SEPARATORS, ensure_ascii=False).encode

canonical_text = json.JSONEncoder(sort_keys=True, separators=SEPARATORS, ensure_ascii=False).encode
"""`canonical` of what was read from an entry, which has no floats."""


def canonical(content: Mapping[str, Any]) -> str:
    """The one JSON text of plain data: keys in order, no blanks, no floats."""
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
    """One thing that happened."""

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
        """The next entry of a ledger."""
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
