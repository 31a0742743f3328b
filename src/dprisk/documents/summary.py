"""The first pages: what it comes to, and what is released."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from dprisk._lazy import named as loaded
from dprisk._values import brief
from dprisk.answer import Answer
from dprisk.composition.basis import basis_of
from dprisk.documents import headline, risks
from dprisk.documents.document import Block, Facts, Figure, Items, Section, Sentence, Table
from dprisk.documents.grounds import because, of_statement, signed
from dprisk.documents.promises import (
    about,
    bare_promise,
    in_one_sentence,
    named_noise,
    part_in_words,
    part_named,
    times_over,
)
from dprisk.documents.rendering import Document
from dprisk.documents.saying import (
    begun,
    computational,
    counted_in,
    gaps,
    heads,
    in_as_many,
    kept_until,
    most,
    named,
    one_record,
    say,
    sure,
)
from dprisk.text import count, decimal, fill, language
from dprisk.text.rounding import Scale, at_most, out_of, scale

if TYPE_CHECKING:
    from dprisk.documents.assessing import Assessment, LimitCheck, Statement
    from dprisk.documents.reporting import Report
    from dprisk.theorems import Theorem

CALLED = {"known": "run", "some": "mixed", "any": "parts"}
COLUMNS = {"run": "mechanism", "mixed": "either"}


SECTIONS = (  # each a function of a report, by its module; None where there is nothing to say
    "summary:summary",
    "summary:described",
    "risks:learned",
    "accumulation:composed",
    "accumulation:concerned",
    "accumulation:priced",
    "risks:promised",
    "grounds:justified",
    "risks:handed_on",
    "grounds:uncovered",
    "grounds:assumed",
    "grounds:reasons",
    "grounds:again",
    "grounds:signed",
)


@lru_cache(maxsize=4)  # drawn once for all formats
def laid_out(report: Report) -> tuple[Section, ...]:
    """Consequences first, then reasons; what there is nothing to say about is left out."""
    with language("en"):
        made = (loaded("dprisk.documents", name)(report) for name in SECTIONS)
        return tuple(each for each in made if each is not None and (each.blocks or each.inside))


def summary(report: Report) -> Section:
    """One sentence and one picture with the same number, the promise, then the limits."""
    with language(report.asked.labels.language):
        first = report.assessments[0]
        blocks: list[Block] = [Sentence(headline(first), strong=True)]
        if not first.statements:
            blocks += limits_in_words(first)
            return Section(fill("report.title.summary"), tuple(blocks))
        statement = first.basis
        used = headline_theorems(report, statement)
        blocks += [
            picture(report, statement),
            Sentence(in_one_sentence(report.release, statement)),
            *limits_in_words(first),
            *little(statement),
            because(report, of_statement(first, statement), used),
        ]
        return Section(fill("report.title.summary"), tuple(blocks))


def little(statement: Statement) -> list[Block]:
    """Say where the worst case rules out next to nothing, and what would help."""
    if not statement.is_vacuous:
        return []
    return [say(f"report.little.{named_noise(statement.parts)}")]


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
    return risks.icons(before, after, of, statement.confidence, small=small)


def limits_in_words(first: Assessment) -> tuple[Block, ...]:
    """Whether the limits are kept, in a sentence and one by one."""
    if not first.limits:
        return ()
    kept, several = sum(limit.kept for limit in first.limits), len(first.limits)
    if several == 1:
        said = say("report.limits.one.kept" if kept else "report.limits.one.broken")
    else:
        key = "report.limits.several-one" if kept == 1 else "report.limits.several"
        said = Sentence(fill(key, count=several, kept=kept))
    of = counted_in(first, first.adversary.middle) if first.statements else None
    rows = tuple(_limit(limit, of) for limit in first.limits)
    question = fill(f"report.asked.{first.adversary.secret}", **gaps(first.release))
    caption = fill("report.limits.caption", question=question)
    columns = heads("report.limits", "limited", "limit", "most", "before", "verdict")
    return (said, Table(caption, columns, rows))


def _limit(limit: LimitCheck, of: Scale | None) -> tuple[str, ...]:
    """A limit beside what is kept; `of`: in how many chances are counted, None if none is known."""
    many = of or 100
    is_chance = limit.metric in ("posterior", "difference")  # counted as on the rest of the page
    asked = out_of(limit.limit, many) if is_chance else decimal(f"{limit.limit:.12g}")
    where = fill("report.limits.any") if limit.prior is None else out_of(limit.prior, many)
    if of is None:
        found, where = fill("report.limits.silent"), ""
    elif not is_chance:
        found = at_most(limit.at_most)
    elif limit.at_most > 0.99:
        found = most(limit.at_most, limit.prior or 0.0, of)
    else:
        found = fill("of", count=at_most(of * limit.at_most), of=count(of))
    verdict = fill(f"report.limits.{'kept' if limit.kept else 'broken'}")
    return (fill(f"report.limited.{limit.metric}"), asked, found, where, verdict)


def described(report: Report) -> Section:
    """The release, with everything that a number about it depends on."""
    release = report.release
    unstated, once = heads("report.release", "not-stated", "once")
    several = one_record(release)
    neighbors = fill(
        f"report.neighbors{'-several' if several else ''}.{release.neighbors}", one=several
    )
    if not release.neighbors_stated:
        neighbors += fill("report.release.assumed")
    stated = {
        "name": release.name,
        "curator": release.curator,
        "date": release.date,
        "region": release.region,
        "unit": release.unit or unstated,
        "period": once if release.period == "once" else release.period or unstated,
        "times": str(release.releases) if release.releases > 1 else "",
        "neighbors": neighbors,
        "model": fill(f"report.model.{release.model or 'none'}"),
    }
    shown = [(fill(f"report.release.{name}"), text) for name, text in stated.items() if text]
    facts, tables = _stated(report)
    blocks: list[Block] = [Facts((*shown, *facts)), *tables]
    if release.invariants:
        blocks += [say("report.release.invariants"), Items(release.invariants)]
    if release.notes:
        notes = (fill(f"note.{note.kind}", text=note.text) for note in release.notes)
        blocks += [say("report.release.notes"), Items(tuple(notes))]
    if release.source:
        blocks += [say("report.release.sources"), Items(release.source, linked=True)]
    return Section(fill("report.title.release"), tuple(blocks))


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
            columns = heads("report.release", "part", COLUMNS.get(kind, "promise"), "count")
            rows = tuple(
                (
                    named(part, number),
                    part_in_words(replace(part, label="", count=1)),
                    count(part.count),
                )
                for number, part in enumerate(parts, 1)
            )
            tables.append(Table(caption, columns, rows))
    return facts, tables


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
    short = replace(labels, by=brief(labels.by, most=40), date=brief(labels.date, most=40))
    with language(labels.language):
        return Document(
            fill("summary.page.title", name=brief(release.name, most=NAME)),
            (
                _released(report),
                _result(report),
                _limits(report),
                _one_page_assumed(report),
                Section(fill("summary.title.uncovered"), (_uncovered(report),)),
                signed(replace(report, asked=replace(report.asked, labels=short))),
            ),
            ", ".join(
                brief(text, most=CURATOR) for text in (release.curator, release.date) if text
            ),
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


def _listed(texts: tuple[str, ...]) -> str:
    """The first of them, as long as there is room, and how many more there are."""
    room = LINE // max(1, min(len(texts), LISTED))
    shown = [brief(text, most=room) for text in texts[:LISTED]]
    rest = len(texts) - len(shown)
    return "; ".join([*shown, fill("summary.more", count=count(rest))] if rest else shown)


def _released(report: Report) -> Section:
    release, first = report.release, report.assessments[0]
    labels = tuple(dict.fromkeys(part.label for part in release.parts if part.label))
    false = basis_of(release).unkept
    also = tuple(part for part in release.stated_also if part not in false)
    room = NOTES // max(1, min(len(release.notes), LISTED))
    notes = [
        fill(f"note.{note.kind}", text=brief(note.text, most=room))
        for note in release.notes[:LISTED]
    ]
    noise = named_noise(first.basis.parts) if first.statements else "any"
    said = {
        "release": _listed(labels),
        {"any": "promise", "known": "run"}.get(noise, "parts"): _promise(report),
        "also": _listed(tuple(map(part_in_words, also))),
        "false": _listed(tuple(map(part_in_words, false))),
        "exact": _listed(release.invariants),
        "notes": " ".join(notes),
    }
    facts = Facts(tuple((fill(f"summary.{name}"), text) for name, text in said.items() if text))
    return Section(fill("summary.title.release"), (facts,))


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
    priors = sorted(dict.fromkeys(report.asked.adversary.beliefs))
    step = -(-len(priors) // LISTED)
    of = counted_in(report.assessments[0], report.asked.middle)
    rows = []
    for prior in sorted({report.asked.middle, *priors[::step][:LISTED]}):
        after = statement.find("posterior", prior)
        down = in_as_many(after.lower, prior, of, upper=False)
        rows.append((out_of(prior, of), down, in_as_many(after.upper, prior, of, upper=True)))
    caption = fill("summary.starts.caption", sure=sure(statement.confidence))
    return Table(caption, heads("summary.starts", "before", "least", "most"), tuple(rows))


def _limits(report: Report) -> Section:
    first, climbed = report.assessments[0], report.ladder
    blocks = limits_in_words(first) or (say("summary.no-limit"),)
    limit = dict(report.asked.limits).get("posterior")
    if limit is not None and climbed is not None:
        of = counted_in(first, first.adversary.middle) if first.statements else 100
        last, over = kept_until(climbed, limit)
        key = "all" if over is None else "none" if last < 1 else "one" if last == 1 else "until"
        asked = {"limit": out_of(limit, of), "prior": out_of(climbed.prior, of)}
        blocks = (*blocks, say(f"summary.going-on.{key}", last=count(last), **asked))
    return Section(fill("summary.title.limits"), blocks)


def _one_page_assumed(report: Report) -> Section:
    release, secret = report.release, report.asked.adversary.secret
    one = one_record(release)
    lines = ["made", f"knows{'-several' if one and secret != 'membership' else ''}.{secret}"]
    if not release.neighbors_stated:
        lines.append(f"neighbors{'-several' if one else ''}.{release.neighbors}")
    if release.releases * sum(part.count for part in basis_of(release).parts) > 1:
        lines.append("own-noise")
    said = [fill(f"summary.assumed.{x}", one=one, **gaps(release)) for x in lines]
    said += computational(release)
    said += [fill(f"claim.read.{secret}")] if report.asked.labels.claim else []
    return Section(fill("summary.title.assumed"), (Items(tuple(said)),))


def _uncovered(report: Report) -> Items:
    inside = ("inside",) if report.release.neighbors == "replace-one" else ()
    lines = ("people", "others", *inside, "later", "exact", "leaks")
    return Items(heads("summary.uncovered", *lines))
