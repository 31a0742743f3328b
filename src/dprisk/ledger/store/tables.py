"""The one table: entries as they are written, and never changed."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Column, Integer, MetaData, Select, Table, Text, select

REVISION_TABLE: Final = "ledger_revision"
ENTRY: Final = Table(
    "entry",
    MetaData(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("key", Text, unique=True),
    Column("at", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("previous", Text, nullable=False, unique=True),
    Column("hash", Text, nullable=False, unique=True),
)


def after(seq: int) -> Select[Any]:
    """The entries from `seq` on, itself among them: what follows is checked against it."""
    return select(ENTRY).where(ENTRY.c.seq >= seq).order_by(ENTRY.c.seq)


def by_hash(digest: str) -> Select[Any]:
    """Whether an entry is there."""
    return select(ENTRY.c.seq).where(ENTRY.c.hash == digest)
