"""Commands about one release or several: assess, explain, report and deployments."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import typer

from dprisk._asking import parameters as shared
from dprisk._asking.answers import (
    Block,
    belief,
    limits,
    of_assessment,
    share,
    table,
)
from dprisk._asking.options import Asker
from dprisk._asking.parameters import File, Flag, Number, SomeNumber, Word, arg, flag, opt
from dprisk._asking.questions import AssessOptions, ExplainOptions, ReportOptions
from dprisk._asking.reading import apart
from dprisk._files import check_places
from dprisk.cli import show
from dprisk.cli.commands import Output
from dprisk.cli.show import waiting
from dprisk.documents.document import Sentence
from dprisk.errors import InvalidInput

if TYPE_CHECKING:
    from dprisk.documents.assessing import Assessment
    from dprisk.releases.published import Comparison


def assess(asked: AssessOptions, output: Output) -> None:
    """Print one assessment, or one for each of several releases."""
    with waiting("Assessing"):
        answer = asked.answer()
    made = answer if isinstance(answer, list) else [answer]
    output.show(
        answer,
        lambda: _in_brief(made),
        lambda: asked.document(made),
        kept=all(one.kept for one in made),
    )


def explain(asked: ExplainOptions, output: Output) -> None:
    """Print what a release means, in the words of one audience."""
    with waiting("Explaining"):
        made = asked.answer()
    first = made.sections[0].sentences
    output.show(made, lambda: [" ".join(map(str, first))], lambda: asked.document(made))


# --- assessments ---------------------------------------------------------------------------------


def _in_brief(made: list[Assessment]) -> Iterator[str]:
    from dprisk.documents.beliefs import headline

    for one in made:
        named = len(made) > 1 and one.statements
        yield f"{one.release.name}: {headline(one)}" if named else headline(one)
    for one in made:
        yield from ("", *limits(one)) if one.limits else ()


# --- report --------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class ReportTarget:
    """The file and the format of a report."""

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
            from dprisk.documents.rendering import printer

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
    from dprisk.documents.summary import summary

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

    def full() -> Iterator[Block]:
        if asked.name is None:
            yield from _tables(comparable(chosen), made)
        for one in made.values() if asked.name is not None else ():
            yield from of_assessment(one)

    output.show(
        list(made.values()),
        lambda: [f"{key}: {headline(one)}" for key, one in made.items()],
        full,
        kept=True,
    )


def _tables(groups: Iterable[Comparison], made: dict[str, Assessment]) -> Iterator[Block]:
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
