"""Import records of the public registry of deployments (opendp/deployments-registry-data)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dprisk.errors import unreadable
from dprisk.releases.plain_text import addresses, lines, plain
from dprisk.releases.registry_numbers import promises
from dprisk.releases.registry_prose import disputes, neighbors_in, period_in
from dprisk.releases.release import Model, Release
from dprisk.releases.remarks import about_model, about_unit

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
        raise unreadable(path, "releases.registry.no-deployment")
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
        raise unreadable(path, "releases.registry.no-name", "name")
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
