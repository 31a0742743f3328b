"""The words of a report that are not about one number only; each number keeps its direction."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING

from dprisk._pages import slug
from dprisk.documents.saying import up_to
from dprisk.text import count, decimal, fill
from dprisk.text.rounding import (
    Chance,
    Scale,
    at_least,
    at_most,
    chance,
    cut_off,
    out_of,
    scale,
)

if TYPE_CHECKING:
    from dprisk.curves.rungs import Ladder, Rung
    from dprisk.documents.findings import Statement
    from dprisk.releases.release import Part, Release

RAREST = 1e-5  # of beliefs in 100 or 1,000: what is rarer would have too many zeros
MOST_PROMISES = 3  # promises that one sentence can hold


def given(prior: float, *ends: float) -> str:
    """A belief that was put in, in as many chances as what becomes of it."""
    return out_of(prior, scale(prior, *ends))


def most(value: float, prior: float, of: Scale | None = None) -> str:
    """A belief at most, for a cell; only who was certain before is so afterwards."""
    found = highest(value, prior, of)
    kind = "no-most" if found.kind == "top" else found.kind
    return fill(f"report.belief.{kind}", chances=found.shown)


def least(value: float, prior: float, of: Scale | None = None) -> str:
    """A belief at least, for a cell, likewise."""
    found = lowest(value, prior, of)
    kind = "no-least" if found.kind == "bottom" else found.kind
    return fill(f"report.belief.{kind}", chances=found.shown)


def in_as_many(value: float, prior: float, of: Scale, *, upper: bool) -> str:
    """A belief in as many as another one on the same page, whatever its size."""
    words = most if upper else least
    rare = min(value, 1.0 - value)
    if scale(prior, value) <= of or rare < RAREST:
        return words(value, prior, of if rare >= RAREST else None)
    exact = of * Decimal(repr(value))
    places = max(1 - Decimal(repr(of * rare)).adjusted(), 0)
    found = exact.quantize(
        Decimal(1).scaleb(-places), rounding=ROUND_CEILING if upper else ROUND_FLOOR
    )
    shown = fill("of", count=decimal(f"{found.normalize():f}"), of=count(of))
    return fill("report.belief.number", chances=shown)


def highest(value: float, prior: float, of: Scale | None = None) -> Chance:
    """A belief at most, as a count."""
    of = of or scale(prior, value)
    if value == 1.0 and prior < 1.0:
        return cut_off("top", of)
    return chance(value, upper=True, of=of)


def lowest(value: float, prior: float, of: Scale | None = None) -> Chance:
    """A belief at least, as a count."""
    of = of or scale(prior, value)
    if value == 0.0 and prior > 0.0:
        return cut_off("bottom", of)
    return chance(value, upper=False, of=of)


def rise(value: float, prior: float) -> str:
    """The chance up to which a belief can rise, after "rise"."""
    of = scale(prior, value)
    return up_to(value, "upper", "", open_minded=prior < 1.0, of=of).text


def fall(value: float, prior: float) -> str:
    """Down to where a belief can fall, after "fall"."""
    found = lowest(value, prior)
    return fill(f"report.fall.{found.kind}", chances=found.shown)


def share(value: float, certain: bool = False) -> str:
    """An upper bound on a probability: nearly certain is said to be so, not written out."""
    if value > 0.9999 and not certain:
        return fill("report.share.top")
    return at_most(value) if value > 1e-12 or value == 0.0 else fill("report.share.bottom")


def ends(low: float | None, high: float, digits: int = 6) -> tuple[str, str]:
    """Both ends in words: at least, where that is known, and at most."""
    return "" if low is None else at_least(low, digits), at_most(high, digits)


def begun(text: str) -> str:
    """Words at the beginning of a sentence."""
    return f"{text[0].upper()}{text[1:]}"


def promised(release: Release, statement: Statement) -> str:
    """The promise as a whole in one sentence, however many parts it has."""
    from dprisk.documents.promises import about, describe, in_total, times_over

    parts = statement.parts
    if len(parts) <= MOST_PROMISES:
        return describe(release, statement)
    return in_total(
        "report.promised",
        statement,
        number=len(parts),
        times_over=times_over(release),
        about=about(release),
    )


def named(part: Part, number: int, several: bool = True) -> str:
    """The label of a part, or its number where it has none."""
    return part.label or fill("report.part" if several else "report.part.only", number=number)


def kept_until(climbed: Ladder, limit: float) -> tuple[int, int | None]:
    """The last number of releases at which the best bound keeps a limit, and the first after."""
    best = climbed.best().name
    first = climbed.until(limit, [best])[best]
    return (max(climbed.releases), None) if first is None else (first - 1, first)


def shown_rows(climbed: Ladder, made: int) -> list[int]:
    """1, 2, 5 and their tens, the release as it is, and the last."""
    wanted = {made, max(climbed.releases)}
    return [
        at
        for at, number in enumerate(climbed.releases)
        if number in wanted or str(number).rstrip("0") in ("1", "2", "5")
    ]


def bound(name: str) -> str:
    """A rung by the term of the field."""
    return fill(f"report.bound.{slug(name)}")


def sound_bounds(climbed: Ladder) -> list[Rung]:
    """The bounds on what the reader sees, as computed from what was given."""
    raw = all(rung.holds_for == "raw output" for rung in climbed.rungs)
    return [
        rung for rung in climbed.rungs if rung.given and (raw or rung.holds_for != "raw output")
    ]


def laddered(climbed: Ladder, made: int) -> list[Rung]:
    """The bounds that the table names; the figure draws the same."""
    sound = sound_bounds(climbed)
    best = {best_bound(sound, at).name for at in shown_rows(climbed, made)}
    return [rung for rung in sound if rung.name in best]


def best_bound(sound: list[Rung], at: int) -> Rung:
    return min(sound, key=lambda rung: float(rung.values[at]))
