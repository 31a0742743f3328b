"""What is wrong with a table or a description of it: where, what, and what to write instead."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from dprisk.text import fill

__all__ = ["close", "guess"]


def close(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most like this one, in upper or lower case."""
    folded = {name.casefold(): name for name in known}
    found = get_close_matches(word.casefold(), folded, n=1)
    return folded[found[0]] if found else None


def guess(word: str, known: Iterable[str]) -> str:
    """Which of the known words may have been meant, or all of them."""
    names = tuple(known)
    near = close(word, names)
    if near:
        return fill("errors.did-you-mean", choice=repr(near))
    return fill("allocation.declared", known=", ".join(names) or fill("allocation.declared.none"))
