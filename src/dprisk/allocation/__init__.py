"""Where a privacy loss went, query by query, and how much of it concerns what one cares about.

What a table holds: `allocations`; read from files and frames: `files`, `description`, `rows`. What
a concern touches: `concern`, `exposure`; what follows for risk: `finding`, beside printed numbers:
`comparison`.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
