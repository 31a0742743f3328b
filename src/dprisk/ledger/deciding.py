"""Decisions about charges: the entries that they add, and the same decided once more.

Nothing is read or written here: `Ledger` hands in the state and appends the entries that are made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, final

from dprisk._checks import assign
from dprisk.errors import InvalidInput, LimitRefused, refused
from dprisk.ledger.accounts import (
    Account,
    AccountRule,
    Counts,
    Decision,
    account_content,
    line,
)
from dprisk.ledger.charges import ChargeRequest, Costs, Priced
from dprisk.ledger.entries import Entry, EntryKind
from dprisk.ledger.rules import check_alone, renewed, rises, rule_of
from dprisk.ledger.state import (
    UNREADABLE,
    Clock,
    Decided,
    PlannedCharge,
    State,
    count_parts,
    moment,
    read_costs,
)
from dprisk.ledger.words import reasons


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
        return Entry.after(last, kind, key, moment(self.clock), self.by, content)


def opening(state: State, account: Account, author: Author) -> list[Entry]:
    """The entry that opens an account; none where one of this name is open."""
    if account.name in state.accounts:
        return []
    check_alone(state, account)
    return [author.after(state.head, "account", None, account_content(account))]


def renewing(
    state: State, name: str, author: Author
) -> tuple[list[Entry], tuple[Account, Account]]:
    """The entry that raises a cap to what the limits allow; the account before and after."""
    before, after = state.known(name), renewed(state, name)
    if not rises(before, after):
        return [], (before, before)
    return [author.after(state.head, "account", None, account_content(after))], (before, after)


def _asked(
    state: State, costs: Mapping[str, Costs]
) -> Iterator[tuple[str, AccountRule, Counts, Counts]]:
    """Each account's name and rule, what is spent there, and how much more it would be."""
    for name, cost in costs.items():
        account = state.accounts[name]
        yield name, rule_of(account), state.spent(account), count_parts(cost, account)


def _decisions(state: State, costs: Mapping[str, Costs]) -> dict[str, Decision]:
    """Decision of each account's rule on more costs."""
    return {name: rule.decide(spent, more) for name, rule, spent, more in _asked(state, costs)}


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
            if not all(decision.kept for decision in found.values()):
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
            state.spend(priced.costs)
        yield found


def check_opened(known: Account, made: Account) -> None:
    """Refuse to open an account under the name of another."""
    if known != made:
        raise InvalidInput(
            "account",
            made.name,
            "a name that no other account has",
            "The account of this name differs. Nothing in a ledger is changed: open a new account "
            "for a new period or new limits.",
        )


def check_not_run(not_run: bool) -> None:
    """Refuse to void a charge without the statement that it was not run."""
    if not_run is not True:
        raise InvalidInput(
            "not_run",
            not_run,
            "True, which states that the release was not run and nobody saw a result",
            "A result that someone saw stays spent, even if it is never published: record it with "
            "`dprisk ledger release` (in Python, `Ledger.release`).",
        )


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


REVERSED: Final = {
    "refused": "Entry {} refuses a release that every limit allows.",
    "reserved": "Entry {} reserves a release that a limit does not allow.",
}
"""What is wrong with an entry that today would be decided otherwise."""


def recompute(entries: Iterable[Entry], state: State, *, replay: bool = False) -> Iterator[str]:
    """Sentences on what is wrong with entries whose hashes are right; `state` reads them.

    With `replay`, what would be decided otherwise today as well.
    """
    for entry in entries:
        otherwise = replay and entry.kind in REVERSED and _is_reversed(state, entry)
        state.read([entry])
        if entry.seq in state.flaws:
            yield state.flaws[entry.seq]
        elif otherwise:
            yield REVERSED[entry.kind].format(entry.seq)


def _is_reversed(state: State, entry: Entry) -> bool:
    try:
        asked = _asked(state, read_costs(entry.content))
        kept = all(rule.keeps(spent, more) for _, rule, spent, more in asked)
    except UNREADABLE:  # is named when it is read
        return False
    return kept is not (entry.kind == "reserved")
