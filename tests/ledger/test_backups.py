"""Backups: made while others write, verified before they are restored, and nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import threading
from pathlib import Path

import pytest

from dprisk.errors import DpriskError, InvalidFile, InvalidInput, LedgerDamaged, LedgerUnavailable
from dprisk.ledger import Ledger, back_up, give_receipt, json_schema, restore
from dprisk.ledger.copies.verifying import verify
from dprisk.ledger.entries import Entry
from dprisk.ledger.kept import WORTH, place_of
from dprisk.ledger.store import open_store, opening
from dprisk.ledger.store.places import Location
from dprisk.ledger.store.store import exclusive
from tests.cli.running import run
from tests.ledger.entries import added
from torture.crafting import begun_at, pure
from torture.working import AT


def charged(place, *keys):
    with Ledger.open(place) as book:
        for key in keys:
            book.charge(pure(0.001), "town", key=key, by="ann")


def entries_at(place):
    store = open_store(place)
    found = store.read()
    store.close()
    return found


def backed_up(place, file):
    with Ledger.open(place) as book:
        return back_up(book, file)


@pytest.fixture
def place(tmp_path):
    """A ledger with three charges, a backup of it, and two charges since."""
    where = tmp_path / "a.ledger"
    begun_at(where).close()
    charged(where, "k0", "k1", "k2")
    backed_up(where, tmp_path / "backup")
    charged(where, "k3", "k4")
    return where


def test_a_backup_is_whole_and_its_owners_alone(place, tmp_path):
    made = backed_up(place, tmp_path / "b")
    assert (made.entries, made.origin) == (13, "Office")
    assert made.last == entries_at(place)[-1].at
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o600
    assert entries_at(tmp_path / "b") == entries_at(place)


def test_nothing_is_overwritten(place, tmp_path):
    before = (tmp_path / "backup").read_bytes()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("backup", "a.ledger", "link", "."):
        with pytest.raises(InvalidFile, match="never replaces it"):
            backed_up(place, tmp_path / name)
    assert (tmp_path / "backup").read_bytes() == before and len(entries_at(place)) == 13


def test_a_backup_while_others_write_is_of_one_moment(place, tmp_path):
    children = []
    for name in "pq":
        child = os.fork()
        if child == 0:
            store = open_store(place)
            for number in range(30):
                store.write(added(f"{name}{number}"))
            store.close()
            os._exit(0)
        children.append(child)
    made = [backed_up(place, tmp_path / f"b{number}").entries for number in range(5)]
    assert [os.waitstatus_to_exitcode(os.waitpid(each, 0)[1]) for each in children] == [0, 0]
    entries = entries_at(place)
    assert len(entries) == 13 + 60
    for number, size in enumerate(made):
        assert entries_at(tmp_path / f"b{number}") == entries[:size]


def test_no_backup_of_what_is_damaged(place, tmp_path):
    raw = bytearray(place.read_bytes())
    at = raw.find(b'"charge":"k3"')
    raw[at + 12] ^= 1
    place.write_bytes(raw)
    with pytest.raises(LedgerDamaged, match="The 10 entries before it are consistent"):
        backed_up(place, tmp_path / "b")
    assert not (tmp_path / "b").exists()


def test_a_ledger_that_was_lost_comes_back(place, tmp_path):
    before = entries_at(place)[:9]
    place.unlink()
    found = restore(tmp_path / "backup", place)
    assert (found.how, found.added, found.kept) == ("new", 9, True)
    assert found.backup.last == before[-1].at and entries_at(place) == before
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert entries_at(tmp_path / "backup") == before
    charged(place, "k5")


def test_what_is_missing_is_added(place, tmp_path):
    backed_up(place, tmp_path / "newer")
    place.unlink()
    restore(tmp_path / "backup", place)
    watching = open_store(place)
    found = restore(tmp_path / "newer", place)
    assert (found.how, found.added, found.aside) == ("completed", 4, None)
    assert restore(tmp_path / "newer", place).how == "the same"
    assert len(watching.read()) == 13
    watching.close()


def test_a_ledger_with_more_is_not_replaced_unless_asked(place, tmp_path):
    before = entries_at(place)
    with pytest.raises(InvalidFile, match=r"has 9 entries.*the ledger has 13\..*--replace"):
        restore(tmp_path / "backup", place)
    assert entries_at(place) == before
    found = restore(tmp_path / "backup", place, replace=True)
    assert (found.how, found.added) == ("replaced", 9) and entries_at(place) == before[:9]
    assert entries_at(found.aside) == before


def test_a_ledger_that_went_its_own_way_is_not_replaced_unless_asked(place, tmp_path):
    shutil.copy(tmp_path / "backup", tmp_path / "fork")
    charged(tmp_path / "fork", "x", "y", "z")
    before = entries_at(place)
    with pytest.raises(InvalidFile, match="They differ from entry 10 on"):
        restore(tmp_path / "fork", place)
    assert entries_at(place) == before


def test_what_a_backup_misses_is_told_by_receipts(place, tmp_path):
    with Ledger.open(place) as book:
        for key in ("k1", "k4"):
            (tmp_path / key).write_text(give_receipt(book, key).text)
    place.unlink()
    with pytest.raises(InvalidFile, match="not a whole receipt"):
        (tmp_path / "cut").write_text((tmp_path / "k1").read_text()[:-3])
        restore(tmp_path / "backup", place, receipts=[tmp_path / "cut"])
    assert not place.exists()
    found = restore(tmp_path / "backup", place, receipts=[tmp_path / "k1", tmp_path / "k4"])
    assert not found.kept and [each.verdict for each in found.receipts] == ["cut off"] * 2
    assert "is still there" in found.receipts[0].why and "is missing" in found.receipts[1].why


def test_a_summary_tells_that_newer_entries_were_seen(place, tmp_path):
    charged(place, *map(str, range(WORTH // 2)))
    summary = place_of(Location.of(place))
    assert summary.exists()
    place.unlink()
    with pytest.raises(InvalidFile, match=r"The backup ends at entry 9, and entry \d+ was seen"):
        restore(tmp_path / "backup", place)
    assert not place.exists()
    assert restore(tmp_path / "backup", place, replace=True).how == "new"
    assert not summary.exists()
    charged(place, "k9")


@pytest.mark.parametrize("damage", ["byte", "half", "text", "empty", "other", "newer", "missing"])
def test_a_bad_backup_changes_nothing_and_is_named(place, tmp_path, damage):
    file, before = tmp_path / "backup", place.read_bytes()
    raw = bytearray(file.read_bytes())
    if damage == "byte":
        raw[raw.find(b'"charge":"k1"') + 12] ^= 1
    elif damage == "half":
        raw = raw[: len(raw) * 2 // 3]
    elif damage == "text":
        raw = bytearray(b"hello\n" * 300)
    elif damage == "empty":
        raw = bytearray()
    file.write_bytes(raw)
    if damage == "other":
        file.unlink()
        store = open_store(file, create=True)  # with no entry
        store.close()
    elif damage == "newer":
        from tests.ledger.test_store_opening import marked

        marked(file, "0999")
    elif damage == "missing":
        file.unlink()
    said = {
        "byte": "This backup is damaged: Entry 7 was changed",
        "half": "bytes: it was copied or written in part",
        "text": "This file is not a ledger",
        "empty": "This file is empty",
        "other": "This backup has no entries",
        "newer": "A newer version of dprisk",
        "missing": "There is no ledger",
    }
    for replace in (False, True):
        with pytest.raises(DpriskError, match=said[damage]) as caught:
            restore(file, place, replace=replace)
        assert "backup" in str(caught.value)
    assert place.read_bytes() == before
    assert {each.name for each in tmp_path.iterdir()} - {"backup"} == {"a.ledger"}


def test_flaws_that_are_in_order_are_restored_only_as_they_are(place, tmp_path):
    store = open_store(place)
    said = ("released", None, AT, "eve", {"charge": "nothing"})
    store.write(lambda writing: writing.append(Entry.after(writing.entries()[-1], *said)))
    store.close()
    backed_up(place, tmp_path / "b")
    with pytest.raises(InvalidFile, match=r"Entry 14 releases a charge that .* add --as-is"):
        restore(tmp_path / "b", tmp_path / "again")
    assert not (tmp_path / "again").exists()
    assert restore(tmp_path / "b", tmp_path / "again", as_is=True).added == 14
    with Ledger.open(tmp_path / "again") as book:
        assert len(book.status("town").flaws) == 1


@pytest.mark.parametrize("damage", ["byte", "half", "text"])
def test_a_damaged_ledger_is_replaced_only_if_asked_and_is_kept(place, tmp_path, damage):
    raw = bytearray(place.read_bytes())
    if damage == "byte":
        raw[raw.find(b'"charge":"k1"') + 12] ^= 1
    raw = {"byte": raw, "half": raw[: len(raw) * 2 // 3], "text": b"hello\n" * 300}[damage]
    place.write_bytes(raw)
    with pytest.raises(LedgerUnavailable, match=r"Nothing was restored\..*--replace"):
        restore(tmp_path / "backup", place)
    assert place.read_bytes() == raw
    found = restore(tmp_path / "backup", place, replace=True)
    assert found.how == "replaced" and len(entries_at(place)) == 9
    assert Path(found.aside).stat().st_mode & 0o777 == 0o600
    if damage != "byte":  # of a readable database, SQLite makes the copy
        assert Path(found.aside).read_bytes() == raw


def test_a_backup_of_an_older_version_stays_as_it_is(place, tmp_path):
    from tests.ledger.test_store_opening import marked, older

    old = tmp_path / "old"
    older(old)
    marked(old, opening.NEWEST)
    store = open_store(old)
    entries = entries_at(tmp_path / "backup")
    store.write(lambda writing: [writing.append(each) for each in entries])
    store.close()
    marked(old, opening.REVISIONS[0])
    before = old.read_bytes()
    assert restore(old, tmp_path / "again").how == "new"
    assert entries_at(tmp_path / "again") == entries and old.read_bytes() == before
    store = open_store(tmp_path / "again")
    assert verify(store).is_whole
    store.close()


def test_a_journal_of_a_lost_file_is_not_written_into_a_backup(place, tmp_path):
    place.unlink()
    journal = tmp_path / "a.ledger-journal"
    journal.write_bytes(b"left over")
    with pytest.raises(InvalidFile, match=r"a\.ledger-journal, which SQLite would write into"):
        restore(tmp_path / "backup", place)
    assert not place.exists()
    restore(tmp_path / "backup", place, replace=True)
    assert not journal.exists() and len(entries_at(place)) == 9
    assert [each for each in tmp_path.iterdir() if each.read_bytes() == b"left over"]


def test_who_waits_for_a_ledger_that_is_replaced_writes_to_the_new_one(place, tmp_path):
    store, other = open_store(place), open_store(place)
    waits = threading.Thread(target=lambda: store.write(added("waited")))
    shutil.copy(tmp_path / "backup", tmp_path / "new")
    with exclusive(other.engine, 5):
        waits.start()
        waits.join(0.5)
        assert waits.is_alive()
        os.rename(place, tmp_path / "was")
        os.rename(tmp_path / "new", place)
    waits.join(20)
    assert "waited" in [each.key for each in entries_at(place)]
    assert "waited" not in [each.key for each in entries_at(tmp_path / "was")]
    store.close()
    other.close()


def test_who_writes_while_a_ledger_is_replaced_loses_nothing(place, tmp_path):
    children = []
    for name in "pqr":
        child = os.fork()
        if child == 0:
            store = open_store(place)
            for number in range(20):
                store.write(added(f"{name}{number}"))
            store.close()
            os._exit(0)
        children.append(child)
    found = [restore(tmp_path / "backup", place, replace=True) for _ in range(3)]
    assert [os.waitstatus_to_exitcode(os.waitpid(each, 0)[1]) for each in children] == [0] * 3
    files = {place, *(each.aside for each in found if each.aside)}
    keys = {each.key for file in files for each in entries_at(file)}
    assert {f"{name}{number}" for name in "pqr" for number in range(20)} <= keys


@pytest.mark.parametrize("step", ["before", "after"])
def test_a_restore_that_is_killed_leaves_one_ledger_or_the_other(place, tmp_path, step):
    """At the moment when one takes the place of the other."""
    before, move = entries_at(place), os.replace

    def killed(one, other):
        if Path(other) != place:
            return move(one, other)
        if step == "after":
            move(one, other)
        os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if child == 0:
        os.replace = killed
        restore(tmp_path / "backup", place, replace=True)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert entries_at(place) == (before if step == "before" else before[:9])
    (aside,) = tmp_path.glob("a.ledger.replaced-*")
    assert entries_at(aside) == before
    charged(place, "next")


def test_names_that_are_no_text(place, tmp_path):
    file, where = (os.fsdecode(bytes(tmp_path / "x") + end) for end in (b"\xff", b"\xfe"))
    assert backed_up(place, file).entries == 13 and restore(file, where).how == "new"


def test_what_is_no_file(place, tmp_path, url):
    begun_at(url).close()
    with pytest.raises(InvalidInput, match="a ledger in a file"):
        backed_up(url, tmp_path / "b")
    for file, where in ((tmp_path / "backup", url), (url, tmp_path / "b")):
        with pytest.raises(InvalidInput, match="a ledger in a file"):
            restore(file, where)
    with pytest.raises(InvalidInput, match="another file than the backup"):
        restore(place, place)
    with pytest.raises(LedgerUnavailable, match="This is a folder"):
        restore(tmp_path, place)


def test_commands(place, tmp_path):
    def ledger(*arguments, code=0):
        done = run("ledger", *map(str, arguments))
        assert done.code == code, done.err
        return done

    schema = json_schema()["$defs"]
    made = json.loads(ledger("backup", place, tmp_path / "b", "--json").out)
    assert made.keys() == set(schema["backup"]["required"])
    note = tmp_path / "note"
    ledger("receipt", place, "k4", "-o", note)
    ledger("restore", tmp_path / "backup", place, code=2)
    done = ledger("restore", tmp_path / "backup", place, "--replace", "--receipt", note, code=3)
    told = " ".join(done.out.split())
    assert "Restored 9 entries" in told and "is missing" in told and "is kept as" in told
    done = json.loads(ledger("restore", tmp_path / "b", place, "--json").out)
    assert done.keys() == set(schema["restore"]["required"]) and done["how"] == "completed"
