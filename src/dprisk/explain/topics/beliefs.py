"""Consequences: what somebody may conclude with a record in the data, and without it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dprisk.answer import Answer, Bound
from dprisk.explain.case import Case
from dprisk.explain.rounding import FEW, Chance, chance, chances, hundredths, rounded, scale
from dprisk.explain.saying import (
    Phrase,
    down_to,
    given,
    given_chances,
    high,
    low,
    nearest,
    phrase,
    up_to,
)
from dprisk.explain.values import Number, Sentence
from dprisk.sources import Theorem
from dprisk.text import count, fill

if TYPE_CHECKING:
    from dprisk.assessment import Finding

__all__ = ["any_reader", "beliefs", "is_vacuous", "with_without"]

VACUOUS = 4.0


def with_without(case: Case) -> Iterator[Sentence]:
    """The comparison for a reader who knows the rest: the number that an assessment opens with."""
    yield from _for_the_informed(case)
    if case.plain and is_vacuous(case):
        yield case.say("worst.little")


def any_reader(case: Case) -> Iterator[Sentence]:
    """The same comparison for every reader, where the theorem allows it: another question."""
    found = case.anybody()
    if found is None:
        if case.statement.confidence is not None and not case.plain:
            yield case.say("with.why-not")
        return
    belief = found.belief(case.prior)
    if float(belief) > case.posterior(case.prior).upper:
        yield case.say("any-reader.other", about=case.what)
    yield from _for_anybody(case, belief, found.world)


def _for_anybody(case: Case, found: Answer, world: str) -> Iterator[Sentence]:
    if world == "resampled":
        yield case.say("with.resampled", data=case.data)
    what = case.what if case.secret == "attribute" else case.about("something")
    belief = _beyond(case, float(found), case.prior)
    yield _before(case, world, what, belief)
    yield _after(case, belief, found.bound, found.theorem, Phrase(fill("sure.always")))
    yield case.say("with.anybody")


def _for_the_informed(case: Case) -> Iterator[Sentence]:
    finding = case.posterior(case.prior)
    replaced = case.release.neighbors == "replace-one"
    if replaced:
        yield case.say("with.replaced", data=case.data)
    yield case.say("with.known", observer=case.newcomer, data=case.data)
    belief = _beyond(case, finding.upper, case.prior)
    yield _before(case, "replaced" if replaced else "dropped", case.what, belief)
    yield _after(case, belief, finding.upper_bound, finding.theorem, case.sure)
    if case.plain:
        yield _how_surely(case)


def _beyond(case: Case, belief: float, prior: float) -> float:
    """A belief that moves by less than a float can say, moves."""
    if float(case.statement.loss) > 0.0 and belief <= prior < 1.0 and prior > 0.0:
        return math.nextafter(prior, 1.0)
    return belief


def _before(case: Case, world: str, what: Phrase, belief: float) -> Sentence:
    data = {"data": case.data} if world == "dropped" else {}
    without = phrase(f"without.{world}", case.register, **data)
    before = given_chances(case.prior, scale(case.prior, belief))
    return case.say(
        "with.before", without=without, observer=case.observer, claim=what, before=before
    )


def _after(case: Case, belief: float, bound: Bound, theorem: Theorem, sure: Phrase) -> Sentence:
    pieces = {"data": case.data} | ({} if case.plain else {"sure": sure})
    if belief <= case.prior:
        return case.say("with.same", **pieces)
    of = scale(case.prior, belief)
    after = up_to(belief, bound, theorem, form="with", open_minded=_open(case.prior), of=of)
    return case.say("with.after", observer=case.observer, after=after, **pieces)


def _how_surely(case: Case) -> Sentence:
    confidence = case.statement.confidence
    if confidence is None:
        return case.say("with.always")
    return case.say("with.mostly", confidence=_share("confidence", confidence))


def beliefs(case: Case) -> Iterator[Sentence]:
    """From each prior, up and down; then from every prior."""
    if case.assessment is None:
        return
    opened = case.plain  # the informed reader was introduced
    for prior in case.assessment.adversary.priors:
        finding = case.posterior(prior)
        yield _moved(case, finding, opened)
        opened = opened or (_open(prior) and float(case.statement.loss) > 0.0)
    yield _anywhere(case)
    if not case.plain:
        yield from _factor(case)


def _moved(case: Case, finding: Finding, opened: bool) -> Sentence:
    prior = finding.prior or 0.0
    if not _open(prior):
        return case.say("beliefs.certain", before=given_chances(prior))
    of = scale(prior, finding.lower, finding.upper)
    before = given_chances(prior, of)
    sure = {} if case.plain else {"sure": case.sure}
    if float(case.statement.loss) == 0.0:
        return case.say("beliefs.still", before=before, **sure)
    up = up_to(_beyond(case, finding.upper, prior), finding.upper_bound, finding.theorem, of=of)
    down = down_to(finding.lower, finding.lower_bound, finding.theorem, of=of)
    if opened:
        return case.say("beliefs.more", before=before, up=up, down=down)
    if not case.plain and case.claim and case.claim.who:
        return case.say(
            "beliefs.observer",
            observer=case.observer,
            claim=case.what,
            before=before,
            up=up,
            down=down,
            **sure,
        )
    who = {"observer": case.observer} if case.plain else {}
    return case.say(
        "beliefs.first", claim=case.what, before=before, up=up, down=down, **sure, **who
    )


def _anywhere(case: Case) -> Sentence:
    finding = case.statement.find("difference")
    who = {"observer": case.observer} if case.plain else {"sure": case.sure}
    if float(case.statement.loss) == 0.0:
        return case.say("beliefs.any-still", **who)
    points = _points(case, finding)
    starts = _starts(*(finding.worst_priors or (0.5, 0.5)))
    if not case.plain:
        who["bound"] = Phrase(fill(f"bound.{finding.upper_bound}"))
    if finding.upper > 0.99:
        moved = Phrase(fill("points.top", case.register), (points,))
    else:
        moved = phrase("points", points=points)
    return case.say("beliefs.any", points=moved, starts=starts, **who)


def _points(case: Case, finding: Finding) -> Number:
    """By how much a belief moves: in chances for lay readers, else in percentage points."""
    most = finding.upper
    if case.plain:
        shown = chances(most, upper=True, of=scale(0.5, 0.5 + min(most, 0.5)))
    else:
        found = chance(most, upper=True)
        shown = fill(f"chances.{found.kind}", chances=count(found.cases))
        if most < FEW:
            shown = hundredths(rounded(most, 2, upper=True))
    return Number("difference", most, shown, "at most", str(finding.theorem))


def _starts(down: float, up: float) -> Phrase:
    first, second = _near(up), _near(down)
    if first.text == second.text:
        return phrase("starts", up=first)
    return phrase("starts.apart", up=first, down=second)


def _near(prior: float) -> Phrase:
    whole = round(100 * prior)
    number = nearest("prior where most moves", prior, Chance("number", whole, 100).shown)
    if not 1 <= whole <= 99:
        return Phrase(fill("near.bottom" if whole < 1 else "near.top"), (number,))
    return phrase("near.number", chances=number)


def _factor(case: Case) -> Iterator[Sentence]:
    finding = case.statement.find("ratio")
    if math.isfinite(finding.upper) and finding.upper > 1.0:
        most = high("ratio", finding.upper, finding.upper_bound, finding.theorem)
        least = low("ratio", finding.lower, finding.lower_bound, finding.theorem)
        yield case.say("beliefs.factor", most=most, least=least)


def _share(quantity: str, value: float) -> Number:
    return given(quantity, value, hundredths(value))


def is_vacuous(case: Case) -> bool:
    """Whether the worst case is so bad that it says little."""
    return float(case.statement.loss) >= VACUOUS


def _open(prior: float) -> bool:
    return 0.0 < prior < 1.0
