"""A role of PostgreSQL that can read and append, and nothing else."""

from __future__ import annotations

import os
from importlib import resources
from typing import Final

from sqlalchemy import text

from dprisk.errors import InvalidInput
from dprisk.ledger.store.failures import failing
from dprisk.ledger.store.opening import opened
from dprisk.text import fill

FILE: Final = "appending.sql"
ABOVE: Final = text("""
    SELECT r.rolsuper OR pg_has_role(r.oid, c.relowner, 'MEMBER')
    FROM pg_roles r, pg_class c WHERE r.rolname = :role AND c.oid = to_regclass('entry')
""")

NAMED: Final = text("SELECT set_config('dprisk.role', :role, true)")


def grant_appending(url: str | os.PathLike[str], role: str) -> None:
    """Let a role of PostgreSQL read a ledger and append to it, and take every other right away.

    The statements are those of ``appending.sql`` beside this module, which psql runs as well:
    ``psql --command="SET dprisk.role = 'NAME'" --file=appending.sql URL``.

    Parameters
    ----------
    url : str
        The ledger, as whoever owns its tables reaches it.
    role : str
        A role that is there.

    Raises
    ------
    InvalidInput
        If there is no such role, or it owns the tables or is a superuser: nothing binds those.

    Examples
    --------
    >>> from dprisk.ledger.store import grant_appending
    >>> grant_appending("postgresql://owner@db/ledger", "reporter")  # doctest: +SKIP
    """
    store = opened(url)
    try:
        if store.location.path is not None:
            raise InvalidInput("url", store.location.shown, fill("ledger.role.server"))
        with failing(store.location), store.engine.connect() as connection:
            above = connection.execute(ABOVE, {"role": role}).scalar()
            if above is None:
                raise InvalidInput("role", role, fill("ledger.role.none"))
            if above:
                raise InvalidInput("role", role, fill("ledger.role.above"))
            connection.exec_driver_sql("BEGIN")
            connection.execute(NAMED, {"role": role})
            connection.execute(text(resources.files(__package__).joinpath(FILE).read_text("utf-8")))
            connection.commit()
    finally:
        store.close()
