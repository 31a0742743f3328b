"""State that the entries add up to, the status of an account, and the entries that decisions add.

Nothing is read or written here: `Ledger` hands in the entries and appends those that are made.
"""

from __future__ import annotations

import gc
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal, final

from dprisk._checks import assign
from dprisk._files import shipped
from dprisk._values import members, result
from dprisk.composition.basis import Contradiction
from dprisk.errors import InvalidInput, LedgerDamaged, LimitRefused, refused
from dprisk.ledger.accounts import Account, Decision, Standing, account_of, line
from dprisk.ledger.charges import Charge, ChargeRequest, Costs, Priced
from dprisk.ledger.entries import Entry, EntryKind, canonical_text
from dprisk.ledger.parts import part_of
from dprisk.ledger.rules import rule_of
from dprisk.ledger.words import reasons
from dprisk.releases.release import Part

Clock = Callable[[], datetime]
Decided = Literal["released", "voided"]


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
        return count_parts(self._spent[account.name], account)

    def whole(self, name: str) -> Iterator[Account]:
        """An account, and those that it is a part of."""
        inside: str | None = name
        while inside is not None:
            account = self.known(inside)
            yield account
            inside = account.within

    def of(self, account: str | None) -> tuple[Charge, ...]:
        """The charges that touch an account, or any, in order."""
        name = None if account is None else self.known(account).name
        return tuple(each for each in self.charges.values() if name is None or name in each.costs)

    def _ledger(self, _: Entry, content: Mapping[str, Any]) -> None:
        assign(self, identity=content)

    def _account(self, _: Entry, content: Mapping[str, Any]) -> None:
        account = account_of(content)
        self.accounts[account.name] = account
        self._spent[account.name] = Counter()

    def _reserved(self, entry: Entry, content: Mapping[str, Any]) -> None:
        costs = _read_costs(content)
        key = str(entry.key)
        said = {name: content[name] for name in ("name", "source", "digest")}
        self.charges[key] = Charge(
            key, entry.seq, "reserved", at=entry.at, by=entry.by, costs=costs, **said
        )
        for name, cost in costs.items():
            self._spent[name].update(cost)

    def _released(self, entry: Entry, content: Mapping[str, Any]) -> None:
        self._decided("released", entry, content)

    def _voided(self, entry: Entry, content: Mapping[str, Any]) -> None:
        for name, cost in self._decided("voided", entry, content).costs.items():
            self._spent[name].subtract(cost)
            self._spent[name] = +self._spent[name]

    def _refused(self, *_: Any) -> None:
        assign(self, refusals=self.refusals + 1)

    def _decided(self, status: Decided, entry: Entry, content: Mapping[str, Any]) -> Charge:
        """Keep beside a charge what became of it."""
        said = {"seq": entry.seq, "at": entry.at, "by": entry.by}
        said |= {name: content[name] for name in ("reason", "not_run") if content.get(name)}
        charge = replace(self.charges[content["charge"]], status=status, decided=said)
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


def count_parts(costs: Costs, account: Account) -> dict[Part, int]:
    """The parts behind their keys, each with how often it counts."""
    return {part_of(key, account.neighbors): count for key, count in costs.items()}


def _read_costs(content: Mapping[str, Any]) -> dict[str, Costs]:
    """Costs by account, from the parts in an entry and their counts."""
    return {
        name: Counter({canonical_text(part): count for part, count in listed})
        for name, listed in content["costs"].items()
    }


# --- what is reported ----------------------------------------------------------------------------


@final
@result
@dataclass(frozen=True, repr=False)
class AccountStatus:
    """Bounds on what a person can have lost so far, and what is left."""

    account: Account
    charges: tuple[Charge, ...]  # all that touched it, in order; the voided ones count nothing
    standing: Standing

    @property
    def counts(self) -> Mapping[str, int]:
        """How many charges are reserved, released and voided."""
        return Counter(charge.status for charge in self.charges)

    @property
    def last(self) -> Charge | None:
        """The last charge that counts; None if nothing does."""
        return _last(self.charges)

    @property
    def left(self) -> int | None:
        """How many more releases like the last one fit; None if there was none."""
        return self.standing.left

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, as ``dprisk ledger status`` prints it."""
        counts = {name: self.counts.get(name, 0) for name in ("reserved", "released", "voided")}
        said = {"schema": "dprisk/ledger/status/1", **members(self, "account", "standing")}
        return {**said, **counts, **members(self, "last")}


def _last(charges: Sequence[Charge]) -> Charge | None:
    return next((each for each in reversed(charges) if each.status != "voided"), None)


def status_of(state: State, name: str) -> AccountStatus:
    """Status of the account of a name, by what the entries say."""
    account, charges = state.known(name), state.of(name)
    last = _last(charges)
    like = None if last is None else count_parts(last.costs[name], account)
    return AccountStatus(account, charges, rule_of(account).standing(state.spent(account), like))


@final
@result
@dataclass(frozen=True, repr=False)
class PlannedCharge:
    """Decisions that would be made about one more release, by account."""

    name: str
    decisions: Mapping[str, Decision] = field(hash=False)
    contradicted: tuple[Contradiction, ...] = ()  # statements that the release cannot keep

    @property
    def kept(self) -> bool:
        """Whether every limit of every account would be kept."""
        return _kept(self.decisions)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, with the decision for each account."""
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


# --- what is decided -----------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Author:
    """Who writes entries, and by which clock."""

    clock: Clock
    by: str

    def __post_init__(self) -> None:
        assign(self, by=line("by", self.by))

    def after(
        self, last: Entry | None, kind: EntryKind, key: str | None, content: Mapping[str, Any]
    ) -> Entry:
        """The next entry, at this moment."""
        at = self.clock().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        return Entry.after(last, kind, key, at, self.by, content)


def _decisions(state: State, costs: Mapping[str, Costs]) -> dict[str, Decision]:
    """Decision of each account's rule on more costs."""
    accounts = {name: state.accounts[name] for name in costs}
    return {
        name: rule_of(account).decide(state.spent(account), count_parts(costs[name], account))
        for name, account in accounts.items()
    }


def _kept(found: Mapping[str, Decision]) -> bool:
    return all(decision.kept for decision in found.values())


def decide_charges(
    state: State, asked: Sequence[Priced], author: Author, *, release: bool
) -> tuple[list[Entry], LimitRefused | None]:
    """The entries for all of them; or for the first refusal alone, with the error."""
    before, made = state.head, list[Entry]()
    if len(asked) > 1:
        state = state.fork()
    for each in asked:
        last, new = made[-1] if made else before, list[Entry]()
        if (known := state.charges.get(each.key)) is not None:
            each.check_same(known)
        else:
            found = _decisions(state, each.costs)
            if not _kept(found):
                said = {"key": each.key, **each.refused(found)}
                refusal = LimitRefused(each.name, found, list(reasons(found)))
                return [author.after(before, "refused", None, said)], refusal
            new.append(last := author.after(last, "reserved", each.key, each.content))
        if release and (known is None or known.status == "reserved"):
            new.append(author.after(last, "released", None, {"charge": each.key}))
        made += new
        if len(asked) > 1:
            state.read(new)
    return made, None


def plan_charges(state: State, requests: Iterable[ChargeRequest]) -> Iterator[PlannedCharge]:
    """Decide about one request after the other; what is refused does not count."""
    state = state.fork()
    for request in requests:
        priced = Priced.of(request, state)
        found = PlannedCharge(priced.name, _decisions(state, priced.costs), priced.contradicted)
        if found.kept:
            said = (priced.key, "", "", priced.content)
            state.read([Entry.after(state.head, "reserved", *said)])
        yield found


def decide_charge(
    state: State, key: str, kind: Decided, author: Author, **more: str | bool
) -> list[Entry]:
    """The entry that says what became of a charge; none if that was said before."""
    if (charge := state.charges.get(key)) is None:
        raise InvalidInput("key", key, "the key of a charge", "`dprisk ledger history` lists them.")
    if charge.status == kind:
        return []
    if charge.status != "reserved":
        at = charge.decided["at"] if charge.decided else charge.at
        raise refused(f"ledger.charge.is-{charge.status}", "key", key, at=at)
    return [author.after(state.head, kind, None, {"charge": key, **more})]


def whole_of(state: State, account: Account) -> Account | None:
    """The account of which one is to be a part, if any."""
    if account.within is None:
        return None
    whole = state.known(account.within)
    for name in ("unit", "neighbors"):
        if getattr(whole, name) != getattr(account, name):
            key = f"ledger.account.within.{name}"
            raise refused(key, name, getattr(account, name), whole=getattr(whole, name))
    if account.is_filter and not whole.is_filter:
        raise InvalidInput(
            "rule",
            account.rule,
            "fixed, the rule of the account that this one is a part of",
            "An account whose releases were all fixed in advance cannot hold one whose releases "
            "are not.",
        )
    return whole


def find_reversed(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The charges that would be decided otherwise today, and what no rule allows at all."""
    state = State()
    for entry in entries:
        if not _follows(state, entry):
            yield entry
        state.read([entry])


def _follows(state: State, entry: Entry) -> bool:
    content = entry.content
    if entry.kind in ("released", "voided"):
        charge = state.charges.get(content["charge"])
        return charge is not None and charge.status == "reserved"
    if entry.kind == "account":
        return content["name"] not in state.accounts
    if entry.kind == "ledger":
        return state.head is None
    if entry.kind == "reserved" and entry.key in state.charges:
        return False
    return _kept(_decisions(state, _read_costs(content))) == (entry.kind == "reserved")
