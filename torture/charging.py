"""The same bad days through the ledger's own surface: an account with a limit, charges by key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from dprisk import PureDP
from dprisk.budget import EpsilonLimit
from dprisk.errors import LimitRefused
from dprisk.ledger import Account, Ledger
from dprisk.ledger.copies.verifying import verify
from dprisk.ledger.store import open_store

__all__ = ["Office", "begin", "judged"]

UNIT = 1000  # amounts to one of epsilon


@dataclass
class Office:
    """A process that charges."""

    ledger: Ledger

    @classmethod
    def at(cls, where: str) -> Office:
        """One with the ledger at a place."""
        return cls(Ledger.open(where))

    def charge(self, key: str, amount: int) -> bool:
        """Charge once, whatever happens; False: refused."""
        release = PureDP(amount / UNIT, neighbors="add-remove")
        try:
            self.ledger.charge(release, "town", by="ann", key=key)
        except LimitRefused:
            return False
        return True


def begin(where: str, limit: int) -> None:
    """A ledger with one account, which counts epsilons up to a limit."""
    ledger = Ledger.create(where, origin="example.org/torture", by="ann")
    tolerated = EpsilonLimit(limit / UNIT, 0.0)
    account = Account("town", "residents", "person", "add-remove", "2026", "pure", (tolerated,))
    ledger.account(account, by="ann")
    ledger.close()


def judged(where: str, accepted: Iterable[str], refused: Iterable[str]) -> list[str]:
    """What is wrong with a ledger after a bad day, given what was acknowledged."""
    store = open_store(where)
    found = [str(flaw) for flaw in verify(store, replay=True).flaws]
    entries = store.read()
    store.close()
    times = Counter(entry.key for entry in entries if entry.kind == "reserved")
    found += [f"{key} was acknowledged and is not there" for key in accepted if not times[key]]
    found += [f"{key} is there {count} times" for key, count in times.items() if count > 1]
    said = {entry.content.get("key") for entry in entries if entry.kind == "refused"}
    found += [f"the refusal of {key} is not there" for key in refused if key not in said]
    return found
