"""What is written is read, once, in order, and as it was written; both databases."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import DBAPIError

from dprisk.errors import InvalidInput, LedgerDamaged, LedgerUnavailable
from dprisk.ledger.entries import Entry
from dprisk.ledger.store import open_store
from tests.ledger.entries import added, filled, following
from torture.working import AT


@pytest.fixture
def store(where):
    found = filled(open_store(where, create=True, patience=5), 3)
    yield found
    found.close()


def test_entries_come_back_as_they_went(store, where):
    first = following(None)
    second = following(first, "k1")
    assert store.read() == [first, second, following(second, "k2")]
    store.close()
    again = open_store(where)
    assert again.read() == store.read()
    again.close()


def test_only_what_is_new_is_read(store):
    assert store.read(1) == store.read()[1:]
    assert store.read(3) == []


def test_text_of_every_kind_is_kept(store):
    last = store.read()[-1]
    entry = Entry.after(last, "voided", "ключ 🔑", AT, "Ann 'ü' \\ \" ; --", {"a": "\0\n\u2028"})
    store.write(lambda writing: writing.append(entry))
    assert store.read()[-1] == entry


@pytest.mark.parametrize("name", ["key", "by"])
def test_nul_is_refused_by_name(store, name):
    entry = replace(following(store.read()[-1]), **{name: "a\0b"})
    with pytest.raises(InvalidInput, match="must be text without the character NUL"):
        store.write(lambda writing: writing.append(entry))


def test_all_or_none(store):
    class Stop(Exception):
        pass

    def work(writing):
        writing.append(following(writing.entries()[-1]))
        assert len(writing.entries()) == 4
        raise Stop

    before = store.read()
    with pytest.raises(Stop):
        store.write(work)
    assert store.read() == before
    assert store.write(added("after")) == 4


def test_one_works_while_others_wait(store):
    """Each sees what the one before has written, although all begin at once."""
    ready = threading.Barrier(8)

    def add(i):
        ready.wait(20)
        return store.write(added(f"t{i}"))

    with ThreadPoolExecutor(8) as pool:
        seqs = list(pool.map(add, range(8)))
    assert sorted(seqs) == list(range(4, 12))
    assert len(store.read()) == 11


@pytest.mark.parametrize(
    "wrong",
    [
        following,  # twice in one place
        lambda last: replace(following(following(last)), seq=last.seq + 1),
        lambda last: replace(following(last), seq=last.seq + 2),
        lambda last: replace(following(last), previous="0" * 64),
    ],
)
def test_what_does_not_follow_is_refused_by_the_database(store, wrong):
    last = store.read()[-1]

    def work(writing):
        writing.append(following(last, "first"))
        writing.append(wrong(last))

    with pytest.raises(LedgerUnavailable, match="what does not follow the last one"):
        store.write(work)
    assert store.read()[-1] == last


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET body = '{}' WHERE seq = 2",
        "DELETE FROM entry",
        "INSERT INTO entry SELECT 9, kind, 'x', at, 'by', body, 'x', 'y' FROM entry WHERE seq = 1",
    ],
)
def test_the_database_itself_keeps_what_is_there(store, statement):
    before = store.read()
    with store.engine.connect() as connection, pytest.raises(DBAPIError, match=r"never|follows"):
        connection.execute(text(statement))
    assert store.read() == before


def test_nothing_is_replaced(tmp_path):
    store = filled(open_store(tmp_path / "a", create=True), 3)
    statement = "INSERT OR REPLACE INTO entry SELECT * FROM entry WHERE seq = 2"
    with store.engine.connect() as connection, pytest.raises(DBAPIError, match="follows"):
        connection.execute(text(statement))
    store.close()


# --- damage --------------------------------------------------------------------------------------

UNGUARDED = {
    "sqlite": [f"DROP TRIGGER entry_{name}" for name in ("kept", "stays", "follows")],
    "postgresql": ["ALTER TABLE entry DISABLE TRIGGER USER"],
}


def spoil(store, statement):
    """Change a ledger as only who owns it can."""
    with store.engine.connect() as connection:
        for each in [*UNGUARDED[connection.dialect.name], statement]:
            connection.execute(text(each))
        connection.commit()


@pytest.mark.parametrize("column", ["kind", "at", "by", "body", "previous", "hash", "key"])
def test_a_changed_entry_is_named(store, column):
    spoil(store, f"UPDATE entry SET \"{column}\" = '0' WHERE seq = 2")
    for after in (0, 1, 2):
        with pytest.raises(LedgerDamaged, match="Entry 2 was changed") as caught:
            store.read(after)
        assert caught.value.seq == 2


@pytest.mark.parametrize("said", ["x'c328'", "1", "x'00'", "NULL"])
def test_whatever_stands_there_is_named(tmp_path, said):
    store = filled(open_store(tmp_path / "a", create=True), 3)
    spoil(store, f"UPDATE entry SET key = {said} WHERE seq = 2")
    with pytest.raises(LedgerDamaged, match="Entry 2 was changed"):
        store.read()
    store.close()


@pytest.mark.parametrize(("seq", "named"), [(1, 1), (2, 2)])
def test_a_missing_entry_is_named(store, seq, named):
    spoil(store, f"DELETE FROM entry WHERE seq = {seq}")
    with pytest.raises(LedgerDamaged, match=f"Entry {named} is missing"):
        store.read()


def test_a_tail_that_is_gone_is_noticed_by_who_has_read_it(store):
    spoil(store, "DELETE FROM entry WHERE seq = 3")
    assert len(store.read()) == 2
    assert store.read(3) == []


def test_a_whole_entry_in_another_chain_is_named(store):
    other = following(following(None, "x"), "other")
    stranger = following(replace(other, seq=2), "z")
    spoil(store, "DELETE FROM entry WHERE seq = 3")
    with store.engine.connect() as connection:
        row = {name: getattr(stranger, name) for name in stranger.__dataclass_fields__}
        values = ", ".join(f":{name}" for name in row)
        connection.execute(text(f"INSERT INTO entry VALUES ({values})"), row)
    assert stranger.is_whole
    with pytest.raises(LedgerDamaged, match="Entry 3 does not follow"):
        store.read()


def test_nothing_is_written_on_damage(store):
    spoil(store, "UPDATE entry SET by = 'x' WHERE seq = 2")
    with pytest.raises(LedgerDamaged):
        store.write(added("more"))


# --- what fails in passing -----------------------------------------------------------------------


def test_a_lost_connection_is_made_again(url):
    store = filled(open_store(url, create=True, patience=10), 2)
    killed = []

    def lose(connection, cursor, statement, *_):
        if "INSERT" in statement and len(killed) < 3:
            killed.append(statement)
            connection.connection.dbapi_connection.close()

    event.listen(store.engine, "before_cursor_execute", lose)
    assert store.write(added("k9")) == 3
    assert len(killed) == 3 and len(store.read()) == 3
    store.close()


@pytest.mark.parametrize("arrives", [True, False])
def test_a_commit_without_an_answer_counts_once(where, arrives):
    """Whether it reached the database or not."""
    store = filled(open_store(where, create=True, patience=10), 2)
    calls, lost = [], []
    commit = store.engine.dialect.do_commit

    def unanswered(connection):
        if lost:
            return commit(connection)
        lost.append(True)
        if arrives:
            commit(connection)
        else:
            connection.rollback()
        raise OSError("the line is dead")

    def gone(context):
        if isinstance(context.original_exception, OSError):
            raise DBAPIError(
                "COMMIT", None, context.original_exception, connection_invalidated=True
            )

    def work(writing):
        calls.append(1)
        return added(None, by="hand")(writing)

    store.engine.dialect.do_commit = unanswered
    event.listen(store.engine, "handle_error", gone)
    assert store.write(work) == 3
    assert len(calls) == (1 if arrives else 2)
    assert len(store.read()) == 3
    store.close()


def test_other_writers_are_waited_for_and_then_named(where):
    one = filled(open_store(where, create=True, patience=0.3), 2)
    other = open_store(where, patience=0.3)

    def work(_):
        with pytest.raises(LedgerUnavailable, match="busy") as caught:
            other.write(added("x"))
        assert not caught.value.unknown
        assert len(other.read()) == 2  # readers do not wait

    one.write(work)
    assert other.write(added("x")) == 3
    one.close()
    other.close()


def test_writers_are_right_without_the_queue(url, monkeypatch):
    """Where they do not queue, all but one are rolled back and work again."""
    store = filled(open_store(url, create=True, patience=30), 1)
    turns = []

    def unlocked(connection, cursor, statement, parameters, context, many):
        return statement.replace("pg_advisory_lock", "pg_advisory_lock_shared"), parameters

    def work(writing):
        turns.append(1)
        entries = writing.entries()
        ready.wait(20) if len(turns) <= 4 else None
        writing.append(following(entries[-1], f"k{threading.get_ident()}"))

    ready = threading.Barrier(4)
    event.listen(store.engine, "before_cursor_execute", unlocked, retval=True)
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(store.write, work) for _ in range(4)]:
            done.result()
    assert len(store.read()) == 5
    assert len(turns) > 4
    store.close()


def test_a_child_process_does_not_use_what_it_inherits(store):
    assert len(store.read()) == 3
    child = os.fork()
    if child == 0:
        os._exit(0 if store.write(added("child")) == 4 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert store.write(added("parent")) == 5


def test_a_file_that_was_replaced_is_opened_anew(tmp_path):
    """Otherwise a charge would go to a file that has no name any more."""
    store = filled(open_store(tmp_path / "a", create=True), 3)
    other = filled(open_store(tmp_path / "b", create=True), 5)
    other.close()
    os.replace(tmp_path / "b", tmp_path / "a")
    assert len(store.read()) == 5
    (tmp_path / "a").unlink()
    with pytest.raises(LedgerUnavailable, match="cannot be opened"):
        store.write(added("x"))
    assert not (tmp_path / "a").exists()
    store.close()
