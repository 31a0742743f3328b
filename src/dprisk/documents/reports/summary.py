"""The first pages: what it comes to, and what is released."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dprisk._values import brief
from dprisk.answer import Answer
from dprisk.composition.basis import basis_of
from dprisk.documents import headline
from dprisk.documents.blocks import Block, Facts, Figure, Items, Section, Sentence, Table
from dprisk.documents.document import Document
from dprisk.documents.promises import (
    about,
    bare_promise,
    named_noise,
    part_in_words,
    part_named,
    times_over,
)
from dprisk.documents.reports import figures
from dprisk.documents.reports.grounds import because, of_statement, signed
from dprisk.documents.reports.words import (
    begun,
    in_as_many,
    kept_until,
    most,
    named,
    promised,
)
from dprisk.documents.saying import counted_in, gaps, one_record, sure
from dprisk.text import count, decimal, fill, language
from dprisk.text.rounding import Scale, at_most, out_of, scale

if TYPE_CHECKING:
    from dprisk.curves.rungs import Ladder
    from dprisk.documents.findings import Assessment, LimitCheck, Statement
    from dprisk.documents.reports.report import Report
    from dprisk.releases.release import Part, Release
    from dprisk.theorems import Theorem

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
            (Sentence(headline(first), strong=True), *limits_in_words(first)),
        )
    statement = first.basis
    blocks: list[Block] = [
        Sentence(headline(first), strong=True),
        picture(report, statement),
        Sentence(promised(report.release, statement)),
        *limits_in_words(first),
    ]
    blocks += little(statement)
    used = headline_theorems(report, statement)
    blocks.append(because(report, of_statement(first, statement), used))
    return Section(fill("report.title.summary"), tuple(blocks))


def little(statement: Statement) -> list[Block]:
    """Say where the worst case rules out next to nothing, and what would help."""
    if not statement.is_vacuous:
        return []
    return [Sentence(fill(f"report.little.{named_noise(statement.parts)}"))]


def headline_theorems(report: Report, statement: Statement) -> tuple[Theorem, ...]:
    """Theorems from the headline back to the promise."""
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
    columns = tuple(
        fill(f"report.limits.{column}")
        for column in ("limited", "limit", "most", "before", "verdict")
    )
    return (Sentence(said), Table(caption, columns, rows))


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
    """The bound that a release keeps on what is limited, counted where there is a scale."""
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
        blocks += [Sentence(fill("report.release.invariants"))]
        blocks += [Items(release.invariants)]
    if release.notes:
        blocks += [Sentence(fill("report.release.notes"))]
        blocks += [
            Items(tuple(fill(f"note.{note.kind}", text=note.text) for note in release.notes))
        ]
    if release.source:
        blocks += [Sentence(fill("report.release.sources")), Items(release.source, linked=True)]
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
            tables.append(Table(caption, columns, rows))
    return facts, tables


def _without_label(part: Part) -> str:
    return part_in_words(replace(part, label="", count=1))


LISTED = 4  # of a list
NAME, CURATOR, LINE, NOTES = 90, 60, 180, 480  # letters


def page_of_report(report: Report) -> Document:
    """The whole report as a document."""
    from dprisk import __version__

    release, labels = report.release, report.asked.labels
    with language(labels.language):
        said = [
            fill("report.page.curator", curator=release.curator) if release.curator else "",
            fill("report.page.by", by=labels.by) if labels.by else "",
            labels.date,
        ]
        line, start = ", ".join(filter(None, said)), fill("report.page.lead")
        return Document(
            fill("report.page.title", name=release.name),
            report.sections(),
            fill("report.page.subtitle", start=start, line=begun(line)) if line else start,
            fill("report.page.footer", version=__version__),
            labels.language,
            report.to_dict(),
            inputs=labels.inputs,
        )


def one_page(report: Report) -> Document:
    """A report on one page: the same question, the same number, less of it."""
    release, labels = report.release, report.asked.labels
    published = (release.curator, release.date)
    with language(labels.language):
        return Document(
            fill("summary.page.title", name=brief(release.name, most=NAME)),
            (
                _released(report),
                _result(report),
                _limits(report),
                _one_page_assumed(report),
                Section(fill("summary.title.uncovered"), (_uncovered(report),)),
                signed(_brief(report)),
            ),
            ", ".join(brief(text, most=CURATOR) for text in published if text),
            _made_with(report),
            labels.language,
            report.to_dict(),
            sheet=True,
            inputs=labels.inputs,
        )


def _made_with(report: Report) -> str:
    """The theorems behind the page, and where the whole report is."""
    from dprisk import __version__

    first, file = report.assessments[0], report.asked.labels.file
    said = [fill("summary.page.made", version=__version__)]
    if first.statements:
        names = dict.fromkeys(each.named for each in headline_theorems(report, first.basis))
        said.insert(0, fill("summary.page.theorems", theorems="; ".join(names)))
    if file:
        said.append(fill("summary.page.whole", file=brief(file, most=NAME)))
    return " ".join(said)


def _brief(report: Report) -> Report:
    """Shorten names to the room on the page."""
    labels = report.asked.labels
    short = replace(labels, by=brief(labels.by, most=40), date=brief(labels.date, most=40))
    return replace(report, asked=replace(report.asked, labels=short))


def _listed(texts: tuple[str, ...]) -> str:
    """The first of them, as long as there is room, and how many more there are."""
    room = LINE // max(1, min(len(texts), LISTED))
    shown = [brief(text, most=room) for text in texts[:LISTED]]
    rest = len(texts) - len(shown)
    return "; ".join([*shown, fill("summary.more", count=count(rest))] if rest else shown)


def _released(report: Report) -> Section:
    release = report.release
    labels = tuple(dict.fromkeys(part.label for part in release.parts if part.label))
    false = basis_of(release).unkept
    also = tuple(part for part in release.stated_also if part not in false)
    room = NOTES // max(1, min(len(release.notes), LISTED))
    notes = [
        fill(f"note.{note.kind}", text=brief(note.text, most=room))
        for note in release.notes[:LISTED]
    ]
    pairs = (
        (fill("summary.release"), _listed(labels)),
        (fill(f"summary.{_kind(report)}"), _promise(report)),
        (fill("summary.also"), _listed(tuple(map(part_in_words, also)))),
        (fill("summary.false"), _listed(tuple(map(part_in_words, false)))),
        (fill("summary.exact"), _listed(release.invariants)),
        (fill("summary.notes"), " ".join(notes)),
    )
    facts = Facts(tuple((name, said) for name, said in pairs if said))
    return Section(fill("summary.title.release"), (facts,))


def _kind(report: Report) -> str:
    """The kind of release: of promises, of mechanisms that were run, or of both."""
    first = report.assessments[0]
    if not first.statements:
        return "promise"
    return {"any": "promise", "known": "run"}.get(named_noise(first.basis.parts), "parts")


def _promise(report: Report) -> str:
    release, first = report.release, report.assessments[0]
    terms = brief(about(release), most=LINE)
    if not first.statements:
        return fill("summary.promise.none", about=terms)
    statement = first.basis
    composed = statement.composed
    parts = tuple(replace(part, label="") for part in statement.parts)
    uses = sum(part.count for part in parts)
    if composed.is_alone:
        return fill(
            "summary.promise.one", whole=brief(part_in_words(parts[0]), most=LINE), about=terms
        )
    said = {"whole": bare_promise(composed.guarantee), "about": terms}
    if composed.guarantee.is_stated and named_noise(parts) == "any" and release.releases == 1:
        key = "outputs" if uses > len(parts) else "parts"
        return fill(f"summary.promise.{key}", number=count(uses), **said)
    key = "together" if composed.guarantee.is_stated else "point"
    return fill(
        f"summary.promise.{key}",
        parts=_listed(tuple(map(part_named, parts))),
        times_over=times_over(release),
        **said,
    )


def _result(report: Report) -> Section:
    first = report.assessments[0]
    blocks: list[Block] = [Sentence(headline(first), strong=True)]
    if first.statements:
        statement = first.basis
        blocks += [picture(report, statement, small=True), _beliefs(report), *little(statement)]
    return Section(fill("summary.title.result"), tuple(blocks))


def _beliefs(report: Report) -> Table:
    """The same question from other beliefs."""
    statement = report.assessments[0].basis
    priors = sorted(dict.fromkeys(report.asked.priors))
    step = -(-len(priors) // LISTED)
    of = counted_in(report.assessments[0], report.asked.middle)
    rows = []
    for prior in sorted({report.asked.middle, *priors[::step][:LISTED]}):
        after = statement.find("posterior", prior)
        ends = (
            in_as_many(after.lower, prior, of, upper=False),
            in_as_many(after.upper, prior, of, upper=True),
        )
        rows.append((out_of(prior, of), *ends))
    return Table(
        fill("summary.starts.caption", sure=sure(statement.confidence)),
        tuple(fill(f"summary.starts.{column}") for column in ("before", "least", "most")),
        tuple(rows),
    )


def _limits(report: Report) -> Section:
    first = report.assessments[0]
    blocks = limits_in_words(first) or (Sentence(fill("summary.no-limit")),)
    limit = dict(report.asked.limits).get("posterior")
    if limit is not None and report.ladder is not None:
        of = counted_in(first, first.adversary.middle) if first.statements else 100
        blocks = (*blocks, Sentence(_going_on(report.ladder, limit, of)))
    return Section(fill("summary.title.limits"), blocks)


def _going_on(climbed: Ladder, limit: float, of: Scale) -> str:
    """For how many releases a limit on the belief is kept."""
    last, first = kept_until(climbed, limit)
    key = "all" if first is None else "none" if last < 1 else "one" if last == 1 else "until"
    asked = {"limit": out_of(limit, of), "prior": out_of(climbed.prior, of)}
    return fill(f"summary.going-on.{key}", last=count(last), **asked)


def _one_page_assumed(report: Report) -> Section:
    release = report.release
    one, secret = one_record(release), report.asked.adversary.secret
    several = "-several" if one and secret == "attribute" else ""
    lines = ["made", f"knows{several}.{secret}"]
    neighbors = f"neighbors{'-several' if one else ''}.{release.neighbors}"
    lines += [] if release.neighbors_stated else [neighbors]
    if release.releases * sum(part.count for part in basis_of(release).parts) > 1:
        lines.append("own-noise")
    said = [fill(f"summary.assumed.{x}", one=one, **gaps(release)) for x in lines]
    said += [fill(f"claim.read.{secret}")] if report.asked.labels.claim else []
    return Section(fill("summary.title.assumed"), (Items(tuple(said)),))


def _uncovered(report: Report) -> Items:
    inside = ("inside",) if report.release.neighbors == "replace-one" else ()
    lines = ("people", "others", *inside, "later", "exact", "leaks")
    return Items(tuple(fill(f"summary.uncovered.{line}") for line in lines))
