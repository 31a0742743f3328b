"""Who could learn what: reader by reader, a table and a figure each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dprisk.composition.basis import basis_of
from dprisk.documents.beliefs import other_questions
from dprisk.documents.blocks import Block, Items, Section, Sentence, Table
from dprisk.documents.outlook import alarms
from dprisk.documents.promises import named_noise, whole_promise
from dprisk.documents.reports import figures
from dprisk.documents.reports.grounds import (
    ASSUMED,
    because,
    confidence_of,
    limiting,
    of_statement,
    readers,
    shown,
)
from dprisk.documents.reports.words import begun, given, least, most, rise, share
from dprisk.documents.saying import counted_in, gaps, one_record, sure
from dprisk.text import fill, language
from dprisk.text.rounding import at_most, out_of

if TYPE_CHECKING:
    from dprisk.documents.assessing import Attacked, Compared
    from dprisk.documents.findings import Assessment, Statement
    from dprisk.documents.reports.report import Report
    from dprisk.risk.counterfactual import Counterfactual

MEANT = ("guarantee", "exceptions", "delta", "worst")  # of the explanation, by key
SAID = frozenset(  # in the summary, in the notes or in a table
    {
        "guarantee.stated.full",
        "guarantee.also.full",
        "exceptions.both.full",
        "delta.none.full",
        "delta.curve.full",
        "worst.most.full",
        "worst.little.full",
        "worst.unknown.full",
    }
)


def learned(report: Report) -> Section:
    """One section for each reader; what there is no bound about is said as well."""
    inside = [
        *_compared(report),
        *(_asked(report, each) for each in report.assessments if each.statements),
        *_tested(report),
    ]
    lead: list[Block] = []
    if inside:
        lead = [Sentence(fill("report.risks.lead"))]
    refused = () if report.compared is None else report.compared.refused
    lines = [
        fill("report.risks.missing", name=begun(fill(f"report.reader.{name}")), why=why.why)
        for name, why in refused
    ]
    lines += [fill("report.risks.missing", name=name, why=why.why) for name, why in report.missing]
    if lines:
        inside.append(Section(fill("report.title.missing"), (Items(tuple(lines)),)))
    return Section(fill("report.title.learned"), tuple(lead), tuple(inside))


def promised(report: Report) -> Section | None:
    """The section on the promise, but for what the summary or a table says already."""
    if not report.assessments[0].statements:
        return None
    meant = tuple(
        str(line)
        for one in report.explanations[0].sections
        for line in one.sentences
        if line.key.partition(".")[0] in MEANT and line.key not in SAID
    )
    return Section(fill("report.title.promise"), (Items(meant),))


def handed_on(report: Report) -> Section | None:
    """The same for the person whose data it is, in the language of such readers."""
    if not report.assessments[0].statements:
        return None
    lay = report.explanations[1]
    with language(lay.language):
        person = tuple(_titled(one) for one in lay.sections)
        lead = Sentence(fill("report.person.lead"))
        return Section(fill("report.title.person"), (lead,), person, topic="person")


def _titled(section: Section) -> Section:
    lines = tuple(str(line) for line in section.sentences if line.key not in SAID)
    return Section(section.title, (Items(lines),))


def _compared(report: Report) -> list[Section]:
    made = report.compared
    if made is None:
        return []
    several = "-several" if one_record(report.release) else ""
    world = fill(f"report.world{several}.{made.world}")
    lead = fill("report.compared.lead", world=world, **gaps(report.release))
    found = limiting(made)
    after = [each.belief(made.without, confidence_of(made, each)).value for each in found]
    without, beliefs = _in_chances(report, "report.compared.from", made.without, after)
    columns = (
        fill("report.compared.reader"),
        fill("report.compared.belief"),
        *without,
        fill("report.compared.ratio"),
        fill("report.compared.holds"),
    )
    rows = tuple(_row(made, each, cells) for each, cells in zip(found, beliefs, strict=True))
    holds = {row[-1] for row in rows}
    caption = fill("report.compared.caption")
    if len(holds) == 1:
        caption = fill("report.compared.caption.sure", sure=holds.pop())
        columns, rows = columns[:-1], tuple(row[:-1] for row in rows)
    blocks: list[Block] = [
        Sentence(lead),
        Table(caption, columns, rows),
        because(report, f"{ASSUMED}-compared", (each.theorem for each in found)),
        Sentence(_why_other(report, found)),
    ]
    if len(found) < len(made.found):
        blocks.insert(2, Sentence(fill("report.compared.everyone")))
    if any(not math.isfinite(float(each.ratio())) for each in made.found):
        blocks += [Table(*_exceeding(made)), figures.ratios(made)]
    return [Section(fill("report.title.compared"), tuple(blocks))]


def _why_other(report: Report, found: Sequence[Counterfactual]) -> str:
    """Another question than that of the summary, and why its numbers can be larger."""
    averaged = {each.adversary in ("arbitrary-prior", "wrong-prior") for each in found}
    why = [fill("report.other.two-steps")] if False in averaged else []
    why += [fill("report.other.bayes")] if True in averaged else []
    return fill(f"report.other.{report.asked.adversary.secret}", why="".join(why))


def _row(made: Compared, each: Counterfactual, cells: Sequence[str]) -> tuple[str, ...]:
    confidence = confidence_of(made, each)
    ratio = float(each.ratio(confidence))
    limit = at_most(ratio, apart=True) if math.isfinite(ratio) else fill("report.no-limit")
    who, what = (fill(f"report.{word}.{each.adversary}") for word in ("reader", "about"))
    return (who, what, *cells, limit, sure(confidence).text)


def _in_chances(
    report: Report, key: str, priors: Sequence[float], after: npt.ArrayLike
) -> tuple[list[str], list[list[str]]]:
    """A heading for each prior and its beliefs below, in as many chances as the heading."""
    rows = np.asarray(after, dtype=float)
    first = report.assessments[0]
    scales = [
        counted_in(first, prior, *ends) for prior, ends in zip(priors, rows.T.tolist(), strict=True)
    ]
    headings = [
        fill(key, prior=out_of(prior, of)) for prior, of in zip(priors, scales, strict=True)
    ]
    cells = [list(map(most, row, priors, scales)) for row in rows.tolist()]
    return headings, cells


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
                fill("report.no-limit") if chance == 1.0 else share(chance, certain=True)
                for chance in np.asarray(each.exceeding(made.ratios).value).tolist()
            ),
        )
        for each in readers(made.found)
    )
    return caption, columns, rows


def _asked(report: Report, assessment: Assessment) -> Section:
    secret = assessment.adversary.secret
    whose = gaps(report.release)
    first = assessment is report.assessments[0]
    knows = f"report.knows{'-several' if one_record(report.release) else ''}.{secret}"
    blocks: list[Block] = [Sentence(fill(knows, **whose))]
    if not first:
        blocks.append(Sentence(fill(f"report.second.{secret}")))
    best = assessment.basis
    blocks += [_beliefs(report, assessment, best), Items(tuple(_other(report, assessment, best)))]
    used = [finding.theorem for finding in shown(best)]
    used += [best.loss.theorem, best.composed.theorem]
    blocks.append(because(report, of_statement(assessment, best), used))
    if first:
        blocks.append(figures.difference(report.assessments))
    return Section(fill(f"report.asks.{secret}", **whose), tuple(blocks))


def _other(report: Report, assessment: Assessment, best: Statement) -> Iterator[str]:
    """Sentences on every prior, and on what other statements of the promise would give."""
    *_, every = other_questions(assessment, best, report.assessments[0])
    yield every
    ratio = best.find("ratio").upper
    if math.isfinite(ratio):
        yield fill(
            "report.beliefs.any",
            Sure=sure(best.confidence, "start"),
            ratio=at_most(ratio, apart=True),
        )
    who = assessment.adversary
    apart = report.compared is not None and best.confidence is not None and who.sides == "both"
    if apart and who.secret == "attribute":
        yield fill("report.beliefs.together", sure=sure(best.confidence))
    middle = report.asked.middle
    for each in assessment.statements:
        if each is not best:
            after = each.find("posterior", middle).upper
            yield fill(
                "report.also",
                best=whole_promise(best.composed.guarantee),
                other=whole_promise(each.composed.guarantee),
                prior=given(middle, after),
                up=rise(after, middle),
                sure=sure(each.confidence),
            )


def _beliefs(report: Report, assessment: Assessment, statement: Statement) -> Table:
    columns = tuple(
        fill(f"report.beliefs.{column}")
        for column in ("before", "least", "most", "change", "ratio")
    )
    rows = []
    for prior in dict.fromkeys(assessment.adversary.priors):
        after = statement.find("posterior", prior)
        change, ratio = statement.find("difference", prior), statement.find("ratio", prior)
        of = counted_in(report.assessments[0], prior, after.lower, after.upper)
        moved = change.extent
        rows.append(
            (
                out_of(prior, of),
                least(after.lower, prior, of),
                most(after.upper, prior, of),
                most(moved, 0.5, of),
                at_most(ratio.upper, apart=True)
                if math.isfinite(ratio.upper)
                else fill("report.no-limit"),
            )
        )
    caption = fill("report.beliefs.caption", sure=sure(statement.confidence))
    return Table(caption, columns, tuple(rows))


def _tested(report: Report) -> list[Section]:
    made = report.attacked
    if made is None:
        return []
    lead = fill(f"report.tested.lead.{made.curve.secret}", **gaps(report.release))
    blocks: tuple[Block, ...] = (
        Sentence(lead),
        Sentence(fill(f"report.tested.{named_noise(basis_of(made.release).parts)}")),
        _powers(report, made),
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


def _powers(report: Report, made: Attacked) -> Table:
    _, high = made.curve.power.bracket
    after = np.asarray([each.value for each in made.curve.predictive_values]).T
    headings, beliefs = _in_chances(report, "report.tested.alarm", made.curve.priors, after)
    columns = (fill("report.tested.level"), fill("report.tested.most"), *headings)
    rows = tuple(
        (f"{level:.12g}", at_most(power, 4), *cells)
        for level, power, cells in zip(
            made.curve.levels.tolist(), np.asarray(high).tolist(), beliefs, strict=True
        )
    )
    return Table(fill("report.tested.caption"), columns, rows)
