"""Who could learn what: reader by reader, a table and a figure each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dprisk.explain import at_most, headline
from dprisk.explain.detection import alarms
from dprisk.explain.rounding import hundredths, out_of, scale
from dprisk.explain.wording import other_questions, whom
from dprisk.report import figures
from dprisk.report.blocks import Block, Items, Section, Table, Text
from dprisk.report.grounds import ASSUMED, because, of_statement, readers, tightest
from dprisk.report.words import begun, ends, given, least, most, near, share, sure
from dprisk.text import fill, language

if TYPE_CHECKING:
    from dprisk.assessment import Assessment, Attacked, Compared, Statement
    from dprisk.explain import Section as Told
    from dprisk.report.values import Report
    from dprisk.risk import Counterfactual

__all__ = ["in_words", "learned"]

MEANT = ("guarantee", "exceptions", "delta", "worst-case", "limits")


def learned(report: Report) -> Section:
    """One section for each reader; what there is no bound about is said as well."""
    inside = [
        *_compared(report),
        *(_asked(report, each) for each in report.assessments if each.statements),
        *_tested(report),
    ]
    lead: list[Block] = []
    if inside:
        lead = [Text(fill("report.risks.lead"))]
    refused = () if report.compared is None else report.compared.refused
    lines = [
        fill("report.risks.missing", name=begun(fill(f"report.reader.{name}")), why=why.why)
        for name, why in refused
    ]
    lines += [fill("report.risks.missing", name=name, why=why.why) for name, why in report.missing]
    if lines:
        inside.append(Section(fill("report.title.missing"), (Items(tuple(lines)),)))
    return Section(fill("report.title.learned"), tuple(lead), tuple(inside))


def in_words(report: Report) -> tuple[Section, ...]:
    """What the promise means, and the same for the person whose data it is."""
    if not report.assessments[0].statements:
        return ()
    expert, lay = report.explanations
    meant = tuple(_titled(one) for one in expert.sections if one.topic in MEANT)
    with language(lay.language):
        person = tuple(_titled(one) for one in lay.sections)
        lead = Text(fill("report.person.lead"))
        handed_on = Section(fill("report.title.person"), (lead,), person)
    return Section(fill("report.title.promise"), (), meant), handed_on


def _titled(section: Told) -> Section:
    return Section(section.title, (Items(tuple(map(str, section.sentences))),))


def _compared(report: Report) -> list[Section]:
    made = report.compared
    if made is None:
        return []
    who = whom(report.release)
    lead = fill("report.compared.lead", who=who, world=fill(f"report.world.{made.world}"))
    without = [fill("report.compared.from", given=given(belief)) for belief in made.without]
    caption = fill("report.compared.caption")
    rows = tuple(_row(made, each) for each in readers(made.found))
    blocks: list[Block] = [
        Text(lead),
        Table(
            caption,
            (
                fill("report.compared.reader"),
                fill("report.compared.belief"),
                *without,
                fill("report.compared.ratio"),
                fill("report.compared.holds"),
            ),
            rows,
        ),
        because(report, f"{ASSUMED}-compared", (each.theorem for each in readers(made.found))),
        Text(fill(f"report.other.{report.asked.adversary.secret}")),
    ]
    if any(not math.isfinite(float(each.ratio())) for each in made.found):
        blocks += [Table(*_exceeding(made)), figures.ratios(made)]
    return [Section(fill("report.title.compared"), tuple(blocks))]


def _confidence(made: Compared, each: Counterfactual) -> float | None:
    return None if each.adversary == "wrong-prior" else made.confidences[0]


def _row(made: Compared, each: Counterfactual) -> tuple[str, ...]:
    confidence = _confidence(made, each)
    ratio = float(each.ratio(confidence))
    beliefs = np.asarray(each.belief(made.without, confidence).value).tolist()
    cells = [most(after, before) for after, before in zip(beliefs, made.without, strict=True)]
    holds = (
        fill("report.compared.always")
        if confidence is None
        else fill("report.compared.mostly", confidence=hundredths(confidence))
    )
    limit = (
        fill("report.at-most", shown=at_most(ratio))
        if math.isfinite(ratio)
        else fill("report.no-limit")
    )
    who, what = (fill(f"report.{word}.{each.adversary}") for word in ("reader", "about"))
    return (who, what, *cells, limit, holds)


def _exceeding(made: Compared) -> tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]]:
    caption = fill("report.exceeding.caption")
    columns = (
        fill("report.compared.reader"),
        *(fill("report.exceeding.times", ratio=f"{ratio:g}") for ratio in made.ratios),
    )
    rows = tuple(
        (
            fill(f"report.reader.{each.adversary}"),
            *(
                share(chance, certain=True)
                for chance in np.asarray(each.exceeding(made.ratios).value).tolist()
            ),
        )
        for each in readers(made.found)
    )
    return caption, columns, rows


def _asked(report: Report, assessment: Assessment) -> Section:
    secret = assessment.adversary.secret
    who = whom(report.release)
    first = assessment is report.assessments[0]
    blocks: list[Block] = [Text(fill(f"report.knows.{secret}", who=who))]
    if not first:
        blocks.append(Text(fill(f"report.second.{secret}")))
    if len(assessment.statements) > 1:
        blocks.append(Text(fill("report.also")))
    for statement in assessment.statements:
        used = [finding.theorem for finding in statement.findings]
        used += [statement.loss.theorem, statement.composed.theorem]
        blocks.append(_beliefs(assessment, statement))
        blocks.append(because(report, of_statement(assessment, statement), used))
    best = tightest(assessment)
    middle = report.asked.middle
    blocks.append(figures.belief(assessment, best, f"belief-{secret}", middle))
    *_, every = other_questions(assessment, best)
    blocks.append(Items((every,) if first else (headline(assessment), every)))
    return Section(fill(f"report.asks.{secret}", who=who), tuple(blocks))


def _beliefs(assessment: Assessment, statement: Statement) -> Table:
    several = len(assessment.statements) > 1
    named = (
        fill("report.beliefs.one", label=begun(statement.label))
        if several
        else fill("report.beliefs.belief")
    )
    caption = fill("report.beliefs.caption", named=named, sure=sure(statement.confidence))
    columns = (
        fill("report.beliefs.before"),
        fill("report.beliefs.least"),
        fill("report.beliefs.most"),
        fill("report.beliefs.change"),
        fill("report.beliefs.ratio"),
    )
    rows = []
    for prior in dict.fromkeys(assessment.adversary.priors):
        after = statement.find("posterior", prior)
        of = scale(prior, after.lower, after.upper)
        rows.append(
            (
                out_of(prior, of),
                least(after.lower, prior, of),
                most(after.upper, prior, of),
                *_moves(statement, prior),
            )
        )
    rows.append((fill("report.beliefs.every"), "", "", *_moves(statement, None)))
    return Table(caption, columns, tuple(rows))


def _moves(statement: Statement, prior: float | None) -> tuple[str, str]:
    change, ratio = statement.find("difference", prior), statement.find("ratio", prior)
    moved = change.extent
    largest = most(moved, 0.5, scale(0.5, 0.5 + min(moved, 0.5)))
    at = (
        fill("report.beliefs.near", near=near(change.worst_priors[1]))
        if change.worst_priors
        else ""
    )
    limit = at_most(ratio.upper) if math.isfinite(ratio.upper) else fill("report.no-limit")
    return largest + at, limit


def _tested(report: Report) -> list[Section]:
    made = report.attacked
    if made is None:
        return []
    lead = fill("report.tested.lead")
    known = all(part.mechanism is not None for part in made.release.parts)
    blocks: tuple[Block, ...] = (
        Text(lead),
        Text(fill("report.tested.known" if known else "report.tested.any")),
        _powers(made),
        because(report, f"{ASSUMED}-tested", [made.curve.power.theorem]),
        figures.powers(made),
        Items(_alarms(report, made)),
    )
    return [Section(fill("report.title.tested"), blocks)]


def _alarms(report: Report, made: Attacked) -> tuple[str, ...]:
    """Sentences for the middle of the levels and of the priors; the table has the rest."""
    from dprisk.risk import attack

    levels = report.asked.levels
    test = attack(made.composed.guarantee, secret=made.curve.secret)
    one = test.curve(levels[len(levels) // 2 :][:1], [report.asked.middle])
    return alarms(one, report.release)


def _powers(made: Attacked) -> Table:
    low, high = made.curve.power.bracket
    beliefs = [fill("report.tested.alarm", prior=given(prior)) for prior in made.curve.priors]
    columns = (
        fill("report.tested.level"),
        fill("report.tested.least"),
        fill("report.tested.most"),
        *beliefs,
    )
    rows = []
    for at, level in enumerate(made.curve.levels.tolist()):
        known = None if low is None else float(np.asarray(low)[at])
        after = [float(np.asarray(v.value)[at]) for v in made.curve.predictive_values]
        cells = [most(value, prior) for value, prior in zip(after, made.curve.priors, strict=True)]
        rows.append((f"{level:.12g}", *ends(known, float(np.asarray(high)[at]), 4), *cells))
    return Table(fill("report.tested.caption"), columns, tuple(rows))
