"""Storage of the entries of a ledger: a file (SQLite) or a server (PostgreSQL)."""

from importlib.util import find_spec

from dprisk._lazy import lazy
from dprisk.errors import NotInstalled

if not all(map(find_spec, ("sqlalchemy", "alembic", "psycopg"))):
    raise NotInstalled(
        "A ledger needs libraries for databases. Install them with: pip install 'dprisk[ledger]'."
    )

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
