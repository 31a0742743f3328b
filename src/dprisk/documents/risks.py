"""Who could learn what: reader by reader, a table and a figure each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dprisk.composition.basis import basis_of
from dprisk.documents.beliefs import other_questions
from dprisk.documents.document import (
    Block,
    Figure,
    Items,
    Section,
    Sentence,
    Table,
    figure,
    on_grid,
)
from dprisk.documents.grounds import (
    ASSUMED,
    because,
    confidence_of,
    limiting,
    of_statement,
    readers,
    shown,
)
from dprisk.documents.promises import named_noise, whole_promise
from dprisk.documents.saying import (
    begun,
    claimed,
    counted_in,
    gaps,
    given_chances,
    heads,
    least,
    most,
    one_record,
    rise,
    say,
    share,
    starting,
    sure,
)
from dprisk.documents.topics import alarms
from dprisk.text import fill, language
from dprisk.text.rounding import at_most, ended, out_of

if TYPE_CHECKING:
    from dprisk.allocation.finding import Findings
    from dprisk.answer import Answer
    from dprisk.curves.rungs import Ladder
    from dprisk.documents.assessing import Assessment, Statement
    from dprisk.documents.compositions import Attacked, Compared
    from dprisk.documents.reporting import Report
    from dprisk.risk.counterfactual import Counterfactual

USUAL = ("in_half", "in_most", "out_half", "out_most")  # in the order of `Assessment.usual`
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
        *filter(None, [usual(report.assessments[0])]),
        *_tested(report),
    ]
    lead = (say("report.risks.lead"),) if inside else ()
    refused = () if report.compared is None else report.compared.refused
    missing = [(begun(fill(f"report.reader.{name}")), why) for name, why in refused]
    lines = [
        fill("report.risks.missing", name=name, why=why.why)
        for name, why in (*missing, *report.missing)
    ]
    if lines:
        inside.append(Section(fill("report.title.missing"), (Items(tuple(lines)),)))
    return Section(fill("report.title.learned"), lead, tuple(inside))


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
        person = []
        for one in lay.sections:
            lines = tuple(str(line) for line in one.sentences if line.key not in SAID)
            person.append(Section(one.title, (Items(lines),)))
        lead = say("report.person.lead")
        return Section(fill("report.title.person"), (lead,), tuple(person), topic="person")


def _compared(report: Report) -> list[Section]:
    made = report.compared
    if made is None:
        return []
    several = "-several" if one_record(report.release) else ""
    world = fill(f"report.world{several}.{made.world}")
    found = limiting(made)
    after = [each.belief(made.without, confidence_of(made, each)).value for each in found]
    without, beliefs = _in_chances(report, "report.compared.from", made.without, after)
    reader, belief, ratio, last = heads("report.compared", "reader", "belief", "ratio", "holds")
    columns = (reader, belief, *without, ratio, last)
    rows = tuple(_row(made, each, cells) for each, cells in zip(found, beliefs, strict=True))
    holds = {row[-1] for row in rows}
    caption = fill("report.compared.caption")
    if len(holds) == 1:
        caption = fill("report.compared.caption.sure", sure=holds.pop())
        columns, rows = columns[:-1], tuple(row[:-1] for row in rows)
    blocks: list[Block] = [
        say("report.compared.lead", world=world, **gaps(report.release)),
        Table(caption, columns, rows),
        *([say("report.compared.everyone")] if len(found) < len(made.found) else []),
        because(report, f"{ASSUMED}-compared", (each.theorem for each in found)),
        _why_other(report, found),
    ]
    if any(not math.isfinite(float(each.ratio())) for each in made.found):
        blocks += [_exceeding(made), ratios(made)]
    return [Section(fill("report.title.compared"), tuple(blocks))]


def _why_other(report: Report, found: Sequence[Counterfactual]) -> Sentence:
    """Another question than that of the summary, and why its numbers can be larger."""
    averaged = {each.adversary in ("arbitrary-prior", "wrong-prior") for each in found}
    why = [fill("report.other.two-steps")] if False in averaged else []
    why += [fill("report.other.bayes")] if True in averaged else []
    return say(f"report.other.{report.asked.adversary.secret}", why="".join(why))


def _row(made: Compared, each: Counterfactual, cells: Sequence[str]) -> tuple[str, ...]:
    confidence = confidence_of(made, each)
    who, what = (fill(f"report.{word}.{each.adversary}") for word in ("reader", "about"))
    return (who, what, *cells, _factor(float(each.ratio(confidence))), sure(confidence).text)


def _factor(ratio: float) -> str:
    return at_most(ratio, apart=True) if math.isfinite(ratio) else fill("report.no-limit")


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


def _exceeding(made: Compared) -> Table:
    times = (fill("report.exceeding.times", ratio=f"{ratio:g}") for ratio in made.ratios)
    rows = []
    for each in readers(made.found):
        chances = np.asarray(each.exceeding(made.ratios).value).tolist()
        cells = [
            fill("report.no-limit") if chance == 1.0 else share(chance, certain=True)
            for chance in chances
        ]
        rows.append((fill(f"report.reader.{each.adversary}"), *cells))
    columns = (fill("report.compared.reader"), *times)
    return Table(fill("report.exceeding.caption"), columns, tuple(rows))


def _asked(report: Report, assessment: Assessment) -> Section:
    secret, best = assessment.adversary.secret, assessment.basis
    whose = gaps(report.release)
    first = assessment is report.assessments[0]
    knows = f"report.knows{'-several' if one_record(report.release) else ''}.{secret}"
    used = [finding.theorem for finding in shown(best)]
    used += [best.loss.theorem, best.composed.theorem]
    blocks: list[Block] = [
        say(knows, **whose),
        *([] if first else [say(f"report.second.{secret}")]),
        _beliefs(report, assessment, best),
        *_factors(report, best),
        Items(tuple(_other(report, assessment, best))),
        because(report, of_statement(assessment, best), used),
        *([difference(report.assessments)] if first else []),
    ]
    return Section(fill(f"report.asks.{secret}", **whose), tuple(blocks))


def usual(assessment: Assessment) -> Section | None:
    """Section on beliefs in usual cases, which can be far from the limits."""
    if not assessment.usual:
        return None
    middle, rows, said = assessment.adversary.middle, [], {}
    for prior in dict.fromkeys(assessment.adversary.priors):
        found = [one.upper for one in assessment.usual if one.prior == prior]
        of = counted_in(assessment, prior, *found)
        ends = [ended(one, upper=True, of=of, open_minded=prior != 1.0) for one in found]
        rows.append(
            (out_of(prior, of), *(fill(f"report.usual.{e.kind}", chances=e.shown) for e in ends))
        )
        if prior == middle:
            before = given_chances(prior, of)
            mosts = [fill(f"report.usual.most.{end.kind}", chances=end.shown) for end in ends]
            said = {"true": _usually(*mosts[:2]), "false": _usually(*mosts[2:])}
    claim = claimed(assessment.adversary.secret, assessment.release)
    lead = say("report.usual", before=before, claim=claim, **said)
    columns = heads("report.usual", "before", *USUAL)
    table = Table(fill("report.usual.caption"), columns, tuple(rows))
    return Section(fill("report.title.usual"), (lead, table))


def _usually(half: str, most: str) -> str:
    """Beliefs in half of all cases and in nearly all; once where they are the same."""
    return fill(f"report.usual.{'alike' if half == most else 'apart'}", half=half, most=most)


def _other(report: Report, assessment: Assessment, best: Statement) -> Iterator[str]:
    """Sentences on every prior, and on what other statements of the promise would give."""
    *_, every = other_questions(assessment, best, report.assessments[0])
    yield every
    ratio = best.find("ratio").upper
    if math.isfinite(ratio):
        certain = sure(best.confidence, "start")
        yield fill("report.beliefs.any", Sure=certain, ratio=at_most(ratio, apart=True))
    who = assessment.adversary
    apart = report.compared is not None and best.confidence is not None and who.sides == "both"
    if apart and who.secret == "attribute":
        yield fill("report.beliefs.together", sure=sure(best.confidence))
    middle = report.asked.middle
    for each in assessment.statements[1:]:
        after = each.find("posterior", middle).upper
        yield fill(
            "report.also",
            best=whole_promise(best.composed.guarantee),
            other=whole_promise(each.composed.guarantee),
            prior=starting(middle, after),
            up=rise(after, middle),
            sure=sure(each.confidence),
        )


def _beliefs(report: Report, assessment: Assessment, statement: Statement) -> Table:
    rows = []
    for prior in dict.fromkeys(assessment.adversary.beliefs):
        after, change = (statement.find(name, prior) for name in ("posterior", "difference"))
        of = counted_in(report.assessments[0], prior, after.lower, after.upper)
        rows.append(
            (
                out_of(prior, of),
                least(after.lower, prior, of),
                most(after.upper, prior, of),
                most(change.extent, 0.5, of),
                _factor(statement.find("ratio", prior).upper),
            )
        )
    columns = heads("report.beliefs", "before", "least", "most", "change", "ratio")
    caption = fill("report.beliefs.caption", sure=sure(statement.confidence))
    return Table(caption, columns, tuple(rows))


def _factors(report: Report, statement: Statement) -> Iterator[Block]:
    """The two factors of a belief in both, each with its own limit (P3, Equation 6)."""
    rows = []
    for finding, ratio in pairwise(statement.findings):
        if finding.metric in ("inclusion", "value"):
            of = counted_in(report.assessments[0], finding.prior or 0.0, finding.upper)
            before, after = (
                out_of(finding.prior or 0.0, of),
                most(finding.upper, finding.prior or 0.0, of),
            )
            rows.append(
                (fill(f"report.factor.{finding.metric}"), before, after, _factor(ratio.upper))
            )
    if rows:
        columns = heads("report.factors", "which", "before", "most", "ratio")
        caption = fill("report.factors.caption", sure=sure(statement.confidence))
        yield Table(caption, columns, tuple(rows))


def _tested(report: Report) -> list[Section]:
    made = report.attacked
    if made is None:
        return []
    blocks: tuple[Block, ...] = (
        say(f"report.tested.lead.{made.curve.secret}", **gaps(report.release)),
        say(f"report.tested.{named_noise(basis_of(made.release).parts)}"),
        _powers(report, made),
        because(report, f"{ASSUMED}-tested", [made.curve.power.theorem]),
        powers(made),
        Items(_alarms(report, made)),
    )
    return [Section(fill("report.title.tested"), blocks)]


def _alarms(report: Report, made: Attacked) -> tuple[str, ...]:
    """Sentences for the middle of the levels and of the priors; the table has the rest."""
    from dprisk.risk import attack

    levels = report.asked.levels
    test = attack(made.composed.guarantee, secret=made.curve.secret)
    priors = report.asked.priors
    one = test.curve(levels[len(levels) // 2 :][:1], [priors[len(priors) // 2]])
    return alarms(one, report.release)


def _powers(report: Report, made: Attacked) -> Table:
    _, high = made.curve.power.bracket
    after = np.asarray([each.value for each in made.curve.predictive_values]).T
    headings, beliefs = _in_chances(report, "report.tested.alarm", made.curve.priors, after)
    columns = (*heads("report.tested", "level", "most"), *headings)
    rows = tuple(
        (f"{level:.12g}", at_most(power, 4), *cells)
        for level, power, cells in zip(
            made.curve.levels.tolist(), np.asarray(high).tolist(), beliefs, strict=True
        )
    )
    return Table(fill("report.tested.caption"), columns, rows)


POINTS = 61  # of a curve
LEVELS = np.unique(
    np.concatenate(
        [np.linspace(0.0, 1.0, 101), np.geomspace(1e-5, 0.2, 61), 1.0 - np.geomspace(1e-5, 0.2, 61)]
    )
)


def icons(
    before: float, after: Answer, of: int, confidence: float | None, *, small: bool = False
) -> Figure:
    """The belief before and after the release, in the same hundred or thousand."""
    from dprisk.curves import draw_icons
    from dprisk.curves.look import axes_for

    names = heads("report.figure", "before", "after")
    cases: dict[str, Answer | float] = dict(zip(names, (before, after), strict=True))
    ax = axes_for(None, 3.0, 1.9) if small else None  # inches
    drawn = draw_icons(cases, of=100 if of == 100 else 1000, confidence=confidence, ax=ax)
    return figure("before-and-after", drawn)


def ratios(made: Compared) -> Figure:
    """How likely conclusions differ by more than a factor, for every reader."""
    from dprisk.curves import counterfactual_line, draw_lines
    from dprisk.curves.lines import last_seen

    far = 1.2 * max(last_seen(each.guarantee) for each in made.found)
    asked = [x for x in np.log(made.ratios) if x < far]
    epsilons = np.union1d(np.linspace(0.0, far, POINTS), asked)
    lines = [
        counterfactual_line(each, epsilons, name=fill(f"report.line.{each.adversary}"))
        for each in made.found
    ]
    drawn = figure("ratio", draw_lines(*lines))
    return replace(drawn, caption=fill("report.figure.ratios"))


def difference(assessments: Sequence[Assessment]) -> Figure:
    """How far a belief can move from every prior, for each question."""
    from dprisk.curves import beliefs, draw_beliefs
    from dprisk.risk.posterior import Disclosure

    curves = []
    for each in assessments:
        if each.statements:
            loss, sides = each.basis.loss, each.adversary.sides
            moved = Disclosure(loss, sides, loss.assumptions, each.basis.confidence)
            curves.append(beliefs(moved, name=fill(f"report.question.{each.adversary.secret}")))
    changes = draw_beliefs(*curves, metric="difference")
    drawn = figure("change", changes, lambda row: on_grid(row[1]))
    return replace(drawn, caption=fill("report.figure.change"))


def powers(made: Attacked) -> Figure:
    """The power of a test against its level."""
    from dprisk.curves import draw_lines, guarantee_line
    from dprisk.risk.adversary import between_hypotheses

    whole = between_hypotheses(made.composed.guarantee, made.curve.secret)
    line = guarantee_line(whole, "power", LEVELS, name=fill("report.figure.together"))
    drawn = figure("power", draw_lines(line), lambda row: on_grid(row[1]))
    return replace(drawn, caption=fill("report.figure.power"))


def going_on(climbed: Ladder, names: Sequence[str], limit: float | None) -> Figure:
    """A figure of what is learned as releases go on."""
    from dprisk.curves import draw_ladder

    drawn = figure("releases", draw_ladder(climbed, rungs=list(names), limit=limit))
    return replace(drawn, caption=fill("report.figure.releases"))


def concerned(found: Sequence[Findings], names: Sequence[str]) -> Figure:
    """The power of a test, for one concern beside the other."""
    from dprisk.curves import draw_lines, guarantee_line

    lines = [
        guarantee_line(one.guarantee, "power", LEVELS, name=name)
        for one, name in zip(found, names, strict=True)
    ]
    return figure("concerns", draw_lines(*lines), lambda row: on_grid(row[1], 0.1))
