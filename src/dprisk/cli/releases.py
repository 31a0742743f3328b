"""Commands about one release or several: assess, explain, report and deployments."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import typer

from dprisk._asking import parameters as shared
from dprisk._asking.options import Asker
from dprisk._asking.parameters import File, Flag, Number, SomeNumber, Word, arg, flag, opt
from dprisk._asking.questions import AssessOptions, ExplainOptions, ReportOptions
from dprisk._asking.reading import apart
from dprisk._files import check_places
from dprisk.cli import show
from dprisk.cli.commands import Output
from dprisk.cli.show import section, table, waiting
from dprisk.cli.words import ALMOST, belief, how, limits, share, title
from dprisk.documents.document import Section, Sentence
from dprisk.errors import InvalidInput
from dprisk.text import fill
from dprisk.text.rounding import at_least, at_most
from dprisk.theorems import NAMES

if TYPE_CHECKING:
    from dprisk.documents.explaining import Explanation
    from dprisk.documents.findings import Assessment, Statement
    from dprisk.releases.published import Comparison
    from dprisk.releases.release import Release


def assess(asked: AssessOptions, output: Output) -> None:
    """Print one assessment, or one for each of several releases."""
    with waiting("Assessing"):
        answer = asked.answer()
    made = answer if isinstance(answer, list) else [answer]
    output.show(
        answer, lambda: _in_brief(made), lambda: _in_full(made), kept=all(one.kept for one in made)
    )


def explain(asked: ExplainOptions, output: Output) -> None:
    """Print what a release means, in the words of one audience."""
    with waiting("Explaining"):
        made = asked.answer()
    first = made.sections[0].sentences
    output.show(made, lambda: [" ".join(map(str, first))], lambda: _explained(made))


def _explained(made: Explanation) -> Iterator[show.Block]:
    """Paragraphs for people, lists for whoever works with them."""
    yield f"{made.name}: {made.title}"
    for each in made.sections:
        texts = list(map(str, each.sentences))
        if made.audience == "data-subject" and each.topic != "not-covered":
            yield Section(each.title, (Sentence(" ".join(texts)),))
        else:
            yield from section(each.title, texts)


# --- assessments ---------------------------------------------------------------------------------


def _in_brief(made: list[Assessment]) -> Iterator[str]:
    from dprisk.documents.beliefs import headline

    for one in made:
        named = len(made) > 1 and one.statements
        yield f"{one.release.name}: {headline(one)}" if named else headline(one)
    for one in made:
        yield from ("", *limits(one)) if one.limits else ()


def _in_full(made: list[Assessment]) -> Iterator[show.Block]:
    from dprisk.documents.beliefs import headline
    from dprisk.documents.promises import describe

    if len(made) == 1:
        yield from whole(made[0])
        return
    for one in made:
        said = [headline(one), *(describe(one.release, each) for each in one.statements)]
        notes = [f"! {text}" for text in _notes(one.release)]
        yield Section(title(one.release), tuple(map(Sentence, [*said, *limits(one), *notes])))
    known = sum(bool(one.statements) for one in made)
    yield f"{len(made)} releases: {known} assessed, {len(made) - known} without an answer."


def whole(assessment: Assessment) -> Iterator[show.Block]:
    """An assessment: the headline, then every number, its theorem and its assumptions."""
    from dprisk.documents.beliefs import headline, other_questions
    from dprisk.documents.promises import describe
    from dprisk.documents.saying import the_record

    release = assessment.release
    yield title(release)
    yield headline(assessment)
    yield from limits(assessment)
    for at, statement in enumerate(assessment.statements):
        if at:
            yield Section(
                "A second promise by the same source",
                (
                    Sentence(
                        "The source also states the promise below. If both promises hold, the "
                        "stricter limit counts, and the headline uses that one."
                    ),
                    Sentence(describe(release, statement)),
                ),
            )
        else:
            yield Section("What was released", (Sentence(describe(release, statement)),))
        *compared, every = other_questions(assessment, statement)
        said = [every, *compared]
        if assessment.adversary.secret == "membership" and statement.confidence is not None:
            said.append(
                "These limits are about being in the data. Limits on learning a value of the "
                "record are looser; to see them, add --secret attribute."
            )
        yield Section("Who can learn what", (_beliefs(statement), show.items(said)))
        yield from section("Assumptions", [*statement.loss.assumptions, *the_record(release)])
        yield from section("How the numbers were computed", _how(statement, release.releases))
    yield from section("Published without noise", release.invariants)
    yield from section("Notes on the source", _notes(release))
    yield from section("Source", release.source)


def _notes(release: Release) -> list[str]:
    return [fill(f"note.{note.kind}", text=note.text) for note in release.notes]


def _beliefs(statement: Statement) -> Any:
    rows = []
    at = (f.prior for f in statement.findings if f.metric == "posterior" and f.prior is not None)
    for prior in dict.fromkeys(at):
        after = statement.find("posterior", prior)
        most = share(after.upper, certain=prior == 1.0)
        rows.append([belief(prior), at_least(after.lower), most, *_moves(statement, prior)])
    rows.append(["every prior", "", "", *_moves(statement, None)])
    heads = ("prior", "posterior: at least", "posterior: at most", "change: at most")
    return table([*heads, "ratio: at most"], rows)


def _moves(statement: Statement, prior: float | None) -> list[str]:
    change, ratio = statement.find("difference", prior), statement.find("ratio", prior)
    largest = share(change.extent)
    if change.worst_priors and change.extent <= ALMOST:  # there is room for it
        largest += f" (from {change.worst_priors[1]:.3g})"
    return [largest, at_most(ratio.upper)]


def _how(statement: Statement, releases: int) -> list[str]:
    loss, found = statement.loss, statement.composed
    factor = statement.find("odds").upper
    whole, *lossy = how(found, statement.parts, releases)
    odds = f"at most {at_most(factor)}" if math.isfinite(factor) else "more than 1e308"
    nats = fill("nats.one" if float(loss) == 1.0 else "nats", number=at_most(float(loss), 6))
    errs = "exact worst case" if loss.bound == "exact" else "upper bound"
    moved = (
        f"The log-odds change by at most {nats}, and the odds by a factor of {odds} ({errs}; "
        f"{loss.theorem.named}: {loss.theorem.says})."
    )
    made = [moved] if found.is_alone else [whole, moved]
    if loss.bound != "exact" and loss.other_end is not None:
        low, high = at_least(float(loss.other_end), 9), at_most(float(loss), 9)
        made.append(f"Certified: the worst case is between {low} and {high} nats.")
    work = NAMES["P0"]
    made += [f"The posteriors follow by Bayes' rule ({work}, Theorems 3.2 to 3.5).", *lossy]
    if statement.is_vacuous:
        little = "This limit is so loose that it rules out little."
        if any(part.mechanism is None for part in statement.parts):
            little += (
                " It is the worst case over all mechanisms that keep the promise. The mechanism "
                "that was used may reveal much less; the promise alone does not say how much. If "
                "you know the mechanism, list it under “mechanisms” in the release file."
            )
        made.append(little)
    return made


# --- report --------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class ReportTarget:
    """Where a report goes, and in which form."""

    target: File = opt(
        "File to write (.html, .pdf, .md or .json). Default: print Markdown.",
        None,
        *("--output", "-o"),
    )
    force: Flag = shared.force()
    form: Word = opt(
        "Format, whatever the file is called: html, pdf, markdown or json.", None, "--format"
    )
    summary: Flag = flag(
        "Write one page for those who decide, instead of the whole report.", "--summary"
    )

    def wanted(self, json: bool) -> Any:
        """The format, and that it can be had, before anything is computed."""
        from dprisk._checks import one_of
        from dprisk.documents.document import FORMATS, form_of

        if json and self.form not in (None, "json"):
            raise apart("--json", "--format")
        wanted = "markdown" if self.target is None else ""
        if json or self.form is not None:
            wanted = "json" if json else one_of("--format", self.form, FORMATS)
        elif self.target is not None:
            wanted = form_of(self.target)
        if wanted == "json" and self.summary:
            fix = "The JSON of the report contains all numbers in its summary."
            raise InvalidInput("a summary", "json", "html, markdown or pdf", fix)
        if wanted == "pdf":
            from dprisk.documents.render.pdf import printer

            if self.target is None:
                fix = "Name one with -o, such as -o report.pdf."
                raise InvalidInput("-o", None, "a file for a PDF", fix)
            printer()
        return wanted


def report(to: ReportTarget, asked: ReportOptions, output: Output) -> None:
    """Write one document about one release."""
    wanted = to.wanted(output.json)
    asked.check()
    if to.target is not None:
        inputs = [asked.subject.file, asked.allocation or ""]
        check_places([to.target], force=to.force, inputs=inputs)
    from dprisk.documents.promises import contradictions

    with waiting("Writing the report"):
        made = asked.answer()
        document = made.summary() if to.summary else made
        if to.target is None:
            text = document.written(wanted)
        else:
            document.save(to.target, wanted, force=to.force)
    if to.target is None:  # what is printed while the status is shown would land beside it
        show.as_it_is(text)
    elif output.quiet:
        show.lines(contradictions(made.release))
    else:
        _tell(made, to.target)
    if not made.kept:
        raise typer.Exit(3)


def _tell(made: Any, target: str) -> None:
    from dprisk.documents.reports.summary import summary

    (first, *_) = summary(made).blocks
    show.lines([f"Written: {target}", *([""] if sys.stdout.isatty() else [])])
    show.lines([getattr(first, "text", "")])
    for text in limits(made.assessments[0]):
        show.lines(["", text])


# --- deployments ---------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class DeploymentOptions:
    """Which published deployments are read, and against whom."""

    name: Word = arg("Part of the name of a deployment or curator, to show it in full.", None)
    prior: SomeNumber = opt("Belief before the release, between 0 and 1.", "0.5")
    confidence: Number = shared.confidence()


def deployments(asked: DeploymentOptions, output: Output) -> None:
    """Print the shipped table of published deployments, or some of them in full."""
    from dprisk.documents.assessing import assess as assess_one
    from dprisk.documents.beliefs import headline
    from dprisk.releases.published import comparable
    from dprisk.releases.published import deployments as published

    asker = Asker(prior=[asked.prior], confidence=asked.confidence)
    chosen = [
        release
        for release in published()
        if (asked.name or "").lower() in f"{release.name} {release.curator}".lower()
    ]
    if not chosen:
        fix = "dprisk deployments lists them."
        raise InvalidInput("name", asked.name, "part of a shipped name", fix)
    with waiting("Assessing"):
        made = {release.name: assess_one(release, asker.asking(release)) for release in chosen}

    def full() -> Iterator[show.Block]:
        if asked.name is None:
            yield from _tables(comparable(chosen), made)
        for one in made.values() if asked.name is not None else ():
            yield from whole(one)

    output.show(
        list(made.values()),
        lambda: [f"{key}: {headline(one)}" for key, one in made.items()],
        full,
        kept=True,
    )


def _tables(groups: Iterable[Comparison], made: dict[str, Assessment]) -> Iterator[show.Block]:
    (prior,) = next(iter(made.values())).adversary.priors
    heads = ("deployment", "promise", f"{belief(prior)} becomes at most", "change at most")
    for group in groups:
        about = {"unit": group.unit, "period": group.period, "model": group.model}
        rows = _ranked([made[release.name] for release in group.releases], prior)
        yield table(
            [*heads, "secret", "marks"],
            rows,
            ", ".join(f"{key}: {value or 'not stated'}" for key, value in about.items()),
        )
    yield Sentence(
        "Compare rows only within a group: with another unit, period or model, the numbers mean "
        "something else. Each row is the worst case over all mechanisms that keep the promise, "
        "against an adversary who knows everything except whether one record is in the data, or "
        "what this record says. The limits always hold for pure DP, and otherwise with the "
        "confidence asked for (default 0.99). The change is the largest over every prior, for one "
        "period. Later periods add to it."
    )
    yield Sentence(
        "~ the source does not state the neighbors, so they were assumed; ! the numbers are "
        "disputed or mislabeled. Use dprisk deployments NAME to read why."
    )


def _ranked(made: list[Assessment], prior: float) -> list[list[str]]:
    from dprisk.documents.promises import marks, promises

    rows = []
    for one in made:
        label, marked = f"{one.release.name}, {one.release.curator}", marks(one.release)
        if not one.statements:
            rows.append((2.0, [label, "", "no usable number", "", "", marked]))
            continue
        change = one.basis.find("difference").upper
        after = share(one.basis.find("posterior", prior).upper, certain=prior == 1.0)
        asks = one.adversary.secret
        row = [label, promises(one.basis), after, share(change), asks, marked]
        rows.append((change, row))
    return [row for _, row in sorted(rows, key=lambda row: row[0])]
