"""What to write instead of a word that was not declared."""

from __future__ import annotations

from collections.abc import Iterable

from dprisk._checks import did_you_mean
from dprisk.text import fill


def guess(word: str, known: Iterable[str]) -> str:
    """Which of the known words may have been meant, or all of them."""
    names = tuple(known)
    declared = ", ".join(names) or fill("allocation.declared.none")
    return did_you_mean(word, names) or fill("allocation.declared", known=declared)
