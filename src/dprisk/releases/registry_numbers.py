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
from dprisk.text import english

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
        return None, Note("unusable", english("releases.registry.unusable", problem=error))


def _unreadable(given: Mapping[str, Any], written: Mapping[str, str]) -> Iterable[Note]:
    for name, value in given.items():
        shown = "".join(character for character in str(value)[:200] if character.isprintable())
        if name not in KNOWN:
            other = repr(plain(name, 60))
            text = english("releases.registry.not-read", name=other, value=shown)
            yield Note("warning", text)
        elif name not in written:
            text = english("releases.registry.not-a-number", name=name, value=repr(shown))
            yield Note("unusable", text)


def _why_nothing(given: Mapping[str, Any], written: Mapping[str, str], variant: str | None) -> str:
    if not given:
        return english("releases.registry.no-parameters")
    if "epsilon" in written and "delta" not in given and variant not in (None, "pure"):
        return english("releases.registry.epsilon-only", variant=variant)
    return english("releases.registry.no-set")


def _about_label(variant: str | None, first: str, part: Part) -> list[Note]:
    said = {"numbers": shown(part), "read": first}
    if variant is None:
        return [Note("assumed", english("releases.registry.no-variant", **said))]
    if variant != first:
        text = english("releases.registry.other-variant", variant=variant, **said)
        return [Note("warning", text)]
    return []


def _about_the_rest(part: Part, also: Iterable[Part]) -> list[Note]:
    others = "; ".join(shown(other) for other in also)
    if not others:
        return []
    text = english("releases.registry.separate", numbers=shown(part), others=others)
    return [Note("warning", text)]


def shown(part: Part) -> str:
    """The parameters of a part as written, in one line."""
    return ", ".join(f"{name} = {text}" for name, text in part.given.items())
