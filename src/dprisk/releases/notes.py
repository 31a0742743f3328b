"""Units of privacy in one spelling, and the notes that follow from what is stated."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal, final, get_args

from dprisk._values import members
from dprisk.errors import InvalidInput, one_of
from dprisk.guarantees.base import Neighbors
from dprisk.text import english

Model = Literal["central", "local", "shuffle", "federated", "varies"]


NoteKind = Literal["warning", "assumed", "missing", "disputed", "unusable"]


@final
@dataclass(frozen=True)
class Note:
    """Something that a reader of a release has to know.

    Parameters
    ----------
    kind : {"warning", "assumed", "missing", "disputed", "unusable"}
        ``warning``: a trap in reading the numbers. ``assumed``: the source is silent and a
        convention fills in. ``missing``: what a reader would want to know is not there.
        ``unusable``: why a number cannot be assessed. ``disputed``: the
        source contradicts itself, or others contradict it.
    text : str
        One or more sentences, plain text.

    Raises
    ------
    InvalidInput
        If `kind` is not one of the four.

    Examples
    --------
    >>> from dprisk.releases.notes import Note
    >>> Note("assumed", "Neighbors are not stated.").kind
    'assumed'
    """

    kind: NoteKind
    text: str

    def __post_init__(self) -> None:
        one_of("kind", self.kind, KINDS_OF_NOTE)
        _filled("text", self.text)

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


def notes_data(notes: Iterable[Note]) -> list[dict[str, Any]]:
    """Notes as plain data: each once, with its kind and text."""
    return [members(note, "kind", "text") for note in dict.fromkeys(notes)]


MODELS: Final[tuple[Model, ...]] = get_args(Model)


KINDS_OF_NOTE: Final[tuple[NoteKind, ...]] = get_args(NoteKind)


def _filled(name: str, value: Any) -> None:
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(name, value, "text that is not empty")


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


def conventional(model: Model | None) -> Neighbors:
    """The relation that is assumed where a source states none."""
    return "replace-one" if model == "local" else "add-remove"


def about_neighbors(stated: bool, model: Model | None) -> list[Note]:
    """That a convention fills in, if the source does not state a relation."""
    if stated:
        return []
    kind = "local" if model == "local" else "central"
    return [_note("assumed", "neighbors", neighbors=conventional(model), model=kind)]


def about_unit(unit: str | None) -> list[Note]:
    """Notes on what a unit leaves open about a person."""
    units = units_in(unit)
    if not units:
        return [_note("missing", "unit.missing")]
    if any("aggregate" in name for name in units):
        return [_note("missing", "unit.aggregate")]
    if len(units) > 1:
        return [_note("warning", "unit.several", units=", ".join(units))]
    if is_below_person(unit):
        return [_note("warning", "unit.below", unit=normalized_unit(unit))]
    return []


def about_period(period: str | None) -> list[Note]:
    """That a number for a period is not a total."""
    if period is None:
        return [_note("missing", "period.missing")]
    return [] if period == "once" else [_note("warning", "period", period=period)]


def about_model(model: Model | None) -> list[Note]:
    """Notes on the model, where it is not that of a curator's release."""
    if model == "central":
        return []
    return [_note("missing" if model is None else "warning", f"model.{model or 'missing'}")]


def _note(kind: NoteKind, about: str, **words: Any) -> Note:
    return Note(kind, english(f"releases.notes.{about}", **words))
