"""Grounds of each number: its theorems, and what is taken for granted."""

from __future__ import annotations

import shlex
from collections.abc import Container, Iterable, Iterator
from dataclasses import fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dprisk._pages import slug
from dprisk.documents.document import (
    Block,
    Facts,
    Figure,
    Items,
    Links,
    Listing,
    Section,
    Table,
    figure,
    on_grid,
)
from dprisk.documents.promises import whole_promise
from dprisk.documents.results import promise_in_words
from dprisk.documents.saying import (
    begun,
    bound,
    gaps,
    heads,
    laddered,
    say,
    sure,
    taken_for_granted,
)
from dprisk.errors import DpriskError
from dprisk.text import fill, language
from dprisk.text.rounding import at_least, at_most
from dprisk.theorems import NAMES, WORKS, Theorem

if TYPE_CHECKING:
    from dprisk.answer import Bound
    from dprisk.budget.profile import Profile
    from dprisk.documents.assessing import Assessment, Finding, Statement
    from dprisk.documents.compositions import Compared
    from dprisk.documents.reporting import Report
    from dprisk.risk.adversary import Adversary
    from dprisk.risk.counterfactual import Counterfactual

ASSUMED = "assumed"
"""The place where it stands what is taken for granted."""

UNSHOWN = ("ratio_not", "with_data", "inclusion_ratio", "value_ratio")


class Group(NamedTuple):
    """Assumptions of some numbers, in English."""

    place: str
    title: str
    lines: tuple[str, ...]


def because(report: Report, place: str, theorems: Iterable[Theorem]) -> Links:
    """The way from numbers to their theorems and to what they take for granted."""
    known = {group.place for group in of_each(report)}
    works: dict[str, dict[str, Theorem]] = {}
    for each in theorems:
        works.setdefault(each.work, {}).setdefault(each.place, each)
    found = [
        (each.place if at else each.named, place_of(each))
        for cited in works.values()
        for at, each in enumerate(cited.values())
    ]
    found.append((fill("summary.why.assumed"), place if place in known else ASSUMED))
    return Links(fill("summary.why"), tuple(found))


def place_of(theorem: Theorem) -> str:
    """The anchor of a theorem in the report."""
    return f"by-{slug(str(theorem))}"


def of_statement(assessment: Assessment, statement: Statement) -> str:
    """The anchor of the assumptions of a statement."""
    mine = statement.loss.assumptions
    at = next(n for n, each in enumerate(assessment.statements) if each.loss.assumptions == mine)
    return f"{ASSUMED}-{assessment.adversary.secret}-{at + 1}"


def of_all(report: Report) -> tuple[str, ...]:
    """Assumptions that all numbers share."""
    first, *others = _groups(report) or (Group("", "", ()),)
    return tuple(line for line in first.lines if all(line in each.lines for each in others))


def of_each(report: Report) -> tuple[Group, ...]:
    """Further assumptions of some numbers, reader by reader."""
    common = of_all(report)
    rest = (
        each._replace(lines=tuple(line for line in dict.fromkeys(each.lines) if line not in common))
        for each in _groups(report)
    )
    return tuple(each for each in rest if each.lines)


@lru_cache(maxsize=4)
def _groups(report: Report) -> tuple[Group, ...]:
    with language("en"):
        return tuple(_found(report))


def _found(report: Report) -> Iterable[Group]:
    whose = gaps(report.release)
    if report.compared is not None:
        title = fill("report.title.compared")
        yield Group(f"{ASSUMED}-compared", title, _of_readers(report.compared))
    for one in report.assessments:
        places: dict[str, Statement] = {}
        for statement in one.statements:
            places.setdefault(of_statement(one, statement), statement)
        for place, statement in places.items():
            title = fill(f"report.asks.{one.adversary.secret}", **whose)
            by = whole_promise(statement.composed.guarantee)
            said = fill("report.assumed.by", title=title, promise=by) if len(places) > 1 else title
            yield Group(place, said, statement.loss.assumptions)
    if report.attacked is not None:
        title = fill("report.title.tested")
        yield Group(f"{ASSUMED}-tested", title, report.attacked.curve.assumptions)
    for findings in report.concerns[:1]:
        lines = dict.fromkeys((*findings.assumptions, *findings.disclosure.assumptions))
        yield Group(f"{ASSUMED}-concerns", fill("report.title.concerns"), tuple(lines))


def _of_readers(made: Compared) -> tuple[str, ...]:
    """Assumptions that all readers share, once, then the rest with the name of each."""
    found = {each.adversary: made.assumed(each) for each in limiting(made)}
    first, *others = found.values()
    common = [line for line in first if all(line in lines for lines in others)]
    named = []
    for who, lines in found.items():
        own = " ".join(line for line in lines if line not in common)
        if own:
            reader = begun(fill(f"report.reader.{who}"))
            named.append(fill("report.assumed.reader", reader=reader, line=own))
    return (*common, *named)


def readers(found: tuple[Counterfactual, ...]) -> list[Counterfactual]:
    """Findings in the order of what the adversary knows, least first."""
    order = ("wrong-prior", "arbitrary-prior", "rest-known", "true-record")
    return sorted(found, key=lambda each: order.index(each.adversary))


def confidence_of(made: Compared, each: Counterfactual) -> float | None:
    """The confidence with which a limit for this reader holds; None: with certainty."""
    return None if each.adversary == "wrong-prior" else made.confidences[0]


def limiting(made: Compared) -> list[Counterfactual]:
    """The readers who need a row; one alone where the same limits hold for any reader."""
    found = readers(made.found)
    limits = []
    for each in found:
        sure = confidence_of(made, each)
        limits.append([float(each.ratio(sure)), *np.ravel(each.belief(made.without, sure).value)])
    return found[:1] if all(np.allclose(each, limits[0], 1e-9, 0.0) for each in limits) else found


def shown(statement: Statement, limited: Container[str] = ()) -> list[Finding]:
    """The findings that a report shows; of those not in its tables, only what is limited."""
    return [
        each for each in statement.findings if each.metric not in UNSHOWN or each.metric in limited
    ]


def assumed(report: Report) -> Section:
    """Every assumption: what all numbers rest on, then reader by reader what comes besides."""
    notes = [fill("report.assumed.kept"), *of_all(report), *taken_for_granted(report.release)]
    if not report.release.neighbors_stated:
        notes.append(fill(f"assumed.neighbors.{report.release.neighbors}"))
    if report.asked.labels.claim:
        notes.append(fill(f"claim.read.{report.asked.adversary.secret}"))
    inside = tuple(
        Section(each.title, (Items(each.lines),), topic=each.place) for each in of_each(report)
    )
    return Section(fill("report.title.assumed"), (Items(tuple(notes)),), inside, topic=ASSUMED)


def uncovered(report: Report) -> Section | None:
    """The section on what no number here is about."""
    for section in report.explanations[0].sections:
        if section.topic == "not-covered":
            lines = tuple(str(each) for each in section.sentences if each.key != "note")
            return Section(fill("report.title.uncovered"), (Items(lines),))
    return None


def reasons(report: Report) -> Section | None:
    """The theorem behind every number, and the works that they come from."""
    numbers: dict[Theorem, dict[str, None]] = {}
    bounds: dict[Theorem, dict[Bound, dict[str, None]]] = {}
    for what, question, theorem, kind in _used(report):
        numbers.setdefault(theorem, {})[what] = None
        bounds.setdefault(theorem, {}).setdefault(kind, {})[question] = None
    if not numbers:
        return None
    rows = tuple(
        (theorem.named, theorem.says, "; ".join(names), _kind(bounds[theorem]))
        for theorem, names in numbers.items()
    )
    places = [place_of(theorem) for theorem in numbers]
    first = tuple(each if each not in places[:at] else "" for at, each in enumerate(places))
    refused = () if report.compared is None else report.compared.refused
    said = [
        *(f"{theorem.named} {theorem.says}" for theorem in numbers),
        *of_all(report),
        *(line for group in of_each(report) for line in group.lines),
        *(reason.why for _, reason in (*report.missing, *refused)),
    ]
    if report.justified is not None:
        said += [fill(f"report.rule.{rule}") for rule in report.justified.others]
    cited = " ".join(said)
    works = sorted(work for work in WORKS if NAMES.get(work, work) in cited)
    columns = heads("report.reasons", "theorem", "says", "numbers", "known")
    blocks: tuple[Block, ...] = (
        Table(fill("report.reasons.caption"), columns, rows, first),
        say("report.reasons.works"),
        Facts(tuple((NAMES.get(work, work), WORKS[work]) for work in works), linked=True),
    )
    return Section(fill("report.title.reasons"), blocks)


def _kind(bounds: dict[Bound, dict[str, None]]) -> str:
    """Whether the numbers are exact; where that depends on the question, for which."""
    kinds = [(fill(f"report.direction.{kind}"), asked) for kind, asked in bounds.items()]
    if len(kinds) == 1:
        return kinds[0][0]
    return "; ".join(
        fill("report.reasons.kind", kind=kind, question=", ".join(filter(None, asked)))
        for kind, asked in kinds
    )


def _used(report: Report) -> Iterator[tuple[str, str, Theorem, Bound]]:
    """Every kind of number in the report, with its question, its theorem and its direction."""
    limited = dict(report.asked.limits)
    for one in report.assessments:
        question = fill(f"report.question.{one.adversary.secret}")
        best = one.basis if one.statements else None
        for statement in one.statements:
            loss = statement.loss
            yield fill("report.used.promise"), "", statement.composed.theorem, "upper"
            other = "" if statement is best else ".other"
            yield fill(f"report.used.shift{other}"), question, loss.theorem, loss.bound
            for finding in shown(statement, limited) if statement is best else ():
                name = fill(f"report.number.{finding.metric}")
                yield name, question, finding.theorem, finding.upper_bound
    if report.compared is not None:
        for each in limiting(report.compared):
            reader = fill(f"report.line.{each.adversary}")
            yield fill("report.used.compared", reader=reader), "", each.theorem, "upper"
    if report.attacked is not None:
        curve = report.attacked.curve
        yield fill("report.used.power"), "", curve.power.theorem, curve.power.bound
        yield fill("report.used.guess"), "", curve.advantage.theorem, curve.advantage.bound
    if report.together is not None and report.together.uses > 1:
        yield fill("report.used.together"), "", report.together.composed.theorem, "upper"
    if report.ladder is not None:
        for rung in laddered(report.ladder, report.asked.labels.times):
            name = fill("report.used.ladder", name=bound(rung.name))
            yield from ((name, "", theorem, "upper") for theorem in rung.theorems)
    if report.justified is not None:
        most = report.justified.limit.budget.epsilon
        yield fill("report.used.profile"), "", most.theorem, most.bound
    for findings in report.concerns:
        loss = findings.disclosure.loss
        yield fill("report.used.tests"), "", findings.power.theorem, findings.power.bound
        yield fill("report.used.beliefs"), "", loss.theorem, loss.bound


def again(report: Report) -> Section:
    """The command, the Python, and the release itself, so that the report can be made again."""
    from dprisk import __version__

    content, file = _file(report), report.asked.labels.file
    name = file or "release.yaml"
    blocks: list[Block] = [
        say("report.again.command-line", version=__version__),
        Listing(fill("report.again.command"), _command(report, name), "console"),
        say("report.again.or-python"),
        Listing(fill("report.again.python"), _python(report, name), "python"),
    ]
    if content is None and not file:
        blocks = [say("report.again.none")]
    if content is not None:
        blocks += [
            say("report.again.release"),
            Listing(fill("report.again.file"), content, "yaml"),
        ]
    return Section(fill("report.title.again"), tuple(blocks))


def _file(report: Report) -> str | None:
    """The release as a file, before it was taken several times."""
    from dprisk.releases.files import in_yaml

    times = report.asked.labels.times
    once = replace(report.release, releases=max(report.release.releases // times, 1))
    try:
        return in_yaml(once)
    except DpriskError:
        return None


def _command(report: Report, name: str) -> str:
    asked, who, labels = report.asked, report.asked.adversary, report.asked.labels
    lines = [
        [name],
        ["--secret", who.secret],
        _flags("--prior", who.priors),
        [] if who.value_prior is None else _flags("--value-prior", [who.value_prior]),
        _flags("--confidence", [who.confidence] if who.confidence is not None else []),
        ["--one-sided"] if who.sides == "one" and who.secret != "both" else [],
        [] if who.post_processing else ["--raw-output"],
        _flags("--level", asked.levels),
        [word for metric, most in asked.limits for word in ("--limit", f"{metric}={most!r}")],
        ["--releases", str(labels.times)] if labels.times > 1 else [],
        ["--upto", str(asked.upto)],
        ["--allocation", labels.table] if labels.table else [],
        ["--profile", labels.profile] if labels.profile else [],
        [word for concern in asked.concerns for word in ("--concern", concern)],
        *([f"--{name}", text] for name, text in _printed(report)),
        ["-o", "report.html"],
    ]
    shown = [" ".join(map(shlex.quote, line)) for line in lines if line]
    return " \\\n    ".join([f"dprisk report {shown[0]}", *shown[1:]])


def _flags(flag: str, values: Iterable[float]) -> list[str]:
    return [word for value in values for word in (flag, repr(value))]


def _printed(report: Report) -> list[tuple[str, str]]:
    labels = report.asked.labels
    language = "" if labels.language == "en" else str(labels.language)
    texts = {"claim": labels.claim, "by": labels.by, "date": labels.date, "language": language}
    return [(name, text) for name, text in texts.items() if text]


def _adversary(who: Adversary) -> str:
    """The call that makes the adversary, without fields left at their defaults."""
    said = [f"secret={who.secret!r}", f"priors={who.priors!r}"]
    for field in fields(who):
        value = getattr(who, field.name)
        if field.name not in ("secret", "priors") and value != field.default:
            said.append(f"{field.name}={value!r}")
    return f"Adversary({', '.join(said)})"


def _python(report: Report, name: str) -> str:
    asked, labels = report.asked, report.asked.labels
    said = [(name, repr(text)) for name, text in _printed(report)]
    more: dict[str, str | int] = {"file": name, "table": labels.table, "profile": labels.profile}
    more |= {"times": labels.times if labels.times > 1 else ""}
    said += [(key, repr(value)) for key, value in more.items() if value]
    lines = ["from dprisk import Adversary, read_release"]
    lines += ["from dprisk.allocation import read_allocation"] if labels.table else []
    lines += ["from dprisk.documents import Labels, report"]
    lines += ["", f"release = read_release({name!r})"]
    if labels.times > 1:
        lines.insert(0, "from dataclasses import replace\n")
        lines += [f"release = replace(release, releases=release.releases * {labels.times})"]
    lines += ["made = report(", "    release,", f"    {_adversary(asked.adversary)},"]
    lines += [f"    limits={dict(asked.limits)!r},"] if asked.limits else []
    lines += [f"    levels={asked.levels!r},", f"    upto={asked.upto},"]
    if labels.table:
        lines += [f"    allocation=read_allocation({labels.table!r}),"]
        lines += [f"    concerns={asked.concerns!r},"]
    lines += [f"    labels=Labels({', '.join(f'{key}={text}' for key, text in said)}),", ")"]
    if labels.profile:
        lines.insert(0, "from dprisk.budget import read_profile")
        lines.append(f"made = made.with_profile(read_profile({labels.profile!r}))")
    return "\n".join([*lines, 'made.save("report.html")'])


def signed(report: Report) -> Section:
    """Who made it, when, and room for a signature."""
    line = "_" * 24
    labels = report.asked.labels
    said = (labels.by or line, labels.date or line, line, " ".join([line * 3] * 2))
    pairs = tuple(
        zip(heads("report.signed", "by", "date", "checked", "decision"), said, strict=True)
    )
    blocks = (say("report.signed.lead"), Facts(pairs[:3]), Facts(pairs[3:]))
    return Section(fill("report.title.signed"), blocks)


def justified(report: Report) -> Section | None:
    """The budget that a risk profile allows: where it binds, its noise, and what it leaves open."""
    from dprisk.budget.files import profile_in_yaml
    from dprisk.curves import draw_error

    if (made := report.justified) is None:
        return None
    budget, rows, best, asked = made.limit.budget, [], {}, report.asked
    drawn = _profiled(made.limit.profile)
    open_to = {"inf": fill("report.no-limit")}
    cells = tuple(tuple(open_to.get(cell, cell) for cell in row) for row in drawn.numbers.rows)
    numbers = Table(fill("report.profile.priors.caption"), drawn.numbers.columns, cells)
    content = profile_in_yaml(made.limit.profile)
    rule = Listing(fill("report.profile.file"), content, "yaml")
    blocks: list[Block] = [say("report.profile.lead"), rule, drawn, numbers]
    words = {"theorem": budget.epsilon.theorem.named, "reason": budget.reason}
    if budget.status == "limited":
        words["most"] = at_least(float(made.sheet.promises[0].value), 6)
        words["neighbors"] = made.sheet.neighbors
    lines = [fill(f"report.profile.{budget.status.replace(' ', '-')}", **words)]
    if budget.binding is not None:
        ratio = f"{budget.binding.ratio:.6g}"
        lines.append(fill("report.profile.binds", where=str(budget.binding), ratio=ratio))
    if budget.status == "limited":
        verdict = "kept" if made.kept else "broken"
        share = "" if made.used is None else at_most(100.0 * made.used, 3, apart=True)
        key = verdict if share else "silent"
        lines.append(fill(f"report.profile.{key}", sure=sure(asked.confidence), used=share))
    blocks.append(Items(tuple(lines)))
    for found, costs in zip(made.sheet.promises, made.sheet.costs, strict=True):
        for cost in sorted(costs, key=lambda each: float(each.off_by))[:1]:
            best[cost.kind] = cost
            noise = f"{cost.kind}, {cost.parameter} {at_most(cost.width, 4)}"
            error = at_most(cost.standard_deviation, 3), f"± {at_most(cost.off_by, 3)}"
            rows.append((promise_in_words(found), noise, *error))
    if rows:
        columns = heads("report.profile", "promise", "noise", "deviation", "off")
        blocks.append(Table(fill("report.profile.noise.caption"), columns, tuple(rows)))
        shown_error = draw_error(best.values(), prior=asked.middle, confidence=asked.confidence)
        blocks.append(figure("error", shown_error))
    others = tuple(
        (fill(f"report.rule.{rule}"), at_least(epsilon, 4)) for rule, epsilon in made.others.items()
    )
    if others:
        columns = heads("report.profile", "rule", "epsilon")
        blocks.append(Table(fill("report.profile.rules.caption"), columns, others))
    if made.sheet.unprotected:
        blocks += [say("report.profile.open"), Items(made.sheet.unprotected)]
    return Section(fill("report.title.profile"), tuple(blocks))


def _profiled(profile: Profile) -> Figure:
    """A risk profile: a line where one of the priors is known, and otherwise a map."""
    from dprisk.budget import budget_curve, budget_map
    from dprisk.curves import draw_budget_map, draw_risk_profile

    boxes = [clause.box for clause in profile.clauses()]
    for along, known in (
        ("value_prior", {end for box in boxes for end in (box.p0, box.p1)}),
        ("membership_prior", {end for box in boxes for end in (box.q0, box.q1)}),
    ):
        if len(known) == 1:
            drawn = draw_risk_profile(budget_curve(profile, along, known.pop()))  # type: ignore[arg-type]
            return figure("profile", drawn, lambda row: on_grid(row[0], 0.1))
    drawn = draw_budget_map(budget_map(profile))
    return figure("profile", drawn, lambda row: on_grid(row[0], 0.25) and on_grid(row[1], 0.25))
