"""A claim in somebody's own words, taken apart so that it fits into a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import final

from dprisk.errors import refused
from dprisk.text import fill

LONGEST = 200


@final
@dataclass(frozen=True)
class Conclusion:
    """What somebody may conclude about a person, and who. Made by `understood`.

    Parameters
    ----------
    what : str
        As it follows "that": "you answered No".
    who : str or None
        Who concludes it, as it follows "lead": "your manager"; None: anybody.
    """

    what: str
    who: str | None


def understood(text: str) -> Conclusion:
    """A claim in one's own words, as two parts of a sentence."""
    if not isinstance(text, str) or not text.strip(" .!?,;:\n\t"):
        raise refused("errors.claim", "claim", text)
    plain = _printable(" ".join(text.split())).strip(" .!?,;:")
    if len(plain) > LONGEST:
        raise refused("errors.claim.short", "claim", text, most=LONGEST)
    found = _read("with-that").match(plain) or _read("without-that").match(plain)
    if found is None:
        return Conclusion(_inside(_read("that").sub("", plain)), None)
    return Conclusion(_inside(found["what"]), _inside(found["who"]))


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _read(what: str) -> re.Pattern[str]:
    """How a claim is read in the language that is spoken."""
    return _pattern(fill(f"claim.{what}"))


def _inside(text: str) -> str:
    """As it stands inside a sentence."""
    first, space, rest = text.partition(" ")
    starts = first == first.capitalize() and first.lower() in fill("claim.small").split()
    return f"{first.lower()}{space}{rest}" if starts else text


def _printable(text: str) -> str:
    """What a terminal shows and does not obey: control characters are written out."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
