"""What is changed, and who has to notice: tests by their paths, or families of the sweep."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Mutant", "Sweep"]


class Sweep(NamedTuple):
    """So many draws of a family of the sweep, the same each time."""

    family: str
    draws: int = 4


class Mutant(NamedTuple):
    """One change.

    Parameters
    ----------
    file : str
        Below src/dprisk.
    old, new : str
        What is there, exactly once, and what stands there instead.
    killers : tuple of (str or Sweep)
        Tests that ought to fail, the quickest first.
    argued : str
        Why no input can show it, where none can; empty where something has to.
    """

    file: str
    old: str
    new: str
    killers: tuple[str | Sweep, ...]
    argued: str = ""

    @property
    def name(self) -> str:
        return f"{self.file}: {' '.join(self.old.split())[:70]}"
