"""What an earlier version has written, in a file and as an export, is read as it was written."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dprisk.ledger import Ledger
from dprisk.ledger.accounts import account_content

STORED = Path(__file__).with_name("stored")


@pytest.fixture(scope="module")
def ledger(tmp_path_factory):
    """A copy of the file, which is brought up to date once and not changed again."""
    place = tmp_path_factory.mktemp("stored") / "office.ledger"
    shutil.copy(STORED / "office.ledger", place)
    with Ledger.open(place) as ledger:
        before = place.read_bytes()
        yield ledger
    assert place.read_bytes() == before
    (kept,) = place.parent.glob("*.backup-*")
    with closing(sqlite3.connect(kept)) as old, closing(sqlite3.connect(place)) as new:
        rows = [list(each.execute("SELECT * FROM entry ORDER BY seq")) for each in (old, new)]
    assert rows[0] == rows[1]


def test_every_entry_is_there_and_would_be_decided_alike(ledger):
    found = ledger.verify(STORED / "office.note", replay=True)
    assert (found.is_whole, found.size, [*found.flaws]) == (True, 27, [])
    assert found.taken == 11  # described for people alone


def test_accounts_and_their_limits_are_written_as_they_were(ledger):
    stored = {
        entry.content["name"]: entry.content
        for entry in ledger.store.read()
        if entry.kind == "account"
    }
    accounts = ledger.state().accounts
    assert {name: account_content(account) for name, account in accounts.items()} == stored
    metrics = {limit["metric"] for content in stored.values() for limit in content["limits"]}
    assert metrics >= {"epsilon", "profile", "posterior", "odds", "ratio_not", "power"}


def test_an_export_is_the_same_to_the_byte_and_comes_back(ledger, tmp_path):
    ledger.export(tmp_path / "export")
    files = sorted(path.relative_to(STORED) for path in (STORED / "export").rglob("*.*"))
    assert [(tmp_path / name).read_bytes() for name in files] == [
        (STORED / name).read_bytes() for name in files
    ]
    with Ledger.load(STORED / "export", tmp_path / "again.ledger") as again:
        assert again.store.read() == ledger.store.read()


def test_accounts_stand_where_they_stood(ledger):
    """Sums are exact, and bounds no larger."""
    for name, before in json.loads((STORED / "standings.json").read_text()).items():
        now = ledger.status(name).to_dict()["standing"]
        for key in ("rule", "amounts", "share", "bounded"):
            assert now[key] == before[key], name
        assert now["left"] is None or now["left"] >= before["left"]
        for found, known in zip(now["readings"], before["readings"], strict=True):
            assert found["now"] is None or found["now"] <= known["now"] * (1 + 1e-9)
