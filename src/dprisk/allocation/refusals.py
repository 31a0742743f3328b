"""What is wrong with a table or a description of it: where, what, and what to write instead."""

from __future__ import annotations

import os
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from dprisk.errors import InvalidFile
from dprisk.text import fill, has

__all__ = ["close", "guess", "refused"]


def refused(
    source: str | os.PathLike[str], key: str, where: str | None = None, **words: Any
) -> InvalidFile:
    """An error about a place in a file, in the words of a key and of its remedy."""
    said = {name: str(word) for name, word in words.items()}
    known = f"allocation.{key}.fix"
    fix = said.pop("fix", fill(known, **said) if has(known) else "")
    return InvalidFile(source, fill(f"allocation.{key}", **said), fix, where)


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
