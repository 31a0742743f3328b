"""The first pages: what it comes to, and what is released."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dprisk.answer import Answer
from dprisk.composition.basis import basis_of
from dprisk.explain import headline
from dprisk.explain.promises import named_noise, part_in_words
from dprisk.explain.rounding import Scale, at_most, out_of, scale
from dprisk.explain.units import gaps, one_record
from dprisk.explain.wording import counted_in
from dprisk.report import figures
from dprisk.report.blocks import Block, Facts, Figure, Items, Section, TableBlock, Text
from dprisk.report.grounds import because, of_statement
from dprisk.report.words import most, named, promised
from dprisk.text import count, decimal, fill, language

if TYPE_CHECKING:
    from dprisk.assessment.statements import Assessment, LimitCheck, Statement
    from dprisk.releases.release import Part, Release
    from dprisk.report.document import Report
    from dprisk.sources import Theorem


CHANCES = ("posterior", "difference")  # of limits: counted as on the rest of the page
CALLED = {"known": "run", "some": "mixed", "any": "parts"}
COLUMNS = {"run": "mechanism", "mixed": "either"}


def summary(report: Report) -> Section:
    """One sentence and one picture with the same number, the promise, then the limits."""
    with language(report.asked.labels.language):
        return _summary(report)


def _summary(report: Report) -> Section:
    first = report.assessments[0]
    if not first.statements:
        return Section(
            fill("report.title.summary"),
            (Text(headline(first), strong=True), *limits_in_words(first)),
        )
    statement = first.basis
    blocks: list[Block] = [
        Text(headline(first), strong=True),
        picture(report, statement),
        Text(promised(report.release, statement)),
        *limits_in_words(first),
    ]
    blocks += little(statement)
    used = headline_theorems(report, statement)
    blocks.append(because(report, of_statement(first, statement), used))
    return Section(fill("report.title.summary"), tuple(blocks))


def little(statement: Statement) -> list[Block]:
    """Where the worst case rules out next to nothing, that is said, and what would help."""
    if not statement.is_vacuous:
        return []
    return [Text(fill(f"report.little.{named_noise(statement.parts)}"))]


def headline_theorems(report: Report, statement: Statement) -> tuple[Theorem, ...]:
    """From the headline to the promise."""
    found = statement.find("posterior", report.asked.middle)
    return found.theorem, statement.loss.theorem, statement.composed.theorem


def picture(report: Report, statement: Statement, *, small: bool = False) -> Figure:
    """The headline as icons."""
    finding = statement.find("posterior", report.asked.middle)
    before = report.asked.middle
    after = Answer(finding.upper, finding.upper_bound, finding.theorem)
    of = scale(before, finding.lower, finding.upper)
    return figures.icons(before, after, of, statement.confidence, small=small)


def limits_in_words(first: Assessment) -> tuple[Block, ...]:
    """Whether the limits are kept, in a sentence and one by one."""
    if not first.limits:
        return ()
    kept = sum(limit.kept for limit in first.limits)
    count = len(first.limits)
    if count == 1:
        said = fill("report.limits.one.kept" if kept else "report.limits.one.broken")
    else:
        several = "report.limits.several-one" if kept == 1 else "report.limits.several"
        said = fill(several, count=count, kept=kept)
    of = counted_in(first, first.adversary.middle) if first.statements else None
    rows = tuple(_limit(limit, of) for limit in first.limits)
    question = fill(f"report.asked.{first.adversary.secret}", **gaps(first.release))
    caption = fill("report.limits.caption", question=question)
    columns = (
        fill("report.limits.limited"),
        fill("report.limits.limit"),
        fill("report.limits.most"),
        fill("report.limits.before"),
        fill("report.limits.verdict"),
    )
    return (Text(said), TableBlock(caption, columns, rows))


def _limit(limit: LimitCheck, of: Scale | None) -> tuple[str, ...]:
    """A limit beside what is kept; `of`: in how many chances are counted, None if none is known."""
    many = of or 100
    where = fill("report.limits.any") if limit.prior is None else out_of(limit.prior, many)
    verdict = fill("report.limits.kept") if limit.kept else fill("report.limits.broken")
    is_chance = limit.metric in CHANCES
    return (
        fill(f"report.limited.{limit.metric}"),
        out_of(limit.limit, many) if is_chance else decimal(f"{limit.limit:.12g}"),
        fill("report.limits.silent") if of is None else _found(limit, of if is_chance else None),
        where if of is not None else "",
        verdict,
    )


def _found(limit: LimitCheck, of: Scale | None) -> str:
    """What a release keeps of what is limited, at most."""
    if of is None:
        return at_most(limit.at_most)
    if limit.at_most > 0.99:
        return most(limit.at_most, limit.prior or 0.0, of)
    return fill("of", count=at_most(of * limit.at_most), of=count(of))


def described(report: Report) -> Section:
    """The release, with everything that a number about it depends on."""
    release = report.release
    pairs = [
        (fill("report.release.name"), release.name),
        (fill("report.release.curator"), release.curator),
        (fill("report.release.date"), release.date),
        (fill("report.release.region"), release.region),
        (fill("report.release.unit"), release.unit or fill("report.release.not-stated")),
        (fill("report.release.period"), _period(release.period)),
        (fill("report.release.times"), str(release.releases) if release.releases > 1 else ""),
        (
            fill("report.release.neighbors"),
            _neighbors(release) + _assumed(release.neighbors_stated),
        ),
        (fill("report.release.model"), fill(f"report.model.{release.model or 'none'}")),
    ]
    facts, tables = _stated(report)
    shown = [(name, text) for name, text in pairs if text]
    blocks: list[Block] = [Facts((*shown, *facts)), *tables]
    if release.invariants:
        blocks += [Text(fill("report.release.invariants"))]
        blocks += [Items(release.invariants)]
    if release.notes:
        blocks += [Text(fill("report.release.notes"))]
        blocks += [
            Items(tuple(fill(f"note.{note.kind}", text=note.text) for note in release.notes))
        ]
    if release.source:
        blocks += [Text(fill("report.release.sources")), Items(release.source, linked=True)]
    return Section(fill("report.title.release"), tuple(blocks))


def _neighbors(release: Release) -> str:
    several = one_record(release)
    if several is None:
        return fill(f"report.neighbors.{release.neighbors}")
    return fill(f"report.neighbors-several.{release.neighbors}", one=several)


def _period(period: str | None) -> str:
    if period == "once":
        return fill("report.release.once")
    return period or fill("report.release.not-stated")


def _assumed(stated: bool) -> str:
    return "" if stated else fill("report.release.assumed")


def _stated(report: Report) -> tuple[list[tuple[str, str]], list[Block]]:
    """Each promise as the source states it: one alone as a fact, several as a table."""
    release = report.release
    facts: list[tuple[str, str]] = []
    tables: list[Block] = []
    false = basis_of(release).unkept
    also = tuple(part for part in release.stated_also if part not in false)
    for key, parts in (("parts", release.parts), ("also", also), ("false", false)):
        kind = CALLED[named_noise(parts)] if parts and key == "parts" else key
        stated = ".source" if release.source and key == "parts" else ""
        caption = fill(f"report.release.{kind}{stated}")
        if len(parts) == 1 and not parts[0].label:
            facts.append((caption, part_in_words(parts[0])))
        elif parts:
            columns = tuple(
                fill(f"report.release.{column}")
                for column in ("part", COLUMNS.get(kind, "promise"), "count")
            )
            rows = tuple(
                (named(part, number), _without_label(part), count(part.count))
                for number, part in enumerate(parts, 1)
            )
            tables.append(TableBlock(caption, columns, rows))
    return facts, tables


def _without_label(part: Part) -> str:
    return part_in_words(replace(part, label="", count=1))
