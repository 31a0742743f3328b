"""The first pages: what it comes to, and what is released."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dprisk.answer import Answer
from dprisk.explain import at_most, headline
from dprisk.explain.rounding import scale
from dprisk.explain.wording import part_in_words, whom
from dprisk.report import figures
from dprisk.report.blocks import Block, Facts, Figure, Items, Section, Table, Text
from dprisk.report.words import ASKED, VACUOUS, given, named, promised

if TYPE_CHECKING:
    from dprisk.assessment import Assessment, Limit, Statement
    from dprisk.releases.release import Part
    from dprisk.report.values import Report
    from dprisk.risk import Counterfactual

__all__ = ["described", "readers", "summary", "tightest"]

METRICS = {
    "posterior": "belief after the release",
    "difference": "change of belief",
    "ratio": "belief after over belief before",
    "ratio_not": "the same, for the belief that it is not so",
    "odds": "factor on the odds",
}
LITTLE = (
    "At this size the worst case rules out little. It is over all mechanisms that keep the "
    "promise; what the mechanism that was really used can reveal may be much less, and the promise "
    "does not tell. Where the mechanism is known, list it under mechanisms in the release file."
)
KNOWN = "At this size the worst case rules out little."


def summary(report: Report) -> Section:
    """One sentence and one picture with the same number, the promise, then the limits."""
    first = report.assessments[0]
    if not first.statements:
        return Section("Summary", (Text(headline(first), strong=True), *_limits(first)))
    statement = tightest(first)
    blocks: list[Block] = [
        Text(headline(first), strong=True),
        _picture(report, statement),
        Text(promised(report.release, statement)),
        *_limits(first),
    ]
    if float(statement.loss) >= VACUOUS:
        known = all(part.mechanism is not None for part in statement.parts)
        blocks.append(Text(KNOWN if known else LITTLE))
    return Section("Summary", tuple(blocks))


def _picture(report: Report, statement: Statement) -> Figure:
    finding = statement.find("posterior", report.asked.middle)
    before = report.asked.middle
    after = Answer(finding.upper, finding.upper_bound, finding.theorem)
    return figures.icons(before, after, scale(before, finding.lower, finding.upper))


def readers(found: tuple[Counterfactual, ...]) -> list[Counterfactual]:
    """From the one who is bound by most to the one who knows most."""
    order = ("wrong-prior", "arbitrary-prior", "rest-known", "true-record")
    return sorted(found, key=lambda each: order.index(each.adversary))


def tightest(assessment: Assessment) -> Statement:
    """The statement that says most."""
    return min(assessment.statements, key=lambda statement: float(statement.loss))


def _limits(first: Assessment) -> tuple[Block, ...]:
    if not first.limits:
        return ()
    kept = sum(limit.kept for limit in first.limits)
    count = len(first.limits)
    said = (
        f"Of the {count} limits that were set, {kept} {'is' if kept == 1 else 'are'} kept"
        if count > 1
        else f"The limit that was set is {'kept' if kept else 'not kept'}"
    )
    rows = tuple(_limit(limit, bool(first.statements)) for limit in first.limits)
    question = ASKED[first.adversary.secret].format(who=whom(first.release))
    caption = f"Limits, for the question: {question}"
    columns = ("Limited", "Limit", "At most", "At a belief before of", "Verdict")
    return (Text(f"{said}."), Table(caption, columns, rows))


def _limit(limit: Limit, known: bool) -> tuple[str, ...]:
    where = "any" if limit.prior is None else given(limit.prior)
    verdict = "kept" if limit.kept else "not kept"
    found = at_most(limit.at_most) if known else "no number to check"
    return (METRICS[limit.metric], f"{limit.limit:.12g}", found, where if known else "", verdict)


def described(report: Report) -> Section:
    """The release, with everything that a number about it depends on."""
    release = report.release
    pairs = [
        ("Name", release.name),
        ("Released by", release.curator),
        ("First published", release.date),
        ("Region", release.region),
        ("Privacy unit", release.unit or "not stated"),
        ("Period of one release", release.period or "not stated"),
        ("Neighbors", NEIGHBORS[release.neighbors] + _assumed(release.neighbors_stated)),
        ("Who adds the noise", MODELS.get(release.model or "", "not stated")),
        ("Times released", str(release.releases)),
    ]
    blocks: list[Block] = [Facts(tuple((name, text) for name, text in pairs if text))]
    blocks += _parts(report)
    if release.invariants:
        blocks += [Text("Published without noise, outside of every promise:")]
        blocks += [Items(release.invariants)]
    if release.notes:
        blocks += [Text("Notes on the source:")]
        blocks += [Items(tuple(f"{note.kind}: {note.text}" for note in release.notes))]
    if release.source:
        blocks += [Text("Sources:"), Items(release.source)]
    return Section("What is released", tuple(blocks))


NEIGHBORS = {
    "add-remove": "add-remove: with one record and without it",
    "replace-one": "replace-one: one record says something else",
}
MODELS = {
    "central": "the curator, after collecting the data (central model)",
    "local": "each person, before the data is collected (local model)",
    "shuffle": "each person, before the data is mixed with that of others (shuffle model)",
    "federated": "in the course of federated learning: on each device, or where its updates meet",
    "varies": "in part the curator, in part each person",
}


def _assumed(stated: bool) -> str:
    return "" if stated else " (assumed: the source does not say)"


def _parts(report: Report) -> list[Block]:
    release = report.release
    found: list[Block] = []
    for caption, parts in (
        ("What is promised", release.parts),
        ("The same release, stated otherwise (never added to the above)", release.stated_also),
    ):
        if parts:
            rows = tuple(
                (named(part, number), _without_label(part), str(part.count))
                for number, part in enumerate(parts, 1)
            )
            found.append(Table(caption, ("Part", "Promise, as given", "Times"), rows))
    return found


def _without_label(part: Part) -> str:
    return part_in_words(replace(part, label="", count=1))
