"""Every test of a store is asked of both databases."""

from __future__ import annotations

import pytest

from tests.needed import needs, works
from torture import postgresql

needs_postgresql = needs(
    postgresql.BIN is not None and works(postgresql.BIN / "initdb", "--version"),
    "PostgreSQL",
    "apt install postgresql",
    "DPRISK_POSTGRESQL",
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
