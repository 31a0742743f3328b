"""What is wrong is found, all of it, and each in a sentence; what is whole is left alone."""

from __future__ import annotations

import json
from functools import partial

import pytest
from sqlalchemy import text

from dprisk.ledger.copies.verifying import verify as verify_all
from dprisk.ledger.entries import Entry
from dprisk.ledger.store import open_store
from dprisk.ledger.store.opening import copy_file
from tests.ledger.entries import added, filled
from tests.ledger.test_store import spoil
from torture.working import AT, checkpoint_of


@pytest.fixture
def store(where):
    found = filled(open_store(where, create=True), 5)
    yield found
    found.close()


verify = partial(verify_all, contents=False)  # of entries that only the store knows


def said(found):
    return list(found.flaws)


def test_a_whole_ledger(store):
    entries = store.read()
    found = verify(store, checkpoint_of(entries))
    assert found.is_whole and found.size == 5 and found.root == entries[-1].hash
    assert json.loads(json.dumps(found.to_dict()))["flaws"] == []


def test_an_earlier_checkpoint_still_holds(store):
    early = checkpoint_of(store.read()[:2])
    store.write(added("more"))
    assert verify(store, early).is_whole
    assert verify(store, checkpoint_of([])).flaws != ()  # no ledger has no name


def test_a_cut_tail_and_an_older_backup(store):
    point = checkpoint_of(store.read())
    spoil(store, "DELETE FROM entry WHERE seq = 5")
    assert not any("Entry" in each for each in said(verify(store)))  # nothing else tells
    (found,) = [each for each in said(verify(store, point)) if "checkpoint" in each]
    assert found.startswith("The ledger ends at entry 4, and the checkpoint at entry 5.")


def test_another_ledger(store, tmp_path):
    other = open_store(tmp_path / "other", create=True)
    first = Entry.after(None, "ledger", None, AT, "bo", {"origin": "elsewhere"})
    other.write(lambda writing: writing.append(first))
    filled(other, 6)
    found = said(verify(store, checkpoint_of(other.read()[:4])))
    assert found[0].startswith("This is the ledger of example.org/2026, but the checkpoint is ")
    assert found[0].endswith("from the ledger of elsewhere.")
    assert "Entry 4 differs from the checkpoint" in found[1]
    other.close()


def test_all_that_was_changed_is_listed(store):
    spoil(store, "UPDATE entry SET \"by\" = 'eve' WHERE seq IN (2, 4)")
    found = said(verify(store))
    assert [each for each in found if each.startswith("Entry")] == [
        "Entry 2 was changed: its hash does not match its content.",
        "Entry 4 was changed: its hash does not match its content.",
    ]
    assert any("does not protect its entries from changes" in each for each in found)


def test_a_gap_is_named_once(store):
    spoil(store, "DELETE FROM entry WHERE seq = 3")
    found = [each for each in said(verify(store)) if each.startswith("Entry")]
    assert found == ["Entry 3 is missing.", "Entry 4 does not follow the one before it."]


def test_there_is_an_end_to_the_list(tmp_path):
    store = filled(open_store(tmp_path / "a", create=True), 300)
    spoil(store, "UPDATE entry SET \"by\" = 'eve'")
    assert len(verify(store).flaws) == 101
    assert str(verify(store).flaws[-1]).startswith("There are 2")
    store.close()


@pytest.mark.parametrize("name", ["kept", "stays", "follows"])
def test_a_trigger_that_is_off_is_named(where, name):
    store = filled(open_store(where, create=True), 2)
    on = " ON entry" if store.location.path is None else ""
    with store.engine.connect() as connection:
        connection.execute(text(f"DROP TRIGGER entry_{name}{on}"))
        connection.commit()
    assert any(f"entry_{name} is missing or switched off" in each for each in said(verify(store)))
    store.close()


def test_an_older_backup_is_found(tmp_path):
    store = filled(open_store(tmp_path / "a", create=True), 4)
    copy_file(store.location, tmp_path / "b")
    store.write(added("after"))
    point = checkpoint_of(store.read())
    store.close()
    backup = open_store(tmp_path / "b")
    assert verify(backup).is_whole and backup.read() != []
    assert "an older backup was restored" in said(verify(backup, point))[0]
    backup.close()
