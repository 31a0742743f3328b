"""A ledger as plain files, from which it can be made again."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from dprisk._files import write_all
from dprisk.errors import unreadable
from dprisk.ledger.entries import START, Entry, canonical

FORMAT: Final = 1
SUFFIX: Final = re.compile(r"\.[a-z0-9]{1,8}")


def exported(entries: Sequence[Entry], folder: Path) -> None:
    """Write a folder."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise unreadable(folder, "ledger.export.taken")
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
    """What a ledger calls itself, in its first entry."""
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
