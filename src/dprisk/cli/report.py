"""``dprisk report``: one document about one release, to be read, signed and kept."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dprisk._asking import options
from dprisk._asking.options import FILE, WORD, Text, option
from dprisk._asking.reading import unclear
from dprisk._asking.report import ReportOptions
from dprisk._files import check_places
from dprisk.cli import show
from dprisk.cli.output import Output
from dprisk.cli.waiting import waiting
from dprisk.errors import InvalidInput, refused
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.documents.reports.report import Report as Made


def report(
    *,
    target: Annotated[Text, option("help.report.output", FILE, "--output", "-o")] = None,
    force: options.Force = False,
    form: Annotated[Text, option("help.report.format", WORD, "--format")] = None,
    summary: Annotated[bool, option("help.report.summary", None, "--summary")] = False,
    asked: ReportOptions,
    output: Output,
) -> None:
    """Write one document about one release."""
    wanted = _form(target, form, output.json, summary)
    asked.check()
    if target is not None:
        check_places([target], force=force, inputs=[asked.subject.file, asked.allocation or ""])
    from dprisk.documents.promises import contradictions

    with waiting("report"):
        made = asked.answer()
        document = made.summary() if summary else made
        if target is None:
            text = document.written(wanted)
        else:
            document.save(target, wanted, force=force)
    if target is None:  # what is printed while the status is shown would land beside it
        show.as_it_is(text)
    elif output.quiet:
        show.lines(contradictions(made.release), "")
    else:
        _told(made, target)
    if not made.kept:
        raise typer.Exit(3)


def _form(target: str | None, form: str | None, json: bool, summary: bool) -> Any:
    """The format, and that it can be had, before anything is computed."""
    from dprisk._checks import one_of
    from dprisk.documents.document import FORMATS, form_of

    if json and form not in (None, "json"):
        raise unclear("apart", one="--json", other="--format")
    if json or form is not None:
        wanted = "json" if json else one_of("--format", form, FORMATS)
    else:
        wanted = "markdown" if target is None else form_of(target)
    if wanted == "json" and summary:
        raise refused("summary.json", fill("summary.a-summary"), "json")
    if wanted == "pdf":
        from dprisk.documents.render.pdf import printer

        if target is None:
            problem, fix = fill("summary.pdf.to-file"), fill("summary.pdf.to-file.fix")
            raise InvalidInput("-o", None, problem, fix)
        printer()
    return wanted


def _told(made: Made, target: str) -> None:
    from dprisk.documents.reports.summary import summary

    (first, *_) = summary(made).blocks
    show.lines([fill("cli.report.written", output=target)], "")
    if sys.stdout.isatty():
        typer.echo()
    show.lines([getattr(first, "text", "")], "")
    show.limits(made.assessments[0])
