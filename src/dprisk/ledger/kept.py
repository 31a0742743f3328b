"""A summary of a ledger, kept beside it: what has been computed once is not read again.

It is checked, and never trusted alone: it has its own digest, it belongs to whoever reads it, and
the ledger has the entry with which it ends, or is refused as an older copy. What is no such summary
is not used. `verify` computes all of it again.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dprisk._files import write
from dprisk.errors import DpriskError, LedgerDamaged
from dprisk.ledger.accounts import Account, account_content, account_of
from dprisk.ledger.charges import Charge, Costs
from dprisk.ledger.entries import Entry, canonical
from dprisk.ledger.rules import rule_of
from dprisk.ledger.state import UNREADABLE, State, Tally, count_parts

if TYPE_CHECKING:
    from dprisk.ledger.store import Store
    from dprisk.ledger.store.places import Location

SUMMARY: Final = 1  # the form of the file
WORTH: Final = 100  # entries that are read again rather than summed up
TEXTS: Final = ("key", "status", "name", "at", "by", "source", "digest")  # of a charge
OTHERS: Final = 0o022  # rights to write that nobody else may have


CACHE: Final = ("XDG_CACHE_HOME", "~/.cache")


def place_of(location: Location, what: str = "summary", home: tuple[str, str] = CACHE) -> Path:
    """The file: beside the ledger, or in a folder of the user for one on a server."""
    if location.path is not None:
        return location.path.with_name(f"{location.path.name}-{what}")
    named = hashlib.sha256(str(location.url).encode()).hexdigest()
    folder = os.environ.get(home[0]) or os.path.expanduser(home[1])
    return Path(folder) / "dprisk" / f"{named}-{what}"


def summary_of(state: State) -> str:
    """Text of everything that is kept of a state; charges that nothing can change are left out."""
    said = {
        "summary": SUMMARY,
        "head": state.head and asdict(state.head),
        "first": state.first and asdict(state.first),
        "accounts": [account_content(each) for each in state.accounts.values()],
        "tallies": {
            name: [tally.spent, tally.counts, tally.last and _charge(tally.last)]
            for name, tally in state.tallies.items()
        },
        "open": [_charge(each) for each in state.charges.values() if each.status == "reserved"],
        "flaws": {str(seq): flaw for seq, flaw in state.flaws.items()},
        "refusals": state.refusals,
        "taken": state.taken,
    }
    text = canonical(said)
    return f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}\n"


def _charge(charge: Charge) -> dict[str, Any]:
    return {n: v for n, v in vars(charge).items() if n != "contradicted"}


def keep(state: State, store: Store) -> None:
    """Write the summary, where enough is new and a file can be written."""
    if state.size - state.summed < WORTH:
        return
    with suppress(DpriskError, OSError):
        place = place_of(store.location)
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write(place, summary_of(state).encode(), force=True)
        place.chmod(0o600)


def kept(location: Location) -> State | None:
    """The state in the summary, if it is whole and nobody but its reader can have written it."""
    try:
        place = place_of(location)
        found = place.lstat()
        is_mine = stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid()
        if not is_mine or found.st_mode & OTHERS:
            return None
        digest, _, text = place.read_text("utf-8").rstrip("\n").partition("\n")
        if digest != hashlib.sha256(text.encode()).hexdigest():
            return None
        return _state(json.loads(text))
    except (OSError, *UNREADABLE):  # of another version
        return None


def recall(state: State, store: Store) -> None:
    """Begin an empty state with the summary, if it is of this very ledger."""
    if state.head is None and (found := kept(store.location)) and store.entry(1) == found.first:
        state.become(found)


def _state(said: dict[str, Any]) -> State:
    first, head = Entry(**said["first"]), Entry(**said["head"])
    accounts = {each["name"]: account_of(each) for each in said["accounts"]}
    is_known = said["summary"] == SUMMARY and said["tallies"].keys() == accounts.keys()
    if not is_known or type(head.seq) is not int or head.seq < 1:
        raise ValueError
    tallies = {name: _tally(accounts, name, *each) for name, each in said["tallies"].items()}
    charges = [_read_charge(each, accounts) for each in said["open"]]
    return State(
        head,
        first,
        accounts,
        {each.key: each for each in charges},
        int(said["refusals"]),
        {int(seq): str(flaw) for seq, flaw in said["flaws"].items()},
        int(said["taken"]),
        head.seq,
        head.seq,
        tallies=tallies,
    )


def _tally(accounts: Mapping[str, Account], name: str, spent: Any, counts: Any, last: Any) -> Tally:
    found = None if last is None else _read_charge(last, accounts)
    return Tally(_spent(spent, accounts[name]), _counted(counts, 0), found)


def _read_charge(said: Mapping[str, Any], accounts: Mapping[str, Account]) -> Charge:
    if type(said["seq"]) is not int or not all(type(said[name]) is str for name in TEXTS):
        raise ValueError
    spent = {name: _spent(cost, accounts[name]) for name, cost in said["costs"].items()}
    return Charge(**{**said, "costs": spent})


def _spent(said: Mapping[str, int], account: Account) -> Costs:
    """Parts that were charged to an account, each one that its rule counts."""
    found, rule = _counted(said, 1), rule_of(account)
    for part in count_parts(found, account):
        rule.check_part(part)
    return found


def _counted(said: Mapping[str, int], least: int) -> Counter[str]:
    if not all(type(count) is int and count >= least for count in said.values()):
        raise ValueError
    return Counter(said)


# --- a ledger that went back ---------------------------------------------------------------------

SHORTER: Final = (
    "{} ends at entry {}, and entry {} was seen here before: it is an older copy, or its last "
    "entries were removed. "
)
OTHERWISE: Final = (
    "{} has another entry {} than the one seen here before: it was rewritten, or it is a copy that "
    "went its own way. "
)
GO_ON: Final = (
    "To go on with this copy, stop every program that uses the ledger and remove the file {} (if "
    "it is there). Then charge again every release that is missing: what was published stays spent."
)


def went_back(what: str, seen: Entry, there: Sequence[Entry]) -> str:
    """The words for entries that are not those seen before; none, if they go on from them."""
    if len(there) < seen.seq:
        return SHORTER.format(what, len(there), seen.seq)
    return "" if there[seen.seq - 1] == seen else OTHERWISE.format(what, seen.seq)


def lost(location: Location, seen: Entry, there: Sequence[Entry]) -> LedgerDamaged:
    """The error about a ledger that no longer has the last entry that was read of it."""
    found = went_back("The ledger", seen, there)
    whole = f"The {len(there)} entries in it are consistent with each other. "
    fix = GO_ON.format(place_of(location))
    return LedgerDamaged(location.shown, f"{found}{whole}{fix}", min(len(there) + 1, seen.seq))


def newer(
    location: Location, entries: Sequence[Entry], what: str = "The export"
) -> tuple[str, str] | None:
    """Why an export would take a ledger back, and what to do; None if it would not."""
    found = kept(location)
    if found is None or found.head is None or found.first not in entries[:1]:
        return None
    said = went_back(what, found.head, entries)
    fix = f"Import the newest export. {GO_ON.format(place_of(location))}"
    return (said.strip(), fix) if said else None
