"""The words of a report that are not about one number only; each number keeps its direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk.explain.rounding import (
    Chance,
    Scale,
    at_least,
    at_most,
    chance,
    cut_off,
    hundredths,
    out_of,
    scale,
)

if TYPE_CHECKING:
    from dprisk.assessment import Statement
    from dprisk.releases.release import Part, Release

__all__ = [
    "ASKED",
    "VACUOUS",
    "about",
    "ends",
    "given",
    "least",
    "most",
    "named",
    "near",
    "promised",
    "share",
    "sure",
    "times_over",
    "to_at_most",
]

VACUOUS = 4.0  # nats
FEW = 3  # promises that one sentence can hold
ASKED = {
    "membership": "is {who} in the data?",
    "attribute": "what does the record of {who} say?",
}


def given(prior: float, *ends: float) -> str:
    """A belief that was put in, in as many chances as what becomes of it."""
    return out_of(prior, scale(prior, *ends))


def most(value: float, prior: float, of: Scale | None = None) -> str:
    """A belief at most, for a cell; only who was certain before is so afterwards."""
    of = of or scale(prior, value)
    if value == 1.0 and prior < 1.0:
        return _edge(cut_off("top", of))
    return _edge(chance(value, upper=True, of=of))


def least(value: float, prior: float, of: Scale | None = None) -> str:
    """A belief at least, for a cell, likewise."""
    of = of or scale(prior, value)
    if value == 0.0 and prior > 0.0:
        return _edge(cut_off("bottom", of))
    return _edge(chance(value, upper=False, of=of))


def _edge(found: Chance) -> str:
    return {"number": "", "top": "above ", "bottom": "fewer than "}[found.kind] + found.shown


def near(prior: float) -> str:
    """A belief that was worked out, and bounds nothing: rounded to the nearest."""
    whole = round(100 * prior)
    if 1 <= whole <= 99:
        return f"{whole} in 100"
    return "above 99 in 100" if whole > 99 else "fewer than 1 in 100"


def to_at_most(value: float, prior: float) -> str:
    """A belief at most, inside a sentence that lets it rise."""
    shown = most(value, prior)
    if not shown[0].isdigit():
        return f"even {shown}" if value > prior else shown
    return f"at most {shown}"


def share(value: float, certain: bool = False) -> str:
    """An upper bound on a probability: nearly certain is said to be so, not written out."""
    if value > 0.9999 and not certain:
        return "above 0.9999"
    return at_most(value) if value > 1e-12 or value == 0.0 else "below 1e-12"


def ends(low: float | None, high: float, digits: int = 6) -> tuple[str, str]:
    """At least, where that is known, and at most."""
    return "" if low is None else at_least(low, digits), at_most(high, digits)


def sure(confidence: float | None) -> str:
    """How surely a bound holds."""
    if confidence is None:
        return "whatever the results turn out to be"
    return f"with a confidence of at least {hundredths(confidence)}%"


def times_over(release: Release) -> str:
    """How often the whole is released, where that is more than once."""
    return f", {release.releases} times over" if release.releases > 1 else ""


def about(release: Release) -> str:
    """Unit, period, neighbors and model: what an epsilon is nothing without."""
    unit = f"unit: {release.unit}" if release.unit else "unit not stated"
    period = f"period: {release.period}" if release.period else "period not stated"
    relation = f"{release.neighbors} neighbors" + ("" if release.neighbors_stated else " assumed")
    model = f"{release.model} model" if release.model else "model not stated"
    return f"({unit}, {period}, {relation}, {model})"


def promised(release: Release, statement: Statement) -> str:
    """The promise as a whole in one sentence, however many parts it has."""
    from dprisk.explain import describe
    from dprisk.explain.wording import whole_promise

    parts = statement.parts
    if len(parts) <= FEW:
        return describe(release, statement)
    whole = whole_promise(statement.composed.guarantee)
    return (
        f"The release makes {len(parts)} promises{times_over(release)} {about(release)}: together "
        f"at most {whole} ({statement.composed.theorem.says})."
    )


def named(part: Part, number: int) -> str:
    """What a part is called."""
    return part.label or f"part {number}"
