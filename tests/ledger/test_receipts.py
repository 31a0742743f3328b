"""Receipts: one of them shows every rollback and every fork; nothing that was changed passes."""

from __future__ import annotations

import importlib.util
import json
import random
import stat
import subprocess
import sys
from pathlib import Path
from string import ascii_letters, digits

import pytest

from dprisk.errors import DpriskError, InvalidFile, InvalidInput, LedgerDamaged
from dprisk.ledger import Ledger, check_receipts, give_receipt, make_key
from dprisk.ledger.entries import Entry
from dprisk.ledger.store import open_store
from tests.cli.running import run
from torture.crafting import begun_at, pure

SCRIPT = Path(__file__).parents[2] / "scripts" / "check_receipt.py"
DRAWS = 100
SIGNS = set(ascii_letters.encode() + digits.encode() + b"+/")


@pytest.fixture(scope="module")
def script():
    """The checker that knows nothing of dprisk."""
    spec = importlib.util.spec_from_file_location("check_receipt", SCRIPT)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made.main


def charged(place, count, first=0):
    """Charges to the ledger at a place, and the receipt of each."""
    with Ledger.open(place) as book:
        for number in range(first, first + count):
            book.charge(pure(0.001), "school", key=f"k{number}", by="ann")
            Path(f"{place}.{number}.note").write_text(give_receipt(book, f"k{number}").text)


def written(place, entries):
    """A ledger with these entries."""
    store = open_store(place, create=True)
    store.write(lambda writing: [writing.append(each) for each in entries])
    store.close()


def forked(entries, at, draw):
    """Entries that go their own way from one on, each with a right hash."""
    made = entries[: at - 1]
    for old in entries[at - 1 :]:
        content = {**old.content, "forked": str(draw)} if old.seq == at else old.content
        said = (old.kind, old.key, old.at, old.by, content)
        made.append(Entry.after(made[-1] if made else None, *said))
    return made


@pytest.fixture(scope="module", params=["unsigned", "signed"])
def office(request, tmp_path_factory):
    """A ledger with twelve charges, their receipts, and its public key where it has one."""
    place = tmp_path_factory.mktemp(request.param) / "a.ledger"
    begun_at(place).close()
    key = None
    if request.param == "signed":
        key = make_key(place).with_name("a.ledger-key.pub")
    charged(place, 12)
    store = open_store(place)
    entries = store.read()
    store.close()
    return place, entries, key


def test_of_a_hundred_forks_and_rollbacks_one_receipt_shows_each(office, tmp_path, script):
    place, entries, key = office
    draws, seen = random.Random(7), dict.fromkeys(("cut off", "rewritten"), 0)
    for draw in range(DRAWS):
        number = draws.randrange(12)
        note = Path(f"{place}.{number}.note")
        size = int(note.read_text().split("\n")[1])
        other, folder = tmp_path / f"{draw}", tmp_path / f"{draw}.export"
        if draw % 2:
            there = entries[: draws.randrange(1, size)]
        else:
            there = forked(entries, draws.randrange(2, size + 1), draw)
        written(other, there)
        with Ledger.open(other) as book:
            book.export(folder)
        (found,) = check_receipts(folder if draw % 3 else other, [note], public_key=key)
        assert not found.kept
        seen[found.verdict] += 1
        assert script([str(folder), str(note), *(("--key", str(key)) if key else ())]) == 3
    assert seen == {"cut off": DRAWS // 2, "rewritten": DRAWS // 2}


def test_a_ledger_that_goes_on_keeps_every_receipt(office, tmp_path, script):
    place, entries, key = office
    notes = [f"{place}.{number}.note" for number in range(12)]
    assert {each.verdict for each in check_receipts(place, notes, public_key=key)} == {"kept"}
    with Ledger.open(place) as book:
        book.export(tmp_path / "export")
    given = [str(tmp_path / "export"), *notes, *(("--key", str(key)) if key else ())]
    assert script(given) == 0
    written(tmp_path / "more", [*entries, forked(entries, 5, 1)[-1]][:-1])
    found = check_receipts(tmp_path / "more", notes[:1], public_key=key)
    assert found[0].to_dict()["signed_by"] == (None if key is None else "Office")
    assert ("unsigned" in found[0].why) == (key is None)


def test_what_is_missing_and_what_is_there_is_said(office, tmp_path):
    place, entries, key = office
    note = f"{place}.3.note"
    seq = check_receipts(place, [note], public_key=key)[0].receipt.seq
    written(tmp_path / "without", entries[: seq - 1])
    written(tmp_path / "with", entries[:seq])
    said = [check_receipts(tmp_path / name, [note], public_key=key)[0].why
            for name in ("without", "with")]  # fmt: skip
    assert f"ends at entry {seq - 1}" in said[0] and "is missing" in said[0]
    assert f"ends at entry {seq}" in said[1] and "is still there" in said[1]


def test_another_ledger(office, tmp_path):
    place, _, key = office
    Ledger.create(tmp_path / "b", origin="Other", by="ann").close()
    (found,) = check_receipts(tmp_path / "b", [f"{place}.1.note"], public_key=key)
    assert found.verdict == "another ledger" and "the ledger of Office" in found.why


def test_each_changed_byte_and_each_cut_is_refused_by_name(office, tmp_path, script):
    place, _, key = office
    whole, bad = Path(f"{place}.5.note").read_bytes(), tmp_path / "bad.note"
    with Ledger.open(place) as book:
        book.export(tmp_path / "export")
    more = ("--key", str(key)) if key else ()
    broken = [whole[:end] for end in range(len(whole))]
    broken += [whole[:i] + bytes([whole[i] ^ 1]) + whole[i + 1 :] for i in range(len(whole))]
    broken += [whole + b"\n", whole + b"x", b"\xef\xbb\xbf" + whole, whole.replace(b"\n", b"\r\n")]
    for at in (i for i in range(1, len(whole)) if whole[i : i + 2] == b"=\n"):
        broken += [whole[: at - 1] + bytes([each]) + whole[at:] for each in SIGNS - {whole[at - 1]}]
    for content in broken:
        bad.write_bytes(content)
        with pytest.raises(InvalidFile, match=r"bad\.note"):
            check_receipts(tmp_path / "export", [bad], public_key=key)
        assert script([str(tmp_path / "export"), str(bad), *more]) == 2


def test_a_signature_is_neither_dropped_nor_taken_on_trust(office, tmp_path, script):
    place, _, key = office
    if key is None:
        return
    whole, bad = Path(f"{place}.5.note").read_text(), tmp_path / "bad.note"
    with Ledger.open(place) as book:
        book.export(tmp_path / "export")
    with pytest.raises(InvalidFile, match="no public key to check it with"):
        check_receipts(tmp_path / "export", [f"{place}.5.note"])
    assert script([str(tmp_path / "export"), f"{place}.5.note"]) == 2
    bad.write_text(whole.partition("\n\n")[0] + "\n\n")
    with pytest.raises(InvalidFile, match="lost its signature"):
        check_receipts(tmp_path / "export", [bad], public_key=key)
    begun_at(tmp_path / "other").close()
    other = make_key(tmp_path / "other").with_name("other-key.pub")
    with pytest.raises(InvalidFile, match="not signed by Office with this key"):
        check_receipts(place, [f"{place}.5.note"], public_key=other)


def test_a_receipt_without_a_signature_is_refused_where_a_key_is_named(tmp_path, script):
    place = tmp_path / "a"
    begun_at(place).close()
    charged(place, 1)
    key = make_key(place).with_name("a-key.pub")
    assert check_receipts(place, [f"{place}.0.note"])[0].kept  # from before the key
    with pytest.raises(InvalidFile, match="not signed by Office"):
        check_receipts(place, [f"{place}.0.note"], public_key=key)


def test_nothing_is_held_against_what_is_damaged(office, tmp_path, script):
    place, entries, key = office
    raw = bytearray(place.read_bytes())
    at = raw.rfind(entries[8].body.encode()[:40])
    raw[at + 12] ^= 1
    (tmp_path / "b").write_bytes(raw)
    with pytest.raises(LedgerDamaged):
        check_receipts(tmp_path / "b", [f"{place}.1.note"], public_key=key)
    with Ledger.open(place) as book:
        book.export(tmp_path / "export")
    lines = tmp_path / "export" / "entries.jsonl"
    whole = lines.read_bytes()
    more = ("--key", str(key)) if key else ()
    for content in (whole[:-1], whole[: len(whole) // 2], whole.replace(b"0.001", b"0.002", 1)):
        lines.write_bytes(content)
        with pytest.raises(DpriskError):
            check_receipts(tmp_path / "export", [f"{place}.1.note"], public_key=key)
        assert script([str(tmp_path / "export"), f"{place}.1.note", *more]) == 2


def test_the_script_says_what_it_found(office, tmp_path):
    place, _, key = office
    with Ledger.open(place) as book:
        book.export(tmp_path / "export")
    given = [SCRIPT, tmp_path / "export", f"{place}.0.note", *(("--key", key) if key else ())]
    given = [sys.executable, "-I", *map(str, given)]
    done = subprocess.run(given, capture_output=True, text=True, check=True)
    assert "Everything up to entry" in done.stdout
    assert len(SCRIPT.read_text().splitlines()) <= 100 and "import dprisk" not in SCRIPT.read_text()


# --- the key, and the commands --------------------------------------------------------------------


def test_a_key_is_its_owners_alone_and_never_replaced(where, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    begun_at(where).close()
    key = make_key(where)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    before = key.read_bytes()
    with pytest.raises(InvalidFile, match="has a key already"):
        make_key(where)
    key.rename(tmp_path / "moved")
    with pytest.raises(InvalidFile, match="has a key already"):
        make_key(where)  # its public half is still there
    assert (tmp_path / "moved").read_bytes() == before


def test_there_is_no_key_without_a_ledger(tmp_path):
    with pytest.raises(DpriskError, match="There is no ledger"):
        make_key(tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_a_charge_by_its_key_or_its_number(tmp_path):
    place = tmp_path / "a"
    begun_at(place).close()
    charged(place, 2)
    with Ledger.open(place) as book:
        by_key, by_number = give_receipt(book, "k0"), give_receipt(book, "4")
        assert (by_key.seq, by_key.hash) == (by_number.seq, by_number.hash)
        for nothing in ("x", "1", "5", "99", "0", "-1", "٤", "9" * 30, "", "\udcff"):
            with pytest.raises(InvalidInput, match="the key of a charge"):
                give_receipt(book, nothing)


def ledger(*arguments, code=0):
    done = run("ledger", *map(str, arguments))
    assert done.code == code, done.err
    return done


ASKED = ("--epsilon", "0.01", "--neighbors", "add-remove", "-a", "town", "--by", "ann")


def test_commands(tmp_path):
    place, note = tmp_path / "a", tmp_path / "r.note"
    begun_at(place).close()
    done = ledger("charge", place, *ASKED, "--key", "k", "--receipt", note)
    assert f"Its receipt is {note}." in done.out.replace("\n", " ")
    assert "unsigned" in ledger("check-receipt", place, note).out
    ledger("key", place)
    assert ledger("receipt", place, "k").out.count("\n") == 8
    ledger("receipt", place, "k", "-o", note, code=2)
    ledger("receipt", place, "k", "-o", note, "--force")
    assert "signed by Office" in ledger("check-receipt", place, note).out.replace("\n", " ")
    assert ledger("verify", place, "--checkpoint", note, "--key", f"{place}-key.pub").code == 0
    assert json.loads(ledger("check-receipt", place, note, "--json").out)[0]["verdict"] == "kept"
    older = tmp_path / "older"
    begun_at(older).close()
    done = ledger("check-receipt", older, note, "--key", f"{place}-key.pub", code=3)
    assert "charge every release that is missing again" in done.out.replace("\n", " ")


def test_what_would_stop_a_receipt_stops_the_charge(tmp_path):
    place, note = tmp_path / "a", tmp_path / "r.note"
    begun_at(place).close()
    note.touch()
    ledger("charge", place, *ASKED, "--receipt", note, code=2)
    note.unlink()
    make_key(place).write_text("no key")
    done = ledger("charge", place, *ASKED, "--receipt", note, code=2)
    assert "not a readable Ed25519 private key" in done.err
    assert ledger("history", place, "--json").data == [] and not note.exists()


def test_without_a_key_the_library_for_signatures_is_not_imported(tmp_path):
    begun_at(tmp_path / "a").close()
    code = (
        "import sys; from dprisk.cli import main\n"
        f"sys.argv = ['dprisk', 'ledger', 'charge', {str(tmp_path / 'a')!r}, *{ASKED!r},"
        f" '--receipt', {str(tmp_path / 'r.note')!r}]\n"
        "try: main()\nexcept SystemExit as end: assert not end.code\n"
        "assert not [name for name in sys.modules if name.startswith('cryptography')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
