"""Decisions: what tests can do, what many releases add up to, and which limit to set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dprisk._checks import complement
from dprisk.documents.blocks import Number, Sentence
from dprisk.documents.case import Case, curve, lay_data, lay_differs
from dprisk.documents.promises import framed
from dprisk.documents.saying import (
    given,
    given_chances,
    high,
    low,
    name,
    record,
    say,
    sure,
    up_to,
)
from dprisk.documents.topics import nats, two_steps
from dprisk.releases.notes import is_below_person
from dprisk.text import Register, count, fill
from dprisk.text.rounding import Scale, chance, counted, cut_off, hundredths, out_of, scale
from dprisk.theorems import POSTERIOR

if TYPE_CHECKING:
    from dprisk.answer import Answer
    from dprisk.documents.findings import Assessment, LimitCheck
    from dprisk.releases.release import Release
    from dprisk.risk.tests import AttackCurve

MOSTLY = 0.99


def tests(case: Case) -> Iterator[Sentence]:
    """Level and power, advantage and predictive values."""
    of = case.scale(case.prior)
    yield from tested(curve(case), record(case.release), case.register, of)


def time(case: Case) -> Iterator[Sentence]:
    """The same again and again."""
    before = given_chances(case.prior, case.scale(case.prior))
    if not 0.0 < case.prior < 1.0:
        yield case.say("time.adds")
        return
    if case.is_nearly_open:
        yield case.say("time.already", **({} if case.plain else {"before": before}))
        return
    yield case.say("time.adds")
    if float(case.statement.loss) == 0.0:
        yield case.say("time.same", **({} if case.plain else {"before": before}))
        return
    if case.plain and is_below_person(case.release.unit):
        data, differs = lay_data(case.release), lay_differs(case.release)
        yield case.say("time.each", data=data, differs=differs)
    yield from _ahead(case)
    if not case.plain and is_below_person(case.release.unit):
        yield case.say("time.unit", unit=name(case.unit))
    if case.formal and case.after:
        yield from _rule(case, case.later(case.after[-1]))


def _ahead(case: Case) -> Iterator[Sentence]:
    """Sentences after each number of releases; once only, from when on nearly no limit is left."""
    certain = case.statement.confidence is None and not case.plain
    is_open, last = False, case.analysis.times
    for releases in case.after:
        made = case.later(releases)
        mostly = case.later(releases, MOSTLY) if certain else None
        if not is_open and _is_open(case, made):
            is_open, first = True, _first_open(case, last, releases)
            yield _after(case, first, case.later(first))
        elif not is_open:
            yield _after(case, releases, made)
            yield from _mostly(case, releases, made, mostly)
        if is_open and (mostly is None or _is_open(case, mostly)):
            break
        if is_open and mostly is not None:
            yield _after(case, releases, mostly)
        last = releases


def _first_open(case: Case, kept: int, opened: int) -> int:
    """The first number of releases after which nearly no limit is left, by halving."""
    while opened - kept > 1:
        middle = (kept + opened) // 2
        kept, opened = (kept, middle) if _is_open(case, case.later(middle)) else (middle, opened)
    return opened


def _is_open(case: Case, made: Assessment | None) -> bool:
    """Whether nearly no limit is left."""
    if made is None:
        return True
    found = made.basis.find("posterior", case.prior)
    return found.upper > cut_off("top", case.scale(case.prior, found.lower, found.upper)).share


def _after(case: Case, releases: int, made: Assessment | None) -> Sentence:
    number = given("releases", releases, count(releases))
    after = say("after.one" if releases == 1 else "after", releases=number)
    if made is None:
        return case.say("time.none", after=after)
    statement = made.basis
    finding = statement.find("posterior", case.prior)
    of = case.scale(case.prior, finding.lower, finding.upper)
    up = up_to(finding.upper, finding.upper_bound, finding.theorem, form="moved", of=of)
    before = given_chances(case.prior, of)
    sure_too = {} if case.plain else {"sure": sure(statement.confidence)}
    key = "time.top" if _is_open(case, made) else "time.after"
    return case.say(key, after=after, before=before, up=up, **sure_too)


def _mostly(
    case: Case, releases: int, always: Assessment | None, made: Assessment | None
) -> Iterator[Sentence]:
    """A stricter limit, where one need not hold for every result."""
    if made is None or always is None:
        return
    found, certain = (each.basis.find("posterior", case.prior) for each in (made, always))
    of = case.scale(case.prior, found.upper)
    if found.upper >= certain.upper or chance(found.upper, upper=True, of=of).kind == "top":
        return
    up = up_to(found.upper, found.upper_bound, found.theorem, form="moved", of=of)
    sure = given("confidence", MOSTLY, hundredths(MOSTLY))
    before = given_chances(case.prior, of)
    number = given("releases", releases, count(releases))
    these = Sentence(fill("these.one")) if releases == 1 else say("these", releases=number)
    yield case.say("time.mostly", confidence=sure, these=these, before=before, up=up)


def _rule(case: Case, made: Assessment | None) -> Iterator[Sentence]:
    if made is not None:
        rule = made.basis.composed.theorem
        yield case.say("time.rule", theorem=name(rule.named), says=name(rule.says))


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
    lines = [_guess(curve, register)]
    for at, level in enumerate(curve.levels.tolist()):
        lines.append(_power(curve, at, level, whose, register))
        if 0.0 < level < 1.0 or float(np.asarray(curve.power.value)[at]) > level:
            lines += [
                _belief(curve, at, which, whose, register, least)
                for which in range(len(curve.priors))
            ]
    return tuple(lines)


def _guess(curve: AttackCurve, register: Register) -> Sentence:
    right = (1.0 + float(curve.advantage)) / 2.0
    of = _scale(register, 0.5, right)
    return say("tests.guess", register, cases=_cases("accuracy", right, curve.advantage, of))


def _power(curve: AttackCurve, at: int, level: float, whose: str, register: Register) -> Sentence:
    power = float(np.asarray(curve.power.value)[at])
    of = _scale(register, level, power)
    true = _cases("power", power, curve.power, of, level == 1.0)
    if register == "formal":
        return say(
            "tests.power", register, level=given("level", level, out_of(level, of)), true=true
        )
    data = name(whose)
    return say(
        f"tests.power.{curve.secret}", register, false=_false(level, of), data=data, true=true
    )


def _scale(register: Register, start: float, *ends: float) -> Scale:
    return 1 if register == "formal" else scale(start, *ends)


def _false(level: float, of: Scale) -> Sentence:
    number = given("level", level, _of_cases(counted(level, of), of))
    if level in (0.0, 1.0):
        return Sentence(fill("cases.every" if level else "cases.none"), (number,))
    return say("cases.number", number=number)


def _belief(
    curve: AttackCurve, at: int, which: int, whose: str, register: Register, least: Scale
) -> Sentence:
    prior = curve.priors[which]
    opposite = float(complement(prior))
    found = [
        (float(np.asarray(values[which].value)[at]), values[which])
        for values in (curve.predictive_values, curve.negative_predictive_values)
    ]
    of = _scale(register, prior, found[0][0])
    of = of if of == 1 else max(of, least)
    return say(
        f"tests.belief.{curve.secret}",
        register,
        **({"data": name(whose)} if curve.secret == "membership" else {}),
        prior=given_chances(prior, of),
        alarm=_moved(*found[0], prior, of, "posterior after an alarm"),
        opposite=given("prior of the opposite", opposite, out_of(opposite, of)),
        silence=_moved(*found[1], opposite, of, "posterior of the opposite without an alarm"),
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


def _moved(belief: float, answer: Answer, prior: float, of: Scale, quantity: str) -> Sentence:
    """A belief, at most; only who was certain before is so afterwards."""
    open_minded = 0.0 < prior < 1.0
    return up_to(
        belief,
        answer.bound,
        answer.theorem,
        form="moved",
        open_minded=open_minded,
        of=of,
        quantity=quantity,
    )
