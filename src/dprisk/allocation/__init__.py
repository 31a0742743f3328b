"""Allocation of a privacy loss, query by query, and how much of it touches a concern.

Which file to open: `allocations`, what a table is, and `queries`, what it is made of;
`vocabulary`, the words for concerns; `files`, `rows` and `values`, how tables are read;
`descriptions`, what is declared about a table, read and written back; `units`, what
numbers mean; `exposure`, what a concern touches; `places`, amounts that differ by place;
`combined`, several tables as one; `charging`, a table as a release that a ledger charges;
`finding`, what follows for risk, also beside printed numbers; `designing`, the largest
amounts that keep limits; `comparing`, two candidates side by side.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
