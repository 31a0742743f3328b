"""Notes that follow from what is stated about any release: unit, period, model, neighbors."""

from __future__ import annotations

from dprisk.guarantees.base import Neighbors
from dprisk.releases.release import Model, Note
from dprisk.releases.units import is_below_person, normalized_unit, units_in

__all__ = ["about_model", "about_neighbors", "about_period", "about_unit", "conventional"]


def conventional(model: Model | None) -> Neighbors:
    """The relation that is assumed where a source states none."""
    return "replace-one" if model == "local" else "add-remove"


def about_neighbors(stated: bool, model: Model | None) -> list[Note]:
    """That a convention fills in, if the source does not state a relation."""
    if stated:
        return []
    kind = "local" if model == "local" else "central"
    text = f"{conventional(model)} is assumed, as is usual in the {kind} model."
    return [Note("assumed", f"Which datasets are neighbors is not stated: {text}")]


def about_unit(unit: str | None) -> list[Note]:
    """What a unit leaves open about a person."""
    units = units_in(unit)
    if not units:
        return [Note("missing", "Whose data is protected is not stated.")]
    if any("aggregate" in name for name in units):
        text = "The unit names what is published, not whose data is protected."
        return [Note("missing", text)]
    if len(units) > 1:
        text = f"Several units ({', '.join(units)}) share one number. How it is split between them "
        return [Note("warning", text + "does not show in it.")]
    if is_below_person(unit):
        text = f"The guarantee covers one {normalized_unit(unit)}; a person may contribute several."
        return [Note("warning", text)]
    return []


def about_period(period: str | None) -> list[Note]:
    """That a number for a period is not a total."""
    if period is None:
        text = "What time the numbers cover is not stated. Do not read them as a total."
        return [Note("missing", text)]
    if period == "once":
        return []
    text = f"The numbers cover one period ({period}), not the total over time. For k periods, ask "
    return [Note("warning", text + "for k releases, composed.")]


def about_model(model: Model | None) -> list[Note]:
    """Against whom the numbers protect, where that is not a curator's release."""
    if model == "local":
        text = "Local model: the noise is added to what each person sends. Do not rank it beside "
        return [Note("warning", text + "guarantees of the central model.")]
    if model == "shuffle":
        text = "Shuffle model: the numbers are about what leaves the shuffler, and hold only if it "
        text += "does not pass on who sent what. Against the shuffler itself, only what each "
        return [
            Note(
                "warning",
                text
                + "person's own noise promises holds. What shuffling adds to that is not computed.",
            )
        ]
    if model == "federated":
        text = "Federated: the numbers are about what they were stated for, usually the model or "
        text += "the sum that is published. Against whoever collects what single devices send, "
        return [Note("warning", text + "they hold only if the noise is added on the device.")]
    if model == "varies":
        text = "Who adds the noise varies, and with it whom the numbers protect against. Do not "
        return [Note("warning", text + "rank them beside a central or a local release.")]
    if model is None:
        return [Note("missing", "Who adds the noise is not stated.")]
    return []
