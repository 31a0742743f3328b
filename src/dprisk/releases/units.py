"""Units of privacy in one spelling, and the time that is written into them."""

from __future__ import annotations

import re

SPLIT = re.compile(r"\s*(?:[;,+&/]|\band\b)\s*")
LEVEL = re.compile(r"[\s_-]*\blevels?$")
WORDS = {
    "accounts": "account",
    "aggregate-statistics": "aggregate",
    "business-establishment": "establishment",
    "customer": "user",
    "devices": "device",
    "establishments": "establishment",
    "events": "event",
    "households": "household",
    "housing-units": "housing-unit",
    "individual": "person",
    "individuals": "person",
    "member": "user",
    "people": "person",
    "persons": "person",
    "records": "record",
    "row": "record",
    "tuple": "record",
    "user-device": "device",
    "users": "user",
}
TIMES = (  # longest first: a quarter of a day is not a quarter of a year
    ("quarter-day", "6 hours"),
    ("hour", "hour"),
    ("day", "day"),
    ("week", "week"),
    ("month", "month"),
    ("quarter", "quarter"),
    ("year", "year"),
)
WHOLE_PERSON = frozenset({"person", "user", "household", "establishment"})


def units_in(text: str | None) -> tuple[str, ...]:
    """Every unit named in a text, in one spelling each: a compound unit names several."""
    found = (_one_spelling(piece) for piece in SPLIT.split((text or "").strip().lower()))
    return tuple(dict.fromkeys(unit for unit in found if unit))


def normalized_unit(text: str | None) -> str | None:
    """Unit of privacy in one spelling."""
    return " + ".join(units_in(text)) or None


def period_of_unit(text: str | None) -> str | None:
    """The stretch of time written into a unit, such as "day" in "User-day-level"."""
    padded = f"-{normalized_unit(text) or ''}-"
    return next((period for word, period in TIMES if f"-{word}-" in padded), None)


def is_below_person(text: str | None) -> bool:
    """Whether one person can contribute several of these units, such as days or events."""
    units = units_in(text)
    return bool(units) and not all(unit in WHOLE_PERSON or "housing" in unit for unit in units)


def _one_spelling(text: str) -> str:
    words = re.sub(r"[\s_-]+", "-", LEVEL.sub("", text.strip(" .-"))).strip("-")
    return WORDS.get(words, words)
