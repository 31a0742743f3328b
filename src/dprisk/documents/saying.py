"""Templates filled with numbers that keep their direction, and words for who is meant."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, Any

from dprisk._pages import slug
from dprisk.answer import Bound
from dprisk.documents.document import Number, Sentence
from dprisk.releases.notes import is_below_person, units_in
from dprisk.text import Register, count, decimal, fill, has, resolved
from dprisk.text.rounding import (
    Chance,
    Scale,
    at_least,
    at_most,
    chances,
    cut_off,
    ended,
    hundredths,
    out_of,
    scale,
    short,
)

if TYPE_CHECKING:
    from dprisk.curves.rungs import Ladder, Rung
    from dprisk.documents.assessing import Assessment, Finding
    from dprisk.releases.release import Part, Release


Piece = str | Number | Sentence
RAREST = 1e-5  # of beliefs in 100 or 1,000: what is rarer would have too many zeros
PERSONS = frozenset({None, "person", "user"})


def say(key: str, register: Register = "full", /, **pieces: Piece) -> Sentence:
    """A sentence, or a phrase of one, from its template; it keeps the numbers that are put in."""
    numbers: list[Number] = []
    names: list[str] = []
    for piece in pieces.values():
        if isinstance(piece, Number):
            numbers.append(piece)
        elif isinstance(piece, Sentence):
            numbers += piece.numbers
            names += piece.names
    shown = {gap: getattr(piece, "shown", str(piece)) for gap, piece in pieces.items()}
    text = fill(key, register, **shown)
    return Sentence(text, tuple(numbers), tuple(names), resolved(key, register))


def heads(area: str, *names: str) -> tuple[str, ...]:
    """The texts of an area, such as those over the columns of a table."""
    return tuple(fill(".".join((area, name))) for name in names)


def name(text: str) -> Sentence:
    """Sentence that somebody else wrote, or a citation: digits in it are no numbers."""
    return Sentence(text, (), (text,))


def given(quantity: str, value: float, shown: str) -> Number:
    """A number that was put in."""
    return Number(quantity, value, shown, "given")


def given_share(quantity: str, value: float) -> Number:
    """A share that was put in, in hundredths."""
    return given(quantity, value, hundredths(value))


def given_chances(prior: float, of: Scale = 100) -> Number:
    """A belief that was put in, to its last digit."""
    return given("prior", prior, out_of(prior, of))


def high(quantity: str, value: float, bound: Bound, source: object, digits: int = 3) -> Number:
    """An upper bound, rounded up."""
    shown = at_most(value, digits, apart=True)
    return _bounding(quantity, value, shown, bound, source, upper=True)


def low(quantity: str, value: float, bound: Bound, source: object, digits: int = 3) -> Number:
    """A lower bound, rounded down."""
    shown = at_least(value, digits, apart=True)
    return _bounding(quantity, value, shown, bound, source, upper=False)


def _bounding(
    quantity: str, value: float, shown: str, bound: Bound, source: object, *, upper: bool
) -> Number:
    """The words follow the direction of the answer."""
    if bound == ("lower" if upper else "upper"):
        raise AssertionError(bound)
    return Number(quantity, value, shown, "at most" if upper else "at least", str(source))


def sure(confidence: float | None, form: str = "sure") -> Sentence:
    """The certainty or confidence in words; `form`: "start" at the start of a sentence."""
    if confidence is None:
        return say(f"{form}.always")
    return say(f"{form}.mostly", confidence=given_share("confidence", confidence))


def up_to(value: float, bound: Bound, source: object, *, form: str = "up", **how: Any) -> Sentence:
    """The upper end: in words near certainty, which is only for who had it."""
    return _end(value, bound, source, form, upper=True, **how)


def down_to(
    value: float, bound: Bound, source: object, *, form: str = "least", **how: Any
) -> Sentence:
    """The lower end, likewise."""
    return _end(value, bound, source, form, upper=False, **how)


def _end(
    value: float,
    bound: Bound,
    source: object,
    form: str,
    *,
    upper: bool,
    open_minded: bool = True,
    of: Scale = 100,
    quantity: str = "posterior",
) -> Sentence:
    shown = chances(value, upper=upper, of=of)
    number = _bounding(quantity, value, shown, bound, source, upper=upper)
    found = ended(value, upper=upper, of=of, open_minded=open_minded)
    if found.kind == "number":
        return say(f"{form}.number", chances=number)
    key = f"{form}.top" if found.kind == "top" else f"{form}.bottom"
    return Sentence(fill(key, edge=found.shown, chances=found.shown), (number,))


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
    whole = round(of * prior)
    kind, shown = "number", decimal(f"{prior:.3g}")
    if of != 1 and 1 <= whole < of:
        shown = Chance("number", whole, of).shown
    elif of != 1:
        edge = cut_off("top" if whole else "bottom", of)
        kind, shown = edge.kind, edge.shown
    number = Number(f"prior of the largest {what}", prior, shown, "nearest")
    return say(f"near.{kind}", chances=number)


def known(release: Release) -> str:
    """Knowledge of all other records, where a sentence first names the adversary."""
    if unit_of(release) is None:
        return fill("knows.person")
    one = fill("who.one", unit=spelled(release, "and.one"))
    who = whom(release) if _in_every(release) else one
    return fill("knows.except", record=fill(_records(release), who=who))


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
    return fill("who.one", unit=spelled(release, "and.one")) if _several(release) else None


def record(release: Release) -> str:
    """The record of a person, or the records of another unit, in words."""
    return fill(_records(release), who=whom(release))


def _records(release: Release) -> str:
    one = "record" if unit_of(release) is None else "record.every"
    return "record.several" if _several(release) else one


def gaps(release: Release) -> dict[str, str]:
    """The gaps of a sentence about them: who, what of theirs, and that they are in the data."""
    present = in_question("membership", release)
    return {"who": whom(release), "record": record(release), "present": present}


def taken_for_granted(release: Release) -> list[str]:
    """Assumptions of a release: the record, unless it is a person's, and ciphers or generators."""
    about_record = []
    if release.unit is None:
        about_record = [fill("assumed.record.unstated")]
    elif unit_of(release) is not None:
        about_record = [fill("assumed.record", record=record(release))]
    return [*about_record, *computational(release)]


def computational(release: Release, register: Register = "full") -> list[str]:
    """The assumption about a cipher or generator, what it adds, and for whom."""
    found = release.computational
    if found is None:
        return []
    words = {
        "assumption": found.assumption,
        "advantage": _as_power(found.advantage),
        "total": at_most(found.total(release.releases), 3),
        "releases": count(release.releases),
    }
    several = ".several" if release.releases > 1 and register != "plain" else ""
    return [fill(f"assumed.computational{several}", register, **words)]


def _as_power(value: float) -> str:
    """A number, as a power of two where it is a small one."""
    mantissa, exponent = math.frexp(value)
    return f"2^{exponent - 1}" if mantissa == 0.5 and exponent < -10 else short(value)


def unit_of(release: Release) -> str | None:
    """The privacy unit in words; None for a whole person."""
    return None if release.normalized_unit in PERSONS else spelled(release)


def spelled(release: Release, joined: str = "and") -> str:
    """The privacy unit in words, one after the other where there are several."""
    units = ((f"unit.{unit}", unit) for unit in units_in(release.unit))
    return fill(joined).join(fill(key) if has(key) else unit for key, unit in units)


def _several(release: Release) -> bool:
    return len(units_in(release.unit)) > 1


def _in_every(release: Release) -> bool:
    return release.releases > 1 and is_below_person(release.unit)


def counted_in(assessment: Assessment, start: float, *ends: float) -> Scale:
    """The number in which a belief is counted: never fewer than the belief that comes first."""
    first = assessment.basis.find("posterior", assessment.adversary.middle)
    return max(scale(first.prior or 0.0, first.lower, first.upper), scale(start, *ends))


def starting(prior: float, *ends: float) -> str:
    """A belief that was put in, in as many chances as what becomes of it."""
    return out_of(prior, scale(prior, *ends))


def most(value: float, prior: float, of: Scale | None = None) -> str:
    """A belief at most, for a cell; only who was certain before is so afterwards."""
    return _cell("top", "no-most", _reached(value, prior, of, upper=True))


def least(value: float, prior: float, of: Scale | None = None) -> str:
    """A belief at least, for a cell, likewise."""
    return _cell("bottom", "no-least", _reached(value, prior, of, upper=False))


def _cell(empty: str, words: str, found: Chance) -> str:
    kind = words if found.kind == empty else found.kind
    return fill(f"report.belief.{kind}", chances=found.shown)


def _reached(value: float, prior: float, of: Scale | None = None, *, upper: bool) -> Chance:
    of = of or scale(prior, value)
    return ended(value, upper=upper, of=of, open_minded=prior != float(upper))


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


def rise(value: float, prior: float) -> str:
    """The chance up to which a belief can rise, after "rise"."""
    return up_to(value, "upper", "", open_minded=prior < 1.0, of=scale(prior, value)).text


def fall(value: float, prior: float) -> str:
    """Down to where a belief can fall, after "fall"."""
    found = _reached(value, prior, upper=False)
    return fill(f"report.fall.{found.kind}", chances=found.shown)


def share(value: float, certain: bool = False) -> str:
    """An upper bound on a probability: nearly certain is said to be so, not written out."""
    if value > 0.9999 and not certain:
        return fill("report.share.top")
    return at_most(value) if value > 1e-12 or value == 0.0 else fill("report.share.bottom")


def begun(text: str) -> str:
    """Words at the beginning of a sentence."""
    return f"{text[0].upper()}{text[1:]}"


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
    given = [rung for rung in climbed.rungs if rung.given]
    shared = [rung for rung in given if rung.holds_for != "raw output"]
    return given if all(rung.holds_for == "raw output" for rung in climbed.rungs) else shared


def laddered(climbed: Ladder, made: int) -> list[Rung]:
    """The bounds that the table names; the figure draws the same."""
    sound = sound_bounds(climbed)
    best = {best_bound(sound, at).name for at in shown_rows(climbed, made)}
    return [rung for rung in sound if rung.name in best]


def best_bound(sound: list[Rung], at: int) -> Rung:
    """The bound that says most after a number of releases."""
    return min(sound, key=lambda rung: float(rung.values[at]))
