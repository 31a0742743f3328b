"""The ledger: accounts are opened, releases are charged, limits are kept."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar, final

from dprisk.ledger.accounts import Account, line
from dprisk.ledger.charges import Charge, ChargeRequest, Priced
from dprisk.ledger.deciding import (
    Author,
    check_not_run,
    check_opened,
    decide_charge,
    decide_charges,
    opening,
    plan_charges,
    renewing,
)
from dprisk.ledger.entries import Entry, export_entries
from dprisk.ledger.kept import keep, lost, recall
from dprisk.ledger.rules import open_account, whole_of
from dprisk.ledger.state import (
    AccountStatus,
    Clock,
    Decided,
    PlannedCharge,
    State,
    now,
    status_of,
)
from dprisk.releases.release import Described, Part

if TYPE_CHECKING:
    from dprisk.ledger.copies.verifying import Checkpoint, Verification
    from dprisk.ledger.store import Store, Writing


Where: TypeAlias = "str | os.PathLike[str]"
T = TypeVar("T")


@final
@dataclass(frozen=True, eq=False)
class Ledger:
    """Record of what was released about whom, in a database; nothing is ever changed or removed.

    Parameters
    ----------
    store : Store
        Where the entries are kept. `Ledger.create` and `Ledger.open` make one.
    clock : callable, optional
        What time it is, as an aware `datetime`.

    Examples
    --------
    >>> import tempfile
    >>> from dprisk import PureDP
    >>> from dprisk.budget import InformedLimit
    >>> from dprisk.ledger import Account, Ledger
    >>> limit = InformedLimit("posterior", 0.5, prior=0.1)
    >>> town = Account("town", "residents", "person", "add-remove", "2026", "pure", (limit,))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Ledger.create(f"{folder}/office.ledger", origin="Office", by="ann") as ledger:
    ...         town = ledger.account(town, by="ann")
    ...         charge = ledger.charge(PureDP(0.5, neighbors="add-remove"), "town", by="ann")
    ...         status = ledger.status("town")
    >>> charge.status, float(town.cap) < 2.2, status.left
    ('released', True, 3)
    """

    store: Store
    clock: Clock = field(default_factory=lambda: now)
    _state: State = field(init=False, default_factory=State, repr=False)

    @classmethod
    def create(cls, where: Where, *, origin: str, by: str, clock: Clock = now) -> Self:
        """Begin a ledger where there is none; one that is there is refused.

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
        """
        from dprisk.ledger.copies.verifying import found_ledger

        return cls(found_ledger(where, origin, Author(clock, by)), clock)

    @classmethod
    def open(cls, where: Where, *, clock: Clock = now) -> Self:
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
        """
        from dprisk.ledger.store import open_store

        return cls(open_store(where), clock)

    def close(self) -> None:
        """Let go of the database, and keep a summary of what was read."""
        keep(self._state, self.store)
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def account(self, account: Account, *, by: str, apart: bool = False) -> Account:
        """Open an account, which cannot be changed afterwards.

        Parameters
        ----------
        account : Account
            The cap of a filter is found here, and fixed for good.
        by : str
            Who opens it.
        apart : bool
            Whether nobody in its data is in those of another account with the same population, unit
            and period; otherwise a second budget for them is refused. The entry says who states it.

        Returns
        -------
        Account
            With its cap and the confidence of its limits; as it is, if it was open with the same
            content. Another account of this name is refused, and limits that no release keeps.
        """
        author = Author(self.clock, by)
        asked = replace(account, apart=account.apart or apart)
        made = open_account(asked, whole_of(self.state(), asked))
        self._write(lambda state: (opening(state, made, author), None))
        known = self.state().accounts[account.name]
        check_opened(known, made)
        return known

    def renew(self, account: str, *, by: str) -> tuple[Account, Account]:
        """Raise the budget of an account to what its limits allow by what is known today.

        Parameters
        ----------
        account : str
            Its name. An account with the rule ``fixed`` has no budget, and is refused.
        by : str
            Who asks for it.

        Returns
        -------
        before, after : Account
            The account as it was and as it is: the same if its limits allow no more.

        Notes
        -----
        A filter holds for a cap that no result can change. Both caps follow from the limits alone,
        and everything ever released stays within the larger one, at which every limit is kept.
        """
        author = Author(self.clock, by)
        return self._write(lambda state: renewing(state, account, author))

    def reserve(
        self, release: Described | Part, accounts: str | Sequence[str], *, by: str, **more: Any
    ) -> Charge:
        """Set aside what a release will cost, if the limits allow it: it counts as spent.

        Parameters
        ----------
        release : Release, Part, Guarantee, Mechanism, Composed, str or path
            What is released; a path is that of one release file.
        accounts : str or sequence of str
            The accounts that it touches: all are charged or none.
        by : str
            Who asks.
        **more
            The other fields of `ChargeRequest`.

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
            If the release cannot be counted in the unit, neighbors or rule of an account.
        """
        return self.charge_all([ChargeRequest(release, accounts, **more)], by=by, release=False)[0]

    def charge(
        self, release: Described | Part, accounts: str | Sequence[str], *, by: str, **more: Any
    ) -> Charge:
        """Charge a release that is made at once: reserved and released in one step.

        Parameters
        ----------
        release : Release, Part, Guarantee, Mechanism, Composed, str or path
            What is released; a path is that of one release file.
        accounts : str or sequence of str
            The accounts that it touches: all are charged or none.
        by : str
            Who asks.
        **more
            The other fields of `ChargeRequest`.

        Returns
        -------
        Charge
            Released, also if it was reserved under the same key before. The errors are those of
            `reserve`.
        """
        return self.charge_all([ChargeRequest(release, accounts, **more)], by=by)[0]

    def charge_all(
        self, requests: Iterable[ChargeRequest], *, by: str, release: bool = True
    ) -> tuple[Charge, ...]:
        """Charge several releases in one step: all of them or none.

        Parameters
        ----------
        requests : iterable of ChargeRequest
            In the order in which they are to be decided. The errors are those of `reserve`.
        by : str
            Who asks.
        release : bool
            Whether they are released at once, or only reserved.

        Returns
        -------
        tuple of Charge
            In the order of the requests.
        """
        author, state = Author(self.clock, by), self.state()
        asked = [Priced.of(each, state) for each in requests]
        work = partial(decide_charges, asked=asked, author=author, release=release)
        refusal = self._write(work, [each.key for each in asked])
        if refusal is not None:
            raise refusal
        charges = self._follow(all_stay=True).charges
        return tuple(replace(charges[each.key], contradicted=each.contradicted) for each in asked)

    def release(self, key: str, *, by: str) -> Charge:
        """Record that what was reserved has been released.

        Parameters
        ----------
        key : str
            Of the charge.
        by : str
            Who says so.

        Returns
        -------
        Charge
            Released; as it is, if it was released before. One that was voided is refused.
        """
        return self._decide(key, "released", by)

    def void(self, key: str, *, by: str, reason: str, not_run: bool = False) -> Charge:
        """Record that what was reserved was not run: there is no result that anybody saw.

        Parameters
        ----------
        key : str
            Of the charge.
        by : str
            Who decides.
        reason : str
            Why.
        not_run : bool
            The statement itself, which has to be made: True.

        Returns
        -------
        Charge
            Voided: it counts no more. One that was released is refused: it stays spent.
        """
        check_not_run(not_run)
        return self._decide(key, "voided", by, reason=line("reason", reason), not_run=True)

    def state(self) -> State:
        """Everything that is known now.

        Returns
        -------
        State
            By all entries that are committed. To be read only.
        """
        recall(self._state, self.store)
        return self._follow()

    def _follow(self, *, all_stay: bool = False) -> State:
        missing = partial(lost, self.store.location)
        return self._state.follow(self.store.read, missing, all_stay=all_stay)

    def status(self, account: str) -> AccountStatus:
        """Report what a person can have lost so far, and what is left.

        Parameters
        ----------
        account : str
            Its name.

        Returns
        -------
        AccountStatus
            With the certified numbers, and how many more releases like the last one fit.
        """
        return status_of(self.state(), account)

    def history(self, account: str | None = None) -> tuple[Charge, ...]:
        """The charges, in the order in which they were reserved, voided ones too.

        Parameters
        ----------
        account : str, optional
            Only those that touch this account.

        Returns
        -------
        tuple of Charge
            In order.
        """
        if self.state().since:
            self._state.become(State(room=math.inf))
            self._follow()
        return self._state.of(account)

    def plan(self, requests: Iterable[ChargeRequest]) -> tuple[PlannedCharge, ...]:
        """Decide about future releases, in their order, as if they were made. Nothing is written.

        Parameters
        ----------
        requests : iterable of ChargeRequest
            What would be refused does not count for those after it.

        Returns
        -------
        tuple of PlannedCharge
            One for each.
        """
        return tuple(plan_charges(self.state(), requests))

    def verify(
        self,
        checkpoint: Where | None = None,
        *,
        public_key: Where | None = None,
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
        """
        from dprisk.ledger.copies.verifying import read_checkpoint, verify

        note = None if checkpoint is None else read_checkpoint(checkpoint, public_key)
        return verify(self.store, note, replay=replay)

    def checkpoint(
        self, path: Where, *, key: Where | None = None, force: bool = False
    ) -> Checkpoint:
        """Write down how far the ledger is, to be kept where the ledger is not.

        Parameters
        ----------
        path : str or path
            The file to write.
        key : str or path, optional
            A private key (ed25519, in PEM) that signs it.
        force : bool
            Whether a file that is there may be replaced.

        Returns
        -------
        Checkpoint
            As written: origin, size and root.
        """
        from dprisk.ledger.copies.verifying import checkpoint_at, write_checkpoint

        made = checkpoint_at(self.state())
        made = made if key is None else made.signed(key)
        write_checkpoint(made, path, force=force)
        return made

    def export(self, folder: Where) -> None:
        """Write everything into a folder of plain files, from which `load` rebuilds it.

        Parameters
        ----------
        folder : str or path
            One that is empty, or not there yet.
        """
        entries = self.store.read()
        self.state()  # an older copy is refused before anything is written
        export_entries(entries, Path(folder))

    @classmethod
    def load(cls, folder: Where, where: Where, *, as_is: bool = False) -> Self:
        """Rebuild a ledger from what `export` wrote: every entry is computed again.

        Parameters
        ----------
        folder : str or path
            The folder.
        where : str or path
            A file or the URL of a database in which there is no ledger yet.
        as_is : bool
            Whether entries with flaws, which `verify` names, are taken over and not refused.

        Returns
        -------
        Ledger
            With the same entries.
        """
        from dprisk.ledger.copies.verifying import import_ledger

        return cls(import_ledger(folder, where, as_is=as_is))

    def _write(
        self, work: Callable[[State], tuple[Iterable[Entry], T]], keys: Iterable[str] = ()
    ) -> T:
        """Append the entries that follow from the state inside the transaction."""
        self.state()

        def appended(writing: Writing) -> T:
            state = self._state.follow(writing.entries, partial(lost, self.store.location))
            state.recall(keys, writing.of)
            entries, found = work(state)
            for entry in entries:
                writing.append(entry)
            return found

        return self.store.write(appended)

    def _decide(self, key: str, kind: Decided, by: str, **more: str | bool) -> Charge:
        author = Author(self.clock, by)
        self._write(lambda state: (decide_charge(state, key, kind, author, **more), None), [key])
        return self._follow(all_stay=True).charges[key]
