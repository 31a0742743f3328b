"""One honest sentence for each result: at most, at least, under which assumptions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dprisk._checks import complement
from dprisk.answer import Answer
from dprisk.composition.basis import basis_of
from dprisk.documents.case import Case, lay_data, lay_differs
from dprisk.documents.document import Number, Sentence
from dprisk.documents.promises import cannot_keep, describe, framed, in_words
from dprisk.documents.saying import (
    afterwards,
    claimed,
    counted_in,
    down_to,
    given,
    given_chances,
    given_share,
    high,
    known,
    low,
    name,
    near,
    record,
    say,
    sure,
    unit_of,
    up_to,
)
from dprisk.releases.notes import is_below_person
from dprisk.text import Register, count, fill
from dprisk.text.rounding import Scale, chance, cut_off, hundredths

if TYPE_CHECKING:
    from dprisk.documents.assessing import Assessment, Finding, Statement


def headline(assessment: Assessment) -> str:
    """The assessment in three sentences, for a reader without any background.

    Parameters
    ----------
    assessment : Assessment
        With or without a number that could be assessed.

    Returns
    -------
    str
        About the middle one of the adversary's priors; rounded to the safe side.

    Examples
    --------
    >>> from dprisk import ApproxDP, Adversary, assess
    >>> from dprisk.documents import headline
    >>> survey = ApproxDP(0.1, 1e-7, neighbors="add-remove")
    >>> print(headline(assess(survey, Adversary(priors=(0.5,), confidence=0.99))))
    Suppose someone knows all the data except one person's. Before seeing the results, they think \
there is a 50 in 100 chance that this person is in the data. In at least 99 of 100 cases, the \
chance afterwards is at least 47 in 100 and at most 53 in 100.
    """
    if not assessment.statements:
        return fill("assess.silent", name=assessment.release.name, reason=assessment.reason)
    statement = assessment.basis
    finding = statement.find("posterior", assessment.adversary.middle)
    return " ".join(framed(assessment.release, [_belief(assessment, statement, finding)]))


def sentences(assessment: Assessment) -> tuple[str, ...]:
    """A sentence for the guarantee, for every prior, and for all priors at once."""
    if not assessment.statements:
        return (headline(assessment),)
    lines = []
    for statement in assessment.statements:
        lines.append(describe(assessment.release, statement))
        for prior in assessment.adversary.beliefs:
            lines.append(_belief(assessment, statement, statement.find("posterior", prior)))
            lines += _compared(assessment, statement, prior)
        lines.append(_anybody(assessment, statement))
    return framed(assessment.release, lines)


def other_questions(
    assessment: Assessment, statement: Statement, first: Assessment | None = None
) -> tuple[str, ...]:
    """Further answers: with the data and without, and from every prior at once."""
    compared = _compared(assessment, statement, assessment.adversary.middle)
    return (*compared, _anybody(first or assessment, statement))


def _compared(assessment: Assessment, statement: Statement, prior: float) -> Iterator[str]:
    for finding in statement.findings:
        if finding.metric == "with_data" and finding.prior == prior:
            yield _with_data(assessment, statement, finding)


def _belief(assessment: Assessment, statement: Statement, finding: Finding) -> str:
    release, prior = assessment.release, finding.prior or 0.0
    of = counted_in(assessment, prior, finding.lower, finding.upper)
    before = say(
        "headline.before",
        observer=fill("someone"),
        known=known(release),
        before=given_chances(prior, of),
        claim=claimed(assessment.adversary.secret, release),
    )
    return f"{before} {_opening(statement, finding, of)}"


def _opening(
    statement: Statement,
    finding: Finding,
    of: Scale,
    register: Register = "full",
    quantity: str = "posterior",
) -> Sentence:
    """Say what becomes of a belief, whichever question it is about."""
    surely = {} if register == "plain" else {"Sure": sure(statement.confidence, "start")}
    if float(statement.loss) == 0.0 or not _open(finding.prior or 0.0):
        return say("headline.same", register, **surely)
    said = afterwards(finding, of, quantity)
    if "ends" not in said:
        return say("headline.nearly-all", register, **said)
    if register != "plain":
        return say("headline.after", register, **said, **surely)
    most = _beyond(finding.upper, finding.prior or 0.0)
    up = up_to(most, finding.upper_bound, finding.theorem, of=of, quantity=quantity)
    return say("headline.after", register, up=up)


def _with_data(assessment: Assessment, statement: Statement, finding: Finding) -> str:
    prior = finding.prior or 0.0
    of = counted_in(assessment, prior, finding.upper)
    up = up_to(finding.upper, finding.upper_bound, finding.theorem, open_minded=_open(prior), of=of)
    data, before = record(assessment.release), given_chances(prior, of)
    said = say("assess.with-data", data=data, before=before, up=up)
    larger = finding.upper > statement.find("posterior", prior).upper
    return fill("assess.with-data.looser", said=said) if larger else str(said)


def _anybody(assessment: Assessment, statement: Statement) -> str:
    surely = sure(statement.confidence)
    if float(statement.loss) == 0.0:
        return fill("assess.still", sure=surely)
    finding = statement.find("difference")
    of = counted_in(assessment, 0.5, 0.5 + min(finding.upper, 0.5))
    points, largest = _points(finding, of), _largest(finding, of)
    return fill("assess.anybody", points=points, sure=surely, starts=largest)


def _points(finding: Finding, of: Scale) -> Sentence:
    """The most that a belief moves."""
    by = (finding.upper, finding.upper_bound, finding.theorem)
    return up_to(*by, form="moved", of=of, quantity="difference")


def _largest(finding: Finding, of: Scale, register: Register = "full") -> Sentence:
    """Name the priors from which a belief rises and falls most."""
    worst = finding.worst_priors or (0.5, 0.5)
    down, up = near(worst[0], of, "fall"), near(worst[1], of, "rise")
    if up.text == down.text:
        return say("beliefs.largest", register, up=up)
    return say("beliefs.largest-apart", register, up=up, down=down)


def with_without(case: Case) -> Iterator[Sentence]:
    """The headline: the question and the number that an assessment opens with."""
    for each in basis_of(case.release).contradicted:
        if case.plain:
            yield case.say("contradicted", promise=name(in_words((each.stated,))))
        else:
            yield case.say("contradicted.said", said=name(cannot_keep(each)))
    finding = case.posterior(case.prior)
    of = _scale(case, finding)
    named = case.claim is not None and case.claim.who is not None
    own = case.plain or case.claim is not None
    yield case.say(
        "headline.named" if named else "headline.before",  # who is named may be several
        observer=case.observer,
        known=case.known if own else name(known(case.release)),
        before=given_chances(case.prior, of),
        claim=case.what if own else name(claimed(case.secret, case.release)),
    )
    yield _opening(case.statement, finding, of, case.register)
    if not case.plain:
        if case.secret == "attribute":
            yield case.say("headline.without", data=case.data)
    elif not case.is_nearly_open:
        yield _how_sure(case)
        if case.statement.is_vacuous:
            yield case.say("worst.little")
    if case.claim is not None:
        yield case.say(f"claim.read.{case.secret}")


def _how_sure(case: Case, where: str = "headline") -> Sentence:
    if case.statement.confidence is None:
        return case.say(f"{where}.always")
    confidence = given_share("confidence", case.statement.confidence)
    return case.say(f"{where}.mostly", confidence=confidence)


def any_reader(case: Case) -> Iterator[Sentence]:
    """Sentences with the record and without it, for every reader, where a theorem allows it."""
    found = case.anybody()
    if found is None:
        mostly = case.statement.confidence is not None and case.secret != "both"
        if mostly and not case.plain:
            yield case.say("any-reader.why-not")
        return
    belief = found.belief(case.prior)
    if float(belief) > case.posterior(case.prior).upper:
        about = {} if case.plain or found.replacement == "resampled" else {"about": case.what}
        key = "any-reader.other" if case.plain else f"any-reader.other.{found.replacement}"
        yield case.say(key, known=case.known, **about)
    yield from _for_anybody(case, belief, found.replacement)


def _for_anybody(case: Case, found: Answer, world: str) -> Iterator[Sentence]:
    what = case.what if case.secret == "attribute" else case.about("attribute")
    if case.plain and case.claim is None and world == "resampled" and unit_of(case.release):
        what = say("attribute.real", "plain")
    moves = float(case.statement.loss) > 0.0 and _open(case.prior)
    belief = _beyond(float(found), case.prior) if moves else float(found)
    of = case.scale(case.prior, belief)
    before = given_chances(case.prior, of)
    yield case.say(f"any-reader.before.{world}", data=case.data, before=before, claim=what)
    how: dict[str, Any] = {"open_minded": _open(case.prior), "quantity": "belief with the record"}
    after = up_to(belief, found.bound, found.theorem, of=of, **how)
    yield case.say("any-reader.after", data=case.data, up=after)
    yield case.say("any-reader.always")


def value(case: Case) -> Iterator[Sentence]:
    """Sentences on a value in the record, where the headline is about being in the data."""
    found = case.value()
    if found is None:
        return
    of = case.scale(case.prior, found.lower, found.upper)
    about = {} if case.plain else {"about": case.what}
    yield case.say("value.other", **about)
    yield case.say(
        "value.before",
        known=case.known,
        about=case.what,
        before=given_chances(case.prior, of),
        claim=case.about("attribute"),
    )
    yield _opening(case.statement, found, of, case.register, "posterior of a value")


def _beyond(belief: float, prior: float) -> float:
    """A belief that moves by less than a float can say, moves."""
    return max(belief, math.nextafter(prior, 1.0))


def beliefs(case: Case) -> Iterator[Sentence]:
    """Sentences on the move from each other prior, up and down; then from every prior."""
    if case.assessment is None:
        return
    if case.plain and not _is_still(case, case.prior):
        yield from _fall(case)
    priors = [prior for prior in case.assessment.adversary.beliefs if prior != case.prior]
    others = [case.posterior(prior) for prior in priors]
    if not case.plain:
        yield case.say("beliefs.sure", sure=case.sure)
    elif others and case.is_nearly_open and not any(_said(case, finding) for finding in others):
        starts = tuple(given_chances(each.prior or 0.0, _scale(case, each)) for each in others)
        said = fill("or").join(start.shown for start in starts)
        yield case.say("beliefs.open", starts=Sentence(said, starts))
        return
    yield from (_moved(case, finding) for finding in others)
    if case.plain and case.is_nearly_open:
        if any(_said(case, finding) for finding in others):
            yield _how_sure(case, "beliefs")
        return
    yield from _anywhere(case)
    ratio = case.statement.find("ratio")
    if not case.plain and 1.0 < ratio.upper < math.inf:
        most = high("ratio", ratio.upper, ratio.upper_bound, ratio.theorem)
        least = low("ratio", ratio.lower, ratio.lower_bound, ratio.theorem)
        yield case.say("beliefs.factor", most=most, least=least)


def _fall(case: Case) -> Iterator[Sentence]:
    finding = case.posterior(case.prior)
    of = _scale(case, finding)
    if case.is_nearly_open or finding.lower < cut_off("bottom", of).share:
        return
    least = down_to(finding.lower, finding.lower_bound, finding.theorem, of=of)
    yield case.say("beliefs.fall", before=given_chances(case.prior, of), least=least)


def _moved(case: Case, finding: Finding) -> Sentence:
    prior = finding.prior or 0.0
    of = _scale(case, finding)
    before = given_chances(prior, of)
    if not _open(prior):
        return case.say("beliefs.certain", before=before)
    if _is_still(case, prior):
        return case.say("beliefs.still", before=before)
    said = afterwards(finding, of)
    if "ends" not in said:
        return case.say("beliefs.nearly-all", before=before, **said)
    return case.say("beliefs.more", before=before, **said)


def _said(case: Case, finding: Finding) -> bool:
    """Whether there is a limit to speak of."""
    return "ends" in afterwards(finding, _scale(case, finding))


def _scale(case: Case, finding: Finding) -> Scale:
    return case.scale(finding.prior or 0.0, finding.lower, finding.upper)


def _is_still(case: Case, prior: float) -> bool:
    return not _open(prior) or float(case.statement.loss) == 0.0


def _anywhere(case: Case) -> Iterator[Sentence]:
    finding = case.statement.find("difference")
    if float(case.statement.loss) == 0.0:
        yield case.say("beliefs.any-still")
        return
    of = case.scale(0.5, 0.5 + min(finding.upper, 0.5))
    yield case.say("beliefs.any", points=_points(finding, of))
    yield _largest(finding, of, case.register)


def failure(confidence: float) -> Number:
    """The number of cases in 100 in which a limit need not hold."""
    left = float(complement(confidence))
    return Number("failure", left, hundredths(left), "at most")


def _open(prior: float) -> bool:
    return 0.0 < prior < 1.0


MOSTLY = 0.99


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
    made = case.later(case.after[-1]) if case.formal and case.after else None
    if made is not None:
        rule = made.basis.composed.theorem
        yield case.say("time.rule", theorem=name(rule.named), says=name(rule.says))


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
    sure = given_share("confidence", MOSTLY)
    before = given_chances(case.prior, of)
    number = given("releases", releases, count(releases))
    these = Sentence(fill("these.one")) if releases == 1 else say("these", releases=number)
    yield case.say("time.mostly", confidence=sure, these=these, before=before, up=up)
