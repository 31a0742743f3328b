"""State that the entries add up to: accounts, charges, and how often each part counts."""

from __future__ import annotations

import gc
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, final

from dprisk._checks import assign
from dprisk._files import shipped
from dprisk._values import members, result
from dprisk.composition.basis import Contradiction
from dprisk.errors import InvalidInput, LedgerDamaged
from dprisk.ledger.accounts import Account
from dprisk.ledger.charges import Charge, ChargeStatus, Costs
from dprisk.ledger.entries import Entry, canonical_text
from dprisk.ledger.parts import part_of
from dprisk.ledger.rules import rule_of
from dprisk.releases.release import Part

if TYPE_CHECKING:
    from dprisk.ledger.decisions import Decision, Standing

BECOMES: Final[Mapping[str, ChargeStatus]] = {"released": "released", "voided": "voided"}


@final
@dataclass(frozen=True, eq=False)
class State:
    """Everything that the entries say, read in order; only committed entries come in here."""

    head: Entry | None = None
    identity: Mapping[str, Any] = field(default_factory=dict)
    accounts: dict[str, Account] = field(default_factory=dict)
    charges: dict[str, Charge] = field(default_factory=dict)
    refusals: int = 0
    _spent: dict[str, Costs] = field(init=False, default_factory=dict, repr=False)

    @property
    def size(self) -> int:
        """How many entries were read. [0, inf)"""
        return 0 if self.head is None else self.head.seq

    def known(self, name: str) -> Account:
        """The account of a name."""
        if name not in self.accounts:
            names = ", ".join(self.accounts) or "none is open yet"
            raise InvalidInput("account", name, f"the name of an open account ({names})")
        return self.accounts[name]

    def read(self, entries: Iterable[Entry]) -> State:
        """Take in what happened since; itself."""
        for entry in entries:
            getattr(self, f"_{entry.kind}")(entry, entry.content)
            assign(self, head=entry)
        return self

    def follow(self, read: Callable[[int], Sequence[Entry]], shown: str) -> State:
        """Take in what was committed since, by whoever reads it; itself."""
        with _all_stays():
            if self.head is None:
                return self.read(read(0))
            found = read(self.size - 1)
            if found[:1] != [self.head]:
                raise LedgerDamaged(
                    shown,
                    f"The ledger has lost entries since it was last read: entry {self.size} is "
                    "missing or different. Compare the ledger with a checkpoint.",
                    self.size,
                )
            return self.read(found[1:])

    def fork(self) -> State:
        """A copy that can go on by itself."""
        other = replace(self, accounts=dict(self.accounts), charges=dict(self.charges))
        other._spent.update({name: Counter(costs) for name, costs in self._spent.items()})
        return other

    def spent(self, account: Account) -> dict[Part, int]:
        """How often each part counts in an account: what was released or is reserved."""
        return parts(self._spent[account.name], account)

    def whole(self, name: str) -> Iterator[Account]:
        """An account, and those that it is a part of."""
        inside: str | None = name
        while inside is not None:
            account = self.known(inside)
            yield account
            inside = account.within

    def of(self, account: str | None) -> list[Charge]:
        """The charges that touch an account, or any, in order."""
        charges = self.charges.values()
        if account is None:
            return list(charges)
        name = self.known(account).name
        return [charge for charge in charges if name in charge.costs]

    def _ledger(self, entry: Entry, content: Mapping[str, Any]) -> None:
        assign(self, identity=content)

    def _account(self, entry: Entry, content: Mapping[str, Any]) -> None:
        account = Account.from_content(content)
        self.accounts[account.name] = account
        self._spent[account.name] = Counter()

    def _reserved(self, entry: Entry, content: Mapping[str, Any]) -> None:
        costs = {name: read_costs(listed) for name, listed in content["costs"].items()}
        key = str(entry.key)
        said = {name: content[name] for name in ("name", "source", "digest")}
        self.charges[key] = Charge(
            key, entry.seq, "reserved", at=entry.at, by=entry.by, costs=costs, **said
        )
        for name, cost in costs.items():
            self._spent[name].update(cost)

    def _released(self, entry: Entry, content: Mapping[str, Any]) -> None:
        self._decided(entry, content)

    def _voided(self, entry: Entry, content: Mapping[str, Any]) -> None:
        for name, cost in self._decided(entry, content).costs.items():
            self._spent[name].subtract(cost)
            self._spent[name] = +self._spent[name]

    def _refused(self, entry: Entry, content: Mapping[str, Any]) -> None:
        assign(self, refusals=self.refusals + 1)

    def _decided(self, entry: Entry, content: Mapping[str, Any]) -> Charge:
        """Keep beside a charge what became of it."""
        said = {"seq": entry.seq, "at": entry.at, "by": entry.by}
        said |= {name: content[name] for name in ("reason", "not_run") if content.get(name)}
        known = self.charges[content["charge"]]
        told = (known.name, known.at, known.by, known.source, known.costs, known.digest)
        charge = Charge(known.key, known.seq, BECOMES[entry.kind], *told, said)
        self.charges[charge.key] = charge
        return charge


@contextmanager
def _all_stays() -> Iterator[None]:
    """No search for garbage while only what stays is made: it takes as long as all the reading."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def parts(costs: Costs, account: Account) -> dict[Part, int]:
    """The parts behind their keys, each with how often it counts."""
    return {part_of(key, account.neighbors): count for key, count in costs.items()}


def read_costs(listed: Iterable[tuple[Any, int]]) -> Costs:
    """Read costs back from the parts of an entry, each with its count."""
    return Counter({canonical_text(part): count for part, count in listed})


STATUS: Final = "dprisk/ledger/status/1"


@final
@result
@dataclass(frozen=True, repr=False)
class AccountStatus:
    """Losses that a person can have had, and what is left. Made by `Ledger.status`.

    Parameters
    ----------
    account : Account
        Whose data.
    charges : tuple of Charge
        Everything that touched it, in order; what was voided counts nothing.
    standing : Standing
        The certified numbers.
    """

    account: Account
    charges: tuple[Charge, ...]
    standing: Standing

    @property
    def counts(self) -> Mapping[str, int]:
        """How many charges are reserved, released and voided."""
        return Counter(charge.status for charge in self.charges)

    @property
    def last(self) -> Charge | None:
        """The last charge that counts; None if nothing does."""
        read_costs = (charge for charge in reversed(self.charges) if charge.status != "voided")
        return next(read_costs, None)

    @property
    def left(self) -> int | None:
        """How many more releases like the last one fit; None if there was none."""
        left: int | None = self.standing.left
        return left

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            Keys are documented with the JSON output of ``dprisk ledger status``.
        """
        counts = {name: self.counts.get(name, 0) for name in ("reserved", "released", "voided")}
        last = None if self.last is None else self.last.to_dict()
        return {"schema": STATUS, **members(self, "account", "standing"), **counts, "last": last}


@final
@result
@dataclass(frozen=True, repr=False)
class PlannedCharge:
    """Decisions that would be made about one more release. Made by `Ledger.plan`.

    Parameters
    ----------
    name : str
        What would be released.
    decisions : mapping of str to Decision
        By account.
    contradicted : tuple of Contradiction
        Statements that the release cannot keep: what was run is what counts.
    """

    name: str
    decisions: Mapping[str, Decision] = field(hash=False)
    contradicted: tuple[Contradiction, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether every limit of every account would be kept."""
        return all(decision.kept for decision in self.decisions.values())

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            With the decision for each account.
        """
        return members(self, "name", "kept", "decisions", "contradicted")


def json_schema() -> dict[str, Any]:
    """The JSON schema of what ``dprisk ledger`` prints.

    Returns
    -------
    dict
        JSON Schema, draft 2020-12. What each command prints stands under its name in ``$defs``.

    Examples
    --------
    >>> from dprisk.ledger import json_schema
    >>> json_schema()["$defs"]["status"]["properties"]["schema"]["const"]
    'dprisk/ledger/status/1'
    """
    schema: dict[str, Any] = json.loads(shipped("ledger", "schema.json"))
    return schema


def status_of(state: State, name: str) -> AccountStatus:
    """Status of the account of a name, by what the entries say."""
    account, charges = state.known(name), tuple(state.of(name))
    last = next((each for each in reversed(charges) if each.status != "voided"), None)
    like = None if last is None else parts(last.costs[name], account)
    standing = rule_of(account).standing(state.spent(account), like)
    return AccountStatus(account, charges, standing)
