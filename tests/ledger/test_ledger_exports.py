"""From a ledger to plain files and back, identical; nothing that was changed comes in."""

from __future__ import annotations

import hashlib
import json
from functools import partial

import pytest

from dprisk.errors import DpriskError, InvalidFile, InvalidInput, LedgerDamaged, NotWritten
from dprisk.ledger.copies.verifying import import_ledger as import_whole
from dprisk.ledger.copies.verifying import read_export
from dprisk.ledger.entries import Entry, export_entries
from dprisk.ledger.store import open_store
from tests.ledger.entries import added, filled
from torture.working import AT

import_ledger = partial(import_whole, as_is=True)  # entries that only the store knows

YAML = "name: Counts\nepsilon: 1 # ε, as agreed\r\n"


def release(name, text=YAML):
    return {"file": name, "sha256": hashlib.sha256(text.encode()).hexdigest(), "text": text}


@pytest.fixture
def store(where):
    found = filled(open_store(where, create=True), 3)

    def work(writing):
        last = writing.entries()[-1]
        for i, name in enumerate(("counts.yaml", "counts.yaml", "../../etc/passwd", "x.json")):
            content = {"release": release(name, YAML * (1 + (i > 1)))}
            last = Entry.after(last, "reserved", f"r{i}", AT, "ann", content)
            writing.append(last)

    found.write(work)
    yield found
    found.close()


@pytest.fixture
def folder(store, tmp_path):
    export_entries(store.read(), tmp_path / "out")
    return tmp_path / "out"


def test_plain_files(store, folder):
    about = json.loads((folder / "ledger.json").read_text())
    last = store.read()[-1]
    assert about == {"format": 1, "origin": "example.org/2026", "root": last.hash, "size": 7}
    lines = (folder / "entries.jsonl").read_text().splitlines()
    assert [json.loads(line)["seq"] for line in lines] == list(range(1, 8))
    once, twice = (release("", YAML * i)["sha256"] for i in (1, 2))
    names = {each.name for each in (folder / "releases").iterdir()}
    assert names == {f"{once}.yaml", twice, f"{twice}.json"}
    assert (folder / "releases" / f"{once}.yaml").read_bytes() == YAML.encode()


def test_made_again_identically(store, folder, tmp_path):
    again = import_ledger(folder, tmp_path / "b")
    assert again.read() == store.read()
    export_entries(again.read(), tmp_path / "again")
    again.close()
    files = [each for each in folder.rglob("*") if each.is_file()]
    assert len(files) == 5
    for each in files:
        other = tmp_path / "again" / each.relative_to(folder)
        assert other.read_bytes() == each.read_bytes()


def test_from_a_file_to_a_server(folder, url, store):
    again = import_ledger(folder, url)
    assert again.read() == store.read()
    again.close()


def test_an_empty_ledger(where, tmp_path):
    open_store(where, create=True).close()
    export_entries([], tmp_path / "out")
    store = import_ledger(tmp_path / "out", tmp_path / "b")
    assert store.read() == []
    store.close()


def test_nothing_is_put_on_top(store, folder, where):
    before = store.read()
    with pytest.raises(InvalidInput, match="a place without a ledger"):
        import_ledger(folder, where)
    assert store.read() == before
    with pytest.raises(InvalidFile, match="already something in this place"):
        export_entries(before, folder)


def test_whole_or_not_at_all(store, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("dprisk._files.os.fsync", full)
    with pytest.raises(NotWritten, match="No space left"):
        export_entries(store.read(), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_each_changed_byte_is_noticed(tmp_path):
    store = filled(open_store(tmp_path / "a", create=True), 2)
    content = {"release": release("a.yaml")}
    last = store.read()[-1]
    store.write(lambda w: w.append(Entry.after(last, "reserved", "r", AT, "ann", content)))
    export_entries(store.read(), tmp_path / "out")
    store.close()
    for path in filter(lambda each: each.is_file(), (tmp_path / "out").rglob("*")):
        whole = path.read_bytes()
        for i in range(0, len(whole), 1 + len(whole) // 150):
            path.write_bytes(whole[:i] + bytes([whole[i] ^ 4]) + whole[i + 1 :])
            with pytest.raises(DpriskError):
                read_export(tmp_path / "out")
        path.write_bytes(whole)
    assert len(read_export(tmp_path / "out")) == 3


@pytest.mark.parametrize("name", ["ledger.json", "entries.jsonl", "releases"])
def test_a_missing_file_is_named(folder, name):
    path = folder / name
    for each in path.iterdir() if path.is_dir() else [path]:
        each.unlink()
    with pytest.raises(InvalidFile, match=name):
        import_ledger(folder, folder.parent / "b")
    assert not (folder.parent / "b").exists()


def test_a_cut_tail_and_a_swap_are_noticed(folder):
    path = folder / "entries.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))
    with pytest.raises(
        InvalidFile, match=r"the export was copied in part\. Copy the whole export again"
    ):
        read_export(folder)
    path.write_text("".join([*lines[:2], lines[3], lines[2], *lines[4:]]))
    with pytest.raises(LedgerDamaged, match="Entry 3 is missing"):
        read_export(folder)


def test_after_an_import_work_goes_on(folder, tmp_path):
    store = import_ledger(folder, tmp_path / "b")
    assert store.write(added("next")) == 8
    store.close()
