"""Entries with right hashes that dprisk would not write: each is named, and none stops the rest."""

from __future__ import annotations

import copy
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from fractions import Fraction

import pytest

from dprisk.errors import InvalidFile, LimitRefused
from dprisk.ledger import Ledger
from dprisk.ledger.copies.verifying import read_export
from torture.crafting import COSTS, RELEASES, append, begun_at, charge, digested, pure


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A ledger with two accounts, one within the other, a charge, a reservation; unguarded."""
    place = tmp_path_factory.mktemp("begun") / "a.ledger"
    with begun_at(place) as made:
        made.charge(pure(0.125), "school", by="ann", key="a")
        made.reserve(pure(0.125), "school", by="ann", key="b")
    with closing(sqlite3.connect(place)) as connection:  # as whoever can write the file may
        connection.execute("DROP TRIGGER entry_follows")
    return place


@pytest.fixture
def ledger(begun, tmp_path):
    """A copy of it."""
    shutil.copy(begun, tmp_path / "a.ledger")
    with Ledger.open(tmp_path / "a.ledger") as made:
        yield made


def flaws(ledger):
    """What is wrong with entries as they are read; `verify` says the same."""
    return [*ledger.state().flaws.values()]


def spent(ledger, name="town"):
    return ledger.status(name).standing.amounts[0].spent


@pytest.mark.parametrize("name", COSTS)
def test_what_a_description_costs_counts_whatever_is_recorded(ledger, name):
    content = COSTS[name](charge(ledger))
    append(ledger, "reserved", "c", content)
    assert [found.split(" ")[:2] for found in flaws(ledger)] == [["Entry", "7"]]
    assert spent(ledger) == spent(ledger, "school") in (Fraction(3, 8), Fraction(1, 4))
    append(ledger, "reserved", "d", content if name == "a digest" else digested(content))
    assert [found.split(" ")[:2] for found in flaws(ledger)] == [["Entry", "7"], ["Entry", "8"]]
    ledger.charge(pure(0.125), "school", by="ann", key="e")
    with pytest.raises(LimitRefused):
        ledger.charge(pure(9.0), "school", by="ann")


@pytest.mark.parametrize("name", RELEASES)
def test_what_cannot_be_computed_is_named_and_stops_nothing(ledger, name):
    append(ledger, "reserved", "c", RELEASES[name](charge(ledger)))
    (found,) = flaws(ledger)
    assert found.startswith("Entry 7 ") and "\n" not in found
    assert spent(ledger) in (Fraction(1, 4), Fraction(3, 8))
    assert ledger.release("b", by="ann").status == "released"
    assert ledger.charge(pure(0.25), "school", by="ann").status == "released"


@pytest.mark.parametrize(
    "change",
    [
        {"cap": "1000000"},
        {"cap": "1.00000001"},
        {"cap": "-1"},
        {"cap": "x"},
        {"cap": None},
        {"within": "new"},
        {"within": "city"},
        {"within": 1},
        {"share": "1/2"},
        {"share": "2", "within": "town"},
        {"limits": []},
        {"limits": [{"metric": "epsilon"}]},
        {"limits": [{"metric": "none", "limit": "1"}]},
        {"limits": 1},
        {"rule": "advanced"},
        {"neighbors": "both"},
        {"neighbors": "replace-one", "within": "town"},
        {"unit": "device", "within": "town"},
        {"name": "town"},
        {"name": "two words"},
        {"name": ""},
        {"days": 0},
        {"days": "x"},
        {"more": "1"},
        {"rule": "renyi", "shape": [[{"guarantee": {"epsilon": "0.1"}}, -1]]},
        {"rule": "renyi", "shape": 7},
    ],
    ids=str,
)
def test_an_account_is_what_its_limits_give(ledger, change):
    content = copy.deepcopy(ledger.store.read()[1].content) | {"name": "new"} | change
    append(ledger, "account", None, {k: v for k, v in content.items() if v is not None})
    (found,) = flaws(ledger)
    assert found.startswith("Entry 7 ")
    assert ledger.state().accounts["town"].cap == "1"
    if "new" in ledger.state().accounts:
        assert ledger.state().accounts["new"].cap == "1"
        with pytest.raises(LimitRefused):
            ledger.charge(pure(1.5), "new", by="ann")
    assert ledger.charge(pure(0.25), "school", by="ann").status == "released"


@pytest.mark.parametrize(
    ("kind", "key", "content"),
    [
        ("released", None, {"charge": "a"}),
        ("released", None, {"charge": "no"}),
        ("released", None, {"charge": ["b"]}),
        ("released", None, {"charge": "b", "more": 1}),
        ("released", "x", {"charge": "b"}),
        ("released", None, {}),
        ("voided", None, {"charge": "a", "not_run": True, "reason": "r"}),
        ("voided", None, {"charge": "b", "reason": "r"}),
        ("voided", None, {"charge": "b", "not_run": 1, "reason": "r"}),
        ("voided", None, {"charge": "b", "not_run": True}),
        ("voided", None, {"charge": "b", "not_run": True, "reason": ""}),
        ("voided", None, {"charge": "b", "not_run": True, "reason": 7}),
        ("voided", None, {"charge": "no", "not_run": True, "reason": "r"}),
        ("ledger", None, {"format": 2, "ledger": "x", "origin": "y"}),
        ("reset", None, {}),
        ("read", None, {}),
        ("refused", None, {}),
        ("refused", None, {"key": "z", "decisions": {}}),
        ("reserved", None, {}),
        ("reserved", "z", {}),
        ("account", None, {}),
    ],
)
def test_what_decides_nothing_changes_nothing(ledger, kind, key, content):
    append(ledger, kind, key, content)
    (found,) = flaws(ledger)
    assert found.startswith("Entry 7 ") and spent(ledger) == Fraction(1, 4)
    assert {each.key: each.status for each in ledger.history()} == {
        "a": "released",
        "b": "reserved",
    }


@pytest.mark.parametrize(
    "body", ["no JSON", "[1]", '{"a":0.5}', '{"a":1,"a":2}', "{} ", "", "null"]
)
def test_a_body_is_as_dprisk_writes_it(ledger, body):
    append(ledger, "released", None, {}, body=body)
    (found,) = flaws(ledger)
    assert found.startswith("Entry 7 ") and spent(ledger) == Fraction(1, 4)


@pytest.mark.parametrize("more", [{"at": "yesterday"}, {"at": ""}, {"by": ""}, {"by": "a\nb"}])
def test_who_and_when_are_checked(ledger, more):
    append(ledger, "released", None, {"charge": "b"}, **more)
    assert flaws(ledger)[0].startswith("Entry 7 ")


@pytest.mark.parametrize("more", [{"at": "yesterday"}, {"by": ""}, {"by": "a\nb"}, {"by": " a"}])
def test_what_is_charged_counts_whoever_wrote_it(ledger, more):
    append(ledger, "reserved", "c", charge(ledger), **more)
    assert flaws(ledger)[0].startswith("Entry 7 ") and spent(ledger) == Fraction(3, 8)
    assert ledger.release("c", by="ann").status == "released"
    with pytest.raises(LimitRefused):
        ledger.charge(pure(0.75), "school", by="ann")


def test_what_is_recorded_counts_where_nothing_can_be_computed(ledger):
    content = RELEASES["a text for people"](charge(ledger))
    append(ledger, "reserved", "c", content)
    assert "Costs as recorded." in flaws(ledger)[0] and spent(ledger) == Fraction(3, 8)


@pytest.mark.parametrize("year", [2, 999, 1969, 9998])
def test_a_clock_that_is_wrong_by_far(tmp_path, year):
    """A charge counts whatever the time, also one before the last."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    with begun_at(tmp_path / "a.ledger") as ledger:
        for when in (now, datetime(year, 6, 1, tzinfo=UTC), now):
            far = Ledger(ledger.store, clock=lambda when=when: when)
            far.charge(pure(0.25), "town", by="ann", key=f"in {when.year} {far.state().size}")
        assert spent(ledger) == Fraction(3, 4) and ledger.verify(replay=True).is_whole
        assert ledger.history()[1].at == f"{year:04}-06-01T00:00:00.000000Z"


def test_a_charge_beyond_the_limit_counts_and_is_named(ledger):
    content = charge(ledger)
    text = content["release"]["text"].replace("0.125", "20")
    big = [[{"guarantee": {"epsilon": "20"}}, 1]]
    content |= {"costs": {"school": big, "town": big}, "name": "epsilon 20"}
    content["release"]["text"] = text
    append(ledger, "reserved", "c", digested(content))
    (*_, last), others = ledger.verify(replay=True).flaws, ledger.verify().flaws
    assert last == "Entry 7 reserves a release that a limit does not allow."
    assert len(others) == 1 and "entry_follows is missing" in others[0]
    assert spent(ledger) == Fraction(81, 4)
    with pytest.raises(LimitRefused):
        ledger.charge(pure(1e-9), "town", by="ann")


def test_an_import_computes_every_entry(ledger, tmp_path):
    append(ledger, "reserved", "c", COSTS["less"](charge(ledger)))
    ledger.export(tmp_path / "out")
    assert len(read_export(tmp_path / "out")) == 7
    with pytest.raises(InvalidFile, match=r"Entry 7 records other costs.*--as-is"):
        Ledger.load(tmp_path / "out", tmp_path / "b.ledger")
    assert not (tmp_path / "b.ledger").exists()
    with Ledger.load(tmp_path / "out", tmp_path / "b.ledger", as_is=True) as again:
        assert [*again.verify(replay=True).flaws] == flaws(ledger) != []
        assert spent(again) == spent(ledger) == Fraction(3, 8)
