"""Import records of the public registry of deployments (opendp/deployments-registry-data)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dprisk.errors import InvalidFile, InvalidInput
from dprisk.guarantees.base import Neighbors
from dprisk.releases.forms import built
from dprisk.releases.loading import addresses, lines, plain
from dprisk.releases.notes import (
    Model,
    Note,
    about_model,
    about_neighbors,
    about_period,
    about_unit,
    conventional,
    period_of_unit,
)
from dprisk.releases.release import Part, Release
from dprisk.releases.spelling import as_decimal
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
        return None, Note("unusable", f"A number of the record cannot be used: {error}")


def _unreadable(given: Mapping[str, Any], written: Mapping[str, str]) -> Iterable[Note]:
    for name, value in given.items():
        shown = "".join(character for character in str(value)[:200] if character.isprintable())
        if name not in KNOWN:
            other = repr(plain(name, 60))
            text = f"The record has a parameter {other}, which is not used: {shown}."
            yield Note("warning", text)
        elif name not in written:
            text = f"{name} is not a number but {shown!r}; it is kept as text and not evaluated."
            yield Note("unusable", text)


def _why_nothing(given: Mapping[str, Any], written: Mapping[str, str], variant: str | None) -> str:
    if not given:
        return "The record gives no privacy parameters, so it cannot be assessed."
    if "epsilon" in written and "delta" not in given and variant not in (None, "pure"):
        return (
            f"The record is labeled {variant} and gives only an epsilon. Without the other "
            "parameter, the number promises nothing, so the record cannot be assessed."
        )
    return "The record gives no complete set of numbers, so it cannot be assessed."


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
    text = (
        f"The record states separate guarantees: {shown(part)} is assessed. {others} is "
        "kept beside it, never added to it."
    )
    return [Note("warning", text)]


def shown(part: Part) -> str:
    """The parameters of a part as written, in one line."""
    return ", ".join(f"{name} = {text}" for name, text in part.given.items())


OR = r"\s*(?:,|/|\bor\b|\band\b)\s*"
NEGATED = re.compile(
    r"\b(?:not|never|without|rather than|instead of)\s+(?:\w+\s+)?"
    rf"(?:add\w*|remov\w*|replac\w*|chang\w*)(?:{OR}\w+)?",
    re.IGNORECASE,
)
ADD_REMOVE = re.compile(
    rf"\badd(?:ing|ed|ition)?(?:\s+of)?{OR}(?:remov|delet|subtract)"
    r"|\bsymmetric distance\b|\bunbounded (?:neighbo|differential|dp\b)|\bunbounded \(",
    re.IGNORECASE,
)
REPLACE_ONE = re.compile(
    r"\bbounded.? (?:neighbo|differential|dp\b)|\bbounded [\w-]+-delta\b|\bchange-one\b"
    r"|\bmodification of (?:a|one|any)\b|\b(?:replac|chang|substitut)ing\b|\bsubstitution\b",
    re.IGNORECASE,
)
DENIED = re.compile(r"\bnot (?:\w+ ){0,3}state\b.{0,60}\b(?:adjacent|neighbo)", re.IGNORECASE)

TIMES = (
    (re.compile(r"\b(?:hourly|(?:per|each|every) hour)\b"), "hour"),
    (re.compile(r"\b(?:daily|(?:per|each|every) day)\b"), "day"),
    (re.compile(r"\b(?:weekly|(?:per|each|every) week)\b"), "week"),
    (re.compile(r"\b(?:monthly|(?:per|each|every) month)\b"), "month"),
    (re.compile(r"\b(?:quarterly|(?:per|each|every) quarter)\b"), "quarter"),
    (re.compile(r"\b(?:yearly|annual(?:ly)?|(?:per|each|every) year)\b"), "year"),
)
HOURS = re.compile(r"(?:every )?(\d{1,3}) hours?\.?")

DOUBT = re.compile(
    r"\b(?:incorrect|wrong|erroneous|mistake|unclear whether|disput|concern:)", re.IGNORECASE
)
FACTOR = re.compile(r"\bfactor (?:of )?(\d{1,3})\b", re.IGNORECASE)


def neighbors_in(
    said: Mapping[str, str], model: Model | None
) -> tuple[Neighbors, bool, list[Note]]:
    """The relation that a record states, or else the conventional one, and why."""
    text = NEGATED.sub(" ", plain(f"{said['unit_details']} {said['model_details']}"))
    adds, replaces = bool(ADD_REMOVE.search(text)), bool(REPLACE_ONE.search(text))
    denied = bool(DENIED.search(plain(said["remarks"])))
    if replaces and not adds and not denied:
        return "replace-one", True, []
    if adds and not replaces and not denied and model != "local":
        return "add-remove", True, []
    assumed = conventional(model)
    if not adds and not replaces:
        return assumed, False, about_neighbors(False, model)
    why = "local" if adds and not replaces and not denied else "contradict"
    text = english(f"releases.registry.neighbors-{why}", neighbors=assumed)
    return assumed, False, [Note("disputed", text)]


def period_in(said: Mapping[str, str]) -> tuple[str | None, list[Note]]:
    """The time that one release covers, and what to know about it."""
    once = said["release_type"].lower().startswith("one")
    in_unit = period_of_unit(plain(said["unit"], 200))
    period = in_unit or _time_in(said["release_details"]) or ("once" if once else None)
    notes = about_period(period)
    if once and period != "once" and not in_unit:
        text = f"The record is labeled as one release, but also as repeated (period: {period})."
        notes.insert(0, Note("disputed", text))
    return period, notes


def disputes(said: Mapping[str, str], written: Mapping[str, str]) -> list[Note]:
    """Notes on where the sentences of a record contradict its numbers."""
    notes = []
    for name in ("epsilon", "rho"):
        if name in written:
            notes += _parts_and_whole(name, written[name], said)
    if DOUBT.search(plain(said["parameters_details"])) and written:
        notes.append(
            Note(
                "disputed",
                (
                    "The record itself reports doubts about its numbers: read it before relying on "
                    "them."
                ),
            )
        )
    return notes


def _parts_and_whole(name: str, written: str, said: Mapping[str, str]) -> list[Note]:
    whole, field = float(written), {"name": name, "written": written}
    about = plain(f"{said['parameters_details']} {said['description']}")
    others = [value for value in _values(name, about) if not math.isclose(value, whole)]
    factor = FACTOR.search(about)
    times = int(factor[1]) if factor else 1
    if others and not math.isclose(times * sum(others), whole, rel_tol=1e-9):
        shown = ", ".join(f"{value:g}" for value in dict.fromkeys(others))
        return [Note("disputed", english("releases.registry.other-sum", others=shown, **field))]
    elsewhere = plain(f"{said['composition']} {said['mechanisms']}")
    larger = [value for value in _values(name, elsewhere) if value > whole * (1 + 1e-9)]
    if larger:
        part = f"{max(larger):g}"
        return [Note("disputed", english("releases.registry.larger-part", part=part, **field))]
    return []


def _values(name: str, text: str) -> list[float]:
    """The numbers that a text gives for a parameter."""
    symbol = {"epsilon": "(?:epsilon|ε)", "rho": "(?:rho|ρ)"}[name]
    pattern = rf"{symbol}\)?\s*(?:=|is|of|value of|equals)\s*(\d{{1,9}}(?:\.\d{{1,9}})?)"
    return [float(found) for found in re.findall(pattern, text, re.IGNORECASE)]


def _time_in(text: str) -> str | None:
    shown = plain(text).lower()
    hours = HOURS.fullmatch(shown)
    if hours:
        return f"{int(hours[1])} hours"
    found = [period for pattern, period in TIMES if pattern.search(shown)]
    return found[0] if len(found) == 1 else None


BASIC = ("basic", "product", "")
VARIANT = ("dp_variant", "dp_flavor")
LOSS = ("privacy_loss", "privacy")
MODEL = ("deployment_model", "model")
OTHER = ("administrative", "resources", "")

# What is read, by the names that its section and its key have had over the years.
FIELDS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "name": (BASIC, ("name", "short_name")),
    "curator": (BASIC, ("data_curators", "data_curator")),
    "region": (BASIC, ("data_product_region",)),
    "date": (BASIC, ("publication_date",)),
    "description": (BASIC, ("description", "data_product_description")),
    "variant": (VARIANT, ("variant_name", "name")),
    "invariants": (VARIANT, ("unprotected_quantities",)),
    "unit": (LOSS, ("privacy_unit",)),
    "unit_details": (LOSS, ("privacy_unit_details", "privacy_unit_description")),
    "parameters_details": (
        LOSS,
        ("privacy_parameters_details", "privacy_parameters_description"),
    ),
    "model": (MODEL, ("model_name", "model_type")),
    "model_details": (
        MODEL,
        ("model_name_details", "model_name_description", "model_type_description"),
    ),
    "release_type": (MODEL, ("release_type",)),
    "release_details": (MODEL, ("release_type_details", "release_type_description")),
    "composition": (("accounting", "additional_dp_information"), ("composition",)),
    "mechanisms": (("implementation",), ("mechanisms",)),
    "source": (
        OTHER,
        ("sources", "additional_information_urls", "additional_information_url"),
    ),
    "remarks": (OTHER, ("notes",)),
}
UNKNOWN = frozenset({"", "not specified", "unknown", "varies", "n/a", "none", "todo"})
NOTHING_SAID = (
    "no mention",
    "no unprotected",
    "not mention",
    "no information",
    "not specified",
    "not available",
)


def recognizes(tree: Mapping[str, Any]) -> bool:
    """Whether a document is a record of the registry, in one of its versions."""
    return "deployment" in tree and bool({"url_slug", "status", "approved"} & set(tree))


def read(tree: Mapping[str, Any], path: str) -> Release:
    """`release_from_registry`, as for every format of files."""
    return release_from_registry(tree, path=path)


def release_from_registry(record: Mapping[str, Any], *, path: str = "registry record") -> Release:
    """Turn a record of the public registry of deployments into a release."""
    deployment = record.get("deployment")
    if not isinstance(deployment, Mapping):
        raise InvalidFile(
            path,
            "A registry record needs the key `deployment`, with the description under it.",
            "Compare the file with a record of the registry.",
        )
    said = {name: _said(deployment, *places) for name, places in FIELDS.items()}
    model = _model(said["model"])
    unit = plain(said["unit"], 200) or None
    neighbors, stated, neighbors_notes = neighbors_in(said, model)
    parts, also, number_notes = promises(_parameters(deployment), said["variant"], neighbors)
    period, period_notes = period_in(said)
    written = parts[0].given if parts else {}
    return Release(
        name=_name(record, said, path),
        unit=unit,
        period=period,
        neighbors=neighbors,
        neighbors_stated=stated,
        model=model,
        parts=parts,
        stated_also=also,
        curator=_known(said["curator"]),
        region=_known(said["region"]),
        date=_known(said["date"]),
        invariants=_invariants(said["invariants"]),
        source=addresses(said["source"]),
        notes=(
            *number_notes,
            *neighbors_notes,
            *about_unit(unit),
            *period_notes,
            *about_model(model),
            *disputes(said, written),
        ),
    )


def _name(record: Mapping[str, Any], said: Mapping[str, str], path: str) -> str:
    name = plain(said["name"], 200) or plain(_text(record.get("url_slug")), 200)
    if not name:
        raise InvalidFile(
            path,
            "The record has neither a name nor a url_slug.",
            "Give it a name under deployment, basic.",
            where="name",
        )
    return name


def _parameters(deployment: Mapping[str, Any]) -> Mapping[str, Any]:
    for section in LOSS:
        found = deployment.get(section)
        if isinstance(found, Mapping) and isinstance(found.get("privacy_parameters"), Mapping):
            return dict(found["privacy_parameters"])
    return {}


def _model(name: str) -> Model | None:
    match plain(name, 200).lower():
        case "":
            return None
        case "central":
            return "central"
        case "local":
            return "local"
        case "shuffle" | "shuffled":
            return "shuffle"
        case "federated":
            return "federated"
    return "varies"  # mixed


def _invariants(text: str) -> tuple[str, ...]:
    said = text.strip().lower().rstrip(".")
    nothing = said in UNKNOWN or any(words in said for words in NOTHING_SAID)
    return () if nothing and len(said.splitlines()) <= 1 else lines(text)


def _known(text: str) -> str | None:
    shown = plain(text, 300)
    return None if shown.lower() in UNKNOWN else shown


def _said(deployment: Mapping[str, Any], sections: Sequence[str], keys: Sequence[str]) -> str:
    """The first text found under any of the names."""
    for section in sections:
        found = deployment.get(section) if section else deployment
        if not isinstance(found, Mapping):
            continue
        for key in keys:
            text = _text(found.get(key)).strip()
            if text:
                return text
    return ""


def _text(value: Any) -> str:
    """Text out of whatever stands there: a list line by line, a mapping by its first text."""
    if value is None or isinstance(value, (bool, str)):
        return value if isinstance(value, str) else ""
    if isinstance(value, Mapping):
        return next((text for item in value.values() if (text := _text(item))), "")
    if isinstance(value, Sequence):
        return ", \n".join(text for item in value if (text := _text(item)))
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
