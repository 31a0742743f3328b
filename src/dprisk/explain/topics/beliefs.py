"""Consequences: what a reader can conclude, from which start, with the record and without it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dprisk._checks import complement
from dprisk.answer import Answer
from dprisk.explain.case import Case
from dprisk.explain.rounding import Chance, Scale, chances, cut_off, hundredths, rounded
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
from dprisk.text import decimal, fill

if TYPE_CHECKING:
    from dprisk.assessment import Finding

__all__ = ["any_reader", "beliefs", "failure", "with_without"]


def with_without(case: Case) -> Iterator[Sentence]:
    """The headline: the question and the number that an assessment opens with."""
    finding = case.posterior(case.prior)
    of = _scale(case, finding)
    named = case.claim is not None and case.claim.who is not None
    yield case.say(
        "headline.named" if named else "headline.before",
        **({"observer": case.observer} if named else {}),
        known=case.known,
        before=given_chances(case.prior, of),
        claim=case.what,
    )
    yield _opening(case, finding, of)
    if not case.plain:
        yield case.say("headline.without", data=case.data)
    elif _is_nearly_all(finding, of):
        return
    elif case.statement.confidence is None:
        yield case.say("headline.always")
    else:
        yield case.say(
            "headline.mostly", confidence=_share("confidence", case.statement.confidence)
        )
    if case.plain and case.statement.is_vacuous:
        yield case.say("worst.little")


def _opening(case: Case, finding: Finding, of: Scale) -> Sentence:
    sure = {} if case.plain else {"Sure": case.surely}
    if _is_still(case, case.prior):
        return case.say("headline.same", **sure)
    if case.plain:
        key = "headline.nearly-all" if _is_nearly_all(finding, of) else "headline.after"
        return case.say(key, up=_ends(case, finding, of, most="up")[1])
    if _is_nearly_all(finding, of) and finding.lower < cut_off("bottom", of).share:
        least, most = _ends(case, finding, of, least="chances", most="chances")
        return case.say("headline.nearly-all", least=least, most=most)
    least, most = _ends(case, finding, of)
    return case.say("headline.after", least=least, most=most, **sure)


def _is_nearly_all(finding: Finding, of: Scale) -> bool:
    """Whether a belief can come as close to certainty as is shown."""
    return (finding.prior or 0.0) < cut_off("top", of).share < finding.upper


def any_reader(case: Case) -> Iterator[Sentence]:
    """With the record and without it, for every reader, where a theorem allows it."""
    found = case.anybody()
    if found is None:
        if case.statement.confidence is not None and not case.plain:
            yield case.say("any-reader.why-not")
        return
    belief = found.belief(case.prior)
    if float(belief) > case.posterior(case.prior).upper:
        yield case.say("any-reader.other", known=case.known, about=case.what)
        if case.plain:
            yield case.say("any-reader.looser")
    yield from _for_anybody(case, belief, found.world)


def _for_anybody(case: Case, found: Answer, world: str) -> Iterator[Sentence]:
    if world == "resampled":
        yield case.say("any-reader.stand-in", **({} if case.plain else {"data": case.data}))
    what = case.what if case.secret == "attribute" else case.about("attribute")
    belief = _beyond(case, float(found), case.prior)
    of = case.scale(case.prior, belief)
    before = given_chances(case.prior, of)
    dropped = {"data": case.data} if world == "dropped" else {}
    yield case.say(f"any-reader.before.{world}", before=before, claim=what, **dropped)
    open_minded = _open(case.prior)
    after = up_to(belief, found.bound, found.theorem, open_minded=open_minded, of=of)
    yield case.say("any-reader.after", data=case.data, up=after)
    yield case.say("any-reader.always")


def _beyond(case: Case, belief: float, prior: float) -> float:
    """A belief that moves by less than a float can say, moves."""
    if float(case.statement.loss) > 0.0 and belief <= prior < 1.0 and prior > 0.0:
        return math.nextafter(prior, 1.0)
    return belief


def beliefs(case: Case) -> Iterator[Sentence]:
    """From each other prior, up and down; then from every prior."""
    if case.assessment is None:
        return
    if case.plain and not _is_still(case, case.prior):
        finding = case.posterior(case.prior)
        of = _scale(case, finding)
        least, _ = _ends(case, finding, of)
        yield case.say("beliefs.fall", before=given_chances(case.prior, of), least=least)
    for prior in case.assessment.adversary.priors:
        if prior != case.prior:
            yield _moved(case, case.posterior(prior))
    yield from _anywhere(case)
    if not case.plain:
        yield from _factor(case)


def _moved(case: Case, finding: Finding) -> Sentence:
    prior = finding.prior or 0.0
    of = _scale(case, finding)
    before = given_chances(prior, of)
    if not _open(prior):
        return case.say("beliefs.certain", before=before)
    if _is_still(case, prior):
        return case.say("beliefs.still", before=before, **_surely(case))
    least, most = _ends(case, finding, of)
    return case.say("beliefs.more", before=before, least=least, most=most)


def _ends(
    case: Case, finding: Finding, of: Scale, *, least: str = "least", most: str = "most"
) -> tuple[Phrase, Phrase]:
    """How far down and how far up, in phrases of that form."""
    high = _beyond(case, finding.upper, finding.prior or 0.0)
    down = down_to(finding.lower, finding.lower_bound, finding.theorem, form=least, of=of)
    return down, up_to(high, finding.upper_bound, finding.theorem, form=most, of=of)


def _scale(case: Case, finding: Finding) -> Scale:
    return case.scale(finding.prior or 0.0, finding.lower, finding.upper)


def _is_still(case: Case, prior: float) -> bool:
    return not _open(prior) or float(case.statement.loss) == 0.0


def _surely(case: Case) -> dict[str, Phrase]:
    return {} if case.plain else {"sure": case.sure}


def _anywhere(case: Case) -> Iterator[Sentence]:
    finding = case.statement.find("difference")
    if float(case.statement.loss) == 0.0:
        yield case.say("beliefs.any-still", **_surely(case))
        return
    bound = {} if case.plain else {"bound": Phrase(fill(f"bound.{finding.upper_bound}"))}
    yield case.say("beliefs.any", points=_points(case, finding), **bound, **_surely(case))
    down, up = (_near(case, prior) for prior in finding.worst_priors or (0.5, 0.5))
    if up.text == down.text:
        yield case.say("beliefs.largest", up=up)
    else:
        yield case.say("beliefs.largest-apart", up=up, down=down)


def _points(case: Case, finding: Finding) -> Phrase:
    """By how much a belief moves, at most."""
    most = finding.upper
    of = case.scale(0.5, 0.5 + min(most, 0.5))
    shown = chances(most, upper=True, of=of)
    number = Number("difference", most, shown, "at most", str(finding.theorem))
    if most > cut_off("top", of).share:
        return Phrase(fill("moved.top", edge=cut_off("top", of).shown), (number,))
    return phrase("moved.number", chances=number)


def _near(case: Case, prior: float) -> Phrase:
    """A prior in words; it was computed, so it is rounded to the nearest."""
    if case.decimals:
        shown = decimal(rounded(prior, 3, upper=prior > 0.5))
        return phrase("near.number", chances=nearest("prior where most moves", prior, shown))
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


def failure(confidence: float) -> Number:
    """In how many of 100 cases a limit need not hold."""
    left = float(complement(confidence))
    return Number("failure", left, hundredths(left), "at most")


def _share(quantity: str, value: float) -> Number:
    return given(quantity, value, hundredths(value))


def _open(prior: float) -> bool:
    return 0.0 < prior < 1.0
