"""Every test of a store is asked of both databases."""

from __future__ import annotations

import os

import pytest

from torture import postgresql

needs_postgresql = pytest.mark.skipif(
    postgresql.BIN is None and os.environ.get("DPRISK_POSTGRESQL") != "required",
    reason="no PostgreSQL on this machine: apt install postgresql",
)


@pytest.fixture(scope="session")
def server():
    """A PostgreSQL that a crash of the machine may take the last seconds from, and no test does."""
    with postgresql.server("-c", "fsync=off") as found:
        yield found


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=needs_postgresql)])
def where(request, tmp_path):
    """A place where no ledger is yet."""
    if request.param == "sqlite":
        return str(tmp_path / "a.ledger")
    found = request.getfixturevalue("server")
    return found.url(found.schema())


@pytest.fixture(params=[pytest.param("postgresql", marks=needs_postgresql)])
def url(request):
    """A place on a server where no ledger is yet."""
    found = request.getfixturevalue("server")
    return found.url(found.schema())
