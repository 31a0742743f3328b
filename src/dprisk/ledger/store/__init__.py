"""Where the entries of a ledger are kept: a file (SQLite) or a server (PostgreSQL)."""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
