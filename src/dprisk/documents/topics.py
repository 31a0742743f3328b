"""The promise itself: what it says, whether it always holds, what its delta is and is not."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from dprisk._checks import complement
from dprisk.documents.beliefs import failure
from dprisk.documents.blocks import Number, Sentence
from dprisk.documents.case import Case, curve
from dprisk.documents.promises import (
    definition,
    describe,
    how_composed,
    named_noise,
    point,
    promised,
    promises,
)
from dprisk.documents.saying import given, high, name, one_record, say, unit_of, up_to
from dprisk.guarantees.words import in_full
from dprisk.releases.notes import is_below_person
from dprisk.risk.adversary import Secret, between_hypotheses, steps
from dprisk.text import english, fill, has
from dprisk.text.rounding import hundredths, scale, short
from dprisk.theorems import POSTERIOR, POSTERIOR_CHANGE

PROMISED = 6  # digits of a promise in words


def guarantee(case: Case) -> Iterator[Sentence]:
    """Sentences on the promise: about whom, over which time, compared with what."""
    if case.assessment is None:
        return
    if case.plain:
        yield from _for_the_person(case)
        return
    first, *others = case.assessment.statements
    yield case.say("guarantee.stated", promise=name(describe(case.release, first)))
    used = name(promises(case.statement))
    for other in others:
        yield case.say("guarantee.also", also=name(promises(other)), used=used)
    if case.formal:
        for kind in dict.fromkeys(map(definition, case.statement.parts)):
            if has(f"formula.{kind}"):
                yield case.say(f"formula.{kind}")
    yield _neighbors(case)
    yield _odds(case)
    if two_steps(case):
        yield case.say("guarantee.two-steps")
    yield case.say("guarantee.larger", unit=name(case.unit))


def _neighbors(case: Case) -> Sentence:
    neighbors, several = case.release.neighbors, one_record(case.release)
    if several is None:
        return case.say(f"guarantee.{neighbors}")
    return case.say(f"guarantee.{neighbors}-several", one=name(several))


def _for_the_person(case: Case) -> Iterator[Sentence]:
    known = all(part.mechanism is not None for part in case.statement.parts)
    much = "" if not case.is_nearly_open else "-weak" if known else "-open"
    yield case.say(f"guarantee.noise{much}", data=case.data)
    model = case.release.model
    yield case.say(f"guarantee.{model or 'nobody'}")
    if is_below_person(case.release.unit):
        yield case.say("guarantee.below", data=case.data)


def experts(case: Case) -> Iterator[Sentence]:
    """The promise itself, for those who know the words."""
    yield case.say("guarantee.expert", promise=name(describe(case.release, case.statement)))


def _odds(case: Case) -> Sentence:
    finding = case.statement.find("odds")
    if float(case.statement.loss) == 0.0:
        return case.say("guarantee.odds-still", claim=case.what, Sure=case.surely)
    factor = max(finding.upper, math.nextafter(1.0, 2.0))  # a loss lost in rounding is one
    number = high("odds", factor, finding.upper_bound, finding.theorem)
    odds = say("most.bare", number=number)
    if math.isinf(finding.upper):
        largest = given("odds", 1e308, "1e308")
        odds = say("factor.beyond", number=largest)
    return case.say("guarantee.odds", claim=case.what, Sure=case.surely, odds=odds)


def exceptions(case: Case) -> Iterator[Sentence]:
    """Pure or not: whether there are results beyond the limit."""
    confidence = case.statement.confidence
    if case.plain:
        if confidence is None:
            yield case.say("exceptions.none")
        elif not case.is_nearly_open:
            yield case.say("exceptions.some", failure=failure(confidence))
            yield from delta(case)
        return
    yield case.say("exceptions.both")
    amount = {"loss": loss(case)} if case.numbered else {}
    of_loss = ".loss" if case.numbered else ""
    if confidence is None:
        yield case.say(f"exceptions.none{of_loss}", **amount)
        return
    sure = _share("confidence", confidence)
    failed = failure(confidence)
    yield case.say(f"exceptions.some{of_loss}", confidence=sure, failure=failed, **amount)
    if case.secret == "attribute" and case.claim is None:
        yield case.say("exceptions.chosen-value", record=case.data)
    else:
        yield case.say("exceptions.chosen", claim=case.what)
    if case.guarantee.delta_is == "slack" and case.numbered:
        yield case.say("exceptions.not")


def delta(case: Case) -> Iterator[Sentence]:
    """Sentences on what delta is and what it is not; or that there is none, or many."""
    whole = case.guarantee
    if float(whole.loss_bound(0.0)) < math.inf:
        if not case.plain:
            yield case.say("delta.none" if case.numbered else "delta.none-given")
        return
    if case.plain:
        yield from _for_lay_readers(case)
        return
    revealed = whole.delta(math.inf)
    left = float(revealed)
    if whole.delta_is and isinstance(whole.parameters["delta"], float):
        yield from _stated(case)
    else:
        yield from _curve(case, left, str(revealed.theorem))
    if case.formal:
        yield case.say("delta.profile")


def _for_lay_readers(case: Case) -> Iterator[Sentence]:
    """Answer the question of all with a limit that leaves most open: a value takes two steps."""
    if float(case.guarantee.delta(math.inf)) == 0.0:  # two steps may be read off points of a curve
        yield case.say("delta.curve")
        return
    value, sure = case.value() is not None, case.statement.confidence
    asked: Secret = "attribute" if value else case.secret
    relevant = between_hypotheses(case.guarantee, asked, () if sure is None else complement(sure))
    revealed = relevant.delta(math.inf)
    left = float(revealed)
    shown = up_to(left, "upper", str(revealed.theorem), form="moved", of=scale(left))
    number = replace(shown.numbers[0], quantity=f"delta left{' of a value' if value else ''}")
    shown = replace(shown, numbers=(number,))
    known = named_noise(case.statement.parts) == "known"
    yield case.say("delta.known" if known else "delta.outright", delta=shown)


def _stated(case: Case) -> Iterator[Sentence]:
    whole = case.guarantee
    stated = float(whole.parameters["delta"])
    text = case.statement.parts[0].given.get("delta") if _as_given(case) else None
    shown = given("delta", stated, text) if text else high("delta", stated, "upper", "")
    if whole.delta_is == "slack":
        yield case.say("delta.outright" if case.numbered else "delta.unchanged", delta=shown)
        yield case.say("delta.people")
        if case.numbered:
            yield case.say("delta.not-tail")
        return
    if not case.numbered:
        yield case.say("delta.unlimited", delta=shown)
        yield case.say("delta.people")
        return
    scope = Sentence(fill(f"delta.probability.{whole.delta_is}"))
    yield case.say("delta.probability", delta=shown, scope=scope)
    yield case.say("delta.people")


def _curve(case: Case, left: float, source: str) -> Iterator[Sentence]:
    epsilon, at = point(case.guarantee)
    found = case.guarantee.epsilon(at)
    yield case.say(
        "delta.curve" if case.numbered else "delta.curve-given",
        delta=given("delta", at, short(at))
        if epsilon > 0.0
        else high("delta", at, "upper", found.theorem, PROMISED),
        epsilon=high("epsilon", epsilon, "upper", found.theorem, PROMISED),
    )
    if left > 0.0:
        yield case.say(
            "delta.left", revealed=high("delta left", left, "upper", source, _digits(case))
        )


def loss(case: Case) -> Sentence:
    """The bound on the log-odds."""
    found = case.statement.loss
    return nats(high("loss", float(found), found.bound, found.theorem, _digits(case)))


def _digits(case: Case) -> int:
    return 6 if case.formal else 3


def nats(number: Number) -> Sentence:
    """A number with its unit."""
    return say("nats.one" if number.shown == "1" else "nats", number=number)


def _as_given(case: Case) -> bool:
    """Whether the whole is one part, once."""
    parts = case.statement.parts
    return len(parts) == 1 and parts[0].count * case.release.releases == 1


def _share(quantity: str, value: float) -> Number:
    return given(quantity, value, hundredths(value))


def two_steps(case: Case) -> bool:
    """Whether the two possibilities are two steps apart."""
    return steps(case.secret, case.guarantee) == 2


LONGEST = 300
WORLDS = ("resampled", "dropped")  # of a record: the limit for any adversary says which


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
    """Assumptions under which the numbers hold."""
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
    """Assumptions of another limit that are not said yet."""
    new = " ".join(line for line in more if line not in lines)
    if new:
        yield case.say(f"assumed.{of}", text=name(new))


def not_covered(case: Case) -> Iterator[Sentence]:
    """Sentences on what no such limit is about."""
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
    """Notes on what is to be known about the source."""
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
        bound=Sentence(fill(f"bound.{found.bound}")),
        theorem=name(found.theorem.named),
        says=name(found.theorem.says),
    )
    yield case.say("computed.bayes", theorem=name(POSTERIOR.named))
    yield case.say("computed.change", theorem=name(POSTERIOR_CHANGE.named))
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
