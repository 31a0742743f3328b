"""Every word that the package says, by key and by language: the one place to translate.

A key is ``area.topic.variant.register``. The area is a module of each language, or stands in those
of `HOMES`, loaded when one of its words is needed; a key without one belongs to ``explain``. The
registers are ``plain`` (for the person whose data it is), ``full`` (for whoever decides) and
``formal`` (for whoever checks); ``formal`` falls back to ``full``, and both to a text without a
register. Curly brackets hold what code fills in: numbers that were rounded already, phrases that
were made from other texts, and names. What a language lacks is said in English.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any, Final, Literal, get_args

from dprisk.text import en

Register = Literal["plain", "full", "formal"]
Language = Literal["en", "de"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
EXPLAINED: Final = ("explain", "promises", "results")
HOMES: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("explain", "claim", "composition", "theorems"), EXPLAINED),
    **dict.fromkeys(
        ("allocation", "assumptions", "audit", "papers", "progress", "summary", "table"),
        ("labels",),
    ),
    "report": ("report", "learned"),
}
"""The modules of areas that have none of their name, or several."""
MODULES: Final = {each.name for each in iter_modules(en.__path__)}
AREAS: Final = tuple(sorted(MODULES - {"promises", "results", "labels", "learned"} | HOMES.keys()))

BELOW: Final[dict[str, tuple[str, ...]]] = {
    "plain": ("plain",),
    "full": ("full",),
    "formal": ("formal", "full"),
}
_spoken: ContextVar[Language] = ContextVar("language", default="en")


@contextmanager
def language(name: Language) -> Iterator[None]:
    """Say what is said inside in a language."""
    before = _spoken.set(name)
    try:
        yield
    finally:
        _spoken.reset(before)


def spoken() -> Language:
    """The language in which things are said now."""
    return _spoken.get()


@cache
def texts(name: Language, area: str) -> Mapping[str, str]:
    """The words of an area in a language; none where nothing is translated."""
    found: dict[str, str] = {}
    for home in HOMES.get(area, (area,)):
        where = f"dprisk.text.{name}.{home}"
        if find_spec(where) is not None:
            found |= import_module(where).TEXTS
    return found


def english(key: str, /, **words: Any) -> str:
    """A text in English, for what is data and not said to anybody in particular."""
    return texts("en", _area(key))[key].format_map(words)


def has(key: str, register: Register = "full") -> bool:
    """Whether there is a text in a register, or one for all of them."""
    return resolved(key, register) in texts("en", _area(key))


def fill(key: str, register: Register = "full", /, **words: Any) -> str:
    """A text with its gaps filled; what is filled in is taken as it is."""
    area, known = _area(key), resolved(key, register)
    own = texts(spoken(), area)
    return (own if known in own else texts("en", area))[known].format_map(words)


def resolved(key: str, register: Register) -> str:
    """The text that a register uses under a key."""
    known = texts("en", _area(key))
    named = (f"{key}.{name}" for name in BELOW[register])
    return next((name for name in named if name in known), key)


def count(number: int) -> str:
    """A whole number with its thousands apart."""
    return decimal(f"{number:,}")


def decimal(number: str) -> str:
    """A number as Python writes it, with the signs of the language."""
    return number if spoken() == "en" else number.translate(POINTS)


POINTS: Final = str.maketrans({".": ",", ",": "."})


def _area(key: str) -> str:
    first = key.partition(".")[0]
    return first if first in AREAS else "explain"
