"""Templates filled with numbers that keep their direction."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

from dprisk.answer import Bound
from dprisk.documents.blocks import Number, Sentence
from dprisk.releases.notes import is_below_person, units_in
from dprisk.text import Register, decimal, fill, has, resolved
from dprisk.text.rounding import (
    Chance,
    Scale,
    at_least,
    at_most,
    chance,
    chances,
    cut_off,
    hundredths,
    out_of,
    scale,
)

if TYPE_CHECKING:
    from dprisk.documents.findings import Assessment, Finding
    from dprisk.releases.release import Release


Piece = str | Number | Sentence


def say(key: str, register: Register = "full", /, **pieces: Piece) -> Sentence:
    """A sentence, or a phrase of one, from its template; it keeps the numbers that are put in."""
    shown: dict[str, str] = {}
    numbers: list[Number] = []
    names: list[str] = []
    for gap, piece in pieces.items():
        if isinstance(piece, Number):
            numbers.append(piece)
            shown[gap] = piece.shown
        else:
            shown[gap] = str(piece)
            if isinstance(piece, Sentence):
                numbers += piece.numbers
                names += piece.names
    text = fill(key, register, **shown)
    return Sentence(text, tuple(numbers), tuple(names), resolved(key, register))


def name(text: str) -> Sentence:
    """Sentence that somebody else wrote, or a citation: digits in it are no numbers."""
    return Sentence(text, (), (text,))


def given(quantity: str, value: float, shown: str) -> Number:
    """A number that was put in."""
    return Number(quantity, value, shown, "given")


def given_chances(prior: float, of: Scale = 100) -> Number:
    """A belief that was put in, to its last digit."""
    return given("prior", prior, out_of(prior, of))


def nearest(quantity: str, value: float, shown: str) -> Number:
    """A number that says where, and bounds nothing."""
    return Number(quantity, value, shown, "nearest")


def high(quantity: str, value: float, bound: Bound, source: object, digits: int = 3) -> Number:
    """An upper bound, rounded up."""
    _points("lower", bound)
    return Number(quantity, value, at_most(value, digits, apart=True), "at most", str(source))


def low(quantity: str, value: float, bound: Bound, source: object, digits: int = 3) -> Number:
    """A lower bound, rounded down."""
    _points("upper", bound)
    return Number(quantity, value, at_least(value, digits, apart=True), "at least", str(source))


def sure(confidence: float | None, form: str = "sure") -> Sentence:
    """The certainty or confidence in words; `form`: "start" at the start of a sentence."""
    if confidence is None:
        return say(f"{form}.always")
    shown = given("confidence", confidence, hundredths(confidence))
    return say(f"{form}.mostly", confidence=shown)


def up_to(
    value: float,
    bound: Bound,
    source: object,
    *,
    form: str = "up",
    open_minded: bool = True,
    of: Scale = 100,
    quantity: str = "posterior",
) -> Sentence:
    """The upper end: in words near certainty, which is only for who had it."""
    _points("lower", bound)
    number = Number(quantity, value, chances(value, upper=True, of=of), "at most", str(source))
    return _end(form, number, of, "top" if open_minded and value == 1.0 else None)


def down_to(
    value: float,
    bound: Bound,
    source: object,
    *,
    form: str = "least",
    open_minded: bool = True,
    of: Scale = 100,
    quantity: str = "posterior",
) -> Sentence:
    """The lower end, likewise."""
    _points("upper", bound)
    number = Number(quantity, value, chances(value, upper=False, of=of), "at least", str(source))
    return _end(form, number, of, "bottom" if open_minded and value == 0.0 else None)


def afterwards(finding: Finding, of: Scale, quantity: str = "posterior") -> dict[str, Sentence]:
    """Both ends of a belief."""
    prior = finding.prior or 0.0
    upper = max(finding.upper, math.nextafter(prior, 1.0))  # what moves by less than a float, moves
    first, last = cut_off("bottom", of).share, cut_off("top", of).share

    says: dict[str, Any] = {"source": finding.theorem, "of": of, "quantity": quantity}
    least = down_to(finding.lower, finding.lower_bound, **says)
    most = up_to(upper, finding.upper_bound, form="most", **says)
    if upper > last and (prior < last or finding.lower < first):
        form = "both" if finding.lower < first else "most"
        return {"open": say(f"open.{form}", least=least, most=most)}
    if upper > last:
        return {"ends": least}
    if finding.lower < first:
        return {"ends": most}
    return {"ends": say("ends", least=least, most=most)}


def near(prior: float, of: Scale, what: str) -> Sentence:
    """The prior of the largest rise or fall; it was computed, so it is rounded to the nearest."""
    what = f"prior of the largest {what}"
    if of == 1:
        return say("near.number", chances=nearest(what, prior, decimal(f"{prior:.3g}")))
    whole = round(of * prior)
    if 1 <= whole < of:
        return say("near.number", chances=nearest(what, prior, Chance("number", whole, of).shown))
    edge = cut_off("top" if whole else "bottom", of)
    return say(f"near.{edge.kind}", chances=nearest(what, prior, edge.shown))


def _end(form: str, number: Number, of: Scale, beyond: Literal["top", "bottom"] | None) -> Sentence:
    found = chance(number.value, upper=number.direction == "at most", of=of)
    if beyond is not None:
        found = cut_off(beyond, of)
    if found.kind == "number":
        return say(f"{form}.number", chances=number)
    key = f"{form}.top" if found.kind == "top" else f"{form}.bottom"
    return Sentence(fill(key, edge=found.shown, chances=found.shown), (number,))


def _points(wrong: Bound, bound: Bound) -> None:
    """The words follow the direction of the answer."""
    if bound == wrong:
        raise AssertionError(bound)


PERSONS = frozenset({None, "person", "user"})


def known(release: Release) -> str:
    """Knowledge of all other records, where a sentence first names the adversary."""
    if unit_of(release) is None:
        return fill("knows.person")
    one = fill("who.one", unit=spelled(release, "and.one"))
    if _in_every(release):
        one = whom(release)
    key = "record.several" if _several(release) else "record.every"
    return fill("knows.except", record=fill(key, who=one))


def claimed(secret: str, release: Release) -> str:
    """The adversary's question, as it follows "that", once `known` has named the record."""
    if unit_of(release) is None:
        return in_question(secret, release)
    number = "several" if _several(release) or _in_every(release) else "one"
    return fill(f"claimed.{secret}.{number}")


def in_question(secret: str, release: Release) -> str:
    """The adversary's question, as it follows "that"."""
    key = f"{secret}.several" if _several(release) else f"{secret}.unit"
    if unit_of(release) is None:
        key = f"{secret}.person"
    return fill(key, who=whom(release), record=record(release))


def whom(release: Release) -> str:
    """Whom the promise is about: the privacy unit, which need not be a person."""
    unit = unit_of(release)
    if unit is None:
        return fill("who.person")
    if _in_every(release):
        return fill("who.every", unit=unit)
    return fill("who.unit", unit=spelled(release, "and.this"))


def one_record(release: Release) -> str | None:
    """The unit in which neighbors differ, where it is more than one record."""
    if not _several(release):
        return None
    return fill("who.one", unit=spelled(release, "and.one"))


def record(release: Release) -> str:
    """The record of a person, or the records of another unit, in words."""
    key = "record" if unit_of(release) is None else "record.every"
    return fill("record.several" if _several(release) else key, who=whom(release))


def gaps(release: Release) -> dict[str, str]:
    """The gaps of a sentence about them: who, what of theirs, and that they are in the data."""
    present = in_question("membership", release)
    return {"who": whom(release), "record": record(release), "present": present}


def the_record(release: Release) -> list[str]:
    """The assumption about the record, where it is not that of a person."""
    if unit_of(release) is None:
        return []
    return [fill("assumed.record", record=record(release))]


def unit_of(release: Release) -> str | None:
    """The privacy unit in words; None for a whole person."""
    return None if release.normalized_unit in PERSONS else spelled(release)


def spelled(release: Release, joined: str = "and") -> str:
    """The privacy unit in words, one after the other where there are several."""
    return fill(joined).join(map(_one_unit, units_in(release.unit)))


def _several(release: Release) -> bool:
    return len(units_in(release.unit)) > 1


def _in_every(release: Release) -> bool:
    return release.releases > 1 and is_below_person(release.unit)


def _one_unit(unit: str) -> str:
    return fill(f"unit.{unit}") if has(f"unit.{unit}") else unit


def counted_in(assessment: Assessment, start: float, *ends: float) -> Scale:
    """The number in which a belief is counted: never fewer than the belief that comes first."""
    first = assessment.basis.find("posterior", assessment.adversary.middle)
    return max(scale(first.prior or 0.0, first.lower, first.upper), scale(start, *ends))
