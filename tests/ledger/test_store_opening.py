"""Ledgers in every place, and in none: each refusal says what it is, and nothing is lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from dprisk.errors import DpriskError, InvalidFile, LedgerDamaged, LedgerUnavailable
from dprisk.ledger.store import open_store, opening, probing
from dprisk.ledger.store.places import ENTRY, Location, engine_of
from dprisk.ledger.store.store import exclusive
from tests.ledger.entries import added, filled, following

SECRET = "open sesame"
NOBODY = 65534


def older(where):
    """A ledger of the first revision."""
    if (place := Location.of(where)).path is not None:
        place.path.touch()
    engine = engine_of(place, 5)
    with exclusive(engine, 5) as connection:
        opening.upgrade(connection, opening.REVISIONS[0])
        connection.commit()
    engine.dispose()


def marked(where, revision):
    """Give a ledger the mark of a revision."""
    engine = engine_of(Location.of(where), 5)
    with engine.connect() as connection:
        connection.execute(text("UPDATE ledger_revision SET version_num = :to"), {"to": revision})
        connection.commit()
    engine.dispose()


def test_revisions_are_those_that_are_shipped():
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(opening.MIGRATIONS))
    script = ScriptDirectory.from_config(config)
    shipped = [each.revision for each in script.walk_revisions()]
    assert tuple(reversed(shipped)) == opening.REVISIONS


def test_nothing_is_made_unless_asked(where, tmp_path):
    with pytest.raises(LedgerUnavailable, match=r"There is no ledger\. Check the name"):
        open_store(where)
    assert list(tmp_path.iterdir()) == []


def test_opening_again_changes_nothing(where):
    store = filled(open_store(where, create=True), 3)
    before = store.read()
    store.close()
    again = open_store(where, create=True)
    assert again.read() == before
    again.close()


def test_a_file_by_its_url_and_a_strange_name(tmp_path):
    path = tmp_path / "a b?c#d%20é.ledger"
    filled(open_store(path, create=True), 2).close()
    store = open_store(f"sqlite:///{tmp_path}/plain", create=True)
    store.close()
    assert {"a b?c#d%20é.ledger", "plain"} == {each.name for each in tmp_path.iterdir()}


def test_a_file_is_durable_at_each_commit(tmp_path):
    store = open_store(tmp_path / "a", create=True)
    with store.engine.connect() as connection:
        asked = ("synchronous", "journal_mode", "foreign_keys")
        found = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in asked]
    assert found == [3, "delete", 1]
    store.close()


def test_a_server_is_durable_at_each_commit(url, server):
    server.ask("ALTER ROLE postgres SET synchronous_commit = off")
    try:
        store = open_store(url, create=True, patience=7)
        with store.engine.connect() as connection:
            asked = ("synchronous_commit", "lock_timeout")
            found = [connection.exec_driver_sql(f"SHOW {name}").scalar() for name in asked]
        assert found == ["on", "7s"]
        store.close()
    finally:
        server.ask("ALTER ROLE postgres RESET synchronous_commit")


def test_many_may_make_it_at_once(where):
    ready = threading.Barrier(4)

    def make(i):
        ready.wait(20)
        store = open_store(where, create=True)
        store.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(make, range(4)))
    store = open_store(where)
    assert store.read() == []
    store.close()


# --- older and newer -----------------------------------------------------------------------------


def test_an_older_ledger_is_brought_up_to_date_after_a_backup(where, tmp_path):
    older(where)
    marked(where, opening.NEWEST)
    filled(open_store(where), 3).close()
    marked(where, opening.REVISIONS[0])
    folder = tmp_path / "kept"
    folder.mkdir()
    store = open_store(where, backups=folder)
    with store.engine.connect() as connection:
        assert opening.revision_of(connection) == opening.NEWEST
    (backup,) = folder.iterdir()
    entries = store.read()
    store.close()
    assert f".backup-{opening.REVISIONS[0]}-" in backup.name
    if backup.is_dir():
        assert len((backup / "entries.jsonl").read_text().splitlines()) == 3
    else:
        kept = open_store(backup, backups=tmp_path)
        assert kept.read() == entries
        kept.close()


def test_without_a_backup_nothing_is_changed(where, tmp_path):
    older(where)
    (tmp_path / "file").touch()
    with pytest.raises(DpriskError, match="Not a directory"):
        open_store(where, backups=tmp_path / "file")
    engine = engine_of(Location.of(where), 5)
    with engine.connect() as connection:
        assert opening.revision_of(connection) == opening.REVISIONS[0]
    engine.dispose()


def test_a_newer_ledger_is_left_alone(where):
    store = filled(open_store(where, create=True), 2)
    store.close()
    marked(where, "0999")
    for create in (False, True):
        with pytest.raises(LedgerUnavailable, match=r"A newer version of dprisk .*Update dprisk"):
            open_store(where, create=create)


# --- bad places ----------------------------------------------------------------------------------


def test_a_folder(tmp_path):
    with pytest.raises(LedgerUnavailable, match="This is a folder, not a ledger"):
        open_store(tmp_path, create=True)


def test_a_missing_folder(tmp_path):
    with pytest.raises(InvalidFile, match="There is no folder"):
        open_store(tmp_path / "missing" / "a", create=True)
    with pytest.raises(LedgerUnavailable, match="There is no ledger"):
        open_store(tmp_path / "missing" / "a")


def test_no_database(tmp_path):
    path = tmp_path / "a"
    path.write_text("epsilon: 1\n" * 500)
    with pytest.raises(LedgerUnavailable, match="This file is not a ledger"):
        open_store(path, create=True)
    assert path.read_text() == "epsilon: 1\n" * 500


def test_no_regular_file(tmp_path):
    os.mkfifo(tmp_path / "a")
    with pytest.raises(InvalidFile, match="not a regular file"):
        open_store(tmp_path / "a")


def test_an_empty_file_becomes_a_ledger_only_when_asked(tmp_path):
    (tmp_path / "a").touch()
    with pytest.raises(LedgerUnavailable, match="This file is empty: it has 0 bytes"):
        open_store(tmp_path / "a")
    open_store(tmp_path / "a", create=True).close()


def test_a_database_of_something_else(tmp_path):
    path = tmp_path / "a"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE entry (what text)")
    before = path.read_bytes()
    with pytest.raises(LedgerUnavailable, match="holds something else"):
        open_store(path, create=True)
    with pytest.raises(LedgerUnavailable, match="There is no ledger"):
        open_store(path)
    assert path.read_bytes() == before


def test_a_table_of_somebody_else_on_a_server(url):
    engine = engine_of(Location.of(url), 5)
    with engine.connect() as connection:
        connection.exec_driver_sql("CREATE TABLE entry (what text)")
    engine.dispose()
    with pytest.raises(LedgerUnavailable, match="holds something else"):
        open_store(url, create=True)


def test_a_file_that_may_only_be_read():
    """By somebody who is not root, who may write everywhere."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a"
        store = filled(open_store(path, create=True), 2)  # stays open
        Path(folder).chmod(0o755)
        for each in Path(folder).iterdir():
            each.chmod(0o444)
        child = os.fork()
        if child == 0:
            os.setuid(os.getuid() or NOBODY)
            os._exit(_refused(path))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        store.close()


# --- one file, one name ---------------------------------------------------------------------------


def logged(path, entries):
    """A ledger as dprisk made them before, with a write-ahead log that still holds everything."""
    filled(open_store(path, create=True), 2).close()
    was = open_store(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert connection.execute("PRAGMA journal_mode=WAL").fetchone() == ("wal",)
        connection.execute("PRAGMA wal_autocheckpoint=0")
        last = was.read()[-1]
        for number in range(entries):
            last = following(last, f"w{number}")
            row = [getattr(last, column.name) for column in ENTRY.columns]
            connection.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        was.close()
        for rest in ("", "-wal"):  # as a machine that broke down leaves them
            shutil.copyfile(f"{path}{rest}", f"{path}.kept{rest}")
    for rest in ("", "-wal"):
        os.replace(f"{path}.kept{rest}", f"{path}{rest}")


def test_what_is_in_the_log_of_an_older_ledger_is_kept(tmp_path):
    path = tmp_path / "a"
    logged(path, 20)
    assert (tmp_path / "a-wal").stat().st_size > 0
    store = open_store(path)
    assert len(store.read()) == 22
    shutil.copyfile(path, tmp_path / "copy")  # of the open file alone
    store.write(added("next"))
    store.close()
    assert {each.name for each in tmp_path.iterdir()} == {"a", "copy"}
    for name, size in (("a", 23), ("copy", 22)):
        with closing(sqlite3.connect(tmp_path / name)) as connection:
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        again = open_store(tmp_path / name)
        assert len(again.read()) == size
        again.close()


def test_a_log_that_another_program_uses_is_waited_for(tmp_path):
    logged(tmp_path / "a", 3)
    other = sqlite3.connect(tmp_path / "a", check_same_thread=False)
    assert other.execute("SELECT count(*) FROM entry").fetchone() == (5,)
    with pytest.raises(LedgerUnavailable, match="kept the ledger busy"):
        open_store(tmp_path / "a", patience=0.1)
    threading.Timer(0.5, other.close).start()
    store = open_store(tmp_path / "a")
    assert len(store.read()) == 5
    store.close()


def test_a_log_of_somebody_else_is_left_alone(tmp_path):
    with closing(sqlite3.connect(tmp_path / "a")) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE theirs (what text)")
    with pytest.raises(LedgerUnavailable, match="There is no ledger"):
        open_store(tmp_path / "a")
    with closing(sqlite3.connect(tmp_path / "a")) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_file_with_two_names_is_refused(tmp_path):
    store = filled(open_store(tmp_path / "a", create=True), 2)
    os.link(tmp_path / "a", tmp_path / "b")
    for name in ("a", "b"):
        with pytest.raises(LedgerUnavailable, match=r"has 2 names .*Keep one name"):
            open_store(tmp_path / name)
    with pytest.raises(LedgerUnavailable, match="has 2 names"):
        store.write(added("x"))
    (tmp_path / "b").unlink()
    assert store.write(added("x")) == 3
    store.close()


def test_a_file_that_is_mounted_alone_is_refused(tmp_path, monkeypatch):
    """As in a container; the kernel lists what is mounted, with blanks as numbers."""
    path = tmp_path / "a b"
    filled(open_store(path, create=True), 2).close()
    mounts = tmp_path / "mountinfo"
    head, there = "36 35 98:0 /office.ledger", str(path).replace(" ", r"\040")
    mounts.write_text(
        f"22 1 8:1 / / rw - ext4 /dev/sda1 rw\n{head} {there} rw - ext4 /dev/sda1 rw\n"
    )
    monkeypatch.setattr(probing, "MOUNTS", mounts)
    with pytest.raises(LedgerUnavailable, match=r"mounted by itself\..*Mount the folder"):
        open_store(path)
    mounts.write_text(f"{head} {tmp_path} rw - ext4 /dev/sda1 rw\n")
    open_store(path).close()


def _written_by_a_process(name, prefix, count):
    child = os.fork()
    if child == 0:
        try:
            store = open_store(name)
            for number in range(count):
                store.write(added(f"{prefix}{number}"))
            store.close()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return child


def test_two_processes_through_two_names_lose_nothing(tmp_path):
    """A symbolic link, and a folder of another name: what a volume of a container is."""
    (tmp_path / "real").mkdir()
    filled(open_store(tmp_path / "real" / "a", create=True), 1).close()
    (tmp_path / "link").symlink_to(tmp_path / "real" / "a")
    (tmp_path / "volume").symlink_to(tmp_path / "real")
    names = (tmp_path / "real" / "a", tmp_path / "link", tmp_path / "volume" / "a")
    children = [_written_by_a_process(name, f"p{n}-", 20) for n, name in enumerate(names)]
    assert [os.waitstatus_to_exitcode(os.waitpid(each, 0)[1]) for each in children] == [0] * 3
    store = open_store(tmp_path / "link")
    assert len(store.read()) == 61
    store.close()


def _refused(path):
    only = open_store(path)
    if len(only.read()) != 2:
        return 1
    try:
        only.write(added("x"))
    except LedgerUnavailable as error:
        return 0 if "can only be read" in str(error) else 2
    return 3


def test_a_server_that_may_only_be_read(url, server):
    store = filled(open_store(url, create=True), 2)
    store.close()
    only = open_store(f"{url}%20-cdefault_transaction_read_only%3Don")
    assert len(only.read()) == 2
    with pytest.raises(LedgerUnavailable, match="can only be read"):
        only.write(added("x"))
    only.close()


def test_a_damaged_file(tmp_path):
    path = tmp_path / "a"
    filled(open_store(path, create=True), 50).close()
    raw = bytearray(path.read_bytes())
    raw[4096:] = b"\xff" * (len(raw) - 4096)
    path.write_bytes(raw)
    with pytest.raises(LedgerDamaged):
        open_store(path).read()


def test_a_complaint_that_quotes_what_is_damaged(tmp_path):
    """SQLite's own message is no text then."""
    path = tmp_path / "a"
    filled(open_store(path, create=True), 3).close()
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE entry", b"CREATE TABLE \xc7\x01try"))
    with pytest.raises(LedgerDamaged, match="The database is damaged"):
        open_store(path)


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://ann:{SECRET}@h@host/db",
        f"postgresql://ann:{SECRET}@host:port/db",
        f"postgresql://ann:{SECRET}/x@host:99999999/db",
        f"mysql://ann:{SECRET}@host/db",
        f"postgresql://ann:{SECRET}@/db?host=/nowhere",
        f"postgresql://ann@/db?host=/nowhere&password={SECRET}",
        f"postgresql://ann:{SECRET}@127.0.0.1:1/db",
        f"postgresql://ann:{SECRET}@nobody.invalid/db",
        f"postgresql://ann:{SECRET}@127.0.0.1:1/db?{SECRET}=1",
        f"sqlite://ann:{SECRET}@host/db",
        "sqlite://",
        "sqlite:///:memory:",
        f"://{SECRET}",
        f"postgresql:/{SECRET}",
    ],
)
def test_no_password_is_ever_shown(url, capfd):
    with pytest.raises(DpriskError) as caught:
        open_store(url, patience=0)
    shown = f"{caught.value!r} {caught.value.__dict__} {caught.value.__context__}"
    assert SECRET not in shown or not url.startswith("postgresql://")
    assert caught.value.__cause__ is None
    assert "".join(capfd.readouterr()) == ""


def test_a_wrong_name(url):
    with pytest.raises(LedgerUnavailable, match='database "nothing" does not exist'):
        open_store(url.replace("/postgres?", "/nothing?"))
    with pytest.raises(LedgerUnavailable, match='role "stranger" does not exist'):
        open_store(url.replace("postgres@", "stranger@"), patience=0)


def test_a_server_that_goes_away_and_comes_back(url, server):
    store = filled(open_store(url, create=True, patience=20), 2)
    hasty = open_store(url, patience=0.2)
    server.stop()
    try:
        with pytest.raises(LedgerUnavailable, match="does not answer") as caught:
            hasty.write(added("x"))
        assert not caught.value.unknown
        with pytest.raises(LedgerUnavailable, match="does not answer"):
            hasty.read()
        timer = threading.Timer(0.5, server.start)
        timer.start()
        assert store.write(added("x")) == 3
        timer.join()
    finally:
        if server.process.poll() is not None:
            server.start()
    assert len(hasty.read()) == 3
    store.close()
    hasty.close()


def test_a_server_that_is_lost_while_a_ledger_is_opened(url, server, monkeypatch):
    open_store(url, create=True).close()
    looked = opening._revision
    times = []

    def lost(connection, location):
        times.append(1)
        if len(times) == 1:
            own = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
            server.ask("SELECT pg_terminate_backend(%s)", own)
        return looked(connection, location)

    monkeypatch.setattr(opening, "_revision", lost)
    open_store(url).close()
    assert len(times) == 2
    times.clear()
    with pytest.raises(LedgerUnavailable, match="does not answer"):
        open_store(url, patience=0)
