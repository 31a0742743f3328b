"""A role that may append cannot do anything else, whatever it tries."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from dprisk.errors import InvalidInput, LedgerUnavailable
from dprisk.ledger.entries import Entry
from dprisk.ledger.store import grant_appending, open_store
from tests.ledger.entries import added, filled, following
from torture.working import AT


@pytest.fixture
def writer(server, url):
    """The ledger as a role reaches it whose name would break any statement put together by hand."""
    filled(open_store(url, create=True), 2).close()
    name = f'wri"ter; {server.made}'
    server.ask(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(name)))
    grant_appending(url, name)
    store = open_store(url.replace("postgres@", "wri%22ter;%20" + f"{server.made}@"), patience=5)
    yield store
    store.close()


def test_it_reads_and_appends(writer):
    assert writer.write(added("k2")) == 3
    assert len(writer.read()) == 3


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET body = body",
        "DELETE FROM entry",
        "TRUNCATE entry",
        "DROP TABLE entry",
        "DROP TRIGGER entry_kept ON entry",
        "ALTER TABLE entry DISABLE TRIGGER USER",
        "ALTER TABLE entry ADD COLUMN more text",
        "CREATE TRIGGER other BEFORE INSERT ON entry FOR EACH ROW EXECUTE FUNCTION entry_kept()",
        "CREATE RULE lost AS ON INSERT TO entry DO INSTEAD NOTHING",
        "CREATE OR REPLACE FUNCTION entry_kept() RETURNS trigger LANGUAGE sql AS ''",
        "SET session_replication_role = replica",
        "UPDATE ledger_revision SET version_num = '0999'",
        "DELETE FROM ledger_revision",
        "CREATE TABLE entry2 (x text)",
        "INSERT INTO entry VALUES (3, 'voided', NULL, '', '', '{}', 'x', 'y')",
        "INSERT INTO entry SELECT * FROM entry ON CONFLICT (seq) DO UPDATE SET body = '{}'",
    ],
)
def test_it_cannot_do_anything_else(writer, statement):
    before = writer.read()
    with writer.engine.connect() as connection, pytest.raises(DBAPIError) as caught:
        connection.execute(text(statement))
    assert isinstance(caught.value.orig, psycopg.Error)
    assert caught.value.orig.sqlstate in ("42501", "23001")
    assert writer.read() == before


ODD = 'a"\\\b\f\n\r\t\x01\x1f\x7f\u2028/\u00e9\U0001f600'


def test_the_database_computes_the_hash_that_python_computes(writer):
    last = writer.read()[-1]
    made = Entry.after(last, "reserved", ODD, ODD, ODD, {ODD: [ODD, 1, None]})
    writer.write(lambda writing: writing.append(made))
    assert writer.read()[-1] == made


@pytest.mark.parametrize(
    "change",
    [
        {"hash": "0" * 64},
        {"by": "eve"},
        {"key": "another"},
        {"at": "never"},
        {"body": "{}"},
        {"kind": "released"},
    ],
    ids=str,
)
def test_it_appends_nothing_with_another_hash(writer, change):
    made = replace(following(writer.read()[-1], "k9", a=1), **change)
    with pytest.raises(LedgerUnavailable):
        writer.write(lambda writing: writing.append(made))
    assert len(writer.read()) == 2


@pytest.mark.parametrize(
    ("kind", "by", "body"),
    [
        ("reset", "ann", "{}"),
        ("ledger", "ann", "{}"),
        ("reserved", "a" * 1001, "{}"),
        ("reserved", "ann", "no JSON"),
        ("reserved", "ann", "[1, {}]"),
        ("reserved", "ann", '"{}"'),
        ("reserved", "ann", ""),
        ("reserved", "ann", '{"a":' + "[" * 10**5),
        ("reserved", "ann", '{"a":"' + "a" * (1 << 24) + '"}'),
    ],
    ids=range(9),
)
def test_nobody_appends_what_nobody_can_read(where, kind, by, body):
    """On either database, whatever the hash."""
    store = filled(open_store(where, create=True), 2)
    last = store.read()[-1]
    said = (3, kind, "k", AT, by, body, last.hash)
    listed = json.dumps(said, separators=(",", ":"), ensure_ascii=False)
    made = Entry(*said, hashlib.sha256(listed.encode()).hexdigest())
    with pytest.raises(LedgerUnavailable):
        store.write(lambda writing: writing.append(made))
    assert len(store.read()) == 2
    store.close()


def test_a_table_of_its_own_does_not_mislead_the_database(writer):
    """What is temporary is found first wherever a table is named without its schema."""
    with writer.engine.connect() as connection:
        connection.execute(text("CREATE TEMPORARY TABLE entry (seq int, hash text)"))
        schema = connection.execute(text("SELECT current_schema()")).scalar()
        forged = f"INSERT INTO {schema}.entry VALUES (1, 'voided', NULL, '', '', '{{}}', :p, 'y')"
        with pytest.raises(DBAPIError, match="follows the last one"):
            connection.execute(text(forged), {"p": "0" * 64})
        connection.execute(text("DROP TABLE pg_temp.entry"))


def test_it_does_not_bring_a_ledger_up_to_date(writer, server, tmp_path):
    schema = server.ask("SELECT current_schema()")
    assert schema
    with writer.engine.connect() as connection:
        own = connection.execute(text("SELECT current_schema()")).scalar()
    server.ask(
        sql.SQL("UPDATE {}.ledger_revision SET version_num = '0001'").format(sql.Identifier(own))
    )
    url = writer.location.url.render_as_string(hide_password=False)
    with pytest.raises(LedgerUnavailable, match="does not allow this"):
        open_store(url, backups=tmp_path)


@pytest.mark.parametrize(
    ("role", "why"), [("nobody there", "a role that exists"), ("postgres", "no rule binds")]
)
def test_roles_that_would_not_be_bound_are_refused(url, role, why):
    open_store(url, create=True).close()
    with pytest.raises(InvalidInput, match=why):
        grant_appending(url, role)


def test_a_file_has_no_roles(tmp_path):
    open_store(tmp_path / "a", create=True).close()
    with pytest.raises(InvalidInput, match="a file has no roles"):
        grant_appending(tmp_path / "a", "writer")
