"""Decisions about charges, and the entries that say so; nothing is read or written here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, final

from dprisk._checks import assign
from dprisk.errors import InvalidInput, LimitRefused, refused
from dprisk.ledger.accounts import Account, line
from dprisk.ledger.charges import ChargeRequest, Costs, Priced
from dprisk.ledger.decisions import Decision, reasons
from dprisk.ledger.entries import Entry, EntryKind
from dprisk.ledger.rules import rule_of
from dprisk.ledger.state import PlannedCharge, State, parts, read_costs
from dprisk.ledger.verifying import Flaw

Clock = Callable[[], datetime]
Decided = Literal["released", "voided"]


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


def decisions(state: State, costs: Mapping[str, Costs]) -> dict[str, Decision]:
    """Decision of each account's rule on more costs."""
    accounts = {name: state.accounts[name] for name in costs}
    return {
        name: rule_of(account).decide(state.spent(account), parts(costs[name], account))
        for name, account in accounts.items()
    }


def kept(found: Mapping[str, Decision]) -> bool:
    """Whether every limit of every account would be kept."""
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
            found = decisions(state, each.costs)
            if not kept(found):
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
        found = PlannedCharge(priced.name, decisions(state, priced.costs), priced.contradicted)
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


def decide_again(entries: Sequence[Entry]) -> list[Flaw]:
    """Flaws, for `dprisk.ledger.verifying.verify`, of decisions that come out otherwise today."""
    return [
        Flaw(f"ledger.check.decided-{entry.kind}", {"seq": entry.seq})
        for entry in find_reversed(entries)
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
    costs = {name: read_costs(listed) for name, listed in content["costs"].items()}
    return kept(decisions(state, costs)) == (entry.kind == "reserved")
