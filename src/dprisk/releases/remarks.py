"""Notes that follow from what is stated about any release: unit, period, model, neighbors."""

from __future__ import annotations

from typing import Any

from dprisk.guarantees.base import Neighbors
from dprisk.releases.release import Model, Note, NoteKind
from dprisk.releases.units import is_below_person, normalized_unit, units_in
from dprisk.text import english


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
    """What a unit leaves open about a person."""
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
    """Against whom the numbers protect, where that is not a curator's release."""
    if model == "central":
        return []
    return [_note("missing" if model is None else "warning", f"model.{model or 'missing'}")]


def _note(kind: NoteKind, about: str, **words: Any) -> Note:
    return Note(kind, english(f"releases.notes.{about}", **words))
