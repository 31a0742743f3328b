"""What only the sentences of a registry record say: neighbors, time, doubts about the numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from dprisk.guarantees.base import Neighbors
from dprisk.releases.plain_text import plain
from dprisk.releases.release import Model, Note
from dprisk.releases.remarks import about_neighbors, about_period, conventional
from dprisk.releases.units import period_of_unit
from dprisk.text import english

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
        text = english("releases.registry.repeated", period=period)
        notes.insert(0, Note("disputed", text))
    return period, notes


def disputes(said: Mapping[str, str], written: Mapping[str, str]) -> list[Note]:
    """Where the sentences of a record contradict its numbers."""
    notes = []
    for name in ("epsilon", "rho"):
        if name in written:
            notes += _parts_and_whole(name, written[name], said)
    if DOUBT.search(plain(said["parameters_details"])) and written:
        notes.append(Note("disputed", english("releases.registry.doubts")))
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
