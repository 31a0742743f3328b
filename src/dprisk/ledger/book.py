"""The ledger: accounts are opened, releases are charged, limits are kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Self, final
from uuid import uuid4

from dprisk.errors import InvalidInput, LimitRefused, Meaningless, refused
from dprisk.ledger.accounts import Account
from dprisk.ledger.charges import Charge
from dprisk.ledger.entries import Entry, EntryKind
from dprisk.ledger.refusals import reasons
from dprisk.ledger.requests import ChargeRequest, Priced, line
from dprisk.ledger.rules import Decision, opened, rule_of
from dprisk.ledger.state import State, parts
from dprisk.ledger.status import AccountStatus, PlannedCharge
from dprisk.releases.release import Described
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.ledger.checkpoints import Checkpoint
    from dprisk.ledger.store import Store, Writing
    from dprisk.ledger.verifying import Verification

__all__ = ["FORMAT", "Ledger"]

FORMAT: Final = 1


Decided = Literal["released", "voided"]


def _now() -> datetime:
    return datetime.now(UTC)


def _known(state: State, name: str) -> Account:
    """The account of this name."""
    if name not in state.accounts:
        choices = ", ".join(state.accounts) or fill("ledger.account.none")
        raise InvalidInput("account", name, fill("ledger.account.one-of", names=choices))
    return state.accounts[name]


@final
@dataclass(frozen=True, eq=False)
class Ledger:
    """What was released about whom, on a database; nothing in it is ever changed or taken away.

    Parameters
    ----------
    store : Store
        Where the entries are kept. `Ledger.create` and `Ledger.open` make one.
    clock : callable, optional
        What time it is, as an aware `datetime`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dprisk import PureDP
    >>> from dprisk.budget import InformedLimit
    >>> from dprisk.ledger import Account, Ledger
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     place = pathlib.Path(folder) / "office.ledger"
    ...     ledger = Ledger.create(place, origin="Office", by="ann")
    ...     limit = InformedLimit("posterior", 0.5, prior=0.1)
    ...     town = Account("town", "residents", "person", "add-remove", "2026", "pure", (limit,))
    ...     town = ledger.account(town, by="ann")
    ...     charge = ledger.charge(PureDP(0.5, neighbors="add-remove"), "town", by="ann")
    ...     status = ledger.status("town")
    ...     ledger.close()
    >>> charge.status, float(town.cap) < 2.2, status.left
    ('released', True, 3)
    """

    store: Store
    clock: Callable[[], datetime] = field(default_factory=lambda: _now)
    _state: State = field(init=False, default_factory=State, repr=False)

    @classmethod
    def create(
        cls,
        where: str | os.PathLike[str],
        *,
        origin: str,
        by: str,
        clock: Callable[[], datetime] = _now,
    ) -> Self:
        """Begin a ledger where there is none.

        Parameters
        ----------
        where : str or path
            A file (SQLite), or the URL of a PostgreSQL database.
        origin : str
            Whose ledger it is: stands in every checkpoint.
        by : str
            Who begins it.
        clock : callable, optional
            What time it is.

        Returns
        -------
        Ledger
            With one entry.

        Raises
        ------
        DpriskError
            If there is a ledger already, or none can be there.
        """
        from dprisk.ledger.store import opened as store_at

        said = {"ledger": uuid4().hex, "origin": line("origin", origin), "format": FORMAT}
        who = line("by", by)
        ledger = cls(store_at(where, create=True), clock)

        def begin(writing: Writing) -> None:
            if writing.entries():
                raise refused("ledger.there", "where", ledger.store.location.shown)
            writing.append(Entries(None, clock, who).add("ledger", None, said))

        try:
            ledger.store.write(begin)
        except InvalidInput:
            ledger.close()
            raise
        return ledger

    @classmethod
    def open(cls, where: str | os.PathLike[str], *, clock: Callable[[], datetime] = _now) -> Self:
        """Open a ledger that is there.

        Parameters
        ----------
        where : str or path
            A file (SQLite), or the URL of a PostgreSQL database.
        clock : callable, optional
            What time it is.

        Returns
        -------
        Ledger
            Nothing is read before it is asked for.

        Raises
        ------
        DpriskError
            If there is none, or it cannot be read.
        """
        from dprisk.ledger.store import opened as store_at

        return cls(store_at(where), clock)

    def close(self) -> None:
        """Let go of the database."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def state(self) -> State:
        """Everything that is known now.

        Returns
        -------
        State
            Of all entries that are committed. To be read only.
        """
        return self._caught_up(self.store.read)

    def account(self, account: Account, *, by: str) -> Account:
        """Open an account.

        Parameters
        ----------
        account : Account
            What it is about, and its limits. For filters the cap is found here, and fixed for good.
        by : str
            Who opens it.

        Returns
        -------
        Account
            With its cap, and with the confidence of its limits. An account that is there already
            with the same content is returned as it is.

        Raises
        ------
        InvalidInput
            If another account has this name, or it does not go with the account it is a part of.
        Meaningless
            If no release at all would keep the limits.
        """
        who = line("by", by)
        whole = self._whole_of(account)
        made = opened(account, whole)

        def work(writing: Writing) -> None:
            state = self._caught_up(writing.entries)
            if account.name not in state.accounts:
                new = Entries(state.head, self.clock, who)
                writing.append(new.add("account", None, made.to_content()))

        self.store.write(work)
        known = self.state().accounts[account.name]
        if known != made:
            raise refused("ledger.account.taken", "name", account.name)
        return known

    def reserve(self, release: Described, accounts: str | Sequence[str], **more: Any) -> Charge:
        """Set aside what a release will cost, if the limits allow it: it counts as spent.

        Parameters
        ----------
        release : Release, Part, Guarantee, Mechanism, Composed, str or path
            What is to be released.
        accounts : str or sequence of str
            Which accounts it touches: all are charged or none.
        **more
            ``by``: who asks; the other fields of `ChargeRequest`.

        Returns
        -------
        Charge
            Reserved. The same key with the same content gives back the charge that is there.

        Raises
        ------
        LimitRefused
            If a limit would not be kept; the refusal is recorded, and nothing is spent.
        InvalidInput
            If there is no such account, or the key stands for something else.
        Meaningless
            If the release cannot be counted in the unit, for the neighbors or by the rule of an
            account.
        """
        by = more.pop("by")
        return self.charge_all([ChargeRequest(release, accounts, **more)], by=by, release=False)[0]

    def charge(self, release: Described, accounts: str | Sequence[str], **more: Any) -> Charge:
        """Charge a release that is made at once: reserved and released in one step.

        Parameters
        ----------
        release : Release, Part, Guarantee, Mechanism, Composed, str or path
            What is released.
        accounts : str or sequence of str
            Which accounts it touches: all are charged or none.
        **more
            ``by``: who asks; the other fields of `ChargeRequest`.

        Returns
        -------
        Charge
            Released.

        Raises
        ------
        DpriskError
            As for `reserve`.
        """
        by = more.pop("by")
        return self.charge_all([ChargeRequest(release, accounts, **more)], by=by)[0]

    def charge_all(
        self, requests: Iterable[ChargeRequest], *, by: str, release: bool = True
    ) -> tuple[Charge, ...]:
        """Charge several releases in one step: all of them or none.

        Parameters
        ----------
        requests : iterable of ChargeRequest
            In the order in which they are to be decided.
        by : str
            Who asks.
        release : bool
            Whether they are released at once, or only reserved.

        Returns
        -------
        tuple of Charge
            In the order of the requests.

        Raises
        ------
        DpriskError
            As for `reserve`.
        """
        who, asked = line("by", by), [self._priced(each, self.state()) for each in requests]

        def work(writing: Writing) -> LimitRefused | None:
            state = self._caught_up(writing.entries)
            alone = len(asked) == 1
            return self._charged(writing, state if alone else state.fork(), asked, who, release)

        refusal = self.store.write(work)
        if refusal is not None:
            raise refusal
        charges = self.state().charges
        return tuple(charges[each.key] for each in asked)

    def release(self, key: str, *, by: str) -> Charge:
        """Say that what was reserved has been released.

        Parameters
        ----------
        key : str
            Of the charge.
        by : str
            Who says so.

        Returns
        -------
        Charge
            Released; as it is, if it was released before.

        Raises
        ------
        InvalidInput
            If there is no such charge, or it was voided.
        """
        return self._decide(key, "released", by, "")

    def void(self, key: str, *, by: str, reason: str) -> Charge:
        """Record the decision that what was reserved was never released, and will not be.

        Parameters
        ----------
        key : str
            Of the charge.
        by : str
            Who decides.
        reason : str
            Why.

        Returns
        -------
        Charge
            Voided: it counts no more.

        Raises
        ------
        InvalidInput
            If there is no such charge, no reason, or it was released: what is out stays spent.
        """
        return self._decide(key, "voided", by, line("reason", reason))

    def status(self, account: str) -> AccountStatus:
        """What a person can have lost so far, and what is left.

        Parameters
        ----------
        account : str
            Its name.

        Returns
        -------
        AccountStatus
            With the certified numbers, and how many more releases like the last one fit.
        """
        state = self.state()
        known = _known(state, account)
        charges = state.of(account)
        counted = [charge for charge in charges if charge.status != "voided"]
        like = parts(counted[-1].costs[account], known) if counted else {}
        standing = rule_of(known).standing(state.spent(known), like)
        return AccountStatus(known, tuple(charges), standing)

    def history(self, account: str | None = None) -> tuple[Charge, ...]:
        """The charges, in the order in which they were reserved.

        Parameters
        ----------
        account : str, optional
            Those that touch an account only.

        Returns
        -------
        tuple of Charge
            The voided ones too.
        """
        state = self.state()
        if account is None:
            return tuple(state.charges.values())
        return tuple(state.of(_known(state, account).name))

    def plan(self, requests: Iterable[ChargeRequest]) -> tuple[PlannedCharge, ...]:
        """What would be decided about future releases, one after the other. Nothing is written.

        Parameters
        ----------
        requests : iterable of ChargeRequest
            In their order. What would be refused does not count for those after it.

        Returns
        -------
        tuple of PlannedCharge
            One for each.
        """
        found, state = [], self.state().fork()
        for request in requests:
            priced = self._priced(request, state)
            found.append(PlannedCharge(priced.name, self._decisions(state, priced)))
            if found[-1].kept:
                state.read(
                    [Entry.after(state.head, "reserved", priced.key, "", "", priced.content)]
                )
        return tuple(found)

    # --- the whole of it ------------------------------------------------------------------------

    def verify(
        self,
        checkpoint: str | os.PathLike[str] | None = None,
        *,
        public_key: str | os.PathLike[str] | None = None,
        replay: bool = False,
    ) -> Verification:
        """Compute everything again.

        Parameters
        ----------
        checkpoint : str or path, optional
            A checkpoint that was kept elsewhere. Without one, a tail that was cut off is not seen.
        public_key : str or path, optional
            The key of whoever signed it, which is checked then.
        replay : bool
            Whether every charge is decided again, in the order of the history.

        Returns
        -------
        Verification
            With what does not fit.

        Raises
        ------
        InvalidFile
            If the checkpoint or the key cannot be read, or the signature is wrong.
        """
        from dprisk.ledger.checkpoints import read_checkpoint
        from dprisk.ledger.replaying import replayed
        from dprisk.ledger.verifying import verify

        note = None if checkpoint is None else read_checkpoint(checkpoint, public_key)
        return verify(self.store, note, replayed if replay else None)

    def checkpoint(
        self,
        path: str | os.PathLike[str],
        *,
        key: str | os.PathLike[str] | None = None,
        force: bool = False,
    ) -> Checkpoint:
        """Write down how far the ledger is, to be kept where the ledger is not.

        Parameters
        ----------
        path : str or path
            The file to write.
        key : str or path, optional
            A private key (ed25519) that signs it.
        force : bool
            Whether a file that is there may be replaced.

        Returns
        -------
        Checkpoint
            As written: origin, size and root.
        """
        from dprisk.ledger.checkpoints import checkpoint_of, write_checkpoint

        made = checkpoint_of(self.store.read())
        made = made if key is None else made.signed(key)
        write_checkpoint(made, path, force=force)
        return made

    def export(self, folder: str | os.PathLike[str]) -> None:
        """Write everything into a folder of plain files, from which `load` rebuilds it.

        Parameters
        ----------
        folder : str or path
            One that is empty, or not there yet.
        """
        from dprisk.ledger.exporting import exported

        exported(self.store.read(), Path(folder))

    @classmethod
    def load(cls, folder: str | os.PathLike[str], where: str | os.PathLike[str]) -> Self:
        """Rebuild a ledger from what `export` wrote.

        Parameters
        ----------
        folder : str or path
            The folder.
        where : str or path
            A file or the URL of a database in which there is no ledger yet.

        Returns
        -------
        Ledger
            With the same entries.
        """
        from dprisk.ledger.importing import imported

        return cls(imported(Path(folder), where))

    # --- inside ----------------------------------------------------------------------------------

    def _caught_up(self, read: Callable[[int], Iterable[Entry]]) -> State:
        """The state with everything that was committed since; refused if it went back."""
        head = self._state.head
        entries = list(read(max(self._state.size - 1, 0)))
        if head is not None:
            if not entries or entries[0] != head:
                raise Meaningless(fill("ledger.went-back", seq=head.seq))
            entries = entries[1:]
        return self._state.read(entries)

    def _priced(self, request: ChargeRequest, state: State) -> Priced:
        for name in request.accounts:
            _known(state, name)
        return Priced.of(request, state)

    def _whole_of(self, account: Account) -> Account | None:
        if account.within is None:
            return None
        whole = _known(self.state(), account.within)
        for name in ("unit", "neighbors"):
            if getattr(whole, name) != getattr(account, name):
                key = f"ledger.account.within.{name}"
                raise refused(key, name, getattr(account, name), whole=getattr(whole, name))
        if account.is_filter and not whole.is_filter:
            raise refused("ledger.account.within.rule", "rule", account.rule)
        return whole

    def _decisions(self, state: State, priced: Priced) -> dict[str, Decision]:
        found = {}
        for name, cost in priced.costs.items():
            account = state.accounts[name]
            more = parts(cost, account)
            found[name] = rule_of(account).decide(state.spent(account), more)
        return found

    def _charged(
        self, writing: Writing, state: State, asked: Sequence[Priced], by: str, release: bool
    ) -> LimitRefused | None:
        """All of them; or the first refusal, which goes on record, and none."""
        before, new = state.head, Entries(state.head, self.clock, by)
        for each in asked:
            known = state.charges.get(each.key)
            if known is not None:
                each.check_same(known)
                continue
            decisions = self._decisions(state, each)
            if not all(decision.kept for decision in decisions.values()):
                refusal = Entries(before, self.clock, by)
                refusal.add("refused", None, {"key": each.key, **each.refused(decisions)})
                writing.append(refusal.made[0])
                return LimitRefused(each.name, decisions, list(reasons(decisions)))
            made = [new.add("reserved", each.key, each.content)]
            if release:
                made.append(new.add("released", None, {"charge": each.key}))
            if len(asked) > 1:
                state.read(made)
        for entry in new.made:
            writing.append(entry)
        return None

    def _decide(self, key: str, kind: Decided, by: str, reason: str) -> Charge:
        content = {"charge": key, **({"reason": reason} if reason else {})}
        who = line("by", by)

        def work(writing: Writing) -> None:
            state = self._caught_up(writing.entries)
            charge = state.charges.get(key)
            if charge is None:
                raise refused("ledger.charge.unknown", "key", key)
            if charge.status == "reserved":
                writing.append(Entries(state.head, self.clock, who).add(kind, None, content))
            elif charge.status != kind:
                raise refused(f"ledger.charge.is-{charge.status}", "key", key, at=charge.at)

        self.store.write(work)
        return self.state().charges[key]


@final
@dataclass(frozen=True)
class Entries:
    """New entries by one person, one after another."""

    head: Entry | None
    clock: Callable[[], datetime]
    by: str
    made: list[Entry] = field(default_factory=list)

    def add(self, kind: EntryKind, key: str | None, content: Mapping[str, Any]) -> Entry:
        """One more, at this moment."""
        at = self.clock().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        last = self.made[-1] if self.made else self.head
        self.made.append(Entry.after(last, kind, key, at, self.by, content))
        return self.made[-1]
