"""A little of ``make torture``: the same parts, smaller, from one seed."""

from __future__ import annotations

import random

import pytest

from tests.ledger.conftest import needs_postgresql
from torture import commanding, counting, crashing, cutting, filling, flipping, misusing, writers
from torture.postgresql import server as own

SEED = 7
needs_a_small_disk = pytest.mark.skipif(
    not filling.can_mount(), reason="only root can mount a small disk"
)


def test_writers_that_are_killed(where, tmp_path):
    tally = writers.torture(where, tmp_path, random.Random(SEED), writers=6, charges=25, kills=8)
    assert tally.problems == ()
    assert tally.killed == 8
    assert tally.acknowledged + tally.refused == tally.charges == 150
    assert tally.refused


def test_writers_of_charges_that_are_killed(where, tmp_path):
    tally = writers.torture(
        where, tmp_path, random.Random(SEED), writers=3, charges=10, kills=3, kind=writers.WHOLE
    )
    assert tally.problems == ()
    assert tally.acknowledged + tally.refused == 30


@needs_postgresql
def test_a_server_that_is_killed(tmp_path):
    with own() as server:
        where = server.url(server.schema())
        tally = writers.torture(
            where, tmp_path, random.Random(10), writers=4, charges=40, kills=12, server=server
        )
    assert tally.problems == ()
    assert tally.servers_killed > 0


def test_a_crash_before_every_step(where, tmp_path):
    crashes, wrong = crashing.every_step(where, tmp_path)
    assert wrong == []
    assert crashes > 40


def test_a_crash_before_steps_of_every_command(where, tmp_path):
    crashes, wrong = commanding.every_command(where, tmp_path, each=9)
    assert wrong == []
    assert crashes > 12


def test_torn_writes(tmp_path):
    torn, wrong = crashing.torn_writes(tmp_path, random.Random(SEED), 25)
    assert wrong == []
    assert torn > 5


@needs_a_small_disk
def test_a_full_disk():
    full, wrong = filling.file_on_a_full_disk(2)
    assert wrong == []
    assert full == 2


@needs_postgresql
def test_a_line_that_is_cut(server):
    sent = cutting.lengths(server)
    draw = random.Random(SEED)
    cuts = [(way, draw.randrange(sent[way]), times) for way in sent for times in (1, 1, 1, 2)]
    number, _, wrong = cutting.cut_after(server, cuts)
    assert wrong == []
    assert number == 8


def test_flips_tails_and_backups_of_a_file(tmp_path):
    tally, wrong = flipping.of_a_file(tmp_path, random.Random(SEED), 60)
    assert wrong == []
    assert {"flip: found", "flip: harmless", "tail: found", "backup: found"} == set(tally)


def test_changes_on_a_server(url):
    tally, wrong = flipping.of_a_server(url, random.Random(SEED), 12)
    assert wrong == []
    assert tally.total() == 12


def test_misuse(tmp_path):
    tally, wrong = misusing.misused(tmp_path, random.Random(SEED), 30)
    assert wrong == []
    assert set(tally) == set(misusing.WAYS)


def test_every_one_of_many_counts(where):
    times = counting.many(where, 3000)
    assert times.problems == ()


# --- the parts can fail --------------------------------------------------------------------------


def test_what_is_lost_or_there_twice_is_noticed(tmp_path):
    from dprisk.ledger.entries import Entry
    from dprisk.ledger.store import open_store
    from torture.working import AT, Book, first, problems

    store = open_store(tmp_path / "a", create=True)
    store.write(lambda writing: writing.append(first(5)))
    Book(store).charge("a", 4)
    assert problems(store, ["a"]) == []
    assert problems(store, ["a", "b"], ["c"]) == [
        "b was acknowledged and is not there",
        "the refusal of c is not there",
    ]
    last = store.read()[-1]
    again = Entry.after(last, "reserved", "other", AT, "ann", {"amount": 4, "asked": "a"})
    store.write(lambda writing: writing.append(again))
    assert problems(store, ["a"]) == [
        "entry 3 would not be reserved",
        "entry 3 goes beyond the limit",
        "a is there 2 times",
    ]
    store.close()


def test_a_place_without_locks_that_is_used_is_noticed(tmp_path, monkeypatch):
    from dprisk.ledger.store import probing

    monkeypatch.setattr(probing, "locks_hold", lambda _: True)
    assert list(misusing.WAYS["no locks"](tmp_path, random.Random(SEED))) != []
