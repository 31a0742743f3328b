"""Any order of commands: the ledger says what a few dictionaries say."""

from __future__ import annotations

import tempfile
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from dprisk import PureDP
from dprisk.budget import EpsilonLimit
from dprisk.errors import InvalidInput, LimitRefused
from dprisk.ledger import Account, ChargeRequest, Ledger

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
        self.place, self.charges, self.notes = self._free(), {}, []
        self.ledger = Ledger.create(self.place, origin="Office", by="ann")
        for name, most, within in (
            ("town", 2.0, None),
            ("school", 1.0, "town"),
            ("farm", 1.5, None),
        ):
            limits = (EpsilonLimit(most, delta=0.0),)
            said = (name, "people", "person", "add-remove", "2026", "pure", limits)
            self.ledger.account(Account(*said, within=within), by="ann")
        self.most = {"town": Fraction(2), "school": Fraction(1), "farm": Fraction(3, 2)}

    def _free(self):
        folder = Path(self.folder.name)
        return folder / f"{len(list(folder.iterdir()))}.ledger"

    def _spent(self, name):
        counted = [one for one in self.charges.values() if one["state"] != "voided"]
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
        self.ledger.close()
        self.ledger = Ledger.open(self.place)

    @rule()
    def move(self):
        folder = Path(self.folder.name) / f"out{len(list(Path(self.folder.name).iterdir()))}"
        self.ledger.export(folder)
        self.ledger.close()
        self.place = self._free()
        self.ledger = Ledger.load(folder, self.place)

    @rule()
    def note(self):
        path = self._free().with_suffix(".note")
        self.ledger.checkpoint(path)
        self.notes.append(path)

    @invariant()
    def says_what_is_so(self):
        if not hasattr(self, "charges"):
            return
        state = self.ledger.state()
        found = {key: charge.status for key, charge in state.charges.items()}
        assert found == {key: one["state"] for key, one in self.charges.items()}
        for name, most in self.most.items():
            (amount,) = self.ledger.status(name).standing.amounts
            assert amount.spent == self._spent(name) <= most == amount.most

    def teardown(self):
        if not hasattr(self, "ledger"):
            return
        for path in self.notes or [None]:
            found = self.ledger.verify(path, replay=True)
            assert found.is_whole, list(map(str, found.flaws))
        self.ledger.close()
        self.folder.cleanup()


TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=8, stateful_step_count=20, deadline=None)
