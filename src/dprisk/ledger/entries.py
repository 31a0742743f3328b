"""Log of what happened: one entry after another, each with the hash of the one before."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal, final, get_args

from dprisk._files import write_all
from dprisk.errors import InvalidFile, InvalidInput

EntryKind = Literal["ledger", "account", "reserved", "released", "voided", "refused"]
KINDS: Final[tuple[EntryKind, ...]] = get_args(EntryKind)
START: Final = "0" * 64
"""Hash that stands in the first entry for that of the one before."""
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


def without_floats(content: Any) -> Any:
    """Plain data with its floats as text that reads back the same."""
    if isinstance(content, Mapping):
        return {name: without_floats(each) for name, each in content.items()}
    if isinstance(content, list | tuple):
        return [without_floats(each) for each in content]
    return repr(float(content)) if isinstance(content, float) else content


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
        raise InvalidInput(
            "text", text[max(error.start - 20, 0) : error.end], "text that can be written as UTF-8"
        ) from None


FORMAT: Final = 1
SUFFIX: Final = re.compile(r"\.[a-z0-9]{1,8}")


def export_entries(entries: Sequence[Entry], folder: Path) -> None:
    """Write a folder."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidFile(
            folder,
            "There is already something in this place.",
            "Name a folder that is empty or does not exist yet.",
        )
    write_all({folder / name: content for name, content in contents(entries).items()}, make=True)


def contents(entries: Sequence[Entry]) -> dict[str, bytes]:
    """The files of an export, the one that says what they are last."""
    files = {"entries.jsonl": b"".join(map(_line, entries))}
    files |= {f"releases/{name}": text for name, text in release_texts(entries).items()}
    about = {
        "format": FORMAT,
        "origin": origin_of(entries),
        "root": entries[-1].hash if entries else START,
        "size": len(entries),
    }
    files["ledger.json"] = (json.dumps(about, indent=2, ensure_ascii=False) + "\n").encode()
    return files


def _line(entry: Entry) -> bytes:
    return (canonical(asdict(entry)) + "\n").encode()


def origin_of(entries: Sequence[Entry]) -> str:
    """Name that a ledger gives itself in its first entry."""
    return str(entries[0].content.get("origin", "")) if entries else ""


def release_texts(entries: Iterable[Entry]) -> dict[str, bytes]:
    """The descriptions of releases as their authors wrote them, by digest and kind of file."""
    found = {}
    for entry in entries:
        if '"release"' in entry.body and isinstance(
            release := entry.content.get("release"), Mapping
        ):
            raw = str(release.get("text", "")).encode()
            found[hashlib.sha256(raw).hexdigest() + _suffix(release)] = raw
    return found


def _suffix(release: Mapping[str, Any]) -> str:
    suffix = Path(str(release.get("file", ""))).suffix.lower()
    return suffix if SUFFIX.fullmatch(suffix) else ""
