"""State that the entries add up to, each computed again as it is read; the status of an account.

An entry that cannot be read, or says something else than what follows from its own description and
limits, is named by its number and stops nothing: what can be computed from it counts.
"""

from __future__ import annotations

import gc
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, final

from dprisk._checks import assign
from dprisk._values import members, result
from dprisk.composition.basis import Contradiction
from dprisk.errors import DpriskError, InvalidInput, LedgerDamaged
from dprisk.ledger.accounts import (
    Account,
    Decision,
    Standing,
    account_content,
    account_of,
    line,
)
from dprisk.ledger.charges import Charge, ChargeRequest, Costs, price
from dprisk.ledger.entries import KINDS, Entry, canonical, canonical_text
from dprisk.ledger.parts import part_of
from dprisk.ledger.rules import open_account, rises, rule_of, second_to, whole_of
from dprisk.ledger.words import stated_in_words
from dprisk.releases.release import Part

if TYPE_CHECKING:
    from dprisk.ledger.concerns import ConcernStatus

Clock = Callable[[], datetime]
Decided = Literal["released", "voided"]
UNREADABLE: Final = (
    DpriskError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError,
    ValueError,
)  # fmt: skip
"""Errors by which an entry that dprisk did not write is noticed when it is read."""
IDENTITY: Final = {"ledger", "origin", "format"}
LEDGER_FORMAT: Final = 3
"""From 2 on, every cost can be computed from the description beside it; from 3 on, whoever opens a
second account for the same people states in it that they are others."""
AT_ONCE: Final = 2000  # entries that are read
FOR_PEOPLE: Final = "<Release "
FOR_PEOPLE_ALONE: Final = "has a description from which nothing can be computed. Costs as recorded."
TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
ALIEN: Final = "is not written as dprisk writes it."
DECIDES: Final[Mapping[Decided, str]] = {
    "released": "releases a charge that was not reserved.",
    "voided": "voids a charge that was not reserved.",
}


def now() -> datetime:
    """The time of whoever gives no clock."""
    return datetime.now(UTC)


def moment(clock: Clock) -> str:
    """The time of a clock as entries have it, in UTC."""
    return f"{clock().astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


class Tally(NamedTuple):
    """Charges to an account, added up."""

    spent: Costs
    counts: Counter[str]
    """How many charges are reserved, released and voided."""
    last: Charge | None
    """The last one that was released."""


@final
@dataclass(frozen=True, eq=False)
class State:
    """Everything that the entries say, read in order; only committed entries come in here."""

    head: Entry | None = None
    first: Entry | None = None
    accounts: dict[str, Account] = field(default_factory=dict)
    charges: dict[str, Charge] = field(default_factory=dict)
    refusals: int = 0
    flaws: dict[int, str] = field(default_factory=dict)
    """What is wrong with an entry, by its number."""
    taken: int = 0
    """Entries of earlier versions, whose descriptions only people can read: costs as recorded."""
    since: int = 0
    """Of the charges up to this entry, `charges` has those alone that were open there."""
    summed: int = 0
    """Entries up to this one came from a summary."""
    room: float = 0
    """How many charges more than `AT_ONCE` are kept before the settled ones are left out."""
    tallies: dict[str, Tally] = field(default_factory=dict, repr=False)
    stated: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Accounts of which something was stated, each with a sentence: by entries after `since`."""

    @property
    def size(self) -> int:
        """How many entries were read. [0, inf)"""
        return 0 if self.head is None else self.head.seq

    @property
    def identity(self) -> Mapping[str, Any]:
        """Content of the first entry: the names of the ledger and of its owner."""
        return self.first.content if self.first else {}

    @property
    def _format(self) -> int:
        return int(self.identity.get("format", 1))

    @property
    def is_old(self) -> bool:
        """Whether an earlier version began it: some descriptions may be for people alone."""
        return self._format == 1

    def known(self, name: str) -> Account:
        """The account of a name."""
        if name not in self.accounts:
            names = ", ".join(self.accounts) or "none is open yet"
            raise InvalidInput("account", name, f"the name of an open account ({names})")
        return self.accounts[name]

    def read(self, entries: Iterable[Entry]) -> State:
        """Take in what happened since; itself. An entry with a flaw is named, and stops nothing."""
        for entry in entries:
            try:
                self._take(entry)
            except Flaw as flaw:
                self.flaws[entry.seq] = f"Entry {entry.seq} {flaw}"
            except UNREADABLE as error:
                self.flaws[entry.seq] = f"Entry {entry.seq} cannot be read: {_reason(error)}"
            assign(self, head=entry)
        return self

    def _take(self, entry: Entry) -> None:
        if entry.kind not in KINDS or (entry.kind == "ledger") is not (entry.seq == 1):
            raise Flaw(f"has a kind that no version of dprisk writes there: {entry.kind}.")
        content = entry.content
        priced = entry.kind == "reserved"  # whose content is made again
        if (entry.key is None) is priced or not (priced or canonical(content) == entry.body):
            raise Flaw(ALIEN)
        is_signed = bool(TIME.fullmatch(entry.at)) and _is_line(entry.by)
        if is_signed or priced:  # what is charged counts, whoever wrote it
            getattr(self, f"_{entry.kind}")(entry, content)
        if not is_signed:
            raise Flaw("does not say when it was made, and by whom, as dprisk does.")

    def follow(
        self,
        read: Callable[..., Sequence[Entry]],
        lost: Callable[[Entry, Sequence[Entry]], LedgerDamaged],
        *,
        all_stay: bool = False,
    ) -> State:
        """Take in what was committed since, by whoever reads it, so much at once; itself.

        Where there are many charges, the settled ones are left out, unless `all_stay`. The
        error of `lost` is raised where the last entry is no longer there, among all that
        are.
        """
        with _all_stays():
            while True:
                found = read(max(self.size - 1, 0), AT_ONCE)
                if self.head is not None and found[:1] != [self.head]:
                    raise lost(self.head, read(0))
                if not all_stay:
                    self._leave_out()
                self.read(found if self.head is None else found[1:])
                if len(found) < AT_ONCE - 1:  # with the row before them, all that was asked for
                    return self

    def _leave_out(self) -> None:
        """Keep the open charges alone, where there are many; the others are in the tallies."""
        if len(self.charges) > self.room + AT_ONCE:
            still = {key: each for key, each in self.charges.items() if each.status == "reserved"}
            assign(self, charges=still, since=self.size, room=2 * len(still))

    def become(self, other: State) -> None:
        """Take over all that another state knows."""
        assign(self, **{name: getattr(other, name) for name in self.__dataclass_fields__})

    def fork(self) -> State:
        """A copy that can go on by itself."""
        names = ("accounts", "charges", "flaws")
        copies: dict[str, Any] = {name: dict(getattr(self, name)) for name in names}
        tallies = {
            name: tally._replace(spent=Counter(tally.spent), counts=Counter(tally.counts))
            for name, tally in self.tallies.items()
        }
        return replace(self, tallies=tallies, **copies)

    def spend(self, costs: Mapping[str, Costs]) -> None:
        """Count what is charged to each account."""
        for name, cost in costs.items():
            self.tallies[name].spent.update(cost)

    def spent(self, account: Account) -> dict[Part, int]:
        """How often each part counts in an account: what was released or is reserved."""
        return count_parts(self.tallies[account.name].spent, account)

    def whole(self, name: str) -> Iterator[Account]:
        """An account, and those that it is a part of."""
        inside: str | None = name
        while inside is not None:
            account = self.known(inside)
            yield account
            inside = account.within

    def statements(self, account: str | None = None) -> tuple[str, ...]:
        """Sentences on what was stated about an account, or any, and by whom."""
        return tuple(said for name, said in self.stated if account in (None, name))

    def of(self, account: str | None) -> tuple[Charge, ...]:
        """The charges that touch an account, or any, in order."""
        name = None if account is None else self.known(account).name
        return tuple(each for each in self.charges.values() if name is None or name in each.costs)

    def _ledger(self, entry: Entry, content: Mapping[str, Any]) -> None:
        if content.keys() != IDENTITY or content["format"] not in range(1, LEDGER_FORMAT + 1):
            raise Flaw("does not begin a ledger of a version that dprisk knows.")
        assign(self, first=entry)

    def _account(self, entry: Entry, content: Mapping[str, Any]) -> None:
        stated = account_of(content)
        account = open_account(stated, whole_of(self, stated))
        known = self.accounts.get(account.name)
        if known is not None and not rises(known, account):
            raise Flaw("opens an account that was open already.")
        second = second_to(self, account) if known is None and self._format > 2 else None
        self.accounts[account.name] = account
        self.tallies.setdefault(account.name, Tally(Counter(), Counter(), None))
        if said := stated_in_words(entry, known, account):
            assign(self, stated=(*self.stated, (account.name, said)))
        if stated.cap != account.cap:
            raise Flaw(
                f"opens {account.name} with a cap of {stated.cap}, and its limits allow "
                f"{account.cap}. The second number counts.",
            )
        if account_content(account) != content:
            raise Flaw(f"opens {account.name} with other numbers than its limits give.")
        if second is not None:
            raise Flaw(
                f"opens {account.name}, a second budget for the people of {second.name}, and does "
                "not state that they are others.",
            )

    def _reserved(self, entry: Entry, content: Mapping[str, Any]) -> None:
        key = str(entry.key)
        if key in self.charges:
            raise Flaw("has a key that was charged before.")
        made, costs, flaw = self._recomputed(entry, content, key)
        for name, cost in costs.items():
            rule = rule_of(self.accounts[name])
            for part in count_parts(cost, self.accounts[name]):
                rule.check_part(part)
        said = {name: made[name] for name in ("name", "source", "digest")}
        self.charges[key] = Charge(
            key, entry.seq, "reserved", at=entry.at, by=entry.by, costs=costs, **said
        )
        self.spend(costs)
        self._count(self.charges[key], 1)
        if flaw:
            raise Flaw(flaw)

    def _recomputed(
        self, entry: Entry, content: Mapping[str, Any], key: str
    ) -> tuple[Mapping[str, Any], dict[str, Costs], str]:
        """The content and costs by the description in an entry, and what differs in words."""
        release = content["release"]
        reach = {name: content[name] for name in ("source", "over", "group")}
        request = ChargeRequest(str(release["text"]), content["accounts"], key=key, **reach)
        if release["text"].startswith(FOR_PEOPLE) and not release["file"]:
            if not self.is_old:
                return content, self._recorded(content, request), FOR_PEOPLE_ALONE
            assign(self, taken=self.taken + 1)
            said = "" if entry.kind == "refused" or canonical(content) == entry.body else ALIEN
            return content, self._recorded(content, request), said
        try:
            made, costs = price(request, release, self)
        except UNREADABLE as error:
            said = f"has a description that cannot be computed: {_reason(error)} Costs as recorded."
            return content, self._recorded(content, request), said
        if (written := canonical_text(made)) == entry.body or written == canonical_text(content):
            return made, costs, "" if entry.kind == "refused" or written == entry.body else ALIEN
        if canonical_text(made["costs"]) == canonical_text(content["costs"]):
            return made, costs, "differs from what its description says."
        return made, costs, "records other costs than its description gives, which count."

    def _recorded(self, content: Mapping[str, Any], request: ChargeRequest) -> dict[str, Costs]:
        """The costs in an entry, where they are costs of the accounts that it names."""
        found = read_costs(content)
        named = {each.name for name in request.accounts for each in self.whole(name)}
        counts = [count for cost in found.values() for count in cost.values()]
        if found.keys() != named or not all(type(n) is int and n > 0 for n in counts):
            raise InvalidInput("costs", None, "those of each account, counted from 1")
        line("name", content["name"])
        return found

    def _released(self, entry: Entry, content: Mapping[str, Any]) -> None:
        self._decided("released", entry, content)

    def _voided(self, entry: Entry, content: Mapping[str, Any]) -> None:
        for name, cost in self._decided("voided", entry, content).costs.items():
            spent = self.tallies[name].spent
            spent.subtract(cost)
            for part in cost:
                if not spent[part]:
                    del spent[part]

    def _refused(self, entry: Entry, content: Mapping[str, Any]) -> None:
        assign(self, refusals=self.refusals + 1)
        said = {name: each for name, each in content.items() if name not in ("key", "decisions")}
        _, costs, flaw = self._recomputed(entry, said, content["key"])
        if flaw or content["decisions"].keys() != costs.keys():
            raise Flaw(flaw or "refuses other accounts than its description names.")

    def _decided(self, status: Decided, entry: Entry, content: Mapping[str, Any]) -> Charge:
        """Keep beside a charge what became of it."""
        known = self.charges.get(content["charge"])
        if known is None or known.status != "reserved":
            raise Flaw(DECIDES[status])
        more = {name: content[name] for name in ("reason", "not_run") if content.get(name)}
        if status == "voided" and content.get("not_run") is not True and not self.is_old:
            raise Flaw("voids a charge without the statement that it was not run.")
        expected = {"charge", "reason", *more} if status == "voided" else {"charge"}
        if content.keys() != expected or line("reason", content.get("reason", "-")) == "":
            raise Flaw(ALIEN)
        said = {"seq": entry.seq, "at": entry.at, "by": entry.by, **more}
        charge = replace(known, status=status, decided=said)
        self.charges[charge.key] = charge
        self._count(known, -1)
        self._count(charge, 1)
        return charge

    def _count(self, charge: Charge, times: int) -> None:
        for name in charge.costs:
            tally = self.tallies[name]
            tally.counts[charge.status] += times
            later = tally.last is None or tally.last.seq < charge.seq
            if charge.status == "released" and later:
                self.tallies[name] = tally._replace(last=charge)

    def last(self, name: str) -> Charge | None:
        """The last charge to an account that counts; None if nothing does."""
        still = (c for c in self.charges.values() if c.status == "reserved" and name in c.costs)
        found = [*still, self.tallies[name].last]
        return max((each for each in found if each), key=lambda each: each.seq, default=None)

    def recall(self, keys: Iterable[str], read: Callable[[str], Sequence[Entry]]) -> None:
        """Take charges of before the summary back, which count already, by whoever reads them."""
        for key in keys if self.since else ():
            if key not in self.charges and (found := read(key)):
                self.charges[key] = self._recalled(key, *found)

    def _recalled(self, key: str, reserved: Entry, *decisions: Entry) -> Charge:
        """A charge that is no longer open: released, unless it was voided."""
        try:
            content, costs = reserved.content, read_costs(reserved.content)
            said = {name: content[name] for name in ("name", "source", "digest")}
        except UNREADABLE:  # is named among the flaws, and its key is taken
            costs, said = {}, dict.fromkeys(("name", "source", "digest"), "")
        about: dict[str, Any] = {"at": reserved.at, "by": reserved.by, "costs": costs, **said}
        for entry in decisions:
            if entry.seq not in self.flaws:
                why = {n: v for n, v in entry.content.items() if n != "charge"}
                whose = {"seq": entry.seq, "at": entry.at, "by": entry.by, **why}
                about |= {"status": entry.kind, "decided": whose}
                break
        return Charge(**{"key": key, "seq": reserved.seq, "status": "released", **about})


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


def read_costs(content: Mapping[str, Any]) -> dict[str, Costs]:
    """Costs by account, from the parts in an entry and their counts."""
    return {
        name: Counter({canonical_text(part): count for part, count in listed})
        for name, listed in content["costs"].items()
    }


def _is_line(text: str) -> bool:
    try:
        return line("by", text) == text
    except InvalidInput:
        return False


class Flaw(ValueError):
    """An entry says something that does not follow: the rest of a sentence about it."""


def _reason(error: BaseException) -> str:
    known = isinstance(error, DpriskError) and str(error).splitlines()
    return known[0] if known else "it does not hold what dprisk writes there."


# --- what is reported ----------------------------------------------------------------------------


@final
@result
@dataclass(frozen=True, repr=False)
class AccountStatus:
    """Bounds on what a person can have lost so far, and what is left."""

    account: Account
    counts: Mapping[str, int] = field(hash=False)  # charges that are reserved, released and voided
    last: Charge | None  # the last one that counts; None if nothing does
    standing: Standing
    flaws: tuple[str, ...] = ()  # of entries of the ledger, in sentences
    concerns: tuple[ConcernStatus, ...] = ()  # the attributes that were asked about

    @property
    def left(self) -> int | None:
        """How many more releases like the last one fit; None if there was none."""
        return self.standing.left

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, as ``dprisk ledger status`` prints it."""
        counts = {name: self.counts.get(name, 0) for name in ("reserved", "released", "voided")}
        said = {"schema": "dprisk/ledger/status/1", **members(self, "account", "standing")}
        return {**said, **counts, **members(self, "last", "flaws", "concerns")}


def status_of(state: State, name: str) -> AccountStatus:
    """Status of the account of a name, by what the entries say."""
    account, last = state.known(name), state.last(name)
    like = None if last is None else count_parts(last.costs[name], account)
    standing = rule_of(account).standing(state.spent(account), like)
    counts = Counter(state.tallies[name].counts)
    return AccountStatus(account, counts, last, standing, tuple(state.flaws.values()))


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
        return all(decision.kept for decision in self.decisions.values())

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, with the decision for each account."""
        return members(self, "name", "kept", "decisions", "contradicted")
