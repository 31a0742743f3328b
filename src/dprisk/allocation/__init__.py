"""Allocation of a privacy loss, query by query, and how much of it touches a concern.

What a table holds: `allocations`; read from files and frames: `files`, `description`, `rows`. What
a concern touches: `concern`, `exposure`; what follows for risk: `finding`, beside printed numbers:
`comparison`.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
