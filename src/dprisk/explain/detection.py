"""Tests of an output in words: how many true alarms there are for so many false ones."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dprisk._checks import complement
from dprisk.explain.contradictions import framed
from dprisk.explain.explanation import Sentence
from dprisk.explain.rounding import Scale, chance, counted, cut_off, out_of, scale
from dprisk.explain.saying import (
    Phrase,
    given,
    given_chances,
    high,
    name,
    phrase,
    say,
    up_to,
)
from dprisk.explain.units import record
from dprisk.text import Register, count, fill

if TYPE_CHECKING:
    from dprisk.answer import Answer
    from dprisk.releases.release import Release
    from dprisk.risk.tests import AttackCurve


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


def _false(level: float, of: Scale) -> Phrase:
    number = given("level", level, _of_cases(counted(level, of), of))
    if level in (0.0, 1.0):
        return Phrase(fill("cases.every" if level else "cases.none"), (number,))
    return phrase("cases.number", number=number)


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
) -> Phrase:
    """In so many cases, at most; a decimal where chances are."""
    number = high(quantity, probability, answer.bound, answer.theorem)
    if of == 1:
        found = chance(probability, upper=True, of=of)
        return Phrase(fill(f"moved.{found.kind}", chances=found.shown, edge=found.shown), (number,))
    if probability == 0.0 or (probability == 1.0 and certain):
        return Phrase(fill("cases.every" if probability else "cases.none"), (number,))
    found = chance(probability, upper=True, of=of) if probability < 1.0 else cut_off("top", of)
    shown = _of_cases(count(int(found.cases)), of)
    if found.kind != "number":
        return Phrase(fill(f"cases.{found.kind}", edge=shown), (number,))
    return phrase("cases.most", number=replace(number, shown=shown))


def _of_cases(cases: str, of: Scale) -> str:
    return fill("cases.of", count=cases, of=count(of))


def _moved(belief: float, answer: Answer, prior: float, of: Scale, quantity: str) -> Phrase:
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
