"""One honest sentence for each result: at most, at least, under which assumptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk.explain.contradictions import framed
from dprisk.explain.promises import describe
from dprisk.explain.rounding import (
    Scale,
    chance,
    cut_off,
    hundredths,
    out_of,
    scale,
)
from dprisk.explain.saying import afterwards, near, up_to
from dprisk.explain.units import claimed, known, record
from dprisk.text import fill

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dprisk.assessment.statements import Assessment, Finding, Statement


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
    >>> from dprisk.explain import headline
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
    lines = (
        line
        for statement in assessment.statements
        for line in (describe(assessment.release, statement), *_follows(assessment, statement))
    )
    return framed(assessment.release, lines)


def other_questions(
    assessment: Assessment, statement: Statement, first: Assessment | None = None
) -> tuple[str, ...]:
    """What else follows: with the data and without, and from every prior at once."""
    compared = _compared(assessment, statement, assessment.adversary.middle)
    return (*compared, _anybody(first or assessment, statement))


def _follows(assessment: Assessment, statement: Statement) -> Iterator[str]:
    for prior in assessment.adversary.priors:
        yield _belief(assessment, statement, statement.find("posterior", prior))
        yield from _compared(assessment, statement, prior)
    yield _anybody(assessment, statement)


def _compared(assessment: Assessment, statement: Statement, prior: float) -> Iterator[str]:
    for finding in statement.findings:
        if finding.metric == "with_data" and finding.prior == prior:
            yield _with_data(assessment, statement, finding)


def _belief(assessment: Assessment, statement: Statement, finding: Finding) -> str:
    release, prior = assessment.release, finding.prior or 0.0
    of = counted_in(assessment, prior, finding.lower, finding.upper)
    before = fill(
        "headline.before",
        observer=fill("someone"),
        known=known(release),
        before=out_of(prior, of),
        claim=claimed(assessment.adversary.secret, release),
    )
    return f"{before} {_after(statement, finding, of)}"


def _after(statement: Statement, finding: Finding, of: Scale) -> str:
    surely = sure(statement, "start")
    if float(statement.loss) == 0.0 or finding.prior in (0.0, 1.0):
        return fill("headline.same", Sure=surely)
    said = {name: end.text for name, end in afterwards(finding, of).items()}
    return fill("headline.after" if "ends" in said else "headline.nearly-all", Sure=surely, **said)


def _with_data(assessment: Assessment, statement: Statement, finding: Finding) -> str:
    prior = finding.prior or 0.0
    of = counted_in(assessment, prior, finding.upper)
    up = up_to(
        finding.upper,
        finding.upper_bound,
        finding.theorem,
        open_minded=0.0 < prior < 1.0,
        of=of,
    )
    said = fill(
        "assess.with-data",
        data=record(assessment.release),
        before=out_of(prior, of),
        up=up.text,
    )
    larger = finding.upper > statement.find("posterior", prior).upper
    return fill("assess.with-data.looser", said=said) if larger else said


def counted_in(assessment: Assessment, start: float, *ends: float) -> Scale:
    """In how many a belief is counted: never fewer than the belief that comes first."""
    first = assessment.basis.find("posterior", assessment.adversary.middle)
    return max(scale(first.prior or 0.0, first.lower, first.upper), scale(start, *ends))


def _anybody(assessment: Assessment, statement: Statement) -> str:
    finding = statement.find("difference")
    if float(statement.loss) == 0.0:
        return fill("assess.still", sure=sure(statement))
    of = counted_in(assessment, 0.5, 0.5 + min(finding.upper, 0.5))
    found = cut_off("top", of) if finding.upper == 1.0 else chance(finding.upper, upper=True, of=of)
    points = fill(f"moved.{found.kind}", chances=found.shown, edge=found.shown)
    worst = finding.worst_priors or (0.5, 0.5)
    down, up = near(worst[0], of, "fall").text, near(worst[1], of, "rise").text
    largest = fill(f"beliefs.largest{'' if up == down else '-apart'}", up=up, down=down)
    return fill("assess.anybody", points=points, sure=sure(statement), starts=largest)


def sure(statement: Statement, place: str = "sure") -> str:
    """With certainty, or with which confidence; at the start of a sentence or later."""
    if statement.confidence is None:
        return fill(f"{place}.always")
    return fill(f"{place}.mostly", confidence=hundredths(statement.confidence))
