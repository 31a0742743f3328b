"""The beginning of a ledger, and entries with right hashes that dprisk would not write."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from dprisk import PureDP
from dprisk.ledger import Ledger
from dprisk.ledger.entries import Entry, canonical
from dprisk.ledger.store import Writing
from torture.commanding import SCHOOL, TOWN
from torture.working import AT

__all__ = ["COSTS", "RELEASES", "append", "begun_at", "charge", "digested", "pure"]

Content = dict[str, Any]
Change = Callable[[Content], Content]


def pure(value: float) -> PureDP:
    """A promise that the accounts add up."""
    return PureDP(value, neighbors="add-remove")


def begun_at(place: str | Path) -> Ledger:
    """A ledger with two accounts, one within the other."""
    made = Ledger.create(place, origin="Office", by="ann")
    for account in (TOWN, SCHOOL):
        made.account(account, by="ann")
    return made


def charge(ledger: Ledger, seq: int = 4) -> Content:
    """What a charge says, to be changed."""
    return copy.deepcopy(ledger.store.read()[seq - 1].content)


def append(
    ledger: Ledger,
    kind: Any,
    key: str | None,
    content: Mapping[str, Any],
    *,
    by: str = "ann",
    at: str = AT,
    body: str | None = None,
) -> None:
    """An entry with a right hash, whatever it says."""

    def work(writing: Writing) -> None:
        last = writing.entries()[-1]
        made = Entry.after(last, kind, key, at, by, {})
        said: tuple[Any, Any, Any, Any, Any, Any] = (
            made.seq,
            kind,
            key,
            at,
            by,
            canonical(content) if body is None else body,
        )
        listed = json.dumps((*said, made.previous), separators=(",", ":"), ensure_ascii=False)
        digest = hashlib.sha256(listed.encode()).hexdigest()
        writing.append(Entry(*said, made.previous, digest))

    ledger.store.write(work)


def digested(content: Content) -> Content:
    """The same with digests that are right."""
    said = {name: value for name, value in content.items() if name != "digest"}
    text = said["release"]["text"]
    said["release"]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    return {**said, "digest": hashlib.sha256(canonical(said).encode()).hexdigest()}


def changed(path: tuple[Any, ...], value: Any) -> Change:
    """A change of a charge: the place of what is changed, and what stands there then."""

    def change(content: Content) -> Content:
        *way, last = path
        at: Any = content
        for step in way:
            at = at[step]
        if value is None:
            del at[last]
        else:
            at[last] = value
        return content

    return change


SMALL = [[{"guarantee": {"epsilon": "0.0001"}}, 1]]
TEXT = ("release", "text")
COSTS: Final[dict[str, Change]] = {
    "less": changed(("costs", "town"), SMALL),
    "less in both": lambda c: c | {"costs": {"town": SMALL, "school": SMALL}},
    "none": changed(("costs",), {"school": [], "town": []}),
    "not in the whole": changed(("costs", "town"), None),
    "counted never": changed(("costs", "town", 0, 1), 0),
    "counted backwards": changed(("costs", "town", 0, 1), -50),
    "counted by text": changed(("costs", "town", 0, 1), "1"),
    "counted true": changed(("costs", "town", 0, 1), True),
    "a list": changed(("costs",), []),
    "a number": changed(("costs",), 7),
    "no part": changed(("costs", "town", 0, 0), {}),
    "an unknown part": changed(("costs", "town", 0, 0), {"guarantee": {"zeta": "1"}}),
    "a part twice": lambda c: c | {"costs": {n: 2 * v for n, v in c["costs"].items()}},
    "another name": changed(("name",), "Another"),
    "no name": changed(("name",), None),
    "a name of two lines": changed(("name",), "a\nb"),
    "a digest": changed(("release", "sha256"), "0" * 64),
    "another source": changed(("source",), ["x"]),
    "more": changed(("more",), 1),
}
"""What leaves the description as it is: its own costs count."""
RELEASES: Final[dict[str, Change]] = {
    "no release": changed(("release",), None),
    "a text for people": changed(TEXT, "<Release 'x': PureDP(0.125)>\n"),
    "a text that is no text": changed(TEXT, 7),
    "no text": changed(TEXT, ""),
    "no JSON": changed(TEXT, "{"),
    "deep": changed(TEXT, "[" * 10**5),
    "an endless number": changed(TEXT, '{"dprisk": 1, "guarantees": [{"epsilon": 1e999999999}]}'),
    "a negative epsilon": changed(TEXT, '{"dprisk": 1, "guarantees": [{"epsilon": -1}]}'),
    "two releases": changed(TEXT, "[{}, {}]"),
    "no account": changed(("accounts",), []),
    "an unknown account": changed(("accounts",), ["city"]),
    "accounts of numbers": changed(("accounts",), [1]),
    "accounts of another kind": changed(("accounts",), {"town": 1}),
    "over nothing": changed(("over",), 0),
    "over less": changed(("over",), -3),
    "a group of none": changed(("group",), -1),
    "a group of text": changed(("group",), "two"),
}
"""What leaves nothing to compute from."""
