"""What the numbers rest on, how they were found, and what they do not cover."""

from __future__ import annotations

from collections.abc import Iterator

from dprisk.explain.case import Case
from dprisk.explain.explanation import Sentence
from dprisk.explain.promises import how_composed, named_noise, promised
from dprisk.explain.saying import Phrase, name
from dprisk.explain.topics.going_on import curve
from dprisk.explain.topics.promise import loss
from dprisk.explain.units import unit_of
from dprisk.guarantees.base import in_full
from dprisk.releases.notes import is_below_person
from dprisk.sources import Theorem
from dprisk.text import english, fill

LONGEST = 300
WORLDS = ("resampled", "dropped")  # of a record: the limit for any adversary says which
BAYES = Theorem("P0", "Theorem 3.2", "")
CHANGE = Theorem("P0", "Theorem 3.5 and Lemma 3.4", "")


def worst_case(case: Case) -> Iterator[Sentence]:
    """A bound is not an estimate; and where it says little."""
    if case.plain:
        if not case.is_nearly_open:
            yield case.say("worst.most")
        return
    known = named_noise(case.statement.parts)
    yield case.say(f"worst.{known}")
    if case.statement.is_vacuous:
        yield case.say("worst.little")
        if known == "any":
            yield case.say("worst.unknown")


def assumptions(case: Case) -> Iterator[Sentence]:
    """What has to be so for the numbers to hold."""
    if case.plain:
        yield case.say("assumed.method")
        if case.secret == "attribute" and case.statement.confidence is not None:
            yield case.say("assumed.two")
        if not case.release.neighbors_stated:
            yield case.say(f"assumed.neighbors.{case.release.neighbors}")
        return
    lines = case.statement.loss.assumptions
    said = english("assumptions.neighbors", neighbors=case.release.neighbors)
    for line in lines:
        if line != said or case.release.neighbors_stated:
            yield case.say("assumed.line", text=name(line))
    if unit_of(case.release) is not None:
        yield case.say("assumed.record", record=case.data)
    found = case.anybody()
    if found is not None:
        known = () if case.formal else tuple(english(f"assumptions.without.{x}") for x in WORLDS)
        yield from _others(case, "any", (*lines, *known), found.assumptions)
    if case.formal:
        yield from _others(case, "tests", lines, curve(case).assumptions)
    if case.claim is not None and case.secret == "attribute":
        yield case.say("assumed.claim")
    if not case.release.neighbors_stated:
        yield case.say(f"assumed.neighbors.{case.release.neighbors}")
    yield case.say("assumed.method")


def _others(
    case: Case, of: str, lines: tuple[str, ...], more: tuple[str, ...]
) -> Iterator[Sentence]:
    """What another limit rests on, and is not said yet."""
    new = " ".join(line for line in more if line not in lines)
    if new:
        yield case.say(f"assumed.{of}", text=name(new))


def not_covered(case: Case) -> Iterator[Sentence]:
    """What no such limit is about."""
    data = case.data
    who = {} if case.plain else {"who": case.who}
    yield case.say("open.people")
    yield case.say("open.others", **who)
    if case.release.neighbors == "replace-one":
        yield case.say("open.inside", **(who or {"data": data}))
    if not case.plain and is_below_person(case.release.unit):
        yield case.say("open.unit", unit=name(case.unit))
    exact = case.release.invariants
    if exact:
        yield case.say("open.exact", invariants=name("; ".join(exact)))
    else:
        yield case.say("open.exact-none")
    yield case.say("open.leaks")
    if not case.plain:
        yield case.say("open.other-releases")


def notes(case: Case) -> Iterator[Sentence]:
    """What is to be known about the source."""
    for note in case.release.notes:
        yield case.say(f"note.{note.kind}", text=name(note.text))


def computed(case: Case) -> Iterator[Sentence]:
    """Theorems, formulas and the line of Python that gives the same numbers."""
    statement = case.statement
    found = statement.loss
    if not statement.composed.is_alone:
        text = how_composed(statement.composed, statement.parts, case.release.releases)
        yield case.say("computed.composed", text=name(text))
    yield case.say(
        "computed.loss",
        Sure=case.surely,
        loss=loss(case),
        bound=Phrase(fill(f"bound.{found.bound}")),
        theorem=name(found.theorem.named),
        says=name(found.theorem.says),
    )
    yield case.say("computed.bayes", theorem=name(BAYES.named))
    yield case.say("computed.change", theorem=name(CHANGE.named))
    compared = case.anybody()
    if compared is not None:
        theorem, says = name(compared.theorem.named), name(compared.theorem.says)
        yield case.say("computed.with", theorem=theorem, says=says)
    code = _python(case)
    if len(code) <= LONGEST:
        yield case.say("computed.python", code=name(code))


def _python(case: Case) -> str:
    """The call that makes the same assessment."""
    statement = case.statement
    assessed = case.assessment
    priors = () if assessed is None else assessed.adversary.priors
    asked = f"secret={case.secret!r}, priors={priors!r}, confidence={statement.confidence!r}"
    known = [
        in_full(part.guarantee) if part.mechanism is None else f"{part.mechanism!r}.loss()"
        for part in statement.parts
    ]
    times = [part.count * case.release.releases for part in statement.parts]
    whole = known[0] if times == [1] else f"compose([{', '.join(known)}], {times}).guarantee"
    return f"assess({whole}, Adversary({asked}))"


def silent(case: Case) -> Iterator[Sentence]:
    """No limit, or no number."""
    parts = case.analysis.parts
    if parts:
        yield case.say("silent.nothing") if case.plain else case.say("silent.nothing", who=case.who)
        yield case.say("silent.promise", promise=name(promised(case.release, parts)))
        return
    reason = name(case.assessment.reason if case.assessment else "")
    if case.plain:
        yield case.say("silent.number", reason=reason)
    else:
        yield case.say("silent.number", name=name(case.release.name), reason=reason)
