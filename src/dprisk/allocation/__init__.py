"""Allocation of a privacy loss, query by query, and how much of it touches a concern.

Which file to open: `allocations`, what a table and a concern are; `files` and `rows`, how tables
are read; `exposure`, what a concern touches; `finding`, what follows for risk, also beside printed
numbers.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
