"""Any order of commands: the ledger says what a few dictionaries say."""

from __future__ import annotations

import tempfile
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from dprisk import PureDP
from dprisk.budget import EpsilonLimit
from dprisk.errors import InvalidFile, InvalidInput, LimitRefused
from dprisk.ledger import (
    Account,
    ChargeRequest,
    Ledger,
    back_up,
    check_receipts,
    give_receipt,
    kept,
    restore,
)

pytest.importorskip("sqlalchemy")

TENTHS = st.integers(1, 12)
KEYS = st.sampled_from("abcdefgh")
NAMES = st.sampled_from(["town", "school", "farm"])
WITHIN = {"town": "town", "school": "town", "farm": None}


def wholes(names):
    """These accounts and those that they are part of."""
    return {inside for name in names for inside in {name, WITHIN[name]} if inside}


class Machine(RuleBasedStateMachine):
    """A ledger with three accounts, and what it should say."""

    @initialize()
    def begin(self):
        self.folder = tempfile.TemporaryDirectory()
        self.names, self.patch = 0, pytest.MonkeyPatch()
        self.patch.setattr(kept, "WORTH", 2)  # so that there is a summary, most of the time
        self.place, self.charges, self.notes = self._free(), {}, []
        self.receipts, self.copies, self.other = [], [], None
        self.ledger = Ledger.create(self.place, origin="Office", by="ann")
        for name, most, within in (
            ("town", 2.0, None),
            ("school", 1.0, "town"),
            ("farm", 1.5, None),
        ):
            limits = (EpsilonLimit(most, delta=0.0),)
            said = (name, "people", "person", "add-remove", "2026", "pure", limits)
            self.ledger.account(Account(*said, within=within), by="ann", apart=True)
        self.most = {"town": Fraction(2), "school": Fraction(1), "farm": Fraction(3, 2)}

    def _free(self):
        self.names += 1
        return Path(self.folder.name) / f"{self.names}.ledger"

    def _spent(self, name, charges=None):
        charges = self.charges if charges is None else charges
        counted = [one for one in charges.values() if one["state"] != "voided"]
        return sum((one["amount"] for one in counted if name in one["wholes"]), Fraction(0))

    def _fits(self, names, amount):
        return all(self._spent(each) + amount <= self.most[each] for each in wholes(names))

    @rule(key=KEYS, names=st.sets(NAMES, min_size=1), tenths=TENTHS, release=st.booleans())
    def charge(self, key, names, tenths, release):
        amount, asked = Fraction(tenths, 10), sorted(names)
        known, before = self.charges.get(key), self.ledger.state().size
        one = ChargeRequest(PureDP(tenths / 10, neighbors="add-remove"), asked, key=key)
        if known is not None:
            same = (known["amount"], known["names"]) == (amount, asked)
            if same and known["state"] != "voided":
                (made,) = self.ledger.charge_all([one], by="bo", release=release)
                turns = release and known["state"] == "reserved"
                known["state"] = "released" if turns else known["state"]
                assert made.status == known["state"]
                before += turns
            else:
                with pytest.raises(InvalidInput):
                    self.ledger.charge_all([one], by="bo", release=release)
            assert self.ledger.state().size == before
        elif self._fits(names, amount):
            (made,) = self.ledger.charge_all([one], by="bo", release=release)
            assert made.status == ("released" if release else "reserved")
            self.charges[key] = {
                "amount": amount, "names": asked, "wholes": wholes(names), "state": made.status,
            }  # fmt: skip
        else:
            assert not self.ledger.plan([one])[0].kept
            with pytest.raises(LimitRefused):
                self.ledger.charge_all([one], by="bo", release=release)
            assert self.ledger.state().size == before + 1

    @rule(key=KEYS, voids=st.booleans())
    def decide(self, key, voids):
        state = self.charges.get(key, {}).get("state")
        wanted = "voided" if voids else "released"

        def act():
            if voids:
                return self.ledger.void(key, by="cy", reason="never made", not_run=True)
            return self.ledger.release(key, by="cy")

        if state in ("reserved", wanted):
            assert act().status == wanted
            self.charges[key]["state"] = wanted
        else:
            with pytest.raises(InvalidInput):
                act()

    @rule()
    def close_and_open(self):
        self._close()
        self.ledger = Ledger.open(self.place)

    @rule()
    def move(self):
        folder = self._free().with_suffix(".export")
        self.ledger.export(folder)
        self._close()
        self.place = self._free()
        self.ledger = Ledger.load(folder, self.place)

    @rule()
    def lose_the_summary(self):
        self._close()
        kept.place_of(self.ledger.store.location).unlink(missing_ok=True)
        self.ledger = Ledger.open(self.place)

    @rule()
    def go_on_elsewhere(self):
        """Another program goes on; this one, which knows less, is asked again later."""
        self.ledger, self.other = self.other or Ledger.open(self.place), self.ledger

    @rule(key=KEYS)
    def take_a_receipt(self, key):
        if key not in self.charges:
            with pytest.raises(InvalidInput):
                give_receipt(self.ledger, key)
            return
        path = self._free().with_suffix(".receipt")
        path.write_text(give_receipt(self.ledger, key).text)
        self.receipts.append((path, self.ledger.state().size))

    @rule()
    def back_up(self):
        path = self._free().with_suffix(".backup")
        size = back_up(self.ledger, path).entries
        assert size == self.ledger.state().size
        self.copies.append((path, size, {key: dict(one) for key, one in self.charges.items()}))

    @precondition(lambda self: self.copies)
    @rule(data=st.data())
    def look_into_a_backup(self, data):
        """It is what the ledger was then, and misses the receipts that were given later."""
        path, size, charges = data.draw(st.sampled_from(self.copies))
        files = [file for file, _ in self.receipts]
        found = restore(path, place := self._free(), receipts=files)
        assert [one.kept for one in found.receipts] == [at <= size for _, at in self.receipts]
        with Ledger.open(place) as again:
            self._is_so(again, charges)
            assert again.verify(replay=True).is_whole

    @precondition(lambda self: self.copies)
    @rule(data=st.data())
    def restore_where_it_is(self, data):
        """One with less is refused, whether the ledger is there or was lost."""
        path, size, _ = data.draw(st.sampled_from(self.copies))
        if size < self.ledger.state().size:
            with pytest.raises(InvalidFile):
                restore(path, self.place)
        else:
            assert restore(path, self.place).how == "the same"

    @rule()
    def lose_and_restore(self):
        back_up(self.ledger, path := self._free().with_suffix(".backup"))
        self._close()
        self.place.unlink()
        assert restore(path, self.place).how == "new"
        self.ledger = Ledger.open(self.place)

    @rule()
    def open_a_second_budget(self):
        limits = (EpsilonLimit(9.0, delta=0.0),)
        before = self.ledger.state().size
        said = (" People", "person", "add-remove", "2026", "pure", limits)
        with pytest.raises(InvalidInput, match="Two budgets let a person lose both"):
            self.ledger.account(Account("second", *said), by="ann")
        assert self.ledger.state().size == before

    def _close(self):
        for one in filter(None, (self.ledger, self.other)):
            one.close()
        self.other = None

    @rule()
    def note(self):
        path = self._free().with_suffix(".note")
        self.ledger.checkpoint(path)
        self.notes.append(path)

    @invariant()
    def says_what_is_so(self):
        if not hasattr(self, "charges"):
            return
        self._is_so(self.ledger, self.charges)

    def _is_so(self, ledger, charges):
        for name, most in self.most.items():
            (amount,) = ledger.status(name).standing.amounts
            assert amount.spent == self._spent(name, charges) <= most == amount.most
        found = {charge.key: charge.status for charge in ledger.history()}
        assert found == {key: one["state"] for key, one in charges.items()}

    def teardown(self):
        if not hasattr(self, "ledger"):
            return
        for path in self.notes or [None]:
            found = self.ledger.verify(path, replay=True)
            assert found.is_whole, list(map(str, found.flaws))
        files = [file for file, _ in self.receipts]
        assert all(one.kept for one in check_receipts(self.place, files))
        self._close()
        self.patch.undo()
        self.folder.cleanup()


TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=8, stateful_step_count=20, deadline=None)
