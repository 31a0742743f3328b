"""The summary beside a ledger: it spares reading, changes no answer, and is never trusted alone."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing
from fractions import Fraction
from hashlib import sha256

import pytest

from dprisk.errors import (
    InvalidFile,
    InvalidInput,
    LedgerDamaged,
    LedgerUnavailable,
    LimitRefused,
)
from dprisk.ledger import Account, ChargeRequest, Ledger, kept, state
from dprisk.ledger.state import State
from torture.commanding import LIMIT
from torture.crafting import begun_at, pure


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A ledger with more entries than are read again, and the summary of it."""
    place = tmp_path_factory.mktemp("begun") / "a.ledger"
    with begun_at(place) as made:
        asked = [ChargeRequest(pure(0.0078125), "school", key=f"k{i}") for i in range(60)]
        made.charge_all(asked, by="ann")
        made.reserve(pure(0.125), "school", by="ann", key="a")
        made.reserve(pure(0.125), "school", by="ann", key="b")
        made.void("b", by="ann", reason="cancelled", not_run=True)
    assert kept.place_of(made.store.location).exists()
    return place


@pytest.fixture
def place(begun, tmp_path):
    """A copy of both."""
    for name in ("a.ledger", "a.ledger-summary"):
        shutil.copy(begun.with_name(name), tmp_path / name)
    return tmp_path / "a.ledger"


def summary(place):
    return place.with_name("a.ledger-summary")


def told(ledger):
    """All that a ledger answers."""
    names = list(ledger.state().accounts)
    return [ledger.status(name).to_dict() for name in names], [
        c.to_dict() for c in ledger.history()
    ]


def test_it_changes_no_answer_and_is_not_read_when_it_is_gone(place):
    with Ledger.open(place) as ledger:
        since, found = ledger.state().since, told(ledger)
        assert ledger.verify(replay=True).is_whole
    summary(place).unlink()
    with Ledger.open(place) as ledger:
        assert told(ledger) == found and (since, ledger.state().since) == (126, 0)
    assert summary(place).exists() and summary(place).stat().st_mode & 0o777 == 0o600


def test_a_history_reads_what_is_before_it_once(place, monkeypatch):
    with Ledger.open(place) as ledger:
        assert len(ledger.state().charges) == 1
        assert len(ledger.history()) == 62 and ledger.state().since == 0
        monkeypatch.setattr(State, "become", lambda *_: 1 / 0)
        assert len(ledger.history("school")) == 62


@pytest.mark.parametrize("most", [3, 4, 7, 125, 126, 127, 128, 1000])
def test_entries_are_read_in_pieces(place, most, monkeypatch):
    summary(place).unlink()
    monkeypatch.setattr(state, "AT_ONCE", most)
    with Ledger.open(place) as ledger:
        found = told(ledger)
        ledger.charge(pure(2**-7), "school", by="ann", key="next")
        assert ledger.state().size == 128 and len(found[1]) == 62
        assert kept.summary_of(ledger.state()) == kept.summary_of(State().read(ledger.store.read()))


@pytest.mark.parametrize("most", [3, 10, 50])
def test_settled_charges_are_not_kept_and_no_answer_changes(place, most, monkeypatch):
    """What a process holds does not grow with the history, nor with what it charges itself."""
    summary(place).unlink()
    with Ledger.open(place) as ledger:
        found = told(ledger)
    summary(place).unlink()
    monkeypatch.setattr(state, "AT_ONCE", most)
    with Ledger.open(place) as ledger:
        assert len(ledger.state().charges) <= 2 * most + 2 and ledger.state().since > 120 - 2 * most
        asked = [ChargeRequest(pure(2**-12), "school", key=f"n{i}") for i in range(3 * most)]
        made = ledger.charge_all(asked, by="ann")
        assert [each.key for each in made] == [each.key for each in asked]
        assert len(ledger.state().charges) <= 2 * most + 2
        again = ledger.charge_all(asked[:2], by="ann")
        assert [each.status for each in again] == ["released", "released"]
        for key in ("a", "k7"):
            assert ledger.release(key, by="bo").key == key
        size, spent = ledger.state().size, ledger.status("town").standing.amounts[0].spent
    assert size == 126 + 6 * most + 1 and spent == Fraction(76, 128) + Fraction(3 * most, 2**12)
    assert summary(place).exists()
    with Ledger.open(place) as ledger:
        assert [*told(ledger)[1]][1:60] == found[1][1:60] and ledger.verify(replay=True).is_whole
        assert len(ledger.history()) == len(ledger.history("town")) == 62 + 3 * most


def test_what_was_settled_before_it_is_known_by_its_key(place):
    with Ledger.open(place) as ledger:
        assert ledger.charge(pure(0.0078125), "school", by="bo", key="k7").decided["by"] == "ann"
        with pytest.raises(InvalidInput, match="stays charged"):
            ledger.void("k8", by="bo", reason="no", not_run=True)
        with pytest.raises(InvalidInput):
            ledger.charge(pure(0.5), "school", by="bo", key="k9")
        with pytest.raises(InvalidInput, match="voided"):
            ledger.charge(pure(0.125), "school", by="bo", key="b")
        with pytest.raises(InvalidInput, match="key of a charge"):
            ledger.release("none", by="bo")
        assert ledger.state().size == 126
        assert ledger.void("a", by="bo", reason="no", not_run=True).status == "voided"
        assert ledger.status("town").standing.amounts[0].spent == Fraction(60, 128)
        with pytest.raises(LimitRefused):
            ledger.charge(pure(0.54), "school", by="bo")
        assert ledger.status("town").last.key == "k59"


def reseal(place, change):
    """The summary, changed, with a digest that is right."""
    said = json.loads(summary(place).read_text().split("\n")[1])
    change(said)
    text = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    summary(place).write_text(f"{sha256(text.encode()).hexdigest()}\n{text}\n")


def test_a_false_one_is_named_by_verify(place):
    reseal(place, lambda said: said["tallies"]["town"][0].clear())
    with Ledger.open(place) as ledger:
        (found,) = ledger.verify().flaws
        assert found.startswith("The summary in ") and found.endswith("Remove this file.")


@pytest.mark.parametrize("raw", [b"", b"\n", b"{}", b"\xff\xfe", b"a" * 64 + b"\n{}\n"])
def test_one_that_cannot_be_read_is_not_used(place, raw):
    summary(place).write_bytes(raw)
    with Ledger.open(place) as ledger:
        assert (ledger.state().since, ledger.status("town").counts["released"]) == (0, 60)


CHANGES = [
    {"summary": 2},
    {"head": 7},
    {"first": {}},
    {"open": [{}]},
    {"open": None},
    {"refusals": "many"},
    {"taken": None},
    {"flaws": {"x": ""}},
    {"tallies": {}},
    {"accounts": []},
    {"accounts": [{"name": "town"}]},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_one_of_another_version_is_not_used(place, change):
    reseal(place, lambda said: said.update(change))
    with Ledger.open(place) as ledger:
        assert ledger.state().since == 0 and len(told(ledger)[1]) == 62
        assert ledger.verify().is_whole


def _nothing_known(said):
    said["tallies"]["town"][0] = {'{"guarantee":{"alpha":"2"}}': 1}


def _part_of_another_rule(said):
    said["tallies"]["town"][0] = {'{"guarantee":{"rho":"0.1"}}': 1}


def _negative(said):
    spent = said["tallies"]["town"][0]
    spent.update(dict.fromkeys(spent, -1))


def _numbers_as_text(said):
    said["head"]["seq"] = str(said["head"]["seq"])


def _no_seq(said):
    said["tallies"]["town"][2]["seq"] = None


def _of_no_account(said):
    said["open"][0]["costs"]["village"] = {}


WITHIN = [_nothing_known, _part_of_another_rule, _negative, _numbers_as_text, _no_seq]


@pytest.mark.parametrize("change", [*WITHIN, _of_no_account])
def test_one_with_what_no_ledger_adds_up_to_is_not_used(place, change):
    reseal(place, change)
    with Ledger.open(place) as ledger:
        assert ledger.state().since == 0
        assert ledger.status("town").standing.amounts[0].spent == Fraction(19, 32)
        assert ledger.charge(pure(2**-7), "school", by="ann").status == "released"


@pytest.mark.parametrize("kind", ["pipe", "folder", "link", "unreadable"])
def test_what_is_no_file_in_its_place_is_not_used_and_stops_nothing(place, kind):
    there = summary(place)
    moved = there.rename(there.with_name("moved"))
    if kind == "pipe":
        os.mkfifo(there)
    elif kind == "folder":
        there.mkdir()
    elif kind == "link":
        there.symlink_to(moved)
    else:
        there.write_bytes(moved.read_bytes())
        there.chmod(0o200)
    with Ledger.open(place) as ledger:
        assert ledger.state().since == (126 if kind == "unreadable" and not os.geteuid() else 0)
        assert ledger.charge(pure(2**-7), "school", by="ann").status == "released"


def test_one_that_others_may_write_is_not_used(place):
    os.chmod(summary(place), 0o622)
    with Ledger.open(place) as ledger:
        assert ledger.state().since == 0


def test_another_ledger_in_its_place_is_another_ledger(place):
    Ledger.create(place.with_name("other"), origin="Office", by="ann").close()
    place.with_name("other").replace(place)
    with Ledger.open(place) as ledger:
        assert ledger.state().size == 1 and not ledger.state().accounts


def more(ledger):
    ledger.charge_all([ChargeRequest(pure(1e-9), "school") for _ in range(60)], by="ann")


@pytest.fixture
def older(place, tmp_path):
    """A copy of the ledger, and an export, from before what its summary has last."""
    shutil.copy(place, tmp_path / "older")
    with Ledger.open(place) as ledger:
        ledger.export(tmp_path / "export")
        more(ledger)
        ledger.export(tmp_path / "newer")
    return tmp_path / "older"


def test_an_older_copy_is_refused_until_the_summary_is_removed(place, older):
    shutil.copy(older, place)
    with Ledger.open(place) as ledger:
        with pytest.raises(LedgerDamaged) as caught:
            ledger.status("town")
        assert caught.value.seq == 127
        for said in (
            "The ledger ends at entry 126, and entry 246 was seen here before",
            "an older copy, or its last entries were removed",
            "The 126 entries in it are consistent with each other",
            f"remove the file {summary(place)}",
            "charge again every release that is missing",
            "Nothing was changed",
        ):
            assert said in str(caught.value)
        with pytest.raises(LedgerDamaged, match="an older copy"):
            ledger.charge(pure(0.001), "school", by="ann", key="new")
        (flaw,) = ledger.verify().flaws
        assert flaw.startswith("The ledger ends at entry 126") and str(summary(place)) in flaw
    summary(place).unlink()
    with Ledger.open(place) as ledger:
        assert ledger.charge(pure(0.001), "school", by="ann").status == "released"
        assert ledger.verify(replay=True).is_whole


def test_an_older_copy_that_went_on_by_itself_is_refused(place, older):
    with Ledger.open(older) as ledger:
        more(ledger)
    shutil.copy(older, place)
    with Ledger.open(place) as ledger:
        with pytest.raises(LedgerDamaged, match="another entry 246 than the one seen here before"):
            ledger.status("town")
        assert "another entry 246" in ledger.verify().flaws[0]


def test_damage_is_named_before_what_was_lost(place, older):
    with closing(sqlite3.connect(older)) as database:
        database.execute("DROP TRIGGER entry_stays")
        database.execute("DELETE FROM entry WHERE seq = 50")
        database.commit()
    shutil.copy(older, place)
    with Ledger.open(place) as ledger, pytest.raises(LedgerDamaged, match="Entry 50 is missing"):
        ledger.status("town")


def test_an_older_export_is_not_imported_there(place, older):
    place.unlink()
    with pytest.raises(InvalidFile) as caught:
        Ledger.load(older.with_name("export"), place)
    said = str(caught.value)
    assert "The export ends at entry 126, and entry 246 was seen here before" in said
    assert "Import the newest export." in said and str(summary(place)) in said
    assert not place.exists()
    with Ledger.load(older.with_name("newer"), place) as ledger:
        assert ledger.state().since == 246
    place.unlink()
    summary(place).unlink()
    with Ledger.load(older.with_name("export"), place) as ledger:
        assert ledger.status("town").counts["released"] == 60


@pytest.mark.parametrize("empty", [True, False])
def test_a_ledger_that_is_gone_is_not_begun_anew(place, older, empty):
    """Whoever begins it again would have the whole budget once more."""
    place.write_bytes(b"") if empty else place.unlink()
    with pytest.raises(LedgerUnavailable, match="A ledger with 246 entries was here"):
        Ledger.create(place, origin="Office", by="ann")
    with pytest.raises(InvalidFile, match="entry 246 was seen here before"):
        Ledger.load(older.with_name("export"), place)
    summary(place).unlink()
    with Ledger.create(place, origin="Office", by="ann") as ledger:
        assert ledger.state().size == 1


def test_an_export_of_another_ledger_is_imported_there(place, older, tmp_path):
    with Ledger.create(tmp_path / "other", origin="Office", by="ann") as ledger:
        ledger.export(tmp_path / "of other")
    place.unlink()
    with Ledger.load(tmp_path / "of other", place) as ledger:
        assert ledger.state().size == 1


def test_a_state_is_kept_whole(place):
    with Ledger.open(place) as ledger:
        full = State().read(ledger.store.read())
        assert (
            kept.summary_of(full) == summary(place).read_text() == kept.summary_of(ledger.state())
        )


def test_on_a_server_it_is_in_the_cache_of_the_user(url, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with Ledger.create(url, origin="Office", by="ann") as ledger:
        about = ("town", "residents", "person", "add-remove", "2026", "pure", LIMIT)
        ledger.account(Account(*about), by="ann")
        ledger.charge_all([ChargeRequest(pure(1e-3), "town") for _ in range(60)], by="ann")
    (found,) = (tmp_path / "dprisk").iterdir()
    assert found.stat().st_mode & 0o777 == 0o600
    with Ledger.open(url) as ledger:
        assert ledger.charge(pure(1e-3), "town", by="ann").status == "released"
        assert ledger.state().since == 122 and ledger.status("town").counts["released"] == 61
