"""The promise itself: what it says, whether it always holds, what its delta is and is not."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dprisk._checks import complement
from dprisk.documents.beliefs import failure
from dprisk.documents.case import Case, curve
from dprisk.documents.document import Number, Sentence
from dprisk.documents.promises import (
    definition,
    describe,
    framed,
    how_composed,
    named_noise,
    point,
    promises,
)
from dprisk.documents.saying import (
    computational,
    given,
    given_chances,
    given_share,
    high,
    low,
    name,
    one_record,
    record,
    say,
    up_to,
)
from dprisk.guarantees.words import in_full
from dprisk.releases.notes import is_below_person
from dprisk.risk.adversary import Secret, between_hypotheses, steps
from dprisk.text import Register, count, fill, has
from dprisk.text.rounding import Scale, chance, counted, cut_off, out_of, scale, short
from dprisk.theorems import POSTERIOR, POSTERIOR_CHANGE

if TYPE_CHECKING:
    from dprisk.answer import Answer
    from dprisk.documents.assessing import LimitCheck
    from dprisk.releases.release import Release
    from dprisk.risk.tests import AttackCurve

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
    if case.release.computational is not None:
        yield from map(name, computational(case.release, case.register))
        if case.plain and confidence is None:
            return
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
    sure = given_share("confidence", confidence)
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
    asked: Secret = "membership" if case.secret == "membership" and not value else "attribute"
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
    parts = case.statement.parts  # as given where the whole is one part, once
    alone = len(parts) == 1 and parts[0].count * case.release.releases == 1
    text = parts[0].given.get("delta") if alone else None
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
    delta = given("delta", at, short(at))
    if epsilon == 0.0:
        delta = high("delta", at, "upper", found.theorem, PROMISED)
    least = high("epsilon", epsilon, "upper", found.theorem, PROMISED)
    key = "delta.curve" if case.numbered else "delta.curve-given"
    yield case.say(key, delta=delta, epsilon=least)
    if left > 0.0:
        revealed = high("delta left", left, "upper", source, _digits(case))
        yield case.say("delta.left", revealed=revealed)


def loss(case: Case) -> Sentence:
    """The bound on the log-odds."""
    found = case.statement.loss
    return nats(high("loss", float(found), found.bound, found.theorem, _digits(case)))


def _digits(case: Case) -> int:
    return 6 if case.formal else 3


def nats(number: Number) -> Sentence:
    """A number with its unit."""
    return say("nats.one" if number.shown == "1" else "nats", number=number)


def two_steps(case: Case) -> bool:
    """Whether the two possibilities are two steps apart."""
    return case.secret != "membership" and steps("attribute", case.guarantee) == 2


LONGEST = 300


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
    if case.secret == "both":
        yield case.say("computed.both", theorem=name(found.theorem.named))
    else:
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
    if assessed is not None and assessed.adversary.value_prior is not None:
        asked += f", value_prior={assessed.adversary.value_prior!r}"
    known = [
        in_full(part.guarantee) if part.mechanism is None else f"{part.mechanism!r}.loss()"
        for part in statement.parts
    ]
    times = [part.count * case.release.releases for part in statement.parts]
    whole = known[0] if times == [1] else f"compose([{', '.join(known)}], {times}).guarantee"
    return f"assess({whole}, Adversary({asked}))"


def tests(case: Case) -> Iterator[Sentence]:
    """Level and power, advantage and predictive values."""
    of = case.scale(case.prior)
    yield from tested(curve(case), record(case.release), case.register, of)


def limits(case: Case) -> Iterator[Sentence]:
    """How a limit on the privacy loss follows from one on beliefs."""
    yield case.say("limits.who" if case.plain else "limits.order")
    if case.plain or case.assessment is None:
        return
    for limit in case.assessment.limits:
        yield _verdict(case, limit)
        if case.numbered:
            yield from _largest_loss(case, limit)
    if not case.assessment.limits and 0.0 < case.prior < 1.0:
        yield _kept(case)


def _kept(case: Case) -> Sentence:
    finding = case.posterior(case.prior)
    of = case.scale(case.prior, finding.upper)
    found = chance(finding.upper, upper=True, of=of)
    before = given_chances(case.prior, of)
    if finding.upper == 1.0 or found.kind == "top":
        return case.say("limits.top", before=before, edge=cut_off("top", of).shown)
    if found.kind == "bottom":
        return case.say("limits.bottom", before=before, edge=found.shown, sure=case.sure)
    most = Number("posterior", finding.upper, found.shown, "at most", str(finding.theorem))
    return case.say("limits.kept", chances=most, before=before, sure=case.sure)


def _verdict(case: Case, limit: LimitCheck) -> Sentence:
    is_chance = limit.metric in ("posterior", "difference")
    of = case.scale(limit.prior or 0.5, limit.limit)
    shown = out_of(limit.limit, of) if is_chance else f"{limit.limit!r}"
    asked = given("limit", limit.limit, shown)
    metric = Sentence(fill(f"metric.{limit.metric}"))
    where = Sentence("")
    if limit.prior is not None:
        where = say("limits.where", prior=given_chances(limit.prior, case.scale(limit.prior)))
    if is_chance:
        most = up_to(limit.at_most, "upper", "", form="moved", of=of, quantity="kept")
    else:
        most = say("most.bare", number=high("kept", limit.at_most, "upper", ""))
    key = "limits.yes" if limit.kept else "limits.no"
    return case.say(key, limit=asked, metric=metric, most=most, where=where)


def _largest_loss(case: Case, limit: LimitCheck) -> Iterator[Sentence]:
    """The converse: what the log-odds may do at most, at the prior where the limit binds."""
    from dprisk.risk import implied_by_posterior

    prior, most = limit.prior, limit.limit
    if limit.metric != "posterior" or prior is None or not 0.0 < prior <= most < 1.0:
        return
    if case.secret == "both":  # there the two steps have their own shifts
        return
    confidence = case.statement.confidence
    neighbors = case.release.neighbors
    implied = implied_by_posterior(prior, most, confidence=confidence or 1.0, neighbors=neighbors)
    of = case.scale(prior, most)
    yield case.say(
        "limits.loss",
        prior=given_chances(prior, of),
        limit=given("limit", most, out_of(most, of)),
        loss=nats(low("loss", implied.parameters["epsilon"], "lower", POSTERIOR, 6)),
        theorem=name(POSTERIOR.named),
    )
    if confidence is None:
        yield case.say("limits.pure")
        if two_steps(case):
            yield case.say("limits.halved")


def alarms(curve: AttackCurve, release: Release | None = None) -> tuple[str, ...]:
    """Sentences for the advantage, for every level and for every prior."""
    whose = fill("record", who=fill("who.person")) if release is None else record(release)
    lines = map(str, tested(curve, whose))
    return tuple(lines) if release is None else framed(release, lines)


def tested(
    curve: AttackCurve, whose: str, register: Register = "full", least: Scale = 100
) -> tuple[Sentence, ...]:
    """The same with the numbers of each sentence; chances are counted in `least` or in more."""
    right = (1.0 + float(curve.advantage)) / 2.0
    of = _scale(register, 0.5, right)
    cases = _cases("accuracy", right, curve.advantage, of)
    lines = [say("tests.guess", register, cases=cases)]
    for at, level in enumerate(curve.levels.tolist()):
        lines.append(_power(curve, at, level, whose, register))
        if 0.0 < level < 1.0 or float(np.asarray(curve.power.value)[at]) > level:
            lines += [
                _belief(curve, at, which, whose, register, least)
                for which in range(len(curve.priors))
            ]
    return tuple(lines)


def _power(curve: AttackCurve, at: int, level: float, whose: str, register: Register) -> Sentence:
    power = float(np.asarray(curve.power.value)[at])
    of = _scale(register, level, power)
    true = _cases("power", power, curve.power, of, level == 1.0)
    if register == "formal":
        shown = given("level", level, out_of(level, of))
        return say("tests.power", register, level=shown, true=true)
    number = given("level", level, _of_cases(counted(level, of), of))
    false = say("cases.number", number=number)
    if level in (0.0, 1.0):
        false = Sentence(fill("cases.every" if level else "cases.none"), (number,))
    key = f"tests.power.{curve.secret}"
    return say(key, register, false=false, data=name(whose), true=true)


def _scale(register: Register, start: float, *ends: float) -> Scale:
    return 1 if register == "formal" else scale(start, *ends)


def _belief(
    curve: AttackCurve, at: int, which: int, whose: str, register: Register, least: Scale
) -> Sentence:
    prior = curve.priors[which]
    opposite = float(complement(prior))
    answers = curve.predictive_values[which], curve.negative_predictive_values[which]
    after, other = (float(np.asarray(each.value)[at]) for each in answers)
    of = _scale(register, prior, after)
    of = of if of == 1 else max(of, least)

    def moved(belief: float, answer: Answer, start: float, quantity: str) -> Sentence:
        how: dict[str, Any] = {"form": "moved", "of": of, "quantity": quantity}
        only = 0.0 < start < 1.0  # who was certain before is so afterwards
        return up_to(belief, answer.bound, answer.theorem, open_minded=only, **how)

    return say(
        f"tests.belief.{curve.secret}",
        register,
        **({"data": name(whose)} if curve.secret == "membership" else {}),
        prior=given_chances(prior, of),
        alarm=moved(after, answers[0], prior, "posterior after an alarm"),
        opposite=given("prior of the opposite", opposite, out_of(opposite, of)),
        silence=moved(other, answers[1], opposite, "posterior of the opposite without an alarm"),
    )


def _cases(
    quantity: str, probability: float, answer: Answer, of: Scale, certain: bool = False
) -> Sentence:
    """The cases, at most, in words; a decimal where chances are."""
    number = high(quantity, probability, answer.bound, answer.theorem)
    if of == 1:
        found = chance(probability, upper=True, of=of)
        return Sentence(
            fill(f"moved.{found.kind}", chances=found.shown, edge=found.shown), (number,)
        )
    if probability == 0.0 or (probability == 1.0 and certain):
        return Sentence(fill("cases.every" if probability else "cases.none"), (number,))
    found = chance(probability, upper=True, of=of) if probability < 1.0 else cut_off("top", of)
    shown = _of_cases(count(int(found.cases)), of)
    if found.kind != "number":
        return Sentence(fill(f"cases.{found.kind}", edge=shown), (number,))
    return say("cases.most", number=replace(number, shown=shown))


def _of_cases(cases: str, of: Scale) -> str:
    return fill("cases.of", count=cases, of=count(of))
