"""The command line: each command parses, makes one library call and renders.

Which file to open: `commands`, how Typer's options are made of a command's table; `ending`, how a
command ends; `show`, what is printed; `designs` and `scenarios`, what `allocations` prints;
`ledger_copies`, what is kept of a ledger elsewhere; the others, the commands themselves, but those
that the server answers as well (`WHERE` in `commands` lists all).
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
