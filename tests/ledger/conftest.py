"""Every test of a store is asked of both databases."""

from __future__ import annotations

import pytest

from tests.ledger import postgresql


@pytest.fixture(scope="session")
def server():
    """A PostgreSQL that a crash of the machine may take the last seconds from, and no test does."""
    with postgresql.server("-c", "fsync=off") as found:
        yield found


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=postgresql.needs_postgresql)])
def where(request, tmp_path):
    """A place where no ledger is yet."""
    if request.param == "sqlite":
        return str(tmp_path / "a.ledger")
    found = request.getfixturevalue("server")
    return found.url(found.schema())


@pytest.fixture
def url(server):
    """A place on a server where no ledger is yet."""
    return server.url(server.schema())
