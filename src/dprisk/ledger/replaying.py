"""The history decided once more, in its own order: does it lead to the same decisions?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dprisk.ledger.deciding import decisions, kept
from dprisk.ledger.entries import Entry
from dprisk.ledger.state import State, counted
from dprisk.ledger.verifying import Flaw


def decided_otherwise(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The charges that would be decided otherwise today, and what no rule allows at all."""
    state = State()
    for entry in entries:
        if not _follows(state, entry):
            yield entry
        state.read([entry])


def replayed(entries: Sequence[Entry]) -> list[Flaw]:
    """What `dprisk.ledger.verifying.verify` reports of these."""
    return [
        Flaw(f"ledger.check.decided-{entry.kind}", {"seq": entry.seq})
        for entry in decided_otherwise(entries)
    ]


def _follows(state: State, entry: Entry) -> bool:
    content = entry.content
    if entry.kind in ("released", "voided"):
        charge = state.charges.get(content["charge"])
        return charge is not None and charge.status == "reserved"
    if entry.kind == "account":
        return content["name"] not in state.accounts
    if entry.kind not in ("reserved", "refused"):
        return state.head is None
    if entry.kind == "reserved" and entry.key in state.charges:
        return False
    costs = {name: counted(listed) for name, listed in content["costs"].items()}
    return kept(decisions(state, costs)) == (entry.kind == "reserved")
