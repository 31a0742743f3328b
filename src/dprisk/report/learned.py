"""Who could learn what: reader by reader, a table and a figure each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dprisk.explain import at_most, headline, sentences
from dprisk.explain.detection import alarms
from dprisk.explain.rounding import hundredths, out_of, scale
from dprisk.explain.wording import whom
from dprisk.report import figures
from dprisk.report.blocks import Block, Items, Section, Table, Text
from dprisk.report.opening import readers, tightest
from dprisk.report.words import ends, given, least, most, near, share, sure

if TYPE_CHECKING:
    from dprisk.assessment import Assessment, Attacked, Compared, Statement
    from dprisk.explain import Section as Told
    from dprisk.report.values import Report
    from dprisk.risk import Counterfactual

__all__ = ["WHO", "in_words", "learned"]

WHO = {
    "wrong-prior": "anybody, however wrong about the data",
    "arbitrary-prior": "somebody who is right about how records come about",
    "rest-known": "somebody who knows every other record, and how likely this one is to say what",
    "true-record": "somebody who knows every other record",
}
WHAT = {
    "wrong-prior": "anything that the record may say",
    "arbitrary-prior": "what the record really says",
    "rest-known": "anything that the record may say",
    "true-record": "what the record really says",
}
TITLES = {
    "membership": "Somebody who asks whether {who} is in the data",
    "attribute": "Somebody who asks what the record of {who} says",
}
KNOWS = {
    "membership": "This reader knows every other record, and everything about {who} but whether "
    "it is in the data.",
    "attribute": "This reader knows every other record, and that {who} is in the data, but not "
    "what its record says.",
}
OTHER = {
    "membership": "These numbers answer another question than the summary, which is about being in "
    "the data. They are about anything that the record may say, and for readers who may know less "
    "or be wrong. Where they are larger, that is why: another value is two steps away, one record "
    "out and one in.",
    "attribute": "These numbers answer another question than the summary, which compares two "
    "values of the record for a reader who knows all the rest. Here the same reader concludes "
    "twice, with the record and without it, and may know less or be wrong. Where they are larger, "
    "that is why.",
}
SCOPES = {
    True: "The limits are for what was run, as the release describes it.",
    False: "The limits hold for any mechanism that keeps the promise. Where more is known of the "
    "noise, as under Concern by concern, a test can do less.",
}
MEANT = ("guarantee", "exceptions", "delta", "worst-case", "limits")
WORLDS = {
    "resampled": "once with a record drawn from what the others say in its place",
    "default-record": "once with a fixed record in its place",
    "dropped": "once without it",
}


def learned(report: Report) -> Section:
    """One section for each reader; what there is no bound about is said as well."""
    inside = [
        *_compared(report),
        *(_asked(report, each) for each in report.assessments if each.statements),
        *_tested(report),
    ]
    lead: list[Block] = []
    if inside:
        lead = [
            Text(
                "Each number is the worst case for the reader named: “at most” and “at least” are "
                "limits, not estimates. Chances are rounded to the side on which they stay true."
            )
        ]
    refused = () if report.compared is None else report.compared.refused
    lines = [f"{WHO[name][0].upper()}{WHO[name][1:]}: {_why(why)}" for name, why in refused]
    lines += [f"{name}: {_why(why)}" for name, why in report.missing]
    if lines:
        inside.append(Section("What no limit follows for", (Items(tuple(lines)),)))
    return Section("Who could learn what", tuple(lead), tuple(inside))


def in_words(report: Report) -> tuple[Section, ...]:
    """What the promise means, and the same for the person whose data it is."""
    if not report.assessments[0].statements:
        return ()
    expert, lay = report.explanations
    meant = [one for one in expert.sections if one.topic in MEANT]
    inside = tuple(_titled(one) for one in meant)
    person = tuple(_titled(one) for one in lay.sections)
    lead = "In plain words, to be handed on as it is."
    return (
        Section("What the promise means", (), inside),
        Section("For the person whose data it is", (Text(lead),), person),
    )


def _why(text: str) -> str:
    """A reason without the advice on what else to ask: all of it stands in the report."""
    return text.partition(" Ask ")[0]


def _titled(section: Told) -> Section:
    return Section(section.title, (Items(tuple(map(str, section.sentences))),))


def _compared(report: Report) -> list[Section]:
    made = report.compared
    if made is None:
        return []
    who = whom(report.release)
    lead = (
        f"Results are made once with the record of {who} and {WORLDS[made.world]}, and the same "
        "reader draws conclusions from each. What is learned from everybody else is in both."
    )
    without = [f"From {given(belief)}" for belief in made.without]
    caption = "From a belief drawn without the record to that drawn with it, at most"
    rows = tuple(_row(made, each) for each in readers(made.found))
    blocks: list[Block] = [
        Text(lead),
        Table(caption, ("Reader", "Belief in", *without, "As a ratio", "Holds"), rows),
        Text(OTHER[report.asked.adversary.secret]),
    ]
    if any(not math.isfinite(float(each.ratio())) for each in made.found):
        blocks += [Table(*_exceeding(made)), figures.ratios(made)]
    return [Section("With the record and without it", tuple(blocks))]


def _confidence(made: Compared, each: Counterfactual) -> float | None:
    return None if each.adversary == "wrong-prior" else made.confidences[0]


def _row(made: Compared, each: Counterfactual) -> tuple[str, ...]:
    confidence = _confidence(made, each)
    ratio = float(each.ratio(confidence))
    beliefs = np.asarray(each.belief(made.without, confidence).value).tolist()
    cells = [most(after, before) for after, before in zip(beliefs, made.without, strict=True)]
    holds = "always" if confidence is None else f"in at least {hundredths(confidence)}% of cases"
    limit = f"at most {at_most(ratio)}" if math.isfinite(ratio) else "no limit"
    return (WHO[each.adversary], WHAT[each.adversary], *cells, limit, holds)


def _exceeding(made: Compared) -> tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]]:
    caption = "How likely the belief with the record is more than so many times the one without it"
    columns = ("Reader", *(f"More than {ratio:g} times" for ratio in made.ratios))
    rows = tuple(
        (
            WHO[each.adversary],
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
    blocks: list[Block] = [Text(KNOWS[secret].format(who=who))]
    for statement in assessment.statements:
        blocks.append(_beliefs(assessment, statement))
    best = tightest(assessment)
    blocks.append(figures.belief(assessment, best, f"belief-{secret}"))
    blocks.append(Items((headline(assessment), sentences(assessment)[-1])))
    return Section(TITLES[secret].format(who=who), tuple(blocks))


def _beliefs(assessment: Assessment, statement: Statement) -> Table:
    several = len(assessment.statements) > 1
    named = f"{statement.label[0].upper()}{statement.label[1:]}: belief" if several else "Belief"
    caption = f"{named} before and after the release ({sure(statement.confidence)})"
    columns = ("Before", "After: at least", "After: at most", "Change: at most", "Ratio: at most")
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
    rows.append(("every belief", "", "", *_moves(statement, None)))
    return Table(caption, columns, tuple(rows))


def _moves(statement: Statement, prior: float | None) -> tuple[str, str]:
    change, ratio = statement.find("difference", prior), statement.find("ratio", prior)
    moved = max(change.upper, -change.lower)
    largest = most(moved, 0.5, scale(0.5, 0.5 + min(moved, 0.5)))
    at = f", from near {near(change.worst_priors[1])}" if change.worst_priors else ""
    limit = at_most(ratio.upper) if math.isfinite(ratio.upper) else "no limit"
    return largest + at, limit


def _tested(report: Report) -> list[Section]:
    made = report.attacked
    if made is None:
        return []
    lead = (
        "This reader has two cases in mind, and runs a test on the results that raises an alarm "
        "for one of them. The level is the chance of a false alarm, the power that of a true one."
    )
    blocks: tuple[Block, ...] = (
        Text(lead),
        Text(SCOPES[all(part.mechanism is not None for part in made.release.parts)]),
        _powers(made),
        figures.powers(made),
        Items(_alarms(report, made)),
    )
    return [Section("Somebody who tests", blocks)]


def _alarms(report: Report, made: Attacked) -> tuple[str, ...]:
    """Sentences for the middle of the levels and of the priors; the table has the rest."""
    from dprisk.risk import attack

    levels = report.asked.levels
    test = attack(made.composed.guarantee, secret=made.curve.secret)
    one = test.curve(levels[len(levels) // 2 :][:1], [report.asked.middle])
    return alarms(one, report.release)


def _powers(made: Attacked) -> Table:
    low, high = made.curve.power.bracket
    beliefs = [f"Alarm, from {given(prior)}: at most" for prior in made.curve.priors]
    columns = ("Level", "Power: at least", "Power: at most", *beliefs)
    rows = []
    for at, level in enumerate(made.curve.levels.tolist()):
        known = None if low is None else float(np.asarray(low)[at])
        after = [float(np.asarray(v.value)[at]) for v in made.curve.predictive_values]
        cells = [most(value, prior) for value, prior in zip(after, made.curve.priors, strict=True)]
        rows.append((f"{level:.12g}", *ends(known, float(np.asarray(high)[at]), 4), *cells))
    return Table("The most that any test can do", columns, tuple(rows))
