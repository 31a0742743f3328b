"""The numbers of a registry record: which promises they make, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dprisk.errors import InvalidInput
from dprisk.guarantees.base import Neighbors
from dprisk.releases.decimals import as_decimal
from dprisk.releases.forms import built
from dprisk.releases.plain_text import plain
from dprisk.releases.release import Note, Part

__all__ = ["promises"]

VARIANTS = (
    ("pure", "pure"),
    ("approx", "approximate"),
    ("concentrated", "concentrated"),
    ("zcdp", "concentrated"),
    ("renyi", "renyi"),
    ("rényi", "renyi"),
    ("gaussian", "gaussian"),
)
FORMS: Mapping[str, tuple[str, ...]] = {  # the first that is there is assessed
    "concentrated": ("rho",),
    "gaussian": ("mu",),
    "renyi": ("alpha", "gamma"),
    "approximate": ("epsilon", "delta"),
    "pure": ("epsilon",),
}
KNOWN = frozenset(name for keys in FORMS.values() for name in keys)
NONE = "The record gives no privacy parameters, so it cannot be assessed."


def promises(
    parameters: Mapping[str, Any], label: str, neighbors: Neighbors
) -> tuple[tuple[Part, ...], tuple[Part, ...], list[Note]]:
    """The part to assess (at most one), the same stated in other ways, and notes."""
    given = {str(key).lower(): value for key, value in parameters.items() if value is not None}
    written = {name: text for name in given if (text := as_decimal(given[name])) is not None}
    notes = list(_unreadable(given, written))
    variant = next((name for word, name in VARIANTS if word in label.lower()), None)
    found: dict[str, Part] = {}
    for form, keys in FORMS.items():
        if _is_stated(form, given, written, variant):
            part, note = _part({name: written[name] for name in keys}, neighbors)
            notes += [note] if note else []
            found |= {form: part} if part else {}
    if not found:
        return (), (), [*notes, Note("unusable", _why_nothing(given, written, variant))]
    first = variant if variant in found else next(iter(found))
    also = {form: part for form, part in found.items() if form != first}
    notes += _about_label(variant, first, found[first])
    notes += _about_the_rest(found[first], also.values())
    return (found[first],), tuple(also.values()), notes


def _is_stated(
    form: str, given: Mapping[str, Any], written: Mapping[str, str], variant: str | None
) -> bool:
    if not all(name in written for name in FORMS[form]):
        return False
    if form != "pure":
        return True
    # An epsilon without its delta is a pure guarantee only where nothing says otherwise.
    return "delta" not in given and variant in (None, "pure") and "rho" not in given


def _part(written: Mapping[str, str], neighbors: Neighbors) -> tuple[Part | None, Note | None]:
    try:
        return Part(built(written, neighbors, None), given=written), None
    except InvalidInput as error:
        return None, Note("unusable", f"A number of the record cannot be used: {error}")


def _unreadable(given: Mapping[str, Any], written: Mapping[str, str]) -> Iterable[Note]:
    for name, value in given.items():
        shown = "".join(character for character in str(value)[:200] if character.isprintable())
        if name not in KNOWN:
            text = f"The record has a parameter {plain(name, 60)!r}, which is not read: {shown}."
            yield Note("warning", text)
        elif name not in written:
            text = f"{name} is not a number but {shown!r}; it is kept as text and not evaluated."
            yield Note("unusable", text)


def _why_nothing(given: Mapping[str, Any], written: Mapping[str, str], variant: str | None) -> str:
    if not given:
        return NONE
    if "epsilon" in written and "delta" not in given and variant not in (None, "pure"):
        return (
            f"The record is labelled {variant} and gives an epsilon only. Without the other "
            "parameter the number says nothing that holds, so it cannot be assessed."
        )
    return "The record gives no complete set of numbers, so it cannot be assessed."


def _about_label(variant: str | None, first: str, part: Part) -> list[Note]:
    if variant is None:
        text = f"No variant is named; the numbers ({shown(part)}) are read as {first} DP."
        return [Note("assumed", text)]
    if variant != first:
        text = f"The record is labelled {variant} DP, but its numbers ({shown(part)}) are those of "
        return [Note("warning", f"{text}{first} DP. The numbers are believed; check the source.")]
    return []


def _about_the_rest(part: Part, also: Iterable[Part]) -> list[Note]:
    others = "; ".join(shown(other) for other in also)
    if not others:
        return []
    text = f"The record states separate guarantees: {shown(part)} is assessed, and {others} is "
    return [Note("warning", text + "kept beside it, never added to it.")]


def shown(part: Part) -> str:
    """The parameters of a part as written, in one line."""
    return ", ".join(f"{name} = {text}" for name, text in part.given.items())
