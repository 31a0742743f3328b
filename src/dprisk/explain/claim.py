"""A claim in somebody's own words, taken apart so that it fits into a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import final

from dprisk.errors import InvalidInput

__all__ = ["Claim", "understood"]

LONGEST = 200
VERBS = (
    r"(?:(?:can|could|may|might|will|would) )?"
    r"(?:(?:conclude|think|believe|learn|know|infer|guesse?|decide|suspect|assume|discover)s?"
    r"|concluded|thought|believed|learned|learnt|knew|inferred|guessed|decided|suspected"
    r"|(?:find|work|figure)s? out|is sure|are sure|can tell|could tell|may tell)"
)
WHO = r"(?P<who>(?:(?!\b(?:that|you|i|we)\b).){1,60}?)"
WITH_THAT = re.compile(rf"^{WHO} {VERBS} that (?P<what>.+)$", re.IGNORECASE)
SUBJECT = r"(?:you|your|he|she|they|it|the|a|an|my|his|her|their|somebody|someone)\b"
WITHOUT = re.compile(rf"^{WHO} {VERBS} (?P<what>{SUBJECT}.+)$", re.IGNORECASE)
SMALL = frozenset(
    {"a", "an", "he", "her", "his", "it", "my", "our", "she", "somebody", "someone", "that"}
    | {"the", "their", "they", "this", "you", "your"}
)


@final
@dataclass(frozen=True)
class Claim:
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


def understood(text: str) -> Claim:
    """A claim in one's own words, as two parts of a sentence.

    Parameters
    ----------
    text : str
        Such as "your manager concludes that you answered No", or just "you answered No". Control
        characters are written out.

    Returns
    -------
    Claim
        What is claimed, and who claims it, where that is said.

    Raises
    ------
    InvalidInput
        If there is no text, or more than 200 letters.

    Examples
    --------
    >>> from dprisk.explain import understood
    >>> understood("Your manager concludes you answered No.")
    Claim(what='you answered No', who='your manager')
    >>> understood("you answered No").who is None
    True
    """
    if not isinstance(text, str) or not text.strip(" .!?,;:\n\t"):
        fix = "Such as: your manager concludes that you answered No"
        raise InvalidInput("claim", text, "a sentence", fix)
    plain = _printable(" ".join(text.split())).strip(" .!?,;:")
    if len(plain) > LONGEST:
        raise InvalidInput("claim", text, f"at most {LONGEST} letters long")
    found = WITH_THAT.match(plain) or WITHOUT.match(plain)
    if found is None:
        return Claim(_inside(re.sub(r"^that ", "", plain, flags=re.IGNORECASE)), None)
    return Claim(_inside(found["what"]), _inside(found["who"]))


def _inside(text: str) -> str:
    """As it stands inside a sentence."""
    first, space, rest = text.partition(" ")
    starts = first == first.capitalize() and first.lower() in SMALL
    return f"{first.lower()}{space}{rest}" if starts else text


def _printable(text: str) -> str:
    """What a terminal shows and does not obey: control characters are written out."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
